# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import pytest
from rigid2d.core.scene import loads, model
from rigid2d.core.world import World, build
from rigid2d.core.world.script import script as script_module


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


@pytest.fixture(name="in_python")
def _in_python(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Make worlds whose scripts are executed by Python alone."""

    def make(scene: model.Scene) -> World:
        with monkeypatch.context() as patch:
            patch.setattr(script_module, "runner_of", lambda scene: None)
            return World(scene)

    return make
