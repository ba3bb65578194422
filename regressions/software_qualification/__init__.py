"""Qualification of the Python tests: broken versions of the reference model, and whether a test sees each."""
