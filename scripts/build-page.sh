#!/bin/sh
# Builds the page into apps/frontend/dist; does nothing when its sources have not changed since.
set -eu
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$ROOT/scripts/lib/node.sh"

if ! node "$ROOT/scripts/lib/page-built.ts" "$ROOT"; then
  echo "Building the page ..." >&2
  # Aside first: a server that starts meanwhile must find the page before or after, whole.
  page="$ROOT/apps/frontend/dist"
  (cd "$ROOT" && npm run --silent build -w @oncall-agent/frontend -- --logLevel warn --outDir dist.next --emptyOutDir >&2)
  rm -rf "$page.old"
  [ ! -e "$page" ] || mv "$page" "$page.old"
  mv "$page.next" "$page"
  rm -rf "$page.old"
  node "$ROOT/scripts/lib/page-built.ts" "$ROOT" mark
fi
