"""Bundle files: round trips, and one clear message for every way in which a file can be bad."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from refmodel.errors import Ga2Error
from refmodel.machine.bundle import Bundle
from refmodel.machine.tests.bundles import any_bundle, assert_same_bundle
from refmodel.machine.tests.helpers import words
from sequences.bundle_file import BundleError, load_bundle, save_bundle

GOOD: dict[str, Any] = {
    "format": "ga2-program/1",
    "code": ["1000A000000250000000000000000000", "0" * 32],
    "ext": [1, 4294967295],
    "ext_words": 100,
    "read_latency": 3,
    "scratchpad": [7],
    "expect": {
        "halted": True,
        "fault": False,
        "counters": {"cyc_total": 1, "cyc_mm": 2, "cyc_dma": 3, "cyc_vec": 4, "n_inst": 5},
        "ext": [8],
        "scratchpad": [9],
    },
    "note": "remark",
}
COUNTERS = GOOD["expect"]["counters"]


def written(directory: Path, content: str | bytes) -> Path:
    path = directory / "bundle.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@given(any_bundle)
def test_load_reverses_save(tmp_path: Path, bundle: Bundle) -> None:
    path = tmp_path / "bundle.json"
    save_bundle(path, bundle)
    loaded = load_bundle(path)
    assert_same_bundle(loaded, bundle)
    assert loaded.source_map == bundle.source_map


def test_every_key_is_read(tmp_path: Path) -> None:
    bundle = load_bundle(written(tmp_path, json.dumps(GOOD)))
    assert bundle.code == (0x1000A000000250000000000000000000, 0)
    assert (bundle.ext.tolist(), bundle.ext_words, bundle.read_latency) == ([1, 4294967295], 100, 3)
    assert bundle.scratchpad is not None
    assert bundle.scratchpad.tolist() == [7]
    assert bundle.note == "remark"
    assert bundle.expect is not None
    assert (bundle.expect.halted, bundle.expect.fault) == (True, False)
    assert vars(bundle.expect.counters) == COUNTERS
    assert (bundle.expect.ext.tolist(), bundle.expect.scratchpad.tolist()) == ([8], [9])


def test_optional_keys_have_the_defaults_of_a_bundle(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps({key: GOOD[key] for key in ("format", "code", "ext")}))
    assert_same_bundle(load_bundle(path), Bundle((0x1000A000000250000000000000000000, 0), words([1, -1])))


def test_saving_replaces_the_file_whole_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = written(tmp_path, "old")
    save_bundle(path, Bundle((), words([1])))
    assert load_bundle(path).ext.tolist() == [1]
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_save_keeps_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "directory").mkdir()
    with pytest.raises(Ga2Error, match="directory: cannot be written: Is a directory"):
        save_bundle(tmp_path / "directory", Bundle((), words([])))
    assert [path.name for path in tmp_path.iterdir()] == ["directory"]
    with pytest.raises(Ga2Error, match="cannot be written: No such file or directory"):
        save_bundle(tmp_path / "missing" / "bundle.json", Bundle((), words([])))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "ga2-program/2"}, "format is 'ga2-program/2', expected 'ga2-program/1'"),
        ({"format": None}, "format is None, expected 'ga2-program/1'"),
        ({"code": ["0" * 31]}, r"code\[0\] is '0{31}', expected 32 hexadecimal digits"),
        ({"code": ["0" * 32, "0" * 33]}, r"code\[1\] is '0{33}', expected 32 hexadecimal digits"),
        ({"code": ["g" * 32]}, r"code\[0\] is 'g{32}', expected 32 hexadecimal digits"),
        ({"code": ["0x" + "0" * 30]}, r"code\[0\] is .*, expected 32 hexadecimal digits"),
        ({"code": ["0" * 32 + "\n"]}, r"code\[0\] is .*, expected 32 hexadecimal digits"),
        ({"code": [0]}, r"code\[0\] is 0: Input should be a valid string"),
        ({"code": "0" * 32}, "code is '0{32}': Input should be a valid list"),
        ({"code": ["0" * 32] * 65537}, "code .* is 65537, legal is 0..65536"),
        ({"ext": [1, -1]}, r"ext\[1\] is -1: Input should be greater than or equal to 0"),
        ({"ext": [2**32]}, r"ext\[0\] is 4294967296: Input should be less than or equal to 4294967295"),
        ({"ext": [1.5]}, r"ext\[0\] is 1.5: Input should be a valid integer"),
        ({"ext": [True]}, r"ext\[0\] is True: Input should be a valid integer"),
        ({"ext": ["1"]}, r"ext\[0\] is '1': Input should be a valid integer"),
        ({"ext": None}, "ext is None: Input should be a valid list"),
        ({"ext": [0] * 101}, "ext .* is 101, legal is 0..100"),
        ({"ext_words": 0}, "ext_words is 0, legal is 1..65536"),
        ({"ext_words": -1, "ext": []}, "ext_words is -1, legal is 1..65536"),
        ({"ext_words": 65537}, "ext_words is 65537, legal is 1..65536"),
        ({"ext_words": "100"}, "ext_words is '100': Input should be a valid integer"),
        ({"read_latency": 0}, "read_latency is 0, legal is 1..4095"),
        ({"scratchpad": [0] * 4097}, "scratchpad is too long: .*at most 4096"),
        ({"note": 5}, "note is 5: Input should be a valid string"),
        ({"scrachpad": [1]}, "key scrachpad is unknown; correct or remove it"),
        ({"expect": {}}, r"key expect.halted is missing; add it \(the first of 5 problems\)"),
        ({"expect": GOOD["expect"] | {"halted": 1}}, "expect.halted is 1: Input should be a valid boolean"),
        ({"expect": GOOD["expect"] | {"ext": [0] * 101}}, "expect.ext has 101 words, legal is 0..100"),
        (
            {"expect": GOOD["expect"] | {"counters": COUNTERS | {"n_inst": -1}}},
            "expect.counters.n_inst is -1: Input should be greater than or equal to 0",
        ),
    ],
)
def test_bad_values(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = written(tmp_path, json.dumps(GOOD | change))
    with pytest.raises(BundleError, match=message) as caught:
        load_bundle(path)
    assert str(caught.value).startswith(f"bundle {path}: ")
    assert caught.value.path == path
    assert len(str(caught.value)) < 400  # a list of thousands of words is not repeated


@pytest.mark.parametrize("key", ["format", "code", "ext"])
def test_missing_keys(tmp_path: Path, key: str) -> None:
    path = written(tmp_path, json.dumps({name: GOOD[name] for name in GOOD if name != key}))
    with pytest.raises(BundleError, match=f"key {key} is missing; add it"):
        load_bundle(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is not JSON: Expecting value at line 1, column 1"),
        ("{\n 5}", "is not JSON: .* at line 2, column 2"),
        (b"\x93\xff", "is not UTF-8"),
        ("[]", "expected one JSON object"),
        ("null", "expected one JSON object"),
        ("[" * 100_000, "is nested more than 200 levels deep"),
        ("9" * 5000, "Exceeds the limit"),
        ('{"ext": [1], "ext": [2]}', "key 'ext' appears twice"),
        (json.dumps(GOOD).replace("4294967295", "NaN"), "NaN is not a number of JSON"),
    ],
)
def test_bad_files(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(BundleError, match=message):
        load_bundle(written(tmp_path, content))


def test_every_truncation_is_refused(tmp_path: Path) -> None:
    content = json.dumps(GOOD)
    for length in range(len(content)):
        with pytest.raises(BundleError, match=r"is not JSON: .* at line 1, column .*truncated"):
            load_bundle(written(tmp_path, content[:length]))


def test_a_file_of_a_hundred_thousand_keys_is_refused_at_once(tmp_path: Path) -> None:
    """Minutes would pass if every key were compared with every other."""
    keys = json.dumps(dict.fromkeys(map(str, range(100_000)), 0))
    began = time.process_time()
    with pytest.raises(BundleError, match="key format is missing; add it"):
        load_bundle(written(tmp_path, keys))
    assert time.process_time() - began < 10


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="cannot be read: No such file or directory; check the path"):
        load_bundle(tmp_path / "missing.json")
    with pytest.raises(BundleError, match="is a directory, not a regular file"):
        load_bundle(tmp_path)
