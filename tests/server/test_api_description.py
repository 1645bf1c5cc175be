"""The interface for programs: what is described."""

from __future__ import annotations

import re

import pytest
from people import Person

pytestmark = pytest.mark.usefixtures("unhurt")


def test_the_description_is_enough_to_write_a_program(me: Person):
    schema = me.get("/api/openapi.json").json()
    for path, methods in schema["paths"].items():
        for call in methods.values():
            assert call["summary"]
            assert call["description"]
            assert call["responses"]["429"], path
            for parameter in call.get("parameters", []):
                assert parameter.get("description") or parameter["name"] == "rules", (path, parameter["name"])
    for name in ("TableRequest", "JoinRequest", "MoveRequest"):
        assert schema["components"]["schemas"][name]["example"]
    for kind in ("state", "event", "presence", "ask", "return", "takeback", "answer"):
        assert f"`{kind}`" in schema["info"]["description"] or f'"{kind}"' in schema["info"]["description"]


def test_the_page_for_programs_shows_no_raw_markup(me: Person):
    page = me.get("/api").text
    shown = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert "`" not in shown
    assert "**" not in shown
    assert "<table>" in shown
    assert "POST</b> /api/tables/{table_id}/moves" in shown
