"""What nights have left behind, in one SQLite file, and what it answers.

In reading order: `database` opens the file and brings it up to date by `migrations/`; `document` is a night's
summary.json, and `recording` puts it in; `nights`, `failures`, `trends` and `job_history` are the questions;
`expectations` holds a night that ends against the ones before it; `text` shows answers in a terminal.
"""
