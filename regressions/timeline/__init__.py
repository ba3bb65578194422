"""Where the cycles of one program go: by unit, by tensor and over time.

In the order in which they build on each other: `lane` (who can spend a cycle), `subject` (for what it is
spent), `timeline` (every instruction's cycles), `accounts` (their sums), then the three ways to show them:
`text`, with the fill of its columns from `columns`; `picture`, with the labels of its bars from `stretches`;
and `document` for JSON.
"""
