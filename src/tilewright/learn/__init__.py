"""Networks that teach themselves: self-play and training."""
