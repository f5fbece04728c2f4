# SPDX-License-Identifier: MIT
"""Faults that axe finds in a page: https://github.com/dequelabs/axe-core."""

from __future__ import annotations

import json
from typing import Any

import pytest

CONTRAST = ["color-contrast"]
"""The rules about what another theme changes."""


def faults(tab: Any, part: str | None = None, rules: list[str] | None = None) -> list[list[str]]:
    """The rules that a page or a part of it breaks, of all or some, each with the first place."""
    base = pytest.importorskip(
        "axe_playwright_python.base",
        reason="axe is not installed (pip install 'rigid2d[browser-test]')",
    )
    if not tab.evaluate("Boolean(window.axe)"):
        tab.evaluate(base.AXE_SCRIPT)
    options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    return tab.evaluate(
        f"axe.run({json.dumps(part) if part else 'document'}, {json.dumps(options)})"
        ".then(({violations}) => violations.map(({id, nodes}) => [id, nodes[0].html]))"
    )
