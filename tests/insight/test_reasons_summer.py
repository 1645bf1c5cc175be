"""Every kind of reason in Summer Pavilion, on positions built for it."""

from __future__ import annotations

import tilewright as tw
from rules.positions_summer import star, table
from tilewright.games.summer_pavilion.reasons import reasons
from tilewright.insight.comparison import Comparison
from tilewright.insight.reason import Reason
from tilewright.insight.wording import tell_reasons
from tilewright.view.language import LANGUAGES
from tilewright.view.narrator import tell


def why(position: tw.Position, played: str, better: str) -> dict[str, Reason]:
    """The reasons by kind."""
    found = list(reasons(Comparison.of(position, [position.move(played)], [position.move(better)])))
    for reason in found:
        for language in LANGUAGES:
            [told] = tell_reasons([reason], position.game, ["Anna", "Paul"], language)
            assert "{" not in told
    return {reason.kind: reason for reason in found}


# Placing ----------------------------------------------------------------------------------------------------


def test_points_at_once():
    position = table(hands=["rrbb", "g"], boards=["r1"])
    assert why(position, "b2", "r2")["scores_more"].fields == {"n": 2, "other": 1}
    assert "scores_more" not in why(position, "r2", "b2")
    assert "scores_more" not in why(table(hands=["rrbb", "g"]), "b2", "r2")


def test_passing_too_early_and_in_time():
    position = table(hands=["rrbb", "g"], boards=["r1"])
    assert why(position, "pass", "r2")["passes_early"].fields == {"n": 2}
    assert why(position, "r2", "pass")["pass_now"].fields == {"n": 4}
    assert "pass_discards" not in why(position, "pass", "r2")
    assert why(table(hands=["rrbbbb", "g"]), "pass", "r2")["pass_discards"].fields == {"n": 2}
    poor = table(hands=["rrbbbb", "g"], scores=[2, 5])
    assert "pass_discards" not in why(poor, "pass", "r2"), "no loss takes a score below 1"
    assert "pass_now" not in why(table(hands=["rrbbb", "g"]), "r2", "pass"), "a tile would be lost"
    assert "pass_now" not in why(table(round_number=6, hands=["rrbb", "g"]), "r2", "pass"), "there is no next round"


def test_features():
    position = table(hands=["rrrrrrg", "g"], boards=["r5"])
    window = why(position, "r1", "r6")["window"]
    assert window.fields == {"n": 3}
    assert "window" not in why(position, "r6", "r1")
    assert "window" not in why(table(hands=["rrrrrrg", "g"]), "r1", "r6")
    both = table(hands=["rrrrrrbbbbbb", "g"], boards=["r5 b5"])
    assert not {"window", "pillar", "statue"} & why(both, "b6", "r6").keys(), "the other move completes one too"


def test_two_pillars_at_once_are_one_reason():
    around = "r2 r3 b2 b3 c1g c3o"
    position = table(hands=["yyg", "g"], boards=[around])
    found = why(position, "g1", "c2y")
    assert found["pillars"].fields == {"n": 2}
    assert "pillar" not in found
    assert tell(position, position.move("c2y"), "en").sentence.endswith("; completes two pillars")


def test_a_feature_that_lacks_one_space():
    pillar = table(hands=["gyy", "g"], boards=["r2 r3"])
    assert why(pillar, "g1", "c2y")["pillar_progress"].fields == {"n": 1}
    window = table(hands=["rrrrrg", "g"])
    assert why(window, "g1", "r5")["window_progress"].fields == {"n": 3}
    assert "window_progress" not in why(window, "r5", "g1")
    begun = table(hands=["rrrrrrg", "g"], boards=["r5"])
    assert "window_progress" not in why(begun, "g1", "r6"), "it completes the window"


def test_stars():
    five = "r1 r2 r3 r4 r5"
    position = table(hands=["rrrrrrg", "g"], boards=[five])
    assert why(position, "g1", "r6")["star"].fields["bonus"] == 14
    assert "star" not in why(position, "r6", "g1")
    four = table(hands=["rrrrrg", "g"], boards=["r1 r2 r3 r4"])
    assert why(four, "g1", "r5")["star_progress"].fields["n"] == 1
    assert "star_progress" not in why(four, "r5", "g1")
    assert "star_progress" not in why(table(hands=["rrrrrg", "g"]), "g1", "r5")


def test_numbers():
    ones = " ".join(f"{letter}1" for letter in "goybr") + " c1p"
    position = table(hands=["pr", "g"], boards=[ones])
    assert why(position, "pass", "p1")["number"].fields == {"number": 1, "bonus": 4}
    assert "number" not in why(table(hands=["pr", "g"], boards=[ones.replace("g1 ", "")]), "pass", "p1")


def test_grey_stars_have_numbers():
    position = table(side="grey", hands=["rrrrrrg", "g"], boards=[star("s1", "rrrrr", "32145")])
    assert why(position, "pass", "s16r")["star_grey"].fields == {"number": 1, "bonus": 14}


# Taking -----------------------------------------------------------------------------------------------------


def draft(**given: object) -> tw.Position:
    return table(phase="draft", **given)  # type: ignore[arg-type]


def test_more_tiles_and_jokers():
    position = draft(factories=["rrrg", "pbyy", "gbyo"])
    assert why(position, "1g", "1r")["more_tiles"].fields == {"n": 3, "other": 1}
    assert "more_tiles" not in why(position, "1r", "1g")
    assert why(position, "3b", "2b")["joker_alone"].fields == {"n": 1}
    assert "jokers" not in why(position, "2b", "3b")


def test_the_marker():
    position = draft(factories=["rrrg"], centre="bb", scores=[10, 10])
    assert "marker" in why(position, "1r", "cb")
    assert why(position, "cb", "1r")["marker_cost"].fields == {"n": 2}
    taken = draft(factories=["rrrg"], centre="bb", marker=2)
    assert not {"marker", "marker_cost"} & {*why(taken, "1r", "cb"), *why(taken, "cb", "1r")}
    last = draft(round_number=6, factories=["rrrg"], centre="bb", scores=[10, 10])
    assert "marker" not in why(last, "1g", "cb")


def test_collecting_for_a_star():
    position = draft(factories=["rrbb"], boards=["r1 r2 r3"])
    assert why(position, "1b", "1r")["builds_star"].fields["n"] == 3
    assert "builds_star" not in why(position, "1r", "1b")
    assert "builds_star" not in why(draft(factories=["rrbb"]), "1b", "1r")


def test_gathering_a_colour():
    position = draft(factories=["rrbb", "gyoo"], hands=["rrb", ""])
    assert why(position, "1b", "1r")["collects_colour"].fields == {"n": 4, "other": 3, "colour": "text:tile_r"}
    assert "collects_colour" not in why(position, "1r", "1b")
    assert "collects_colour" not in why(draft(factories=["rrbb", "gyoo"], hands=["y", ""]), "2g", "2y"), (
        "two are not many"
    )
    assert "collects_colour" not in why(draft(factories=["rrrb", "gyoo"]), "2g", "1r"), "none of them was there before"


def test_what_is_left_for_the_next_player():
    position = draft(factories=["rrrr", "gbyo"])
    assert why(position, "2g", "1r")["leaves"].fields == {"seat": 1, "n": 4, "other": 1}
    assert "leaves" not in why(position, "1r", "2g")


# Bonus tiles and tiles to keep --------------------------------------------------------------------------------


def test_bonus_tiles():
    position = table(phase="bonus", owed=1, hands=["rr", "g"], boards=["r5 r6"], supply="ppggooyybr")
    assert why(position, "bonus b", "bonus p")["joker_alone"].fields == {"n": 1}
    two = table(phase="bonus", owed=2, hands=["rr", "g"], boards=["r1 r2 r5 r6"], supply="ppggooyybr")
    assert why(two, "bonus gp", "bonus pp")["jokers"].fields == {"n": 2, "other": 1}
    assert why(two, "bonus gg", "bonus gr")["builds_star"].fields == {"star": "text:star_r", "n": 2}
    assert "builds_star" not in why(two, "bonus gr", "bonus gg")


def test_spending_jokers():
    position = table(hands=["rrpppg", "g"])
    assert why(position, "r4+3", "r4+2")["saves_jokers"].fields == {"n": 2, "other": 3}
    assert why(position, "r3+1", "r2")["saves_all_jokers"].fields == {"n": 1}
    assert "saves_jokers" not in why(position, "r4+2", "r4+3")
    assert why(position, "r2", "r1")["saves_tiles"].fields == {"n": 1, "other": 2}
    assert "saves_tiles" not in why(position, "r1", "r2")
    assert "saves_tiles" not in why(table(hands=["bbbrp", "g"]), "b3", "r2+1"), "a joker is worth more"


def test_discarding():
    position = table(phase="keep", hands=["rrrrrr", "g"], passed="1", scores=[10, 10])
    assert why(position, "keep rrr", "keep rrrr")["loses_fewer"].fields == {"n": 3, "other": 2}
    assert "loses_fewer" not in why(position, "keep rrrr", "keep rrr")
