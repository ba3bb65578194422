"""Mutants generated from the text of the RTL by the classic operators of mutation testing."""
