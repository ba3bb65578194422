"""The nightly regression: lists of tests, seeds, an engine that runs jobs, and what is left of each."""
