"""Tests of the language models: float, graphs, calibrations and compiled programs."""
