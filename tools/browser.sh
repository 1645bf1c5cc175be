#!/usr/bin/env sh
# The browser that the tests of the pages drive: any Chromium that is there, or one that is installed now.
set -eu
for name in "${TILEWRIGHT_CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    [ -n "$name" ] && command -v "$name" >/dev/null 2>&1 && exit 0
done
echo "Installing Chromium for the tests of the pages ..."
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    { apt-get update && apt-get install --yes --no-install-recommends chromium fonts-dejavu-core; } >/dev/null 2>&1 && exit 0
fi
"$1" -m playwright install --with-deps chromium || "$1" -m playwright install chromium || {
    echo "No Chromium could be installed. Install one, or name yours in TILEWRIGHT_CHROMIUM." >&2
    exit 1
}
