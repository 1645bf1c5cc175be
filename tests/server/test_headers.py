"""What browsers obey: the headers and cookies of pages and answers."""

from __future__ import annotations

import re
import socket

import httpx
import pytest
from people import DIRECT, PATIENCE, Person, table_request
from real_server import ThreadServer

pytestmark = pytest.mark.usefixtures("unhurt")

PAGES = ["/", "/api", "/learn", "/t/{table}", "/t/{table}/replay", "/nothing"]


@pytest.mark.parametrize("path", [*PAGES, "/api/games", "/static/table.js", "/picture/azul.svg"])
def test_every_answer_carries_the_security_headers(me: Person, path: str):
    table = me.open("me", "friend")
    answer = me.get(path.format(table=table))
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["script-src"] == "'self'"
    assert policy["object-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"


UPGRADE = "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ("rubbish\r\n\r\n", 400),
        (f"{UPGRADE}\r\n", 400),
        (f"{UPGRADE}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", 403),
    ],
)
def test_what_is_no_request_gets_no_page_and_hears_of_no_library(server: ThreadServer, sent: str, status: int):
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line, line.makefile("rb") as answer:
        line.sendall(sent.encode())
        head, _, body = answer.read().decode().partition("\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ")
    assert "content-type: text/plain" in head.lower()
    assert "\nserver:" not in head.lower()
    assert len(body) < 100


@pytest.mark.parametrize("path", PAGES)
def test_pages_have_no_inline_script_or_style(me: Person, path: str):
    page = me.get(path.format(table=me.open("me", "friend"))).text
    for attributes, body in re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL):
        assert 'type="application/json"' in attributes or ("src=" in attributes and not body.strip())
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(me: Person):
    me.key = None
    page = me.get("/")
    cookie = page.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/" in cookie
    value = page.cookies["tilewright_key"]
    assert len(value) >= 24
    assert value not in page.text
    made = httpx.post(f"{me.url}/api/tables", json=table_request(), **DIRECT)
    assert "httponly" in made.headers["set-cookie"].lower()
    assert made.json()["key"] == made.cookies["tilewright_key"]
    again = httpx.post(f"{me.url}/api/tables", json=table_request(), cookies=dict(made.cookies), **DIRECT)
    assert again.json()["key"] is None, "a key is told once"
    assert "set-cookie" not in again.headers


def test_the_cookie_lasts_a_year_from_the_last_visit(me: Person):
    with httpx.Client(base_url=me.url, **DIRECT) as browser:
        first = browser.get("/")
        key = first.cookies["tilewright_key"]
        again = browser.get("/learn")
        assert again.cookies["tilewright_key"] == key
        assert "max-age=31536000" in again.headers["set-cookie"].lower()
    assert "set-cookie" not in me.get("/").headers or me.key is None, "a program needs no cookie"


@pytest.mark.parametrize("path", ["/", "/learn", "/t/{table}", "/api/games", "/static/table.js", "/picture/azul.svg"])
def test_headers_can_be_asked_for_alone(me: Person, path: str):
    path = path.format(table=me.open("me", "friend"))
    head, whole = me.http.head(path), me.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert me.http.head("/nothing").status_code == 404


def test_what_browsers_and_search_engines_ask_for_by_themselves(me: Person):
    icon, robots, missing = me.get("/favicon.ico"), me.get("/robots.txt"), me.get("/nothing")
    assert (icon.status_code, icon.headers["content-type"]) == (200, "image/svg+xml")
    assert "<svg" in icon.text
    assert robots.headers["content-type"].startswith("text/plain")
    assert "Disallow: /t/" in robots.text
    assert "Allow: /" in robots.text
    for answer in (icon, robots, missing):
        assert "set-cookie" not in answer.headers


def test_the_address_that_somebody_claims_is_not_repeated(me: Person):
    headers = {**me.headers, "Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
    made = httpx.post(f"{me.url}/api/tables", json=table_request(), headers=headers, **DIRECT)
    assert made.status_code == 201
    assert "evil" not in made.text + str(made.headers)
    assert "secure" not in made.headers.get("set-cookie", "").lower()


def test_pictures_differ_by_language_and_theme_and_say_so(me: Person):
    answers = [me.get("/picture/azul.svg", params={"language": "fr", "theme": theme}) for theme in ("light", "dark")]
    assert answers[0].text != answers[1].text
    for answer in answers:
        assert {"Cookie", "Accept-Language"} <= set(re.split(", ?", answer.headers["vary"]))
        assert answer.headers["cache-control"] == "private, max-age=3600"
    assert me.get("/picture/azul.svg?theme=pink").status_code == 404
