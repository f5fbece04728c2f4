# SPDX-License-Identifier: MIT
"""Members of a world by the names that they had before it had parts."""

from __future__ import annotations

import gc
import inspect
import warnings
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rigid2d.core import SimulationError, UsageError, World, build, loads
from rigid2d.core.record.channels import resolve_channels
from rigid2d.core.world.old_names import OldNames
from rigid2d.core.world.removals import lineup
from rigid2d.core.world.stepping import end_stretch, next_stop

from tests.rows import every_row

TEXT = """
rigid: 1
world: {gravity: [0, -10], bounds: [[-5, -5], [5, 5]], on_error: warn}
bodies:
  floor: {type: static, shape: {box: [9, 1]}, position: [0, -0.5], category: ground}
  ball: {shape: {circle: 0.5}, position: [1, 0.49], category: object}
  stone: {shape: {circle: 0.5}, position: [-1, 2], velocity: [60, 0], angular_velocity: 3}
  top: {shape: {circle: 0.1}, position: [-3, 4], collide: false}
actuators: {jet: {type: thruster, body: ball, force: [0, 30], enabled: false}}
controls: {up: jet}
collision: {categories: [ground, object]}
"""


def running() -> World:
    """A world with contacts, an addition, a removal and events that were not taken."""
    world = build(loads(TEXT))
    world.events.enable_births()
    world.events.enable_contacts()
    world.add({"bodies": {"drop": {"shape": {"circle": 0.2}, "position": [3, 3]}}})
    world["top"].angular_velocity = 1e14
    world.step(30)
    assert not any(world[name].alive for name in ("stone", "top"))
    return world


VALUES: dict[str, Callable[[World], Any]] = {
    "x": lambda w: w.bodies.x,
    "y": lambda w: w.bodies.y,
    "angle": lambda w: w.bodies.angle,
    "vx": lambda w: w.bodies.vx,
    "vy": lambda w: w.bodies.vy,
    "omega": lambda w: w.bodies.omega,
    "alive": lambda w: w.bodies.alive,
    "awake": lambda w: w.bodies.awake,
    "centers": lambda w: w.bodies.centers,
    "born": lambda w: w.bodies.added,
}
"""Old name of a property -> the new one."""
BOX = ((-4, -1), (4, 3))
CALLS: dict[str, tuple[tuple[Any, ...], Callable[..., Any]]] = {
    "pose": ((), lambda w: w.bodies.pose()),
    "push_pull": ((), lambda w: w.bodies.push_pull()),
    "ray_cast": (((1, 5), (1, -5)), lambda w, *given: w.query.ray_cast(*given)),
    "overlap_box": ((*BOX, ["object"]), lambda w, *given: w.query.overlap_box(*given)),
    "overlap_circle": (((1, 0), 0.1), lambda w, *given: w.query.overlap_circle(*given)),
    "overlap_point": (((1, 0.3),), lambda w, *given: w.query.overlap_point(*given)),
    "contacts": ((), lambda w: w.query.contacts()),
    "events": ((), lambda w: w.events.take()),
    "take_warnings": ((), lambda w: w.events.take_warnings()),
    "enable_birth_events": ((False,), lambda w, *given: w.events.enable_births(*given)),
    "enable_contact_events": ((False,), lambda w, *given: w.events.enable_contacts(*given)),
    "press": (("up",), lambda w, *given: w.controls.press(*given)),
    "release": (("up",), lambda w, *given: w.controls.release(*given)),
    "set_gravity": (((1, 2),), lambda w, *given: w.set("world.gravity", *given)),
    "lineup": ((), lineup),
    "raise_error": ((), lambda w: w.step(0)),
    "next_stop": ((40,), next_stop),
    "end_stretch": ((), end_stretch),
    "channel_codes": (
        (resolve_channels(loads(TEXT), ["ball.x"]),),
        lambda w, *given: w.roster.channel_codes(*given),
    ),
}
"""Old name of a method -> a call of it, and the new one."""


def alike(one: Any, other: Any) -> bool:
    return np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other


def warned_once(call: Callable[[], Any], name: str) -> Any:
    """The value of a use of an old name, which warns once, of this file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = call()
    (warning,) = caught
    assert warning.category is DeprecationWarning
    assert str(warning.message).startswith(f"`world.{name}` is deprecated; use `world.")
    assert Path(warning.filename) == Path(__file__)
    return value


@every_row("name", VALUES)
def test_an_old_property_is_the_new_one(name: str) -> None:
    world = running()
    assert alike(warned_once(lambda: getattr(world, name), name), VALUES[name](world))


@every_row("name", CALLS)
def test_an_old_method_does_what_the_new_one_does(name: str) -> None:
    given, new = CALLS[name]
    old_world, new_world = running(), running()
    value = warned_once(lambda: getattr(old_world, name)(*given), f"{name}()")
    expected = new(new_world, *given)
    if name == "lineup":
        value, expected = value.scene, expected.scene
    assert alike(value, expected)
    assert expected is None or np.size(np.asarray(expected, object)) > 0
    for world in (old_world, new_world):
        world["ball"].apply_impulse((0, 1))
        world.step(30)
    assert old_world.save() == new_world.save()
    assert alike(old_world.events.take(), new_world.events.take())


def test_every_old_name_is_in_these_tables() -> None:
    names = {name for name in vars(OldNames) if not name.startswith("_")}
    assert names | {"events"} == {*VALUES, *CALLS}


def test_the_old_names_that_are_methods_take_their_arguments_by_name() -> None:
    world = running()
    with pytest.warns(DeprecationWarning, match=r"use `world\.query\.overlap_circle\(\)`"):
        found = world.overlap_circle(center=(1, 0), radius=0.1, categories=["object"])
    assert found == ["ball"]
    assert str(inspect.signature(World.overlap_circle)).startswith("(self, center: ")


def test_an_old_name_refuses_what_the_new_one_refuses() -> None:
    world = running()
    for call in (lambda: world.set_gravity(3), lambda: world.overlap_point(3)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(UsageError, match="two numbers"):
                call()


def test_an_old_name_of_a_stopped_world_raises_what_stopped_it() -> None:
    ball = "{shape: {circle: 1}, velocity: [4e9, 0]}"
    world = build(loads(f"rigid: 1\nworld: {{on_error: stop}}\nbodies: {{ball: {ball}}}"))
    with pytest.raises(SimulationError):
        world.step(600)
    with pytest.warns(DeprecationWarning, match="raise_error"), pytest.raises(SimulationError):
        world.raise_error()


def test_parts_keep_no_world_alive() -> None:
    world = build(loads("rigid: 1\nbodies: {ball: {shape: {circle: 1}}}"))
    assert (world.bodies.x[0], world.query.contacts(), world.events.take()) == (0.0, [], [])
    seen = weakref.ref(world)
    gc.disable()
    try:
        del world
        assert seen() is None
    finally:
        gc.enable()
