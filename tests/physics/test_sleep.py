# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

from tests.rows import every_row

REST = """
world: {{duration: 6, sleep: {sleep}}}
bodies:
  floor: {{type: static, shape: {{box: [20, 1]}}, position: [0, -0.5]}}
  box: {{shape: {{box: [1, 1]}}, position: [0, 0.5], {box}}}
  {other}
"""


def text(box: str = "", sleep: str = "true", other: str = "") -> str:
    return REST.format(box=box, sleep=sleep, other=other)


def test_a_body_at_rest_falls_asleep_and_stays(run):
    trace = run(text(), "box.asleep", "box.y", "box.vy")
    asleep = trace["box"].asleep
    assert asleep[0] == 0
    assert asleep[-1] == 1
    since = int(np.argmax(asleep > 0))
    assert 10 < since < 180
    assert np.ptp(trace["box"].y[since:]) == 0
    assert trace["box"].vy[-1] == 0


def test_nothing_sleeps_where_the_world_or_the_body_says_so(run):
    assert run(text(sleep="false"), "box.asleep")["box"].asleep.max() == 0
    assert run(text("sleep: false"), "box.asleep")["box"].asleep.max() == 0


def test_a_hit_wakes_a_sleeper(run):
    other = "ball: {shape: {circle: 0.3}, position: [0, 60]}"
    trace = run(text(other=other), "box.asleep", "ball.y", "box.contacts")
    asleep = trace["box"].asleep
    landed = int(np.argmax(trace["ball"].y < 1.35))
    assert asleep[landed - 10] == 1
    assert asleep[landed + 2] == 0


def test_a_body_may_start_asleep_and_hangs_until_touched(run):
    trace = run(
        text(other="sleeper: {shape: {box: [1, 1]}, position: [8, 5], awake: false}"),
        "sleeper.y",
        "sleeper.asleep",
    )
    assert (trace["sleeper"].y == 5).all()
    assert (trace["sleeper"].asleep == 1).all()


def test_a_whole_island_sleeps_and_wakes_together(make):
    world = make(text(other="top: {shape: {box: [1, 1]}, position: [0, 1.5]}"))
    world.step(300)
    assert not world["box"].awake
    assert not world["top"].awake
    world["top"].apply_impulse((0.5, 0))
    world.step()
    assert world["top"].awake
    assert world["box"].awake


def test_what_is_stopped_stays_awake_for_half_a_second(make):
    # The other one drifts for ever, so that somebody is always about to fall asleep.
    world = make("""
world: {gravity: [0, 0]}
bodies:
  drifter: {shape: {circle: 0.1}, velocity: [0.01, 0]}
  mover: {shape: {circle: 0.1}, position: [0, 5], velocity: [1, 0]}
""")
    world.step(60)
    world["mover"].velocity = 0, 0
    world.step(29)
    assert world["mover"].awake
    world.step(31)
    assert not world["mover"].awake
    assert world["drifter"].awake


def test_taking_the_support_away_wakes_what_stood_on_it(make):
    world = make(text(other="top: {shape: {box: [1, 1]}, position: [0, 1.5]}"))
    world.step(300)
    assert not world["top"].awake
    world.remove("box")
    world.step(60)
    assert world["top"].y < 1.2


def test_setting_a_velocity_wakes(make):
    world = make(text())
    world.step(300)
    assert not world["box"].awake
    world["box"].velocity = (1, 0)
    world.step()
    assert world["box"].awake
    assert world["box"].x > 0


def test_a_body_on_a_moving_platform_does_not_fall_asleep(run):
    trace = run(
        """
world: {duration: 6}
bodies:
  lift: {type: kinematic, shape: {box: [4, 1]}, position: [0, -0.5], velocity: [0, 0.5]}
  box: {shape: {box: [1, 1]}, position: [0, 0.5]}
"""
    )
    assert abs(trace["box"].y[-1] - 3.5) < 0.1


def test_sleeping_changes_nothing_that_can_be_seen(run):
    awake, asleep = (run(text(sleep=value))["box"] for value in ("false", "true"))
    np.testing.assert_allclose(awake.y, asleep.y, atol=1e-3)
    np.testing.assert_allclose(awake.x, asleep.x, atol=1e-3)


SLIDE = """
world: {gravity: [0, -9.81], duration: 3}
bodies:
  slope: {type: static, shape: {box: [20, 1]}, angle: -14.5, friction: 0.25}
  box: {shape: {box: [0.5, 0.5]}, friction: 0.25, angle: -14.5,
        position: ["=0.75*sin(14.5*pi/180)", "=0.75*cos(14.5*pi/180)"]}
"""


def test_what_begins_to_slide_slowly_does_not_fall_asleep(run):
    """g (sin 14.5 - 0.25 cos 14.5) is 0.08 m/s^2: after half a second it has 4 cm/s."""
    trace = run(SLIDE, "box.speed", "box.asleep")["box"]
    pull = 9.81 * (np.sin(np.radians(14.5)) - 0.25 * np.cos(np.radians(14.5)))
    assert trace.asleep.max() == 0
    assert trace.speed[-1] == pytest.approx(3 * pull, rel=0.1)


HELD = """
world: {{gravity: [0, -9.81], duration: {duration}}}
bodies:
  ball: {{shape: {{circle: 0.2}}, mass: 2, position: [{x}, -1], {more}}}
joints:
  j: {{bodies: [world, ball], {joint}}}
"""


def held(joint: str, duration: float = 4, x: float = 0, more: str = "") -> str:
    return HELD.format(joint=joint, duration=duration, x=x, more=more)


def test_a_motor_that_slips_goes_on_slipping(run):
    """19.5 N against 19.62 N of weight leave 0.06 m/s^2."""
    motor = "type: prismatic, axis: [0, 1], motor: {speed: 0, max_force: 19.5}"
    assert run(held(motor), "j.speed")["j"].speed[-1] == pytest.approx(-0.24, rel=0.01)


def test_a_small_swing_does_not_stop(run):
    """Half a degree: at most 2.7 cm/s."""
    x = np.sin(np.radians(0.5))
    swing = run(held("type: distance, anchor: [0, 0]", 10, x), "ball.x")["ball"].x
    assert swing[-130:].max() == pytest.approx(x, rel=0.02)


def test_a_spring_sleeps_where_it_hangs_at_rest(run):
    """g / w^2 below; a tenth of critical damping."""
    spring = "type: distance, anchor: [0, 0], spring: {frequency: 1, damping_ratio: 0.1}"
    trace = run(held(spring, 25), "ball.y", "ball.asleep")["ball"]
    assert trace.asleep[-1] == 1
    assert trace.y[-1] == pytest.approx(-1 - 9.81 / (2 * np.pi) ** 2, abs=1e-3)


def test_a_joint_that_is_being_put_right_stays_awake_until_it_is(run):
    """The correction leaves no velocity behind; at 3 rad/s it takes more than half a second."""
    turned = "type: revolute, limits: [160, 200]"
    trace = run(held(turned, 4, more="gravity_scale: 0"), "j.angle")["j"]
    assert np.radians(159.8) < trace.angle[-1] < np.radians(200.2)


# ---------------------------------------------------------------- slow, but not at rest


def test_what_flies_slowly_flies_on(make):
    """0.01 m/s for 10 s."""
    world = make(
        "world: {gravity: [0, 0]}\nbodies: {a: {shape: {circle: 0.5}, velocity: [0.01, 0]}}"
    )
    world.step(600)
    assert world["a"].x == pytest.approx(0.1, rel=1e-6)


def test_what_falls_slowly_falls_on(make):
    """g t^2 / 2 with a thousandth of g."""
    world = make("bodies: {a: {shape: {circle: 0.5}, gravity_scale: 0.001}}")
    world.step(600)
    assert world["a"].y == pytest.approx(-0.5 * 9.81e-3 * 100, rel=1e-4)


def test_what_flies_slowly_along_a_wall_does_not_rest_on_it(make):
    """Nothing presses the two upon each other, nor the pair that flies side by side."""
    world = make(
        """
world: {gravity: [0, 0]}
bodies:
  wall: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  box: {shape: {box: [1, 1]}, position: [0, 0.5], velocity: [0.01, 0], friction: 0}
  left: {shape: {box: [1, 1]}, position: [0, 5], velocity: [0.01, 0]}
  right: {shape: {box: [1, 1]}, position: [1, 5], velocity: [0.01, 0]}
"""
    )
    world.step(600)
    assert world["box"].x == pytest.approx(0.1, rel=1e-3)
    assert world["left"].x == pytest.approx(0.1, rel=1e-3)
    assert world["right"].x == pytest.approx(1.1, rel=1e-3)


def test_what_slides_without_friction_slides_on(make):
    world = make(text("friction: 0, velocity: [0.03, 0]"))
    world.step(600)
    assert world["box"].x == pytest.approx(0.3, rel=1e-3)


def test_a_ball_that_rolls_slowly_rolls_on(make):
    world = make(
        text(other="ball: {shape: {circle: 0.5}, position: [4, 0.5], velocity: [0.03, 0]}")
    )
    world.step(60)
    speed = world["ball"].velocity[0]  # once it rolls
    world.step(600)
    assert world["ball"].x - 4 == pytest.approx(11 * speed, rel=0.05)
    assert not world["box"].awake


def test_what_bobs_in_water_comes_to_its_balance(make):
    """Half as dense as water, it floats with its middle in the surface."""
    world = make(
        """
world: {pools: {lake: {region: [[-5, -5], [5, 0]], density: 1, damping: 1}}}
bodies: {box: {shape: {box: [2, 0.5]}, density: 0.5, position: [0, 0.006]}}
"""
    )
    world.step(1200)
    assert world["box"].y == pytest.approx(0, abs=2e-4)
    assert not world["box"].awake


@pytest.mark.parametrize("degrees", [0.02, 0.1, 0.5])
def test_a_slow_pendulum_swings_on(make, degrees):
    """With a hundredth of gravity, 1 m long: 20 s a swing, and at its turn it hardly moves."""
    angle = np.radians(degrees)
    world = make(
        "bodies: {bob: {shape: {circle: 0.1}, inertia: 1e-6, gravity_scale: 0.01, "
        f"position: [{np.sin(angle)}, {-np.cos(angle)}]}}}}\n"
        "joints: {rod: {type: revolute, bodies: [world, bob], anchor: [0, 0]}}"
    )
    period = 2 * np.pi * np.sqrt(1 / 0.0981)
    world.step(round(2 * period * 60))
    assert world["bob"].x == pytest.approx(np.sin(angle), rel=0.02)


@pytest.mark.parametrize("hours", [1, 12])
def test_the_hands_of_a_clock_go_on(make, hours):
    speed = 360 / (hours * 3600)
    world = make(
        "bodies: {hand: {shape: {box: [1, 0.1]}, position: [0.5, 0], gravity_scale: 0}}\n"
        "joints: {axle: {type: revolute, bodies: [world, hand], anchor: [0, 0], "
        f"motor: {{speed: {speed}, max_torque: 1000}}}}}}"
    )
    world.step(300)
    begun = world["hand"].angle
    world.step(600)
    assert np.degrees(world["hand"].angle - begun) == pytest.approx(10 * speed, rel=1e-2)


def test_a_spring_without_damping_swings_on(make):
    """0.2 Hz and 5 mm: 6 mm/s at most."""
    spring = "type: distance, anchor: [0, 0], length: 1, spring: {frequency: 0.2, damping_ratio: 0}"
    world = make(held(spring, more="gravity_scale: 0, velocity: [0, 0.0063]"))
    far = 0.0
    for _ in range(600):
        world.step()
        far = max(far, abs(world["ball"].y + 1))
    assert far == pytest.approx(0.005, rel=0.05)
    assert world["ball"].awake


def test_what_is_carried_slowly_by_a_belt_is_carried_on(make):
    world = make(
        "bodies:\n"
        "  belt: {type: static, shape: {box: [20, 1]}, position: [0, -0.5], tangent_speed: -0.02}\n"
        "  box: {shape: {box: [1, 1]}, position: [0, 0.5]}"
    )
    world.step(600)
    assert abs(world["box"].x) == pytest.approx(0.2, rel=0.02)


def test_piles_fall_asleep_as_soon_as_they_stand(make):
    rows = "crate: {repeat: {i: 5}, shape: {box: [1, 1]}, position: [4, =0.5 + i]}"
    world = make(text(other=rows))
    world.step(40)
    assert not world.native.awake[2:].any()


# ---------------------------------------------------------------- sleep changes nothing

SHAPES = ("{circle: 0.3}", "{box: [0.6, 0.4]}", "{capsule: [[-0.3, 0], [0.3, 0]], radius: 0.2}")


def slow_world(seed: int, sleep: bool) -> str:
    """Bodies in a room, on its floor, on each other, on hinges and springs, in water and in the
    air, all slow."""
    rng = np.random.default_rng(seed)
    gravity = rng.choice([0, 0.01, 1, 9.81])
    pool = "pools: {lake: {region: [[4, -1], [9, 1]], density: 1, damping: 1}}, "
    lines = [
        f"world: {{gravity: [0, {-gravity}], sleep: {str(sleep).lower()}, {pool}dt: 0.01}}",
        "bodies:",
        "  floor: {type: static, shape: {box: [8, 1]}, position: [0, -0.5]}",
    ]
    joints = []
    for k in range(int(rng.integers(1, 6))):
        x, angle = 1.5 * k - 3.5, 0
        y, scale = 0.3, 1.0
        where = rng.integers(0, 5)
        shape = SHAPES[rng.integers(0, 3)]
        vx, vy = rng.uniform(-0.04, 0.04, 2)
        if where == 0:  # on the floor
            y, vy = (0.3, 0.2, 0.2)[SHAPES.index(shape)], 0
        elif where == 1:  # in the air
            y, scale = rng.uniform(2, 3), 0.0
        elif where == 2:  # in water
            x, y = 6.5, rng.uniform(0.9, 1.1)
            if any("6.5" in line for line in lines):
                continue
        else:
            y = rng.uniform(2, 3)
            kind = "revolute" if where == 3 else "distance"
            more = "" if where == 3 else ", spring: {frequency: 0.3, damping_ratio: 0.05}"
            anchor = f"[{x}, {y + 1}]"
            joints.append(
                f"  j{k}: {{type: {kind}, bodies: [world, b{k}], anchor: {anchor}{more}}}"
            )
        lines.append(
            f"  b{k}: {{shape: {shape}, position: [{x}, {y}], angle: {angle}, density: 0.5, "
            f"velocity: [{vx}, {vy}], gravity_scale: {scale}}}"
        )
    return "\n".join([*lines, *(["joints:", *joints] if joints else [])])


@every_row("seed", range(40))
def test_a_world_that_may_sleep_goes_where_one_that_may_not_does(make, seed):
    """Within the drift that the thresholds allow: 0.5 mm/s at standard gravity, and what follows
    from a body that goes to sleep a little earlier."""
    there = []
    for sleep in (True, False):
        world = make(slow_world(seed, sleep))
        world.step(1000)
        there.append(np.stack([world.bodies.x, world.bodies.y]).T)
    np.testing.assert_allclose(there[0], there[1], atol=0.005)
