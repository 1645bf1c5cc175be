"""The description of the interface for programs, at ``/api`` and in the OpenAPI format."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from markdown_it import MarkdownIt

INTRODUCTION = files("tilewright.server").joinpath("interface.md").read_text(encoding="utf-8")
"""What concerns all calls: keys, errors, limits, the live stream."""


def described_calls(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI description for the page: every call with its request and its response, as HTML."""
    schema = app.openapi()
    text = MarkdownIt("commonmark").enable("table")
    calls = [
        {
            "method": method.upper(),
            "path": path,
            "summary": text.renderInline(call["summary"]),
            "description": text.render(call.get("description", "")),
            "parameters": [
                {"name": parameter["name"], "description": text.renderInline(parameter.get("description", ""))}
                for parameter in call.get("parameters", [])
            ],
            "body": _fields(schema, call.get("requestBody"), text),
            "answer": _fields(schema, call["responses"].get("201") or call["responses"].get("200"), text),
        }
        for path, methods in schema["paths"].items()
        for method, call in methods.items()
    ]
    return {"introduction": text.render(schema["info"]["description"]), "calls": calls}


def _fields(schema: dict[str, Any], holder: dict[str, Any] | None, text: MarkdownIt) -> dict[str, Any] | None:
    """The fields of a request or response body, and an example; None where the schema does not name them."""
    content = (holder or {}).get("content", {}).get("application/json", {}).get("schema", {})
    name = (content.get("items", content)).get("$ref", "").rpartition("/")[2]
    if not name:
        return None
    model = schema["components"]["schemas"][name]
    fields = [
        {"name": field, "description": text.renderInline(about.get("description", ""))}
        for field, about in model["properties"].items()
    ]
    example = json.dumps(model["example"]) if "example" in model else None
    return {"fields": fields, "example": example, "several": "items" in content}
