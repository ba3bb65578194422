"""Waves of a failure: the window round the first divergence, as a dump, a picture and a text."""
