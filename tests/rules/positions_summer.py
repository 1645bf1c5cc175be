"""Short ways to set up and inspect positions of Summer Pavilion, for the tests of its rules.

>>> position = table(hands=["rrb"], boards=["r1 r2 c4b"])
>>> print(position.push("b1"))
b1
>>> hand(position, 1), position.scores
('rr', (6, 5))
"""

from __future__ import annotations

from collections import Counter

import tilewright as tw

LETTERS = "pgoybr"
"""Purple, green, orange, yellow, blue, red: the order in which they are the joker colour."""
COLOUR_TILES = 22
SUPPLY = "ppggooyybr"


def table(
    players: int = 2,
    side: str = "coloured",
    *,
    round_number: int = 1,
    phase: str = "place",
    turn: int = 1,
    first: int = 1,
    marker: int | None = None,
    passed: str = "-",
    owed: int = 0,
    bag: str = "",
    tower: str = "",
    supply: str = SUPPLY,
    centre: str = "",
    factories: list[str] | None = None,
    hands: list[str] | None = None,
    boards: list[str] | None = None,
    scores: list[int] | None = None,
    rest: str = "bag",
) -> tw.Position:
    """A position with the given tiles; the others of the 132 are in ``rest``: bag, tower, or the hand of a player.

    A board is given by its covered spaces: ``r4`` or ``c2b`` (centre, space 2, blue), ``s24r`` on the grey side.
    Players are counted from 1; those that are not mentioned have no tiles and a score of 5.
    """
    game = tw.SummerPavilion(players, side)
    hands = _for_each(hands, players, "")
    boards = [_board(game, names) for names in _for_each(boards, players, "")]
    scores = _for_each(scores, players, 5)
    heaps = {"bag": bag, "tower": tower, "supply": supply, "centre": centre}
    heaps |= {str(n + 1): tiles for n, tiles in enumerate(_for_each(factories, 2 * players + 1, ""))}
    heaps |= {f"hand {seat + 1}": tiles for seat, tiles in enumerate(hands)}
    used = Counter("".join(heaps.values()) + "".join(boards))
    heaps[rest] += "".join(letter * (COLOUR_TILES - used[letter]) for letter in LETTERS)
    stage = "draft" if phase in ("draft", "factories") else "place"
    words = [
        f"summer-pavilion players={players} side={side}",
        f"round={round_number} stage={stage} phase={phase} turn={turn} first={first}"
        f" marker={marker or 'centre'} passed={passed} owed={owed}",
        " ".join(f"{name}={tiles or '-'}" for name, tiles in heaps.items() if not name.startswith("hand")),
    ]
    for seat in range(players):
        words.append(
            f"player={seat + 1} score={scores[seat]} placing={max(0, scores[seat] - 5)}"
            f" marker-loss=0 passing-loss={max(0, 5 - scores[seat])}"
            f" hand={heaps[f'hand {seat + 1}'] or '-'} board={boards[seat]}"
        )
    return game.position("; ".join(words))


def _for_each(given: list | None, count: int, otherwise: str | int) -> list:
    given = given or []
    return given + [otherwise] * (count - len(given))


def _board(game: tw.SummerPavilion, names: str) -> str:
    cells = ["."] * 42
    spaces = {game.space_name(space): space for space in range(42)}
    for name in names.split():
        coloured_star = name[0] in LETTERS
        space, tile = (name, name[0]) if coloured_star else (name[:-1], name[-1])
        cells[spaces[space]] = tile
    return "/".join("".join(cells[star : star + 6]) for star in range(0, 42, 6))


def star(name: str, tile: str = "", numbers: str = "123456") -> str:
    """The spaces of a star: ``star("r")``, ``star("c", "pgoybr")``, ``star("s2", "rrrrrr", "321456")``."""
    return " ".join(f"{name}{number}{tile[n] if tile else ''}" for n, number in enumerate(numbers))


def play(position: tw.Position, *moves: str) -> tw.Position:
    """Play some moves and return the position, for chaining; ``draw ...`` draws tiles."""
    for move in moves:
        if move.startswith("draw "):
            position.draw(move.removeprefix("draw "))
        else:
            position.push(move)
    return position


def hand(position: tw.Position, player: int) -> str:
    """The tiles beside a player's board or, once the player has passed, in its corners."""
    return position.game.tiles.spell(position.state.hand[player - 1])


def heap(position: tw.Position, name: str) -> str:
    """The bag, tower, supply or centre, or a factory by its number."""
    row = position.state
    places = {"centre": row.places[0], **{str(n): row.places[n] for n in range(1, 10)}}
    return position.game.tiles.spell(places[name] if name in places else getattr(row, name))


def board(position: tw.Position, player: int) -> set[str]:
    """The covered spaces of a board, by name and tile: ``r4r``, ``c2b``, ``s24r``."""
    kinds = position.state.board[player - 1]
    return {position.game.space_name(n) + LETTERS[kind] for n, kind in enumerate(kinds) if kind >= 0}


def legal(position: tw.Position, beginning: str = "") -> set[str]:
    """The texts of the legal moves that have this beginning."""
    return {move.text for move in position.legal_moves if move.text.startswith(beginning)}
