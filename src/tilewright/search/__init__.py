"""Playing with a network: inference and the tree of the round, in kernels."""
