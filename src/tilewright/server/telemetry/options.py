"""The command-line options for hosts who watch their processes. Imports nothing heavy."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tilewright.server.telemetry.port import TelemetryPort

THIS_MACHINE = "127.0.0.1"


@dataclass(frozen=True)
class Telemetry:
    """What a host wants to see; by default warnings and errors as text."""

    log_format: str = "text"
    log_requests: bool = False
    metrics: tuple[str, int] | None = None
    traces: str | None = None

    def start(self, service: str, ready: Callable[[], dict[str, Any]] | None = None) -> TelemetryPort | None:
        """Begin to log, measure and trace; the port for metrics, if there is one."""
        from tilewright.server.telemetry import logs, tracing
        from tilewright.server.telemetry.port import TelemetryPort

        logs.configure(self.log_format, requests=self.log_requests)
        if self.traces:
            tracing.start(self.traces, service)
        return TelemetryPort(self.metrics, ready) if self.metrics else None


def add_telemetry_options(parser: argparse.ArgumentParser) -> None:
    """The options that servers and workers share."""
    parser.add_argument(
        "--metrics",
        type=_address,
        metavar="[ADDRESS:]PORT",
        help="serve metrics for Prometheus at /metrics on a port of their own (of this machine only, unless an address"
        " is given)",
    )
    parser.add_argument("--log-format", choices=("text", "json"), default="text", help="how the log is written")
    parser.add_argument("--log-requests", action="store_true", help="log every request, without addresses and keys")
    parser.add_argument(
        "--traces",
        type=_collector,
        metavar="URL",
        help="send OpenTelemetry traces to the collector at http://... (OTLP over HTTP)",
    )


def telemetry_of(arguments: argparse.Namespace) -> Telemetry:
    """What the options say."""
    return Telemetry(arguments.log_format, arguments.log_requests, arguments.metrics, arguments.traces)


def _collector(text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} must be the URL of a collector: http://127.0.0.1:4318")
    return text


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdigit() or not 0 <= int(port) < 1 << 16:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} must be a port, or an address and a port: 127.0.0.1:9100")
    return host.strip("[]") or THIS_MACHINE, int(port)
