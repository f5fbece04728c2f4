# SPDX-License-Identifier: MIT
"""The documents: links lead somewhere, files that are named exist, pages keep to their length."""

from __future__ import annotations

import re
from pathlib import Path

from tests.rows import every_row
from tests.scenes import is_there

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SOURCES = DOCS / "sources.md"
DESIGN = sorted((DOCS / "design").glob("*.md"))
LESSONS = sorted((DOCS / "lessons").glob("*.md"))
HEADS = sorted(ROOT.glob("*.md"))
PAGES = [*HEADS, *sorted(DOCS.glob("*.md")), *DESIGN, *LESSONS]
MOST_LINES = {
    "docs/architecture.md": 300,
    "docs/benchmarks.md": 150,
    **{f"docs/design/{page.name}": 60 for page in DESIGN},
}
PARTS = ("Problem", "Idea", "Source", "Rejected", "Files", "Tests", "Limits")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def anchors(page: Path) -> set[str]:
    """The names under which the headings of a page are reached."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", title.lower()) for title in titles)
    return {title.replace(" ", "-") for title in plain}


@every_row("page", PAGES, ids=name_of)
def test_every_link_of_a_page_leads_to_a_file_and_a_heading(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        found = is_there(target) and (not anchor or anchor in anchors(target))
        if not found:
            broken.append(link)
    assert broken == []


@every_row("page", DESIGN, ids=name_of)
def test_a_design_page_names_files_that_exist(page: Path) -> None:
    named = re.findall(r"`((?:core|cli|tests|docs)/[\w./-]+)`", page.read_text(encoding="utf-8"))
    assert page.name == "README.md" or named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_page_of_the_sources_names_files_that_exist() -> None:
    named = re.findall(r"`((?:core|cli|tests|docs|scenes)/[\w./-]+)`", SOURCES.read_text("utf-8"))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_row_of_the_sources_has_both_of_its_cells() -> None:
    rows = re.findall(r"^\| (.*) \|$", SOURCES.read_text("utf-8"), re.MULTILINE)
    assert len(rows) > 320
    assert [row for row in rows if not all(cell.strip() for cell in row.split(" | "))] == []


@every_row("page", DESIGN, ids=name_of)
def test_a_design_page_has_all_of_its_parts_in_order(page: Path) -> None:
    parts = re.findall(r"^\*\*(\w+)\.\*\*", page.read_text(encoding="utf-8"), re.MULTILINE)
    if page.name != "README.md":
        assert [part for part in parts if part in PARTS] == list(PARTS)


def test_the_index_of_design_pages_lists_every_page() -> None:
    listed = re.findall(r"\]\((\w[\w-]*\.md)\)", (DOCS / "design/README.md").read_text("utf-8"))
    assert sorted(listed) == sorted(page.name for page in DESIGN if page.name != "README.md")


@every_row("page", MOST_LINES)
def test_a_page_keeps_to_its_length(page: str) -> None:
    assert len((ROOT / page).read_text(encoding="utf-8").splitlines()) <= MOST_LINES[page]
