"""Proves by induction, and shows a counterexample where a property is broken.

A proof that says yes has three parts: no run of `depth` cycles from reset on breaks a property; from no state
at all does a cycle follow in which one breaks after they all held; and every cover is reached, so that the
assumptions do not contradict each other. Everything else that may happen is "not proven".
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from pathlib import Path

from sequences.whole_file import write_text
from verif.proofs.design import COVER, HOLD, Design, DesignError, Sources, design_of
from verif.proofs.model import read_model
from verif.proofs.proof import Counterexample, Proof, ProofResult, Verdict
from verif.proofs.yosys import run_yosys

_PROVED = "Induction step proven: SUCCESS!"
_BROKEN = "model found for base case: FAIL!"
_OPEN = "Reached maximum number of time steps"

_MODEL, _WAVES = "model.json", "model.vcd"


def prove(proof: Proof, changed: Sources | None = None, waves: Path | None = None) -> ProofResult:
    """Prove the properties of a module, with some of its files changed.

    `waves` is where the waves (VCD) of a counterexample go. Raises ToolError when pyosys is missing.
    """
    with tempfile.TemporaryDirectory(prefix="ga2-proof-") as name:
        directory = Path(name)
        try:
            design = design_of(proof, directory, changed)
        except DesignError as error:
            return ProofResult(proof, Verdict.NOT_PROVEN, 0, 0, error.cpu, str(error))
        result = _induction(design, directory)
        if waves is not None and result.counterexample and (directory / _WAVES).exists():
            shutil.copyfile(directory / _WAVES, waves)
        return result


def _induction(design: Design, directory: Path) -> ProofResult:
    proof = design.proof
    write_text(directory / "proof.json", json.dumps(design.document))
    command = f"sat -set-assumes -tempinduct -prove {HOLD} 1 -seq 1 -maxsteps {proof.depth}"
    run = run_yosys(
        f"read_json proof.json\n{command} -show-public -dump_json {_MODEL} -dump_vcd {_WAVES} {proof.top}\n",
        directory,
        proof.seconds,
    )
    cpu = design.cpu + run.cpu
    asked = len(design.properties)

    def result(verdict: Verdict, detail: str, example: Counterexample | None = None) -> ProofResult:
        return ProofResult(proof, verdict, asked, 0, cpu, detail, example)

    def failed(example: Counterexample) -> ProofResult:
        detail = f"{', '.join(example.broken)} in cycle {example.cycles}"
        return result(Verdict.FAILED, detail, example)

    if not asked:
        return result(Verdict.NOT_PROVEN, "it has no property")
    if run.status is None:
        return result(Verdict.NOT_PROVEN, f"out of time: {proof.seconds:g} s of CPU time")
    if run.status != 0:
        return result(Verdict.NOT_PROVEN, run.last_words)
    if _BROKEN in run.output:
        return failed(read_model(directory / _MODEL, design.properties))
    if _PROVED in run.output:
        return _covered(design, directory, cpu)
    if _OPEN not in run.output:
        return result(Verdict.NOT_PROVEN, run.last_words)
    example, more = _search(design, directory)
    cpu += more
    if example is not None:
        return failed(example)
    step, more = _open_step(design, directory)
    cpu += more
    broken = ", ".join(step.broken) if step else "unknown"
    return result(Verdict.NOT_PROVEN, f"the induction does not close: {broken}", step)


def _search(design: Design, directory: Path) -> tuple[Counterexample | None, float]:
    """Return the shortest run from reset on that breaks a property, if one is short enough."""
    return _model(
        f"sat -set-assumes -tempinduct-baseonly -seq 1 -maxsteps {design.proof.reach} -prove {HOLD} 1",
        design,
        directory,
    )


def _open_step(design: Design, directory: Path) -> tuple[Counterexample | None, float]:
    """Return a cycle in which all properties hold, and one after it in which they do not."""
    return _model(
        f"setattr -unset init w:*\nsat -set-assumes -set-at 1 {HOLD} 1 -seq 2 -prove-skip 1 -prove {HOLD} 1",
        design,
        directory,
    )


def _model(commands: str, design: Design, directory: Path) -> tuple[Counterexample | None, float]:
    path = directory / _MODEL
    path.unlink(missing_ok=True)
    options = f"-show-public -dump_json {_MODEL} -dump_vcd {_WAVES}"
    script = f"read_json proof.json\n{commands} {options} {design.proof.top}\n"
    run = run_yosys(script, directory, design.proof.seconds)
    return (read_model(path, design.properties) if path.exists() else None), run.cpu


def _covered(design: Design, directory: Path, cpu: float) -> ProofResult:
    proof = design.proof
    if not design.covers:
        return ProofResult(
            proof, Verdict.NOT_PROVEN, len(design.properties), 0, cpu, "it has no cover, so it may be vacuous"
        )
    command = f"sat -set-assumes -tempinduct-baseonly -seq 1 -maxsteps {proof.reach} -prove"
    lines = [f"log COVER {name}\n{command} {COVER}{name} 0 {proof.top}" for name in design.covers]
    run = run_yosys("\n".join(("read_json proof.json", *lines, "")), directory, proof.seconds)
    cpu += run.cpu
    parts = re.split(r"^COVER (\S+)$", run.output, flags=re.MULTILINE)[1:]
    reached = {name for name, said in zip(parts[::2], parts[1::2], strict=True) if _BROKEN in said}
    missing = [name for name in design.covers if name not in reached]
    if run.status != 0 or missing:
        reason = "out of time" if run.status is None else f"not reached in {proof.reach} cycles"
        detail = f"{reason}: {', '.join(missing)}" if not run.status else run.last_words
        return ProofResult(
            proof, Verdict.NOT_PROVEN, len(design.properties), len(reached), cpu, f"cover {detail}"
        )
    return ProofResult(proof, Verdict.PROVED, len(design.properties), len(reached), cpu)
