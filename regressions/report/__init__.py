"""The report of a night: a small site of HTML pages that people read each morning (docs/report.md).

In reading order: `summary` reads what it left, `remembered` asks the history about it.
`glance`, `failures`, `covered`, `proof`, `trend_charts` and `environment` work out what each part of the
pages tells; `workloads` runs the decodings of the model, `workload_cache` keeps what they came to, and
`workload_charts` draws it. `pages` fills the templates, `site` puts the files in place, all or none, and
`writing` does it all.
"""
