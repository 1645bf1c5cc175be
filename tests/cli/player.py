"""Somebody who plays in the terminal."""

from __future__ import annotations

import io

import pytest

import tilewright as tw
from tilewright.cli.main import main


class Player:
    """Types lines and reads what comes back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def play(self, *arguments: str, typing: list[str]) -> str:
        self.monkeypatch.setattr("sys.stdin", io.StringIO("".join(line + "\n" for line in typing)))
        assert main(["play", "--terminal", *arguments]) == 0
        captured = self.capsys.readouterr()
        assert captured.err == ""
        return captured.out


def options_of(game: tw.Game) -> list[str]:
    options = [game.name, "--players", str(game.players)]
    for name, value in game.options.items():
        options += [f"--{name}", value] if isinstance(value, str) else [f"--{name}"] * value
    return options


def moves_in(file: str) -> list[tw.Move]:
    return [event for event in tw.load_record(file).events if isinstance(event, tw.Move)]
