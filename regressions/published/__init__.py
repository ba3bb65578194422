"""The published table: what it says, running it, and showing what was found."""
