"""Reduces a series of programs to a smallest one that still fails in the same way; knows no simulator."""
