# SPDX-License-Identifier: MIT
"""What `make test-quick` tries, and tests of many rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import quick, rows
from tests.rows import every_row

ROOT = Path(__file__).resolve().parents[1]


def test_the_list_has_files_that_are_there_of_each_subject() -> None:
    listed = quick.listed()
    assert len(set(listed)) == len(listed)
    assert [name for name in listed if not (ROOT / name).is_file()] == []
    rooms = {path.relative_to(ROOT).parts[1] for path in (ROOT / "tests").glob("*/test_*.py")}
    assert rooms - {"page"} <= {Path(name).parts[1] for name in listed}  # pages need a browser


def test_changes_add_their_tests() -> None:
    changed = [
        "core/view/camera.py",
        "tests/world/test_script.py",
        "README.md",
        "core/gone.py",
    ]
    found = quick.of_changes(changed)
    assert found == [
        "tests/render/test_camera.py",
        "tests/scene/test_camera.py",
        "tests/world/test_script.py",
    ]


# ---------------------------------------------------------------- rows


def test_all_rows_are_tried_and_those_that_fail_are_named() -> None:
    tried = []

    @every_row("a", [1, 2, 3], ids=lambda a: f"row {a}")
    @every_row("b", [1, 2])
    def test(a, b):
        tried.append((a, b))
        assert a * b < 4, "too much"

    with pytest.raises(pytest.fail.Exception) as failed:
        test()
    assert sorted(tried) == [(a, b) for a in (1, 2, 3) for b in (1, 2)]
    assert str(failed.value).startswith("2 of 6 rows failed")
    assert "row 3" in str(failed.value)
    assert "too much" in str(failed.value)


def test_a_row_has_a_folder_and_patches_of_its_own(tmp_path, monkeypatch) -> None:
    folders = set()

    @every_row("name", ["a", "b"])
    def test(name, tmp_path, monkeypatch):
        monkeypatch.setenv(f"RIGID_{name}", "1")
        (tmp_path / "same").touch(exist_ok=False)
        folders.add(tmp_path)

    test(tmp_path=tmp_path, monkeypatch=monkeypatch)
    assert len(folders) == 2


def test_rows_that_are_skipped_are_no_failures() -> None:
    @every_row("a", [1, 2])
    def test(a):
        pytest.skip("not here")

    with pytest.raises(pytest.skip.Exception):
        test()


def test_a_part_of_the_names_chooses_rows(monkeypatch) -> None:
    tried = []

    @every_row("a", ["one", "two"])
    def test(a):
        tried.append(a)

    monkeypatch.setattr(rows, "only", "tw")
    test()
    assert tried == ["two"]
