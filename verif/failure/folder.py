"""The folder that a failure leaves: the programs, the report as text and as JSON, and how to see it again."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from refmodel.machine.report_lines import labelled
from refmodel.printable import printable_lines
from sequences.program_list_file import save_programs
from sequences.whole_file import temporary_beside, write_json, write_text
from verif.divergence.report import divergence_json, divergence_text
from verif.failure.provenance import git_commit, tool_versions
from verif.failure.rerun import Rerun
from verif.series.program_identity import series_digest
from verif.shell_line import command_line
from verif.simulation.chip import RTL_VARIABLES
from verif.simulation.sim_make import rtl_settings
from verif.simulation.simulation import Simulation
from verif.sources import area_digests, source_digests

REPORT_TEXT = "report.txt"
REPORT_JSON = "report.json"

_NOTHING_DIVERGES: dict[str, Any] = dict.fromkeys(
    ("kind", "pc", "opcode", "unit", "service", "tensor", "element", "cycle", "expected", "found")
)


def write_failure_folder(simulation: Simulation, found: Rerun, original: str, failures: Path) -> Path:
    """Write the folder of a failure below `failures`, whole or not at all, and return it.

    `original` is the first sign of the failure, where it was noticed. A folder of the same failure is
    replaced. Raises Ga2Error when it cannot be written.
    """
    folder = failures / _name(simulation, found)
    write_folder(folder, simulation, found, {"first_sign": original})
    return folder


def write_folder(folder: Path, simulation: Simulation, found: Rerun, notes: Mapping[str, Any]) -> None:
    """Write or replace one folder, whole or not at all.

    `notes` are what else its report.json is to hold, `first_sign` among it. Raises Ga2Error when it cannot be
    written.
    """
    unfinished = temporary_beside(folder)
    try:
        try:
            unfinished.mkdir(parents=True)
            save_programs(unfinished, found.series)
            report = _report_json(simulation, found, notes, folder)
            write_json(unfinished / REPORT_JSON, report)
            write_text(unfinished / REPORT_TEXT, _report_text(report, found))
            _replace(folder, unfinished)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    except Ga2Error as error:
        raise Ga2Error(f"the failure's folder cannot be written: {error}") from error
    except OSError as error:
        raise Ga2Error(f"the failure's folder {folder} cannot be written: {error.strerror}") from error


def _replace(folder: Path, unfinished: Path) -> None:
    """Put a finished folder in its place; another process may do the same with the same failure."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        unfinished.rename(folder)
    except OSError:
        if not (folder / REPORT_JSON).is_file():
            raise


def chip_settings(simulation: Simulation) -> dict[str, str]:
    """Return the variables of sim.mk that choose the chip, those that are set."""
    if simulation.rtl is None:
        return rtl_settings()
    chosen = (
        simulation.rtl,
        simulation.scratchpad,
        simulation.scratchpad_write,
        simulation.scratchpad_read,
        simulation.mirrors,
    )
    return {name: value for name, value in zip(RTL_VARIABLES, chosen, strict=True) if value}


def _name(simulation: Simulation, found: Rerun) -> str:
    """Return a name that is the same for the same failure and no other: simulator, program, digest."""
    circumstances = (simulation.seed, simulation.plusargs, chip_settings(simulation))
    digest = series_digest(found.series, circumstances)
    program_name = re.sub(r"[^\w.-]+", "-", Path(found.series[-1].name).name.removesuffix(".json"))
    return f"{simulation.simulator}-{program_name[:40]}-{digest[:8]}"


def _report_json(
    simulation: Simulation, found: Rerun, notes: Mapping[str, Any], folder: Path
) -> dict[str, Any]:
    divergence = found.diagnosis.divergence if found.diagnosis else None
    return {
        "program": found.series[-1].name,
        "simulator": simulation.simulator,
        "seed": simulation.seed,
        **notes,
        "reproduced": found.fails,
        "programs_needed": len(found.series) if found.fails else None,
        **(_NOTHING_DIVERGES if divergence is None else divergence_json(divergence)),
        "remarks": list(found.diagnosis.remarks) if found.diagnosis else [],
        "mismatches": [str(mismatch) for mismatch in found.report.mismatches],
        "stimulus": asdict(found.series[-1].stimulus),
        "chip": chip_settings(simulation),
        "plusargs": list(simulation.plusargs),
        "tools": tool_versions(simulation.simulator),
        "commit": git_commit(),
        "sources": source_digests(chip_settings(simulation)),
        "command": command_line("reproduce", folder),
    }


def _report_text(report: dict[str, Any], found: Rerun) -> str:
    lines = [f"{report['program']} on {report['simulator']}, seed {report['seed']}"]
    if not found.fails:
        lines += labelled("", f"does not fail again after the {len(found.series)} programs up to it", 0)
    elif len(found.series) > 1:
        names = ", ".join(program.name for program in found.series[:-1])
        lines += labelled("", f"fails only after {names}: state of an earlier program shows in it", 0)
    lines.append("")
    divergence = found.diagnosis.divergence if found.diagnosis else None
    if divergence is not None:
        lines += divergence_text(divergence).splitlines()
    else:
        lines += labelled("", "no event that was seen differs; what was found wrong:", 0)
        lines += [line for text in report["mismatches"] for line in labelled("-", text, 2)]
    lines += [line for remark in report["remarks"] for line in ["", *labelled("remark", remark)]]
    lines += ["", *labelled("first sign", report["first_sign"])]
    if "shrunk_from" in report:
        lines += labelled("shrunk from", report["shrunk_from"]["sentence"])
        if report["shrunk_from"]["source_map"]:
            lines += labelled("source map", report["shrunk_from"]["source_map"])
    lines += [line for name, value in report["chip"].items() for line in labelled(name.lower(), value)]
    tools = ", ".join(f"{tool} {value}" for tool, value in report["tools"].items())
    sources = ", ".join(f"{area} {digest}" for area, digest in area_digests(report["sources"]).items())
    lines += [*labelled("tools", tools), *labelled("commit", report["commit"]), *labelled("sources", sources)]
    return printable_lines("\n".join([*lines, f"  reproduce    {report['command']}", ""]))
