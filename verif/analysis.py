"""An analysis implementation: what is written to it goes straight to a method of its owner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyuvm import uvm_analysis_export, uvm_component


class AnalysisImplementation(uvm_analysis_export):
    """UVM's analysis imp. Calling the method at once saves the queue, and the task, of an analysis FIFO."""

    def __init__(self, name: str, parent: uvm_component, method: Callable[[Any], None]) -> None:
        """Make an export of `parent` that calls `method` with each transaction."""
        super().__init__(name, parent)
        self._method = method

    def write(self, transaction: Any) -> None:
        """Take one transaction."""
        self._method(transaction)
