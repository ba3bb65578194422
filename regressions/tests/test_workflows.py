"""The workflows for GitHub: what they call and keep is there, and they may do no more than they must."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from regressions.history.database import HISTORY
from regressions.nightly.attempt import PARTS
from regressions.nightly.failed_seeds import FAILED_SEEDS
from regressions.nightly.night import NIGHTS, PLAN
from regressions.nightly.report import JUNIT, SUMMARY
from regressions.tests.conftest import CommandLine
from verif.simulation.plain_path import REPOSITORY
from verif.simulation.sim_make import OUT

WORKFLOWS = ("smoke", "nightly")
REMEMBERED = {str(path.relative_to(REPOSITORY)) for path in (HISTORY, FAILED_SEEDS)}


def workflow(name: str) -> dict[Any, Any]:
    text = (REPOSITORY / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
    document: dict[Any, Any] = yaml.safe_load(text)
    return document


def steps(name: str) -> list[dict[str, Any]]:
    (job,) = workflow(name)["jobs"].values()
    return list(job["steps"])


def commands(name: str, start: str) -> Iterator[list[str]]:
    """Yield the words after `start` of every line that begins with it."""
    for step in steps(name):
        for line in step.get("run", "").splitlines():
            if line.strip().startswith(f"{start} "):
                yield shlex.split(line)[len(start.split()) :]


def step_with(name: str, action: str) -> dict[str, Any]:
    (step,) = (each for each in steps(name) if each.get("uses", "").partition("@")[0] == action)
    return step


def paths(step: dict[str, Any]) -> list[str]:
    return str(step["with"]["path"]).split()


@pytest.mark.parametrize("name", WORKFLOWS)
def test_targets_and_variables_of_make_exist(name: str) -> None:
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    called = list(commands(name, "make"))
    assert called
    for target, *settings in called:
        assert re.search(rf"^\.PHONY:.*\b{target}\b", makefile, re.MULTILINE), target
        for setting in settings:
            assert re.search(rf"^options := .*\b{setting.partition('=')[0]}\b", makefile, re.MULTILINE), (
                setting
            )


def test_what_is_called() -> None:
    assert [target for target, *_ in commands("smoke", "make")] == ["setup", "lint", "smoke"]
    assert list(commands("nightly", "make")) == [["setup"], ["nightly", "LIST=$LIST", "SEED=$SEED"]]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_commands_of_the_project_exist(name: str, command_line: CommandLine) -> None:
    (called,) = commands(name, ".venv/bin/python -m regressions")
    words = called[: called.index(">>")]
    assert words.pop() == f"out/{NIGHTS.relative_to(OUT)}/*"
    told = command_line(*words, "--help")
    assert told.status == 0
    assert f"Usage: regressions {' '.join(words)} " in told.output


@pytest.mark.parametrize("name", WORKFLOWS)
def test_the_summary_is_told_and_the_night_kept_whatever_failed(name: str) -> None:
    (summary,) = (step for step in steps(name) if "GITHUB_STEP_SUMMARY" in step.get("run", ""))
    assert summary["if"] == "always()"
    keep = step_with(name, "actions/upload-artifact")
    assert keep["if"] == {"smoke": "failure()", "nightly": "always()"}[name]
    night = f"out/{NIGHTS.relative_to(OUT)}/*"
    assert "failures" in PARTS
    files = {f"{night}/{each}" for each in (PLAN, SUMMARY, JUNIT, "report/", "failures/")}
    assert files <= set(paths(keep)) <= files | REMEMBERED


def test_nights_remember_what_is_not_in_git() -> None:
    """Restored under a name that no night has, so that it is the newest; kept under the one of this night."""
    restore, save = (step_with("nightly", f"actions/cache/{verb}") for verb in ("restore", "save"))
    assert set(paths(restore)) == set(paths(save)) == REMEMBERED
    key = restore["with"]["key"]
    assert key == save["with"]["key"]
    assert key.startswith(restore["with"]["restore-keys"])
    assert {"github.run_id", "github.run_attempt"} == set(re.findall(r"{{ ([\w.]+) }}", key))
    assert "always()" in save["if"]
    order = [step.get("name") for step in steps("nightly")]
    assert order.index(restore["name"]) < order.index("Night") < order.index(save["name"])
    assert set(paths(step_with("nightly", "actions/upload-artifact"))) >= REMEMBERED


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_may_only_read_and_ends(name: str) -> None:
    document = workflow(name)
    (job,) = document["jobs"].values()
    assert document["permissions"] == {"contents": "read"}
    assert "permissions" not in job
    assert document["concurrency"]["cancel-in-progress"] is (name == "smoke")
    assert 0 < job["timeout-minutes"] < 360, "GitHub's own limit is six hours"
    assert all(step.get("timeout-minutes", 0) < job["timeout-minutes"] for step in job["steps"])
    for step in job["steps"]:
        assert ("uses" in step) != ("run" in step)
        assert re.fullmatch(r"actions/[\w/-]+@v\d+(\.\d+)*", step.get("uses", "actions/x@v1"))
        assert "${{" not in step.get("run", ""), "what somebody typed must not become shell"


def test_when_they_run() -> None:
    assert set(workflow("smoke")[True]) == {"push", "pull_request"}, "YAML 1.1 takes `on` for true"
    triggers = workflow("nightly")[True]
    assert set(triggers) == {"schedule", "workflow_dispatch"}
    assert set(triggers["workflow_dispatch"]["inputs"]) == {"list", "seed"}
