"""Learning curves of training runs, drawn with Matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilewright.game.errors import BadOption, TilewrightError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PANELS = {
    "win_share": "wins of the policy alone",
    "policy_divergence": "policy: divergence from the search",
    "win_loss": "win: cross-entropy",
    "margin_loss": "margin: squared error",
    "points": "points per player in self-play",
    "simulations_per_second": "simulations per second",
}
"""By the name in the log."""
_INCHES = (11, 6.2)
_RESOLUTION = 110


def draw_curves(runs: Mapping[str, Sequence[dict[str, Any]]], path: Path) -> None:
    """Draw the logs of runs, by name, into one picture; the suffix of the path says in which format."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise TilewrightError(f"learning curves need Matplotlib: pip install 'tilewright[train]' ({error})") from error
    if path.suffix not in (".png", ".svg", ".pdf"):
        raise BadOption(f"the picture should be a .png, .svg or .pdf file, not {path.name!r}")
    figure = Figure(figsize=_INCHES, layout="constrained")
    for axes, (name, title) in zip(figure.subplots(2, 3).flat, PANELS.items(), strict=True):
        for label, lines in runs.items():
            _draw_curve(axes, name, label, lines)
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("minutes of training", fontsize=9)
        axes.grid(alpha=0.3)
    if len(runs) > 1:
        handles, labels = figure.axes[1].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=9)
    with rc_context({"svg.fonttype": "none"}):  # letters as text, which is smaller and can be searched
        figure.savefig(path, dpi=_RESOLUTION)


def _draw_curve(axes: Axes, name: str, label: str, lines: Sequence[dict[str, Any]]) -> None:
    """One curve; the losses count from the first update on."""
    learns = name.endswith(("loss", "divergence"))
    told = [line for line in lines if name in line and (not learns or line["updates"] > 0)]
    minutes, values = [line["seconds"] / 60 for line in told], [line[name] for line in told]
    if name == "win_share":
        errors = [1.96 * line["win_share_error"] for line in told]
        opponents = ", ".join(sorted({line["opponent"] for line in told}))
        axes.errorbar(minutes, values, errors, label=label, marker="o", markersize=3, linewidth=1, capsize=2)
        axes.set_ylim(0, 1)
        axes.set_ylabel(f"against {opponents}", fontsize=9)
    else:
        axes.plot(minutes, values, label=label, linewidth=1.2)
