"""The instruction set: operations, encoding, assembly text, faults, busy times, static program checker."""
