"""A game being played in the terminal: whose turn it is, what they type, what is told."""

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
from tilewright.cli.terminal import Left, Terminal, harmless, plain_number
from tilewright.game.errors import TilewrightError, UnreadableMove
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.view import narrator
from tilewright.view.text_drawing import draw_text


class Session:
    """One game, its players and the terminal they share."""

    def __init__(self, position: Position, seats: list[Seat], terminal: Terminal, file: Path | None = None) -> None:
        self.position = position
        self.seats = seats
        self.names = [seat.name for seat in seats]
        self.terminal = terminal
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
            "quit": self._quit,
            "exit": self._quit,
        }

    # The course of the game -----------------------------------------------------------------------------

    def play(self) -> bool:
        """Play to the end, or until the person leaves. False if a bot failed and the game cannot go on."""
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
        except BotFailed as failure:
            self.terminal.say(f"The game cannot go on: {harmless(' '.join(str(failure).split()))}")
            self._leave()
            return False
        return True

    def _mover(self) -> Seat:
        assert self.position.turn is not None
        return self.seats[self.position.turn]

    def _bot_moves(self) -> None:
        seat = self._mover()
        assert seat.bot is not None
        with self.terminal.patience(f"{seat.name} is thinking ..."):
            move = ask(seat.bot, self.position, seat.name)
        self._push(move)

    def _person_moves(self) -> None:
        moves = list(self.position.legal_moves)
        only = f" (Enter plays the only one, {moves[0]})" if len(moves) == 1 else " (? for help)"
        typed = self.terminal.ask(f"{self._mover().name}, your move{only}:")
        word, _, rest = typed.partition(" ")
        if word.lower() in self._commands:
            self._commands[word.lower()](rest.strip())
            return
        try:
            if not typed and len(moves) > 1:
                self.terminal.say(f"There are {len(moves)} moves; 'moves' lists them, '?' helps.")
            else:
                self._push(self._read_move(typed, moves))
        except TilewrightError as error:
            self.terminal.say(str(error))

    def _read_move(self, typed: str, moves: list[Move]) -> Move:
        if not typed:
            return moves[0]
        if typed.isdigit():
            number = plain_number(typed)
            if not 1 <= number <= len(moves):
                raise UnreadableMove(f"the list of moves goes from 1 to {len(moves)}; 'moves' shows it")
            return moves[number - 1]
        return self.position.move(typed)

    def _push(self, move: Move) -> None:
        """Play a move and tell it; at the end of a round, also what it brought."""
        before = self.position.copy()
        name = self._mover().name
        self.position.push(move)
        self.terminal.say(f"{name} {narrator.tell(before, move).sentence}  ({move})")
        if self.position.round != before.round or self.position.is_over:
            start = self._round_starts[before.round]
            told = narrator.tell_round(start, self.position, narrator.player_names(before.game, self.names))
            self.terminal.say("\n".join(["", f"After round {before.round}:", *told, ""]))
        self._round_starts.setdefault(self.position.round, self.position.copy())

    # What can be typed ----------------------------------------------------------------------------------

    def _list_moves(self, wanted: str) -> None:
        self.terminal.say(list_moves(self.position, wanted, self.terminal.columns))

    def _show_table(self, _: str) -> None:
        self.terminal.say(f"\n{draw_text(self.position, self.names, self.terminal.colour, self.terminal.columns)}\n")

    def _help(self, _: str) -> None:
        self.terminal.say(help_text(self.position.game))

    def _hint(self, _: str) -> None:
        with self.terminal.patience("The search is thinking ..."):
            move = ask(SearchBot(), self.position)
        self.terminal.say(f"The search would play {move}: it {narrator.tell(self.position, move).sentence}")

    def _undo(self, _: str) -> None:
        """Back to the last decision of a person, over the bots' moves and the deals after it."""
        earlier = self.position.copy()
        try:
            earlier.pop()
            while earlier.turn is None or self.seats[earlier.turn].bot is not None:
                earlier.pop()
        except TilewrightError:
            self.terminal.say("Nothing to take back.")
            return
        self.position = earlier
        self._round_starts = {n: start for n, start in self._round_starts.items() if n <= earlier.round}
        self.terminal.say("Taken back.")

    def _save(self, name: str) -> None:
        path = Path(name) if name else self.file or free_name(self.position)
        try:
            save(self.position, self.names, path, own=path.absolute() in self._own_files)
        except (TilewrightError, OSError, ValueError) as error:
            self.terminal.say(f"Not saved: {harmless(str(error))}")
            return
        self.file = path
        self._own_files.add(path.absolute())
        self._saved = self.position.events
        self.terminal.say(f"Saved. To go on later: {how_to_resume(path)}")

    def _quit(self, _: str) -> None:
        raise Left

    # The end --------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        self._show_table("")
        if self.terminal.interactive:
            try:
                if self.terminal.confirm("Save the game?", default=self.file is not None):
                    self._save("")
            except Left:
                pass

    def _leave(self) -> None:
        """Nobody loses a game by leaving: save it if they like, and say how to get it back."""
        if self.file is not None and self._saved == self.position.events:
            self.terminal.say(f"To go on later: {how_to_resume(self.file)}")
            return
        try:
            if self.terminal.interactive and self.terminal.confirm("Save the game?", default=True):
                self._save("")
                return
        except Left:
            pass
        if self.file is not None:
            self.terminal.say(f"Left without saving the last moves. Those before: {how_to_resume(self.file)}")
        elif self.position.dealer is not None:
            self.terminal.say(f"Left without saving. --seed {self.position.dealer.seed} deals the same tiles again.")


def _starts_of_rounds(position: Position) -> dict[int, Position]:
    """The first position of each round so far, to tell what a round brought."""
    starts: dict[int, Position] = {}
    for earlier in position.record().positions():
        if not earlier.awaits_draw:
            starts.setdefault(earlier.round, earlier)
    return starts
