"""Every test of the project, and every UVM test, told from its source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def project_tests(root: Path, packages: list[str]) -> list[str]:
    """Return all test functions below some packages as path::function, sorted; raise if there is none."""
    tests = sorted(
        f"{path.relative_to(root).as_posix()}::{name}"
        for package in packages
        for path in (root / package).rglob("test_*.py")
        for name in _functions(path)
    )
    assert tests, f"no tests below {root}"
    return tests


def uvm_tests(root: Path) -> list[str]:
    """Return all UVM tests that a simulation can run, as path::class, sorted; raise if there is none."""
    tests = sorted(
        f"{path.relative_to(root).as_posix()}::{node.name}"
        for path in (root / "verif" / "uvm_tests").glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8"), str(path)).body
        if isinstance(node, ast.ClassDef) and any(map(_makes_a_uvm_test, node.decorator_list))
    )
    assert tests, f"no UVM tests below {root}"
    return tests


def _makes_a_uvm_test(decorator: ast.expr) -> bool:
    return ast.unparse(decorator).startswith("pyuvm.test(")


def _functions(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from (
                f"{node.name}::{method.name}"
                for method in node.body
                if isinstance(method, ast.FunctionDef) and method.name.startswith("test_")
            )
