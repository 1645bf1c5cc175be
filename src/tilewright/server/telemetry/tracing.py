"""OpenTelemetry traces, for hosts who collect them; without ``--traces`` nothing is imported and nothing recorded."""

from __future__ import annotations

import contextlib
from contextlib import AbstractContextManager
from typing import Any

from tilewright.server.database import CannotServe

_tracer: Any = None
PARENT = "traceparent"
"""The header of the W3C, and the field of a job for a worker."""


def start(endpoint: str, service: str) -> None:
    """Send traces to a collector by OTLP over HTTP."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise CannotServe("--traces needs OpenTelemetry: pip install 'tilewright[traces]'") from None
    record(BatchSpanProcessor(OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces")), service)


def record(processor: Any, service: str) -> None:
    """Give every span to a processor of the OpenTelemetry SDK."""
    global _tracer  # noqa: PLW0603 - a process has one
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

    provider = TracerProvider(resource=Resource.create({"service.name": service}))
    provider.add_span_processor(processor)
    _tracer = provider.get_tracer("tilewright")


def stop() -> None:
    """Record nothing more."""
    global _tracer  # noqa: PLW0603
    _tracer = None


def span(name: str, parent: str = "", **attributes: str | int | float) -> AbstractContextManager[Any]:
    """Record what happens within, as part of the current span or of that of another process."""
    if _tracer is None:
        return contextlib.nullcontext()
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    context = TraceContextTextMapPropagator().extract({PARENT: parent}) if parent else None
    found: AbstractContextManager[Any] = _tracer.start_as_current_span(name, context=context, attributes=attributes)
    return found


def current() -> str:
    """The current span as other processes name it; empty if there is none."""
    if _tracer is None:
        return ""
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get(PARENT, "")
