"""The folders are the architecture: who may import whom, and that engines know no game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import tilewright

PACKAGE = Path(tilewright.__file__).parent

LAYERS = ("kernels", "game", "view", "search", "bots", "arena", "insight", "envs", "learn", "server", "cli")
"""Each may import those before it."""

FILES_OF_A_GAME = {
    "rules": "kernels", "moves": "kernels", "board": "kernels", "stars": "kernels", "wall": "kernels",
    "heap": "kernels", "factories": "kernels",
    "__init__": "game", "tiles": "game", "names": "game", "notation": "game", "position_text": "game",
    "position": "game", "views": "game",
    "scoring": "game", "effects": "game", "bounds": "game", "strength": "game",
    "wording": "view", "coach": "view", "terminal": "view", "picture": "view", "lessons": "view",
    "translations": "view", "editor": "view", "slots": "view",
    "reasons": "insight", "puzzles": "insight",
    "evaluation": "search", "priors": "search", "weights": "search",
    "observation": "envs", "network_input": "envs", "action_features": "envs", "symmetry": "envs",
}  # fmt: skip
"""The layer of each file or folder of a game, by its name."""

EXCEPTIONS = {("game/position.py", "view"), ("game/game.py", "envs"), ("search/rule_sets.py", "envs")}
"""A position that prints itself needs the view; a game observes, and a network sees, as agents of the environments do.
All import it inside functions."""

GAME_NAMES = re.compile(r"azul|summer.?pavilion|joker", re.IGNORECASE)
"""Our games, and a kind of tile that only they have."""
TEXT_FILES = {".py", ".toml", ".html", ".js", ".css", ".md", ".svg"}


def source_files() -> Iterator[tuple[Path, str]]:
    """Every module of the package, with its path inside it."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path, path.relative_to(PACKAGE).as_posix()


def imports_of(path: Path) -> set[str]:
    """The modules of the package that a file imports, as paths."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name.partition(".")[2].replace(".", "/") for name in found if name.startswith("tilewright.")}


def layer_of(module: str) -> str | None:
    """The layer of a module from its path, with or without ``.py``; None for the package itself."""
    parts = module.removesuffix(".py").split("/")
    if parts[0] != "games":
        return parts[0] if parts[0] in LAYERS else None
    if len(parts) < 3:
        return "game"
    return FILES_OF_A_GAME.get(parts[2])


def test_every_file_of_a_game_has_a_layer():
    for _, name in source_files():
        if name.startswith("games/"):
            assert layer_of(name), f"{name}: files of a game are named after what they have, see FILES_OF_A_GAME"


def test_every_folder_is_a_layer():
    folders = {name.split("/")[0] for _, name in source_files() if "/" in name}
    assert folders == {*LAYERS, "games"}


def test_dependencies_point_one_way():
    checked = 0
    for path, name in source_files():
        own = layer_of(name)
        for module in imports_of(path) if own else ():
            layer = layer_of(module)
            if layer is not None and (name, layer) not in EXCEPTIONS:
                checked += 1
                assert LAYERS.index(layer) <= LAYERS.index(own), f"{name} ({own}) imports {module} ({layer})"
    assert checked > 200


def test_engines_reach_games_only_through_the_registry():
    for path, name in source_files():
        if not name.startswith("games/") and name != "__init__.py":
            games = {module for module in imports_of(path) if module.split("/")[0] == "games"}
            assert not games, f"{name} imports {games}: use game.spec and its parts"


def games_imported_by(path: Path) -> set[str]:
    """The folders under ``games/`` that a file imports from."""
    return {module.split("/")[1] for module in imports_of(path) if module.startswith("games/")}


def test_games_do_not_import_each_other():
    """Except for the family, which they share; a variant may import the game that its spec is made from."""
    for path, name in source_files():
        if name.startswith("games/") and name.count("/") > 1:
            folder = name.split("/")[1]
            bases = games_imported_by(PACKAGE / "games" / folder / "__init__.py")
            others = games_imported_by(path) - {folder, "family"} - bases
            assert not others, f"{name} imports from {others}"


def files_naming_games() -> Iterator[str]:
    """Files outside ``games/`` that contain the name of a game, in their text or in their own name."""
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        if path.suffix not in TEXT_FILES or name.startswith("games/") or name == "__init__.py":
            continue
        if GAME_NAMES.search(name) or GAME_NAMES.search(path.read_text(encoding="utf-8")):
            yield name


def test_outside_games_no_file_names_a_game_or_its_tiles():
    assert list(files_naming_games()) == []
