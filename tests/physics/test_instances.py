# SPDX-License-Identifier: MIT
"""Instances move as their prototypes do: moved, turned, mirrored, and scaled by a law."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import rigid2d.core
from numpy.typing import NDArray
from rigid2d.core.scene import loads

Points = NDArray[np.float64]

# A machine with something of everything: bodies off their origins, turned shapes, every joint.
MACHINE = """
    bodies:
      frame: {type: static, shape: {box: [6, 0.4]}, position: [0, -3], angle: 4}
      belt: {type: static, position: [-2, -2], tangent_speed: 1.5, shape: {box: [1.5, 0.2]}}
      track:
        type: static
        shape: {chain: [[4, 0], [3, -1.5], [2, -2.2], [1, -2.4]], side: right}
      roller: {shape: {circle: 0.2}, position: [3.5, 0.2]}
      egg: {shape: {circle: 0.3, offset: [0.05, 0.1]}, position: [-2, -1.4], angle: 10}
      arm: {shape: {box: [1.2, 0.2], offset: [0.5, 0]}, position: [0, 1], angle: 30}
      hand:
        shape: {capsule: [[0, 0], [0.5, 0.1]], radius: 0.1}
        position: [=cos(pi/6), =1 + sin(pi/6)]
        angular_velocity: 60
      slide: {shape: {polygon: [[-0.3, -0.2], [0.3, -0.3], [0.1, 0.3]]}, position: [-1, 2]}
      wheel: {shape: {circle: 0.3}, position: [-1.5, 3], center_of_mass: [0.1, 0.05]}
      ball: {shape: {circle: 0.2}, position: [2, 3], velocity: [-1, 1]}
      bob: {shape: {box: [0.3, 0.2], radius: 0.02}, position: [2.5, 2]}
    joints:
      shoulder: {type: revolute, bodies: [world, arm], anchor: [0, 1], limits: [-20, 80],
                 motor: {speed: 50, max_torque: 6}}
      wrist: {type: revolute, bodies: [arm, hand], anchors: [[1, 0], [0, 0]], limits: [-30, 45],
              motor: {position: 0.25, relative: true, max_torque: 2}}
      rail: {type: prismatic, bodies: [world, slide], axis: [1, 0.3], limits: [-0.4, 1.2],
             motor: {speed: 0.7, max_force: 30}}
      strut: {type: wheel, bodies: [slide, wheel], axis: [0.2, 1], limits: [-0.3, 0.3],
              spring: {frequency: 3, damping_ratio: 0.4}, motor: {speed: -200, max_torque: 1}}
      string: {type: distance, bodies: [ball, bob], rope: true, max_length: 1.3}
      pull: {type: mouse, body: bob, target: [3, 3], max_force: 4}
      hold: {type: revolute, bodies: [world, wheel], anchor: [-1.5, 3.4], spring: {frequency: 1}}
    actuators:
      jet: {type: thruster, body: hand, at: [0.2, 0.1], force: [1, 0.5], torque: 0.1}
      wind: {type: force, body: ball, force: [0.3, 0.1]}
      spin: {type: torque, body: roller, torque: 0.05}
      kick: {type: impulse, body: egg, impulse: [0.2, 0.1], angular_impulse: 0.02, start: 0.2}
      brake: {type: axial_friction, body: ball, direction: [1, 0.5], max_force: 0.2}
      turner: {type: rotary_motor, body: roller, speed: 100, max_torque: 0.1}
"""
# Wheels that mesh, one of them on an arm; a rack; a ratchet; a rope over wheels.
TIED = """
    bodies:
      arm: {shape: {box: [0.3, 0.1], offset: [0.4, 0]}, position: [-4, 0]}
      planet: {shape: {circle: 0.2}, position: [-3.2, 0], center_of_mass: [0.05, 0.02]}
      sun: {shape: {circle: 0.2}, position: [-4, 0], angular_velocity: 100}
      drum: {shape: {circle: 0.3}, position: [0, 0], angle: 20}
      bar: {shape: {box: [2, 0.1]}, position: [0.2, -0.4], velocity: [0.3, 0]}
      crate: {shape: {box: [0.4, 0.3]}, position: [3, 0.3], angle: 10}
      load: {shape: {box: [0.3, 0.3]}, position: [4, 0], density: 3}
    joints:
      carrier: {type: revolute, bodies: [world, arm], anchor: [-4, 0]}
      axle: {type: revolute, bodies: [arm, planet], anchor: [-3.2, 0]}
      middle: {type: revolute, bodies: [world, sun], motor: {speed: 150, max_torque: 3}}
      mesh: {type: gear, joints: [middle, axle], radii: [0.5, 0.3]}
      pawl: {type: ratchet, bodies: [world, drum], teeth: 24, motor: {speed: 40, max_torque: 9}}
      rail: {type: prismatic, bodies: [world, bar], axis: [1, 0.1]}
      teeth: {type: rack, joints: [pawl, rail], radius: 0.3}
      rope: {type: pulley, bodies: [crate, load], anchors: [[0.1, 0.1], [0, 0.1]],
             ground_anchors: [[3, 3], [4, 2.5]], ratio: 1.5}
"""
TIED_BODIES = ("arm", "planet", "sun", "drum", "bar", "crate", "load")
BODIES = ("roller", "egg", "arm", "hand", "slide", "wheel", "ball", "bob")


def world(gravity: str, instance: str, steps: int = 90, machine: str = MACHINE) -> str:
    return f"""
rigid: 1
world: {{gravity: {gravity}, steps: {steps}, sleep: false}}
prototypes:
  machine:{machine}
instances: {{it: {{use: machine, {instance}}}}}
"""


def run(text: str) -> rigid2d.core.Trace:
    return rigid2d.core.simulate(loads(text))


def path(trace: rigid2d.core.Trace, name: str) -> Points:
    return np.stack([trace[name]["x"], trace[name]["y"]], axis=-1)


def assert_moves_as(
    text: str,
    other: str,
    change: Callable[[Points], Points],
    turn: float,
    offset: float,
    bodies: tuple[str, ...] = BODIES,
) -> None:
    """Every body of one is where that of the other is after the change, and turned likewise."""
    first, second = run(text), run(other)
    for name in bodies:
        wanted = change(path(first, f"it.{name}"))
        assert path(second, f"it.{name}") == pytest.approx(wanted, abs=1e-6), name
        angle = offset + turn * first[f"it.{name}"]["angle"]
        assert second[f"it.{name}"]["angle"] == pytest.approx(angle, rel=1e-6, abs=1e-6), name


def test_the_machine_moves() -> None:
    trace = run(world("[0, -9.81]", "at: [0, 0]"))
    for name in BODIES:
        way, angle = path(trace, f"it.{name}"), trace[f"it.{name}"]["angle"]
        assert max(np.abs(way - way[0]).max(), np.abs(angle - angle[0]).max()) > 0.01, name


def test_an_instance_without_changes_is_the_prototype_itself() -> None:
    scene = loads(world("[0, -9.81]", "at: [0, 0]"))
    written = loads(
        "rigid: 1\nworld: {gravity: [0, -9.81], steps: 90, sleep: false}\n"
        + "\n".join(line[4:] for line in MACHINE.splitlines())
    )
    assert {name.removeprefix("it."): body.position for name, body in scene.bodies.items()} == {
        name: body.position for name, body in written.bodies.items()
    }
    assert [body.shapes for body in scene.bodies.values()] == [
        body.shapes for body in written.bodies.values()
    ]
    first, second = run(world("[0, -9.81]", "at: [0, 0]")), rigid2d.core.simulate(written)
    for name in BODIES:
        assert np.array_equal(path(first, f"it.{name}"), path(second, name))


@pytest.mark.parametrize("pivot", ["[0, 0]", "[1, -2]"])
def test_a_moved_instance_moves_as_the_prototype(pivot: str) -> None:
    px, py = (0.0, 0.0) if pivot == "[0, 0]" else (1.0, -2.0)
    assert_moves_as(
        world("[0, -9.81]", "at: [0, 0]"),
        world("[0, -9.81]", f"at: [5, 2], pivot: {pivot}"),
        lambda way: way + np.array([5.0 - px, 2.0 - py]),
        1.0,
        0.0,
    )


@pytest.mark.parametrize(("mirror", "signs"), [("x", (-1.0, 1.0)), ("y", (1.0, -1.0))])
def test_a_mirrored_instance_moves_as_the_mirror_image(
    mirror: str, signs: tuple[float, float]
) -> None:
    gravity = f"[{signs[0] * 0.5}, {signs[1] * -9.81}]"
    assert_moves_as(
        world("[0.5, -9.81]", "at: [0, 0]", 80),
        world(gravity, f"at: [0, 0], mirror: {mirror}", 80),
        lambda way: way * np.array(signs),
        -1.0,
        0.0,
    )


@pytest.mark.parametrize(("mirror", "signs"), [("x", (-1.0, 1.0)), ("y", (1.0, -1.0))])
def test_mirrored_gears_racks_ratchets_and_pulleys_move_as_the_mirror_image(
    mirror: str, signs: tuple[float, float]
) -> None:
    gravity = f"[{signs[0] * 0.5}, {signs[1] * -9.81}]"
    assert_moves_as(
        world("[0.5, -9.81]", "at: [0, 0]", 60, TIED),
        world(gravity, f"at: [0, 0], mirror: {mirror}", 60, TIED),
        lambda way: way * np.array(signs),
        -1.0,
        0.0,
        TIED_BODIES,
    )


def test_gears_and_racks_tie_the_wheels_of_an_instance_that_is_moved_turned_and_scaled() -> None:
    trace = run(world("[0, 0]", "at: [5, 2], angle: 35, scale: 2", 60, TIED))
    start, end = (
        {name: trace[f"it.{name}"]["angle"][step] for name in TIED_BODIES} for step in (0, -1)
    )
    turned = {name: end[name] - start[name] for name in TIED_BODIES}
    # 0.5 (sun - arm) = -0.3 (planet - arm)
    rim = 0.5 * (turned["sun"] - turned["arm"]) + 0.3 * (turned["planet"] - turned["arm"])
    assert abs(turned["sun"]) > 0.5
    assert rim == pytest.approx(0.0, abs=1e-3)
    way = path(trace, "it.bar")
    assert turned["drum"] > 0.3
    moved = math.hypot(*(way[-1] - way[0]))
    assert moved == pytest.approx(2 * 0.3 * turned["drum"], abs=2e-3)


@pytest.mark.parametrize("degrees", [90, -35, 180])
def test_a_turned_instance_moves_as_the_turned_prototype(degrees: float) -> None:
    angle = math.radians(degrees)
    c, s = math.cos(angle), math.sin(angle)
    turned = np.array([[c, -s], [s, c]])
    gx, gy = turned @ np.array([0.0, -9.81])
    first, second = (
        run(world("[0, -9.81]", "at: [0, 0]", 40)),
        run(
            world(
                f"[{gx!r}, {gy!r}]".replace("np.float64(", "").replace(")", ""),
                f"angle: {degrees}",
                40,
            )
        ),
    )
    for name in BODIES:
        wanted = path(first, f"it.{name}") @ turned.T
        assert path(second, f"it.{name}") == pytest.approx(wanted, abs=2e-3), name


def test_a_mirrored_and_turned_instance_turns_its_bodies_the_other_way() -> None:
    scene = loads(world("[0, 0]", "at: [1, 0], angle: 90, mirror: x"))
    arm = scene.bodies["it.arm"]
    assert arm.position == pytest.approx((0.0, 0.0), abs=1e-12)
    assert arm.angle == pytest.approx(math.radians(90 - 30))
    ball = scene.bodies["it.ball"]
    assert ball.position == pytest.approx((-2.0, -2.0))
    assert ball.velocity == pytest.approx((-1.0, 1.0))
    wrist = scene.joints["it.wrist"]
    assert wrist.limits == pytest.approx((math.radians(-45), math.radians(30)))
    assert wrist.motor is not None
    assert wrist.motor.position == 0.75


PENDULUM = """
rigid: 1
world: {{gravity: [0, -9.81], dt: 0.001, duration: 8, sleep: false}}
prototypes:
  pendulum:
    bodies: {{bob: {{shape: {{circle: 0.1}}, position: [0.05, -1], mass: 1}}}}
    joints: {{rod: {{type: revolute, bodies: [world, bob], anchor: [0, 0]}}}}
instances: {{it: {{use: pendulum, scale: {scale}}}}}
"""


@pytest.mark.parametrize("scale", [1.0, 4.0])
def test_a_scaled_pendulum_swings_by_the_root_of_the_scale(scale: float) -> None:
    """T = 2 pi sqrt((l^2 + r^2/2) / (g l)), which grows with the root of all lengths."""
    trace = run(PENDULUM.format(scale=scale))
    x = trace["it.bob"]["x"]
    crossings = [i for i in range(1, len(x)) if x[i - 1] > 0.0 >= x[i]]
    period = (trace.t[crossings[1]] - trace.t[crossings[0]]) if len(crossings) > 1 else 0.0
    length = math.hypot(0.05, 1.0)
    wanted = 2 * math.pi * math.sqrt((length**2 + 0.005) / (9.81 * length) * scale)
    assert period == pytest.approx(wanted, rel=2e-3)


def test_masses_grow_with_the_area_and_inertias_with_its_square() -> None:
    text = """
rigid: 1
prototypes:
  object:
    bodies:
      plain: {shape: {box: [1, 2]}, density: 3}
      given: {shape: {circle: 1}, mass: 5, inertia: 7, center_of_mass: [0.1, 0.2]}
instances: {small: {use: object}, large: {use: object, at: [20, 0], scale: 2}}
"""
    scene = loads(text)
    given = scene.bodies["large.given"]
    assert (given.mass, given.inertia) == (20.0, 112.0)
    assert given.center_of_mass == pytest.approx((0.2, 0.4))
    world = rigid2d.core.build(scene)
    assert world["large.plain"].mass == pytest.approx(4 * world["small.plain"].mass)


SPRUNG = """
rigid: 1
world: {{gravity: [0, -9.81], dt: {dt}, steps: 200, length_unit: {unit}, sleep: false}}
prototypes:
  hopper:
    vars: {{s: 1}}
    bodies:
      floor: {{type: static, shape: {{box: [6, 1]}}, position: [0, -0.5]}}
      body: {{shape: {{box: [1, 0.4]}}, position: [0, 1.5], velocity: [=0.3*sqrt(s), 0]}}
      foot: {{shape: {{circle: 0.2}}, position: [0, 0.6]}}
    joints:
      leg: {{type: prismatic, bodies: [body, foot], axis: [0, 1], limits: [-0.3, 0.3],
             spring: {{stiffness: =30*s, damping: =0.4*sqrt(s)**3/sqrt(s)**0}}}}
    actuators: {{push: {{type: force, body: body, force: [=0.2*s*s, 0]}}}}
instances: {{it: {{use: hopper, scale: {scale}, vars: {{s: {scale}}}}}}}
"""


def test_a_machine_scaled_by_the_law_of_the_reference_moves_alike() -> None:
    """Froude: speeds and times by the root of the scale, forces by its square, stiffness by it."""
    small = run(SPRUNG.format(scale=1.0, dt=0.005, unit=1.0))
    large = run(SPRUNG.format(scale=4.0, dt=0.01, unit=4.0))
    for name in ("body", "foot"):
        assert path(large, f"it.{name}") == pytest.approx(4 * path(small, f"it.{name}"), abs=1e-3)


WALKER = """
    bodies:
      base: {type: kinematic, shape: {box: [1, 1]}}
      leg: {shape: {box: [0.2, 1]}, position: [0, -1]}
      foot: {shape: {box: [0.4, 0.1]}, position: [0.1, -1.5]}
    joints:
      hip: {type: revolute, bodies: [base, leg], anchor: [0, -0.5],
            motor: {position: 0, max_torque: 500}}
      ankle: {type: revolute, bodies: [leg, foot], anchor: [0, -1.5],
              motor: {speed: 0, max_torque: 5}}
    actuators: {jet: {type: thruster, body: foot, force: [1, 0.5]}}
    animations:
      ride:
        {type: loop, duration: 1, easing: smooth, tracks: {
          base.position: [[0, [0, 0]], [0.5, [1, 0.3]], [1, [0, 0]]],
          base.angle: [[0, 0], [0.5, 30], [1, 0]]}}
      kick: {type: manual, duration: 0.5, tracks: {hip.motor.position: [[0, 0], [1, 45]]}}
    controls:
      up: kick.forward
      down: {hold: jet, set: {ankle.motor.speed: 60}, on_release: {ankle.motor.speed: 0}}
"""


def paths_of(instance: str, key: str = "up") -> dict[str, Points]:
    """Positions and angles of a walker that is played with, [steps, 3] by part."""
    scene = loads(
        "rigid: 1\nworld: {duration: 1.5, gravity: [0, 0]}\nrecord: {channels: [a]}\n"
        f"prototypes:\n  walker:\n{WALKER}\ninstances: {{a: {{use: walker, {instance}}}}}\n"
        f"inputs: [{{key: {key}, from: 0.2, to: 0.6}}, {{key: down, from: 0.4, to: 1}}]"
    )
    world = rigid2d.core.build(scene)
    rows: dict[str, list[list[float]]] = {part: [] for part in ("base", "leg", "foot")}
    for _ in range(scene.world.steps):
        world.step()
        for part, row in rows.items():
            body = world[f"a.{part}"]
            row.append([*body.position, body.angle])
    return {part: np.array(row) for part, row in rows.items()}


@pytest.mark.parametrize(
    ("instance", "sign", "turn"),
    [
        ("at: [3, 1]", (1, 1), 0.0),
        ("at: [3, 1], mirror: x", (-1, 1), 0.0),
        ("at: [3, 1], mirror: y", (1, -1), 0.0),
        ("at: [3, 1], mirror: x, angle: 30", (-1, 1), math.pi / 6),
        ("at: [3, 1], angle: -110, controls: {up: w}", (1, 1), -math.pi * 11 / 18),
    ],
)
def test_animations_and_keys_move_an_instance_as_its_prototype(
    instance: str, sign: tuple[int, int], turn: float
) -> None:
    plain = paths_of("at: [0, 0]")
    moved = paths_of(instance, "w" if "w}" in instance else "up")
    c, s = math.cos(turn), math.sin(turn)
    for part, path in plain.items():
        x, y = sign[0] * path[:, 0], sign[1] * path[:, 1]
        angle = turn + sign[0] * sign[1] * path[:, 2]
        wanted = np.column_stack([3 + c * x - s * y, 1 + s * x + c * y, angle])
        assert np.ptp(path[:, 2]) > 0.3
        np.testing.assert_allclose(moved[part], wanted, atol=2e-4)
