"""How the bench is run: the command line, and what its commands do and report.

In reading order: `command_line` dispatches to one file a command in `commands/`; these call `decoding` and
`replaying` (one run each), `published/` (the table), `study/` (what speculation is worth), `closing/`
(coverage), `qualification/` and `software_qualification/` (mutants), `nightly/` with `history/` (many jobs,
many nights) and `benchmark/` (speed); `junit_report` writes what CI reads, `tables` and
`drawing` show it.
"""
