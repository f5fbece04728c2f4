# SPDX-License-Identifier: MIT
"""The checks of what is distributed find what is missing in it."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.distribution import (
    ADDRESSES,
    LICENCES,
    ROOT,
    check_sources,
    check_wheel,
    commands,
    tag_of,
)

WHOLE = "".join(f"Project-URL: {label}, https://example.org\n" for label in ADDRESSES)


def wheel(
    folder: Path, version: str, metadata: str = "", without: str = "", more: str = ""
) -> Path:
    path = folder / f"rigid2d-{version}-cp312-abi3-linux_x86_64.whl"
    inside = f"rigid2d-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(f"{inside}/METADATA", f"Name: rigid2d\nVersion: {version}\n{metadata}\n")
        for name in LICENCES - {without}:
            file.writestr(f"{inside}/licenses/{name}", "Copyright")
        if more:
            file.writestr(more, "")
    return path


@pytest.mark.parametrize(
    ("version", "metadata", "wrong"),
    [
        ("1.2.0", WHOLE, 0),
        ("1.2.0", "", len(ADDRESSES)),
        ("1.2.1.dev3+g0123abcd4", "", 0),
    ],
)
def test_a_wheel_of_a_release_says_where_the_project_is(
    version: str, metadata: str, wrong: int, tmp_path: Path
) -> None:
    assert len(check_wheel(wheel(tmp_path, version, metadata))) == wrong


def test_a_wheel_has_all_licences_and_no_sources(tmp_path: Path) -> None:
    poor = wheel(tmp_path, "1.2.0", WHOLE, "uPlot.txt", "rigid2d/core/native/math.h")
    assert [line.partition(": ")[2] for line in check_wheel(poor)] == [
        "uPlot.txt is missing",
        "holds rigid2d/core/native/math.h",
    ]


def test_sources_have_no_gallery(tmp_path: Path) -> None:
    path = tmp_path / "rigid2d-1.2.0.tar.gz"
    (tmp_path / "README.md").touch()
    with tarfile.open(path, "w:gz") as file:
        for name in ("LICENSE", "core/native/CMakeLists.txt", "renders/index.html"):
            file.add(tmp_path / "README.md", f"rigid2d-1.2.0/{name}")
    assert [line.partition(": ")[2] for line in check_sources(path)] == [
        "README.md is missing",
        "tests/conftest.py is missing",
        "holds renders/index.html",
    ]


def test_one_wheel_is_for_all_later_pythons() -> None:
    tags = [tag_of((3, minor)) for minor in (10, 11, 12, 13)]
    assert tags == ["cp310-cp310", "cp311-cp311", "cp312-abi3", "cp312-abi3"]


def test_wheels_are_tried_by_the_commands_of_the_workflow() -> None:
    pytest.importorskip("tomllib")
    packages, lines = commands(ROOT / "pyproject.toml")
    assert "pytest" in packages
    assert {line.split()[0] for line in lines} == {"rigid", "python"}
    files = [word for line in lines for word in line.split() if word.startswith("{project}/")]
    assert all((ROOT / word.removeprefix("{project}/")).is_file() for word in files)
