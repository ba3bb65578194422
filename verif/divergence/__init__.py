"""The first divergence: where a run leaves the path that the model predicts, and how."""
