# SPDX-License-Identifier: MIT
"""Units: the three ways to choose them, texts with units, and what stays as it is."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from rigid2d.core.errors import Problem
from rigid2d.core.scene.model import Scene, Units

from tests.rows import every_row

Make = Callable[..., Scene]
Find = Callable[..., list[Problem]]


def test_the_default_is_metres_seconds_and_degrees_with_y_up(scene: Make) -> None:
    assert scene().units == Units("m", "s", "deg", "up")
    assert scene().world.gravity == (0.0, -9.81)
    assert scene().world.dt == 1.0 / 60.0
    assert scene().world.steps == 480
    assert scene().world.length_unit == 1.0


def test_screen_units_have_pixels_milliseconds_and_y_down(scene: Make) -> None:
    loaded = scene("units: screen")
    assert loaded.units == Units("px", "ms", "deg", "down")
    assert loaded.world.gravity == (0.0, 0.000981)
    assert loaded.world.dt == pytest.approx(1000 / 60)
    assert loaded.world.steps == 480
    assert loaded.world.length_unit == 100.0


def test_the_long_form_fills_what_it_leaves_out_from_si(scene: Make) -> None:
    assert scene("units: {length: cm}").units == Units("cm", "s", "deg", "up")
    assert scene("units: {length: cm}").world.gravity == (0.0, -981.0)


def test_plain_angles_are_degrees_and_become_radians(scene: Make) -> None:
    body = scene("bodies: {a: {shape: {circle: 1}, angle: 90, angular_velocity: 180}}").bodies["a"]
    assert body.angle == math.pi / 2
    assert body.angular_velocity == math.pi


def test_plain_angles_are_radians_where_the_scene_says_so(scene: Make) -> None:
    loaded = scene("units: {angle: rad}\nbodies: {a: {shape: {circle: 1}, angle: 0.5}}")
    assert loaded.bodies["a"].angle == 0.5


@every_row(
    ("text", "radius"),
    [("20 cm", 0.2), ("5 mm", 0.005), ("1 km", 1000.0), ("50 px", 0.5), ("2", 2.0), ("3m", 3.0)],
)
def test_a_length_with_a_unit_is_converted(scene: Make, text: str, radius: float) -> None:
    loaded = scene(f'bodies: {{a: {{shape: {{circle: "{text}"}}}}}}')
    assert loaded.bodies["a"].shapes[0].radius == radius


@every_row(
    ("field", "text", "want"),
    [
        ("angle", "1.5 rad", 1.5),
        ("angle", "90 deg", math.pi / 2),
        ("angle", "0.5 turn", math.pi),
        ("angular_velocity", "60 rpm", 2 * math.pi),
        ("angular_velocity", "2 rad/s", 2.0),
        ("mass", "500 g", 0.5),
        ("inertia", "3 kg m^2", 3.0),
        ("linear_damping", "2 1/s", 2.0),
    ],
)
def test_a_quantity_with_a_unit_is_converted(
    scene: Make, field: str, text: str, want: float
) -> None:
    loaded = scene(f'bodies: {{a: {{shape: {{circle: 1}}, {field}: "{text}"}}}}')
    assert getattr(loaded.bodies["a"], field) == pytest.approx(want, rel=1e-15)


def test_metres_in_a_pixel_scene_have_the_length_units_size(scene: Make) -> None:
    text = 'units: screen\nworld: {length_unit: 50}\nbodies: {a: {shape: {circle: "2 m"}}}'
    assert scene(text).bodies["a"].shapes[0].radius == 100.0


def test_frequencies_are_hertz_in_every_scene(scene: Make) -> None:
    text = """
        units: screen
        bodies: {a: {shape: {circle: 9}}}
        joints:
          j: {type: weld, bodies: [world, a], spring: {frequency: 2}}
          k: {type: weld, bodies: [world, a], spring: {frequency: "2 Hz"}}
    """
    for joint in scene(text).joints.values():
        assert joint.spring is not None
        assert joint.spring.frequency == 0.002


def test_damping_is_per_scene_time(scene: Make) -> None:
    text = "units: screen\nworld: {air: {linear_damping: 0.001, angular_damping: '1 1/s'}}"
    assert scene(text).world.linear_damping == 0.001
    assert scene(text).world.angular_damping == 0.001


@every_row(
    ("field", "value", "words"),
    [
        ("angle", '"3 m"', "is a length, but an angle is needed"),
        ("mass", '"3 s"', "is a time, but a mass is needed"),
        ("position", '["3 kg", 0]', "is a mass, but a length is needed"),
        ("velocity", '["3 m", 0]', "is a length, but a speed is needed"),
        ("mass", '"3 stone"', "`stone` is not a unit"),
        ("mass", "1/10", "`/10` is not a unit"),
    ],
)
def test_a_wrong_dimension_is_named(problems: Find, field: str, value: str, words: str) -> None:
    found = problems(f"bodies: {{a: {{shape: {{circle: 1}}, {field}: {value}}}}}")
    assert len(found) == 1
    assert words in found[0].message
