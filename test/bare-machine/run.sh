#!/bin/sh
# make bare-machine [SUITE=trixie] [MIRROR=URL]: installs a minimal Debian into a temporary folder, with git, make and certificates
# only, clones this repository's last commit there and runs the README's commands as they are written. Passes when the sample is
# served and the dashboard loads; prints one line. Needs root, debootstrap and Linux; takes minutes and downloads some 2 GB.
#
# All of it runs in process and mount namespaces of its own: when it ends, however it ends, its processes and mounts end with it.
# The network is this machine's, with its proxies, package registries and certificate authorities.
set -eu
project=$(cd "$(dirname "$0")/../.." && pwd)
suite=${SUITE:-trixie}

[ "$(id -u)" = 0 ] || { echo 'make bare-machine needs root: debootstrap installs a system.' >&2; exit 1; }
for name in debootstrap unshare git; do
  command -v "$name" >/dev/null 2>&1 || { echo "make bare-machine needs $name (Debian: apt-get install $name)." >&2; exit 1; }
done

# the mirror that apt-get uses here
mirror=${MIRROR:-$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1)}
[ -n "$mirror" ] || { echo "apt-get here uses no Debian mirror: name one, make bare-machine MIRROR=URL" >&2; exit 1; }

trial=$(mktemp -d "${TMPDIR:-/tmp}/bare-machine-XXXXXX")
system=$trial/system
output=$trial/output
clean_up() {
  status=$?
  trap '' INT TERM
  [ -z "${running:-}" ] || { kill -KILL "$running" 2>/dev/null || true; wait "$running" 2>/dev/null || true; }
  [ "$status" = 0 ] || { [ ! -e "$output" ] || tail -n 60 "$output" >&2; }
  # nothing is mounted below this folder outside the namespace; a removal that would cross into another file system stops there
  rm -rf --one-file-system "$trial"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

echo "installing Debian ($suite) with git, make and certificates into $trial ..." >&2
# debootstrap mounts /proc too. In the background, because a shell handles signals only between commands and while it waits
unshare --mount --pid --fork --kill-child \
  debootstrap --variant=minbase --include=git,make,ca-certificates "$suite" "$system" "$mirror" >"$output" 2>&1 &
running=$!
wait "$running"
running=
# this is no machine that anyone keeps: dpkg need not wait for the disk
echo force-unsafe-io >"$system/etc/dpkg/dpkg.cfg.d/trial"

# pass DIRECTORY FILE...: copies this machine's settings, where there are any
pass() {
  into=$system$1
  shift
  for file in "$@"; do
    [ ! -f "$file" ] || { mkdir -p "$into" && cp -p "$file" "$into/"; }
  done
}
pass /etc /etc/npmrc /etc/pip.conf /etc/resolv.conf /etc/hosts
pass /etc/apt/apt.conf.d $(grep -lisE 'Acquire::' /etc/apt/apt.conf /etc/apt/apt.conf.d/* || true)
pass /usr/local/share/ca-certificates /usr/local/share/ca-certificates/*.crt
pass /root "$HOME/.npmrc"
pass /root/.m2 "$HOME/.m2/settings.xml"

git clone --quiet --no-hardlinks "$project" "$system/root/story"

# The commands of the README's section: the lines of its first block, without those that run the tests.
awk '/^## /{ within = ($0 == "## Two commands") } within && /^```/{ if (block++) exit; next } within && block' "$project/README.md" |
  grep -v '^make test' >"$system/root/commands"
[ -s "$system/root/commands" ] || { echo 'the README has no commands under "## Two commands"' >&2; exit 1; }

# Variables that configure how the network is reached.
network=$(env | grep -iE '^(https?_proxy|all_proxy|no_proxy|npm_config_registry|maven_opts|maven_args|node_extra_ca_certs)=' | sed "s/'/'\\\\''/; s/=\(.*\)/='\1'/" | tr '\n' ' ')
# within COMMAND: runs a command in the new system, with that and nothing else of this environment
within() {
  unshare --mount --pid --fork --kill-child --root="$system" --mount-proc \
    env -i sh -c "export HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin $network; $1"
}
within update-ca-certificates >>"$output" 2>&1

echo 'running the README:' >&2
sed 's/^/  /' "$system/root/commands" >&2
started=$(date +%s)
within 'exec sh /root/story/test/bare-machine/trial.sh' >>"$output" 2>&1 &
running=$!
if ! wait "$running"; then
  running=
  echo "Debian ($suite): the README's commands failed; the end of their output:" >&2
  exit 1
fi
running=
echo "Debian ($suite) with git, make and certificates only: $(cat "$system/root/served"), $(($(date +%s) - started)) s after the first command"
