#!/bin/sh
# Installs when needed and serves on this machine only. Every argument goes to `oncall serve`.
set -eu
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
sh "$ROOT/scripts/setup.sh"

address="http://${KB_SERVER__HOST:-127.0.0.1}:${KB_SERVER__PORT:-8000}"
cat >&2 <<TEXT
Starting OncallAgent on $address  (Ctrl-C stops it)
  is it ready      curl $address/ready
  what it offers   $address/openapi.json
  index a folder   "$ROOT/bin/oncall" index ./runbooks
  ask              "$ROOT/bin/oncall" retrieve "E_CONN_RESET 怎么恢复"
TEXT
exec "$ROOT/bin/oncall" serve "$@"
