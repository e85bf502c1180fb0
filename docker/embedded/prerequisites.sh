#!/bin/sh
# Is everything here that `make run` needs? One sentence for each thing that is missing or too old, before any download.
failed=0
lack() {
  printf '%s\n' "$1" >&2
  failed=1
}

# at_least HAVE WANT: "20.19.1" is at least "20.19"
at_least() {
  awk -v have="$1" -v want="$2" 'BEGIN {
    split(have, h, "."); n = split(want, w, ".")
    for (i = 1; i <= n; i++) if (h[i] + 0 != w[i] + 0) exit !(h[i] + 0 > w[i] + 0)
    exit 0
  }'
}

# demand NAME HAVE WANT REMEDY
demand() {
  if [ -z "$2" ]; then
    lack "$1 is not installed: $3 or newer is needed ($4)."
  elif ! at_least "$2" "$3"; then
    lack "$1 $2 is too old: $3 or newer is needed ($4)."
  fi
}

node=$(node --version 2>/dev/null | sed 's/^v//')
java=$(java -version 2>&1 | sed -n 's/.*version "\([0-9][0-9.]*\).*/\1/p' | head -n 1)
maven=$(mvn --version 2>/dev/null | sed -n 's/.*Apache Maven \([0-9][0-9.]*\).*/\1/p' | head -n 1)

demand Node "$node" 20.19 'Debian: install nodejs 20 from nodesource.com; macOS: brew install node@20'
demand Java "$java" 17 'Debian: sudo apt-get install openjdk-17-jre-headless; macOS: brew install openjdk@17'
# without Java, Maven cannot even say its version: one remedy at a time
[ -z "$java" ] && command -v mvn >/dev/null 2>&1 ||
  demand Maven "$maven" 3.6 'Debian: sudo apt-get install maven; macOS: brew install maven'

command -v tar >/dev/null 2>&1 || lack 'tar is not installed (Debian: sudo apt-get install tar).'

# The ClickHouse engine is a compiled library; it exists for these machines.
case "$(uname -s) $(uname -m)" in
  'Linux x86_64' | 'Linux aarch64' | 'Linux arm64' | 'Darwin x86_64' | 'Darwin arm64') ;;
  *) lack "The ClickHouse engine does not run on $(uname -s) $(uname -m): use Linux or macOS on x86-64 or arm64, or docker compose -f docker/compose.yaml up." ;;
esac
if [ -r /proc/cpuinfo ] && [ "$(uname -m)" = x86_64 ] && ! grep -qw avx2 /proc/cpuinfo; then
  lack 'The ClickHouse engine needs a processor with AVX2, and this one has none: use docker compose -f docker/compose.yaml up.'
fi
if [ -e /etc/alpine-release ]; then
  lack 'The ClickHouse engine needs glibc, and this is Alpine: use Debian, or docker compose -f docker/compose.yaml up.'
fi
exit "$failed"
