#!/bin/sh
# Holds retrieval to its quality, after the tests: floors on small judged sets with the bundled models, and the lexical
# branch equal to the oracle's figures. Minutes on two cores the first time; embeddings are kept in ~/.cache/oncall-agent.
set -eu
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$ROOT/scripts/lib/node.sh"
cd "$ROOT"
exec node --disable-warning=ExperimentalWarning evaluation/src/check-quality.ts
