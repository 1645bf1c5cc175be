"""What ``mkdocs build`` adds to the pages in ``docs/``: hooks that ``mkdocs.yml`` names.

Pages link to files of the repository as they do on GitHub, ``../examples/my_bots.py``; on the site such a link leads to
the repository, and a link to a file that does not exist stops the build. The changelog, the guide for contributors and
the security policy are the files of the repository, the page of commands is their own help, the illustrated rules are
the lessons of the games, and notebooks are run and shown with what they print.
"""

from __future__ import annotations

import contextlib
import io
import os
import posixpath
import re
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
NOTEBOOKS = ROOT / "examples"
COPIED = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md", "security-policy.md": "SECURITY.md"}
"""Pages that are files of the repository."""
NAMES = ("Anna", "Ben")
"""Who plays in the pictures of lessons, as their texts say."""

_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#|/)([^)\s#]+)(#[^)\s]*)?(?=\))")
_CONSOLE = re.compile(r"^(```|~~~)python(?=\n>>> )", re.MULTILINE)


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made here."""
    for page, source in COPIED.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    files.append(File.generated(config, "reference/command-line.md", content=command_line_page()))
    for notebook in sorted(NOTEBOOKS.glob("*.ipynb")):
        files.append(File.generated(config, f"notebooks/{notebook.stem}.md", content=notebook_page(notebook)))
    for path, content in lesson_files():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Lead links out of ``docs/`` to the repository, and show sessions with ``>>>`` as such."""
    source = page.file.src_uri
    folder = posixpath.dirname(COPIED.get(source, f"docs/{source}"))
    return _CONSOLE.sub(r"\1pycon", _LINK.sub(lambda found: _target(found, folder, source, config), markdown))


def _target(found: re.Match[str], folder: str, source: str, config: Any) -> str:
    """Where a link leads: to another page of the site, or to a file in the repository."""
    path, anchor = posixpath.normpath(posixpath.join(folder, found[1])), found[2] or ""
    if path.startswith("docs/"):
        return posixpath.relpath(path.removeprefix("docs/"), posixpath.dirname(source) or ".") + anchor
    for page, copied in COPIED.items():
        if path == copied:
            return posixpath.relpath(page, posixpath.dirname(source) or ".") + anchor
    notebook = f"notebooks/{Path(path).stem}.md"
    if path.endswith(".ipynb") and not source.startswith("notebooks/"):
        return posixpath.relpath(notebook, posixpath.dirname(source) or ".")
    if not (ROOT / path).exists():
        raise PluginError(f"{source} links to {found[1]}, and there is no {path} in the repository")
    return f"{config.extra['repository']}/{'tree' if (ROOT / path).is_dir() else 'blob'}/main/{path}{anchor}"


# The command line ---------------------------------------------------------------------------------------


def command_line_page() -> str:
    """The help of every command, as the commands print it."""
    from tilewright.cli.commands import COMMANDS

    parts = [
        "# The command line",
        "What `tilewright COMMAND --help` prints. Exit codes: 0 for success, 1 for a failure, 2",
    ]
    parts[-1] += " for a wrong command line."
    for command in COMMANDS:
        parts += [f"## tilewright {command}", f"```text\n{_help_of(command)}\n```"]
    return "\n\n".join(parts)


def _help_of(command: str) -> str:
    from tilewright.cli.main import main

    printed, width = io.StringIO(), os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "100"
    with contextlib.redirect_stdout(printed):
        main([command, "--help"])
    os.environ["COLUMNS"] = width or "100"
    return printed.getvalue().strip()


# Lessons ------------------------------------------------------------------------------------------------


def lesson_files() -> Iterator[tuple[str, str]]:
    """The illustrated rules of each of our games, and their pictures for both schemes."""
    from tilewright.game.registry import GAMES, find_spec
    from tilewright.installed import installed_games
    from tilewright.view.lessons import markdown_of, plates_of
    from tilewright.view.picture.plate import draw_plate

    for game in GAMES:
        if not installed_games()[game].value.startswith("tilewright."):
            continue
        spec = find_spec(game)
        text = re.sub(r"!\[([^]]*)\]\(picture:(\w+)\)", rf"{_both(game)}", markdown_of(spec, "en"))
        title = f"# Learn {spec.title}\n\n[All rules and corner cases](../{game}.md) are on a page of their own.\n\n"
        yield f"learn/{game}.md", title + text
        for name, plate in plates_of(spec).items():
            for scheme in ("light", "dark"):
                yield f"learn/pictures/{game}-{name}-{scheme}.svg", draw_plate(plate(game), NAMES, "en", scheme).svg


def _both(game: str) -> str:
    """A picture twice, of which the theme shows one."""
    return " ".join(rf"![\1](pictures/{game}-\2-{scheme}.svg#only-{scheme})" for scheme in ("light", "dark"))


# Notebooks ----------------------------------------------------------------------------------------------


def notebook_page(path: Path) -> str:
    """A notebook as a page, with its outputs unless ``RUN_NOTEBOOKS=no``."""
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    if os.environ.get("RUN_NOTEBOOKS") != "no":
        from nbclient import NotebookClient

        NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
    title, *parts = (part for cell in notebook.cells for part in _cell(cell))
    relative = path.relative_to(ROOT).as_posix()
    note = f"*This page is a notebook: [download it](../../{relative}) and run it in Jupyter.*"
    return "\n\n".join([title, note, *parts])


def _cell(cell: Any) -> Iterator[str]:
    """A cell in Markdown; its links are those of the folder of the notebook."""
    if cell.cell_type == "markdown":
        yield re.sub(r"\]\((?!https?:)", "](../../examples/", cell.source)
    elif cell.source.strip():
        yield f"```python\n{cell.source}\n```"
        for output in cell.get("outputs", []):
            yield from _output(output)


def _output(output: Any) -> Iterator[str]:
    data = output.get("data", {})
    if "image/svg+xml" in data:
        encoded = b64encode("".join(data["image/svg+xml"]).encode()).decode()
        yield f"![drawn by the cell above](data:image/svg+xml;base64,{encoded})"
    elif "image/png" in data:
        yield f"![drawn by the cell above](data:image/png;base64,{data['image/png'].strip()})"
    else:
        text = output.get("text") or data.get("text/plain", "")
        if text.strip():
            yield f"```text\n{text.rstrip()}\n```"
