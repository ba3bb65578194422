"""docs/debugging.md: one real failure from red line to cause, told by running what it tells."""
