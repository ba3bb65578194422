"""The agent at the memory ports, on cocotb-bus: random response delays and traffic monitoring by the clock.

It wakes Python every cycle, so it is for short protocol tests; volume runs on the harness's own memory.
"""
