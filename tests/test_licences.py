# SPDX-License-Identifier: MIT
"""Every source file names its licence, and the licences of shipped libraries are complete."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LINE = "SPDX-License-Identifier: MIT"
ENDINGS = {".py", ".pyi", ".h", ".cpp", ".js", ".css", ".cmake"}
NAMES = {"Makefile", "CMakeLists.txt"}
THIRD_PARTY = {
    "uplot.js": "uPlot.txt",
    "uplot.css": "uPlot.txt",
    "codemirror.js": "CodeMirror.txt",
}
FOLDERS = ("cli", "core", "tests", "docs")


def source_files() -> Iterator[Path]:
    yield ROOT / "Makefile"
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if "corpus" not in path.parts and (path.suffix in ENDINGS or path.name in NAMES):
                yield path


def names_its_licence(path: Path) -> bool:
    return any(LINE in line for line in path.read_text().splitlines()[:2])


def test_every_source_file_names_its_licence() -> None:
    own = [path for path in source_files() if path.name not in THIRD_PARTY]
    assert len(own) > 1000
    assert [str(path.relative_to(ROOT)) for path in own if not names_its_licence(path)] == []


def test_a_file_without_the_line_is_found(tmp_path: Path) -> None:
    bare = tmp_path / "bare.py"
    bare.write_text('"""A module."""\n')
    assert not names_its_licence(bare)


@pytest.mark.parametrize("name", sorted({*THIRD_PARTY.values(), "DejaVu.txt"}))
def test_libraries_that_are_shipped_have_their_licence(name: str) -> None:
    assert "Copyright" in (ROOT / "LICENSES" / name).read_text()


def test_pages_carry_the_licence_of_their_library() -> None:
    assets = ROOT / "core" / "page" / "assets"
    carried = {"uplot-license.txt": "uPlot.txt", "editor/codemirror-license.txt": "CodeMirror.txt"}
    for page, whole in carried.items():
        assert (assets / page).read_text() == (ROOT / "LICENSES" / whole).read_text()
