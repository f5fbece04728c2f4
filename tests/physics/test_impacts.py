# SPDX-License-Identifier: MIT
"""Blows of one instant, blows that are handed on, and the spin that a bounce gives."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.rows import every_row
from tests.search import tries

STEPS = ("1/30", "1/60", "1/240", "1/960")

HEAD = """
world: {{gravity: [0, 0], duration: {duration}, dt: ={dt}, sleep: false, solver: {{{solver}}}}}
materials: {{m: {{restitution: {e}, friction: {f}}}}}
defaults: {{material: m}}
"""


def head(
    dt: str,
    e: float = 1,
    f: float = 0,
    duration: float = 1,
    solver: str = "type: soft_step",
) -> str:
    return HEAD.format(dt=dt, e=e, f=f, duration=duration, solver=solver)


def advance(world, until: float) -> None:
    """Step a world to a time, or just past it."""
    while world.time < until - 1e-9:
        world.step()


def energy(world) -> float:
    """Kinetic energy of all that moves."""
    native = world.native
    moving = native.mass[1:] > 0
    v2 = np.square(native.vx[1:], dtype=np.float64) + np.square(native.vy[1:], dtype=np.float64)
    spin2 = np.square(native.omega[1:], dtype=np.float64)
    both = native.mass[1:] * v2 + native.inertia[1:] * spin2
    return float(0.5 * both[moving].sum())


def momentum(world) -> NDArray[np.float64]:
    """Both components, and the moment of momentum about the origin; bodies must have their centre
    of mass at their origin."""
    native = world.native
    m, vx, vy = (np.array(a[1:], dtype=np.float64) for a in (native.mass, native.vx, native.vy))
    turn = m * (native.x[1:] * vy - native.y[1:] * vx) + native.inertia[1:] * native.omega[1:]
    return np.array([(m * vx).sum(), (m * vy).sum(), turn.sum()])


ROD = """
bodies:
  rod: {shape: {box: [2, 0.2]}, mass: 1}
  left: {shape: {circle: 0.1}, mass: 1, position: [-0.8, 0.7], velocity: [0, -1]}
  right: {shape: {circle: 0.1}, mass: 1, position: [0.8, LATER], velocity: [0, -1]}
"""


@every_row("dt", STEPS)
def test_two_balls_that_hit_a_rod_at_once_do_not_turn_it(run, solver, dt):
    trace = run(head(dt, solver=f"type: {solver}") + ROD.replace("LATER", "0.7"))
    # Momentum and energy: 2 (-1) = 2 v + V and V - v = 1.
    assert trace["left"].vy[-1] == pytest.approx(-1 / 3, abs=1e-5)
    assert trace["right"].vy[-1] == pytest.approx(-1 / 3, abs=1e-5)
    assert trace["rod"].vy[-1] == pytest.approx(-4 / 3, abs=1e-5)
    assert abs(trace["rod"].omega[-1]) < 1e-5


def one_after_the_other() -> tuple[float, float, float]:
    """The velocities after the two blows of ROD, the second while the rod has hardly turned."""
    inverse = 12 / (4 + 0.04)  # of the rod's moment of inertia
    arm = 0.8
    response = 2 + arm * arm * inverse
    first = 2 / response
    rod, spin = -first, arm * inverse * first
    second = 2 * (1 + rod + arm * spin) / response
    return -1 + first, -1 + second, rod - second


@every_row("dt", STEPS)
def test_two_balls_that_hit_a_rod_one_after_the_other_give_two_blows(run, dt):
    # A thousandth of a second apart, which is much less than a step.
    trace = run(head(dt, duration=0.8) + ROD.replace("LATER", "0.701"))
    found = [trace[name].vy[-1] for name in ("left", "right", "rod")]
    np.testing.assert_allclose(found, one_after_the_other(), atol=2e-3)


@every_row("f", [0, 0.5])
@every_row("dt", STEPS)
def test_many_balls_at_once_on_a_bar_keep_its_symmetry(make, dt, f):
    world = make(
        head(dt, e=0.8, f=f)
        + """
bodies:
  bar: {shape: {box: [4.2, 0.2]}, mass: 1}
  ball:
    repeat: {i: 7}
    shape: {circle: 0.1}
    mass: =1+abs(i-3)
    position: [=(i-3)*0.6, 0.7]
    velocity: [0, -1]
"""
    )
    before = momentum(world)
    advance(world, 1)
    native = world.native
    np.testing.assert_allclose(native.vy[2:], native.vy[2:][::-1], atol=1e-6)
    assert abs(native.omega[1]) < 1e-6
    np.testing.assert_allclose(momentum(world), before, atol=2e-5)


WEDGE = """
bodies:
  right: {type: static, shape: {box: [4, 1]}, angle: 45, position: [1.5, 0]}
  left: {type: static, shape: {box: [4, 1]}, angle: -45, position: [-1.5, 0]}
  ball: {shape: {circle: 0.5}, mass: 2, position: [0, 2.3], velocity: [0, -3]}
"""


@every_row("f", [0, 0.5])
@every_row("dt", STEPS)
def test_a_ball_leaves_a_wedge_the_way_it_came(run, dt, f):
    ball = run(head(dt, e=0.6, f=f) + WEDGE)["ball"]
    assert ball.vy[-1] == pytest.approx(0.6 * 3, abs=1e-5)
    assert abs(ball.vx[-1]) < 1e-6
    assert abs(ball.omega[-1]) < 1e-6


@every_row("dt", STEPS)
def test_a_ball_between_two_balls_pushes_both_away_alike(make, dt):
    world = make(
        head(dt)
        + """
bodies:
  left: {shape: {circle: 0.5}, mass: 1, position: [-0.5, 0]}
  right: {shape: {circle: 0.5}, mass: 1, position: [0.5, 0]}
  ball: {shape: {circle: 0.5}, mass: 2, position: [0, 2.01], velocity: [0, -3]}
"""
    )
    advance(world, 1)
    native = world.native
    assert native.vx[1] == pytest.approx(-native.vx[2], abs=1e-6)
    assert native.vy[1] == pytest.approx(native.vy[2], abs=1e-6)
    assert native.vx[3] == pytest.approx(0, abs=1e-6)
    assert energy(world) == pytest.approx(9, rel=1e-5)


@every_row("dt", STEPS)
@every_row("pillars", [2, 3])
def test_a_box_that_lands_flat_on_pillars_comes_straight_back(run, dt, pillars):
    box = run(
        head(dt, e=0.6, f=0.5)
        + f"""
bodies:
  pillar:
    repeat: {{i: {pillars}}}
    type: static
    shape: {{box: [0.4, 1]}}
    position: ["=(i/{pillars - 1} - 0.5)*1.8", 0]
  box: {{shape: {{box: [2, 0.4]}}, mass: 2, position: [0, 1.3], velocity: [0, -3]}}
"""
    )["box"]
    assert box.vy[-1] == pytest.approx(1.8, abs=1e-5)
    assert abs(box.omega[-1]) < 1e-6


@pytest.mark.parametrize("dt", STEPS)
def test_the_break_of_a_rack_keeps_to_its_axis(make, dt):
    world = make(
        head(dt, duration=0.6)
        + """
bodies:
  cue: {shape: {circle: 0.25}, mass: 1, position: [-2, 0], velocity: [5, 0]}
  ball:
    repeat: {row: 5, i: =row+1}
    shape: {circle: 0.25}
    mass: 1
    position: [=row*0.25*sqrt(3), =(i-row/2)*0.5]
"""
    )
    advance(world, 0.6)
    native = world.native
    assert abs(native.vy[1]) < 1e-5
    at = 2
    for row in range(5):
        vy = native.vy[at : at + row + 1]
        np.testing.assert_allclose(vy, -vy[::-1], atol=0.01)
        at += row + 1
    assert 0.99 * 12.5 < energy(world) < 12.5 * (1 + 1e-5)


@every_row("swung", [1, 2, 3, 4])
@every_row(("dt", "gap"), [*((dt, 0.0) for dt in STEPS), ("1/240", 0.004), ("1/960", 0.004)])
def test_as_many_balls_leave_a_row_as_ran_into_it(run, dt, swung, gap):
    trace = run(
        head(dt)
        + f"""
bodies:
  ball:
    repeat: {{i: 6}}
    shape: {{circle: 0.25}}
    position: ["=i*(0.5+{gap}) - (0.7 if i < {swung} else 0)", 0]
    velocity: ["=2 if i < {swung} else 0", 0]
"""
    )
    speeds = [trace[f"ball[{i}]"].vx[-1] for i in range(6)]
    np.testing.assert_allclose(speeds, [0] * (6 - swung) + [2] * swung, atol=1e-5)


@every_row("dt", STEPS)
def test_a_row_of_unequal_balls_hands_the_blow_on_pair_by_pair(run, dt):
    masses = [1, 2, 4, 8]
    trace = run(
        head(dt)
        + """
bodies:
  ball:
    repeat: {i: 4}
    shape: {circle: 0.25}
    mass: =2**i
    position: [=i*0.5-(0.7 if i == 0 else 0), 0]
    velocity: [=2 if i == 0 else 0, 0]
"""
    )
    expected, speed = [], 2.0
    for near, far in itertools.pairwise(masses):
        expected.append(speed * (near - far) / (near + far))
        speed *= 2 * near / (near + far)
    speeds = [trace[f"ball[{i}]"].vx[-1] for i in range(4)]
    np.testing.assert_allclose(speeds, [*expected, speed], atol=1e-5)


SPUN = """
bodies:
  floor: {{type: static, shape: {floor}, position: [0, 0]}}
  body: {{shape: {shape}, mass: 1, position: [-2, 1.413], velocity: [3, -2.37]}}
"""
FLOORS = {
    "box": "{box: [40, 1], offset: [0, -0.5]}",
    "segment": "{segment: [[-20, 0], [20, 0]]}",
    "chain": "{chain: [[20, 0], [0, 0], [-20, 0]], side: right}",
}


@every_row("dt", STEPS)
@every_row("e", [0, 0.5, 1])
@every_row("floor", FLOORS)
def test_a_ball_takes_its_spin_with_the_arm_of_its_radius(run, solver, dt, e, floor):
    more = ", position_correction: false" if solver == "sequential_impulse" else ""
    text = SPUN.format(shape="{circle: 0.5}", floor=FLOORS[floor])
    trace = run(head(dt, e=e, f=0.2, solver=f"type: {solver}{more}", duration=1) + text)
    spin = -0.2 * (1 + e) * 2.37 * 0.5 * 8
    assert trace["body"].omega[-1] == pytest.approx(spin, rel=1e-4)
    assert trace["body"].vx[-1] == pytest.approx(3 - 0.2 * (1 + e) * 2.37, abs=1e-4)


@every_row("dt", STEPS)
@every_row("shape", ["{box: [1, 1]}", "{box: [1, 1], radius: 0.1}"])
def test_a_box_that_bounces_flat_takes_its_spin_with_half_its_height(make, dt, shape):
    world = make(head(dt, f=0.2) + SPUN.format(shape=shape, floor=FLOORS["box"]))
    advance(world, 0.6)
    spin = -0.2 * 2 * 2.37 * 0.5 / world["body"].inertia
    assert world["body"].angular_velocity == pytest.approx(spin, rel=1e-4)


@pytest.mark.parametrize("dt", STEPS)
def test_a_turning_box_bounces_with_the_arms_of_that_instant(make, dt):
    # A square turns about its middle and meets the floor with one corner, at the angle that it has
    # when it gets there.
    turn, speed = 2.0, 2.0
    world = make(
        head(dt)
        + f"""
bodies:
  floor: {{type: static, shape: {{box: [40, 1]}}, position: [0, -0.5]}}
  box: {{shape: {{box: [1, 1]}}, mass: 1, position: [0, 1.3], velocity: [0, -{speed}],
         angular_velocity: {turn} rad/s}}
"""
    )
    times = np.linspace(0, 1, 1_000_001)
    reach = 0.5 * (np.abs(np.cos(turn * times)) + np.abs(np.sin(turn * times)))
    meets = float(times[np.argmax(1.3 - speed * times <= reach)])
    # Up to a quarter turn the lowest corner is the one that began below on the left.
    assert 0 < turn * meets < np.pi / 2
    arm = 0.5 * (np.sin(turn * meets) - np.cos(turn * meets))
    impulse = 2 * (speed - turn * arm) / (1 + 6 * arm * arm)
    advance(world, meets + 0.05)
    assert world["box"].velocity[1] == pytest.approx(-speed + impulse, abs=0.02)
    assert world["box"].angular_velocity == pytest.approx(turn + 6 * arm * impulse, abs=0.05)


@every_row("dt", STEPS)
def test_a_spinning_ball_spins_the_one_that_it_hits(run, solver, dt):
    more = ", position_correction: false" if solver == "sequential_impulse" else ""
    trace = run(
        head(dt, f=0.1, solver=f"type: {solver}{more}")
        + """
bodies:
  a: {shape: {circle: 0.5}, mass: 1, velocity: [3, 0], angular_velocity: 20 rad/s}
  b: {shape: {circle: 0.5}, mass: 1, position: [1.7, 0]}
"""
    )
    # The whole speed is handed over, and friction is a tenth of that, at both radii of 0.5.
    spin = 0.1 * 3 * 0.5 * 8
    assert trace["a"].omega[-1] == pytest.approx(20 - spin, rel=1e-4)
    assert trace["b"].omega[-1] == pytest.approx(-spin, rel=1e-4)
    assert trace["b"].vy[-1] == pytest.approx(0.3, abs=1e-4)


SHAPES = (
    "{circle: 0.3}",
    "{box: [0.8, 0.4]}",
    "{capsule: [[-0.3, 0], [0.3, 0]], radius: 0.15}",
    "{polygon: [[-0.4, -0.2], [0.4, -0.2], [0, 0.4]]}",
)


def crowd(seed: int) -> str:
    """Bodies thrown at one another: light, heavy, fast, slow, in steps long and short."""
    random = np.random.default_rng(seed)
    speed = random.choice([1, 5, 30])
    text = head(
        random.choice(STEPS), random.choice([1, 0.9, 0.5]), random.choice([0, 0.3, 1]), duration=1
    )
    text += "bodies:\n"
    for i in range(int(random.choice([2, 3, 6, 12]))):
        x, y = 1.2 * (i % 4) + random.uniform(-0.1, 0.1), 1.2 * (i // 4) + random.uniform(-0.1, 0.1)
        vx, vy = random.uniform(-speed, speed, 2)
        spin = random.choice([0, random.uniform(-10, 10)])
        text += (
            f"  b{i}: {{shape: {random.choice(SHAPES)}, mass: {random.choice([1, 0.01, 100])}, "
            f"position: [{x}, {y}], angle: {random.uniform(0, 360)}, "
            f"velocity: [{vx}, {vy}], angular_velocity: {spin} rad/s}}\n"
        )
    return text


@every_row("seed", range(tries(20, 60)))
def test_impacts_never_add_energy_and_keep_all_momentum(make, seed):
    world = make(crowd(seed))
    native = world.native
    start, last = momentum(world), energy(world)
    scale = float((native.mass[1:] * np.hypot(native.vx[1:], native.vy[1:])).sum())
    first = last
    while world.time < 0.5:
        world.step()
        now = energy(world)
        assert now <= last + 1e-4 * first
        last = now
    np.testing.assert_allclose(momentum(world)[:2], start[:2], atol=1e-5 * scale)
    assert abs(momentum(world)[2] - start[2]) < 0.02 * scale


@pytest.mark.parametrize("options", [{"lanes": 1}, {"lanes": 4}, {"threads": 2}])
def test_impacts_give_the_same_bits_in_lanes_and_threads(make, options):
    text = (
        head("1/60")
        + """
bodies:
  wall: {repeat: {s: [-1, 1]}, type: static, shape: {box: [1, 20]}, position: [=s*5, 0]}
  floor: {repeat: {s: [-1, 1]}, type: static, shape: {box: [20, 1]}, position: [0, =s*5]}
  ball:
    repeat: {i: 20, j: 20}
    shape: {circle: 0.2}
    position: [=(i-9.5)*0.42, =(j-9.5)*0.42]
    velocity: ["=uniform(-5, 5)", "=uniform(-5, 5)"]
"""
    )
    worlds = make(text), make(text, **options)
    for world in worlds:
        world.step(60)
    assert worlds[0].native.state_hash() == worlds[1].native.state_hash()


RACK = """
bodies:
  cue: {shape: {circle: 0.25}, mass: 1, position: [-2, 0], velocity: [10, 0]}
  ball:
    repeat: {row: 5, i: =row+1}
    shape: {circle: 0.25}
    mass: 1
    position: [=row*0.25*sqrt(3), =(i-row/2)*0.5]
"""


@every_row("f", [0, 0.3])
@every_row("e", [1, 0.9, 0.5])
@every_row("dt", STEPS)
def test_a_rack_breaks_as_symmetrically_as_it_is_built(make, dt, e, f):
    world = make(head(dt, e=e, f=f) + RACK)
    advance(world, 0.6)
    native = world.native
    assert np.abs(native.vy[3:5]).max() > 0.1
    at = 2
    for row in range(5):
        for values in (native.vy, native.omega):
            of_row = values[at : at + row + 1]
            np.testing.assert_allclose(of_row, -of_row[::-1], atol=2e-5)
        np.testing.assert_allclose(
            native.vx[at : at + row + 1], native.vx[at : at + row + 1][::-1], atol=2e-5
        )
        at += row + 1
    assert abs(native.vy[1]) < 2e-5


CROWD = """
bodies:
  ball:
    repeat: {row: 50, column: 50}
    shape: {circle: 0.25}
    mass: 1
    position: [=0.52*column, =0.52*row]
    velocity: ["=uniform(-10, 10)", "=uniform(-10, 10)"]
"""


def test_a_crowd_of_elastic_balls_keeps_most_of_its_energy(make):
    """More than a thousand contacts hit within one substep, and only a few sweeps are made."""
    world = make(head("1/60") + CROWD)
    before = energy(world)
    advance(world, 0.5)
    assert 0.75 * before < energy(world) < 1.00001 * before
