"""What hosts see of a server: metrics, logs, probes and traces."""

from __future__ import annotations

import gzip
import json
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from people import begin, people_at
from prometheus_client.parser import text_string_to_metric_families
from real_server import ProcessServer, ThreadServer, free_port, wait_until
from services import PostgresServer, RedisServer, postgres_server, redis_server

from tilewright.cli.main import main
from tilewright.server import app
from tilewright.server.gate import PROBES
from tilewright.server.settings import Settings
from tilewright.server.telemetry import logs
from tilewright.server.telemetry.observing import path_for_log


def get(url: str, **headers: str) -> httpx.Response:
    return httpx.get(url, headers=headers, trust_env=False, timeout=60)


def samples(port: int) -> dict[tuple[str, ...], float]:
    """The value of every sample, by its name and the values of its labels."""
    text = get(f"http://127.0.0.1:{port}/metrics").text
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name, *sample.labels.values()] = sample.value
    return found


@pytest.fixture
def observed(tmp_path: Path) -> Iterator[tuple[ProcessServer, int]]:
    """A server that logs every request as JSON, and the port of its metrics."""
    port = free_port()
    options = ["--metrics", str(port), "--log-format", "json", "--log-requests"]
    with ProcessServer(tmp_path / "tables.db", options=options) as running:
        yield running, port


def test_metrics_count_moves_sockets_waits_and_searches_on_a_port_of_their_own(observed: tuple[ProcessServer, int]):
    server, port = observed
    with people_at(server.url) as person:
        me = person()
        table = me.open("me", "bot", game="azul-mini")
        with me.watch(table) as line:
            event = line.move(begin(line)["legal"][0], 1)["event"]
            line.hear("event", seat=2)
            now = samples(port)
        assert me.read(table)["event"] > event
    assert now["tilewright_moves_total", "person"] == 1
    assert now["tilewright_moves_total", "bot"] >= 1
    assert now["tilewright_move_seconds_count",] == 1
    assert now["tilewright_sockets",] == 1
    assert now["tilewright_tables",] == 1
    assert now["tilewright_bot_seconds_count", "random"] >= 1
    assert now["tilewright_database_seconds_count", "write"] >= 3
    assert now["tilewright_request_seconds_count", "tables", "2xx"] == 1
    assert get(f"{server.url}/metrics").status_code == 404
    assert get(f"http://127.0.0.1:{port}/").status_code == 404


def test_every_request_has_an_id_in_the_response_and_in_the_log(observed: tuple[ProcessServer, int]):
    server, _ = observed
    with people_at(server.url) as person:
        me = person()
        table = me.open("me", "friend")
        given = me.get(f"/api/tables/{table}", headers={"X-Request-ID": "from-the-proxy-1"})
    assert given.headers["x-request-id"] == "from-the-proxy-1"
    made = get(f"{server.url}/api/games", **{"X-Request-ID": "no spaces, please"}).headers["x-request-id"]
    assert len(made) == 16

    def lines() -> list[dict[str, object]]:
        text = server.log.read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    wait_until(lambda: any(line.get("request") == made for line in lines()), "the request should be logged")
    read = next(line for line in lines() if line.get("request") == "from-the-proxy-1")
    assert read["message"] == f"GET /api/tables/{table[:6]}… 200"
    assert (read["kind"], read["status"], read["level"]) == ("reads", 200, "info")
    assert table not in server.log.read_text(encoding="utf-8")


def test_nobody_writes_lines_of_their_own_into_the_log():
    assert path_for_log("/x\n2026 ERROR \x1b[31m\u2028") == "/x%0A2026 ERROR %1B[31m%E2%80%A8"
    assert path_for_log("/été/" + "0" * 20) == "/été/000000…"
    assert path_for_log("/\ud800") == "/%3F"


def test_errors_are_logged_with_their_request_in_both_formats():
    token = logs.REQUEST_ID.set("abcdefgh")
    try:
        try:
            raise ValueError("broken")
        except ValueError as error:
            record = logging.LogRecord("x", logging.ERROR, "f", 1, "it %s", ("failed",), (ValueError, error, None))
        told = json.loads(logs.JsonFormatter().format(record))
        assert (told["message"], told["request"], told["level"]) == ("it failed", "abcdefgh", "error")
        assert "ValueError: broken" in told["exception"]
        text = logs.TextFormatter().format(record)
        assert text.splitlines()[0].endswith("ERROR it failed [request abcdefgh]")
        assert "ValueError: broken" in text
    finally:
        logs.REQUEST_ID.reset(token)
    assert path_for_log("/t/0123456789abcdef0123/replay") == "/t/012345…/replay"


@pytest.fixture
def own_services() -> Iterator[tuple[PostgresServer, RedisServer]]:
    """Services that a test may kill."""
    with postgres_server() as database, redis_server() as redis:
        yield database, redis


def test_a_server_is_ready_while_its_database_answers(
    own_services: tuple[PostgresServer, RedisServer], monkeypatch: pytest.MonkeyPatch
):
    database, redis = own_services
    compiled = threading.Event()
    monkeypatch.setattr(app, "_warm_up", compiled.wait)
    settings = Settings(limits=0, redis=redis.url)
    with ThreadServer(app.make_app(database.new_database(), settings)) as server:

        def report() -> dict[str, object]:
            answer = get(f"{server.url}/readyz")
            found: dict[str, object] = answer.json()
            assert (answer.status_code == 200) is found["ready"]
            return found

        assert report() == {"ready": False, "database": "ok", "redis": "ok", "compiled": False, "draining": False}
        compiled.set()
        wait_until(lambda: bool(report()["ready"]), "it should be ready once it has compiled")
        redis.kill()
        wait_until(lambda: report()["redis"] == "lost", "the loss of Redis should be reported")
        assert report()["ready"], "games go on without Redis"
        database.kill()
        wait_until(lambda: not report()["ready"], "without a database nobody can play")
        assert get(f"{server.url}/healthz").text == "ok\n"
        database.start()
        wait_until(lambda: bool(report()["ready"]), "it should be ready again")


def test_a_server_that_is_about_to_end_fails_no_requests(tmp_path: Path):
    port = free_port()
    with ProcessServer(tmp_path / "tables.db", options=["--metrics", str(port), "--drain", "30"]) as server:
        server.tell_to_end()
        wait_until(lambda: bool(get(f"{server.url}/readyz").json()["draining"]), "it should say that it ends")
        counted = [labels for name, *labels in samples(port) if name == "tilewright_request_seconds_count"]
    assert {kind for kind, status in counted if status == "5xx"} == {PROBES}


@contextmanager
def collector() -> Iterator[tuple[str, Callable[[], list[Span]]]]:
    """The address of a collector of OTLP over HTTP, and the spans that it got."""
    spans: list[Span] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                spans.extend(span for scope in resource.scope_spans for span in scope.spans)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", lambda: list(spans)
        server.shutdown()


def test_traces_follow_a_move_from_the_request_to_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
    monkeypatch.setenv("NO_PROXY", "*")
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    with collector() as (address, spans):
        options = ["--traces", address]
        with ProcessServer(tmp_path / "tables.db", options=options) as server, people_at(server.url) as person:
            me = person()
            table = me.open("me", "friend")
            now = me.read(table)
            body = {"move": now["legal"][0]["number"], "after": now["event"]}
            me.post(f"/api/tables/{table}/moves", body, headers={"traceparent": parent})

            def ours() -> dict[str, Span]:
                return {span.name: span for span in spans() if span.trace_id.hex() == parent.split("-")[1]}

            wait_until(lambda: {"POST moves", "move", "write"} <= ours().keys(), "the spans should arrive")
            found = ours()
    assert found["POST moves"].parent_span_id.hex() == parent.split("-")[2]
    assert found["move"].parent_span_id == found["POST moves"].span_id


def test_a_port_that_is_taken_is_said_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as taken:
        port = taken.server_address[1]
        command = ["serve", "--port", str(free_port()), "--database", str(tmp_path / "a.db"), "--metrics", str(port)]
        assert main(command) == 1
    assert f"cannot listen on 127.0.0.1, port {port}" in capsys.readouterr().err
    assert main(["serve", "--metrics", "everywhere"]) == 2
    assert "must be a port, or an address and a port" in capsys.readouterr().err
