#!/usr/bin/env sh
# The browser that the tests of the pages drive: any Chromium that is there, or one that is installed now.
# sh tools/browser.sh PYTHON, where PYTHON has Playwright.
set -eu
works() { command -v "$1" >/dev/null 2>&1 && "$1" --version >/dev/null 2>&1; }

if [ -n "${TILEWRIGHT_CHROMIUM:-}" ]; then
    works "$TILEWRIGHT_CHROMIUM" && exit 0
    echo "TILEWRIGHT_CHROMIUM names '$TILEWRIGHT_CHROMIUM', which cannot be run here." >&2
    exit 1
fi
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    works "$name" && exit 0
done
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "Installing Chromium for the tests of the pages ..."
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    { apt-get update && DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends chromium fonts-dejavu-core; } >"$log" 2>&1 && works chromium && exit 0
    "$1" -m playwright install --with-deps chromium >>"$log" 2>&1 && exit 0
fi
"$1" -m playwright install chromium >>"$log" 2>&1 && exit 0
tail -n 20 "$log" >&2
cat >&2 <<END

No Chromium could be installed (above is what was tried last). The tests of the pages need one. Either
  - install it yourself (Debian, Ubuntu: apt install chromium; Fedora: dnf install chromium; macOS: brew install chromium),
  - or name the program of yours: make test TILEWRIGHT_CHROMIUM=/path/to/chrome
  - or leave these tests out: make lint, then .venv/bin/python -m pytest -n auto -m 'not browser'
END
exit 1
