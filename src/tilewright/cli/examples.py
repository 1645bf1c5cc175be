"""Examples below the help of each command; ``{first}`` and ``{last}`` stand for installed games.

A remark stands two spaces behind its command; ``aligned`` puts the remarks below each other.
"""

from __future__ import annotations

_WIDEST = 56
"""A longer command has its remark right behind it."""


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
  tilewright play  opens the table in your browser
  tilewright play --terminal  plays here, in the terminal
  tilewright play --resume game-1.txt  goes on with a saved game, here
  tilewright serve --port 8000  the web server alone
  tilewright replay game.txt  a saved game, move by move
  tilewright bench GAME --threads 2  how fast random games are played
  tilewright arena search:100ms greedy  a match of bots, and who is better

'tilewright COMMAND --help' says more about a command.
"""
PLAY = """\
examples:
  tilewright play  in your browser; friends on the same network can join
  tilewright play --host 127.0.0.1  in your browser, for this machine alone
  tilewright play --terminal  here; asks what to play
  tilewright play {first}  here; you against a bot of level 3
  tilewright play {first} --help  with the options of that game
  tilewright play {last} --seat Anna --seat Paul --seat random
  tilewright play --resume game-1.txt  goes on with a saved game, here

Only 'tilewright play' by itself, or with --host, opens the browser, where the page asks. With a game or any other
option it plays in the terminal. A seat is a person's name, 'me', or a bot: level1 to level5, search:1s, greedy, random,
my_module:MyBot (a class of your own) or 'run:./my_bot --fast' (a program); see docs/bots.md. Seats that are not
named are yours first, then bots. During the game '?' shows what can be typed.
"""
SERVE = """\
examples:
  tilewright serve  on this machine alone, at http://127.0.0.1:8765/
  tilewright serve --host 0.0.0.0 --port 8000  for everybody in your network
  tilewright serve --database club.db  games are kept in that file
  tilewright serve --behind-proxy  a web server on this machine passes requests on
"""
SHOW = """\
examples:
  tilewright show game.txt  the last position of a saved game
  tilewright show game.txt --move 12  after its 12th event (moves and draws count)
  tilewright show "{first} players=2 ..."  a position in one line, as --json prints it under "text"
  tilewright show game.txt --svg table.svg a picture of it
  tilewright show - --json < game.txt  from standard input, for programs

In JSON players, turns and seats count from 1, and turn is null while tiles are drawn and when the game is over.
"""
REPLAY = """\
examples:
  tilewright replay game.txt  every event in words, then the last position
  tilewright replay game.txt --tables  with the table after every move
  tilewright replay game.txt --json

The whole record is checked: every draw must be possible, every move legal, the result true. A mistake is
reported with its line.
"""
PERFT = """\
examples:
  tilewright perft {first} --depth 3
  tilewright perft {last} --players 3 --seed 5 --depth 4 --divide
  tilewright perft --position "{first} players=2 ..." --depth 2 --json

Counts the sequences of events (moves, and tiles drawn: each kind that may come is one) from a position, to
compare two implementations of the rules, or their speed.
"""
BENCH = """\
examples:
  tilewright bench {first}
  tilewright bench {last} --players 4 --threads 2 --seconds 10 --json
  tilewright bench {first} --batch 4096 --threads 2  games in lockstep, with observations and masks
  tilewright bench {first} --device cuda  on an NVIDIA GPU
  tilewright bench {first} --device cuda --batch 1048576

Plays uniformly random games from the set-up to the end. Compiling is done before the clock starts.
"""
TRAIN = """\
examples:
  tilewright train {first} --minutes 10 --device cuda  on an NVIDIA GPU
  tilewright train {first} --minutes 20 --device cuda  the same run, for ten minutes more
  tilewright train {first} --players 3 --from shipped --folder three  from the network of the package
  tilewright train {first} --games 64 --width 64 --minutes 5  small enough for a CPU
  torchrun --nproc-per-node 4 -m tilewright train {first} --device cuda  on four GPUs

The folder of a run holds its checkpoint, its weights and its log. The same command resumes a run that was interrupted.
'tilewright curves' draws the log; docs/training.md explains the algorithm.
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
  tilewright arena search:100ms greedy random  a league: everybody against everybody
  tilewright arena --league bots.txt --games 2000  the bots of a file, one per line
  tilewright arena search:4000 greedy --games 5000 --ray auto  on all machines of a Ray cluster

Every deal is played once for each rotation of the bots around the table, and the numbers are about the first
bot. The same command with the same --folder goes on where it was interrupted. docs/arena.md tells how to read
the result.
"""
ENGINE = """\
examples:
  tilewright engine  our strongest bot
  tilewright engine level3 --seed 1
  tilewright engine my_module:MyBot  a class of your own, for hosts that speak the protocol

A program, a host, says what to play and the bot answers, line by line; docs/bots.md has the protocol. Try it:
type 'hello', 'game {first}', 'quit'.
"""
