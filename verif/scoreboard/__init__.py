"""What a run must do, and the comparison with what it did, value by value."""
