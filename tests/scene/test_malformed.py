# SPDX-License-Identifier: MIT
"""About three hundred files that are wrong, each in one way."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from rigid.core.errors import SceneError
from rigid.core.scene import load

from tests.rows import every_row

FOLDER = Path(__file__).parent / "malformed"


@cache
def error_of(name: str) -> SceneError:
    """What loading a file of the folder raises."""
    with pytest.raises(SceneError) as caught:
        load(FOLDER / f"{name}.yaml")
    return caught.value


def expected() -> list[tuple[str, int, str]]:
    """(file, line of the first problem, words in its message) from the table in the folder."""
    rows = []
    for line in (FOLDER / "expected.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, number, words = line.split(" | ", 2)
            rows.append((name, int(number), words))
    return rows


def test_the_table_lists_each_file_of_the_folder() -> None:
    files = {path.stem for path in FOLDER.glob("*.yaml")}
    assert {name for name, _, _ in expected()} == files
    assert len(files) >= 150


@every_row(("name", "line", "words"), expected())
def test_a_malformed_file_is_explained_where_it_is_wrong(name: str, line: int, words: str) -> None:
    error = error_of(name)
    first = error.problems[0]
    assert first.file == str(FOLDER / f"{name}.yaml")
    assert first.line == line
    assert words in first.message
    assert "Input should" not in str(error)


@every_row(("name", "line", "words"), expected())
def test_a_malformed_file_is_wrong_in_one_way_of_a_kind(name: str, line: int, words: str) -> None:
    kinds = {problem.kind for problem in error_of(name).problems}
    assert len(kinds) == 1
    about_files = name.startswith(
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
def test_what_only_follows_from_a_mistake_is_not_told(name: str) -> None:
    with pytest.raises(SceneError) as caught:
        load(FOLDER / f"{name}.yaml")
    assert len(caught.value.problems) == 1
