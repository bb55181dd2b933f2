#!/bin/sh
# Runs everything that proves the tree: boundaries, types, lint, format, dead code, then all tests.
# The last line is `N passed, N failed, N skipped`. With --all nothing may be skipped.
set -eu
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
sh "$ROOT/scripts/setup.sh"
sh "$ROOT/scripts/build-page.sh"
. "$ROOT/scripts/lib/node.sh"
cd "$ROOT"
exec node --disable-warning=ExperimentalWarning scripts/test/main.ts "$@"
