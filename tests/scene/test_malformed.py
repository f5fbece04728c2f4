# SPDX-License-Identifier: MIT
"""Files that are wrong, each in one way: the first problem is where it is wrong, and alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import load

from tests.rows import every_row
from tests.scene.malformed_scenes import ALL, BY_NAME, Malformed


@cache
def error_of(path: Path) -> SceneError:
    """The error of loading a file."""
    with pytest.raises(SceneError) as caught:
        load(path)
    return caught.value


def test_there_are_many_files_and_no_two_have_one_name() -> None:
    assert len(BY_NAME) == len(ALL) >= 600


@every_row("case", ALL, ids=lambda case: case.name)
def test_a_malformed_file_is_explained_where_it_is_wrong(case: Malformed, malformed: Path) -> None:
    path = malformed / f"{case.name}.yaml"
    error = error_of(path)
    first = error.problems[0]
    assert first.file == str(path)
    assert first.line == case.line
    assert case.words in first.message
    assert "Input should" not in str(error)


@every_row("case", ALL, ids=lambda case: case.name)
def test_a_malformed_file_is_wrong_in_one_way_of_a_kind(case: Malformed, malformed: Path) -> None:
    kinds = {problem.kind for problem in error_of(malformed / f"{case.name}.yaml").problems}
    assert len(kinds) == 1
    about_files = case.name.startswith(
        (
            *("include_", "latin1", "utf16", "binary", "png_header", "render_image"),
            *("svg_missing_file", "svg_outside_folder"),
        )
    )
    assert (kinds == {"file"}) <= about_files


@every_row(
    "name",
    [
        "instance_control_misspelt_and_played",
        "instance_mirror_and_played",
        "expression_cut_in_mapping",
    ],
)
def test_consequences_of_a_mistake_are_not_reported(name: str, malformed: Path) -> None:
    with pytest.raises(SceneError) as caught:
        load(malformed / f"{name}.yaml")
    assert len(caught.value.problems) == 1
