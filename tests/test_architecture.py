"""The folders are the architecture: each layer uses those above it, never one below."""

from __future__ import annotations

import ast
from pathlib import Path

import tilewright

PACKAGE = Path(tilewright.__file__).parent
LAYERS = ["rules", "game", "view", "bots", "arena", "envs", "server", "cli"]
LOOKS_DOWN = {("game/position.py", "view")}
"""A position that prints itself needs a view; it is imported inside the method."""


def imported_layers(path: Path) -> set[str]:
    layers = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        layers |= {name.split(".")[1] for name in names if name.startswith("tilewright.")}
    return layers & set(LAYERS)


def test_dependencies_point_one_way():
    checked = 0
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        folder = name.split("/")[0]
        if folder in LAYERS:
            checked += 1
            for layer in imported_layers(path):
                allowed = LAYERS.index(layer) <= LAYERS.index(folder) or (name, layer) in LOOKS_DOWN
                assert allowed, f"{name} uses {layer}, which stands below it"
    assert checked > 20


def test_the_cache_of_compiled_kernels_knows_all_their_files():
    from tilewright.games.azul import moves as azul_moves
    from tilewright.games.azul import priors as azul_worth
    from tilewright.kernels import compile as kernel
    from tilewright.search import compiling

    if not kernel.INTERPRETED:
        assert azul_moves.apply_move._cache._cache_file._source_stamp[1] == kernel.RULES_STAMP
        assert azul_worth.take_worth._cache._cache_file._source_stamp[1] == compiling.SEARCH_STAMP
    assert kernel.RULES_STAMP != compiling.SEARCH_STAMP
