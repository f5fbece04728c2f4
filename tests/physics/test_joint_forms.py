# SPDX-License-Identifier: MIT
"""Written forms of joints and actuators: each row is a scene and its closed form.

All with the default step and both solvers. The arm is a bar of 2 m by 0.2 m and 3 kg, pinned at its
end: W = 3 g at 1 m, and I = 3 (2^2 + 0.2^2) / 12 + 3 kg m^2 about the pin. The ball and the box
have 2 kg.
"""

from __future__ import annotations

import math

import pytest

from tests.rows import every_row

G = 9.81
W = 3 * G
INERTIA = 3 * (2**2 + 0.2**2) / 12 + 3
ARM = "arm: {shape: {box: [2, 0.2]}, mass: 3, position: [1, 0]}"
BALL = "ball: {{shape: {{circle: 0.2}}, mass: 2, position: [{}, {}]}}"
BOX = "box: {shape: {box: [0.6, 0.4]}, mass: 2}"
HINGE = "j: {{type: revolute, bodies: [world, arm], anchor: [0, 0], {}}}"
ROD = "j: {{type: distance, bodies: [world, ball], anchor: [0, 0], {}}}"
SLIDE = "j: {{type: prismatic, bodies: [world, box], axis: [0, 1], {}}}"
PRESS = "p: {{type: {}, body: {}}}"
FREE = "gravity: [0, 0]"


def deg(angle: float) -> float:
    return math.radians(angle)


def sag(frequency: float) -> float:
    """g / w^2."""
    return G / (2 * math.pi * frequency) ** 2


# name: (world, bodies, joints, actuators, [(time, channel, value, tolerance), ...])
FORMS = {
    "an arm hangs on its lower limit": (
        "",
        ARM,
        HINGE.format("limits: [-45, 45]"),
        "",
        [
            (5, "j.angle", deg(-45), 2e-3),
            (5, "j.torque", W * math.cos(deg(45)), 0.05),
            (5, "j.force", W, 0.1),
        ],
    ),
    "an arm on the world as its second body": (
        "",
        ARM,
        "j: {type: revolute, bodies: [arm, world], anchor: [0, 0], limits: [-30, 30]}",
        "",
        [(5, "j.angle", deg(30), 2e-3), (5, "arm.angle", deg(-30), 2e-3)],
    ),
    "limits that begin at 170 degrees": (
        FREE,
        "arm: {shape: {box: [2, 0.2]}, mass: 3, angle: 170}",
        HINGE.format("limits: [-5, 20], motor: {speed: 30}"),
        "",
        [(2, "j.angle", deg(20), 2e-3), (2, "arm.angle", deg(190), 2e-3)],
    ),
    "a motor holds the weight with its torque": (
        "",
        ARM,
        HINGE.format("motor: {speed: 0, max_torque: 29.5}"),
        "",
        [(3, "j.angle", 0, 2e-3), (3, "j.motor_force", W, 0.05)],
    ),
    "a motor of less than the torque slips": (
        FREE,
        ARM,
        HINGE.format("motor: {speed: 0, max_torque: 9.9}"),
        PRESS.format("torque, torque: 10", "arm"),
        [(3, "j.speed", 0.3 / INERTIA, 3e-4), (3, "j.motor_force", -9.9, 1e-3)],
    ),
    "a motor goes to a part of its limits": (
        "",
        ARM,
        HINGE.format("limits: [-20, 60], motor: {position: 0.75, relative: true, max_torque: 90}"),
        "",
        [(4, "j.angle", deg(40), 2e-3), (4, "j.motor_force", W * math.cos(deg(40)), 0.1)],
    ),
    "a motor's spring yields": (
        FREE,
        ARM,
        HINGE.format("motor: {position: 10, spring: {stiffness: 50, damping: 15}}"),
        PRESS.format("torque, torque: 10", "arm"),
        [(8, "j.angle", deg(10) + 0.2, 1e-3), (8, "j.motor_force", -10, 0.02)],
    ),
    "a spring of a hinge by frequency": (
        FREE,
        ARM,
        HINGE.format("spring: {frequency: 1, damping_ratio: 0.5}"),
        PRESS.format("torque, torque: 10", "arm"),
        [(6, "j.angle", 10 / (INERTIA * (2 * math.pi) ** 2), 3e-4), (6, "j.torque", -10, 0.02)],
    ),
    "a soft limit of a hinge": (
        FREE,
        ARM,
        HINGE.format("limits: {lower: -10, upper: 10, spring: {stiffness: 100, damping: 20}}"),
        PRESS.format("torque, torque: 10", "arm"),
        [(6, "j.angle", deg(10) + 0.1, 5e-4)],
    ),
    "a blow turns an arm about its pin": (
        FREE,
        ARM,
        HINGE.format("visible: true"),
        PRESS.format("impulse, impulse: [0, 3], at: [1, 0]", "arm"),
        [(0.5, "arm.omega", 3 * 2 / INERTIA, 5e-3)],
    ),
    "a rotary motor turns an arm about its pin": (
        FREE,
        ARM,
        HINGE.format("visible: true"),
        PRESS.format("rotary_motor, speed: 3600, max_torque: 2", "arm"),
        [(1, "arm.omega", 2 / INERTIA, 2e-3)],
    ),
    "a rope holds where it is taut": (
        "",
        BALL.format(0, -1),
        ROD.format("rope: true, max_length: 2"),
        "",
        [(0.4, "j.force", 0, 0), (5, "j.length", 2, 1e-3), (5, "j.force", 2 * G, 0.1)],
    ),
    "an elastic rope": (
        "",
        BALL.format(0, -1),
        ROD.format("rope: true, length: 1.5, limit_spring: {stiffness: 100, damping: 15}"),
        "",
        [(6, "j.length", 1.5 + 2 * G / 100, 1e-3)],
    ),
    "a shortest length bears a push": (
        FREE,
        BALL.format(2, 0),
        ROD.format("min_length: 1.2, max_length: 3"),
        PRESS.format("force, force: [-5, 0]", "ball"),
        [(4, "j.length", 1.2, 1e-3), (4, "j.force", 5, 0.03)],
    ),
    "a spring with a rest length of its own": (
        "",
        BALL.format(0, -1),
        ROD.format("length: 0.5, spring: {frequency: 2, damping_ratio: 0.7}"),
        "",
        [(5, "j.length", 0.5 + sag(2), 5e-4), (5, "j.force", 2 * G, 0.05)],
    ),
    "a winch": (
        "",
        BALL.format(0, -3),
        ROD.format("motor: {position: 1.5}"),
        "",
        [(4, "j.length", 1.5, 1e-3), (4, "j.motor_force", -2 * G, 0.1)],
    ),
    "a jack by speed": (
        FREE,
        BALL.format(1, 0),
        ROD.format("max_length: 2, motor: {speed: 0.5}"),
        "",
        [(1, "j.length", 1.5, 5e-3), (1, "j.speed", 0.5, 1e-3), (3, "j.length", 2, 1e-3)],
    ),
    "a jack halfway between its lengths": (
        FREE,
        BALL.format(1, 0),
        ROD.format("min_length: 1, max_length: 3, motor: {position: 0.5, relative: true}"),
        "",
        [(4, "j.length", 2, 1e-3)],
    ),
    "a lift rises": (
        "",
        BOX,
        SLIDE.format("motor: {speed: 0.5}"),
        "",
        [(2, "j.translation", 1, 5e-3), (2, "j.motor_force", 2 * G, 0.05)],
    ),
    "a lift stops at a position": (
        "",
        BOX,
        SLIDE.format("limits: [-1, 3], motor: {position: 0.3, relative: true, max_force: 30}"),
        "",
        [(5, "j.translation", 0.2, 1e-3), (5, "j.motor_force", 2 * G, 0.05)],
    ),
    "a buffer by frequency": (
        "",
        BOX,
        SLIDE.format("limits: [-0.5, 0.5], limit_spring: {frequency: 2, damping_ratio: 1}"),
        "",
        [(6, "j.translation", -0.5 - sag(2), 5e-4), (6, "j.force", 2 * G, 0.05)],
    ),
    "a rail bears a moment": (
        FREE,
        BOX,
        "j: {type: prismatic, bodies: [world, box]}",
        PRESS.format("force, at: [0.3, 0], force: [0, 5]", "box"),
        [(2, "j.torque", -1.5, 0.01), (2, "j.force", 5, 0.03), (2, "box.angle", 0, 1e-3)],
    ),
    "a rail given in a turned body's axes": (
        "",
        BOX.replace("mass", "angle: 30, mass")
        + "\n  a: {type: static, shape: {box: [0.2, 0.2]}, angle: 30}",
        "j: {type: prismatic, bodies: [a, box], anchors: [[0, 0], [0, 0]], limits: [-1, 1]}",
        "",
        [(4, "box.x", -math.cos(deg(30)), 2e-3), (4, "box.y", -0.5, 2e-3)],
    ),
    "a weld on the world as its second body": (
        "",
        ARM,
        "j: {type: weld, bodies: [arm, world], anchor: [0, 0]}",
        "",
        [(3, "j.force", W, 0.1), (3, "j.torque", -W, 0.1), (3, "arm.angle", 0, 2e-3)],
    ),
    "a wheel stands on its limits": (
        "",
        BALL.format(0, 0),
        "j: {type: wheel, bodies: [world, ball], limits: [-0.2, 0.3]}",
        "",
        [(3, "j.translation", -0.2, 1e-3), (3, "j.force", 2 * G, 0.1)],
    ),
    "a suspension by frequency": (
        "",
        BALL.format(0, 0),
        "j: {type: wheel, bodies: [world, ball], spring: {frequency: 3, damping_ratio: 0.7}}",
        "",
        [(5, "j.translation", -sag(3), 2e-4), (5, "ball.x", 0, 1e-4)],
    ),
    "a mouse without a spring of its own": (
        "",
        BOX,
        "j: {type: mouse, body: box}",
        "",
        [(4, "box.y", -sag(5), 2e-4), (4, "j.force", 2 * G, 0.05)],
    ),
    "screen units: a hinge's limits turn clockwise": (
        "screen",
        "arm: {shape: {box: [200, 20]}, mass: 3, position: [100, 0]}",
        HINGE.format("limits: [-45, 45]"),
        "",
        [(5000, "j.angle", deg(45), 2e-3), (5000, "arm.angle", deg(45), 2e-3)],
    ),
    "screen units: a spring's frequency stays in Hz": (
        "screen",
        "ball: {shape: {circle: 20}, mass: 2, position: [0, 100]}",
        ROD.format("spring: {frequency: 2, damping_ratio: 0.5}"),
        "",
        [(6000, "j.length", 100 + 100 * sag(2), 0.05), (6000, "j.force", 2 * G / 1e4, 5e-6)],
    ),
    "screen units: a motor in degrees per millisecond": (
        "screen",
        "arm: {shape: {circle: 20}, mass: 3}",
        HINGE.format("motor: {speed: 0.09}"),
        "",
        [(3000, "arm.angle", deg(270), 0.01)],
    ),
}


@every_row("name", list(FORMS))
def test_a_form_gives_what_theory_says(run, solver, name):
    world, bodies, joints, actuators, expected = FORMS[name]
    screen = world == "screen"
    dt = 50 / 3 if screen else 1 / 60
    text = f"""
units: {"screen" if screen else "si"}
world: {{duration: {max(row[0] for row in expected)}, dt: {dt!r}, solver: {{type: {solver}}},
         {"" if screen else world}}}
bodies:
  {bodies}
joints:
  {joints}
{"actuators: {" + actuators + "}" if actuators else ""}
"""
    trace = run(text, *sorted({row[1] for row in expected}))
    for time, channel, value, tolerance in expected:
        seen = trace.channel(channel)[round(time / dt)]
        assert seen == pytest.approx(value, abs=tolerance or 1e-12), (channel, time)


@every_row(
    ("joint", "load"),
    [
        ("type: revolute, motor: {speed: 0}, break: {force: %s}", W),
        ("type: weld, break: {force: %s}", W),
        ("type: weld, break: {torque: %s}", W),
        ("type: revolute, motor: {speed: 0}, break: {torque: %s}", W),
        ("type: prismatic, break: {force: %s}", W),
    ],
)
@every_row("factor", [0.99, 1.01])
def test_a_joint_breaks_just_above_its_load_and_holds_just_below(run, solver, joint, load, factor):
    """A force of half the weight is added after a second, and breaks what has held until then."""
    text = f"""
world: {{duration: 1.5, solver: {{type: {solver}}}}}
bodies: {{{ARM}}}
joints: {{j: {{bodies: [world, arm], anchor: [0, 0], {joint % (load * factor)}}}}}
actuators: {{f: {{type: force, body: arm, force: [0, {-W / 2}], start: 1}}}}
"""
    broken = run(text, "j.broken")["j"].broken
    assert broken[58] == (factor < 1)
    assert broken[64] == 1
