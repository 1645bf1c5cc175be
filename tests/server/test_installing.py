"""The application that can be installed: manifest, icons, service worker, and files that browsers keep for good."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from people import Person

from tilewright.server import installing, static_files
from tilewright.server.static_files import STATIC, static_digest, static_names, static_url
from tilewright.view.language import LANGUAGES, say
from tilewright.view.picture.icon import draw_icon

pytestmark = pytest.mark.usefixtures("unhurt")


def build(me: Person) -> dict[str, Any]:
    """What the service worker knows about this version."""
    found = re.match(r"const BUILD = (.*);\n", me.get("/service-worker.js").text)
    assert found
    told: dict[str, Any] = json.loads(found[1])
    return told


def png_size(content: bytes) -> tuple[int, int]:
    assert content.startswith(b"\x89PNG")
    return int.from_bytes(content[16:20]), int.from_bytes(content[20:24])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manifest_speaks_the_language_of_the_page(me: Person, language: str):
    page = me.get("/", params={"language": language}).text
    address = re.search('<link rel="manifest" href="([^"]+)">', page)
    assert address
    answer = me.get(address[1])
    assert answer.headers["content-type"] == "application/manifest+json"
    told = answer.json()
    assert told["lang"] == language
    assert say(language, "page.tagline") in told["name"]
    assert told["shortcuts"][0]["name"] == say(language, "daily.title")
    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    for shortcut in told["shortcuts"]:
        assert me.get(shortcut["url"]).status_code == 200


def test_icons_are_drawn_whole_and_to_be_cut(me: Person):
    icons = me.get("/manifest.webmanifest").json()["icons"]
    assert {one["purpose"] for one in icons} == {"any", "maskable"}
    for one in icons:
        answer = me.get(one["src"])
        assert answer.headers["content-type"] == one["type"]
        if one["type"] == "image/png":
            assert png_size(answer.content) == tuple(map(int, one["sizes"].split("x")))
    assert me.get("/icon/any-7.png").status_code == 404
    assert me.get("/icon/round.svg").status_code == 404


def test_without_the_png_packages_there_are_svg_icons(me: Person, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(installing, "can_draw_png", lambda: False)
    assert {one["type"] for one in me.get("/manifest.webmanifest").json()["icons"]} == {"image/svg+xml"}
    assert me.get("/icon/any-192.png").status_code == 404


def test_a_maskable_icon_fills_its_square_and_keeps_the_tile_in_the_safe_circle():
    whole, cut = draw_icon(), draw_icon(maskable=True)
    assert '<rect width="64" height="64"' in cut
    assert '<rect width="64" height="64"' not in whole
    scale = float(re.search(r"scale\(([\d.]+)\)", cut)[1])  # type: ignore[index]
    corner = ((31 - 9) * 2**0.5 + 9) * scale  # of the tile's rounded corner from the middle
    assert corner <= 0.4 * 64


def test_files_at_the_address_of_their_content_are_kept_for_good(me: Person):
    page = me.get("/").text
    addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    assert addresses
    for address in addresses:
        answer = me.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
    plain, other = (me.get(f"/static/{at}palette.css") for at in ("", "0123456789ab/"))
    assert plain.headers["cache-control"] == other.headers["cache-control"] == "no-cache"
    assert plain.content == other.content == me.get(static_url("palette.css")).content
    for outside in ("/static/", f"/static/{static_digest()}", f"/static/{static_digest()}/%2e%2e/app.py"):
        assert me.get(outside).status_code == 404
    with pytest.raises(FileNotFoundError, match=r"tabel\.js"):
        static_url("tabel.js")


def test_another_content_has_another_address(monkeypatch: pytest.MonkeyPatch):
    before = static_digest()
    static_digest.cache_clear()
    monkeypatch.setitem(static_files.DRAWN, "palette.css", lambda: "body{}")
    assert static_digest() != before
    static_digest.cache_clear()


def test_scripts_and_styles_name_only_files_beside_them():
    """A page would mix versions if a file were named in another way than by its place."""
    for name in static_names():
        if name.endswith((".js", ".css")) and name not in static_files.DRAWN:
            text = (STATIC / name).read_text(encoding="utf-8")
            named = re.findall(r'^import .*"(.+)";$', text, re.MULTILINE) + re.findall(r'url\("(.+?)"\)', text)
            assert {one.removeprefix("./") for one in named} <= set(static_names()), name


def test_the_service_worker_keeps_files_and_pages_that_belong_to_nobody(me: Person):
    answer, told = me.get("/service-worker.js"), build(me)
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert told["languages"] == list(LANGUAGES)
    assert static_url("table.js") in told["files"]
    assert all(path.startswith(f"/static/{static_digest()}/") for path in told["files"])
    me.open("me", "friend", names=("Zanzibar", "Bob", "", ""))
    assert "Zanzibar" in me.get("/").text
    for path in ("/shell", "/offline"):
        for language in LANGUAGES:
            page = me.get(path, params={"language": language})
            assert page.status_code == 200
            assert "set-cookie" not in page.headers
            assert "Zanzibar" not in page.text
            assert f'<html lang="{language}" data-theme="auto" data-tiles="glazed">' in page.text, (
                "the service worker replaces these"
            )
    assert say("fr", "page.offline_title") in me.get("/offline?language=fr").text


def test_the_worker_of_another_version_differs(me: Person, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    before = build(me)["version"]
    (tmp_path / "offline.html").write_text("changed")
    monkeypatch.setattr(installing, "TEMPLATES", tmp_path)
    installing._worker.cache_clear()
    assert build(me)["version"] != before
    installing._worker.cache_clear()


def test_a_script_for_notifications_is_added_if_there_is_one(me: Person, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(installing, "ADDITIONS", ("plain.js", "missing.js"))
    installing._worker.cache_clear()
    told = build(me)
    assert told["additions"] == [static_url("plain.js")]
    assert static_url("plain.js") not in told["files"]
    installing._worker.cache_clear()
