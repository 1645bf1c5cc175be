"""Examples below the help of each command; ``{first}`` and ``{last}`` stand for installed games.

Two spaces separate a command from its remark; ``aligned`` lines the remarks up.
"""

from __future__ import annotations

_WIDEST = 56
"""A longer command is followed directly by its remark."""


def aligned(examples: str, **names: str) -> str:
    """Examples with the names filled in and their remarks in a column."""
    lines = [line.format(**names) if line.startswith("  ") or "{" in line else line for line in examples.splitlines()]
    commands = [line.strip().partition("  ")[0] for line in lines if line.startswith("  ") and "  " in line.strip()]
    column = max((len(command) for command in commands if len(command) <= _WIDEST), default=0)
    return "\n".join(_aligned(line, column) for line in lines)


def _aligned(line: str, column: int) -> str:
    command, gap, remark = line.strip().partition("  ")
    return f"  {command.ljust(column)}  {remark}" if line.startswith("  ") and gap else line


MAIN = """\
examples:
  tilewright play  play in your browser
  tilewright play --terminal  play here, in the terminal
  tilewright play --resume game-1.txt  continue a saved game in the terminal
  tilewright serve --port 8000  run the web server without opening a browser
  tilewright replay game.txt  describe a saved game, move by move
  tilewright review game.txt  find the mistakes in it and say why
  tilewright bench GAME --threads 2  measure the speed of random play
  tilewright arena search:100ms greedy  play a match between two bots

'tilewright COMMAND --help' shows the options of a command. Documentation: https://tilewright.github.io/tilewright/
"""
PLAY = """\
examples:
  tilewright play  in your browser; friends on the same network can join
  tilewright play --host 127.0.0.1  in your browser, on this machine only
  tilewright play --terminal  in the terminal; asks what to play
  tilewright play {first}  in the terminal, against a bot of level 3
  tilewright play {first} --help  show the options of that game as well
  tilewright play {last} --seat Anna --seat Paul --seat random
  tilewright play --resume game-1.txt  continue a saved game in the terminal

On its own, or with --host only, the command opens the browser; naming a game or giving any other option plays in the
terminal.

Use --seat once per player, with a person's name, 'me' or a bot: level1 to level6, champion:1s, search:1s, greedy,
random, my_module:MyBot (your own Python class) or 'run:./my_bot --fast' (a program). If no seat is given, you take the
first; bots take the seats that are left. Type '?' during a game for help and 'q' to quit.

More about bots: https://tilewright.github.io/tilewright/bots/
"""
SERVE = """\
examples:
  tilewright serve  on this machine only, at http://127.0.0.1:8765/
  tilewright serve --host 0.0.0.0 --port 8000  for everybody on your network
  tilewright serve --database club.db  keep the games in this file
  tilewright serve --database postgresql://tilewright@db/tilewright  on a database that several servers share
  tilewright serve --behind-proxy  behind a proxy on this machine
"""
WORKER = """\
examples:
  tilewright worker --redis redis://db:6379/0  for all servers that use this Redis
  tilewright worker --redis redis://db:6379/0 --threads 8  on a machine with eight cores
"""
BACKUP = """\
examples:
  tilewright backup monday.db  the games of this machine
  tilewright backup monday.db --database postgresql://tilewright@db/tilewright  those of a PostgreSQL database
"""
RESTORE = """\
examples:
  tilewright restore monday.db --database club.db  to a new file
  tilewright restore monday.db --database postgresql://tilewright@db/tilewright  to an empty PostgreSQL database
"""
DATABASE = """\
examples:
  tilewright database copy club.db postgresql://tilewright@db/tilewright  move a club to PostgreSQL
  tilewright database copy postgresql://tilewright@db/tilewright club.db  and back
  tilewright database check --database club.db  replay every game
"""
SHOW = """\
examples:
  tilewright show game.txt  the last position of a saved game
  tilewright show game.txt --move 12  after its 12th event (draws count too)
  tilewright show "{first} players=2 ..."  a position as text, as --json prints it under "text"
  tilewright show game.txt --svg table.svg  a picture of it
  tilewright show - --json < game.txt  from standard input, as JSON

In JSON, players, turns and seats count from 1; turn is null while tiles must be drawn and after the game.
"""
REPLAY = """\
examples:
  tilewright replay game.txt  every event in words, then the last position
  tilewright replay game.txt --tables  with the table after every event
  tilewright replay game.txt --json

The whole record is checked: every draw must be possible, every move legal and the result correct. An error is
reported with its line number.
"""
REVIEW = """\
examples:
  tilewright review game.txt  every mistake, the better move and why it is better
  tilewright review game.txt --html review.html  one page with graph and pictures
  tilewright review game.txt --budget 4000  in a second or two, less reliable
  tilewright review game.txt --json

With the default budget, a two-player game takes about ten seconds on one core.

What the numbers mean: https://tilewright.github.io/tilewright/review/
"""
ANALYSE = """\
examples:
  tilewright analyse game.txt  the last position of a saved game
  tilewright analyse game.txt --move 12 --lines 5  after its 12th event, the five best moves
  tilewright analyse "{first} players=2 ..." --budget 5s  a position as text, for five seconds
  tilewright analyse - --json < game.txt
"""
PUZZLES = """\
examples:
  tilewright puzzles {first} --number 100
  tilewright puzzles {first} --minutes 8 --workers 16 --output mined.txt  on a machine with 16 cores
  tilewright puzzles {last} --players 3 --seed 5

A puzzle is verified by two long searches and rated by the levels that find it. The same command continues a file that
was interrupted.

The format of the file: https://tilewright.github.io/tilewright/puzzles/
"""
PERFT = """\
examples:
  tilewright perft {first} --depth 3
  tilewright perft {last} --players 3 --seed 5 --depth 4 --divide
  tilewright perft --position "{first} players=2 ..." --depth 2 --json

Counts the sequences of events from a position, to compare two implementations of the rules or their speed. An
event is a move or the draw of one tile, with a branch for each kind that may come.
"""
BENCH = """\
examples:
  tilewright bench {first}
  tilewright bench {last} --players 4 --threads 2 --seconds 10 --json
  tilewright bench {first} --batch 4096 --threads 2  games in lockstep, with observations and masks
  tilewright bench {first} --device cuda  on an NVIDIA GPU
  tilewright bench {first} --device cuda --batch 1048576

Plays uniformly random games from start to finish. The rules are compiled before the clock starts.
"""
TRAIN = """\
examples:
  tilewright train {first} --minutes 10 --device cuda  on an NVIDIA GPU
  tilewright train {first} --minutes 20 --device cuda  the same run, for ten minutes more
  tilewright train {first} --players 3 --from shipped --folder three  from the network of the package
  tilewright train {first} --games 64 --width 64 --minutes 5  small enough for a CPU
  torchrun --nproc-per-node 4 -m tilewright train {first} --device cuda  on four GPUs

The folder of a run holds its checkpoint, its weights and its log. The same command resumes a run that was interrupted.
'tilewright curves' draws the log.

The algorithm: https://tilewright.github.io/tilewright/training/
"""
CURVES = """\
examples:
  tilewright curves runs/mine
  tilewright curves runs/wide runs/narrow --output comparison.svg
"""
EXPORT = """\
examples:
  tilewright export {first}
  tilewright export {first} --players 3 --weights runs/mine/weights.npz --output mine.onnx
"""
ARENA = """\
examples:
  tilewright arena search:100ms greedy --games 400 --seed 1
  tilewright arena search:200 greedy --game {last} --players 3 --report match.html
  tilewright arena search:100ms search:50ms --sprt 0 10 --games 20000 --folder faster
  tilewright arena search:100ms greedy random  a round-robin league
  tilewright arena --league bots.txt --games 2000  the bots listed in a file, one per line
  tilewright arena search:4000 greedy --games 5000 --ray auto  on all machines of a Ray cluster

Every deal is played once for each rotation of the bots around the table. Results are given from the point of view of
the first bot. To continue an interrupted match, repeat the command with the same --folder.

How to read the result: https://tilewright.github.io/tilewright/arena/
"""
ENGINE = """\
examples:
  tilewright engine  the strongest built-in bot
  tilewright engine level3 --seed 1
  tilewright engine my_module:MyBot  your own Python class, for hosts that speak the protocol

The host program sends commands and the bot answers, line by line. To try it, type 'hello', 'game {first}', 'quit'.

The protocol: https://tilewright.github.io/tilewright/bots/
"""
