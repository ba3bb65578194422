"""Tests of the Capra compiler."""
