"""Machine code that comes with the package: it is used where it fits, and nowhere else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tilewright.kernels import shipped

PROGRAM = """
import sys
from pathlib import Path
from tilewright.kernels import shipped

folder, circumstances = sys.argv[1:]
if not shipped.BUILDING:
    shipped.FOLDER = Path(folder)
exec(circumstances)

from tilewright.kernels.compile import kernel, search_kernel

@kernel
def helper(x):
    return x + 1

@search_kernel
def twice(x):
    return 2 * helper(x)

result = twice(10)
print(result, "loaded" if twice.stats.cache_hits else "compiled", "because", shipped.why_not())
"""


class Installation:
    """A program, the machine code that came with it, and the cache of its user."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kernels = folder / "kernels"
        self.program = folder / "program.py"
        self.program.write_text(PROGRAM, encoding="utf-8")

    def run(self, circumstances: str = "", **environment: str) -> str:
        """What the program says."""
        inherited = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
        cache = {"NUMBA_CACHE_DIR": str(self.folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, self.program, self.kernels, circumstances],
            env={**inherited, **cache, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def build(self) -> None:
        """Compile the machine code that is shipped."""
        portable = {"NUMBA_CPU_NAME": shipped.PORTABLE.name, "NUMBA_CPU_FEATURES": ""}
        self.kernels.mkdir()
        assert self.run(TILEWRIGHT_BUILD_KERNELS=str(self.kernels), **portable).startswith("22 compiled")
        self.describe(shipped.about())

    def describe(self, about: str) -> None:
        (self.kernels / shipped.ABOUT).write_text(about, encoding="ascii")

    def change(self, before: str, after: str) -> None:
        """Edit the program."""
        self.program.write_text(self.program.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Built once: every test gets a copy."""
    installation = Installation(tmp_path_factory.mktemp("built"))
    installation.build()
    return installation


@pytest.fixture
def installation(built: Installation, tmp_path: Path) -> Installation:
    shutil.copytree(built.kernels, tmp_path / "kernels")
    return Installation(tmp_path)


pytestmark = pytest.mark.skipif(
    any(not shipped.llvm.get_host_cpu_features().get(name) for name in shipped.PORTABLE.features),
    reason="this processor cannot run what wheels contain",
)


def test_what_python_never_calls_need_not_be_shipped(installation: Installation):
    inner = list(installation.kernels.glob("*-inner.*"))
    assert inner
    for path in inner:
        path.unlink()
    assert installation.run() == "22 loaded because None"
    assert not (installation.folder / "cache").exists() or not list((installation.folder / "cache").rglob("*.nbc"))


def test_it_is_used_where_nothing_can_be_written(installation: Installation):
    (installation.folder / "__pycache__").touch()  # a file: no folder of this name can be made
    nowhere = {"NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": os.devnull, "HOME": os.devnull, "LOCALAPPDATA": os.devnull}
    assert installation.run(**nowhere) == "22 loaded because None"
    installation.change("x + 1", "x + 2")
    assert installation.run(**nowhere) == "24 compiled because None"


def test_another_source_is_compiled(installation: Installation):
    installation.change("x + 1", "x + 2")
    assert installation.run().startswith("24 compiled")
    assert installation.run().startswith("24 loaded"), "from the user's cache"


@pytest.mark.parametrize("name", ["cpython", "numba", "llvmlite"])
def test_the_code_of_another_version_is_rejected(installation: Installation, name: str):
    other = shipped.VERSION.replace(f"{name}-", f"{name}-9")
    installation.describe(shipped.about().replace(shipped.VERSION, other))
    assert installation.run().startswith(f"22 compiled because it was compiled for {other}")


@pytest.mark.parametrize("kind", [shipped.PORTABLE.name, shipped.PORTABLE.magic_tuple()[0]])
def test_the_code_for_another_platform_is_rejected(installation: Installation, kind: str):
    installation.describe(shipped.about().replace(kind, "another"))
    assert installation.run().startswith("22 compiled because it was compiled for")


def test_the_version_is_also_checked_for_each_function(installation: Installation):
    installation.describe(shipped.about().replace(shipped.VERSION, "none"))
    assert installation.run("shipped.VERSION = 'none'") == "22 compiled because None"


def test_an_older_processor_compiles(installation: Installation):
    lacking = "shipped.PORTABLE = shipped.PORTABLE._replace(features=('steam',))"
    assert installation.run(lacking) == "22 compiled because this processor lacks steam"


def test_code_for_this_very_processor_can_be_asked_for_and_is_preferred_from_then_on(installation: Installation):
    assert installation.run(TILEWRIGHT_NATIVE="1").startswith("22 compiled because TILEWRIGHT_NATIVE")
    shutil.rmtree(installation.kernels)
    assert installation.run().startswith("22 loaded")


def test_damaged_files_are_compiled_again(installation: Installation):
    for path in installation.kernels.glob("*.nbc"):
        path.write_bytes(path.read_bytes()[:100])
    assert installation.run() == "22 compiled because None"
