"""Every example and sentence of the two rulebooks that can be played.

Azul: French, seed 003, with the Joker tiles at its end. Azul Mini: Italian, seed 001. Both are one game, so an
example that stands in both is played with both. Where a picture is needed to set an example up, the tiles
around it are ours and the numbers are the rulebook's.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from positions import (
    COLOURED_WALL,
    Board,
    bag,
    floor,
    legal,
    lid,
    line,
    marker_holder,
    next_starter,
    place,
    play,
    table,
    wall_row,
)

import tilewright as tw

Kind = Callable[..., tw.Azul]


@pytest.fixture(params=[tw.Azul, tw.AzulMini], ids=["azul", "mini"])
def kind(request: pytest.FixtureRequest) -> Kind:
    """The game an example is played with."""
    return request.param


# ------------------------------------------------- Set-up: « Mise en place », « Preparazione del gioco »


@pytest.mark.parametrize(("players", "factories"), [(2, 5), (3, 7), (4, 9)])
def test_set_up_factories_by_number_of_players(kind: Kind, players: int, factories: int):
    """À 2 / 3 / 4 joueurs, placez 5 / 7 / 9 cercles Fabrique, each with exactly 4 tiles."""
    position = kind(players).start(seed=1)
    assert [len(place(position, n)) for n in range(10)] == [0] + [4] * factories + [0] * (9 - factories)


def test_set_up_100_tiles_and_markers_on_zero(kind: Kind):
    """Remplissez le sac avec les 100 tuiles (20 de chaque couleur); score markers on 0."""
    position = kind(4).set_up()
    assert bag(position) == "b" * 20 + "y" * 20 + "r" * 20 + "k" * 20 + "w" * 20
    assert position.scores == (0, 0, 0, 0)


def test_the_coloured_wall_is_the_picture_on_the_board(kind: Kind):
    """Each colour once a row and once a column, shifted by one from row to row: each line's tile finds its cell."""
    for colour in "byrkw":
        lines = {number: colour * number for number in range(1, 6)}
        position = table(kind(), Board(lines), factories=["", "k"], turn=2)
        play(position, "2kf")
        for number, cells in enumerate(COLOURED_WALL, start=1):
            assert wall_row(position, 1, number) == "".join(cell if cell == colour else "." for cell in cells)


# --------------------------------------------------- A. « Offre des fabriques », « Offerta dei Vassoi »


def test_example_of_the_first_turn(kind: Kind):
    """« Exemple de tour » (Philippe, Martin, Mathilde), « Esempio di primo turno » (Alice, Diana, Denise)."""
    position = kind(3).set_up()
    position.draw("kkbw yrrr bbww kkyy bwyk bwyk bwyk")
    # 1. Philippe takes 2 black tiles from a factory and puts the rest in the centre of the table.
    play(position, "1k2")
    assert (line(position, 1, 2), place(position, 1), place(position, 0)) == ("kk", "", "bw")
    # 2. Martin takes the yellow tile from a factory and puts the 3 red tiles that are left in the centre.
    play(position, "2y1")
    assert (line(position, 2, 1), place(position, 2), place(position, 0)) == ("y", "", "brrrw")
    # 3. Mathilde takes these 3 red tiles and, as the first to take from the centre, the marker too.
    assert marker_holder(position) is None
    play(position, "cr3")
    assert (line(position, 3, 3), place(position, 0)) == ("rrr", "bw")
    assert marker_holder(position) == 3
    assert (floor(position, 1), floor(position, 2), floor(position, 3)) == ("", "", "")


def test_the_game_goes_on_clockwise(kind: Kind):
    """Le jeu se poursuit ensuite dans le sens des aiguilles d'une montre."""
    position = kind(3).set_up()
    position.draw("bbbb yyyy rrrr kkkk wwww bbbb yyyy")
    turns = []
    for factory, colour in enumerate("byrk", start=1):
        turns.append(position.turn)
        play(position, f"{factory}{colour}f")
    assert turns == [0, 1, 2, 0]


def test_only_the_first_to_take_from_the_centre_takes_the_marker(kind: Kind):
    """Si vous êtes le premier joueur de cette manche à prendre des tuiles depuis le centre."""
    position = table(kind(), centre="bbyyr")
    play(position, "cb2")
    assert marker_holder(position) == 1
    play(position, "cy2")
    assert marker_holder(position) == 1


def test_tiles_are_placed_from_right_to_left_until_the_line_is_full(kind: Kind):
    """Placez les tuiles, une par une, de la droite vers la gauche; the line is full with its leftmost space."""
    position = table(kind(), Board({5: "bb"}), factories=["bb", "b", "k"])
    play(position, "1b5 3kf")
    assert line(position, 1, 5) == "bbbb"
    play(position, "2b5")
    assert wall_row(position, 1, 5) == "....b"  # it became full, so its rightmost tile went to the wall


def test_a_line_with_tiles_takes_only_their_colour(kind: Kind):
    """Vous ne pouvez ajouter que des tuiles de cette même couleur."""
    position = table(kind(), Board({3: "b", 4: "y"}), factories=["bykw"])
    assert legal(position, "1b") == {"1bf", "1b1", "1b2", "1b3", "1b5"}
    assert legal(position, "1y") == {"1yf", "1y1", "1y2", "1y4", "1y5"}


def test_tiles_go_to_one_line_and_what_is_too_much_to_the_floor(kind: Kind):
    """Sur l'une des 5 lignes Motif; « dovete collocare le piastrelle in eccesso sulla linea del pavimento »."""
    position = table(kind(), factories=["bbbb", "k"])
    assert legal(position, "1b") == {"1bf", "1b1", "1b2", "1b3", "1b4", "1b5"}
    play(position, "1b2")
    assert [line(position, 1, number) for number in range(1, 6)] == ["", "bb", "", "", ""]
    assert floor(position, 1) == "bb"


@pytest.mark.parametrize(
    ("move", "lines", "on_the_floor"),
    [
        pytest.param("1y1", ["y", "", "", "b", ""], "y", id="A: one in line 1, the other on the floor"),
        pytest.param("1y5", ["", "", "", "b", "yy"], "", id="B: both in line 5"),
        pytest.param("1yf", ["", "", "", "b", ""], "yy", id="C: both on the floor"),
    ],
)
def test_example_where_two_yellow_tiles_may_go(kind: Kind, move: str, lines: list[str], on_the_floor: str):
    """Mathilde / Denise takes 2 yellow: rows 2 and 3 of the wall have yellow, line 4 holds a blue tile."""
    board = Board({4: "b"}, {2: "..y..", 3: "...y."})
    position = table(kind(), board, factories=["yykw"])
    assert legal(position, "1y") == {"1y1", "1y5", "1yf"}
    play(position, move)
    assert [line(position, 1, number) for number in range(1, 6)] == lines
    assert floor(position, 1) == on_the_floor


def test_a_full_floor_line_sends_further_tiles_to_the_lid(kind: Kind):
    """Si tous les espaces de votre ligne Plancher sont remplis: the couvercle / the scatola."""
    position = table(kind(), Board(floor="rrrkkk"), factories=["bbbb", "k"])
    play(position, "1bf")
    assert (floor(position, 1), lid(position)) == ("brrrkkk", "bbb")


def test_the_offer_ends_when_the_centre_and_all_factories_are_empty(kind: Kind):
    """Cette phase se termine lorsque le centre de la table ET toutes les fabriques sont vides."""
    position = table(kind(), factories=["by"])
    play(position, "1bf")
    assert position.phase == "draft"  # a tile still lies in the centre
    play(position, "cyf")
    assert position.phase == "fill"


# ------------------------------------- B. « Décoration d'un mur du palais », « Rivestimento delle Pareti »


def test_example_of_wall_tiling(kind: Kind):
    """Philippe's / Alice's lines 2 (2 red) and 4 (4 blue) are full, lines 3 and 5 are not."""
    board = Board({2: "rr", 3: "kk", 4: "bbbb", 5: "www"})
    position = table(kind(), board, factories=["y"], turn=2)
    play(position, "1y2")
    # A) the rightmost tiles move to the red and the blue space and score 1 point each.
    assert (wall_row(position, 1, 2), wall_row(position, 1, 4)) == ("...r.", "...b.")
    assert position.scores == (2, 0)
    # B) the other tiles of lines 2 and 4 go to the lid; those of lines 3 and 5 stay.
    assert [line(position, 1, number) for number in range(1, 6)] == ["", "", "kk", "", "www"]
    assert lid(position) == "bbbr"


@pytest.mark.parametrize(
    ("wall", "number", "colour", "points"),
    [
        pytest.param({}, 2, "r", 1, id="red tile alone: 1"),
        pytest.param({2: "wb..."}, 2, "y", 3, id="yellow tile, 3 across: 3"),
        pytest.param({1: "..r..", 2: "..y.."}, 3, "b", 3, id="blue tile, 3 down: 3"),
        pytest.param({2: "...r.", 3: ".wb.r", 4: "...b."}, 3, "y", 7, id="yellow tile, 4 across and 3 down: 7"),
    ],
)
def test_examples_of_scoring(kind: Kind, wall: dict[int, str], number: int, colour: str, points: int):
    """« Décompte des points », « Punteggi »: the four pictures."""
    position = table(kind(), Board({number: colour * (number - 1)}, wall, score=10), factories=[colour])
    play(position, f"1{colour}{number}")
    assert position.scores == (10 + points, 0)


def test_points_are_counted_at_once_from_top_to_bottom(kind: Kind):
    """Chaque fois que vous déplacez une tuile: a lower line sees the tile of a higher one, not the reverse."""
    position = table(kind(), Board({1: "b", 2: "ww"}), factories=["k"], turn=2)
    play(position, "1kf")
    assert position.scores[0] == 1 + 2  # blue alone, then white below it


def test_example_of_the_floor_line(kind: Kind):
    """Philippe / Alice has 4 tiles and the marker on the floor line and loses 8 points."""
    position = table(kind(), Board(score=20), centre="rrrr")
    play(position, "crf")
    assert position.scores == (20 - 8, 0)
    assert lid(position) == "rrrr"


def test_nobody_falls_below_zero_points(kind: Kind):
    """Vous ne pouvez pas descendre sous la marque des 0 points."""
    position = table(kind(), Board(score=5), centre="rrrr")
    play(position, "crf")
    assert position.scores == (0, 0)


def test_the_marker_on_the_floor_counts_as_a_tile_and_is_then_laid_before_its_holder(kind: Kind):
    """Celui-ci compte comme une tuile normale. Placez-le ensuite devant vous: not into the lid."""
    position = table(kind(), Board(score=5), centre="b")
    play(position, "cb2")
    assert position.scores == (4, 0)
    assert lid(position) == ""


# --------------------------------- C. « Préparation de la prochaine manche », « Preparazione al Round … »


def test_who_took_the_marker_starts_the_next_round(kind: Kind):
    """Il giocatore con il segnalino primo giocatore; it lies in the centre again."""
    position = table(kind(3), centre="b", turn=3)
    play(position, "cbf")
    assert (next_starter(position), marker_holder(position), position.round) == (3, None, 2)
    position.deal(seed=1)
    assert position.turn == 2


def test_an_empty_bag_is_filled_from_the_lid(kind: Kind):
    """Lorsque le sac est vide, déposez dans celui-ci toutes les tuiles du couvercle et poursuivez."""
    position = table(kind(), phase="fill", bag="byrkw", rest="lid")
    position.draw("byrk wbbb bbbb bbbb bbbb")
    assert [place(position, n) for n in range(1, 6)] == ["byrk", "bbbw", "bbbb", "bbbb", "bbbb"]
    assert lid(position) == ""


def test_a_round_may_begin_with_factories_that_are_not_full(kind: Kind):
    """Dans l'éventualité très rare où vous n'auriez pas suffisamment de tuiles."""
    no_blue = {row: cells.replace("b", ".") for row, cells in enumerate(COLOURED_WALL, start=1)}
    waiting = Board({2: "b", 3: "bb", 4: "bbb"}, no_blue)
    position = table(kind(4), waiting, waiting, waiting, Board({}, no_blue), phase="fill")
    position.draw("bb")  # the last two of the 100 tiles
    assert position.phase == "draft"
    assert [place(position, n) for n in range(3)] == ["", "bb", ""]


# ----------------------------------------------------------------- « Fin de la partie », « Fine della Partita »


def test_a_full_row_ends_the_game_after_the_tiling(kind: Kind):
    """Après la phase Décoration, lorsqu'au moins un joueur a complété au moins une ligne de 5 tuiles."""
    position = table(kind(), Board({1: "b"}, {1: ".yrkw"}), Board({1: "k"}), factories=["y", "y"])
    play(position, "1yf")
    assert not position.is_over
    play(position, "2yf")
    assert position.is_over
    assert wall_row(position, 2, 1) == "...k."  # everybody tiles before the end


def test_a_full_column_does_not_end_the_game(kind: Kind):
    """Una linea orizzontale: a vertical one is worth points, but the game goes on."""
    column = {1: "b....", 2: "w....", 3: "k....", 4: "r...."}
    position = table(kind(), Board({5: "yyyy"}, column), factories=["y"])
    play(position, "1y5")
    assert wall_row(position, 1, 5) == "y...."
    assert not position.is_over


@pytest.mark.parametrize(
    ("lines", "wall", "bonus"),
    [
        pytest.param({1: "w"}, {}, 2, id="one row: 2"),
        pytest.param({1: "w", 2: "kk"}, {2: "wbyr."}, 4, id="two rows: 4"),
        pytest.param({1: "w"}, {2: "w....", 3: "k....", 4: "r....", 5: "y...."}, 2 + 7, id="a row and a column: 9"),
        pytest.param({1: "w"}, {2: ".b...", 3: "..b..", 4: "...b.", 5: "....b"}, 2 + 10, id="a row and all blue: 12"),
    ],
)
def test_bonuses_at_the_end(kind: Kind, lines: dict[int, str], wall: dict[int, str], bonus: int):
    """2 points a row, 7 a column, 10 a colour with all 5 tiles on the wall."""
    position = table(kind(), Board(lines, {1: "byrk."} | wall), factories=["y"], turn=2)
    play(position, "1yf")
    points = position.outcome().points[0]
    assert points["full rows"] + points["full columns"] + points["full colours"] == bonus
    assert position.scores[0] == points["tiles on the wall"] + bonus


def test_most_points_win(kind: Kind):
    """Le joueur ayant le plus de points sur sa piste de score remporte la partie."""
    position = table(kind(), Board(score=30, wall={1: "byrkw"}), Board(score=31), phase="over")
    assert position.outcome().winners == (1,)


def test_a_tie_goes_to_more_full_rows(kind: Kind):
    """En cas d'égalité, le joueur ayant complété le plus de lignes."""
    position = table(kind(), Board(score=30), Board(score=30, wall={1: "byrkw"}), phase="over")
    assert position.outcome().winners == (1,)


def test_if_rows_are_equal_too_the_win_is_shared(kind: Kind):
    """Si cela ne départage pas le gagnant, la victoire est partagée."""
    row_1, row_2 = Board(score=30, wall={1: "byrkw"}), Board(score=30, wall={2: "wbyrk"})
    position = table(kind(3), row_1, Board(score=29), row_2, phase="over")
    assert position.outcome().winners == (0, 2)


# ------------------------------------------------------------------- « Variante de jeu », « Variante di gioco »


def test_grey_wall_any_space_of_the_row(kind: Kind):
    """Vous pouvez poser cette tuile sur n'importe quel espace sur la ligne de mur correspondante."""
    position = table(kind(2, "grey"), Board({2: "b"}), factories=["b"])
    play(position, "1b2")
    assert legal(position) == {"w21", "w22", "w23", "w24", "w25"}
    play(position, "w24")
    assert wall_row(position, 1, 2) == "...b."


def test_grey_wall_a_colour_once_a_column(kind: Kind):
    """Une couleur donnée ne peut être présente qu'une seule fois par colonne."""
    position = table(kind(2, "grey"), Board({2: "b"}, {1: "b....", 4: ".yb.."}), factories=["b"])
    play(position, "1b2")
    assert legal(position) == {"w22", "w24", "w25"}


def test_grey_wall_a_colour_once_a_row(kind: Kind):
    """Chaque couleur ne peut être présente qu'une seule fois par ligne: it bars the pattern line."""
    position = table(kind(2, "grey"), Board(wall={2: "b...."}), factories=["b"])
    assert legal(position, "1b") == {"1bf", "1b1", "1b3", "1b4", "1b5"}


def test_special_case_of_the_grey_wall_all_tiles_of_the_line_fall(kind: Kind):
    """Azul Mini, « Caso speciale »: no valid space is left, so all tiles of that line go to the floor line."""
    board = Board({3: "bb"}, {1: "...b.", 2: "....b", 3: "yrk.."}, score=10)
    position = table(kind(2, "grey"), board, factories=["b"])
    play(position, "1b3")
    assert wall_row(position, 1, 3) == "yrk.."
    assert position.scores == (10 - 4, 0)  # three tiles on the floor: -1 -1 -2
    assert (line(position, 1, 3), lid(position)) == ("", "bbb")


# ------------------------------------------------------------------- « Tuiles Joker » (Azul, French, at its end)


@pytest.mark.parametrize(("players", "of_each", "jokers"), [(2, 19, 5), (3, 18, 10), (4, 18, 10)])
def test_jokers_replace_tiles_of_each_colour(players: int, of_each: int, jokers: int):
    """« Mise en place »: remove 1 (2 players) or 2 (3 or 4) of each colour; add 5 or 10 jokers."""
    tally = tw.Azul.spec.tiles.tally(tw.Azul(players, jokers=True).set_up().row.bag)
    assert tally == f"{of_each}b{of_each}y{of_each}r{of_each}k{of_each}w{jokers}j"


@pytest.mark.parametrize("where", ["1", "c"])
def test_all_jokers_alone_or_with_all_tiles_of_one_colour(where: str):
    """« Déroulement du jeu »: all jokers of one place; you may take all tiles of another colour there too."""
    tiles = {"factories": ["bbjj", "y"]} if where == "1" else {"centre": "bbjj", "factories": ["", "y"]}
    position = table(tw.Azul(jokers=True), **tiles)
    assert legal(position, f"{where}j") == {f"{where}j{to}" for to in "f12345"}
    alone = position.copy()
    play(alone, f"{where}j3")
    assert (line(alone, 1, 3), place(alone, 0)) == ("jj", "bb")
    play(position, f"{where}bj5")
    assert (line(position, 1, 5), place(position, 0)) == ("bbjj", "")


def test_all_tiles_of_a_take_with_jokers_go_to_one_line_and_the_rest_to_the_floor():
    """Placez les tuiles en trop sur le plancher."""
    position = table(tw.Azul(jokers=True), factories=["bbjj", "y"])
    play(position, "1bj3:1")
    assert (line(position, 1, 3), floor(position, 1)) == ("bbj", "j")


def test_a_line_holds_one_colour_and_jokers():
    """Chaque ligne motif peut comporter des tuiles d'une couleur et/ou des tuiles jokers."""
    position = table(tw.Azul(jokers=True), Board({3: "bj"}), factories=["byj"])
    assert "1b3" in position.legal_moves
    assert "1j3" in position.legal_moves
    assert "1y3" not in position.legal_moves
    assert not legal(position, "1yj3")


def test_a_joker_of_the_line_moves_to_the_cell_of_its_colour():
    """L'ordre doit être réarrangé afin qu'une tuile joker soit dans la case la plus à droite: it goes to the wall."""
    position = table(tw.Azul(jokers=True), Board({3: "bj"}), factories=["b"])
    play(position, "1b3")
    assert wall_row(position, 1, 3) == "..j.."
    assert lid(position) == "bb"


def test_a_line_of_jokers_alone_moves_to_any_free_cell():
    """Déplacez cette tuile joker sur n'importe quelle case libre de la ligne correspondante."""
    position = table(tw.Azul(jokers=True), Board({2: "j"}, {2: "wb..."}), factories=["j"])
    play(position, "1j2")
    assert legal(position) == {"w23", "w24", "w25"}
    play(position, "w23")
    assert wall_row(position, 1, 2) == "wbj.."
    assert position.scores == (3, 0)  # « Enfin, vous comptez les points comme d'habitude »


def test_a_joker_on_a_cell_bars_its_colour_from_the_line():
    """« Règles complémentaires »: vous ne pouvez jamais placer une tuile de cette couleur sur la ligne motif."""
    position = table(tw.Azul(jokers=True), Board(wall={2: ".j..."}), factories=["bwj"])
    assert legal(position, "1b") & {"1b2", "1bj2:0", "1bj2:1"} == set()
    assert "1w2" in position.legal_moves
    assert "1j2" in position.legal_moves


def test_rows_and_columns_may_include_jokers():
    """Les lignes horizontales ou verticales peuvent inclure une ou plusieurs tuiles jokers."""
    wall = {1: "jyrj.", 2: "....j", 3: "....r", 4: "....y", 5: "....j"}
    position = table(tw.Azul(jokers=True), Board({1: "w"}, wall), factories=["k"], turn=2)
    play(position, "1kf")
    points = position.outcome().points[0]
    assert (points["full rows"], points["full columns"], points["tiles on the wall"]) == (2, 7, 5 + 5)


@pytest.mark.parametrize(("first_cell", "bonus"), [("b", 10), ("j", 0)])
def test_example_four_blue_tiles_and_a_joker_on_a_blue_cell_are_no_ten_points(first_cell: str, bonus: int):
    """Si par exemple, vous avez 4 tuiles bleues et 1 tuile joker placée sur une case bleue: no 10 points."""
    wall = {1: first_cell + "yrk.", 2: ".b...", 3: "..b..", 4: "...b.", 5: "....b"}
    position = table(tw.Azul(jokers=True), Board({1: "w"}, wall), factories=["k"], turn=2)
    play(position, "1kf")
    assert position.outcome().points[0]["full colours"] == bonus
