# SPDX-License-Identifier: MIT
"""Events and their actions: when they happen, what they do, and that a run stays what it is."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from rigid2d.core import Recorder, Scene, World, loads, run, simulate
from rigid2d.core.errors import SceneError, SimulationError
from rigid2d.core.scene import expand, limits

DT = 1 / 60
ROOM = """
  floor: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], tags: [ground]}
  ball: {shape: {circle: 0.5}, position: [0, 3], tags: [ball], points: {top: [0, 0.5]}}
"""
SPARK = "prototypes: {spark: {bodies: {dot: {shape: {circle: 0.1}, tags: [spark]}}}}"


def scene(blocks: str, bodies: str = ROOM, world: str = "duration: 4", extra: str = "") -> Scene:
    text = f"rigid: 1\nworld: {{{world}}}\nstate: {{n: 0, m: 0}}\n{SPARK}\n{extra}\n"
    return loads(f"{text}bodies:{bodies}\n{blocks}")


def rules(*lines: str) -> str:
    return "events:\n" + "".join(f"  - {line}\n" for line in lines)


def count(when: str) -> str:
    return rules(f"{{{when}, do: [{{add: {{n: 1}}}}]}}")


def told(world: World) -> list[tuple[int, str]]:
    return [(event.step, event.a) for event in world.events.take() if event.kind == "log"]


FALL = math.ceil(math.sqrt(2 * 2.5 / 9.81) / DT)  # steps until the ball is down


def test_a_collision_happens_when_two_bodies_begin_to_touch() -> None:
    world = World(scene(rules("{when: collision, tags: [ball, ground], do: [{log: hit}]}")))
    world.step(240)
    ((step, text),) = told(world)
    assert text == "hit"
    assert abs(step - FALL) <= 1


def test_bodies_of_many_shapes_collide_once() -> None:
    bodies = """
  floor: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}
  comb:
    shapes: [{box: [0.2, 1]}, {box: [0.2, 1], offset: [1, 0]}, {box: [2, 0.2], offset: [0.5, 0.4]}]
    position: [0, 2]
"""
    world = World(scene(count("when: collision, bodies: [comb, floor]"), bodies))
    world.step(120)
    assert world.state["n"] == 1


def test_the_bodies_of_an_event_are_in_the_order_of_its_tags() -> None:
    both = "{when: collision, tags: [%s], do: [{set: {$b.friction: 1}}, {add: {n: =$a.mass}}]}"
    for tags, mass in (("ball, ground", math.pi / 4), ("ground, ball", 0.0)):
        world = World(scene(rules(both % tags)))
        world.step(120)
        assert world.state["n"] == pytest.approx(mass, rel=1e-6)


def test_a_collision_tells_its_place_its_normal_and_its_impulse() -> None:
    add = "{add: {n: =$impulse, m: =$normal.y}}, {set: {floor.friction: =$point.x}}"
    blocks = rules(f"{{when: collision, tags: [ball, ground], do: [{add}]}}")
    world = World(scene(blocks, ROOM.replace("[0, 3]", "[2, 3]")))
    world.step(FALL + 2)
    speed, mass = math.sqrt(2 * 9.81 * 2.5), math.pi / 4
    assert world.state["n"] == pytest.approx(mass * speed, rel=0.05)
    assert world.state["m"] == pytest.approx(-1, abs=1e-6)


def test_a_collision_that_is_too_gentle_is_none() -> None:
    for least, times in ((4, 1), (8, 0)):  # the ball comes with 5.5 N s
        world = World(scene(count(f"when: collision, min_impulse: {least}")))
        world.step(120)
        assert world.state["n"] == times


@pytest.mark.parametrize(("guard", "times"), [("$normal.y < -0.7", 1), ("$normal.y > -0.7", 0)])
def test_a_collision_from_the_wrong_side_is_none(guard: str, times: int) -> None:
    world = World(scene(count(f"when: collision, tags: [ball, ground], if: ={guard}")))
    world.step(120)
    assert world.state["n"] == times


def test_what_has_to_be_true_besides_may_be_of_the_run_and_of_both_bodies() -> None:
    guard = '"=max($a.mass, $b.mass) > limit and state.m == 0 and ball.y < 1"'
    for limit, times in ((0.7, 1), (0.8, 0)):  # the ball weighs pi/4
        lines = rules(f"{{when: collision, if: {guard}, do: [{{add: {{n: 1}}}}]}}")
        world = World(scene(f"vars: {{limit: {limit}}}\n{lines}"))
        world.step(120)
        assert world.state["n"] == times


def test_what_did_not_hold_does_not_count_as_the_first_time() -> None:
    lines = rules(
        "{when: time, at: 0.1, every: 0.1, once: true, if: =world.time > 0.45,"
        " do: [{add: {n: =world.time}}]}"
    )
    world = World(scene(lines))
    world.step(120)
    assert world.state["n"] == pytest.approx(0.5)


def test_events_of_instances_have_their_own_names_in_what_has_to_be_true() -> None:
    text = """
rigid: 1
state: {n: 0}
prototypes:
  plate:
    vars: {least: 3}
    bodies: {top: {type: static, shape: {box: [1, 0.2]}, tags: [plate]}}
    events: [{when: collision, tags: [plate], if: =top.x > least, do: [{add: {n: 1}}]}]
instances: {near: {use: plate}, far: {use: plate, at: [5, 0]}}
bodies: {ball: {repeat: {x: [0, 5]}, shape: {circle: 0.2}, position: [=x, 1]}}
"""
    for source in (text, expand(loads(text))):
        world = World(loads(source))
        world.step(60)
        assert world.state["n"] == 1


def test_touching_that_ends_is_told() -> None:
    lines = rules(
        "{when: touch_end, bodies: [ball, floor], do: [{add: {n: 1}}]}",
        "{when: time, at: 2, do: [{impulse: {body: ball, impulse: [0, 5]}}]}",
    )
    world = World(scene(lines))
    world.step(119)
    assert world.state["n"] == 0
    world.step(10)
    assert world.state["n"] == 1


def test_a_body_comes_into_a_sensor_and_leaves_it() -> None:
    gate = "  gate: {type: static, shapes: [{box: [1, 0.5], sensor: true}], position: [0, 1.8]}\n"
    lines = rules(
        "{when: sensor_enter, bodies: [gate, ball], do: [{add: {n: 1}}]}",
        "{when: sensor_leave, bodies: [ball, gate], do: [{add: {m: =$a.mass}}]}",
    )
    world = World(scene(lines, ROOM + gate))
    world.step(120)
    assert world.state == {"n": 1, "m": pytest.approx(math.pi / 4, rel=1e-6)}


def test_a_joint_that_breaks_is_an_event_and_may_have_its_actions_later() -> None:
    rope = "{type: distance, bodies: [world, ball], anchors: [[0, 5], [0, 0]], break: {force: 1}}"
    extra = f"joints: {{rope: {rope}}}"
    world = World(
        scene(rules("{when: joint_broken, joint: rope, after: 1, do: [{log: x}]}"), extra=extra)
    )
    world.step(240)
    ((step, _),) = told(world)
    assert 60 <= step <= 63


def test_times_come_once_or_again_and_again() -> None:
    lines = rules(
        "{when: time, at: 0.5, do: [{log: once}]}",
        "{when: time, at: 1, every: 0.75, do: [{log: again}]}",
    )
    world = World(scene(lines))
    world.step(200)
    assert told(world) == [
        (30, "once"),
        (60, "again"),
        (105, "again"),
        (150, "again"),
        (195, "again"),
    ]


def test_an_expression_is_an_event_each_time_it_becomes_true() -> None:
    bodies = "\n  ball: {shape: {circle: 0.5}, position: [0, 1], velocity: [0, 5]}"
    lines = rules(
        "{when: =ball.y > 2, do: [{add: {n: 1}}]}",
        "{when: =ball.y < 2, do: [{add: {m: 1}}]}",
        "{when: =ball.y < 1.5, once: true, do: [{set: {ball.velocity: [0, 5]}}]}",
    )
    world = World(scene(lines, bodies))
    world.step(240)
    # It is below at the start, so that counts only when it comes back.
    assert world.state["n"] >= 1
    assert world.state["n"] - world.state["m"] in (0, 1)


def test_a_body_leaves_a_region_once_it_was_inside() -> None:
    bodies = """
  one: {shape: {circle: 0.1}, velocity: [2, 0], tags: [t]}
  two: {shape: {circle: 0.1}, position: [-9, 0], velocity: [4, 0], tags: [t]}
"""
    lines = rules(
        "{when: leave, tags: [t], region: [[-3.01, -1], [3.01, 1]],"
        " do: [{log: out}, {add: {n: =$a.x}}]}"
    )
    world = World(scene(lines, bodies, "duration: 4, gravity: [0, 0]"))
    world.step(240)
    assert [step for step, _ in told(world)] == [91, 181]
    assert world.state["n"] == pytest.approx(6, abs=0.2)


def test_a_body_that_was_deleted_is_an_event_of_the_next_step() -> None:
    lines = rules(
        "{when: collision, tags: [ball, ground], do: [{delete: $a}, {log: hit}]}",
        "{when: deleted, body: ball, do: [{log: gone}, {spawn: {use: spark, at: $point}}]}",
    )
    world = World(scene(lines))
    world.step(FALL + 3)
    (hit, _), (gone, _) = told(world)
    assert gone == hit + 1
    assert not world["ball"].alive
    assert world["spark[0].dot"].x == pytest.approx(0, abs=1e-9)


def test_actions_are_carried_out_in_the_order_of_the_file() -> None:
    lines = rules(
        "{when: time, at: 1, do: [{add: {n: 1}}]}",
        "{when: time, at: 1, do: [{set: {state.n: =state.n * 10}}, {add: {n: 2}}]}",
    )
    world = World(scene(lines))
    world.step(60)
    assert world.state["n"] == 12


def test_an_event_once_for_each_pair() -> None:
    bodies = """
  floor: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}
  ball: {repeat: {i: 2}, shape: {circle: 0.5}, position: [=3*i, 2], restitution: 0.9}
"""
    for once, times in (("once_per: pair", 2), ("once: true", 1)):
        world = World(scene(count(f"when: collision, bodies: [ball, floor], {once}"), bodies))
        world.step(200)
        assert world.state["n"] == times


def test_what_is_gone_is_not_acted_on() -> None:
    lines = rules(
        "{when: time, at: 1, do: [{delete: ball}, {delete: ball}, {set: {ball.velocity: [1, 0]}}]}",
        "{when: time, at: 2, do: [{impulse: {body: ball, impulse: [1, 0]}},"
        " {spawn: {use: spark, at: ball}}]}",
    )
    world = World(scene(lines))
    world.step(150)
    assert len(world) == 2


def test_what_was_born_and_is_gone_is_not_acted_on() -> None:
    # Two sparks of one instant that both meet the floor: the first event takes the second one out.
    bodies = """
  floor: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], tags: [ground]}
"""
    spark = "{spawn: {use: spark, at: [%d, 1]}}"
    blocks = rules(
        f"{{when: time, at: 0.1, do: [{spark % -2}, {spark % 2}]}}",
        "{when: collision, tags: [spark, ground], do: [{delete: $a}]}",
        "{when: collision, tags: [spark, ground], do: ["
        "{delete: $a}, {destroy: {body: $a}}, {set: {$a.velocity: [0, 1]}}, {add: {n: =$a.mass}}, "
        "{spawn: {use: spark, at: $a, velocity: [=$a.vx, 1]}}, {impulse: {body: $a, "
        "impulse: [0, 1]}}, {add: {m: 1}}]}",
    )
    world = World(scene(blocks, bodies))
    world.step(120)
    assert [name for name in world if world[name].alive] == ["floor"]
    assert world.state == {"n": 0, "m": 2}


def test_a_spawn_has_the_place_and_the_motion_of_its_frame() -> None:
    bodies = """
  ship:
    {shape: {circle: 0.5}, position: [1, 2], angle: 90, velocity: [3, 0], angular_velocity: 60}
"""
    lines = rules(
        "{when: time, do: [{spawn: {use: spark, at: [2, 0], velocity: [5, 0], frame: ship,"
        " angle: 30}}]}"
    )
    world = World(scene(lines, bodies, "duration: 1, gravity: [0, 0]"))
    world.step(1)
    ship, dot, omega = world["ship"], world["spark[0].dot"], math.pi / 3
    angle = ship.angle
    assert dot.position == pytest.approx(
        (ship.x + 2 * math.cos(angle), ship.y + 2 * math.sin(angle)), abs=1e-9
    )
    assert dot.angle == pytest.approx(angle + math.pi / 6)
    wanted = (
        3 + 5 * math.cos(angle) - omega * 2 * math.sin(angle),
        5 * math.sin(angle) + omega * 2 * math.cos(angle),
    )
    assert dot.velocity == pytest.approx(wanted, abs=1e-5)


def test_nothing_is_born_where_no_place_is_free() -> None:
    lines = rules(
        "{when: time, at: 0.1, every: 0.1, do: [{spawn: {use: spark, at: [0, 8], if_free: true}}]}"
    )
    extra = "materials: {}"
    world = World(scene(lines, world="duration: 4, gravity: [0, 0]", extra=extra))
    world.step(60)
    assert len(world) == 3


def test_another_place_is_drawn_where_one_is_not_free() -> None:
    spawn = '{use: spark, at: ["=uniform(-5, 5)", 0], if_free: true, max_tries: 50}'
    wall = "  wall: {type: static, shape: {box: [9, 1]}, position: [-4.5, 0]}\n"
    lines = rules(f"{{when: time, at: 0.1, every: 0.1, do: [{{spawn: {spawn}}}]}}")
    world = World(scene(lines, "\n" + wall, "duration: 4, gravity: [0, 0]"))
    world.step(60)
    places = [world[name].x for name in world if name.startswith("spark")]
    assert len(places) == 10
    assert min(places) > 0


def test_an_explosion_blows_away_from_its_middle_and_less_with_the_distance() -> None:
    bodies = """
  near: {shape: {circle: 0.1}, mass: 2, position: [1, 0]}
  far: {shape: {circle: 0.1}, mass: 2, position: [0, -3]}
  beyond: {shape: {circle: 0.1}, mass: 2, position: [0, 5]}
"""
    lines = rules("{when: time, do: [{explode: {at: [0, 0], radius: 4, impulse: 8}}]}")
    world = World(scene(lines, bodies, "duration: 1, gravity: [0, 0]"))
    world.step(2)
    assert world["near"].velocity == pytest.approx((8 * (1 - 0.9 / 4) / 2, 0))
    assert world["far"].velocity == pytest.approx((0, -8 * (1 - 2.9 / 4) / 2))
    assert world["beyond"].velocity == (0, 0)


def test_joints_are_attached_and_detached() -> None:
    lines = rules(
        "{when: collision, tags: [ball, ground], once: true, do: [{attach: {name: glue, joint:"
        " {type: weld, bodies: [$a, $b]}}}, {impulse: {body: $a, impulse: [0, 9]}}]}",
        "{when: time, at: 2, do: [{detach: glue}, {impulse: {body: ball, impulse: [0, 4]}}]}",
    )
    world = World(scene(lines))
    world.step(119)
    assert world["ball"].y == pytest.approx(0.5, abs=0.05)
    assert not world.joint("glue[0]").broken
    world.step(11)
    assert world["ball"].y > 0.9


def test_pieces_are_known_by_the_tags_that_a_break_gives_them() -> None:
    blocks = rules(
        "{when: collision, tags: [ball, ground], do: [{destroy: {body: $a, tags: [piece]}}]}",
        "{when: collision, tags: [piece, ground], do: [{delete: $a}]}",
    )
    world = World(scene(blocks))
    world.step(240)
    assert [name for name in world if world[name].alive] == ["floor"]


def test_what_a_key_attached_another_key_detaches() -> None:
    joint = "{type: distance, bodies: [world, ball], anchors: [[0, 5], [0, 0]]}"
    blocks = f"""controls:
  h: {{do: [{{attach: {{name: hook, joint: {joint}}}}}]}}
  r: {{do: [{{detach: hook}}]}}
"""
    world = World(scene(blocks))
    world.controls.press("h")
    world.step(60)
    assert world["ball"].y == pytest.approx(3, abs=0.01)
    world.controls.press("r")
    world.step(60)
    assert world["ball"].y < 1


def test_an_animation_plays_again() -> None:
    lines = rules("{when: time, at: 2, do: [{play: rise}]}")
    tracks = "{lift.position: [[0, [9, 5]], [1, [9, 6]]]}"
    extra = f"animations: {{rise: {{type: once, duration: 1, tracks: {tracks}}}}}"
    lift = "  lift: {type: kinematic, shape: {box: [1, 0.2]}, position: [9, 5]}\n"
    world = World(scene(lines, ROOM + lift, extra=extra))
    for steps, y in ((60, 6.0), (60, 6.0), (30, 5.5), (60, 6.0)):
        world.step(steps)
        assert world["lift"].y == pytest.approx(y, abs=0.03)


RIDE = "{lift.position: [[0, [9, 5]], [0.5, [9, 6]], [1, [9, 5]]]}"
LIFT = "  lift: {type: kinematic, shape: {box: [1, 0.2]}, position: [9, 5]}\n"


def lift(*lines: str) -> World:
    """A lift that goes up and down within two seconds."""
    extra = f"animations: {{ride: {{type: loop, duration: 2, tracks: {RIDE}}}}}"
    return World(scene(rules(*lines), ROOM + LIFT, extra=extra))


def test_a_loop_that_is_stopped_stays_where_it_is() -> None:
    world = lift("{when: time, at: 0.5, do: [{stop: ride}]}")
    world.step(30)
    assert world["lift"].y == pytest.approx(5.5, abs=0.03)
    world.step(90)
    assert world["lift"].y == pytest.approx(5.5, abs=0.03)
    assert world["lift"].velocity == (0.0, 0.0)


def test_a_loop_that_was_stopped_plays_anew() -> None:
    world = lift(
        "{when: time, at: 0.5, do: [{stop: ride}]}", "{when: time, at: 1.2, do: [{play: ride}]}"
    )
    world.step(72)
    assert world["lift"].y == pytest.approx(5.5, abs=0.03)
    world.step(60)
    assert world["lift"].y == pytest.approx(6.0, abs=0.03)


def test_an_animation_that_waits_goes_on_waiting_when_it_is_stopped() -> None:
    lines = rules("{when: time, at: 0.1, do: [{stop: rise}]}")
    tracks = "{lift.position: [[0, [9, 6]], [1, [9, 7]]]}"
    extra = f"animations: {{rise: {{type: once, duration: 1, enabled: false, tracks: {tracks}}}}}"
    world = World(scene(lines, ROOM + LIFT, extra=extra))
    world.step(60)
    assert world["lift"].y == pytest.approx(5.0)


@pytest.mark.parametrize("at", [20, 40], ids=["before", "after"])
def test_a_stopped_loop_is_saved_and_restored(at: int) -> None:
    world, twin = (lift("{when: time, at: 0.5, do: [{stop: ride}]}") for _ in range(2))
    world.step(at)
    twin.restore(world.save())
    for each in (world, twin):
        each.step(60)
    assert twin.state_hash() == world.state_hash()
    assert twin["lift"].y == pytest.approx(5.5, abs=0.03)


def test_a_held_key_acts_again_and_again() -> None:
    extra = """
controls: {space: {do: [{add: {n: 1}}], every: 0.25}}
inputs: [{key: space, from: 1, to: 2}, {at: 3, do: [{add: {m: 5}}]}]
"""
    world = World(scene("", extra=extra))
    world.step(240)
    assert world.state == {"n": 4, "m": 5}
    world.controls.press("space")
    world.step(1)
    assert world.state["n"] == 5


def test_a_spawner_has_a_rhythm_an_end_and_a_number() -> None:
    for field, births in (
        ("until: 1", 4),
        ("max: 3", 3),
        ("from: 1", 5),
        ("every: 0.005, max: 7", 7),
    ):
        every = "" if "every" in field else "every: 0.25, "
        blocks = f"spawners: {{rain: {{use: spark, at: [=state.n, 20], {every}{field}}}}}"
        world = World(scene(blocks))
        world.step(120)
        assert sum(name.startswith("rain") for name in world) == births


def test_births_at_random_depend_on_the_seed_and_on_nothing_else() -> None:
    blocks = 'spawners: {rain: {use: spark, at: ["=uniform(-5, 5)", 8], every: 0.5}}'
    other = rules('{when: time, every: 0.1, do: [{set: {state.m: "=uniform(0, 1)"}}]}')
    places = []
    for text, seed in ((blocks, 1), (blocks + "\n" + other, 1), (blocks, 2)):
        world = World(scene(text, world=f"duration: 4, seed: {seed}"))
        world.step(61)
        places.append([world[f"rain[{i}].dot"].x for i in range(3)])
    assert places[0] == places[1] != places[2]
    assert len(set(places[0])) == 3


def test_an_outcome_ends_a_run_with_its_frames_its_trace_and_its_expectations() -> None:
    extra = """
record: {channels: [ball.y, state.n]}
expect: [{at: end, that: =ball.y < 1}, {always: =state.n <= 1}, {at: 3, that: =ball.y < 9}]
"""
    told_scene = scene(count("when: collision") + "outcome: {win: =state.n == 1}", extra=extra)
    recorder = Recorder(told_scene, trace=True)
    frames = list(run(told_scene, recorder=recorder, fps=50))
    end = recorder.ended
    assert end is not None
    assert abs(end - FALL) <= 1
    assert recorder.outcome == "win"
    assert recorder.trace.steps[-1] == end == frames[-1].step
    assert recorder.trace["state"].n[-2:].tolist() == [0, 1]
    assert [result.passed for result in recorder.results] == [True, True, False]
    assert ("end", "win") in [(event.kind, event.a) for event in recorder.events]


def test_an_action_ends_a_run_as_failed() -> None:
    world = World(scene(rules("{when: =ball.y < 2, do: [{end: fail}]}")))
    world.step(60)
    assert world.outcome == "fail"


LIVELY = """
state: {score: 0}
prototypes:
  drop: {bodies: {ball: {shape: {circle: 0.2}, tags: [drop], restitution: 0.5}}}
  pair:
    bodies: {a: {shape: {circle: 0.2}}, b: {shape: {box: [0.3, 0.3]}, position: [1, 0]}}
    joints: {rod: {type: distance, bodies: [a, b]}}
    actuators: {jet: {type: thruster, body: a, force: [0, 3]}}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5], tags: [ground]}
  ship: {shape: {box: [1, 1]}, position: [0, 5], tags: [crate]}
controls:
  x: {do: [{spawn: {use: drop, at: ship, velocity: [0, 5], frame: ship, name: shot}}], every: 0.2}
inputs: [{key: x, from: 0.6, to: 1.4}]
spawners:
  rain: {use: drop, every: 0.1, at: ["=uniform(-5, 5)", 9]}
  twins:
    {use: pair, every: 0.45, at: ["=normal(0, 2)", 7], angle: "=uniform(0, 360)", if_free: true,
     max_tries: 3}
events:
  - {when: collision, tags: [drop, ground], once_per: pair, after: 0.2,
     do: [{delete: $a}, {add: {score: 1}}]}
  - {when: collision, tags: [drop, crate], do: [{explode: {at: $point, radius: 2, impulse: 1}}]}
  - {when: leave, tags: [drop], region: [[-4, -1], [4, 20]],
     do: [{impulse: {body: $a, impulse: ["=uniform(0, 1)", 1]}}]}
  - {when: =state.score > 5,
     do: [{attach: {name: rope, joint: {type: distance, bodies: [world, ship]}}}]}
  - {when: deleted, tags: [drop], do: [{log: gone}]}
  - {when: time, at: 1.5, every: 0.5, do: [{spawn: {use: pair, at: [0, 12]}}]}
"""


def lively() -> Scene:
    return loads(f"rigid: 1\nworld: {{duration: 4, seed: 7}}\n{LIVELY}")


@pytest.mark.parametrize("at", [0, 1, 37, 61, 80, 121, 150])
def test_a_world_that_was_saved_or_forked_goes_on_alike(at: int) -> None:
    told_scene = lively()
    world, other = World(told_scene), World(told_scene)
    other.step(50)
    world.step(at)
    other.restore(world.save())
    fork = world.fork()
    for each in (world, other, fork):
        each.step(240 - at)
    assert world.state_hash() == other.state_hash() == fork.state_hash()
    assert world.save() == other.save() == fork.save()


@pytest.mark.parametrize(("threads", "lanes"), [(2, 0), (1, 1), (1, 4)])
def test_threads_and_lanes_change_no_bit(threads: int, lanes: int) -> None:
    first, second = World(lively()), World(lively(), threads=threads, lanes=lanes)
    first.step(240)
    second.step(240)
    assert first.state_hash() == second.state_hash()
    assert first.state == second.state


def test_stepping_in_blocks_of_any_size_gives_the_same() -> None:
    hashes = set()
    for block in (1, 7, 240):
        world = World(lively())
        for done in range(0, 240, block):
            world.step(min(block, 240 - done))
        hashes.add((world.state_hash(), world.state["score"]))
    assert len(hashes) == 1
    assert World(lively()).step(240) is None


def test_a_run_for_pictures_does_what_a_world_does() -> None:
    told_scene = lively()
    world = World(told_scene)
    world.step(told_scene.world.steps)
    *_, last = run(told_scene, fps=47, times=[0.013, 1.017, 2.5, 4])
    assert last.pose.tolist() == world.bodies.pose().tolist()


def test_what_is_written_back_is_the_same_scene() -> None:
    told_scene = lively()
    assert loads(expand(told_scene)).hash == told_scene.hash


def test_contacts_are_not_told_unless_they_are_asked_for() -> None:
    world = World(scene(count("when: collision")))
    world.step(120)
    assert not any(event.kind.startswith("contact") for event in world.events.take())
    world = World(scene(count("when: collision")))
    world.events.enable_contacts()
    world.step(120)
    world.events.enable_contacts(False)
    assert any(event.kind == "contact_begin" for event in world.events.take())
    assert world.state["n"] == 1


def test_bodies_that_come_and_go_leave_nothing_behind() -> None:
    blocks = "spawners: {rain: {use: spark, every: 0.002, at: [=world.time, 2]}}\n" + rules(
        "{when: collision, tags: [spark, ground], do: [{delete: $a}]}"
    )
    world = World(scene(blocks, ROOM.replace("position: [0, 3]", "position: [-9, 3]")))
    world.step(120)
    sizes = []
    for _ in range(3):
        world.step(60)
        sizes.append((world.native.body_count, len(json.dumps(world.roster.save({})["used"]))))
    assert world.script is not None
    assert max(size for size, _ in sizes) < 1000
    assert sizes[-1][1] - sizes[0][1] < 8  # the digits of a number


def test_too_many_births_stop_the_run_and_say_whose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BIRTHS", 10)
    world = World(scene("spawners: {rain: {use: spark, every: 0.05, at: [0, 9]}}"))
    with pytest.raises(SimulationError, match=r"spawners.rain: more than 10 bodies were born"):
        world.step(120)


def test_a_value_that_cannot_be_worked_out_stops_the_run_and_says_where() -> None:
    world = World(scene(rules('{when: time, at: 1, do: [{add: {n: "=1/state.m"}}]}')))
    with pytest.raises(SimulationError, match=r"events\[0\].do\[0\].add.n: .*zero.*step 60"):
        world.step(120)


def test_a_name_that_is_taken_stops_no_load_but_is_told_there() -> None:
    with pytest.raises(SceneError, match="something else called `ball`"):
        scene("spawners: {ball: {use: spark, every: 1}}")


@pytest.mark.parametrize("solver", ["pgs_matrix", "iterative_impulse"])
def test_textbook_solvers_have_events_as_others_do(solver: str) -> None:
    world = World(scene(count("when: collision"), world=f"solver: {{type: {solver}}}"))
    world.step(120)
    assert world.state["n"] > 0


def test_a_scene_without_events_has_no_script() -> None:
    assert World(loads(f"rigid: 1\nbodies:{ROOM}")).script is None


def test_state_is_recorded(tmp_path: Path) -> None:
    extra = "record: {channels: [state], every: 10}"
    trace = simulate(scene(rules("{when: time, every: 0.5, do: [{add: {n: 1}}]}"), extra=extra))
    assert trace.channels == ("state.n", "state.m")
    assert trace["state"].n[[0, 1, 3, 6]].tolist() == [0, 1, 2, 3]


def test_more_events_in_one_step_than_the_limit_end_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "EVENTS", 2)
    twice = ["{when: =ball.y < 2.9, do: [{set: {state.n: 1}}]}"] * 2
    simulate(scene(rules(*twice)))
    with pytest.raises(SimulationError, match="more than 2 events in one step; that is the limit"):
        simulate(scene(rules(*twice, "{when: =ball.y < 2.9, do: [{set: {state.m: 1}}]}")))
