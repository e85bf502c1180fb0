#!/bin/sh
# The dashboard is tested in a real browser: Debian's package. Found, else installed where that is allowed, else said.
for name in chromium chromium-browser google-chrome; do
  command -v "$name" >/dev/null 2>&1 && exit 0
done
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
  echo 'installing chromium (Debian package) ...' >&2
  { apt-get update && apt-get install --yes --no-install-recommends chromium; } >/dev/null && exit 0
fi
echo 'chromium is not installed: the tests of the dashboard need it (Debian: sudo apt-get install chromium).' >&2
exit 1
