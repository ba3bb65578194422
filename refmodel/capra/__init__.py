"""Capra, the compiler from small quantized graphs to GA2 programs."""
