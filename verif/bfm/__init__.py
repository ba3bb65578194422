"""The one place that touches the simulator: the harness by its names, and bulk access to memories."""
