# SPDX-License-Identifier: MIT
"""CHANGELOG.md has its form, and names the version that the other files name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
VERSIONS = re.findall(r"^## (.*)$", TEXT, re.MULTILINE)


def test_versions_come_newest_first_with_their_dates() -> None:
    assert VERSIONS[0] == "[Unreleased]"
    released = [re.fullmatch(r"\[(\d+)\.(\d+)\.(\d+)\] - \d{4}-\d\d-\d\d", v) for v in VERSIONS[1:]]
    assert all(released)
    numbers = [tuple(map(int, match.groups())) for match in released if match]
    assert numbers == sorted(numbers, reverse=True)


def test_the_changes_of_a_version_are_of_the_known_kinds_in_their_order() -> None:
    for part in re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]:
        kinds = re.findall(r"^### (.*)$", part, re.MULTILINE)
        assert kinds == [kind for kind in KINDS if kind in kinds]


def test_the_version_is_the_same_everywhere() -> None:
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"]
    assert project["tool"]["setuptools_scm"]["fallback_version"] == cited
    assert [cited] == [v[1 : v.index("]")] for v in VERSIONS[1:2]] or len(VERSIONS) == 1
