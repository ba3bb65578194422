"""Source maps in bundle files: what is written by hand is read, and what contradicts itself is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from refmodel.capra.compiler import compile_graph
from refmodel.capra.graph import Graph
from refmodel.source_map.instruction_source import InstructionSource, whole
from refmodel.source_map.places import ExternalPlace, ScratchpadPlace
from refmodel.source_map.source_map import SourceMap
from refmodel.source_map.tensor import Tensor
from sequences.bundle_file import BundleError, load_bundle, save_bundle

GOOD: dict[str, Any] = {
    "tensors": [["x", 2, 3, 0.5, "int8", None], ["s", 1, 8, 1, "accumulator", 2]],
    "instructions": [["load", "x", 0, 0, 2, 0, 3], ["matmul", "s[row 2]", 1, 0, 1, 4, 4], None],
    "scratchpad": [[0, 100, 0, 1], [1, 0, 1, 1]],
    "ext": [[0, 7]],
}


def written(directory: Path, source_map: object) -> Path:
    path = directory / "bundle.json"
    content = {"format": "ga2-program/1", "code": ["0" * 32] * 3, "ext": [], "source_map": source_map}
    path.write_text(json.dumps(content))
    return path


def test_every_column_is_read(tmp_path: Path) -> None:
    x, s = Tensor("x", (2, 3), 0.5), Tensor("s", (1, 8), 1.0, "accumulator", 2)
    assert load_bundle(written(tmp_path, GOOD)).source_map == SourceMap(
        (whole("load", "x", x), InstructionSource("matmul", "s[row 2]", s, range(1), range(4, 8)), None),
        (ScratchpadPlace(x, 100, 0, 1), ScratchpadPlace(s, 0, 1, 1)),
        (ExternalPlace(x, 7),),
    )


def test_null_is_no_map(tmp_path: Path) -> None:
    assert load_bundle(written(tmp_path, None)).source_map is None


def test_the_map_of_a_compiled_program_comes_back(tmp_path: Path) -> None:
    graph = Graph()
    x = graph.input("x", (3, 5))
    graph.output(graph.softmax(graph.matmul(x, graph.weight("w", np.ones((5, 6))))), "y")
    bundle = compile_graph(graph, [{"x": np.ones((3, 5))}]).bundle({"x": np.ones((3, 5))})
    save_bundle(tmp_path / "bundle.json", bundle)
    assert load_bundle(tmp_path / "bundle.json").source_map == bundle.source_map
    assert bundle.source_map is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instructions": GOOD["instructions"][:2]}, "source map describes 2 instructions, code has 3; drop"),
        (
            {"tensors": GOOD["tensors"][:1]},
            "source_map: there is no tensor 1, the map lists 1; correct the map",
        ),
        ({"tensors": [["x", 2, 3, 0, "int8", None]]}, r"source_map.tensors\[0\]\[3\] is 0: .*greater than 0"),
        ({"tensors": [["x", 0, 3, 1, "int8", None]]}, r"source_map: tensor x has the shape \(0, 3\)"),
        (
            {"tensors": [["x", 2, 3, 1, "int9", None]]},
            r"source_map.tensors\[0\]\[4\] is 'int9', expected 'int8', ",
        ),
        ({"tensors": [["x", 2, True, 1, "int8", None]]}, r"source_map.tensors\[0\]\[2\] is True: .*integer"),
        ({"tensors": [["x", 2, 3, 1, "int8"]]}, r"key source_map.tensors\[0\]\[5\] is missing"),
        ({"tensors": [["x", 2, 3, 1, "int8", None, 1]]}, r"source_map.tensors\[0\] is too long"),
        ({"tensors": {}}, "source_map.tensors is {}: .*valid list"),
        ({"instructions": [[], None, None]}, r"key source_map.instructions\[0\]\[0\] is missing"),
        ({"instructions": [["lod", "x", 0, 0, 1, 0, 1]]}, r"source_map.instructions\[0\]\[0\] is 'lod'"),
        ({"instructions": [["load", "x", 0, 1, 2, 0, 1]]}, "source_map: rows 1..2 of x, legal are 0..1"),
        ({"instructions": [["load", "x", 0, 0, 2, 3, 1]]}, "source_map: columns 3..3 of x, legal are 0..2"),
        ({"instructions": [None] * 65537}, "source_map.instructions is too long"),
        ({"scratchpad": [[0, 4091, 0, 0]]}, "x takes the words 4091..4096 of the scratchpad"),
        ({"scratchpad": [[0, 0, 1, 0]]}, "x lives from pc 1 to 0"),
        ({"scratchpad": [[0, 0, 0, 3]]}, "x lives to pc 3, the program ends at 2"),
        ({"scratchpad": [[0, -1, 0, 0]]}, r"source_map.scratchpad\[0\]\[1\] is -1"),
        ({"ext": [[0, 65531]]}, "x takes the words 65531..65536 of the external memory"),
        ({"ext": [0]}, r"source_map.ext\[0\] is 0: .*valid tuple"),
        ({"extra": []}, "key source_map.extra is unknown"),
    ],
)
def test_bad_maps(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = written(tmp_path, GOOD | change)
    with pytest.raises(BundleError, match=message) as caught:
        load_bundle(path)
    assert str(caught.value).startswith(f"bundle {path}: ")
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("key", list(GOOD))
def test_missing_keys(tmp_path: Path, key: str) -> None:
    with pytest.raises(BundleError, match=f"key source_map.{key} is missing; add it"):
        load_bundle(written(tmp_path, {name: GOOD[name] for name in GOOD if name != key}))
