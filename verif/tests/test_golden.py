"""Every golden bundle on both simulators: equal to the model and to what its author expects."""

from sequences.golden import GOLDEN_DIRECTORY, golden_names
from verif.tests.conftest import Simulate


def test_golden_bundles_end_as_expected(simulate: Simulate) -> None:
    paths = [str(GOLDEN_DIRECTORY / f"{name}.json") for name in golden_names()]
    report = simulate("replay.ReplayTest", bundles=paths)
    assert report.passed, "\n".join(map(str, report.mismatches))
    assert report.programs == len(paths) >= 13
    assert set(report.payload["results"]) == set(paths)
