# SPDX-License-Identifier: MIT
"""The settings of the engine's world: one table, from which its constructor is made."""

from __future__ import annotations

import math

import pytest
from rigid2d.core import _native
from rigid2d.core.scene.loading import loads
from rigid2d.core.world.building.assembly import engine_settings

from tests.rows import every_row

EXTRA = {"solver", "gravity", "pools", "max_pairs"}


def choices(title: str) -> list[object]:
    default, allowed, _ = _native.WORLD_SETTINGS[title]
    return [default, *allowed] if allowed else [default, (-1.0, -2.0, 3.0, 4.0)]


@every_row("title", sorted(_native.WORLD_SETTINGS))
def test_a_setting_takes_what_the_table_allows_and_nothing_else(title):
    default, allowed, meaning = _native.WORLD_SETTINGS[title]
    assert meaning
    for value in choices(title):
        if title != "threads":
            _native.World(**{title: value})
    if isinstance(default, bool | str | None):
        return
    least, most = allowed
    for value in (least - 1 - abs(least), 2 * most + 1, math.nan):
        with pytest.raises((ValueError, TypeError)):
            _native.World(**{title: value})


@every_row("title", sorted(_native.WORLD_SETTINGS))
def test_a_value_of_another_type_is_refused(title):
    with pytest.raises(TypeError, match=title):
        _native.World(**{title: [object()]})


def test_an_unknown_setting_is_named():
    with pytest.raises(TypeError, match="no setting graviti"):
        _native.World(graviti=(0, 0))


def test_a_choice_names_what_it_may_be():
    with pytest.raises(ValueError, match="clamp must be accumulated, each or none"):
        _native.World(clamp="some")


def test_a_scene_gives_each_setting_of_the_engine_once():
    scene = loads("{rigid: 1, bodies: {a: {shape: {circle: 1}}}}")
    settings = engine_settings(scene)
    assert set(settings) == (set(_native.WORLD_SETTINGS) | EXTRA) - {"threads"}
    world, solver = scene.world, scene.world.solver
    sources = (solver, world, scene.collision, scene.units)
    for title in _native.WORLD_SETTINGS:
        assert sum(hasattr(source, title) for source in sources) <= 1, title
