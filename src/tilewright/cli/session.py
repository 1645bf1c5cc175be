"""A game being played in the terminal: whose turn it is, what they type, what they read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tilewright.bots.bot import ask
from tilewright.bots.errors import BotFailed
from tilewright.bots.search import SearchBot
from tilewright.cli.helping import help_text
from tilewright.cli.listing import list_moves
from tilewright.cli.saving import free_name, how_to_resume, save
from tilewright.cli.seats import Seat
from tilewright.cli.terminal import LEAVING, Left, Terminal, harmless, plain_number
from tilewright.game.errors import AmbiguousMove, BadMove, GameFault, IllegalMove, TilewrightError, UnreadableMove
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.validation import echo
from tilewright.view import narrator
from tilewright.view.language import DEFAULT
from tilewright.view.phrasing import labelled
from tilewright.view.text_drawing import draw_text


class _NoSuchNumber(UnreadableMove):
    """A number that the list of moves does not have."""


class Session:
    """One game, its players and the terminal they share."""

    def __init__(self, position: Position, seats: list[Seat], terminal: Terminal, file: Path | None = None) -> None:
        self.position = position
        self.seats = seats
        self.names = [seat.name for seat in seats]
        self.terminal = terminal
        self.language = terminal.language
        self.file = file
        self._own_files = {file.absolute()} if file is not None else set()
        self._saved = position.events if file is not None else []
        self._round_starts = _starts_of_rounds(position)
        self._commands: dict[str, Callable[[str], None]] = {
            "moves": self._list_moves,
            "undo": self._undo,
            "save": self._save,
            "hint": self._hint,
            "table": self._show_table,
            "help": self._help,
            "?": self._help,
            **dict.fromkeys(LEAVING, self._quit),
        }

    # The course of the game -----------------------------------------------------------------------------

    def play(self) -> bool:
        """Play to the end, or until the person leaves. False if a bot or the game failed and it cannot continue."""
        try:
            shown_turn = -1
            while not self.position.is_over:
                moves_made = len(self.position.events)
                if self._mover().bot is not None:
                    self._bot_moves()
                else:
                    if moves_made != shown_turn:
                        self._show_table("")
                        shown_turn = moves_made
                    self._person_moves()
            self._finish()
        except (Left, KeyboardInterrupt):
            self._leave()
        except (BotFailed, GameFault) as failure:
            self.terminal.tell("cannot_continue", why=harmless(" ".join(str(failure).split())))
            self._leave()
            return False
        return True

    def _mover(self) -> Seat:
        assert self.position.turn is not None
        return self.seats[self.position.turn]

    def _bot_moves(self) -> None:
        seat = self._mover()
        assert seat.bot is not None
        with self.terminal.patience(self.terminal.text("thinking", name=seat.name)):
            move = ask(seat.bot, self.position, seat.name)
        self._push(move)

    def _person_moves(self) -> None:
        moves = list(self.position.legal_moves)
        if not moves:
            raise self.position.legal_moves.why_none()
        key = "your_only_move" if len(moves) == 1 else "your_move"
        typed = self.terminal.ask(self.terminal.text(key, name=self._mover().name, move=moves[0]))
        word, _, rest = typed.partition(" ")
        if word.lower() in self._commands:
            self._commands[word.lower()](rest.strip())
            return
        try:
            if not typed and len(moves) > 1:
                self.terminal.tell("moves_number", n=len(moves))
            else:
                self._push(self._read_move(typed, moves))
        except BadMove as error:
            self.terminal.say(self._why_refused(error, typed))

    def _why_refused(self, error: BadMove, typed: str) -> str:
        """Why a move was refused, and what to do instead; in English the error says both."""
        if self.terminal.language == DEFAULT or isinstance(error, _NoSuchNumber):
            return str(error)
        if isinstance(error, IllegalMove):
            reason = narrator.why_illegal(self.position, self.position.move(typed), self.language)
            return self.terminal.text("illegal", typed=echo(typed), reason=reason)
        kinds = {UnreadableMove: "unreadable", AmbiguousMove: "ambiguous"}
        return self.terminal.text(kinds[type(error)], typed=echo(typed))

    def _read_move(self, typed: str, moves: list[Move]) -> Move:
        if not typed:
            return moves[0]
        if typed.isdigit():
            number = plain_number(typed)
            if not 1 <= number <= len(moves):
                raise _NoSuchNumber(self.terminal.text("number_range", last=len(moves)))
            return moves[number - 1]
        return self.position.move(typed)

    def _push(self, move: Move) -> None:
        """Play a move and tell it; at the end of a round, also what it brought."""
        before = self.position.copy()
        name = self._mover().name
        self.position.push(move)
        self.terminal.say(f"{name} {narrator.tell(before, move, self.language).with_text(move)}")
        if self.position.round != before.round or self.position.is_over:
            start = self._round_starts[before.round]
            names = narrator.player_names(before.game, self.names)
            told = narrator.tell_round(start, self.position, names, self.language)
            self.terminal.say("\n".join(["", self.terminal.text("after_round", number=before.round), *told, ""]))
        self._round_starts.setdefault(self.position.round, self.position.copy())

    # What can be typed ----------------------------------------------------------------------------------

    def _list_moves(self, wanted: str) -> None:
        self.terminal.say(list_moves(self.position, wanted, self.terminal.columns, self.language))

    def _show_table(self, _: str) -> None:
        terminal = self.terminal
        terminal.say(f"\n{draw_text(self.position, self.names, terminal.colour, terminal.columns, self.language)}\n")

    def _help(self, _: str) -> None:
        self.terminal.say(help_text(self.position, self.language))

    def _hint(self, _: str) -> None:
        with self.terminal.patience(self.terminal.text("search_thinking")):
            move = ask(SearchBot(), self.position)
        told = narrator.tell(self.position, move, self.language)
        if not told.has_text:
            self.terminal.tell("hint", move=move, told=told.sentence)
            return
        would_play = self.terminal.text("hint_move", move=move)
        self.terminal.say(labelled(would_play, told.detail, self.language) if told.detail else would_play)

    def _undo(self, _: str) -> None:
        """Back to the last decision of the person to move, over everything that others did after it."""
        earlier = self.position.copy()
        try:
            earlier.pop()
            while earlier.turn != self.position.turn:
                earlier.pop()
        except TilewrightError:
            self.terminal.tell("nothing_to_undo", name=self._mover().name)
            return
        self.position = earlier
        self._round_starts = {n: start for n, start in self._round_starts.items() if n <= earlier.round}
        self.terminal.tell("undone")

    def _save(self, name: str) -> None:
        path = Path(name) if name else self.file or free_name(self.position)
        try:
            save(self.position, self.names, path, path.absolute() in self._own_files, self.language)
        except (TilewrightError, OSError, ValueError) as error:
            refusal = isinstance(error, OSError) and error.strerror  # without the name of the unfinished file
            self.terminal.tell("not_saved", why=harmless(refusal or str(error)))
            return
        self.file = path
        self._own_files.add(path.absolute())
        self._saved = self.position.events
        self.terminal.tell("saved", command=how_to_resume(path))

    def _quit(self, _: str) -> None:
        raise Left

    # The end --------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        self._show_table("")
        if self.terminal.interactive:
            try:
                if self.terminal.confirm(self.terminal.text("save_question"), default=self.file is not None):
                    self._save("")
            except Left:
                pass

    def _leave(self) -> None:
        """Nobody loses a game by leaving: save it if they like, and say how to get it back."""
        if self.file is not None and self._saved == self.position.events:
            self.terminal.tell("continue_later", command=how_to_resume(self.file))
            return
        try:
            if self.terminal.interactive and self.terminal.confirm(self.terminal.text("save_question"), default=True):
                self._save("")
                return
        except Left:
            pass
        if self.file is not None:
            self.terminal.tell("left_after_save", command=how_to_resume(self.file))
        elif self.position.dealer is not None:
            self.terminal.tell("left", seed=self.position.dealer.seed)


def _starts_of_rounds(position: Position) -> dict[int, Position]:
    """The first position of each round so far, to tell what a round brought."""
    starts: dict[int, Position] = {}
    for earlier in position.record().positions():
        if not earlier.awaits_draw:
            starts.setdefault(earlier.round, earlier)
    return starts
