"""What is in ``deploy/``: read by each tool's own linter, with options and metrics that exist."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import promql_parser
import pytest
import yaml
from prometheus_client import REGISTRY
from prometheus_client.metrics import MetricWrapperBase

from tilewright import __version__
from tilewright.cli.parser import parse
from tilewright.server.gate import PROBES
from tilewright.server.telemetry import metrics

DEPLOY = Path(__file__).parents[2] / "deploy"
YAML = sorted(path for path in DEPLOY.rglob("*") if path.suffix in (".yaml", ".yml"))
STYLE = "{extends: relaxed, rules: {line-length: disable}}"
KUBERNETES = "1.30"
BIN = Path(sys.executable).parent


def lint(*command: str | Path) -> None:
    """Run a linter, which says what is wrong."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_dockerfile_is_sound():
    lint(BIN / "hadolint", DEPLOY / "Dockerfile")


def test_the_compose_file_follows_its_specification():
    schema = "vendor.compose-spec"
    lint(BIN / "check-jsonschema", "--builtin-schema", schema, DEPLOY / "compose" / "compose.yaml")


def test_all_yaml_is_well_formed():
    lint(BIN / "yamllint", "--strict", "--config-data", STYLE, *YAML)


def manifests() -> list[dict[str, Any]]:
    files = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
    return [one for path in files for one in yaml.safe_load_all(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("manifest", manifests(), ids=lambda one: str(one["kind"]))
def test_kubernetes_would_accept_the_manifests(manifest: dict[str, Any]):
    if manifest["kind"] == "Kustomization":
        names = {path.name for path in (DEPLOY / "kubernetes").glob("*.yaml")} - {"kustomization.yaml"}
        assert set(manifest["resources"]) == names
        assert [image["newTag"] for image in manifest["images"]] == [__version__]
    else:
        kubernetes_validate.validate(manifest, KUBERNETES, strict=True)


def test_systemd_understands_the_units(tmp_path: Path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd on this machine")
    for unit in (DEPLOY / "systemd").glob("*.service"):
        text = unit.read_text(encoding="utf-8").replace("/opt/tilewright/bin/tilewright", sys.executable)
        (tmp_path / unit.name).write_text(text, encoding="utf-8")
    lint("systemd-analyze", "verify", *tmp_path.iterdir())


def test_units_never_give_up_on_a_database_that_is_away():
    for unit in (DEPLOY / "systemd").glob("*.service"):
        assert "\nStartLimitIntervalSec=0\n" in unit.read_text(encoding="utf-8"), unit.name


def test_the_nightly_backup_is_a_command_of_ours():
    (job,) = (one for one in manifests() if one["kind"] == "CronJob")
    (container,) = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    command, _, _ = container["args"][0].partition(" && ")
    words = shlex.split(command.replace("$DATABASE", "postgresql://tilewright@postgres/tilewright"))
    assert words[0] == "tilewright"
    assert parse(words[1:]).command == "backup"


def commands() -> Iterator[tuple[str, list[str]]]:
    """Where our own command is started, and with which words."""
    docker = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    yield "Dockerfile", json.loads(docker.rpartition("CMD ")[2])
    compose = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text(encoding="utf-8"))
    for name, service in compose["services"].items():
        if service["image"] == "tilewright":
            yield f"compose {name}", service["command"]
    for manifest in manifests():
        for container in manifest.get("spec", {}).get("template", {}).get("spec", {}).get("containers", []):
            if container["image"] == "tilewright":
                yield f"Kubernetes {container['name']}", container["args"]
    for unit in sorted((DEPLOY / "systemd").glob("*.service")):
        line = next(line for line in unit.read_text(encoding="utf-8").splitlines() if line.startswith("ExecStart="))
        words = shlex.split(line.partition("=")[2].replace("1%i", "18001").replace("%i", "1"))
        yield unit.name, words[1:]


@pytest.mark.parametrize(("where", "words"), list(commands()), ids=[where for where, _ in commands()])
def test_every_command_is_one_of_ours(where: str, words: list[str]):
    assert parse(words).command in ("serve", "worker")


def expressions() -> Iterator[tuple[str, str]]:
    """What alerts and panels ask Prometheus for."""
    rules = yaml.safe_load((DEPLOY / "monitoring" / "alerts.yml").read_text(encoding="utf-8"))
    for rule in rules["groups"][0]["rules"]:
        yield rule["alert"], rule["expr"]
    dashboard = json.loads((DEPLOY / "monitoring" / "grafana.json").read_text(encoding="utf-8"))
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"].replace("$__rate_interval", "5m")


@pytest.mark.parametrize(("name", "expression"), list(expressions()))
def test_every_expression_is_about_metrics_that_exist(name: str, expression: str):
    promql_parser.parse(expression)
    families = {family.name for family in REGISTRY.collect()}
    for used in re.findall(r"tilewright_\w+", expression):
        assert re.sub(r"_(total|bucket|sum|count)$", "", used) in families, f"{name}: {used}"


def test_the_answers_of_probes_wake_nobody():
    alert = dict(expressions())["RequestsFail"]
    assert alert.count("tilewright_request_seconds_count") == alert.count(f'kind!="{PROBES}"') > 0


def test_every_metric_is_on_the_dashboard():
    shown = " ".join(expression for _, expression in expressions())
    ours = [value for value in vars(metrics).values() if isinstance(value, MetricWrapperBase)]
    names = [family.name for metric in ours for family in metric.describe()]
    assert [name for name in names if name not in shown] == []


def test_servers_reach_push_services_and_only_they_have_the_password():
    compose = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text(encoding="utf-8"))
    inside = {name for name, network in compose["networks"].items() if (network or {}).get("internal")}
    for name, service in compose["services"].items():
        if name.startswith("server"):
            assert set(service["networks"]) - inside, "notifications go out to the internet"
            assert not set(service["networks"]) & set(compose["services"]["proxy"]["networks"]) - inside, (
                "the proxy is known by its address in the network inside"
            )
    assert [
        name for name, service in compose["services"].items() if "PGPASSWORD" in service.get("environment", {})
    ] == [
        "server1",
        "server2",
    ]
