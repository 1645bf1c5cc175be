"""A game that brings no view at all can be seen and played: picture, drawing in text, lesson."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from xml.etree import ElementTree

import pytest

import tilewright as tw
from bare_game import BareGame
from nim import Nim
from tilewright.game.game import Game
from tilewright.view import default_terminal
from tilewright.view.fields import Content, fields_of, move_choices
from tilewright.view.language import LANGUAGES
from tilewright.view.lessons import _from_spec, markdown_of, plates_of, showpiece
from tilewright.view.paint import Paint
from tilewright.view.picture import tiles
from tilewright.view.picture.compose import draw_svg, picture_of
from tilewright.view.picture.default import DefaultPicture
from tilewright.view.picture.lesson import ANNA, MARKET
from tilewright.view.picture.palette import palette, plain_colours
from tilewright.view.picture.plate import draw_plate

KINDS = ("sand", "moss", "tide", "grape", "xenon", "joker")


class BareAzul(Game):
    """The rules of Azul, and nothing else."""

    spec = replace(tw.Azul.spec, tiles=type(tw.Azul.spec.tiles)("smtgxj", KINDS), parts={})


class BareSummerPavilion(Game):
    """The rules of Summer Pavilion, and nothing else."""

    spec = replace(tw.SummerPavilion.spec, parts={})


GAMES = [BareAzul(players=2, wall="grey"), BareAzul(players=4, jokers=True), BareSummerPavilion(players=3)]
each_game = pytest.mark.parametrize("game", GAMES, ids=repr)


def played(game: Game, moves: int) -> tw.Position:
    position, chooser = game.start(seed=4), Random(4)
    while moves and not position.is_over:
        position.push(chooser.choice(list(position.legal_moves)))
        moves -= 1
    return position


def test_fields_are_shown_by_their_shape():
    found = {field.name: field for field in fields_of(GAMES[0])}
    assert found["wall"].content is Content.SPACES
    assert found["wall"].of_seats
    assert found["wall"].rows_and_columns == (5, 5)
    assert found["line_tiles"].content is Content.NUMBERS
    assert found["bag"].shape == ()
    assert not found["bag"].of_seats
    assert not {"players", "turn", "score", "grey", "jokers"} & set(found)


@each_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_shows_every_field(game: Game, language: str):
    picture = picture_of(game)
    assert isinstance(picture, DefaultPicture)
    names = ["Anna", "Ben & Co", "Chiara", "Didier"][: game.players]
    panels = picture.panels(game, names, language)
    assert [panel.name for panel in panels] == ["market", *(f"player-{n + 1}" for n in range(game.players))]
    slots = {slot.name for panel in panels for slot in panel.drawing.slots()}
    for moves in (0, 30, 1000):
        position = played(game, moves)
        scene = picture.scene(position)
        assert set(scene.tiles) <= slots
        assert all(any(f'data-text="{key}"' in panel.body for panel in panels) for key in scene.texts)
        for theme in ("light", "dark"):
            svg = draw_svg(position, names, language, theme)
            ElementTree.fromstring(svg)
            assert "var(" not in svg


@each_game
def test_tiles_lie_where_the_position_has_them(game: Game):
    position = played(game, 40)
    scene = picture_of(game).scene(position)
    for field in fields_of(game):
        if field.content is Content.SPACES and field.of_seats:
            for seat in range(game.players):
                kinds = [kind for row in field.values(position, seat) for kind in row]
                shown = [scene.tiles.get(f"p{seat + 1}-{field.name}-{n}") for n in range(len(kinds))]
                assert shown == [game.tiles.letters[kind] if kind >= 0 else None for kind in kinds]


@each_game
def test_every_move_can_be_clicked_and_no_two_alike(game: Game):
    picture = picture_of(game)
    paths, buttons = picture.paths(game), picture.buttons(game, "fr")
    assert len(paths) == game.actions == len({path.spots for path in paths})
    assert {spot for path in paths for spot in path.spots} == set(buttons)
    assert all(spot.startswith("button-") for spot in buttons)
    assert all(buttons.values())
    beginnings = {path.spots[:n] for path in paths for n in range(1, len(path.spots))}
    assert not beginnings & {path.spots for path in paths}


def test_moves_are_chosen_field_by_field():
    game = GAMES[0]
    picture = picture_of(game)
    buttons = picture.buttons(game, "en")
    spots = picture.paths(game)[0].spots
    assert [buttons[spot] for spot in spots[:2]] == ["take: source 0", "sand"]
    assert spots[1].endswith("-s")
    assert [choice.field for choice in move_choices(game.moves[0])] == [
        "source", "kind", "with_jokers", "line", "jokers_kept"
    ]  # fmt: skip


def test_kinds_that_nobody_painted_show_their_letters():
    kinds = tiles.kinds_of(GAMES[0])
    assert [kind.letter for kind in kinds] == list("smtgxj")
    assert len({kind.base for kind in kinds}) == len(kinds)
    assert ">S</text>" in kinds[0].motif
    assert ">J</text>" in kinds[-1].motif, "a kind is not painted like another game's because of its name"


@each_game
def test_the_terminal_shows_every_field(game: Game):
    for moves in (0, 30, 1000):
        position = played(game, moves)
        paint = Paint(False, game.tiles.names)
        offer = default_terminal.draw_offer(position, paint, 80, "en")
        boards = [default_terminal.draw_player(position, seat, "Anna", paint, 38, "en") for seat in range(game.players)]
        assert max(len(line) for line in offer) <= 80
        assert max(len(line) for board in boards for line in board) <= 38
        told = "\n".join(offer + [line for board in boards for line in board])
        assert all(field.title(game, "en") in told for field in fields_of(game))
        coloured = default_terminal.draw_player(position, 0, "Anna", Paint(True, game.tiles.names), 38, "en")
        assert len(coloured) == len(boards[0])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", list(tw.GAMES))
def test_a_lesson_can_be_made_from_any_spec(name: str, language: str):
    spec = tw.GAMES[name].spec
    text = _from_spec(spec, language)
    assert text.count("## ") == 4
    assert "(picture:table)" in text
    assert all(f"**{letter.upper()}**" in text for letter in spec.tiles.letters)
    assert markdown_of(spec, language) != text
    bare = plates_of(replace(spec, parts={}))
    for plate in bare.values():
        assert draw_plate(plate(name), ("Anna", "Ben"), language, "dark").svg.startswith("<svg")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_winners_star_has_a_colour_of_the_theme(theme: str):
    game = GAMES[0]
    boards = DefaultPicture(game).panels(game, ["Ada", "Bob"], "en")[1:]
    for board in boards:
        assert "currentColor" not in board.body, "black on its own, whatever the theme"
        assert f'fill="{palette(theme)["gold"]}"' in plain_colours(board.body, theme, "azul")


def test_the_showpiece_is_the_panel_with_the_most_to_see():
    bare, nim = BareGame(players=3).start(seed=7), Nim().start(seed=7)
    for position, panel in ((played(GAMES[0], 5), ANNA), (bare, MARKET), (nim, MARKET)):
        assert showpiece(position).panel == panel


def test_a_score_of_many_digits_fits_its_frame():
    wide, usual = (DefaultPicture(game).panels(game, ["Ada", "Bob"], "en")[1] for game in (Nim(), GAMES[0]))
    assert 'font-size="15"' in wide.body
    assert 'font-size="21"' in usual.body


def test_padding_is_not_shown():
    assert [field.name for field in fields_of(Nim())] == ["stones"]


def test_a_lesson_in_a_language_that_is_missing_is_told_in_english():
    assert markdown_of(tw.Azul.spec, "xx") == markdown_of(tw.Azul.spec, "en")


def test_the_legend_shows_a_tile_of_the_game():
    for language in LANGUAGES:
        assert "[A]" in default_terminal.legend(BareGame(), language)
        assert "[S]" in default_terminal.legend(Nim(), language)
