"""Reviews in words, in every language."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.game import Game
from tilewright.insight.grades import MISTAKES, Grade
from tilewright.insight.reason import TEXT_KEY, Reason
from tilewright.insight.review import MoveReview, Review, SeatReview
from tilewright.view import narrator
from tilewright.view.grammar import decimal, percent
from tilewright.view.language import DEFAULT, find_key, say, say_for, texts

_CLEAR = 0.08
"""From this win chance on, skill or luck is said to have made the difference."""


def signed_percent(change: float, language: str = DEFAULT) -> str:
    """A change in win chance, with its sign.

    >>> signed_percent(0.06), signed_percent(-0.06), signed_percent(0.001)
    ('+6%', '−6%', '0%')
    """
    sign = "" if round(change, 2) == 0 else "+" if change > 0 else "−"
    return sign + percent(abs(change), language)


def signed_points(points: float, language: str = DEFAULT) -> str:
    """A change in points, with its sign and one decimal place.

    >>> signed_points(-4.25), signed_points(2, "fr"), signed_points(-0.04)
    ('−4.2', '+2,0', '0.0')
    """
    sign = "" if round(points, 1) == 0 else "+" if points > 0 else "−"
    return sign + decimal(abs(points), language)


def grade_name(grade: Grade, language: str = DEFAULT) -> str:
    """What a grade is called."""
    return say(language, f"insight.grade.{grade}")


# Reasons ------------------------------------------------------------------------------------------------


def tell_reasons(
    reasons: Sequence[Reason],
    game: Game,
    names: Sequence[str],
    language: str = DEFAULT,
    *,
    you: int | None = None,
    was_played: bool = True,
) -> list[str]:
    """All as sentences in which "it" is the better move, the most important first.

    Those that hold if everybody plays well are one sentence, in the place of the first of them. Whoever sits in the
    seat ``you`` reads them, and is not named in it. The move that "it" is compared with is called the move played or,
    where nothing was played yet, the other move.
    """
    other_move = say(language, "review.the_move_played" if was_played else "review.the_other_move")
    expected = [reason for reason in reasons if reason.is_expected]
    told: list[str] = []
    for reason in reasons:
        if not reason.is_expected:
            sentence = _text(reason, game, names, language, other_move=other_move)
            begins_with_it = sentence.startswith(other_move)  # a name keeps its first letter as it is
            told.append(sentence[:1].upper() + sentence[1:] if begins_with_it else sentence)
        elif reason is expected[0]:
            told.append(say(language, "insight.expected", clauses=_joined(expected, game, names, language, you)))
    return told


def _joined(reasons: Sequence[Reason], game: Game, names: Sequence[str], language: str, you: int | None) -> str:
    """Clauses as one sentence; where two in succession are about the same player, the second lacks the name."""
    whole = ""
    subject: tuple[int, bool] | None = None
    for reason in reasons:
        seat = int(reason.fields["seat"])
        addressed = _addressing(reason, game, language) if seat == you else None
        about = (seat, addressed is not None)
        clause = _text(reason, game, names, language, addressed)
        if about == subject:
            whole, subject = say(language, "insight.and", one=whole, other=clause), None
            continue
        named = "insight.of_you" if addressed else "insight.of_player"
        clause = say(language, named, name=names[seat], clause=clause)
        whole, subject = say(language, "insight.joint", one=whole, other=clause) if whole else clause, about
    return whole


def _addressing(reason: Reason, game: Game, language: str) -> str | None:
    """The key of the text that speaks to the player; None if there is only one that speaks about players."""
    shared = f"insight.yours.{reason.kind}"
    is_there = shared in texts(language) or f"{shared}.other" in texts(language)
    return find_key(game.spec, language, f"yours.{reason.kind}") or (shared if is_there else None)


def _text(
    reason: Reason,
    game: Game,
    names: Sequence[str],
    language: str,
    addressed: str | None = None,
    other_move: str = "",
) -> str:
    """A sentence, or what is expected of a player, without the player's name."""
    spec = game.spec
    values: dict[str, object] = {"played": other_move}
    for field, value in reason.fields.items():
        if field == "seat":
            values["name"] = names[int(value)]
        elif isinstance(value, str) and value.startswith(TEXT_KEY):
            values[field] = say_for(spec, language, value.removeprefix(TEXT_KEY))
        elif field == "other" and value == 0:
            values[field] = say(language, "insight.zero")
        else:
            values[field] = value
    key = addressed or find_key(spec, language, f"reason.{reason.kind}") or f"insight.reason.{reason.kind}"
    return say(language, key, **values)


# The summary --------------------------------------------------------------------------------------------


def summary(review: Review, names: Sequence[str] | None = None, language: str = DEFAULT) -> tuple[str, str]:
    """A complete review in two sentences: how the game was won, and where it turned."""
    names = narrator.player_names(review.record.game, names or review.record.names, language)
    return _how(review, names, language), _where(review, names, language)


def _how(review: Review, names: Sequence[str], language: str) -> str:
    outcome = review.record.replay().outcome()
    if outcome is None:
        chances = [seat.result for seat in review.seats]
        leader = chances.index(max(chances))
        return say(
            language, "insight.summary.unfinished", name=names[leader], chance=percent(chances[leader], language)
        )
    result = narrator.result(outcome, names, language)
    if len(outcome.winners) > 1:
        return say(language, "insight.summary.shared", result=result)
    winner = outcome.winners[0]
    totals = review.seats[winner]
    others = [seat for n, seat in enumerate(review.seats) if n != winner]
    return say(
        language,
        f"insight.summary.{_cause(totals, others)}",
        result=result,
        name=names[winner],
        own=_given_away(totals, language),
        theirs=_given_away(max(others, key=lambda seat: seat.given_away), language),
        luck=signed_percent(totals.luck, language),
    )


def _given_away(seat: SeatReview, language: str) -> str:
    mistakes = sum(seat.grades[grade] for grade in MISTAKES)
    return say(language, "insight.summary.given_away", loss=percent(seat.given_away, language), n=mistakes)


def _cause(winner: SeatReview, others: Sequence[SeatReview]) -> str:
    """What made the difference, as far as one thing clearly did."""
    edge = min(seat.given_away for seat in others) - winner.given_away
    is_sure = abs(winner.luck) > 2 * winner.luck_error
    if is_sure and winner.luck <= -_CLEAR:
        return "against_luck"
    if is_sure and winner.luck >= max(_CLEAR, edge):
        return "luck"
    if edge >= _CLEAR:
        return "skill" if len(others) == 1 else "skill_of_many"
    return "even"


def _where(review: Review, names: Sequence[str], language: str) -> str:
    """Where it turned; failing that, the largest mistake, if there was one."""
    turn = review.turning_point
    if turn is not None and turn.seat is None:
        gain = percent(turn.swing, language)
        return say(language, "insight.summary.deal", round=turn.round, name=names[turn.winner], gain=gain)
    if turn is not None:
        move = next(one for one in review.moves if one.event == turn.event)
        return _costly_move("move", review, move, names, language)
    largest = max(review.moves, key=lambda one: one.loss, default=None)
    if largest is None or largest.grade not in MISTAKES:
        return say(language, "insight.summary.no_turn")
    return _costly_move("largest", review, largest, names, language)


def _costly_move(key: str, review: Review, move: MoveReview, names: Sequence[str], language: str) -> str:
    position = list(review.record.positions())[move.event]
    return say(
        language,
        f"insight.summary.{key}",
        round=move.round,
        name=names[move.seat],
        loss=percent(move.loss, language),
        told=narrator.tell(position, move.move, language).sentence,
    )
