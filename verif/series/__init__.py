"""The programs up to a failure, told apart and cut so that a fresh chip can run them."""
