"""The coverage model: every item, read from the TOML files of `definitions` and checked as a whole."""

from __future__ import annotations

import hashlib
import json
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator

from sequences.document import DocumentError, StrictModel, read_toml_model
from verif.coverage.dimension import Dimension, every, ranges
from verif.coverage.errors import CoverageError
from verif.coverage.item import CoverageItem, Impossible

CODE = Path(__file__).parent
"""All the code that says what a bin means: samplers, and what they are shown."""

DEFINITIONS = CODE / "definitions"


class DimensionDocument(StrictModel):
    """A dimension; its bins are given in exactly one of three ways."""

    name: str
    values: list[str] = Field(default_factory=list)
    ranges: list[str] = Field(default_factory=list)
    every: str = ""
    any: str = ""
    """What stands in a sentence for all bins; by default `any` and the dimension's name, or `any` number."""

    @model_validator(mode="after")
    def _one_way(self) -> DimensionDocument:
        if bool(self.values) + bool(self.ranges) + bool(self.every) != 1:
            raise ValueError("give exactly one of values, ranges and every")
        if len(set(self.values)) != len(self.values):
            raise ValueError("a value stands there twice")
        self.dimension()
        return self

    def dimension(self) -> Dimension:
        """Return what it describes; ValueError for ranges that are none."""
        if self.values:
            return Dimension(self.name, tuple(self.values), False, self.any or f"any {self.name}")
        any_words = self.any or "any"
        if self.ranges:
            return ranges(self.name, self.ranges, any_words)
        return every(self.name, self.every, any_words)


class ImpossibleDocument(StrictModel):
    """Combinations that cannot be hit, and why."""

    where: dict[str, Annotated[list[str], Field(min_length=1)]] = Field(min_length=1)
    because: str = Field(min_length=1)


class ItemDocument(StrictModel):
    """One item; fields as in `CoverageItem`."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    description: str = Field(min_length=1)
    feature: str = Field(min_length=1)
    goal: float = Field(gt=0, le=100, strict=False)
    phrase: str = Field(min_length=1)
    dimensions: list[DimensionDocument] = Field(min_length=1)
    impossible: list[ImpossibleDocument] = Field(default_factory=list)

    @model_validator(mode="after")
    def _consistent(self) -> ItemDocument:
        names = [dimension.name for dimension in self.dimensions]
        if len(set(names)) != len(names):
            raise ValueError("two dimensions have one name")
        spoken = {field for _, field, _, _ in string.Formatter().parse(self.phrase) if field is not None}
        if spoken != set(names):
            raise ValueError(f"the phrase speaks of {sorted(spoken)}, the dimensions are {sorted(names)}")
        for each in self.impossible:
            for name, bins in each.where.items():
                known = next((d.dimension().bins for d in self.dimensions if d.name == name), None)
                if known is None or not set(bins) <= set(known):
                    raise ValueError(f"impossible: there is no dimension {name} with bins {bins}")
        return self


class DefinitionsDocument(StrictModel):
    """One file of definitions: the items of one family."""

    items: list[ItemDocument] = Field(min_length=1)


@dataclass(frozen=True, eq=False)
class CoverageModel:
    """Every item, with the bins of all of them numbered through."""

    items: tuple[CoverageItem, ...]
    fingerprint: str
    """Hash of the definitions and of the code that samples them: databases of different ones do not merge."""

    @property
    def bins(self) -> int:
        """Number of combinations of all items, impossible ones included."""
        last = self.items[-1]
        return last.first + last.size

    def __iter__(self) -> Iterator[CoverageItem]:
        """Yield the items in their order."""
        return iter(self.items)

    def __getitem__(self, name: str) -> CoverageItem:
        """Return an item by name; KeyError when there is none."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, CoverageItem]:
        return {item.name: item for item in self.items}


@cache
def load_model(directory: Path = DEFINITIONS) -> CoverageModel:
    """Read the definitions. Raises CoverageError, naming the file and the place in it."""
    files = sorted(directory.glob("*.toml"))
    if not files:
        raise CoverageError(f"{directory}: there are no coverage definitions (*.toml)")
    items: list[CoverageItem] = []
    first = 0
    documents = [(path.stem, _read(path)) for path in files]
    for family, document in documents:
        for each in document.items:
            if any(item.name == each.name for item in items):
                raise CoverageError(f"{directory / family}.toml: there are two items {each.name}; rename one")
            item = _item(each, family, first)
            items.append(item)
            first += item.size
    content = [[family, document.model_dump()] for family, document in documents]
    return CoverageModel(tuple(items), _fingerprint(content))


def _read(path: Path) -> DefinitionsDocument:
    try:
        return read_toml_model(path, DefinitionsDocument)
    except DocumentError as error:
        raise CoverageError(str(error)) from error


def _item(document: ItemDocument, family: str, first: int) -> CoverageItem:
    return CoverageItem(
        name=document.name,
        family=family,
        description=document.description,
        feature=document.feature,
        goal=document.goal,
        phrase=document.phrase,
        dimensions=tuple(dimension.dimension() for dimension in document.dimensions),
        impossible=tuple(
            Impossible({name: tuple(bins) for name, bins in each.where.items()}, each.because)
            for each in document.impossible
        ),
        first=first,
    )


def _fingerprint(content: list[Any]) -> str:
    """Hash the definitions' content and the text of the code that decides what a bin means."""
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode())
    for path in (*sorted(CODE.glob("*.py")), *sorted(CODE.glob("samplers/*.py"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
