"""One mutant after another in one simulation: each is judged, and nothing of one reaches the next."""

from pathlib import Path

from verif.qualification.mutated_rtl import MIRRORS
from verif.qualification.qualify import numbers, prepare
from verif.run_report import RunReport
from verif.simulation.simulation import KEEP_GOING, Simulation

NEVER_DONE, WRONG_TIE, HIDDEN = "division_never_done", "last_maximum", "store_address_of_thirteen_bits"


def run(simulator: str, directory: Path, parameters: dict[str, object]) -> RunReport:
    numbered = numbers(whole=False)
    wanted = {name: numbered[name] for name in (NEVER_DONE, HIDDEN, WRONG_TIE)}
    return Simulation(
        simulator,
        "mutants.MutantsTest",
        directory,
        {"mutants": wanted, **parameters},
        rtl=prepare(),
        mirrors=MIRRORS,
        plusargs=(KEEP_GOING,),
    ).run()


def test_each_mutant_has_a_fate_of_its_own(simulator: str, run_directory: Path) -> None:
    report = run(simulator, run_directory, {"random_programs": 0, "groups": ["vectors"]})
    assert report.passed, report.first_wrong
    fates = report.payload["mutants"]
    assert {name: fate[0] for name, fate in fates.items()} == {
        NEVER_DONE: "killed",
        HIDDEN: "survived",
        WRONG_TIE: "killed",
    }
    assert fates[NEVER_DONE][1] == "watchdog"
    assert fates[WRONG_TIE][1].startswith("vectors/")
