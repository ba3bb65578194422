"""What UVM tests take is declared, and everything else is refused with its place."""

from __future__ import annotations

from typing import Any

import pytest

from verif.uvm_tests.parameters import BrokenTestError, ParameterError, check_parameters

FAMILY = {"target": "sharp", "target_seed": 1, "scales": "model"}


def request(**fields: Any) -> dict[str, Any]:
    return {"decodings": [{"request": fields, "speculative": False}]}


REFUSED = [
    # names
    ("directed.DirectedTest", {"sed": 1}, "DirectedTest has no parameter 'sed'; did you mean seed?"),
    ("protocol.RandomDelayTest", {"x": 1}, "has no parameter 'x'; it takes seed, stop_at_mismatch"),
    ("directed.DirectedTest", {}, "DirectedTest needs parameter 'seed'"),
    (
        "language.LanguageTest",
        {"seed": 1, "families": [FAMILY, {**FAMILY, "shape": [[3, 2]]}]},
        "LanguageTest has no parameter 'families.1.shape'; did you mean shapes?",
    ),
    ("decode.DecodeTest", request(tokes=3), "no parameter 'decodings.0.request.tokes'; did you mean tokens?"),
    (
        "traced.TracedTest",
        {"series": "x", "window": {"first": 1, "last": 2, "strat": 1}},
        "no parameter 'window.strat'; did you mean start?",
    ),
    ("language.LanguageTest", {"seed": 1, "families": [{}]}, "needs parameter 'families.0.target'"),
    # values
    (
        "directed.DirectedTest",
        {"seed": 1, "groups": ["sizes", "requantiser"]},
        "DirectedTest: groups.1: unknown group 'requantiser'; did you mean requantizer?",
    ),
    (
        "traced_directed.TracedDirectedTest",
        {"seed": 1, "every": 1, "groups": ["zz"]},
        "'zz'; there are sizes,",
    ),
    ("directed.DirectedTest", {"seed": 1, "groups": []}, "DirectedTest: groups: "),
    ("directed.DirectedTest", {"seed": -1}, "DirectedTest: seed: Input should be greater than or equal to 0"),
    ("directed.DirectedTest", {"seed": "1"}, "DirectedTest: seed: Input should be a valid integer, not '1'"),
    ("directed.DirectedTest", {"seed": 1, "read_latency": 4096}, "read_latency: Input should be less than"),
    ("replay.ReplayTest", {"bundles": "x" * 100}, f"not '{'x' * 39}…(42 left out)…{'x' * 19}'"),
    (
        "language.LanguageTest",
        {"seed": 1, "families": [{**FAMILY, "scales": "modle"}]},
        "families.0.scales: Input should be 'shape' or 'model', not 'modle'; did you mean model?",
    ),
    (
        "language.LanguageTest",
        {"seed": 1, "families": [{**FAMILY, "target": "shrp"}]},
        "families.0.target: unknown target 'shrp'; did you mean sharp?",
    ),
    (
        "language.LanguageTest",
        {"seed": 1, "families": [{**FAMILY, "shapes": [[63, 2]]}]},  # 65 rows, and the context has 64
        "families.0: shape [63, 2]: ",
    ),
    ("decode.DecodeTest", request(target="shrp"), "decodings.0.request: unknown target 'shrp'"),
    ("decode.DecodeTest", request(tokens=65), "decodings.0.request: prompt (1) + tokens (65)"),
    ("named_programs.NamedProgramsTest", {"seed": 1, "programs": ["golden/sotmax"]}, "mean golden/softmax?"),
    ("random_programs.RandomProgramTest", {"seed": 1}, "RandomProgramTest: give count or only"),
    (
        "random_programs.RandomProgramTest",
        {"seed": 1, "count": 2, "weights": "none.toml"},
        "weights: weights /",
    ),
    ("random_graphs.RandomGraphTest", {"seed": 1}, "RandomGraphTest: give seed and count, or seeds"),
    ("broken_bench.TamperedTest", {"tamperings": ["wrong_wrod"]}, "did you mean wrong_word?"),
]


@pytest.mark.parametrize(("test", "parameters", "message"), REFUSED)
def test_a_wrong_parameter_is_refused_with_its_place(
    test: str, parameters: dict[str, Any], message: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        check_parameters(test, parameters)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("test", "parameters"),
    [
        ("directed.DirectedTest", {"seed": 0, "groups": ["counters"], "stop_at_mismatch": True}),
        ("decode.DecodeTest", request(noise=3, prompt=[0, 1])),
        ("random_graphs.RandomGraphTest", {"seeds": [9, 2]}),
        ("random_programs.RandomProgramTest", {"seed": 1, "only": [3]}),
        ("backdoor.BackdoorTest", {}),
        ("wrong_tokens.WrongTokensTest", request()),
    ],
)
def test_declared_parameters_are_taken(test: str, parameters: dict[str, Any]) -> None:
    check_parameters(test, parameters)


@pytest.mark.parametrize("test", ["directed.NoTest", "no_module.NoTest"])
def test_a_test_that_cannot_be_imported_is_an_error_of_one_line(test: str) -> None:
    with pytest.raises(BrokenTestError, match=rf"^{test} cannot be imported: \w+Error: .*$"):
        check_parameters(test, {})
