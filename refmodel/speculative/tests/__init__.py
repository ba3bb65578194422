"""Tests of the verification operations, the block loop and the host loop."""
