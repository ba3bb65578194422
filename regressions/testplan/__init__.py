"""The test plan: features, the tests and the coverage items that show them, and their state."""
