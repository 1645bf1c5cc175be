"""Monte Carlo tree search in kernels, written once for all games; each game brings its evaluation and its priors."""
