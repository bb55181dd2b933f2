#!/bin/sh
# Installs and builds the page when needed, then serves on this machine. Every argument goes to `oncall serve`.
set -eu
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
sh "$ROOT/scripts/setup.sh"
sh "$ROOT/scripts/build-page.sh"
exec "$ROOT/bin/oncall" serve "$@"
