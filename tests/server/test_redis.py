"""Redis between the processes: messages to viewers anywhere, and bots that think in workers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
import redis as redis_client
from people import Person, begin, people_at
from real_server import PATIENCE, ThreadServer, free_port, wait_until
from services import PostgresServer, RedisServer

from tilewright.bots.registry import OFFERED
from tilewright.cli.main import main
from tilewright.game.errors import TilewrightError
from tilewright.server import app, redis_channel
from tilewright.server.bot_pool import QUICK
from tilewright.server.bot_queue import STREAM
from tilewright.server.job_queue import ALIVE, GROUP
from tilewright.server.redis_channel import RedisChannel
from tilewright.server.settings import Settings

MakeServer = Callable[[], ThreadServer]


@pytest.fixture
def make_server(postgres: PostgresServer, own_redis: RedisServer) -> Iterator[MakeServer]:
    """Makes servers on one database and one Redis."""
    url, settings = postgres.new_database(), Settings(thinking=0.0, limits=0, redis=own_redis.url)
    with ExitStack() as running:
        yield lambda: running.enter_context(ThreadServer(app.make_app(url, settings)))


@pytest.fixture
def people(make_server: MakeServer) -> Iterator[tuple[Person, Person]]:
    """Somebody at each of two servers."""
    with people_at(make_server().url) as here, people_at(make_server().url) as there:
        yield here(), there()


def test_what_happens_reaches_viewers_at_every_process(people: tuple[Person, Person]):
    me, friend = people
    table = me.open("me", "invite", game="azul-mini")
    friend.join(table)
    with me.watch(table) as mine, friend.watch(table) as theirs:
        begin(theirs)
        while not mine.hear("presence")["seats"][1]["present"]:
            pass
        for person in people:
            event = person.play_first(table)
            assert [line.hear("event", event=event)["line"] for line in (mine, theirs)]
        theirs.send("takeback")
        mine.hear("ask")


def test_servers_with_and_without_redis_on_one_database_are_warned_once(
    postgres: PostgresServer, own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(app, "REPEAT", 0.05)
    url = postgres.new_database()

    def server(redis: str | None) -> ThreadServer:
        return ThreadServer(app.make_app(url, Settings(limits=0, redis=redis)))

    def warned() -> set[str]:
        return {record.getMessage().partition(":")[0] for record in caplog.records}

    with server(None), server(None):
        time.sleep(0.5)
        assert warned() == set(), "PostgreSQL carries their messages"
    with server(own_redis.url), server(own_redis.url):
        time.sleep(0.5)
        assert warned() == set()
        with server(None):
            wait_until(lambda: len(warned()) == 2, "both kinds should warn")
            time.sleep(0.5)
    assert warned() == {
        "this server runs with --redis, and another one on the same database without it",
        "this server runs without --redis, and another one on the same database with it",
    }
    assert len(caplog.records) == 3, "every server says it once"


def test_games_go_on_while_redis_is_gone_and_the_channel_comes_back(
    people: tuple[Person, Person], own_redis: RedisServer
):
    me, friend = people
    table = me.open("me", "friend", game="azul")
    friend.key = me.key
    own_redis.kill()
    for person in (*people, *people):
        person.play_first(table)
    assert me.read(table)["events"] == friend.read(table)["events"]
    own_redis.start()
    with friend.watch(table) as theirs:
        begin(theirs)
        played = [me.play_first(table)]

        def heard() -> bool:
            theirs.settle()
            told = [message["event"] for message in theirs.heard if message["type"] == "event"]
            if played[-1] not in told:
                played.append(me.play_first(table))
            return played[-1] in told

        wait_until(heard, "the viewer at the other process should be told")


@contextmanager
def a_worker(redis: RedisServer, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """``tilewright worker`` as a process of its own."""
    command = [sys.executable, "-m", "tilewright.cli.main", "worker", "--redis", redis.url, "--threads", "1"]
    with (tmp_path / f"worker-{len(list(tmp_path.iterdir()))}.log").open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
            process.terminate()
            process.wait(PATIENCE)


DEEP = next(bot for bot in OFFERED if bot not in QUICK)
"""A bot that takes long enough to think in a worker."""


def bot_game(person: Person, bot: str = DEEP) -> str:
    seats = [{"kind": "me"}, {"kind": "bot", "bot": bot}]
    answer = person.post("/api/tables", {"game": "azul", "seats": seats}).json()
    person.key = answer["key"] or person.key
    return str(answer["id"])


@pytest.fixture
def client(own_redis: RedisServer) -> Iterator[redis_client.Redis]:
    found = redis_client.Redis.from_url(own_redis.url, decode_responses=True)
    yield found
    found.close()


def wait_for_a_worker(client: redis_client.Redis) -> None:
    """It may have to compile the games first."""
    wait_until(lambda: client.exists(ALIVE, STREAM) == 2, "the worker should come", patience=10 * PATIENCE)


def answers_in(client: redis_client.Redis) -> set[str]:
    return set(client.scan_iter(f"{STREAM}:answer:*"))


def play_with_bot(me: Person, table: str, moves: int) -> None:
    for _ in range(moves):
        event = me.play_first(table)
        while (now := me.read(table, after=event, wait=20))["turn"] != 1 and now["over"] is None:
            event = now["event"]
        if now["over"] is not None:
            return


def test_a_bot_thinks_in_a_worker(
    people: tuple[Person, Person], own_redis: RedisServer, client: redis_client.Redis, tmp_path: Path
):
    me = people[0]
    with a_worker(own_redis, tmp_path) as worker:
        wait_for_a_worker(client)
        table = bot_game(me)
        play_with_bot(me, table, 2)
        assert len(answers_in(client)) >= 2
        assert client.xlen(STREAM) == 0, "what is done is forgotten"
        worker.terminate()
        assert worker.wait(PATIENCE) == 0
    client.delete(ALIVE)
    before = answers_in(client)
    play_with_bot(me, table, 1)
    assert answers_in(client) <= before, "without workers the server thinks itself"


def test_a_position_is_asked_about_once(
    people: tuple[Person, Person], own_redis: RedisServer, client: redis_client.Redis, tmp_path: Path
):
    """Both servers have a viewer at the table, so both want the bot's move."""
    me, friend = people
    with a_worker(own_redis, tmp_path):
        wait_for_a_worker(client)
        table = bot_game(me)
        with me.watch(table) as mine, friend.watch(table) as theirs:
            begin(mine)
            begin(theirs)
            event = me.play_first(table)
            told = [line.hear("event", seat=2) for line in (mine, theirs)]
        assert told[0]["line"] == told[1]["line"]
        assert told[0]["event"] > event
        answers = [client.xlen(key) for key in client.scan_iter(f"{STREAM}:answer:{table}:1:*")]
        assert answers == [1]


def test_a_worker_ends_when_it_is_told_to_as_soon_as_it_has_begun(
    own_redis: RedisServer, client: redis_client.Redis, tmp_path: Path
):
    with a_worker(own_redis, tmp_path) as worker:
        wait_until(lambda: client.exists(ALIVE) == 1, "the worker should come")
        worker.terminate()
        assert worker.wait(PATIENCE) == 0


def test_if_a_worker_dies_another_one_does_its_job(
    people: tuple[Person, Person],
    own_redis: RedisServer,
    client: redis_client.Redis,
    tmp_path: Path,
):
    me = people[0]
    table = bot_game(me)
    with a_worker(own_redis, tmp_path) as first:
        wait_for_a_worker(client)
        os.kill(first.pid, signal.SIGSTOP)  # it takes the job and does not do it
        client.set(ALIVE, 1)
        event = me.play_first(table)
        wait_until(lambda: client.xlen(STREAM) == 1, "the job should be in the queue")
        os.kill(first.pid, signal.SIGCONT)
        wait_until(lambda: client.xpending(STREAM, GROUP)["pending"] == 1, "the worker should take the job")
        first.kill()
        first.wait(PATIENCE)
        with a_worker(own_redis, tmp_path):
            while (now := me.read(table, after=event, wait=20))["turn"] != 1:
                event = now["event"]
    assert client.xlen(STREAM) == 0


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("127.0.0.1:9", "must specify one of the following schemes"),
        ("", "must specify one of the following schemes"),
        ("redis://host:port/0", "'port'"),
        ("redis://127.0.0.1/notadb", "the database 'notadb' is not a number"),
        ("rediss://127.0.0.1/-1", "the database '-1' is not a number"),
    ],
)
def test_what_is_no_url_of_redis_is_answered_with_one(
    url: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    for command in (["serve", "--database", str(tmp_path / "club.db")], ["worker"]):
        assert main([*command, "--redis", url]) == 1
        error = capsys.readouterr().err
        assert "tilewright: --redis must be a URL such as redis://host:6379/0: " in error
        assert told in error


def test_a_redis_that_is_not_there_is_said_in_a_line(capsys: pytest.CaptureFixture[str]):
    port = free_port()
    assert main(["worker", "--redis", f"redis://:secret@127.0.0.1:{port}/0"]) == 1
    told = f"tilewright: the Redis server at 127.0.0.1:{port} cannot be used: Connection refused\n"
    assert capsys.readouterr().err == told
    assert main(["worker", "--redis", "unix:///nowhere/redis"]) == 1
    assert "at /nowhere/redis cannot be used: No such file or directory" in capsys.readouterr().err


def test_a_redis_that_does_not_answer_is_named(
    own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(redis_channel, "TIMEOUT", 0.5)
    told = f"the Redis server at 127.0.0.1:{own_redis.port} cannot be used: it does not answer"
    with own_redis.frozen():
        with pytest.raises(TilewrightError, match=told):
            RedisChannel(own_redis.url).greet(required=True)
        RedisChannel(own_redis.url).greet(required=False)
        assert f"begins without Redis: {told}" in caplog.text
        with closing(RedisChannel(own_redis.url)) as channel:
            channel.listen(lambda messages: None, lambda: None)
            wait_until(lambda: f"reopening it: {told}" in caplog.text, "the channel should say whom it waits for")


def test_another_program_at_the_port_of_redis_is_not_waited_for():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        def introduce_itself() -> None:
            line, _ = other.accept()
            with line:
                line.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
                line.recv(1000)

        threading.Thread(target=introduce_itself, daemon=True).start()
        told = f"the Redis server at 127.0.0.1:{port} cannot be used: what answers there is another program"
        with pytest.raises(TilewrightError, match=told):
            RedisChannel(f"redis://127.0.0.1:{port}/0").greet(required=False)


def test_a_server_begins_while_redis_is_away_and_finds_it_when_it_is_back(
    own_redis: RedisServer, postgres: PostgresServer, caplog: pytest.LogCaptureFixture
):
    """If machines are started again all together, the servers may be there first."""
    own_redis.kill()
    RedisChannel(own_redis.url).greet(required=False)
    assert "begins without Redis: " in caplog.text
    settings = Settings(thinking=0.0, limits=0, redis=own_redis.url)
    with ThreadServer(app.make_app(postgres.new_database(), settings)) as server, people_at(server.url) as make:
        me = make()
        table = me.open("me", "friend")
        me.play_first(table)
        own_redis.start()
        wait_until(lambda: me.get("/readyz").json()["redis"] == "ok", "Redis should be found")
        assert me.read(table)["event"] == 2


def test_a_redis_that_refuses_us_is_said_in_a_line(own_redis: RedisServer, client: redis_client.Redis):
    client.config_set("requirepass", "secret")
    with pytest.raises(TilewrightError, match="cannot be used: Authentication required"):
        RedisChannel(own_redis.url).greet(required=False)


def test_a_worker_without_redis_does_not_fill_its_log(
    own_redis: RedisServer, client: redis_client.Redis, tmp_path: Path
):
    with a_worker(own_redis, tmp_path):
        wait_for_a_worker(client)
        own_redis.kill()
        (log,) = tmp_path.glob("worker-*.log")
        wait_until(lambda: "Redis failed" in log.read_text(), "the worker should notice")
        time.sleep(3)  # it tries again every second
    assert log.read_text().count("Redis failed") <= 2, "bots and reviews say so once each"
