"""How rules become machine code, for CPU and GPU; chance; random play and batches for any game."""
