#!/bin/sh
# The dashboard is tested in a real browser: Debian's package. Installs it where that is allowed, otherwise says how.
for name in chromium chromium-browser google-chrome; do
  command -v "$name" >/dev/null 2>&1 && exit 0
done
installer="$(dirname "$0")/../../docker/embedded/install-packages.sh"
sh "$installer" --allowed && sh "$installer" chromium && exit 0
echo 'chromium is not installed: the tests of the dashboard need it (Debian: sudo apt-get install chromium).' >&2
exit 1
