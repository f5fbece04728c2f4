# SPDX-License-Identifier: MIT
from __future__ import annotations

from typing import Any, Protocol

import pytest
from rigid2d.core.scene import loads, model
from rigid2d.core.world import World, build

from tests.stored import stored

__all__ = ["stored"]


class Load(Protocol):
    def __call__(self, text: str) -> model.Scene: ...


class Make(Protocol):
    def __call__(self, text: str, **options: Any) -> World: ...


@pytest.fixture
def load() -> Load:
    """The scene of a text, which need not say its format's version."""
    return lambda text: loads("rigid: 1\n" + text)


@pytest.fixture
def make(load: Load) -> Make:
    return lambda text, **options: build(load(text), **options)
