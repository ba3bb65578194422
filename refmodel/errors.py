"""The base of every error that is meant for the user rather than for a programmer."""

from __future__ import annotations


class Ga2Error(Exception):
    """Bad input: the message says what is wrong, where, and what to do about it.

    The command line prints the message alone and exits with status 2.
    """
