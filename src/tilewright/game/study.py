"""Studies: a game with variations and comments, saved as a record that any program reads as its main line.

A variation stands in parentheses after the event that it replaces, and a comment in braces after the event that it is
about, each on lines of their own::

    1 3b2
    { Blue is what she needs. }
    (
      1 3r2
      2 4k1
    )
    2 1w3
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tilewright.game.errors import BadOption, BadRecord, RecordFault, TilewrightError
from tilewright.game.moves import Draw, Event, Move
from tilewright.game.position import Position
from tilewright.game.record import (
    CLOSING,
    COMMENT,
    OPENING,
    Record,
    check_ending,
    event_lines,
    read_event,
    read_header,
    result_of,
)
from tilewright.game.validation import echo, expect_text

_INDENT = "  "
_DEEPEST_INDENT = 20


@dataclass(eq=False)
class Node:
    """An event of a study, what is said about it, and what may follow it, the main line first."""

    event: Event | None = None
    """None at the beginning, before any event."""
    comment: str = ""
    """One or more lines of text."""
    children: list[Node] = field(default_factory=list)

    def child(self, event: Event) -> Node:
        """What follows if this event happens; a new variation if it is not there yet."""
        if not isinstance(event, Move | Draw):
            raise BadOption(f"an event is a Move or a Draw, as in position.events, not {echo(event)}")
        found = next((node for node in self.children if node.event == event), None)
        if found is None:
            self.children.append(found := Node(event))
        return found


@dataclass
class Study:
    """A record without its events, and the tree of events that takes their place.

    >>> import tilewright as tw
    >>> position = next(iter(tw.GAMES.values()))().start(seed=7)
    >>> one, other, *_ = position.legal_moves
    >>> study = tw.Study.of(position.record(["Anna", "Paul"]))
    >>> deal = study.root.children[0]
    >>> deal.child(one).comment = "As it was played."
    >>> deal.child(other).comment = "Better."
    >>> again = tw.read_study(study.to_text())
    >>> [node.comment for node in again.root.children[0].children]
    ['As it was played.', 'Better.']
    >>> tw.read_record(study.to_text()).events == [deal.event, one]
    True
    """

    record: Record
    """Game, names and beginning; it has no events of its own."""
    root: Node = field(default_factory=Node)

    @classmethod
    def of(cls, record: Record) -> Study:
        """A study of a game; variations can be added to it.

        It does not keep the seed, because draws in a variation do not follow from it.
        """
        if not isinstance(record, Record):
            raise BadOption(f"a study is made from a Record, such as position.record(), not {echo(record)}")
        study = cls(Record(record.game, [], list(record.names), start=record.start))
        node = study.root
        for event in record.events:
            node = node.child(event)
        return study

    def main_line(self) -> Record:
        """The study without comments and variations."""
        record, node = self.record, self.root
        events: list[Event] = []
        while node.children:
            node = node.children[0]
            assert node.event is not None
            events.append(node.event)
        return Record(record.game, events, list(record.names), start=record.start)

    def to_text(self) -> str:
        """The file: a record with comments and variations."""
        body = list(self._body())
        end = self.main_line().replay()
        return "\n".join([*self.record.header_lines(result_of(end)), *body]) + "\n"

    def _body(self) -> Iterator[str]:
        """The lines of the tree. A study may be nested deeper than Python can recurse."""
        yield from _comment_lines(self.root.comment, 0)
        pending: list[str | tuple[list[Node], Position, int]] = [(self.root.children, self.record.beginning(), 0)]
        while pending:
            item = pending.pop()
            if isinstance(item, str):
                yield item
                continue
            nodes, position, depth = item
            if not nodes:
                continue
            main, *others = nodes
            indent = _indent(depth)
            after: list[str | tuple[list[Node], Position, int]] = []
            for other in others:
                after += [indent + OPENING, ([other], position.copy(), depth + 1), indent + CLOSING]
            assert main.event is not None
            lines = event_lines(position, main.event, is_first=main in self.root.children[:1])
            n = next(n for n, line in enumerate(lines) if line and not line.startswith("#"))
            yield from lines[:n] if not depth else ()
            yield indent + lines[n]
            yield from _comment_lines(main.comment, depth)
            after += lines[n + 1 :] if not depth else []
            pending += reversed([*after, (main.children, position, depth)])


def _indent(depth: int) -> str:
    return _INDENT * min(depth, _DEEPEST_INDENT)


def _comment_lines(comment: str, depth: int) -> list[str]:
    """A comment, a line in braces for each of its lines that says something."""
    text = expect_text(comment, "a comment", TilewrightError)
    cleaned = ("".join(letter if letter.isprintable() else " " for letter in line) for line in text.splitlines())
    return [f"{_indent(depth)}{{ {line.strip()} }}" for line in cleaned if line.strip()]


def read_study(text: str) -> Study:
    """Read a record with all its variations and comments, and check all of it, as ``read_record`` does."""
    record, body = read_header(text)
    reader = _Reader(Study(Study.of(record).record))
    for line, number in body:
        reader.read(line, number)
    study = reader.finished()
    checked = study.main_line()
    checked.secret_hash, checked.secret = record.secret_hash, record.secret
    check_ending(checked, checked.replay(), text)
    return study


@dataclass
class _Branch:
    """Where the reader is in a line of play: after a node, which came from another one."""

    node: Node
    position: Position
    parent: Node | None = None
    before: Position | None = None
    opened: int = 0
    """The line in which the variation began."""


class _Reader:
    """Reads the body of a study line by line."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._branches = [_Branch(study.root, study.record.beginning())]

    def read(self, line: str, number: int) -> None:
        """Take in a line."""
        if line == OPENING:
            self._open(number)
        elif line == CLOSING:
            self._close(number)
        elif line.startswith(COMMENT):
            self._comment(line, number)
        else:
            branch = self._branches[-1]
            branch.parent, branch.before = branch.node, branch.position.copy()
            branch.node = branch.node.child(read_event(branch.position, line, number))

    def _open(self, number: int) -> None:
        branch = self._branches[-1]
        if branch.parent is None or branch.before is None:
            reason = "a variation stands after the event that it replaces, and there is none before it"
            raise _bad_variation(reason, number)
        self._branches.append(_Branch(branch.parent, branch.before.copy(), opened=number))

    def _close(self, number: int) -> None:
        if len(self._branches) == 1:
            raise _bad_variation(f"{CLOSING!r} closes a variation, but none is open", number)
        if self._branches.pop().parent is None:
            raise _bad_variation("a variation needs at least one event", number)

    def _comment(self, line: str, number: int) -> None:
        branch = self._branches[-1]
        if not line.endswith("}"):
            raise _bad_variation("a comment ends with '}' on the line that it begins on", number)
        if branch.parent is None and len(self._branches) > 1:
            raise _bad_variation("a comment stands after the event that it is about", number)
        said = line[1:-1].strip()
        if not said:
            raise _bad_variation(f"{echo(line)} is empty", number)
        branch.node.comment = f"{branch.node.comment}\n{said}".strip()

    def finished(self) -> Study:
        """The study, when every line was read."""
        if len(self._branches) > 1:
            opened = self._branches[-1].opened
            raise _bad_variation(f"the variation that begins here has no {CLOSING!r} at its end", opened)
        return self._study


def _bad_variation(reason: str, line: int) -> BadRecord:
    return BadRecord(reason, line, RecordFault.VARIATION)
