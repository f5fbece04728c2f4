# SPDX-License-Identifier: MIT
"""Maximum forces of springs, motors and mice, and their behaviour at limits."""

from __future__ import annotations

import math

import pytest
import rigid2d.core

from tests.rows import every_row

JOINTS = ["auto", "direct", "iterative"]
G = 9.81


@pytest.fixture(params=JOINTS)
def joints(request):
    return request.param


def world(solver, joints, gravity="[0, -9.81]", duration=2):
    return (
        f"world: {{gravity: {gravity}, duration: {duration}, sleep: false, "
        f"solver: {{type: {solver}, joints: {joints}}}}}"
    )


# ---------------------------------------------------------------- springs beyond their stops


def preloaded(solver, joints, mass):
    """A lid of `mass` on a spring of 100 N/m that rests at 1.5 m and is held at 1 m by a stop."""
    return f"""
{world(solver, joints, duration=6)}
bodies: {{lid: {{shape: {{circle: 0.2}}, mass: {mass}, position: [0, 1]}}}}
joints:
  spring: {{type: distance, bodies: [world, lid], anchor: [0, 0], length: 1.5, max_length: 1,
           min_length: 0, spring: {{stiffness: 100, damping: 20}}}}
"""


def test_a_preloaded_spring_holds_what_weighs_less_than_it_presses(run, solver, joints):
    trace = run(preloaded(solver, joints, 2), "lid.y", "spring.force")
    assert trace["lid"].y == pytest.approx([1.0] * len(trace.t), abs=2e-3)
    assert trace["spring"].force[-1] == pytest.approx(2 * G, rel=1e-3)


def test_a_heavier_weight_compresses_it_from_its_rest_length(run, solver, joints):
    trace = run(preloaded(solver, joints, 8), "lid.y")
    assert trace["lid"].y[-1] == pytest.approx(1.5 - 8 * G / 100, abs=1e-3)


def test_a_rod_without_a_spring_rests_between_its_stops():
    text = "rigid: 1\nbodies: {a: {shape: {circle: 1}}}\njoints: {j: {type: distance, "
    text += "bodies: [world, a], anchor: [0, 9], length: 5, max_length: 4}}"
    with pytest.raises(rigid2d.core.SceneError, match="must not be above `max_length`"):
        rigid2d.core.loads(text)


# ---------------------------------------------------------------- break by push, by pull


def column(solver, joints, height, limits):
    """A weight of 2 kg on a rod that stands on the ground, or hangs below it, held upright."""
    return f"""
{world(solver, joints)}
bodies: {{weight: {{shape: {{circle: 0.2}}, mass: 2, position: [0, {height}]}}}}
joints: {{rod: {{type: distance, bodies: [world, weight], anchor: [0, 0], break: {limits}}}}}
"""


@every_row(
    ("height", "limits", "breaks"),
    [
        (1, "{push: 19}", True),
        (1, "{push: 20.5}", False),
        (1, "{pull: 0.001}", False),
        (-1, "{pull: 19}", True),
        (-1, "{pull: 20.5}", False),
        (-1, "{push: 0.001}", False),
        (-1, "{push: 100, pull: 19}", True),
    ],
)
def test_a_rod_breaks_by_push_or_by_pull_alone(run, solver, joints, height, limits, breaks):
    trace = run(column(solver, joints, height, limits), "rod.broken")
    assert bool(trace["rod"].broken[-1]) == breaks


def test_only_a_distance_joint_breaks_by_push():
    text = "rigid: 1\nbodies: {a: {shape: {circle: 1}}}\njoints: {j: {type: weld, "
    text += "bodies: [world, a], break: {push: 3}}}"
    with pytest.raises(rigid2d.core.SceneError, match=r"`push` is along the line of a distance"):
        rigid2d.core.loads(text)


# ---------------------------------------------------------------- a wheel's suspension


def suspension(solver, joints, most):
    """A hub of 2 kg on a vertical suspension of 100 N/m with a largest force."""
    return f"""
{world(solver, joints)}
bodies: {{hub: {{shape: {{circle: 0.2}}, mass: 2, position: [0, 0]}}}}
joints:
  strut: {{type: wheel, bodies: [world, hub], axis: [0, 1], max_force: {most},
          spring: {{stiffness: 100, damping: 20}}}}
"""


def test_a_suspension_pushes_no_harder_than_its_largest_force(run, solver, joints):
    trace = run(suspension(solver, joints, 5), "hub.vy", "strut.force")
    # Once it gives all it has, what is left of the weight goes on accelerating.
    late = trace.t > 1
    fall = G - 5 / 2
    rate = (trace["hub"].vy[late][-1] - trace["hub"].vy[late][0]) / (
        trace.t[late][-1] - trace.t[late][0]
    )
    assert rate == pytest.approx(-fall, rel=1e-3)
    assert trace["strut"].force[late] == pytest.approx([5.0] * int(late.sum()), rel=1e-3)


def test_a_suspension_that_is_strong_enough_sags_as_its_spring_says(run, solver, joints):
    trace = run(suspension(solver, joints, 50), "hub.y")
    assert trace["hub"].y[-1] == pytest.approx(-2 * G / 100, abs=1e-3)


def test_the_largest_force_of_a_wheel_needs_a_spring():
    text = "rigid: 1\nbodies: {a: {shape: {circle: 1}}}\njoints: {j: {type: wheel, "
    text += "bodies: [world, a], max_force: 3}}"
    with pytest.raises(rigid2d.core.SceneError, match="and there is none"):
        rigid2d.core.loads(text)


# ---------------------------------------------------------------- a stiff mouse


def held(solver, joints, fields, mass=3):
    return f"""
{world(solver, joints)}
bodies: {{load: {{shape: {{box: [1, 1]}}, mass: {mass}, position: [0, 0]}}}}
joints: {{hand: {{type: mouse, body: load, stiff: true{fields}}}}}
"""


@every_row("mass", [0.01, 3, 1000])
def test_a_stiff_mouse_holds_whatever_it_holds_in_its_place(run, solver, joints, mass):
    trace = run(held(solver, joints, "", mass), "load.y", "hand.force")
    assert abs(trace["load"].y).max() < 1e-4
    assert trace["hand"].force[-1] == pytest.approx(mass * G, rel=1e-3)


def test_a_stiff_mouse_is_at_its_target_at_the_end_of_every_step(make, solver, joints):
    made = make(held(solver, joints, ""))
    for step in range(1, 61):
        target = (math.sin(step / 10), step / 60)
        made.joint("hand").set_target(target)
        made.step(1)
        assert made["load"].position == pytest.approx(target, abs=2e-3)


def test_a_stiff_mouse_pulls_no_harder_than_its_largest_force(run, solver, joints):
    trace = run(held(solver, joints, ", max_force: 6"), "load.vy")
    assert trace["load"].vy[-1] == pytest.approx(-(G - 6 / 3) * 2, rel=2e-3)


@every_row("pull", ["stiff: true", "spring: {frequency: 50, damping_ratio: 1}"])
@every_row("substeps", [1, 4])
def test_a_mouse_pulls_no_harder_where_its_body_turns_in_the_step(pull, substeps):
    """Held off its centre a body turns by half a radian a step, and its arm with it."""
    text = f"""
rigid: 1
world:
  gravity: [0, 0]
  dt: =1/30
  solver: {{type: soft_step, joints: direct, substeps: {substeps}}}
bodies: {{load: {{shape: {{box: [1, 0.5]}}, mass: 1}}}}
joints:
  hand: {{type: mouse, body: load, {pull}, max_force: 100, anchors: [[50, 0], [0.4, 0.2]]}}
"""
    world = rigid2d.core.build(rigid2d.core.loads(text))
    for _ in range(60):
        vx, vy = world["load"].velocity
        world.step()
        got = math.hypot(world["load"].velocity[0] - vx, world["load"].velocity[1] - vy) * 30
        assert got <= 100 * (1 + 1e-5)
        assert math.hypot(*world.joint("hand").force) <= 100 * (1 + 1e-5)


def test_a_stiff_mouse_has_no_spring():
    text = "rigid: 1\nbodies: {a: {shape: {circle: 1}}}\njoints: {j: {type: mouse, body: a, "
    text += "stiff: true, spring: {frequency: 3}}}"
    with pytest.raises(rigid2d.core.SceneError, match="a `stiff` mouse has no `spring`"):
        rigid2d.core.loads(text)


# ---------------------------------------------------------------- motors at their limits


def arm(solver, joints, motor, gravity="[0, 0]"):
    """An arm whose motor of 10 Nm turns it to a limit at a quarter of a turn."""
    return f"""
{world(solver, joints, gravity)}
bodies: {{arm: {{shape: {{box: [2, 0.2]}}, mass: 3, position: [1, 0]}}}}
joints:
  hinge: {{type: revolute, bodies: [world, arm], anchor: [0, 0], limits: [-90, 90],
          motor: {{speed: 90, max_torque: 10{motor}}}}}
record: {{channels: [hinge.angle, hinge.motor_force]}}
"""


def test_a_motor_that_stops_at_its_limits_does_not_push_on(run, solver, joints):
    trace = run(arm(solver, joints, ", stop_at_limits: true"))
    assert trace["hinge"].angle[-1] == pytest.approx(math.pi / 2, abs=2e-3)
    assert abs(trace["hinge"].motor_force[-1]) < 1e-2
    pushing = run(arm(solver, joints, ""))
    assert pushing["hinge"].motor_force[-1] == pytest.approx(10, rel=1e-3)


def test_what_it_pushed_on_a_limit_that_it_came_to_is_not_kept(run, solver, joints):
    """A motor that is still speeding up when it comes to the limit pushes on it in that step."""
    trace = run(f"""
{world(solver, joints, "[0, 0]")}
bodies: {{slide: {{shape: {{box: [1, 0.2]}}, mass: 0.05}}}}
joints:
  rail: {{type: prismatic, bodies: [world, slide], limits: [-0.3, 0.351],
         motor: {{speed: 1.2, max_force: 0.8, stop_at_limits: true}}}}
record: {{channels: [rail.translation, rail.motor_force]}}
""")
    assert trace["rail"].translation[-1] == pytest.approx(0.351, abs=1e-5)
    assert abs(trace["rail"].motor_force[-1]) < 1e-4


def test_it_turns_as_fast_as_any_other_on_its_way(run, solver, joints):
    stopping = run(arm(solver, joints, ", stop_at_limits: true"))
    pushing = run(arm(solver, joints, ""))
    assert stopping["hinge"].angle[45] == pytest.approx(pushing["hinge"].angle[45], rel=1e-6)


def test_it_gives_what_holds_a_load_at_the_limit(run, solver, joints):
    """With 4 N to the left at 1 m of the arm, which has turned up, it holds 4 Nm."""
    text = arm(solver, joints, ", stop_at_limits: true")
    trace = run(text + "actuators: {wind: {type: force, body: arm, force: [4, 0]}}\n")
    assert trace["hinge"].angle[-1] == pytest.approx(math.pi / 2, abs=2e-3)
    assert trace["hinge"].motor_force[-1] == pytest.approx(4, rel=2e-2)


@every_row(
    ("fields", "message"),
    [
        ("type: revolute, motor: {speed: 9, stop_at_limits: true}", "needs `limits`"),
        ("type: distance, motor: {speed: 9, stop_at_limits: true}", "needs `min_length`"),
        ("type: wheel, motor: {speed: 9, stop_at_limits: true}", "has no limits"),
        (
            "type: revolute, limits: [0, 9], motor: {position: 9, stop_at_limits: true}",
            "goes with `speed`",
        ),
        (
            "type: revolute, limits: [0, 9], limit_spring: {frequency: 3}, "
            "motor: {speed: 9, stop_at_limits: true}",
            "limits that do not give",
        ),
    ],
)
def test_a_motor_needs_limits_to_stop_at(fields, message):
    text = "rigid: 1\nbodies: {a: {shape: {circle: 1}}}\njoints: {j: {bodies: [world, a], "
    with pytest.raises(rigid2d.core.SceneError, match=message):
        rigid2d.core.loads(text + fields + "}}")


# ---------------------------------------------------------------- a motor that never brakes


def fan(solver, joints, spin, motor):
    return f"""
{world(solver, joints, "[0, 0]")}
bodies: {{fan: {{shape: {{box: [2, 0.2]}}, mass: 3, inertia: 2, angular_velocity: {spin} }}}}
actuators: {{spin: {{type: rotary_motor, body: fan, {motor}}}}}
units: {{angle: rad}}
record: {{channels: [fan.omega]}}
"""


@every_row("sign", [1, -1])
def test_a_motor_that_never_brakes_pushes_up_to_its_speed(run, solver, joints, sign):
    motor = f"speed: {5 * sign}, max_torque: 8, brake: false"
    omega = run(fan(solver, joints, 0, motor))["fan"].omega
    assert omega[30] == pytest.approx(sign * 8 / 2 * 0.5, rel=1e-4)
    assert omega[-1] == pytest.approx(5 * sign, rel=1e-4)


@every_row("sign", [1, -1])
def test_what_turns_faster_is_left_alone(run, solver, joints, sign):
    motor = f"speed: {5 * sign}, max_torque: 8, brake: false"
    omega = run(fan(solver, joints, 12 * sign, motor))["fan"].omega
    assert omega == pytest.approx([12.0 * sign] * len(omega), rel=1e-5)
    braked = run(fan(solver, joints, 12 * sign, f"speed: {5 * sign}, max_torque: 8"))["fan"].omega
    assert braked[-1] == pytest.approx(5 * sign, rel=1e-4)


def test_what_turns_the_other_way_is_turned_round(run, solver, joints):
    motor = "speed: 5, max_torque: 8, brake: false"
    omega = run(fan(solver, joints, -3, motor))["fan"].omega
    assert omega[30] == pytest.approx(-3 + 8 / 2 * 0.5, abs=1e-4)


# ---------------------------------------------------------------- what does not move


@every_row("kind", ["static", "kinematic"])
@every_row(
    "actuator",
    [
        "type: thruster, force: [0, 50]",
        "type: force, force: [50, 0]",
        "type: torque, torque: 5",
        "type: impulse, impulse: [5, 0]",
        "type: rotary_motor, speed: 90, max_torque: 5",
        "type: rotary_motor, torque: 5",
        "type: axial_friction, max_force: 5",
    ],
)
def test_an_actuator_on_a_body_that_forces_do_not_move_has_no_effect(run, solver, kind, actuator):
    trace = run(
        f"""
world: {{duration: 0.5, solver: {{type: {solver}}}}}
bodies:
  post: {{type: {kind}, shape: {{box: [1, 1]}}}}
  ball: {{shape: {{circle: 0.5}}, position: [0, 5]}}
actuators: {{a: {{{actuator}, bodies: [post, ball]}}}}
record: {{channels: [post, ball]}}
"""
    )
    post = trace["post"]
    assert abs(post.x).max() == abs(post.y).max() == abs(post.angle).max() == 0


PENDULUM = """
rigid: 1
world: {solver: {type: TYPE, joints: JOINTS}, steps: 10}
bodies:
  box: {shape: {box: [1, 1]}, mass: 1, position: [1, 0], collide: false, sleep: false}
joints:
  pin: PIN
"""


@pytest.mark.parametrize("kind", ["soft_step", "sequential_impulse"])
@pytest.mark.parametrize("joints", ["direct", "iterative"])
def test_a_body_swings_from_a_stiff_mouse_as_from_a_hinge(kind: str, joints: str) -> None:
    """However large the force it may use: only the force that it uses counts."""

    def swung(pin: str) -> list[float]:
        text = PENDULUM.replace("TYPE", kind).replace("JOINTS", joints).replace("PIN", pin)
        swinging = rigid2d.core.build(rigid2d.core.loads(text))
        swinging.step(40)
        return [*swinging["box"].position, swinging["box"].angular_velocity]

    hinge = swung("{type: revolute, bodies: [world, box], anchor: [0, 0]}")
    pulled = "{type: mouse, bodies: [world, box], anchor: [0, 0], stiff: true, max_force: FORCE}"
    for force in ("100", "1.0e+4", "1.0e+6"):
        assert swung(pulled.replace("FORCE", force)) == pytest.approx(hinge, abs=0.05)
