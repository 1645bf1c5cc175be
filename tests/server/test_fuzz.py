"""Whatever the OpenAPI description allows, and much that it does not, is answered and never fails inside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from people import PATIENCE, Person
from real_server import ThreadServer
from schemathesis.checks import not_a_server_error

from tilewright.server import app
from tilewright.server.settings import Settings

schema = schemathesis.openapi.from_dict(app.make_app("unused.db").openapi())


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ThreadServer, str, str]]:
    """A server with a table that is played at, whose id and key the fuzzer knows."""
    folder: Path = tmp_path_factory.mktemp("fuzz")
    with ThreadServer(app.make_app(folder / "tables.db", Settings(limits=0))) as server:
        person = Person(server.url)
        table = person.open("me", "friend")
        person.play_first(table)
        person.http.close()
        yield server, table, person.key or ""


@schema.parametrize()
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_request_makes_the_server_fail(case: schemathesis.Case, fuzzed: tuple[ThreadServer, str, str]):
    server, table, key = fuzzed
    if "table_id" in (case.path_parameters or {}) and len(str(case.path_parameters["table_id"])) == 20:
        case.path_parameters["table_id"] = table
    if case.query and "wait" in case.query:
        case.query["wait"] = 0
    answer = case.call(base_url=server.url, headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE)
    case.validate_response(answer, checks=[not_a_server_error])
    if answer.status_code >= 400:
        assert answer.headers["content-type"][0].startswith("application/json")
        assert answer.json()["error"]
        assert answer.json()["code"]
        assert answer.json()["said"]
