"""Building blocks that a tile game may choose: heaps of tiles, a bag, factories round a centre."""
