"""From a failed program to the folder that explains it."""
