"""What a move of Summer Pavilion brings about: shown step by step after it, said in a few words before it."""

from __future__ import annotations

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.games.family.factories import CENTRE, NOBODY
from tilewright.games.family.heap import KINDS, number_of
from tilewright.games.summer_pavilion import rules as summer_pavilion
from tilewright.games.summer_pavilion.board import (
    CENTRE_STAR,
    FEATURES,
    FULL_STAR,
    MULTICOLOUR_BONUS,
    NUMBER_BONUS,
    RING_RUN,
    STAR_BONUS,
    STAR_SPACES,
    STARS,
)
from tilewright.games.summer_pavilion.moves import (
    PLACEMENTS,
    SMALL_HEAPS,
    first_bonus_move,
    first_placement_move,
    pass_move,
)
from tilewright.games.summer_pavilion.picture.scene import (
    FEATURE_BITS,
    LETTERS,
    NUMBER_BITS,
    count_heap,
    numbered,
    scene,
    spell,
)
from tilewright.games.summer_pavilion.rules import CORNERS, LOWEST_SCORE, SUPPLY_SPACES
from tilewright.view.language import say
from tilewright.view.picture.scene import Scene, Step

AREA = "summer_pavilion."

# ------------------------------------------------------------------------------------------------ After it


def steps(before: Position, move: Move, after: Position) -> list[Step]:
    """The move itself, the refilling of the supply, the deal of a new round; at the end the bonuses one by one."""
    seat = int(before.table["turn"][0])
    moment = _right_after(before, move)
    points = int(moment.table["score"][0, seat]) - int(before.table["score"][0, seat])
    shown = [Step(scene(moment), seat if points else None, points, _where(before, move, seat) if points else "")]
    if after.is_over:
        shown += _final_steps(moment, shown[-1].scene)
    elif int(after.table["supply"][0]) != int(moment.table["supply"][0]):
        shown.append(Step(_refilled(moment, after)))
    final = scene(after)
    if shown[-1].points or shown[-1].scene.tiles != final.tiles:
        return shown if shown[-1].scene == final else [*shown, Step(final)]
    return [*shown[:-1], Step(final)]


def _right_after(before: Position, move: Move) -> Position:
    """The position before anything is drawn; after the last pass of a round, before the next is prepared."""
    moment = Position(before.game, before.table.copy())
    moment.game.kernels.push_at(moment.table, 0, int(move))
    if moment.round == before.round and not moment.is_over:
        return moment
    moment = Position(before.game, before.table.copy())
    row, seat = moment.row, int(before.row.turn)
    if before.phase == "keep":
        kept = int(SMALL_HEAPS[int(move) - int(pass_move(row)) - 1])
        discarded = int(row.hand[seat]) - kept
        row.score[seat] -= min(count_heap(discarded), int(row.score[seat]) - LOWEST_SCORE)
        row.tower += discarded
        row.hand[seat] = kept
    row.passed |= 1 << seat
    row.phase = summer_pavilion.SUPPLY  # nobody's turn
    return moment


def _where(before: Position, move: Move, seat: int) -> str:
    """Where points of a move are shown: on the space that was covered, or at the tiles that cost them."""
    if before.phase == "place":
        space, _, _ = _placement(before, move)
        return f"p{seat + 1}-space-{space}"
    return f"p{seat + 1}-hand"


def _refilled(moment: Position, after: Position) -> Scene:
    """The moment with a full supply, before a new round begins."""
    full = scene(moment)
    supply = int(after.table["supply"][0])
    for slot in numbered("supply", SUPPLY_SPACES):
        full.tiles.pop(slot, None)
    full.tiles.update(zip(numbered("supply", SUPPLY_SPACES), spell(supply), strict=False))
    drawn = count_heap(supply) - count_heap(int(moment.table["supply"][0]))
    bag, tower = int(full.texts["bag"]), int(full.texts["tower"])
    if drawn > bag:
        bag, tower = bag + tower, 0  # the tower was poured into the bag
    full.texts |= {"bag": str(bag - drawn), "tower": str(tower)}
    return full


def _final_steps(moment: Position, now: Scene) -> list[Step]:
    """The bonuses of every player, then what the tiles left in corners cost."""
    row = moment.row
    shown: list[Step] = []
    for seat in range(moment.game.players):
        player, score = f"p{seat + 1}", int(row.score[seat])
        for at, bonus in _bonuses(moment, seat):
            score += bonus
            now = Scene(now.tiles, now.texts | {f"{player}-score": str(score)}, now.marks)
            shown.append(Step(now, seat, bonus, at))
        left = count_heap(int(row.hand[seat]))
        if left:
            lost = min(left, score - LOWEST_SCORE)
            tiles = {slot: kind for slot, kind in now.tiles.items() if not slot.startswith(f"{player}-corner-")}
            tower = str(int(now.texts["tower"]) + left)
            now = Scene(tiles, now.texts | {f"{player}-score": str(score - lost), "tower": tower}, now.marks)
            shown.append(Step(now, seat, -lost, f"{player}-corner-0") if lost else Step(now))
    return shown


def _bonuses(moment: Position, seat: int) -> list[tuple[str, int]]:
    """Where each bonus of a player is shown, and its points."""
    row, player = moment.row, f"p{seat + 1}"
    stars = [(f"{player}-star-{star}", int(summer_pavilion.star_bonus(row, seat, star))) for star in range(STARS)]
    numbers = [(f"{player}-number-{n}", int(summer_pavilion.number_bonus(row, seat, n))) for n in range(1, 5)]
    return [(at, bonus) for at, bonus in stars + numbers if bonus]


# ------------------------------------------------------------------------------------------------ Before it


def preview(position: Position, move: Move, language: str) -> list[str]:
    """What a move would bring, in short phrases."""
    number, row = int(move), position.row
    if position.phase == "draft":
        return _preview_take(position, number // KINDS, number % KINDS, language)
    if position.phase == "bonus":
        chosen = int(SMALL_HEAPS[number - int(first_bonus_move(row)) + 1])
        return [say(language, AREA + "takes", n=count_heap(chosen)), *_joker_phrases(position, chosen, language)]
    if position.phase == "keep":
        kept = int(SMALL_HEAPS[number - int(pass_move(row)) - 1])
        return _preview_keep(position, kept, language)
    if number == int(pass_move(row)):
        return _preview_pass(position, language)
    return _preview_placement(position, move, language)


def _placement(position: Position, move: Move) -> tuple[int, int, int]:
    """Space, colour and jokers of a placement."""
    row = position.row
    return PLACEMENTS[int(row.grey)][int(move) - int(first_placement_move(row))]


def _joker(position: Position) -> int:
    return int(summer_pavilion.joker_colour(position.row))


def _affordable(position: Position, points: int) -> int:
    """What a loss would really cost: no score falls below 1."""
    return min(points, position.scores[int(position.row.turn)] - LOWEST_SCORE)


def _joker_phrases(position: Position, heap: int, language: str) -> list[str]:
    jokers = int(number_of(heap, _joker(position)))
    return [say(language, AREA + "with_jokers", n=jokers)] if jokers else []


def _preview_take(position: Position, place: int, colour: int, language: str) -> list[str]:
    heap, joker = int(position.row.places[place]), _joker(position)
    jokers = min(1, int(number_of(heap, joker)))
    taken = jokers + (0 if colour == joker else int(number_of(heap, colour)))
    phrases = [say(language, AREA + "takes", n=taken)]
    if jokers:
        phrases.append(say(language, AREA + "with_jokers", n=jokers))
    if place == CENTRE and int(position.row.marker) == NOBODY:
        lost = _affordable(position, taken)
        phrases.append(say(language, AREA + "takes_marker", points=f"−{lost}" if lost else "0"))
    return phrases


def _preview_keep(position: Position, kept: int, language: str) -> list[str]:
    discarded = count_heap(int(position.row.hand[position.row.turn])) - count_heap(kept)
    phrases = [say(language, AREA + "keeps", n=count_heap(kept)) if kept else say(language, AREA + "keeps_nothing")]
    if discarded:
        lost = _affordable(position, discarded)
        phrases.append(say(language, AREA + "discards", n=discarded, points=f"−{lost}" if lost else "0"))
    return phrases


def _preview_pass(position: Position, language: str) -> list[str]:
    phrases = [say(language, AREA + "passes")]
    surplus = count_heap(int(position.row.hand[position.row.turn])) - CORNERS
    if surplus > 0:
        phrases.append(say(language, AREA + "must_discard", n=surplus))
    return phrases


def _preview_placement(position: Position, move: Move, language: str) -> list[str]:
    row = position.row
    space, colour, jokers = _placement(position, move)
    seat, (star, ring) = int(row.turn), divmod(space, STAR_SPACES)
    old = int(row.covered[seat])
    covered = old | 1 << space
    pattern = covered >> STAR_SPACES * star & FULL_STAR
    phrases = [say(language, AREA + "scores", n=int(RING_RUN[pattern, ring]))]
    if jokers:
        phrases.append(say(language, AREA + "uses_jokers", n=jokers))
    phrases += _feature_phrases(position, old, covered, language)
    if pattern == FULL_STAR:
        colours = int(row.star_colours[seat, star]) | 1 << colour
        phrases.append(_star_phrase(position, star, colour if colours == 1 << colour else None, language))
    for n, bits in enumerate(NUMBER_BITS[int(row.grey)][1:], start=1):
        if covered & bits == bits and old & bits != bits:
            phrases.append(say(language, AREA + "completes_number", number=n, bonus=int(NUMBER_BONUS[n])))
    return phrases


def _feature_phrases(position: Position, old: int, covered: int, language: str) -> list[str]:
    """The features that are completed; their tiles as far as the supply has them."""
    completed = [n for n, bits in enumerate(FEATURE_BITS) if covered & bits == bits and old & bits != bits]
    left = count_heap(int(position.row.supply))
    phrases = []
    for n in completed:
        name, reward, _ = FEATURES[n]
        given = min(reward, left)
        left -= given
        phrases.append(say(language, f"{AREA}completes_{name}", n=given))
    return phrases


def _star_phrase(position: Position, star: int, colour: int | None, language: str) -> str:
    bonus = MULTICOLOUR_BONUS if colour is None else int(STAR_BONUS[colour])
    if position.row.grey and star != CENTRE_STAR:
        return say(language, AREA + "completes_grey_star", bonus=bonus)
    which = "centre" if star == CENTRE_STAR else LETTERS[star]
    return say(language, AREA + "completes_star", star=say(language, f"{AREA}star_{which}"), bonus=bonus)
