#!/bin/sh
# Installs when needed and serves on this machine only. Every argument goes to `oncall serve`.
set -eu
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
sh "$ROOT/scripts/setup.sh"
exec "$ROOT/bin/oncall" serve "$@"
