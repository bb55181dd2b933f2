# Puts the pinned major version of Node on PATH; sourced by every script and by bin/oncall.
# A system Node of that major is used as it is; otherwise npm's own `node` package brings one into .node/.
# Usage: ROOT=<repository> . "$ROOT/scripts/lib/node.sh"   (any npm and any Node are enough to start)

# Empty, every path below would begin at the root of the disk.
: "${ROOT:?must be the folder of the repository}"

oncall_node_version=$(cat "$ROOT/.node-version")
oncall_node_major=${oncall_node_version%%.*}

oncall_node_is_right() {
  command -v "$1" >/dev/null 2>&1 && [ "$("$1" -p 'process.versions.node.split(".")[0]' 2>/dev/null)" = "$oncall_node_major" ]
}

if ! oncall_node_is_right node; then
  oncall_node_dir="$ROOT/.node/node_modules/node/bin"
  if ! oncall_node_is_right "$oncall_node_dir/node"; then
    if [ "${ONCALL_NODE_FETCH:-yes}" = no ]; then
      echo "Node $oncall_node_major is not installed yet. Run scripts/setup.sh first." >&2
      exit 1
    fi
    command -v npm >/dev/null 2>&1 || {
      echo "Node $oncall_node_major or any npm is needed, and neither was found. Install Node.js from your system's packages, then run this again." >&2
      exit 1
    }
    echo "Fetching Node $oncall_node_version through npm (once, into .node/) ..." >&2
    mkdir -p "$ROOT/.node"
    # A package.json of its own keeps npm from walking up into the workspace; the `node` package
    # needs its install script, because that is what picks the binary for this processor.
    echo '{"private":true,"allowScripts":{"node":true}}' >"$ROOT/.node/package.json"
    npm install --prefix "$ROOT/.node" --no-save --no-audit --no-fund --loglevel=error \
      "node@$oncall_node_version" >&2 || {
      echo "npm could not install node@$oncall_node_version. Check the registry that npm uses (npm config get registry) and try again." >&2
      exit 1
    }
  fi
  PATH="$oncall_node_dir:$PATH"
  export PATH
fi
