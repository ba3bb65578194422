"""The agent at program granularity: one item is one program."""
