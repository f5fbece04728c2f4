# SPDX-License-Identifier: MIT
"""Small ways to write scenes in tests."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest
from rigid2d.core.errors import Problem, SceneError
from rigid2d.core.scene import loads
from rigid2d.core.scene.model import Scene


@pytest.fixture
def scene() -> Callable[..., Scene]:
    """Loads a text without its first line, ``rigid: 1``; a ball is added if there is no body."""

    def make(text: str = "", *overrides: str) -> Scene:
        return loads(complete(text), overrides=overrides)

    return make


@pytest.fixture
def problems() -> Callable[..., list[Problem]]:
    """The problems of a text, as ``scene`` takes it."""

    def find(text: str, *overrides: str) -> list[Problem]:
        with pytest.raises(SceneError) as caught:
            loads(complete(text), overrides=overrides)
        return caught.value.problems

    return find


def complete(text: str) -> str:
    text = f"rigid: 1\n{textwrap.dedent(text).strip()}\n"
    return text if "bodies:" in text else text + "bodies: {ball: {shape: {circle: 0.5}}}\n"
