#!/bin/sh
# install-packages.sh --allowed                 exits 0 where packages may be installed: apt-get is there, this is root or sudo
#                                               needs no password, and NO_INSTALL=1 does not forbid it
# install-packages.sh --update                  fetches apt-get's package lists
# install-packages.sh PACKAGE... [-- NAME...]   installs packages with apt-get, and names after `--` with npm into /usr/local
# Prints what it installs before it does.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" >/dev/null
}

case "${NO_INSTALL:-0}" in 0) ;; *) exit 1 ;; esac
command -v apt-get >/dev/null 2>&1 || exit 1
[ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null || exit 1

case "$1" in
  --allowed) exit 0 ;;
  --update)
    echo 'fetching the package lists with apt-get (NO_INSTALL=1 forbids it) ...' >&2
    apt_get update
    exit
    ;;
esac

packages=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  packages="$packages $1"
  shift
done
[ $# -gt 0 ] && shift

install_packages() {
  # shellcheck disable=SC2086
  apt_get install --yes --no-install-recommends $packages
}

if [ -n "$packages" ]; then
  echo "installing with apt-get:$packages (NO_INSTALL=1 forbids it) ..." >&2
  # the first attempt fails where the package lists are missing or out of date
  install_packages 2>/dev/null || { apt_get update && install_packages; } || exit 1
fi
if [ $# -gt 0 ]; then
  echo "installing with npm into /usr/local: $* (NO_INSTALL=1 forbids it) ..." >&2
  as_root npm install --global --prefix /usr/local --ignore-scripts --loglevel=error --no-fund --no-audit --no-progress "$@" >/dev/null
fi
