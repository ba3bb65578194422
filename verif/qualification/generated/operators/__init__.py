"""The operators: each takes a node of the tree and yields what it would make of it."""
