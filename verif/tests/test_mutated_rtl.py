"""How mutants get into a copy of the RTL, and what is refused."""

from pathlib import Path

import pytest

from refmodel.isa.timing import Unit
from verif.divergence.kind import DivergenceKind
from verif.qualification.mutant import Category, Edit, Expression, FirstDivergence, Mutant, Statement
from verif.qualification.mutated_rtl import mutated_text, plusargs, write_mutated_rtl
from verif.qualification.unique_text import MutationError

SOURCE = """module unit (
    input logic a
);
  assign x = a + b;
  assign y = a + c;
  always_ff @(posedge clk_i) begin
    q <= d;
    r <= e;
  end
endmodule
"""


def _mutant(name: str, *edits: Edit, file: str = "ga2_argmax.sv") -> Mutant:
    expected = FirstDivergence(0, "AMAX", Unit.VECTOR, DivergenceKind.DATA)
    return Mutant(name, Category.TIE, file, edits, "Something is broken.", ("golden/softmax",), expected)


def test_expression_is_chosen_at_run_time() -> None:
    text = mutated_text(SOURCE, [_mutant("wrong_sum", Expression("a + b", "a - b"))])
    assert 'initial mutant_wrong_sum = $test$plusargs("mutant=wrong_sum") != 0;' in text
    assert text.index("logic mutant_wrong_sum;") == text.index(");\n") + len(");\n  ")
    assert "assign x = (mutant_wrong_sum ? (a - b) : (a + b));" in text
    assert "assign y = a + c;" in text


def test_statement_is_chosen_at_run_time() -> None:
    text = mutated_text(SOURCE, [_mutant("no_q", Statement("q <= d;", ""))])
    assert "if (mutant_no_q) begin  end else begin q <= d; end" in text


def test_prefix_tells_equal_texts_apart() -> None:
    text = mutated_text(SOURCE, [_mutant("wrong_y", Expression("a", "b", prefix="assign y = "))])
    assert "assign x = a + b;" in text
    assert "assign y = (mutant_wrong_y ? (b) : (a)) + c;" in text


def test_one_mutant_may_have_several_edits_and_one_place_several_mutants() -> None:
    both = _mutant("both", Expression("a + b", "b"), Statement("r <= e;", "r <= d;"))
    same = _mutant("same_place", Expression("a + b", "0"))
    inner = _mutant("inner", Expression("b", "c", prefix="a + "))
    text = mutated_text(SOURCE, [both, same, inner])
    assert "(mutant_both ? (b) : ((mutant_same_place ? (0) : (a + (mutant_inner ? (c) : (b))))))" in text
    assert "if (mutant_both) begin r <= d; end else begin r <= e; end" in text


def test_text_without_mutants_stays_as_it_is() -> None:
    assert mutated_text(SOURCE, []) == SOURCE


@pytest.mark.parametrize(
    ("before", "how"), [("a * b", "does not occur"), ("a", r"occurs \d+ times"), ("assign", "occurs 2 times")]
)
def test_text_that_does_not_occur_once_is_refused(before: str, how: str) -> None:
    with pytest.raises(MutationError, match=f"mutant lost: '.*' {how} in ga2_argmax.sv, but must once"):
        mutated_text(SOURCE, [_mutant("lost", Expression(before, "0"))])


def test_mutants_that_cut_each_other_are_refused() -> None:
    first = _mutant("first", Statement("q <= d;\n    r <= e;", ""))
    second = _mutant("second", Statement("r <= e;\n  end", ""))
    with pytest.raises(MutationError, match="mutants first and second cut each other"):
        mutated_text(SOURCE, [first, second])


def test_file_without_a_port_list_is_refused() -> None:
    with pytest.raises(MutationError, match="has no module whose port list ends"):
        mutated_text(
            "package p;\n  localparam int A = 1;\nendpackage\n", [_mutant("p", Expression("1", "2"))]
        )


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (("clear", "other", "clear_late"), "mutants clear and clear_late: no name may begin another"),
        (("twice", "twice"), "mutants twice and twice: no name may begin another"),
        (("with-dash",), "mutant 'with-dash': a name has small letters"),
    ],
)
def test_names_that_select_the_wrong_mutant_are_refused(
    tmp_path: Path, names: tuple[str, ...], reason: str
) -> None:
    mutants = [_mutant(name, Expression("word_q > best_q", "1'b0")) for name in names]
    with pytest.raises(MutationError, match=reason):
        write_mutated_rtl(tmp_path, mutants)


def test_unknown_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MutationError, match=r"no file ga2_none.sv in .*hdl/rtl to mutate"):
        write_mutated_rtl(tmp_path, [_mutant("lost", Expression("a", "b"), file="ga2_none.sv")])


def test_files_that_are_right_already_stay_untouched(tmp_path: Path) -> None:
    mutants = [_mutant("never", Expression("word_q > best_q", "1'b0"))]
    listed = write_mutated_rtl(tmp_path, mutants)
    times = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("*.sv")}
    (tmp_path / "ga2.sv").write_text("damaged")
    write_mutated_rtl(tmp_path, mutants)
    changed = {path.name for path in tmp_path.glob("*.sv") if path.stat().st_mtime_ns != times[path.name]}
    assert changed == {"ga2.sv"}
    assert all((tmp_path / name).is_file() for name in listed.read_text().split())


def test_assertions_of_the_chip_are_silenced() -> None:
    assert plusargs("some") == ("+mutant=some", "+ga2_keep_going=1")
