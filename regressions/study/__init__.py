"""Studies of speculation: each computes figures in one module and shows them in others.

`decodings` runs what a study asks for, on the model or the RTL; `step_programs` gets at single programs.
`blocks`, `anatomy` (from `program_anatomy`), `sweep`, `cost_model` with `serving`, and `equality` compute
typed results that turn into JSON. Beside each stand its `_text` for the terminal and its `_picture`, which
nobody imports who wants no picture; `wording` and `published` hold what they share: words, and the verdict on
published figures. docs/studies.md tells what each is for.
"""
