"""Files to import, written for these tests, and texts as if they were files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rigid.core.importers import Import, import_data

FILES = Path(__file__).parent / "files"


@pytest.fixture
def xman() -> Callable[..., Import]:
    """A scene of document 000's engine from its lists: ``xman(Bodies=[...], Joints=[...])``."""

    def call(**lists: Any) -> Import:
        return import_data(json.dumps(lists), "xmanphysics", file="given.json")

    return call


@pytest.fixture
def box2d() -> Callable[..., Import]:
    """A Box2D world from its bodies and joints."""

    def call(body: list[Any], joint: tuple[Any, ...] = (), **world: Any) -> Import:
        given = {"gravity": {"x": 0, "y": -10}, "body": body, "joint": list(joint), **world}
        return import_data(json.dumps(given), "box2d-json", file="given.json")

    return call


@pytest.fixture
def svg() -> Callable[[str], Import]:
    """A drawing from what stands inside of its `<svg>`."""

    def call(inside: str) -> Import:
        return import_data(f"<svg xmlns='http://www.w3.org/2000/svg'>\n{inside}\n</svg>", "svg")

    return call
