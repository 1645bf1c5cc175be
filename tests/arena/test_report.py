"""The report: one page that needs nothing else, for matches and leagues of every size."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import tilewright as tw
from tilewright.arena import Sprt, play_match
from tilewright.arena.plots import Axis, Series, bins, grouped_bars, histograms, standing_bars, ticks, walk
from tilewright.arena.report import GENERATOR, report_page, write_report
from tilewright.view.generated_page import is_made_by

VOID = {"meta", "line", "circle", "rect", "polyline", "br"}


class Checker(HTMLParser):
    """Complains about what is not closed, and collects headings."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID or tag == "rect":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)


def headings(page: str) -> list[str]:
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    assert "nan" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    assert not re.search(r"(?:src|href)=|url\(|@import|https?://|<script", page)
    return checker.headings


def test_a_match_of_two():
    result = play_match(["random", "random"], tw.Azul(players=2), 20, seed=1, workers=0, sprt=Sprt(0, 5))
    assert headings(report_page(result)) == [
        "Standings",
        "Sequential test",
        "Pairs",
        "Points at the end",
        "Margin",
        "Games won by seat",
        "Where the points come from",
        "Length in moves",
        "Length in rounds",
    ]


@pytest.mark.parametrize(("bots", "players"), [(2, 3), (3, 2), (4, 4), (5, 3)])
def test_leagues_and_larger_tables(bots: int, players: int):
    result = play_match(["random"] * bots, tw.SummerPavilion(players=players), 1, seed=1, workers=0)
    found = headings(report_page(result))
    assert ("Crosstable" in found) == ("Ratings" in found) == (bots > 2)
    assert "Length in rounds" not in found  # it is always six


def test_names_are_escaped():
    result = play_match(["random", "random"], tw.Azul(players=2), 2, seed=1, workers=0)
    vars(result.match)["names"] = ("<b>&", "random")
    page = report_page(result)
    assert "<b>" not in page
    assert "&lt;b&gt;&amp; against random" in page
    headings(page)


def test_a_report_is_known_again(tmp_path: Path):
    result = play_match(["random", "random"], tw.Azul(players=2), 2, seed=1, workers=0)
    write_report(result, tmp_path / "report.html")
    (tmp_path / "thesis.html").write_text("<!doctype html><title>Precious</title>")
    assert is_made_by(GENERATOR, tmp_path / "report.html")
    assert not is_made_by(GENERATOR, tmp_path / "thesis.html")
    assert not is_made_by(GENERATOR, tmp_path / "nothing.html")


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0, 10, [0, 2, 4, 6, 8, 10]), (-35, 61, [-20, 0, 20, 40, 60]), (0.1, 0.4, [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4])],
)
def test_ticks_are_round(low: float, high: float, expected: list[float]):
    assert ticks(low, high) == pytest.approx(expected)


@pytest.mark.parametrize("values", [[5], [0, 240], [-90, 3, 4, 88], list(range(41)), [59.0, 61.0]])
def test_bins_hold_every_value(values: list[float]):
    edges = bins(values)
    assert edges[0] <= min(values) < max(values) + 1e-9 <= edges[-1]
    assert len(edges) <= 42


def test_an_axis_goes_from_left_to_right():
    axis = Axis(-10, 30, left=0, right=400)
    assert [axis.at(value) for value in (-10, 0, 30)] == [0, 100, 400]


def test_pictures_of_little_are_pictures():
    series = [Series("a", [3.0]), Series("b", [3.0], 9)]
    for picture in (
        histograms(series, "one value"),
        grouped_bars(["x"], [Series("a", [0.0])], "nothing"),
        grouped_bars(["x", "y"], [Series("a", [float("nan"), -2.0])], "a hole", line=1.0),
        standing_bars(["x"], [7], "one bar"),
        walk([], -3, 3, "no step"),
        walk([0.5], -3, 3, "a step"),
    ):
        assert picture.startswith("<svg viewBox=")
        assert "nan" not in picture
    assert 'class="bot1"' in histograms(series, "colours repeat")


def test_labels_stay_on_the_paper():
    margins = [Series("a", [-100.0, -37.0, 120.0])]
    picture = histograms(margins, "margins")
    labels = re.findall(r'<text class="tick" x="([\d.]+)" y="[\d.]+" text-anchor="middle">([^<]+)<', picture)
    assert labels[0][1] == "-100"
    for x, label in labels:
        assert 3.5 * len(label) <= float(x) <= 400 - 3.5 * len(label)


def test_bots_are_in_one_order_everywhere():
    """By strength, as in the table; every bot keeps its colour."""
    result = play_match(["random", "arena_bots:Tidy"], tw.Azul(players=2), 20, seed=1, workers=0)
    assert result.order == [1, 0]
    page = report_page(result)
    body = page[page.index("Standings") :]
    for section in body.split("<section")[1:]:
        named = [section.find(f">{name}<") for name in ("arena_bots:Tidy", "random")]
        assert -1 in named or named[0] < named[1]
    assert '<i class="bot1"></i>arena_bots:Tidy' in page
