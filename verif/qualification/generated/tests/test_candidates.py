"""What the operators find on small texts, what they must leave alone, and that names stay."""

from collections.abc import Iterator

import pytest

from verif.qualification.generated.candidates import GeneratedMutant, candidates
from verif.qualification.generated.change import Operator
from verif.qualification.generated.syntax import SyntaxTreeError, parse
from verif.qualification.mutated_rtl import mutated_text

PACKAGE = "package p;\n  typedef enum logic [1:0] {\n    OpA = 2'd0,\n    OpB = 2'd1\n  } op_e;\nendpackage\n"

HEAD = """module m (
    input  logic       clk_i,
    input  logic       rst_i,
    input  logic [7:0] a_i,
    output logic [7:0] q_o
);

  typedef enum logic [1:0] {
    StIdle,
    StRun,
    StLast
  } state_e;

  localparam int First = 1;
  localparam int Second = 2;

  state_e state_q;
  logic [7:0] b, c;

"""


def found(body: str) -> list[GeneratedMutant]:
    return candidates("m.sv", f"{HEAD}{body}\nendmodule\n", {"p.sv": PACKAGE})


def clocked(body: str) -> str:
    return f"  always_ff @(posedge clk_i) begin\n    {body}\n  end\n"


def becomes(mutants: list[GeneratedMutant]) -> list[tuple[Operator, str, str]]:
    return [(mutant.operator, cut.edit.before, cut.edit.after) for mutant in mutants for cut in mutant.cuts]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("b + c", {(Operator.ARITHMETIC, "b + c", "(b) - (c)")}),
        ("b << c", {(Operator.ARITHMETIC, "b << c", "(b) >> (c)")}),
        ("b <= c", {(Operator.RELATIONAL, "b <= c", "(b) < (c)")}),
        ("b == c", {(Operator.EQUALITY, "b == c", "(b) != (c)")}),
        ("b & c", {(Operator.BITWISE, "b & c", "(b) | (c)")}),
        ("|b", {(Operator.BITWISE, "|b", "&b")}),
        ("!b", {(Operator.UNARY, "!b", "!(!b)")}),
        ("-b", {(Operator.UNARY, "-b", "b")}),
        ("b ? c : a_i", {(Operator.BRANCHES, "b ? c : a_i", "b ? a_i : c")}),
        ("4'd7", {(Operator.CONSTANT, "4'd7", "4'd8"), (Operator.CONSTANT, "4'd7", "4'd6")}),
        ("4'hf", {(Operator.CONSTANT, "4'hf", "4'h0"), (Operator.CONSTANT, "4'hf", "4'he")}),
        ("1'b0", {(Operator.CONSTANT, "1'b0", "1'b1")}),
        ("0", {(Operator.CONSTANT, "0", "1")}),
        ("b[3:0]", {(Operator.SELECT, "b[3:0]", "b[4:1]")}),
        ("b[7:4]", {(Operator.SELECT, "b[7:4]", "b[6:3]")}),
        ("b[7]", {(Operator.SELECT, "b[7]", "b[6]")}),
        ("b[First]", {(Operator.SELECT, "b[First]", "b[Second]")}),
        ("$signed(b)", {(Operator.SIGNED, "$signed(b)", "$signed({1'b0, b})")}),
    ],
)
def test_what_an_expression_becomes(value: str, expected: set[tuple[Operator, str, str]]) -> None:
    assert set(becomes(found(f"  assign q_o = {value};"))) == expected


def test_a_chain_has_a_mutant_for_each_of_its_operators() -> None:
    assert set(becomes(found("  assign q_o = a_i && b && c;"))) == {
        (Operator.LOGICAL, "a_i && b && c", "(a_i) || (b && c)"),
        (Operator.LOGICAL, "a_i && b && c", "(a_i && b) || (c)"),
    }


def test_names_of_enumerations_give_way_to_the_next() -> None:
    assert (Operator.STATE, "state_q == StLast", "state_q == StIdle") in becomes(
        found("  assign q_o = state_q == StLast;")
    )
    assert (Operator.OPCODE, "b == p::OpB", "b == p::OpA") in becomes(found("  assign q_o = b == p::OpB;"))
    assert (Operator.STATE, "state_q <= StIdle;", "state_q <= StRun;") in becomes(
        found(clocked("state_q <= StIdle;"))
    )


def test_statements() -> None:
    mutants = becomes(found(clocked("if (b) c <= a_i;")))
    assert mutants == [
        (Operator.ASSIGNMENT, "c <= a_i;", ""),
        (Operator.CONDITION, "b", "!(b)"),
    ]


def test_the_condition_of_an_equality_is_inverted_once() -> None:
    mutants = found(clocked("if (b == c) c <= a_i;"))
    assert [mutant.operator for mutant in mutants] == [Operator.ASSIGNMENT, Operator.EQUALITY]


def test_neighbouring_arms_are_swapped_whole() -> None:
    arms = found(clocked("case (b)\n8'd0: c <= a_i;\ndefault: c <= b;\nendcase"))
    (swapped,) = [mutant for mutant in arms if mutant.operator is Operator.ARMS]
    assert becomes([swapped]) == [
        (Operator.ARMS, "c <= a_i;", "c <= b;"),
        (Operator.ARMS, "c <= b;", "c <= a_i;"),
    ]


def test_a_reset_is_dropped_and_otherwise_left_alone() -> None:
    mutants = found(clocked("if (rst_i) c <= 8'd1;\nelse c <= a_i;"))
    assert becomes(mutants) == [
        (Operator.RESET, "c <= 8'd1;", ""),
        (Operator.ASSIGNMENT, "c <= a_i;", ""),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "  localparam int Third = 3 + 4;",
        "  logic [7:0] memory[First+1];",
        "  assign q_o = c;",
        "  assign unused_b = b == c;",
        "  assign working_o = b == c;",
        "  assign q_o = {3{b}};",
        "  assign q_o = b[7:0];",
        "  assign q_o[2] = c;",
        "  assign q_o = int'(b);",
        "  sub u_sub (.a_i(b == c), .b_o(c[3:0]));",
        "  for (genvar i = 0; i < 4; i++) begin : g_x\n  end",
    ],
)
def test_what_no_simulator_chooses_and_nobody_sees_stays(body: str) -> None:
    assert found(body) == []


def test_what_would_change_nothing_is_no_mutant() -> None:
    assert all(
        mutant.operator not in (Operator.SIGNED, Operator.UNARY)
        for mutant in found("  assign q_o = $signed({1'b0, b}) + -8'sd128;")
    )
    assert all(mutant.operator is not Operator.ARMS for mutant in found(clocked(EQUAL_ARMS)))


EQUAL_ARMS = "case (b)\n8'd0: c <= a_i;\ndefault: c <= a_i;\nendcase"


def test_port_connections_are_shifted_where_they_are_inputs() -> None:
    assert becomes(found("  sub u_sub (.a_i(b[3:0]), .b_o(c[3:0]));")) == [
        (Operator.SELECT, "b[3:0]", "b[4:1]")
    ]


def test_labels_of_a_case_are_no_place() -> None:
    mutants = found(clocked("case (b)\n8'd3: c <= a_i;\nendcase"))
    assert becomes(mutants) == [(Operator.ASSIGNMENT, "c <= a_i;", "")]


BODY = "  assign q_o = b + c;\n" + clocked("if (b < 8'd3) c <= a_i[3:0];\n    b <= -c;")


def _lines(mutants: list[GeneratedMutant]) -> Iterator[tuple[str, str]]:
    return ((mutant.name, mutant.what) for mutant in mutants)


def test_the_same_text_has_the_same_mutants_with_names_of_their_own() -> None:
    mutants = found(BODY)
    assert found(BODY) == mutants
    assert len({mutant.name for mutant in mutants}) == len(mutants) == 9


def test_names_stay_where_other_lines_change() -> None:
    before = set(_lines(found(BODY)))
    edited = "  // A line of its own.\n  assign d = b - c;\n" + BODY.replace("    b <=", "        b <=")
    assert before < set(_lines(found(edited)))


def test_the_names_of_a_line_go_with_its_text() -> None:
    names = {mutant.name for mutant in found("  assign q_o = b + c;")}
    assert names.isdisjoint(mutant.name for mutant in found("  assign q_o = b + b;"))


def test_equal_lines_have_names_of_their_own() -> None:
    mutants = found(clocked("c <= b;\n    c <= b;"))
    assert len({mutant.name for mutant in mutants}) == len(mutants) == 2


def test_mutants_go_into_the_text_where_they_stand() -> None:
    source = f"{HEAD}{BODY}\nendmodule\n"
    mutants = candidates("m.sv", source, {})
    text = mutated_text(source, [], mutants)
    for mutant in mutants:
        assert text.count(f"mutant={mutant.name}") == 1
        assert text.count(f"(mutant_{mutant.name} ?") + text.count(f"if (mutant_{mutant.name})") == 1
    assert parse(text, "m.sv").text.endswith("endmodule")


def test_text_that_is_no_systemverilog_is_refused() -> None:
    with pytest.raises(SyntaxTreeError, match=r"m\.sv:2: no SystemVerilog: '='"):
        parse("module m;\n  assign = 3;\nendmodule\n", "m.sv")


@pytest.mark.parametrize(("text", "how"), [("// Größe\n", "keep to ASCII"), ("", "holds no SystemVerilog")])
def test_text_without_a_tree_is_refused(text: str, how: str) -> None:
    with pytest.raises(SyntaxTreeError, match=f"m.sv: .*{how}"):
        parse(text, "m.sv")


def test_a_missing_parser_names_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verif.qualification.generated.syntax.PARSER", "/no/such/parser")
    with pytest.raises(SyntaxTreeError, match=r"make -C \S+ setup$"):
        parse("module m;\nendmodule\n", "m.sv")
