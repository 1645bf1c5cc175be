"""What a release consists of agrees with its version, and the workflows are sound."""

from __future__ import annotations

import gzip
import importlib.util
import io
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from types import ModuleType

import yaml

import tilewright
from doc_pages import ROOT

BIN = Path(sys.executable).parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
STYLE = "{extends: relaxed, rules: {line-length: disable}}"


def run(*command: str | Path) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_version_is_the_same_everywhere():
    version = tilewright.__version__
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert str(citation["version"]) == version
    assert re.search(rf"^## \[{re.escape(version)}\] - {citation['date-released']}$", changelog, re.MULTILINE)
    assert (ROOT / "docs" / "releases" / f"{version}.md").is_file()


def test_the_citation_follows_its_schema():
    run(BIN / "check-jsonschema", "--builtin-schema", "vendor.citation-file-format", "CITATION.cff")


def test_the_workflows_follow_their_schema():
    assert len(WORKFLOWS) >= 6
    run(BIN / "check-jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS)
    run(BIN / "check-jsonschema", "--builtin-schema", "vendor.dependabot", ROOT / ".github" / "dependabot.yml")
    run(BIN / "yamllint", "--strict", "--config-data", STYLE, *WORKFLOWS)


def test_the_workflows_are_secure():
    run(BIN / "zizmor", "--offline", "--quiet", ROOT / ".github")


def test_the_workflows_name_files_that_exist():
    for workflow in WORKFLOWS:
        text = workflow.read_text(encoding="utf-8")
        for path in re.findall(r"\b(?:tests|tools|benchmarks)/[\w/.]*\w", text):
            assert (ROOT / path).exists(), f"{workflow.name}: {path}"


def test_the_wheel_with_machine_code_is_installed_by_the_python_of_either_system(tmp_path: Path):
    """GitHub runs the lines of a step with ``bash -e``: one that may fail ends the step."""
    steps = yaml.safe_load((ROOT / ".github/workflows/wheels.yml").read_text(encoding="utf-8"))["jobs"]["compiled"]
    script = next(step["run"] for step in steps["steps"] if "python_there=" in step.get("run", ""))
    finding = next(line for line in script.splitlines() if line.startswith("python_there="))
    for path in ("bin/python", "Scripts/python.exe"):
        folder = tmp_path / Path(path).name
        (folder / "installed" / path).parent.mkdir(parents=True)
        (folder / "installed" / path).touch()
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", f'{finding}\necho "$python_there"']
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        assert (done.returncode, done.stdout) == (0, f"installed/{path}\n")


def archive(path: Path, order: list[str], time: int) -> Path:
    """A source distribution as some machine packs it."""
    with tarfile.open(path, "w:gz") as packed:
        for name in order:
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.uid, member.mode = len(name), time, time, 0o664
            packed.addfile(member, io.BytesIO(name.encode()))
    return path


def test_a_source_distribution_does_not_depend_on_the_machine(tmp_path: Path):
    pack_again = load("tools/build_release.py").pack_again
    here = archive(tmp_path / "here.tar.gz", ["t/b.py", "t/a.py"], 1_000)
    there = archive(tmp_path / "there.tar.gz", ["t/a.py", "t/b.py"], 2_000)
    assert gzip.decompress(here.read_bytes()) != gzip.decompress(there.read_bytes())
    for path in (here, there):
        pack_again(path, 500)
    assert here.read_bytes() == there.read_bytes()
    with tarfile.open(here) as packed:
        assert packed.extractfile("t/a.py").read() == b"t/a.py"


def test_the_sums_are_those_of_what_was_built(tmp_path: Path):
    """Whoever compares them may have built a wheel with machine code into the same folder before."""
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "tilewright-1-cp311-none-linux_x86_64.whl").touch()
    built = [tmp_path / "tilewright-1-py3-none-any.whl", tmp_path / "tilewright-1.tar.gz"]
    for path in built:
        path.write_bytes(b"bytes")
    load("tools/build_release.py").hand_over(built, tmp_path / "dist")
    sums = (tmp_path / "dist" / "SHA256SUMS").read_text(encoding="utf-8").split()
    assert sums[1::2] == [path.name for path in built]
    assert all((tmp_path / "dist" / path.name).is_file() for path in built)


def test_the_links_of_release_notes_work_on_github():
    told = subprocess.run(
        [sys.executable, "tools/release_notes.py", f"v{tilewright.__version__}"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    ).stdout
    targets = re.findall(r"\]\(([^)\s]+)\)", told)
    assert len(targets) >= 4
    for target in targets:
        found = re.fullmatch(r"https://[\w./]+/tilewright/(?:blob/)?v[\d.]+/([\w./-]+)", target)
        assert found, target
        assert (ROOT / found[1]).is_file(), target


def test_the_comment_on_a_pull_request_marks_what_changed():
    compare = load("benchmarks/compare_speed.py").compare
    line = {"rules": "Azul(players=2)", "moves_per_second": 1e7, "ratio": 5000.0}
    before = {"random_play": [line, {**line, "rules": "gone"}]}
    after = {"random_play": [{**line, "ratio": 2500.0}]}
    told = compare(json.loads(json.dumps(before)), after)
    assert "| `Azul(players=2)` | 10,000,000 | 10,000,000 | 5,000 | 2,500 | -50% 🔴 |" in told
    assert "gone" not in told
    assert "🔴" not in compare(before, before)
