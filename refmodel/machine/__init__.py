"""The reference machine: what a program does to memory, scratchpad and counters, and when it ends."""
