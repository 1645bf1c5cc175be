"""Machine code that came with the package: compiled when a wheel was built, for any processor of the last ten years.

Such code is valid for one version of Python, Numba and llvmlite, for one platform, and for the source it was compiled
from. Whatever does not match is compiled here instead, as if nothing had come with the package.
``tools/build_wheel.py`` builds such a wheel.
"""

from __future__ import annotations

import os
import platform
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import numba
from llvmlite import binding as llvm
from numba.core import config as numba_config

VERSION = f"{sys.implementation.cache_tag} numba-{numba.__version__} llvmlite-{llvmlite.__version__}"
"""Machine code of any other version is as good as none."""
ABOUT = "about.txt"
"""In the folder of the machine code: the version and the processor it was compiled for."""


class Processor(NamedTuple):
    """A kind of processor as LLVM names it, and the features that code for it may use."""

    name: str
    features: tuple[str, ...]

    def magic_tuple(self) -> tuple[str, str, str]:
        """How Numba's cache tells processors apart."""
        return llvm.get_process_triple(), self.name, ""


_V3 = "avx avx2 bmi bmi2 cx16 f16c fma lzcnt movbe popcnt sse3 sse4.1 sse4.2 ssse3 xsave"
_GENERIC = Processor("generic", ())
_PROCESSORS = {
    "x86_64": Processor("x86-64-v3", tuple(_V3.split())),
    "arm64": Processor("apple-m1", ()) if sys.platform == "darwin" else _GENERIC,
}
_OTHER_NAMES = {"amd64": "x86_64", "aarch64": "arm64"}


def portable_processor() -> Processor:
    """What wheels are compiled for on this kind of machine."""
    machine = platform.machine().lower()
    return _PROCESSORS.get(_OTHER_NAMES.get(machine, machine), _GENERIC)


PORTABLE = portable_processor()
_BUILT = os.environ.get("TILEWRIGHT_BUILD_KERNELS")
BUILDING = bool(_BUILT)
"""Whether this process compiles what a wheel will contain, into the folder that the environment variable names."""
FOLDER = Path(_BUILT) if _BUILT else Path(__file__).parent.parent / "compiled"


def about() -> str:
    """What machine code must be compiled with, and for, to be of use here."""
    return f"{VERSION} {PORTABLE.magic_tuple()[0]} {PORTABLE.name}\n"


@cache
def why_not() -> str | None:
    """Why nothing that came with the package is used, or None if it is."""
    try:
        found = (FOLDER / ABOUT).read_text(encoding="ascii")
    except OSError:
        return "the package was installed without machine code"
    if os.environ.get("TILEWRIGHT_NATIVE", "0") not in ("", "0"):
        return "TILEWRIGHT_NATIVE asks for code that is compiled for this processor"
    config: Any = numba_config
    if config.CPU_NAME is not None or config.CPU_FEATURES is not None or not config.ENABLE_AVX:
        return "a variable NUMBA_... chooses another processor"
    if found != about():
        return f"it was compiled for {found.strip()}, and this is {about().strip()}"
    if missing := [name for name in PORTABLE.features if not llvm.get_host_cpu_features().get(name)]:
        return f"this processor lacks {', '.join(missing)}"
    return None


def is_usable() -> bool:
    """Whether machine code that came with the package runs here."""
    return why_not() is None


if __name__ == "__main__":
    reason = why_not()
    print("The machine code of this package is used." if reason is None else f"Kernels are compiled here: {reason}.")
