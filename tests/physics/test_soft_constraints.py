# SPDX-License-Identifier: MIT
"""Everything that has a spring, in ``sequential_impulse``: each step is the implicit one.

A soft constraint with stiffness k and damping c makes of a speed v at a stretch x

    v' = (v - h k x / m) / (1 + h c / m + h h k / m),   x' = x + h v'

whatever the number of iterations, and with warm starts or without. m is the mass that the spring
moves, or the moment of inertia that it turns.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.rows import every_row

H = 1 / 60
MASS, INERTIA = 2.0, 0.7
STIFFNESS, DAMPING = 90.0, 1.5
SPRING = f"{{stiffness: {STIFFNESS}, damping: {DAMPING}}}"
SPEED = 1.5
BEYOND = 0.01  # so far is a body beyond a soft limit at the start

# What the joint is, and which channel moves: along x, or turning.
ALONG = {
    "distance": f"type: distance, anchors: [[-5, 0], [0, 0]], spring: {SPRING}",
    "prismatic": f"type: prismatic, spring: {SPRING}",
    "wheel": f"type: wheel, axis: [1, 0], spring: {SPRING}",
    "weld": f"type: weld, spring: {SPRING}",
    "mouse": f"type: mouse, spring: {SPRING}",
    "motor of a slide": f"type: prismatic, motor: {{position: 0, spring: {SPRING}}}",
    "motor of a rod": "type: distance, anchors: [[-5, 0], [0, 0]], "
    f"motor: {{position: 5, spring: {SPRING}}}",
}
TURNING = {
    "revolute": f"type: revolute, spring: {SPRING}",
    "weld": f"type: weld, spring: {SPRING}",
    "motor of a hinge": f"type: revolute, motor: {{position: 0, spring: {SPRING}}}",
}
SOFT = f"limits: {{lower: -9, upper: {-BEYOND}, spring: {SPRING}}}"
LIMITS = {
    "prismatic": f"type: prismatic, {SOFT}",
    "wheel": f"type: wheel, axis: [1, 0], {SOFT}",
    "distance": f"type: distance, anchors: [[-5, 0], [0, 0]], max_length: {5 - BEYOND}, "
    f"limit_spring: {SPRING}",
}


@pytest.fixture(
    params=[
        "joints: auto",
        "joints: iterative, iterations: 1",
        "joints: iterative, iterations: 1, warm_start: false",
        "joints: iterative, iterations: 10",
        "joints: iterative, iterations: 50, warm_start: false",
    ]
)
def rounds(request):
    """Options of the solver."""
    return request.param


def scene(joint, options, velocity="velocity: [0, 0]"):
    pair = "body: b" if "mouse" in joint else "bodies: [world, b]"
    return f"""
world:
  gravity: [0, 0]
  steps: 120
  sleep: false
  solver: {{type: sequential_impulse, {options}}}
bodies: {{b: {{shape: {{circle: 0.3}}, mass: {MASS}, inertia: {INERTIA}, {velocity}}}}}
joints: {{j: {{{pair}, {joint}}}}}
"""


def implicit(mass, steps=120, limit=False):
    """The closed form of the steps; a limit acts above 0 only, and only pushes down."""
    x, v = BEYOND if limit else 0.0, SPEED
    values = [x]
    for _ in range(steps):
        held = (v - H * STIFFNESS * x / mass) / (1 + H * (DAMPING + H * STIFFNESS) / mass)
        if not limit or (x > 0 and held < v):
            v = held
        x += H * v
        values.append(x)
    return values


@every_row("name", ALONG)
def test_a_spring_along_a_line(run, rounds, name):
    trace = run(scene(ALONG[name], rounds, f"velocity: [{SPEED}, 0]"), "b.x")
    np.testing.assert_allclose(trace["b"].x, implicit(MASS), atol=2e-5)


@every_row("name", TURNING)
def test_a_spring_that_turns(run, rounds, name):
    spin = f"angular_velocity: {math.degrees(SPEED)}"
    trace = run(scene(TURNING[name], rounds, spin), "b.angle")
    np.testing.assert_allclose(trace["b"].angle, implicit(INERTIA), atol=2e-5)


@every_row("name", LIMITS)
def test_a_soft_limit_throws_back_as_a_spring(run, rounds, name):
    """Beyond it, until the spring would pull; then b flies freely."""
    trace = run(scene(LIMITS[name], rounds, f"velocity: [{SPEED}, 0]"), "b.x")
    np.testing.assert_allclose(trace["b"].x + BEYOND, implicit(MASS, limit=True), atol=5e-5)


@every_row("kind", ["distance", "prismatic", "weld", "revolute"])
def test_a_frequency_is_the_stiffness_for_the_mass_that_moves(run, kind):
    """2 pi f = sqrt(k / m), 2 z sqrt(k m) = c."""
    mass = INERTIA if kind == "revolute" else MASS
    frequency = math.sqrt(STIFFNESS / mass) / (2 * math.pi)
    ratio = DAMPING / (2 * math.sqrt(STIFFNESS * mass))
    spring = f"{{frequency: {frequency!r}, damping_ratio: {ratio!r}}}"
    joint = (TURNING if kind == "revolute" else ALONG)[kind].replace(SPRING, spring)
    motion = f"velocity: [{SPEED}, 0], angular_velocity: {math.degrees(SPEED)}"
    trace = run(scene(joint, "iterations: 5", motion), "b.x", "b.angle")
    seen = trace["b"].angle if kind == "revolute" else trace["b"].x
    np.testing.assert_allclose(seen, implicit(mass), atol=2e-5)
