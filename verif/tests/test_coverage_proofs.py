"""For every coverage item a program on the RTL that must hit it, and one that must not."""

from sequences.coverage_proofs import all_proofs
from verif.coverage.model import load_model
from verif.tests.conftest import Simulate


def test_every_item_is_hit_and_missed_as_it_must_be(simulate: Simulate) -> None:
    report = simulate("coverage_proofs.CoverageProofTest")
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    proofs = report.payload["proofs"]
    assert len(proofs) == len(all_proofs())
    for proof in proofs:
        assert proof["hits"] > 0, f"{proof['item']} {proof['bin']}: what must hit it does not"
        assert proof["misses"], f"{proof['item']} {proof['bin']}: nothing must not hit it"
        assert not any(proof["misses"]), f"{proof['item']} {proof['bin']} is hit by {proof['misses']}"


def test_every_item_has_a_proof() -> None:
    assert {proof.item for proof in all_proofs()} == {item.name for item in load_model()}
