"""How the bench is run: the command line, the published table, the benchmark and their reports.

In reading order: `command_line` dispatches to one file a command in `commands/`; these call `decoding` and
`replaying` (one run each), `published/` (many), `study/` (what speculation is worth) and `benchmark/`
(speed); `json_file` and `junit_report` write what came out, `tables` and `drawing` show it.
"""
