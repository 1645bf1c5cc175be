// A bot for Azul in JavaScript that knows no rules: it looks at the table and at the moves that the host calls
// legal, and likes to fill a line to its end without dropping a tile. It plays the other games too, badly.
// Play against it:  tilewright play azul --seat me --seat "run:node examples/tidy.mjs"
import { createInterface } from "node:readline";

let table = {}; // what lies in the centre and the factories, by their names: { c: "bbyw", 1: "kkrw", ... }
let lines = []; // the pattern lines of the player to move: ["", "yy", ...]
let moves = [];

/** The words `name=value` of a section; an empty heap of tiles is written as a dash. */
function section(text) {
  const pairs = text.trim().split(" ").map((word) => word.split("="));
  return Object.fromEntries(pairs.map(([name, value = ""]) => [name, value.replaceAll("-", "")]));
}

function look(position) {
  const [, moment, heaps, ...players] = position.split(";").map(section);
  table = { ...heaps, c: heaps.centre };
  lines = (players[moment.turn - 1].lines ?? "").split(",");
}

/** How much we like a move such as 3b2: three tiles for a line of three are best, tiles on the floor are not. */
function value(move) {
  const [, place, colour, goal] = move.match(/^(c|\d+)([a-z])([1-5f])$/) ?? [];
  if (!place) return 0; // a move of another game, or on a grey wall
  const tiles = [...table[place]].filter((tile) => tile === colour).length;
  if (goal === "f") return -2 * tiles;
  const room = Number(goal) - lines[goal - 1].length;
  const dropped = Math.max(0, tiles - room);
  return tiles - 3 * dropped + (tiles >= room ? Number(goal) : -(room - tiles));
}

function answer(line) {
  const [word] = line.split(" ", 1);
  const rest = line.slice(word.length + 1);
  if (word === "hello") return "name Tidy\nauthor The Tilewright authors\nwelcome 1";
  if (word === "isready") return "readyok";
  if (word === "position") look(rest);
  if (word === "moves") moves = rest.split(", ");
  if (word === "go") return `bestmove ${moves.reduce((best, move) => (value(move) > value(best) ? move : best))}`;
  if (word === "quit") process.exit();
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = answer(line);
  if (said) console.log(said);
}
