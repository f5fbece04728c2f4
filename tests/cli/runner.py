# SPDX-License-Identifier: MIT
"""Runs a composite action as GitHub's runner does: inputs, outputs, conditions, and its shell."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

SHELL = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]
_EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
_CONDITION = re.compile(r"inputs\.([\w-]+) (==|!=) ''")


@dataclass
class Ended:
    """The end of an action: its exit code, what it wrote, and the steps that were begun."""

    code: int = 0
    output: str = ""
    steps: list[str] = field(default_factory=list)


def run_action(
    action: Path,
    workspace: Path,
    inputs: Mapping[str, str],
    temp: Path,
    *,
    skip: Mapping[str, Callable[[], None]] | None = None,
) -> Ended:
    """Run an action in a workspace until a step fails. ``skip`` replaces steps by their names."""
    told = yaml.safe_load(action.read_text(encoding="utf-8"))
    assert set(inputs) <= set(told["inputs"])
    values = {f"inputs.{name}": str(each["default"]) for name, each in told["inputs"].items()}
    values |= {f"inputs.{name}": value for name, value in inputs.items()}
    values["runner.temp"] = str(temp)
    ended = Ended()
    for step in told["runs"]["steps"]:
        condition = _CONDITION.fullmatch(step.get("if", "inputs.scenes == inputs.scenes"))
        if condition is not None:
            empty = values[f"inputs.{condition[1]}"] == ""
            if empty != (condition[2] == "=="):
                continue
        if "uses" in step:
            ended.steps.append(step["uses"])
            continue
        name = step["name"]
        ended.steps.append(name)
        if skip and name in skip:
            skip[name]()
            continue
        _run(step, action, workspace, values, temp, ended)
        if ended.code:
            break
    return ended


def _run(
    step: Mapping[str, Any],
    action: Path,
    workspace: Path,
    values: dict[str, str],
    temp: Path,
    ended: Ended,
) -> None:
    assert "${{" not in step["run"]  # an input would be part of the script
    assert step["shell"] == "bash"
    script, output = temp / "script.sh", temp / "output"
    script.write_text(step["run"])
    output.write_text("")
    env = {
        name: _EXPRESSION.sub(lambda found: values[found[1]], text)
        for name, text in step.get("env", {}).items()
    }
    env |= {"GITHUB_ACTION_PATH": str(action.parent), "GITHUB_OUTPUT": str(output)}
    done = subprocess.run(
        [*SHELL, str(script)],
        cwd=workspace,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=900,
    )
    ended.code = done.returncode
    ended.output += done.stdout + done.stderr
    for line in output.read_text().splitlines():
        name, _, value = line.partition("=")
        values[f"steps.{step['id']}.outputs.{name}"] = value
