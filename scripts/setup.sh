#!/bin/sh
# Installs what the product and its tests need, and nothing else: Node, then the packages of the lock file.
# Quick when nothing changed: npm's own record of its last install is compared with the lock file.
set -eu
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$ROOT/scripts/lib/node.sh"

if ! node "$ROOT/scripts/lib/packages-installed.ts" "$ROOT"; then
  echo "Installing packages from package-lock.json ..." >&2
  (cd "$ROOT" && npm ci --no-audit --no-fund --loglevel=error >&2)
fi
