"""The qualification of the bench as a command runs and shows it."""
