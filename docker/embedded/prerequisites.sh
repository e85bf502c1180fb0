#!/bin/sh
# Checks that everything `make run` needs is there, before any download. What is missing or too old is installed where that is
# allowed (install-packages.sh); otherwise one sentence names each and one line installs them on this system.
here=$(dirname "$0")
java_wanted=17
maven_wanted=3.6
# where a distribution's Node is older than that: npm's packages of Node itself (the current LTS line) and of npm
node_line=24
npm_line=11

# at_least HAVE WANT: "20.19.1" is at least "20.19"
at_least() {
  awk -v have="$1" -v want="$2" 'BEGIN {
    split(have, h, "."); n = split(want, w, ".")
    for (i = 1; i <= n; i++) if (h[i] + 0 != w[i] + 0) exit !(h[i] + 0 > w[i] + 0)
    exit 0
  }'
}

# The oldest supported version of the line that Node VERSION is of: 20, 22 and 24 are tested (`make node-versions`).
node_wanted() {
  case "$1" in
    21.* | 22.*) echo 22.13 ;;
    23.*) echo 24 ;;
    *) echo 20.19 ;;
  esac
}

lack() {
  problems="$problems$1
"
}

# demand NAME HAVE WANT: 0 when it is there and new enough
demand() {
  if [ -z "$2" ]; then
    lack "$1 is not installed: $3 or newer is needed."
  elif ! at_least "$2" "$3"; then
    lack "$1 $2 is too old: $3 or newer is needed."
  else
    return 0
  fi
  return 1
}

# Sets `problems` (sentences) and `missing` (names).
look() {
  problems=
  missing=
  node=$(node --version 2>/dev/null | sed 's/^v//')
  java=$(java -version 2>&1 | sed -n 's/.*version "\([0-9][0-9.]*\).*/\1/p' | head -n 1)
  maven=$(mvn --version 2>/dev/null | sed -n 's/.*Apache Maven \([0-9][0-9.]*\).*/\1/p' | head -n 1)
  demand Node "$node" "$(node_wanted "$node")" || missing="$missing node"
  command -v npm >/dev/null 2>&1 || { lack 'npm is not installed.'; missing="$missing npm"; }
  demand Java "$java" "$java_wanted" || missing="$missing java"
  # without Java, Maven cannot print its version
  { [ -z "$java" ] && command -v mvn >/dev/null 2>&1; } || demand Maven "$maven" "$maven_wanted" || missing="$missing maven"
  for name in tar ps curl; do
    command -v "$name" >/dev/null 2>&1 || { lack "$name is not installed."; missing="$missing $name"; }
  done
}

# is_missing NAME
is_missing() {
  case " $missing " in *" $1 "*) ;; *) return 1 ;; esac
}

# candidate PACKAGE: the version that apt-get would install, empty when it knows none
candidate() {
  LC_ALL=C apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: *//p' | grep -v '(none)'
}

# Sets `packages` (Debian's) and `npm_packages` for what is missing.
choose_packages() {
  packages=
  npm_packages=
  if is_missing java; then
    default_java=$(candidate default-jre-headless | sed 's/^[0-9]*:1\.\([0-9]*\).*/\1/')
    if at_least "${default_java:-$java_wanted}" "$java_wanted"; then
      packages="$packages default-jre-headless"
    else
      packages="$packages openjdk-$java_wanted-jre-headless"
    fi
  fi
  is_missing maven && packages="$packages maven"
  is_missing tar && packages="$packages tar"
  is_missing ps && packages="$packages procps"
  is_missing curl && packages="$packages curl"
  if is_missing node || is_missing npm; then
    choose_node "$(candidate nodejs)"
  fi
}

choose_node() {
  if [ -z "$1" ] || at_least "$1" "$(node_wanted "$1")"; then
    is_missing node && packages="$packages nodejs"
    # Node from nodesource.com brings npm with it
    case "$1" in *nodesource*) ;; *) is_missing npm && packages="$packages npm" ;; esac
  else
    is_missing npm && packages="$packages nodejs npm"
    case "$(uname -m)" in x86_64) machine=x64 ;; *) machine=arm64 ;; esac
    is_missing node && npm_packages="node-linux-$machine@$node_line npm@$npm_line"
  fi
}

# The line that installs what is missing on this system.
line() {
  if command -v apt-get >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ]; then sudo=; else sudo='sudo '; fi
    printf '%sapt-get update' "$sudo"
    [ -z "$packages" ] || printf ' && %sapt-get install --no-install-recommends%s' "$sudo" "$packages"
    [ -z "$npm_packages" ] || printf ' && %snpm install --global --prefix /usr/local %s' "$sudo" "$npm_packages"
    echo
  elif [ "$(uname -s)" = Darwin ]; then
    echo "brew install node@$node_line openjdk@21 maven && brew link --force node@$node_line openjdk@21"
  elif command -v dnf >/dev/null 2>&1; then
    echo 'sudo dnf install nodejs npm java-21-openjdk-headless maven tar procps-ng curl'
  else
    echo "this system's packages of Node, npm, a Java runtime and Maven; Node also from nodejs.org"
  fi
}

# refuse SENTENCE: nothing that can be installed helps
refuse() {
  echo "$1 Use docker compose -f docker/compose.yaml up." >&2
  exit 1
}

# The ClickHouse engine is a compiled library; it exists for these machines.
case "$(uname -s) $(uname -m)" in
  'Linux x86_64' | 'Linux aarch64' | 'Linux arm64' | 'Darwin x86_64' | 'Darwin arm64') ;;
  *) refuse "The ClickHouse engine does not run on $(uname -s) $(uname -m), only on Linux or macOS on x86-64 or arm64." ;;
esac
if [ -r /proc/cpuinfo ] && [ "$(uname -m)" = x86_64 ] && ! grep -qw avx2 /proc/cpuinfo; then
  refuse 'The ClickHouse engine needs a processor with AVX2, and this one has none.'
fi
if [ -e /etc/alpine-release ]; then
  refuse 'The ClickHouse engine needs glibc, and this is Alpine.'
fi

look
[ -z "$missing" ] && exit 0

if sh "$here/install-packages.sh" --allowed; then
  # without package lists apt-cache knows no versions to choose by
  [ -n "$(candidate maven)" ] || sh "$here/install-packages.sh" --update || exit 1
  choose_packages
  # shellcheck disable=SC2086
  sh "$here/install-packages.sh" $packages -- $npm_packages && look
  [ -z "$missing" ] && exit 0
fi
choose_packages
printf '%s' "$problems" >&2
echo "Install them with: $(line)" >&2
exit 1
