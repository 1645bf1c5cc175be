"""What is compiled before anybody asks: afterwards, neither a move nor a hint nor a review compiles anything."""

from __future__ import annotations

from typing import Any

import pytest
from people import GAMES

import tilewright as tw
from tilewright.kernels.compile import INTERPRETED
from tilewright.search.champion import compile_search
from tilewright.server.warm import warm_up


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize("name", GAMES)
def test_the_first_hint_and_the_first_review_do_not_compile(name: str):
    warm_up(name)
    game = tw.make_game(name)
    kernels: tuple[Any, ...] = compile_search(game)
    known = [list(kernel.signatures) for kernel in kernels]
    assert all(known)
    position = game.start(seed=2)
    position.push(tw.analyse(position, "40", lines=4).best.move)
    tw.review(position.record(), "40")
    assert [list(kernel.signatures) for kernel in kernels] == known
