# SPDX-License-Identifier: MIT
"""Calls with too many arguments, too few or unknown ones, of every public function and method."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import rigid2d.core
from rigid2d.core import Scene
from rigid2d.core.errors import RigidError, UsageError
from rigid2d.core.jobs.targets import Look, Target
from rigid2d.core.render import Output, Renderer, render
from rigid2d.core.scene.model import Spring

from tests.rows import every_row

TEXT = """
rigid: 1
world: {duration: 0.1}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.5}, position: [0, 0.4], points: {top: [0, 0.5]}}
  sign: {shape: {box: [1, 0.2]}, position: [-3, 3]}
  lift: {shape: {box: [1, 0.2]}, position: [6, 3]}
joints:
  hinge: {type: revolute, bodies: [world, sign], anchor: [-3.5, 3], limits: [-90, 90],
          motor: {speed: 0, max_torque: 50}}
  rail: {type: prismatic, bodies: [world, lift], axis: [0, 1], limits: [-1, 1],
         motor: {position: 0, max_force: 50}}
  glue: {type: distance, bodies: [world, ball], anchor: [0, 5], spring: {frequency: 1}}
  hand: {type: mouse, body: ball, max_force: 5}
actuators:
  jet: {type: thruster, body: ball, force: [0, 5]}
"""
PACKAGES = ("rigid2d.core", "rigid2d.core.record", "rigid2d.core.render", "rigid2d.core.scene")
PACKAGES += ("rigid2d.core.world",)
MODULES = ("rigid2d.core.jobs.produce", "rigid2d.core.jobs.gallery", "rigid2d.core.record.peaks")
MADE_BY_RUNS = ("Channel", "Checkpoint", "ContactPoints", "Contact", "Difference", "Event", "Frame")
MADE_BY_RUNS += ("InputChange", "Problem", "RayHit", "Result", "Scene", "Snapshot", "Trace")
MADE_BY_RUNS += ("ActuatorHandle", "BodyHandle", "JointHandle", "Encoder")
MADE_BY_RUNS += ("Bodies", "EventQueue", "Keys", "Query")


def public() -> dict[str, Any]:
    """What the package offers by name: functions and classes."""
    found: dict[str, Any] = {
        "Target": Target,
        "Look": Look,
        "Output": Output,
        "Spring": Spring,
    }
    for name in PACKAGES:
        package = import_module(name)
        found |= {each: getattr(package, each) for each in package.__all__}
    for name, wanted in zip(
        MODULES, [("produce",), ("gallery",), ("PeakRecorder", "unbreakable")], strict=True
    ):
        found |= {each: getattr(import_module(name), each) for each in wanted}
    return {
        name: value
        for name, value in found.items()
        if callable(value) and not (isinstance(value, type) and issubclass(value, Exception))
    }


@pytest.fixture(scope="module")
def scene() -> Scene:
    return rigid2d.core.loads(TEXT)


def callables(scene: Scene) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Functions, what makes an object, and the methods of objects."""
    for name, value in public().items():
        if name not in MADE_BY_RUNS:
            yield name, value
    world = rigid2d.core.build(scene)
    trace = rigid2d.core.simulate(scene)
    objects = [
        world,
        *(world.bodies, world.query, world.events, world.controls),
        rigid2d.core.Batch(scene, 2),
        world["ball"],
        world.joint("hinge"),
        world.actuator("jet"),
        trace,
    ]
    objects += [rigid2d.core.render.Survey(scene), rigid2d.core.render.Renderer(scene)]
    for each in objects:
        for name, _ in inspect.getmembers(type(each), inspect.isfunction):
            if not name.startswith("_") and name not in ENGINE and name not in OF_MAPPINGS:
                yield f"{type(each).__name__}.{name}", getattr(each, name)


ENGINE = ("next_stop", "end_stretch", "raise_error", "channel_codes", "covered")
"""What the package itself calls in each step or frame."""
OF_MAPPINGS = ("get", "items", "keys", "values")
"""What Python's own mappings have."""


@pytest.mark.filterwarnings("ignore:`world:DeprecationWarning")
def test_a_call_that_does_not_fit_ends_in_an_error_of_rigid(scene: Scene, tmp_path: Path) -> None:
    foreign = []
    wrong: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((None,) * 12, {}),
        ((), {"overides": 1}),
        ((None,), {"not there": 1}),
    ]
    for name, function in callables(scene):
        for args, kwargs in wrong:
            try:
                function(*args, **kwargs)
                foreign.append(f"{name}{args}{kwargs}: was taken")
            except RigidError:
                pass
            except Exception as error:
                foreign.append(f"{name}{args}{kwargs}: {type(error).__name__}: {error}")
    assert foreign == []


@pytest.mark.filterwarnings("ignore:`world:DeprecationWarning")
def test_what_is_missing_is_told_for_every_function(scene: Scene) -> None:
    for name, function in callables(scene):
        parameters = inspect.signature(function).parameters.values()
        missing = [each.name for each in parameters if each.default is each.empty]
        if not missing:
            continue
        with pytest.raises(UsageError, match=" needs ") as caught:
            function()
        assert all(repr(each) in str(caught.value) for each in missing), name


@every_row(
    ("call", "words"),
    [
        (
            lambda s: rigid2d.core.loads(TEXT, ["a=1"]),
            "loads was given 2 arguments by place, but takes 1 (text); give by name what is path, "
            "overrides, folder, assets",
        ),
        (lambda s: rigid2d.core.loads(), "loads needs 'text'"),
        (
            lambda s: rigid2d.core.loads(TEXT, overides=[]),
            "loads has no argument 'overides'; did you mean 'overrides'?",
        ),
        (lambda s: rigid2d.core.load("a.yaml", [], 3), "load was given 3 arguments by place"),
        (lambda s: rigid2d.core.loads(TEXT, text=TEXT), "loads was given 'text' twice"),
        (lambda s: rigid2d.core.build(s, thread=2), "did you mean 'threads'?"),
        (lambda s: rigid2d.core.World(s, 2), "World was given 2 arguments by place, but takes 1"),
        (lambda s: rigid2d.core.build(s).step(1, 2), "step was given 2 arguments by place"),
        (
            lambda s: rigid2d.core.build(s).step(times=2),
            "step has no argument 'times'; it has steps",
        ),
        (
            lambda s: rigid2d.core.build(s).energy(1),
            "energy was given 1 argument by place",
        ),
        (lambda s: rigid2d.core.build(s)["ball"].apply_force(), "apply_force needs 'force'"),
        (lambda s: rigid2d.core.build(s)["ball"].apply_force(1), "two numbers (x, y) for force"),
        (
            lambda s: rigid2d.core.build(s)["ball"].apply_force((0, 1), at=3),
            "expected two numbers (x, y) for at, got 3",
        ),
        (
            lambda s: setattr(rigid2d.core.build(s)["ball"], "velocity", 3),
            "two numbers (x, y) for velocity, got 3",
        ),
        (
            lambda s: setattr(rigid2d.core.build(s)["ball"], "angle", "x"),
            "expected a number for angle, got 'x'",
        ),
        (lambda s: Target("gfi", "a.gif"), "kind should be one of gif, mp4, "),
        (lambda s: Look(size=3), "size should be a list, not 3 (int)"),
        (lambda s: Renderer(s, survey=3), "survey should be a Survey, not 3 (int)"),
        (lambda s: render(s, [], [], survey=3), "survey should be a Survey, not 3 (int)"),
        (lambda s: Spring(frequenzy=3), "did you mean 'frequency'?"),
        (lambda s: Output(), "Output needs 'path'"),
    ],
)
def test_the_error_says_what_the_call_should_be(
    scene: Scene, call: Callable[[Scene], Any], words: str
) -> None:
    with pytest.raises(UsageError) as caught:
        call(scene)
    assert words in str(caught.value)


# ---------------------------------------------------------------- what a joint does not have


@every_row(
    ("joint", "settings", "words"),
    [
        ("hinge", {"max_force": 3}, "is limited by max_torque, not by max_force"),
        ("rail", {"max_torque": 3}, "is limited by max_force, not by max_torque"),
        ("hinge", {"position": 3}, "goes by speed, not by position"),
        ("rail", {"speed": 3}, "goes by position, not by speed"),
        ("hinge", {}, "nothing to set; give it speed, max_torque or enabled"),
        ("rail", {}, "nothing to set; give it position, max_force or enabled"),
        ("hinge", {"max_torque": -1}, "max_torque must not be negative, got -1"),
        ("glue", {"speed": 1}, "has no motor"),
    ],
)
def test_a_motor_takes_what_it_has(
    scene: Scene, joint: str, settings: dict[str, float], words: str
) -> None:
    with pytest.raises(UsageError) as caught:
        rigid2d.core.build(scene).joint(joint).set_motor(**settings)
    assert words in str(caught.value)


def test_a_path_to_a_motor_takes_what_it_has(scene: Scene) -> None:
    world = rigid2d.core.build(scene)
    with pytest.raises(UsageError, match="is limited by max_torque, not by max_force"):
        world.set("hinge.motor.max_force", 3)
    world.set("hinge.motor.max_torque", 3)
    assert world.motors["hinge"].strength == 3


def test_a_spring_is_of_one_kind(scene: Scene) -> None:
    glue = rigid2d.core.build(scene).joint("glue")
    with pytest.raises(UsageError, match="a frequency and a damping_ratio, or a stiffness"):
        glue.set_spring(Spring(frequency=1.0, stiffness=2.0))
    with pytest.raises(UsageError, match="expected a number for spring, got 'soft'"):
        glue.set_spring(Spring(frequency="soft"))  # type: ignore[arg-type]


SETTERS: list[tuple[str, Callable[[Any], Any]]] = [
    ("hinge", lambda joint: joint.set_motor(speed=1)),
    ("hinge", lambda joint: joint.set_limits(-1, 1)),
    ("glue", lambda joint: joint.set_spring(Spring(frequency=2.0))),
    ("hand", lambda joint: joint.set_target((0, 1))),
    ("rail", lambda joint: joint.remove()),
]


@every_row(("name", "change"), SETTERS)
def test_a_joint_that_is_gone_cannot_be_changed(
    scene: Scene, name: str, change: Callable[[Any], Any]
) -> None:
    world = rigid2d.core.build(scene)
    world.joint(name).remove()
    with pytest.raises(UsageError, match=f"joint '{name}' is gone: it broke, or was removed"):
        change(world.joint(name))
    assert world.motors == {}
    assert world.targets == {}


def test_a_joint_whose_body_is_gone_cannot_be_changed(scene: Scene) -> None:
    world = rigid2d.core.build(scene)
    world.remove("sign")
    with pytest.raises(UsageError, match="joint 'hinge' is gone"):
        world.set("hinge.limits", (-1, 1))


def test_a_joint_that_broke_cannot_be_changed() -> None:
    text = TEXT.replace("limits: [-90, 90]", "limits: [-90, 90], break: {force: 1e-3}")
    world = rigid2d.core.build(rigid2d.core.loads(text))
    world.step()
    with pytest.raises(UsageError, match="joint 'hinge' is gone: it broke"):
        world.joint("hinge").set_motor(speed=2)


def test_the_corners_of_a_box_are_in_order(scene: Scene) -> None:
    world = rigid2d.core.build(scene)
    for lower, upper in [((2, 2), (1, 1)), ((2, 1), (1, 2)), ((1, 2), (2, 1))]:
        with pytest.raises(UsageError, match="lower is the corner with the smaller x and y"):
            world.query.overlap_box(lower, upper)
    assert world.query.overlap_box((0, 0.4), (0, 0.4)) == ["ball"]


def test_functions_keep_their_names_and_documentation() -> None:
    for name, value in public().items():
        if isinstance(value, types.FunctionType):
            assert value.__name__ == name
            assert value.__doc__
