#!/bin/sh
# Builds the page into apps/frontend/dist; does nothing when its sources have not changed since.
set -eu
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$ROOT/scripts/lib/node.sh"

if ! node "$ROOT/scripts/lib/page-built.ts" "$ROOT"; then
  echo "Building the page ..." >&2
  (cd "$ROOT" && npm run --silent build -w @oncall-agent/frontend -- --logLevel warn >&2)
  node "$ROOT/scripts/lib/page-built.ts" "$ROOT" mark
fi
