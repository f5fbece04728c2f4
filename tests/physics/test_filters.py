# SPDX-License-Identifier: MIT
from __future__ import annotations

from itertools import pairwise

import pytest

from tests.rows import every_row

# A ball above a floor: does it land?
SCENE = """
world: {{duration: 1.5, solver: {{type: {solver}}}}}
{collision}
bodies:
  floor: {{type: static, shape: {{box: [20, 1]}}, position: [0, -0.5], category: ground}}
  ball: {{shape: {{circle: 0.5}}, position: [0, 2], category: limb, {ball}}}
joints: {{{joints}}}
"""


def lands(run, collision: str, ball: str = "", joints: str = "", solver="soft_step") -> bool:
    text = SCENE.format(solver=solver, collision=collision, ball=ball, joints=joints)
    y = run(text)["ball"].y[-1]
    return bool(y > 0)


CATEGORIES = "collision: {{categories: [default, limb, ground], {}}}"


@every_row(
    ("rule", "expected"),
    [
        ("", True),
        ("ignore: [[limb, ground]]", False),
        ("ignore: [[ground, limb]]", False),
        ("ignore: [[limb, limb]]", True),
        ("collide: [[limb, ground]]", True),
        ("collide: [[limb, limb]]", False),
        ("pairs_ignore: [[ball, floor]]", False),
        ("pairs_ignore: [[floor, ball]]", False),
    ],
)
def test_categories_and_pairs_decide_who_collides(run, solver, rule, expected):
    collision = CATEGORIES.format(rule).replace(", }", "}")
    assert lands(run, collision, solver=solver) == expected


def test_a_body_that_does_not_collide_falls_through(run):
    assert not lands(run, CATEGORIES.format("ignore: []"), "collide: false")


def test_a_shapes_own_category_wins(run):
    rule = CATEGORIES.format("ignore: [[limb, ground]]")
    text = SCENE.format(solver="soft_step", collision=rule, ball="", joints="")
    text = text.replace("shape: {circle: 0.5}", "shape: {circle: 0.5, category: default}")
    assert run(text)["ball"].y[-1] > 0


JOINT = "rod: {{type: distance, bodies: [ball, floor], anchors: [[0, 0], [0, 0]], rope: true, \
max_length: 50, collide: {}}}"


@pytest.mark.parametrize("collide", [True, False])
def test_jointed_bodies_collide_only_when_asked_to(run, collide):
    joint = JOINT.format(str(collide).lower())
    assert lands(run, CATEGORIES.format("ignore: []"), joints=joint) == collide


def test_a_sensor_stops_nothing_and_tells_who_came_and_went(watch):
    recorder = watch(
        """
world: {duration: 2, sleep: false}
bodies:
  gate: {type: static, shape: {box: [4, 1], sensor: true}, position: [0, 0]}
  ball: {shape: {circle: 0.5}, position: [0, 3]}
"""
    )
    assert recorder.trace["ball"].y[-1] < -10
    told = [(event.kind, event.a, event.b) for event in recorder.events]
    assert told == [("sensor_begin", "gate", "ball"), ("sensor_end", "gate", "ball")]
    y = recorder.trace["ball"].y
    begin, end = (event.step for event in recorder.events)
    assert y[begin] <= 1.01 < y[begin - 2]
    assert y[end] <= -0.9 < y[end - 2]


def test_contact_events_tell_when_bodies_touch_and_part(make):
    world = make(
        """
world: {gravity: [0, 0]}
materials: {ball: {restitution: 1}}
defaults: {material: ball}
bodies:
  wall: {type: static, shape: {box: [1, 4]}, position: [2, 0]}
  ball: {shape: {circle: 0.5}, velocity: [4, 0]}
"""
    )
    world.events.enable_contacts()
    world.step(60)
    told = [(event.kind, {event.a, event.b}) for event in world.events.take()]
    assert told == [("contact_begin", {"wall", "ball"}), ("contact_end", {"wall", "ball"})]
    assert world.events.take() == []


def test_a_body_of_many_parts_enters_and_leaves_a_sensor_once(watch):
    """A comb is cut into five convex parts or more, which come and go one after another."""
    recorder = watch(
        """
world: {duration: 2, sleep: false}
bodies:
  gate: {type: static, shape: {box: [8, 1], sensor: true}}
  comb:
    shape: {polygon: [[0, 0], [5, 0], [5, 3], [4, 2], [4, 1], [3, 1], [3, 4], [2, 4], [2, 1],
                      [1, 1], [1, 2], [0, 2]]}
    position: [-2.5, 2]
    angle: 20
"""
    )
    told = [(event.kind, event.a, event.b) for event in recorder.events]
    assert told == [("sensor_begin", "gate", "comb"), ("sensor_end", "gate", "comb")]


def test_two_bodies_of_many_parts_tell_of_their_contact_once(make):
    """A U that lands on the two legs of another rocks on many pairs of parts."""
    world = make(
        """
world: {gravity: [0, -10], sleep: false}
bodies:
  stand: {type: static,
          shape: {polygon: [[0, 0], [4, 0], [4, 3], [3, 3], [3, 1], [1, 1], [1, 3], [0, 3]]}}
  cap: {shape: {polygon: [[0, 0], [1, 0], [1, 2], [3, 2], [3, 0], [4, 0], [4, 3], [0, 3]]},
        position: [0, 3.5], angular_velocity: 20}
"""
    )
    world.events.enable_contacts()
    world.step(300)
    told = [event.kind for event in world.events.take()]
    assert told[0] == "contact_begin"
    assert all(first != second for first, second in pairwise(told))
    world["cap"].position = (0, 100)
    world.step()
    assert [event.kind for event in world.events.take()] == ["contact_end"]


def test_a_ball_that_rolls_from_line_to_line_of_a_chain_touches_it_once(make):
    points = [[x / 4, 0] for x in range(-20, 40)]
    world = make(
        f"""
bodies:
  floor: {{type: static, shape: {{chain: {points}}}}}
  ball: {{shape: {{circle: 0.5}}, position: [0, 0.5], velocity: [3, 0]}}
"""
    )
    world.events.enable_contacts()
    world.step(100)
    assert [event.kind for event in world.events.take()] == ["contact_begin"]


def test_what_touches_already_when_events_are_asked_for_has_no_beginning(make):
    world = make(
        """
world: {sleep: false}
bodies:
  floor: {type: static, shape: {box: [10, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.5}, position: [0, 0.5]}
"""
    )
    world.step(30)
    world.events.enable_contacts()
    world.step(30)
    assert world.events.take() == []
    world["ball"].position = (0, 50)
    world.step()
    assert [event.kind for event in world.events.take()] == ["contact_end"]


def test_two_static_or_kinematic_bodies_never_touch(make):
    world = make(
        """
bodies:
  a: {type: static, shape: {box: [2, 2]}}
  b: {type: kinematic, shape: {box: [2, 2]}, velocity: [1, 0]}
  c: {type: kinematic, shape: {box: [2, 2]}}
"""
    )
    world.step(30)
    assert world.query.contacts() == []
    assert world["b"].x == pytest.approx(0.5, rel=1e-5)
    assert world["c"].position == (0, 0)
