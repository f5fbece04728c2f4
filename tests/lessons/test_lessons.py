# SPDX-License-Identifier: MIT
"""The lessons: their parts, their numbers, their pictures and their notebooks."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from rigid2d.core import load

from tests.lessons.made import BLOCK, LESSONS, NOTEBOOKS, PAGES, ROOT, commands, notebook, output
from tests.rows import every_row
from tests.scenes import IS_SOURCE_DISTRIBUTION

PARTS = ["Theory", "The scene", "Observation", "Numbers", "Exercise"]
LARGEST = 40_000  # bytes of a picture
ALL = 900_000  # of all of them
LENGTHS = range(5, 26)  # lines of a theory, with formulas
FUNCTIONS = {name: getattr(math, name) for name in ("sin", "cos", "tan", "sqrt", "hypot", "pi")}


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def sections(page: Path) -> dict[str, str]:
    """The text of each heading of a page."""
    pieces = re.split(r"^## (.*)\n", text_of(page), flags=re.MULTILINE)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def differs(formula: str, value: str, names: dict[str, float]) -> bool:
    """Whether a number of a page is another one than that of its formula, rounded as it is."""
    (number,) = re.findall(r"^-?\d+(?:\.\d+)?", value)
    digits = len(number.partition(".")[2])
    exact = eval(formula, {"__builtins__": {}}, {**FUNCTIONS, **names})
    return bool(abs(float(number) - exact) > 0.5000001 * 10**-digits)


def test_the_contents_list_all_lessons_and_scenes() -> None:
    listed = re.findall(r"^\| \d+ \| \[.*\]\((.*)\)", text_of(LESSONS / "README.md"), re.MULTILINE)
    assert len(listed) == 12
    assert sorted(listed) == [page.name for page in PAGES]
    assert [scene.stem for scene in sorted(LESSONS.glob("*.yaml"))] == [p.stem for p in PAGES]


@every_row("page", PAGES, ids=lambda page: page.stem)
def test_a_lesson_has_all_of_its_parts(page: Path) -> None:
    text = text_of(page)
    opening = text.partition("## ")[0]
    assert "**Question.**" in opening
    assert "**Your prediction.**" in opening
    assert list(sections(page)) == PARTS
    assert len(sections(page)["Theory"].strip().splitlines()) in LENGTHS
    assert text.count("<details><summary>Answer</summary>\n\n") == text.count("\n\n</details>") == 1
    assert [words[1] for words in commands(page)] == ["run", "plot", "play"]


@every_row("page", PAGES, ids=lambda page: page.stem)
def test_what_a_lesson_shows_of_its_scene_is_in_it(page: Path) -> None:
    shown = [text for language, text in BLOCK.findall(text_of(page)) if language == "yaml"]
    assert len(shown) == 1
    assert shown[0] in page.with_suffix(".yaml").read_text(encoding="utf-8")


@every_row("page", PAGES, ids=lambda page: page.stem)
def test_a_lesson_has_the_numbers_of_its_formulas(page: Path) -> None:
    scene = load(page.with_suffix(".yaml"))
    rows = re.findall(r"^\| .* \| `(.*)` \| (.*) \|$", sections(page)["Numbers"], re.MULTILINE)
    assert len(rows) >= 3
    assert [row for row in rows if differs(*row, {**scene.vars})] == []


def test_a_wrong_number_is_found() -> None:
    assert not differs("2*h", "3.14 m", {"h": 1.5708})
    assert differs("2*h", "3.15 m", {"h": 1.5708})


@every_row("page", PAGES, ids=lambda page: page.stem)
def test_an_exercise_names_the_sliders_of_its_scene(page: Path) -> None:
    ranges = load(page.with_suffix(".yaml")).ranges
    exercise = sections(page)["Exercise"]
    assert [name for name in ranges if f"`{name}`" in exercise or f"vars.{name}=" in exercise]
    assert {*re.findall(r"vars\.(\w+)=", exercise)} <= {*ranges}


def test_pictures_are_made_by_the_commands_of_their_pages_and_are_small() -> None:
    made = [name for page in PAGES for words in commands(page) if (name := output(words))]
    shown = [
        f"docs/lessons/{name}"
        for page in PAGES
        for name in re.findall(r"^!\[.+\]\((.*)\)$", text_of(page), re.MULTILINE)
    ]
    assert made == shown
    if IS_SOURCE_DISTRIBUTION:
        pytest.skip("a source distribution has no pictures of lessons")
    files = sorted((LESSONS / "pictures").iterdir())
    assert [file.relative_to(ROOT).as_posix() for file in files] == sorted(shown)
    assert [file.name for file in files if file.stat().st_size > LARGEST] == []
    assert sum(file.stat().st_size for file in files) < ALL


@every_row("page", PAGES, ids=lambda page: page.stem)
def test_a_notebook_is_its_page(page: Path) -> None:
    assert (NOTEBOOKS / f"{page.stem}.ipynb").read_text(encoding="utf-8") == notebook(page)


def test_there_is_no_notebook_without_a_page() -> None:
    assert sorted(each.stem for each in NOTEBOOKS.iterdir()) == [page.stem for page in PAGES]


@every_row("page", PAGES, ids=lambda page: page.stem)
def test_the_cells_of_a_notebook_hold_the_scene_and_are_code(page: Path) -> None:
    cells = json.loads(notebook(page))["cells"]
    codes = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert len(codes) == 5
    assert page.with_suffix(".yaml").read_text(encoding="utf-8") in codes[0]
    for code in codes:
        compile(re.sub(r"^!.*$", "", code, flags=re.MULTILINE), page.stem, "exec")


def test_a_notebook_runs(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    read = nbformat.reads(notebook(LESSONS / "circular-motion.md"), as_version=4)
    nbformat.validate(read)
    client.NotebookClient(read, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()
    shown = [output for cell in read.cells for output in cell.get("outputs", [])]
    assert sum("image/png" in each.get("data", {}) for each in shown) == 2
    assert sum("srcdoc" in each.get("data", {}).get("text/html", "") for each in shown) == 2
