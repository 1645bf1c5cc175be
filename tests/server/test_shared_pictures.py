"""Pictures of positions to share: drawn once, in the reader's language, and named by the pages that messengers read."""

from __future__ import annotations

import re
import sys
from io import BytesIO

import pytest
from people import Person, refused
from PIL import Image
from real_server import ThreadServer

import tilewright as tw
from tilewright.view.picture.compose import draw_svg
from tilewright.view.picture.png import to_png


@pytest.fixture
def played(me: Person) -> str:
    """A game that is over."""
    table = me.open("me", "friend", names=("Ada", "Bob"), game="azul-mini")
    me.play_out(table)
    return table


def meta(page: str) -> dict[str, str]:
    """What a page says about itself to messengers."""
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', page))


def test_letters_are_drawn_whatever_fonts_the_machine_has():
    position = tw.Azul().start(seed=1)
    one, other = (to_png(draw_svg(position, names), 600) for names in (["Ada", "Bob"], ["Éva", "Ян"]))
    assert one != other


def test_a_position_as_png(server: ThreadServer, me: Person, stranger: Person, played: str):
    answer = me.get(f"/api/reviews/{played}/picture/5.png")
    assert answer.headers["content-type"] == "image/png"
    with Image.open(BytesIO(answer.content)) as image:
        assert image.width == 1200
    kept = dict(server.app.state.pictures._kept)
    assert stranger.get(f"/api/reviews/{played}/picture/5.png").content == answer.content
    assert server.app.state.pictures._kept == kept, "it is drawn once"
    french = me.get(f"/api/reviews/{played}/picture/5.png", params={"language": "fr"})
    assert french.content != answer.content
    refused(me.get(f"/api/reviews/{played}/picture/5.gif"), 422, "svg")


@pytest.mark.parametrize("path", ["/review/{}", "/t/{}/replay"])
def test_a_shared_link_shows_the_moment_it_names(me: Person, stranger: Person, played: str, path: str):
    page = stranger.get(path.format(played), params={"at": 7, "language": "it"})
    told = meta(page.text)
    assert told["og:image"] == f"{stranger.url}/api/reviews/{played}/picture/7.png?language=it"
    assert stranger.get(told["og:image"].removeprefix(stranger.url)).content.startswith(b"\x89PNG")
    assert re.search("Ada|Bob", told["og:description"])
    last = meta(stranger.get(path.format(played)).text)["og:image"]
    assert stranger.get(last.removeprefix(stranger.url)).status_code == 200
    events = len(tw.read_record(me.get(f"/api/tables/{played}/record").text).events)
    mangled = {"9999": events, "9" * 40: events, "abc": events, "": events, "-3": 0, "7).": 7}
    for at, nearest in mangled.items():
        found = meta(stranger.get(path.format(played), params={"at": at, "language": "it"}).text)
        assert found["og:image"].endswith(f"/picture/{nearest}.png?language=it")


def test_only_the_preview_for_messengers_repeats_the_address_that_somebody_claims(me: Person, played: str):
    claimed = {"Host": "evil.example", "X-Forwarded-Host": "forwarded.example"}
    for path in (f"/review/{played}", f"/t/{played}/replay"):
        page = me.get(path, headers=claimed)
        told = [content for content in meta(page.text).values() if "evil.example" in content]
        assert len(told) == page.text.count("evil.example") == 2
        assert "forwarded" not in page.text
        assert page.headers["cache-control"] == "private", "nobody else gets this page"
    for path in ("/", f"/t/{played}", f"/api/reviews/{played}/told", "/nothing"):
        answer = me.get(path, headers=claimed)
        assert "evil" not in answer.text + str(answer.headers)


def test_a_game_that_goes_on_has_no_picture(me: Person):
    table = me.open("me", "friend")
    assert meta(me.get(f"/t/{table}/replay").text) == {}
    refused(me.get(f"/api/reviews/{table}/picture/0.png"), 403, "not over")


def test_without_the_package_there_is_svg(me: Person, played: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    refused(me.get(f"/api/reviews/{played}/picture/5.png"), 404, "no such picture")
    page = me.get(f"/review/{played}").text
    assert f"/api/reviews/{played}/picture/0.svg" in page
    assert "og:image" not in meta(page)
    with pytest.raises(ModuleNotFoundError, match=r"tilewright\[pictures\]"):
        to_png("<svg/>")
