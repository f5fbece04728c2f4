# SPDX-License-Identifier: MIT
"""The navigation of the site, without the packages that build it."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def test_every_document_is_in_the_navigation() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/**/*.md")}
    config = (HERE / "zensical.toml").read_text(encoding="utf-8")
    navigation = re.search(r"^nav = \[$.*?^\]$", config, re.MULTILINE | re.DOTALL)
    assert navigation is not None
    listed = set(re.findall(r'"([\w/.-]+\.md)"', navigation[0]))
    made = {"index.md", "docs/fields.md", "docs/python-names.md"}
    assert [name for name in listed - made if not (ROOT / name).is_file()] == []
    below = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/design/*.md")}
    assert names - listed - below == set()
