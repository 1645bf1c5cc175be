#!/bin/sh
# The smallest bot there is: it plays the first move that the host calls legal, in any of the games.
# Play against it:  tilewright play azul --seat me --seat "run:sh examples/first_move.sh"

while read -r word rest; do
    case $word in
        hello) printf 'name First move\nauthor You\nwelcome 1\n' ;;
        isready) echo readyok ;;
        moves) moves=$rest ;;
        go) echo "bestmove ${moves%%,*}" ;;
        quit) exit ;;
    esac
done
