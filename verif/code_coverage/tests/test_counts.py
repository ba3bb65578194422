"""Files of counts: read, merged in any order, written, and refused when they are damaged."""

from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

from verif.code_coverage.counts import keep_counts, merge_counts, read_counts, write_counts
from verif.code_coverage.errors import CodeCoverageError
from verif.code_coverage.point import CodeKind
from verif.code_coverage.tests.coverage_files import POINTS, counts_file, record, sealed

SEAL = "# ga2-code-coverage/1: {} records"


def test_fields_of_a_point(tmp_path: Path) -> None:
    text = record("branch", 61, "else", "61-63,65", 7, file="hdl/rtl/ga2.sv")
    path = sealed(tmp_path / "c.dat", [text])
    ((point, count),) = read_counts(path).items()
    assert (point.file, point.line, point.column, point.kind) == ("hdl/rtl/ga2.sv", 61, 3, CodeKind.BRANCH)
    assert (point.what, point.hierarchy, point.lines, count) == ("else", "top.m", (61, 62, 63, 65), 7)


def test_every_order_merges_to_the_same_sum(tmp_path: Path) -> None:
    paths = [counts_file(tmp_path / f"{number}.dat", number, 0, 5 * number) for number in range(3)]
    merged = [merge_counts(order) for order in permutations(paths)]
    assert all(each == merged[0] for each in merged)
    assert [merged[0][point] for point in merged[0]][:4] == [3, 0, 15, 3]
    assert len(merged[0]) == len(POINTS)


def test_what_was_written_reads_the_same(tmp_path: Path) -> None:
    counts = read_counts(counts_file(tmp_path / "a.dat", 3, 0, 9))
    write_counts(tmp_path / "b.dat", counts)
    assert read_counts(tmp_path / "b.dat") == counts


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda _: "", "is not a file of code coverage"),
        (lambda text: text.replace("Coverage-3", "Coverage-9"), "does not begin with"),
        (lambda text: text[:-10], "is cut short"),
        (lambda text: text.replace("q_o[1]:0->1", "\n"), "is cut short"),
        (lambda text: text.replace("C '", "D '"), ":2: is damaged"),
        (lambda text: "\n".join([text.splitlines()[0], SEAL.format(0)]), "names no point"),
        (lambda text: text.replace("v_line", "v_fsm"), r":2: is not a point of a known kind"),
        (
            lambda text: text.replace("\x022\x01h", "\x021-99999999999\x01h"),
            r":2: is not a point of a known kind",
        ),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, change: Callable[[str], str], message: str) -> None:
    path = counts_file(tmp_path / "c.dat")
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(CodeCoverageError, match=f"c.dat.*{message}"):
        read_counts(path)


def test_a_file_cut_at_any_byte_is_refused(tmp_path: Path) -> None:
    path = counts_file(tmp_path / "c.dat")
    content = path.read_bytes()
    for length in range(len(content) - 1):  # without its last newline it is whole
        path.write_bytes(content[:length])
        with pytest.raises(CodeCoverageError):
            read_counts(path)


def test_what_verilator_wrote_is_kept_with_its_number_of_records(tmp_path: Path) -> None:
    kept = counts_file(tmp_path / "kept.dat", 3, 0)
    written = tmp_path / "written.dat"
    written.write_text("".join(kept.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]))
    with pytest.raises(CodeCoverageError, match="is cut short"):
        read_counts(written)
    keep_counts(written, tmp_path / "again.dat")
    assert (tmp_path / "again.dat").read_bytes() == kept.read_bytes()
    written.write_bytes(written.read_bytes()[:-1])
    with pytest.raises(CodeCoverageError, match="its writing was cut short; is the disk full"):
        keep_counts(written, tmp_path / "again.dat")


def test_missing_and_binary_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CodeCoverageError, match="cannot be read: No such file"):
        read_counts(tmp_path / "none.dat")
    (tmp_path / "b.dat").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CodeCoverageError, match="byte order mark"):
        read_counts(tmp_path / "b.dat")


def test_all_counts_of_other_rtl_are_named_at_once(tmp_path: Path) -> None:
    first, *others = (counts_file(tmp_path / f"{name}.dat") for name in "abcd")
    for path in others:
        path.write_text(path.read_text(encoding="utf-8").replace("q_o[1]", "q_o[2]"), encoding="utf-8")
    with pytest.raises(CodeCoverageError) as caught:
        merge_counts([first, *others])
    told, *more = str(caught.value).splitlines()
    assert told.startswith(f"{others[0]}: is of other RTL than {first}: ")
    assert told.endswith("; 2 more are of other RTL:")
    assert more == [f"  {path}" for path in others[1:]]


def test_counts_of_other_rtl_do_not_merge(tmp_path: Path) -> None:
    first, second = counts_file(tmp_path / "a.dat"), counts_file(tmp_path / "b.dat")
    second.write_text(second.read_text(encoding="utf-8").replace("q_o[1]", "q_o[2]"), encoding="utf-8")
    with pytest.raises(
        CodeCoverageError, match=r"b.dat: is of other RTL than .*a.dat: only one of them knows m.sv:1"
    ):
        merge_counts([first, second])


def test_nothing_to_merge_is_refused() -> None:
    with pytest.raises(CodeCoverageError, match="no code coverage was given"):
        merge_counts([])
