"""Measures speed: what is measured (`probes`), on what (`workload`), what is wanted of it (`goals`).

Machines differ and so does their load. Hence probes are taken in turn, round after round, and goals are
ratios of medians of one and the same run.
"""
