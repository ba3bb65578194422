from __future__ import annotations

import re
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]

NOT_PINNED = {"pip", "setuptools", "wheel"}
"""What `python -m venv` puts there by itself, and `pip freeze` leaves out."""


def normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_requirements_pin_exactly_what_the_environment_holds() -> None:
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    requirements = [line.partition("#")[0].strip() for line in lines]
    pinned = dict(line.split("==") for line in requirements if line)
    installed = {normalized(package.name): package.version for package in distributions(path=site_packages())}
    assert {normalized(name): version for name, version in pinned.items()} == {
        name: version for name, version in installed.items() if name not in NOT_PINNED
    }


def site_packages() -> list[str]:
    return [str(path) for path in (ROOT / ".venv" / "lib").glob("python3*/site-packages")]
