"""What tests leave: no simulation takes another one's place, and builds stay apart."""

from pathlib import Path

from verif.code_coverage.counts import HEADER
from verif.code_coverage.publishing import keep_counts
from verif.simulation.simulation import Simulation


def ended(directory: Path, build: str, text: str) -> Simulation:
    """Return a simulation that left these counts."""
    simulation = Simulation("verilator", "t.T", directory)
    directory.mkdir(exist_ok=True)
    (directory / "built-from").write_text(build, encoding="ascii")
    simulation.code_counts.write_text(f"{HEADER}\n{text}\n", encoding="utf-8")
    return simulation


def test_every_simulation_has_a_file_below_its_build(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    for build, test, text in (
        ("0123456789abcdef", "verif/a.py::test_x[verilator]", "1"),
        ("0123456789abcdef", "verif/a.py::test_x[verilator]", "2"),
        ("0123456789abcdef", "verif/b.py::test_x[verilator]", "3"),
        ("f" * 16, "verif/a.py::test_x[verilator]", "4"),
    ):
        keep_counts(ended(tmp_path / "run", build, text), test, kept)
    found = {
        str(path.relative_to(kept)): path.read_text(encoding="utf-8").splitlines()[1]
        for path in kept.rglob("*.dat")
    }
    assert found == {
        "0123456789ab/verif-a.py-test_x-verilator-0.dat": "1",
        "0123456789ab/verif-a.py-test_x-verilator-1.dat": "2",
        "0123456789ab/verif-b.py-test_x-verilator-0.dat": "3",
        "ffffffffffff/verif-a.py-test_x-verilator-0.dat": "4",
    }
