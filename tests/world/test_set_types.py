# SPDX-License-Identifier: MIT
"""The type of a body, and whether it collides, set while a scene runs."""

from __future__ import annotations

import math
import re

import pytest
from rigid2d.core import Batch, Scene, World, loads
from rigid2d.core.errors import SceneError, SimulationError, UsageError
from rigid2d.core.scene import expand
from rigid2d.core.scene.blocks.settings.settable import TYPES

from tests.rows import every_row

TEXT = """
rigid: 1
world: {{duration: 4, sleep: {sleep}, solver: {solver}}}
bodies:
  ground: {{type: static, shape: {{box: [60, 1]}}, position: [0, -0.5]}}
  shelf: {{type: static, shape: {{box: [2, 0.2]}}, position: [0, 2], density: 3}}
  a: {{shape: {{box: [0.5, 0.5]}}, position: [0, 2.35]}}
  b: {{shape: {{circle: 0.3}}, position: [5, 3], velocity: [1, 0], tags: [ball]}}
  wedge:
    shape: {{polygon: [[0, 0], [3, 0], [0, 3]]}}
    position: [8, 9]
    velocity: [1, 2]
    angular_velocity: 90
  rope: {{type: static, shape: {{segment: [[0, 0], [1, 0]]}}, position: [-12, 3]}}
  post: {{type: static, shape: {{box: [0.2, 0.2]}}, position: [-5, 5]}}
  bob: {{shape: {{circle: 0.2}}, position: [-4, 5]}}
joints: {{hinge: {{type: revolute, bodies: [post, bob], anchor: [-5, 5]}}}}
{more}
"""


def scene(more: str = "", *, sleep: str = "true", solver: str = "{}") -> Scene:
    return loads(TEXT.format(more=more, sleep=sleep, solver=solver))


def world(more: str = "", **options: str) -> World:
    return World(scene(more, **options))


def doing(*actions: str, at: float = 0.5) -> Scene:
    return scene(f"events: [{{when: time, at: {at}, do: [{', '.join(actions)}]}}]")


def test_a_body_that_comes_to_be_dynamic_falls_with_what_stands_on_it() -> None:
    running = world()
    running.step(60)
    assert running["shelf"].mass == 0.0
    assert not running["a"].awake
    running.set("shelf.type", "dynamic")
    assert running["a"].awake
    assert running["shelf"].mass == pytest.approx(3 * 2 * 0.2)
    running.step(30)
    assert running["shelf"].y == pytest.approx(2 - 9.81 / 8, abs=0.05)
    assert running["a"].y == pytest.approx(running["shelf"].y + 0.35, abs=0.01)
    running.step(200)
    assert running["shelf"].y == pytest.approx(0.1, abs=0.01)


@pytest.mark.parametrize("solver", ["{}", "{type: sequential_impulse}"])
def test_a_body_that_comes_to_be_static_stops_and_holds_others(solver: str) -> None:
    running = world(solver=solver)
    running.step(6)
    place = running["b"].position
    running.set("b.type", "static")
    assert running["b"].velocity == (0.0, 0.0)
    running.step(60)
    assert running["b"].position == place
    running["a"].position = (place[0], place[1] + 1)
    running.step(60)
    assert running["a"].y > place[1] + 0.3
    with pytest.raises(UsageError, match="is static and has no velocity"):
        running.set("b.velocity", (1, 0))


def test_a_body_goes_on_as_it_moved_about_another_centre() -> None:
    running = world()
    running.step()
    before = running["wedge"]
    center, velocity, omega = before.center_of_mass, before.velocity, before.angular_velocity
    running.set("wedge.type", "kinematic")
    origin = before.center_of_mass
    assert origin == pytest.approx(before.position)
    x, y = origin[0] - center[0], origin[1] - center[1]
    expected = velocity[0] - omega * y, velocity[1] + omega * x
    assert before.velocity == pytest.approx(expected, abs=1e-5)
    assert before.angular_velocity == omega
    running.set("wedge.type", "dynamic")
    assert before.velocity == pytest.approx(velocity, abs=1e-5)
    assert before.center_of_mass == pytest.approx(center)
    assert running.bodies.centers[4] == pytest.approx([1, 1])


def test_what_is_tied_wakes_and_swings_when_it_is_let_go() -> None:
    running = world()
    running.set("bob.type", "static")
    running.step(120)
    assert running["bob"].position == (-4, 5)
    assert running.joint("hinge").force == (0, 0)
    running.set("bob.type", "dynamic")
    running.step(20)
    assert running["bob"].y < 4.7
    assert math.dist(running["bob"].position, (-5, 5)) == pytest.approx(1, abs=1e-3)


def test_joints_of_a_body_that_is_let_go_hold_it_to_others() -> None:
    running = world()
    running.set("post.type", "dynamic")
    running.step(200)
    assert running["post"].y < 0.2
    assert running["bob"].y < 0.3


def test_what_does_not_collide_falls_through_and_comes_out_of_what_it_is_in() -> None:
    running = world()
    running.step(100)
    assert running["b"].y == pytest.approx(0.3, abs=0.01)
    running["b"].collide = False
    running.step(20)
    assert running["b"].y < -0.1
    assert running["b"].collide is False
    running["b"].collide = True
    running.step(120)
    assert abs(running["b"].y + 0.5) > 0.75


def test_a_sleeper_wakes_when_something_comes_to_be_where_it_is() -> None:
    running = world()
    running["shelf"].collide = False
    running["shelf"].position = (0, 0.1)
    running.step(200)
    assert not running["a"].awake
    running["shelf"].collide = True
    assert running["a"].awake


def test_forces_move_a_body_while_it_is_dynamic() -> None:
    running = world("actuators: {jet: {type: force, body: b, force: [2, 0]}}")
    running.set("b.type", "kinematic")
    running.step(30)
    assert running["b"].velocity == pytest.approx((1, 0))
    running.set("b.type", "dynamic")
    running.step(10)
    assert running["b"].velocity[0] > 1.5


def test_tracks_move_a_body_while_it_is_kinematic() -> None:
    running = World(
        loads("""
rigid: 1
bodies: {lift: {type: kinematic, shape: {box: [1, 0.2]}, position: [20, 5]}}
animations: {ride: {type: once, duration: 2, tracks: {lift.position: [[0, [20, 5]], [1, [20, 9]]]}}}
""")
    )
    running.step(30)
    assert running["lift"].y == pytest.approx(6, abs=0.01)
    running.set("lift.type", "dynamic")
    running.step(60)
    assert running["lift"].y < 4.5


def test_pieces_and_joints_are_of_the_type_that_a_body_has_now() -> None:
    running = world()
    running.set("shelf.type", "dynamic")
    pieces = running.destroy("shelf", count=2)
    assert all(running[name].type == "dynamic" for name in pieces)
    running.set("ground.type", "dynamic")
    made = "joints: {tie: {type: weld, bodies: [world, ground], anchor: [0, 0]}}"
    running.add(made)
    running.step(60)
    assert running["ground"].y == pytest.approx(-0.5, abs=1e-3)


def test_handles_tell_what_a_body_is() -> None:
    body = world()["shelf"]
    assert (body.type, body.collide, body.visible) == ("static", True, True)
    body.type, body.collide, body.visible = "kinematic", False, False
    assert (body.type, body.collide, body.visible) == ("kinematic", False, False)
    assert body.definition.kind == "static"


@every_row(
    ("path", "value", "says"),
    [
        ("a.type", "fixed", "known: static, kinematic, dynamic"),
        ("a.type", 1, "type"),
        ("a.collide", 2, "collide"),
        ("a.visible", "no", "visible"),
        ("rope.type", "dynamic", "to be dynamic it needs 'mass'"),
        ("a.kind", "static", "known"),
    ],
)
def test_what_cannot_be_set_is_refused(path: str, value: object, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        world().set(path, value)


@every_row(
    ("action", "says"),
    [
        ("set: {a.type: fixed}", "must be one of static, kinematic, dynamic"),
        ("set: {rope.type: dynamic}", "to be dynamic it needs `mass`"),
        ("set: {a.collide: maybe}", "must be true or false"),
        ("set: {shelf.velocity: [1, 0]}", "or set its `type` in front of it"),
        ("add: {a.type: dynamic}", "can be set, and not added to"),
    ],
)
def test_what_a_scene_cannot_set_is_refused(action: str, says: str) -> None:
    with pytest.raises(SceneError, match=re.escape(says)):
        doing(f"{{{action}}}")


def test_textbook_solvers_keep_types() -> None:
    text = "events: [{when: time, at: 1, do: [{set: {b.collide: false}}]}]"
    with pytest.raises(SceneError, match="with the solver pgs_matrix a body keeps its `collide`"):
        scene(text, solver="{type: pgs_matrix}")
    running = world(solver="{type: pgs_matrix}")
    with pytest.raises(UsageError, match="a body keeps its type"):
        running.set("b.type", "static")
    running.set("b.visible", False)


def test_a_static_block_is_thrown_in_one_set() -> None:
    running = World(doing("{set: {shelf.velocity: [3, 0], shelf.type: dynamic}}"))
    running.step(31)
    assert running["shelf"].velocity[0] == pytest.approx(3, abs=0.3)


def test_events_set_the_type_of_the_bodies_that_they_are_about() -> None:
    running = world("events: [{when: collision, tags: [ball], do: [{set: {$a.type: static}}]}]")
    running.step(120)
    assert running["b"].type == "static"
    assert running["b"].y == pytest.approx(0.3, abs=0.05)
    massless = """events:
  - {when: time, at: 0.1, do: [{set: {a.position: [-11.5, 3.2]}}]}
  - {when: collision, bodies: [rope, a], do: [{set: {$a.type: dynamic}}]}
"""
    with pytest.raises(SimulationError, match="to be dynamic it needs 'mass'"):
        world(massless).step(60)


def test_keys_tracks_and_expressions_set_them() -> None:
    running = world("""state: {open: 0}
controls: {g: {set: {shelf.collide: false}, on_release: {shelf.collide: true}}}
animations:
  blink: {type: loop, duration: 1, tracks: {a.visible: [[0, true], [0.5, false]]}}
events: [{when: time, at: 1, do: [{set: {b.visible: =state.open > 0}}]}]
""")
    running.controls.press("g")
    running.step()
    assert running["shelf"].collide is False
    running.controls.release("g")
    running.step()
    assert running["shelf"].collide is True
    running.step(40)
    assert running["a"].visible is False
    running.step(30)
    assert running["a"].visible is True
    assert running["b"].visible is False


def test_instances_and_what_is_spawned_set_their_own() -> None:
    running = world("""prototypes:
  crate:
    bodies: {box: {shape: {box: [0.4, 0.4]}, position: [0, 6]}}
    events: [{when: time, at: 0.5, do: [{set: {box.type: static, box.visible: false}}]}]
instances: {one: {use: crate, at: [-20, 0]}}
spawners: {more: {use: crate, at: [20, 0], every: 9, max: 1}}
""")
    running.step(60)
    for name in ("one.box", "more[0].box"):
        assert running[name].type == "static"
        assert running[name].visible is False
        assert running[name].y > 4


MOVED = doing(
    "{set: {shelf.type: dynamic, b.collide: false, wedge.type: kinematic, bob.type: static}}",
    "{set: {a.visible: false}}",
)


def test_what_was_set_is_saved_forked_and_expanded_with_the_same_bits() -> None:
    alone = World(MOVED)
    alone.step(40)
    state, twin = alone.save(), alone.fork()
    alone.step(120)
    end = alone.save()
    restored = World(MOVED, threads=2)
    restored.restore(state)
    assert restored.save() == state
    assert (restored["shelf"].type, restored["a"].visible) == ("dynamic", False)
    for other in (restored, twin):
        other.step(120)
        assert other.save() == end
    expanded = World(loads(expand(MOVED)))
    expanded.step(160)
    assert expanded.state_hash() == alone.state_hash()


@pytest.mark.parametrize("more", ["", "state: {n: 0}"], ids=["in the engine", "one by one"])
def test_batches_set_types_with_the_same_bits(more: str) -> None:
    batch, alone = Batch(scene(more), 3), world(more)
    for path, value in (
        ("shelf.type", "dynamic"),
        ("b.collide", False),
        ("wedge.type", "kinematic"),
        ("bob.type", "static"),
        ("b.collide", True),
        ("bob.type", "dynamic"),
    ):
        alone.set(path, value)
        batch.set(path, TYPES.index(value) if value in TYPES else float(value))
        alone.step(15)
        batch.step(15)
        for index in range(3):
            assert batch.world(index).save() == alone.save()
    assert batch.world(1)["wedge"].type == "kinematic"
    assert batch.world(1).bodies.centers[4] == pytest.approx([0, 0])
    batch.reset()
    assert batch.world(0).save() == world(more).save()
    with pytest.raises(UsageError, match=re.escape("0 (static), 1 (kinematic), 2 (dynamic)")):
        batch.set("shelf.type", 3)
    with pytest.raises(UsageError, match=re.escape("one of 0 (static), 1 (kinematic)")):
        batch.set("rope.type", 2)
    with pytest.raises(UsageError, match=re.escape("0 (false), 1 (true)")):
        batch.set("b.collide", 0.5)


def test_points_of_a_removed_body_of_the_scene_stay_where_they_were() -> None:
    running = World(
        loads("""
rigid: 1
bodies: {b: {shape: {circle: 0.5}, position: [3, 4], points: {q: [1, 0]}}}
state: {x: 0}
events:
  - {when: time, at: 0.1, do: [{delete: b}]}
  - {when: time, at: 0.2, do: [{set: {state.x: =b.points.q.x + b.points.q.y}}]}
record: {channels: [b.points.q.x, b.x]}
""")
    )
    running.step(20)
    assert running.state["x"] == pytest.approx(4 + running["b"].y)
    restored = World(running.scene)
    restored.restore(running.save())
    assert restored.save() == running.save()
