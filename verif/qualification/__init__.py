"""Qualification of the bench: broken versions of the RTL, and what the bench must say of each."""
