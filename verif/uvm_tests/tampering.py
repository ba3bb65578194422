"""Monitors that are broken on purpose: each does one thing wrong with run `TARGET_RUN`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from refmodel.machine.result import RunResult
from verif.harness import Check
from verif.observation import Observation
from verif.program_agent.monitor import ProgramMonitor

TARGET_RUN = 2


class IntactMonitor(ProgramMonitor):
    """Nothing wrong, so that the others fail for their own reason alone."""


class LosingMonitor(ProgramMonitor):
    """Loses a result."""

    def publish(self, run: int, observation: Observation) -> None:
        """Pass on the others."""
        if run != TARGET_RUN:
            super().publish(run, observation)


class LosingAllMonitor(ProgramMonitor):
    """Loses every result."""

    def publish(self, run: int, observation: Observation) -> None:
        """Pass on nothing."""


class RepeatingMonitor(ProgramMonitor):
    """Passes a result on twice."""

    def publish(self, run: int, observation: Observation) -> None:
        """Pass on."""
        super().publish(run, observation)
        if run == TARGET_RUN:
            super().publish(run, observation)


class InventingMonitor(ProgramMonitor):
    """Passes on a result that nobody asked for."""

    def publish(self, run: int, observation: Observation) -> None:
        """Pass on."""
        super().publish(run, observation)
        if run == TARGET_RUN:
            super().publish(run + 1000, observation)


class RaisingMonitor(ProgramMonitor):
    """Fails itself."""

    def publish(self, run: int, observation: Observation) -> None:
        """Raise RuntimeError."""
        raise RuntimeError(f"a monitor that fails in run {run} after {observation.starts} starts")


class _TamperingMonitor(ProgramMonitor):
    """Changes what it saw."""

    def publish(self, run: int, observation: Observation) -> None:
        """Pass on, changed if it is the target."""
        super().publish(run, self.tamper(observation) if run == TARGET_RUN else observation)

    def tamper(self, observation: Observation) -> Observation:
        """Return the changed observation."""
        return replace(observation, result=self.tamper_with_result(observation.result))

    def tamper_with_result(self, result: RunResult) -> RunResult:
        """Return the changed result."""
        raise NotImplementedError


class WrongWordMonitor(_TamperingMonitor):
    """One bit of one external word."""

    def tamper_with_result(self, result: RunResult) -> RunResult:
        """Flip it."""
        ext = result.ext.copy()
        ext[77] ^= 1 << 31
        return replace(result, ext=ext)


class WrongScratchpadMonitor(_TamperingMonitor):
    """One bit of one scratchpad word."""

    def tamper_with_result(self, result: RunResult) -> RunResult:
        """Flip it."""
        scratchpad = result.scratchpad.copy()
        scratchpad[4095] ^= 1
        return replace(result, scratchpad=scratchpad)


class UnknownWordMonitor(_TamperingMonitor):
    """A scratchpad word that holds an X."""

    def tamper_with_result(self, result: RunResult) -> RunResult:
        """Mark it."""
        defined = result.defined.copy()
        defined[100] = False
        return replace(result, defined=defined)


class UnknownExternalWordMonitor(_TamperingMonitor):
    """An external word that holds an X."""

    def tamper_with_result(self, result: RunResult) -> RunResult:
        """Mark it."""
        defined = np.ones(len(result.ext), np.bool_)
        defined[3] = False
        return replace(result, ext_defined=defined)


class WrongCounterMonitor(_TamperingMonitor):
    """A counter that is one too high."""

    def tamper_with_result(self, result: RunResult) -> RunResult:
        """Count once more."""
        counters = replace(result.counters, cyc_vec=result.counters.cyc_vec + 1)
        return replace(result, counters=counters)


class WrongBusyMonitor(_TamperingMonitor):
    """A busy cycle that moved from one instruction to another: the counters are right."""

    def tamper_with_result(self, result: RunResult) -> RunResult:
        """Move it."""
        retires = result.retires.copy()
        vector = np.flatnonzero(retires[:, 4])
        retires[vector[0], 4] -= 1
        retires[vector[1], 4] += 1
        return replace(result, retires=retires)


class WrongRetireMonitor(_TamperingMonitor):
    """A retired instruction that is missing from the log."""

    def tamper_with_result(self, result: RunResult) -> RunResult:
        """Drop it."""
        return replace(result, retires=result.retires[:-1])


class WrongStatusMonitor(_TamperingMonitor):
    """A fault that was none."""

    def tamper_with_result(self, result: RunResult) -> RunResult:
        """Say so."""
        return replace(result, fault=True)


class UnknownOutputMonitor(_TamperingMonitor):
    """A port that is X at the end."""

    def tamper(self, observation: Observation) -> Observation:
        """Say so."""
        return replace(observation, unknown_outputs=("n_inst",))


class IdleCheckMonitor(_TamperingMonitor):
    """A harness check that never ran."""

    def tamper(self, observation: Observation) -> Observation:
        """Clear its count."""
        checked = observation.checks.checked.copy()
        checked[Check.COUNTER_LAW] = 0
        return replace(observation, checks=replace(observation.checks, checked=checked))


class FailedCheckMonitor(_TamperingMonitor):
    """A harness check that failed once."""

    def tamper(self, observation: Observation) -> Observation:
        """Count a failure."""
        failed, first = observation.checks.failed.copy(), observation.checks.first_failure.copy()
        failed[Check.RESPONSE], first[Check.RESPONSE] = 1, 17
        checks = replace(observation.checks, failed=failed, first_failure=first)
        return replace(observation, checks=checks)
