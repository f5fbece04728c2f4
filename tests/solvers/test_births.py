# SPDX-License-Identifier: MIT
"""Bodies, joints and actuators that come into textbook worlds, and leave them."""

from __future__ import annotations

import pytest
from rigid2d.core import SceneError, SimulationError, UsageError, build, loads, simulate

from tests.rows import every_row
from tests.search import tries

TEXTBOOK = [
    "pgs_matrix",
    "verlet",
    "iterative_impulse",
    "constraint_correction",
    "pgs_jrow",
    "textbook_impulse",
][: tries(3, 6)]
WITH_JOINTS = ["pgs_matrix", "constraint_correction", "pgs_jrow", "textbook_impulse"][: tries(2, 4)]

SCENE = """
rigid: 1
name: births
world: {{steps: 60, solver: {{type: {kind}}}, bounds: [[-9, -4], [9, 9]]}}
materials: {{m: {{friction: 0.5}}}}
defaults: {{material: m}}
prototypes:
  drop: {{bodies: {{box: {{shape: {{box: [0.6, 0.6]}}, tags: [drop]}}}}}}
bodies:
  floor: {{type: static, shape: {{box: [12, 1]}}, position: [0, -0.5]}}
  one: {{shape: {{box: [1, 1]}}, position: [0, 0.5]}}
{rest}
"""
BOX = {"shape": {"box": [1, 1]}, "position": [3, 2]}
SPAWNER = """
spawners: {rain: {use: drop, every: 0.2, at: ["=uniform(-4, 4)", 3], max: 4}}
events: [{when: time, at: 0.5, do: [{delete: one}]}]
"""


def scene_of(kind, rest=""):
    return loads(SCENE.format(kind=kind, rest=rest))


def world_of(kind, rest=""):
    return build(scene_of(kind, rest))


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_what_is_added_falls_and_comes_to_rest_as_what_was_there(kind):
    world = world_of(kind)
    world.step(5)
    world.add({"bodies": {"new": BOX}})
    world.step(6)
    assert world["new"].velocity[1] == pytest.approx(-0.981, rel=1e-5)
    world.step(114)
    assert world["new"].position == pytest.approx((3, 0.5), abs=0.04)


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_a_world_with_births_and_deaths_is_saved_restored_and_forked(kind):
    scene = scene_of(kind, SPAWNER)
    world = build(scene)
    world.step(35)
    state, fork = world.save(), world.fork()
    world.step(25)
    other = build(scene)
    other.restore(state)
    other.step(25)
    fork.step(25)
    assert [*world.bodies.added] == ["rain[0].box", "rain[1].box", "rain[2].box", "rain[3].box"]
    assert not world["one"].alive
    assert other.save() == world.save() == fork.save()


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_who_takes_a_free_place_has_nothing_of_who_was_there(kind):
    world = world_of(kind)
    fresh = world_of(kind)
    world.add({"bodies": {"old": {**BOX, "shape": {"box": [1, 0.5]}, "velocity": [0, -3]}}})
    world.step(20)
    row = world["old"].row
    world.remove("old")
    world.add({"bodies": {"new": BOX}})
    assert world["new"].row == row
    fresh.step(20)
    fresh.add({"bodies": {"new": BOX}})
    for each in (world, fresh):
        each.step(40)
    assert world["new"].position == fresh["new"].position
    assert world["one"].position == fresh["one"].position


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_a_world_that_the_youngest_has_left_goes_on_when_it_is_restored(kind):
    world = world_of(kind)
    world.add({"bodies": {"new": BOX}})
    world.step(2)
    world["new"].remove()
    other = world_of(kind)
    other.restore(world.save())
    for each in (world, fork := world.fork(), other):
        each.step(3)
        each.add({"bodies": {"newer": BOX}})
        each.step(3)
    assert world.save() == fork.save() == other.save()


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_what_rests_on_who_left_falls(kind):
    world = world_of(kind)
    world.add(
        {"bodies": {"low": {**BOX, "position": [3, 0.5]}, "top": {**BOX, "position": [3, 1.5]}}}
    )
    world.step(20)
    world.remove("low")
    world.step(60)
    assert world["top"].position[1] == pytest.approx(0.5, abs=0.03)


def test_particles_of_who_stays_are_not_begun_anew():
    """A body that a birth found bent is as bent after it."""
    bent = "  soft: {shape: {box: [1, 1]}, position: [3, 1.2], angle: 30}"
    text = SCENE.format(kind="verlet, stiffness: 0.2", rest=bent)
    one, two = build(loads(text)), build(loads(text))
    for world in (one, two):
        world.step(25)
    two.add({"bodies": {"far": {**BOX, "position": [-5, 5]}}})
    one.step(10)
    two.step(10)
    assert two["soft"].position == one["soft"].position
    assert two["soft"].angle == one["soft"].angle


def test_a_push_on_a_body_of_particles_counts_after_its_first_step():
    world = world_of("verlet")
    world.step(3)
    world["one"].apply_impulse((2, 0))
    world.step()
    assert world["one"].velocity[0] > 1


@pytest.mark.parametrize("kind", WITH_JOINTS)
def test_joints_and_actuators_come_and_go(kind):
    world = world_of(kind)
    world.step(2)
    hung = {
        "bodies": {"bob": BOX},
        "joints": {"rope": {"type": "weld", "bodies": ["world", "bob"]}},
    }
    hung["actuators"] = {"jet": {"type": "thruster", "body": "bob", "force": [0, 4]}}
    world.add(hung)
    world.step(90)
    assert world["bob"].position == pytest.approx((3, 2), abs=0.01)
    assert world.joint("rope").force[1] == pytest.approx(9.81 - 4, abs=0.05)
    world.remove("jet")
    world.step(10)
    assert world.joint("rope").force[1] == pytest.approx(9.81, abs=0.05)
    assert world.remove("bob") == ["bob", "rope"]
    world.step()


def test_a_motor_that_is_added_turns_its_body():
    world = world_of("pgs_matrix")
    motor = {"type": "rotary_motor", "body": "new", "speed": 90, "max_torque": 100}
    body = {**BOX, "gravity_scale": 0}
    world.add({"bodies": {"new": body}, "actuators": {"m": motor}})
    world.step(30)
    assert world["new"].angular_velocity == pytest.approx(1.5708, rel=1e-3)


@pytest.mark.parametrize("kind", ["soft_step", *WITH_JOINTS])
def test_bodies_that_a_joint_kept_apart_touch_when_it_is_gone(kind):
    rest = "  two: {shape: {box: [1, 1]}, position: [0.5, 0.5]}\n"
    world = world_of(kind, rest + "joints: {held: {type: weld, bodies: [one, two]}}")
    world.step(10)
    world.remove("held")
    world.step(60)
    assert abs(world["two"].position[0] - world["one"].position[0]) > 0.9


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_pieces_of_a_body_that_is_destroyed_go_on(kind):
    world = world_of(kind)
    world.step(2)
    pieces = world.destroy("one", count=2)
    world.step(60)
    assert len(pieces) == 4
    assert all(0.2 < world[each].position[1] < 0.8 for each in pieces)


def test_events_tell_of_who_was_born_and_left():
    world = world_of("pgs_matrix")
    world.events.enable_contacts()
    world.add({"bodies": {"new": {**BOX, "position": [3, 0.5]}}})
    world.step(2)
    world.remove("new")
    world.add({"bodies": {"out": {**BOX, "position": [8.9, 5], "velocity": [20, 0]}}})
    world.step(2)
    told = [str(event) for event in world.events.take()]
    assert "contact_begin floor new" in told
    assert "contact_end floor new" in told
    assert "left_bounds out" in told
    assert len(world.query.contacts()) == 2


@every_row(
    ("kind", "given", "place"),
    [
        ("pgs_matrix", {"bodies": {"new": {**BOX, "bullet": True}}}, r"bodies\.new\.bullet"),
        ("verlet", {"bodies": {"new": {"shape": {"circle": 1}}}}, r"bodies\.new\.shape"),
        (
            "iterative_impulse",
            {"joints": {"j": {"type": "mouse", "body": "one"}}},
            r"joints\.j\.type",
        ),
        ("verlet", {"joints": {"j": {"type": "mouse", "body": "one"}}}, r"joints\.j\.type"),
    ],
)
def test_what_a_solver_cannot_do_is_not_added(kind, given, place):
    world = world_of(kind)
    before = world.save()
    with pytest.raises(UsageError, match=rf"{place}: {kind} .*"):
        world.add(given)
    assert world.save() == before


def test_a_prototype_that_a_solver_cannot_do_is_an_error_of_its_scene():
    text = SCENE.format(kind="verlet", rest=SPAWNER).replace("box: [0.6, 0.6]", "circle: 1")
    with pytest.raises(SceneError, match=r"prototypes\.drop\.bodies\.box\.shape"):
        loads(text)


@pytest.mark.parametrize("kind", TEXTBOOK)
@pytest.mark.parametrize(
    ("setting", "value", "wanted"),
    [("gravity_scale", 0, 0.0), ("linear_damping", 6, -9.81 / 6), ("gravity_scale", -1, 4.905)],
)
def test_what_is_set_of_a_body_counts_from_the_next_step_on(kind, setting, value, wanted):
    world = world_of(kind, "  up: {shape: {box: [1, 1]}, position: [3, 4]}")
    world["up"].set(setting, value)
    steps = 30 if setting == "gravity_scale" else 120
    if setting == "linear_damping":
        world["up"].position = (3, 8)
    world.step(steps)
    assert world["up"].velocity[1] == pytest.approx(wanted, rel=0.02)


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_gravity_that_is_set_pulls_from_the_next_step_on_and_is_saved(kind):
    world = world_of(kind, "  up: {shape: {box: [1, 1]}, position: [3, 4]}")
    world.set("world.gravity", (0, 2))
    other = world_of(kind, "  up: {shape: {box: [1, 1]}, position: [3, 4]}")
    other.restore(world.save())
    for each in (world, other):
        each.step(30)
        assert each["up"].velocity[1] == pytest.approx(1, rel=1e-5)


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_friction_that_is_set_brakes(kind):
    world = world_of(kind)
    world["one"].velocity = (2, 0)
    world["one"].set("friction", 0)
    world.step(20)
    assert world["one"].velocity[0] == pytest.approx(2, rel=1e-3)
    world["one"].set("friction", 4)
    world.step(40)
    assert world["one"].velocity[0] < 0.3


@pytest.mark.parametrize("kind", TEXTBOOK)
def test_a_category_that_is_set_lets_a_body_through(kind):
    matrix = "collision: {categories: [default, ghost], ignore: [[default, ghost]]}"
    world = world_of(kind, matrix)
    world["one"].set("category", "ghost")
    world.step(30)
    assert world["one"].position[1] < 0


def test_what_a_solver_does_not_know_cannot_be_set():
    world = world_of("pgs_matrix")
    with pytest.raises(UsageError, match=r"bodies\.one.*pgs_matrix has no rolling resistance"):
        world["one"].set("rolling_resistance", 0.1)


def test_a_run_that_sets_what_a_solver_does_not_know_says_when():
    rest = "inputs: [{at: 0.5, set: {one.tangent_speed: 2}}]"
    with pytest.raises((SimulationError, UsageError), match="surfaces that move"):
        simulate(scene_of("pgs_matrix", rest))
