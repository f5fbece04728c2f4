# SPDX-License-Identifier: MIT
"""Turns of events: what ``if`` and ``unless`` see, what leaves at the bounds, and times that pass
more than once in a step."""

from __future__ import annotations

import pytest
from rigid2d.core import Scene, SimulationError, World, loads
from rigid2d.core.scene import expand

from tests.rows import every_row

TWO = """
rigid: 1
world: {gravity: [0, 0], dt: 0.05}
state: {n: 0, m: 0}
bodies: {ball: {shape: {circle: 0.5}, tags: [ball]}}
"""


def both(text: str) -> list[Scene]:
    """A scene, and what it is expanded to."""
    scene = loads(text)
    return [scene, loads(expand(scene))]


@pytest.mark.parametrize("word", ["if", "unless"])
def test_both_conditions_see_what_the_events_in_front_did(word: str) -> None:
    holds = "=state.n == 0" if word == "if" else "=state.n > 0"
    after = "" if word == "if" else "after: 0.1, "
    each = f"{{when: time, at: 0.5, {after}{word}: {holds}, do: [{{add: {{n: 1}}}}]}}"
    for scene in both(f"{TWO}events: [{each}, {each}, {each}]\n"):
        world = World(scene)
        world.step(20)
        assert world.state["n"] == 1


def test_a_condition_does_not_see_what_an_event_behind_it_does() -> None:
    look = "{when: time, at: 0.5, if: =state.n == 0, do: [{add: {m: 1}}]}"
    text = f"{TWO}events: [{look}, {{when: time, at: 0.5, do: [{{add: {{n: 1}}}}]}}, {look}]\n"
    world = World(loads(text))
    world.step(20)
    assert world.state == {"n": 1, "m": 1}


def test_the_second_of_two_who_come_at_once_is_too_late() -> None:
    text = """
rigid: 1
world: {gravity: [0, 0]}
state: {left: 1}
prototypes: {prize: {bodies: {cup: {shape: {circle: 0.1}, tags: [cup]}}}}
bodies:
  goal: {type: static, shape: {box: [1, 9], sensor: true}, position: [3, 0], tags: [goal]}
  runner: {repeat: {i: 2}, shape: {circle: 0.2}, position: [0, =2*i], velocity: [3, 0], tags: [run]}
events:
  - when: sensor_enter
    tags: [goal, run]
    if: =state.left > 0
    do: [{add: {left: -1}}, {spawn: {use: prize, at: $b}}]
"""
    for scene in both(text):
        world = World(scene)
        world.step(120)
        assert world.state["left"] == 0
        assert len(world.bodies.added) == 1


# ---------------------------------------------------------------- bounds

LEAVES = """
rigid: 1
world: {gravity: [0, 0], bounds: [[-3, -3], [3, 3]]}
state: {gone: 0, left: 0}
%s
events:
  - {when: deleted, tags: [ball], do: [{add: {gone: 1}}, {log: gone}]}
  - {when: leave, tags: [ball], region: [[-2.999, -2], [2.999, 2]], do: [{add: {left: 1}}]}
"""
BALL = "{shape: {circle: 0.5}, velocity: [40, 0], tags: [ball]}"
OF_THE_FILE = f"bodies: {{ball: {BALL}, other: {BALL}}}"
BORN = f"""
prototypes: {{one: {{bodies: {{ball: {BALL}}}}}}}
bodies: {{rock: {{type: static, shape: {{circle: 0.1}}, position: [0, 2]}}}}
spawners: {{all: {{use: one, every: 0.1, max: 2}}}}
"""


@pytest.mark.parametrize("who", [OF_THE_FILE, BORN])
def test_who_leaves_the_bounds_is_deleted_and_has_left_the_region(who: str) -> None:
    who = who.replace("other: {", "other: {position: [0, 1.5], ")
    for scene in both(LEAVES % who):
        world = World(scene)
        world.step(60)
        assert world.bodies.added == []
        assert world.state == {"gone": 2, "left": 2}


@pytest.mark.parametrize(
    "region", ["[[-1, -1], [1, 1]]", "[[1, 1], [-1, -1]]", "[[-1, 1], [1, -1]]"]
)
def test_any_two_opposite_corners_are_a_region(region: str) -> None:
    text = TWO.replace("tags: [ball]", "velocity: [1, 0], tags: [ball]")
    text += f"events: [{{when: leave, body: ball, region: {region}, do: [{{add: {{n: 1}}}}]}}]\n"
    for scene in both(text):
        assert scene.events[0].region == ((-1, -1), (1, 1))
        world = World(scene)
        world.step(30)
        assert world.state["n"] == 1


def test_what_an_action_takes_out_in_a_region_has_not_left_it() -> None:
    text = LEAVES % f"bodies: {{ball: {BALL}}}".replace("40, 0", "0, 0")
    text += "  - {when: time, at: 0.5, do: [{delete: ball}]}\n"
    world = World(loads(text))
    world.step(60)
    assert world.state == {"gone": 1, "left": 0}


def test_a_copy_tells_that_it_left_at_the_bounds() -> None:
    text = f"""
rigid: 1
world: {{gravity: [0, 0], bounds: [[-3, -3], [3, 3]]}}
state: {{n: 0}}
prototypes:
  one:
    bodies: {{ball: {BALL}}}
    events:
      - {{when: leave, body: ball, region: [[-2.999, -2], [2.999, 2]], do: [{{add: {{n: 1}}}}]}}
      - {{when: deleted, body: ball, do: [{{add: {{n: 10}}}}]}}
bodies: {{rock: {{type: static, shape: {{circle: 0.1}}, position: [0, 2]}}}}
spawners: {{all: {{use: one, every: 0.1, max: 3}}}}
"""
    for scene in both(text):
        world = World(scene)
        world.step(60)
        assert world.state["n"] == 33


# ---------------------------------------------------------------- times


@pytest.mark.parametrize(("dt", "every"), [(0.05, 0.01), (0.05, 0.0092), (0.1, 0.03), (0.05, 0.05)])
def test_times_that_pass_in_a_step_are_all_done(dt: float, every: float) -> None:
    text = f"""
rigid: 1
world: {{gravity: [0, 0], dt: {dt}, duration: 6}}
state: {{events: 0, keys: 0, copies: 0}}
prototypes:
  drop: {{bodies: {{ball: {{shape: {{circle: 0.01}}}}}}}}
  clock:
    bodies: {{case: {{type: static, shape: {{circle: 0.1}}}}}}
    events: [{{when: time, at: {every}, every: {every}, do: [{{add: {{copies: 1}}}}]}}]
bodies: {{rock: {{type: static, shape: {{circle: 0.1}}}}}}
controls: {{up: {{do: [{{add: {{keys: 1}}}}], every: {every}}}}}
inputs: [{{key: up, from: 0}}]
events:
  - {{when: time, at: {every}, every: {every}, do: [{{add: {{events: 1}}}}]}}
  - {{when: time, at: {dt}, do: [{{spawn: {{use: clock}}}}]}}
spawners: {{rain: {{use: drop, every: {every}, from: {every}, at: [5, 5]}}}}
"""
    scene = loads(text)
    world = World(scene)
    steps = round(5 / dt)
    world.step(steps)
    passed = int(5 / every + 1e-6)
    assert world.state["events"] == passed
    assert len(world.bodies.added) == passed + 1
    # A key is due before a step, and done after it; a copy counts from its birth.
    assert world.state["keys"] == 1 + int((5 - dt) / every + 1e-6)
    assert world.state["copies"] == int((5 - dt) / every + 1e-6)


def test_times_beyond_counting_stop_the_run_at_a_limit() -> None:
    text = f"{TWO}events: [{{when: time, every: 1.0e-9, do: [{{add: {{n: 1}}}}]}}]\n"
    with pytest.raises(SimulationError, match=r"events\[0\]: comes .* times in one step"):
        World(loads(text)).step(2)
    text = f"{TWO}controls: {{up: {{do: [{{add: {{n: 1}}}}], every: 1.0e-9}}}}\n"
    world = World(loads(text))
    world.controls.press("up")
    with pytest.raises(SimulationError, match="events wait for their actions"):
        world.step(4)


@pytest.mark.parametrize(
    ("every", "until", "births"), [(0.57, 5.7, 10), (0.1, 0.3, 3), (1, 4.5, 5)]
)
def test_a_spawner_has_no_birth_at_its_end(every: float, until: float, births: int) -> None:
    text = f"""
rigid: 1
world: {{gravity: [0, 0], dt: 0.01}}
bodies: {{rock: {{type: static, shape: {{circle: 0.1}}, position: [0, 9]}}}}
prototypes: {{drop: {{bodies: {{ball: {{shape: {{circle: 0.01}}}}}}}}}}
spawners: {{rain: {{use: drop, every: {every}, until: {until}, at: ["=uniform(-5, 5)", 0]}}}}
"""
    world = World(loads(text))
    world.step(700)
    assert len(world.bodies.added) == births


# ---------------------------------------------------------------- what is gone in a list

HEAVY = """
rigid: 1
world: {gravity: [0, 0]}
state: {mass: 0, speed: 0, place: 0}
prototypes:
  rock: {bodies: {ball: {shape: {circle: 0.5}, mass: 7, velocity: [3, 0], tags: [rock]}}}
  spark: {bodies: {dot: {shape: {circle: 0.1}, tags: [spark]}}}
bodies:
  wall: {type: static, shape: {box: [1, 9], sensor: true}, position: [3, 0], tags: [wall]}
%s
events:
  - when: sensor_enter
    tags: [wall, rock]
    do: [%s]
"""
LATER = """{add: {mass: =$b.mass, speed: =$b.vx}}, {set: {state.place: =$b.x}},
      {spawn: {use: spark, at: $b, velocity: [=-$b.vx, =$b.mass]}},
      {set: {$b.velocity: [0, 0]}}, {impulse: {body: $b, impulse: [1, 0]}}, {delete: $b}"""
ROCK = "  rock: {shape: {circle: 0.5}, mass: 7, velocity: [3, 0], tags: [rock]}"


@pytest.mark.parametrize("kind", ["file", "born"])
@pytest.mark.parametrize("end", ["{delete: $b}", "{destroy: {body: $b, tags: [piece]}}"])
def test_who_is_taken_out_keeps_its_last_values_for_the_list(kind: str, end: str) -> None:
    rock = ROCK if kind == "file" else "spawners: {all: {use: rock, every: 9}}"
    for scene in both(HEAVY % (rock, f"{end}, {LATER}")):
        world = World(scene)
        while world.step_count < 60 and not any(
            name.startswith("spark") for name in world.bodies.added
        ):
            world.step()
        assert world.state["mass"] == pytest.approx(7, rel=1e-6)
        assert world.state["speed"] == pytest.approx(3, rel=1e-6)
        assert world.state["place"] == pytest.approx(2, abs=0.06)
        (spark,) = (name for name in world.bodies.added if name.startswith("spark"))
        assert world[spark].velocity == pytest.approx((-3, 7), rel=1e-6)


def test_what_changes_before_the_end_counts_in_the_last_values() -> None:
    text = HEAVY % (ROCK, f"{{set: {{$b.velocity: [5, 0]}}}}, {{delete: $b}}, {LATER}")
    world = World(loads(text))
    world.step(60)
    assert world.state["speed"] == 5


def test_what_a_list_before_took_out_has_nothing_to_be_read() -> None:
    first = "{when: sensor_enter, tags: [wall, rock], do: [{delete: $b}]}"
    text = (HEAVY % (ROCK, LATER)).replace("events:\n", f"events:\n  - {first}\n")
    world = World(loads(text))
    world.step(60)
    assert world.state == {"mass": 0, "speed": 0, "place": 0}
    assert world.bodies.added == []


def test_a_place_of_numbers_of_who_is_gone_is_none() -> None:
    first = "{when: sensor_enter, tags: [wall, rock], do: [{delete: $b}]}"
    blow = '{explode: {at: ["=$b.x", "=$b.y"], radius: 9, impulse: 20}}'
    other = f"{ROCK}\n  other: {{shape: {{circle: 0.2}}, position: [0, 3]}}"
    for rock in (
        other,
        f"{other.partition(chr(10))[2]}\nspawners: {{all: {{use: rock, every: 9}}}}",
    ):
        text = HEAVY % (rock, f"{{delete: $b}}, {blow}")
        world = World(loads(text))
        world.step(60)
        assert world["other"].velocity[1] > 0
        world = World(loads((HEAVY % (rock, blow)).replace("events:\n", f"events:\n  - {first}\n")))
        world.step(60)
        assert world["other"].velocity == (0, 0)


# ---------------------------------------------------------------- explosions

SHAPES = {
    "circle": "{circle: 1}",
    "box": "{box: [2, 2]}",
    "capsule": "{capsule: [[0, 0], [3, 0]], radius: 1}",
    "concave": "{polygon: [[-1, -1], [3, -1], [3, 1], [2, 1], [2, 0], [-1, 0]]}",
    "rounded": "{box: [2, 2], radius: 0.2}",
}


@every_row("shape", SHAPES)
@every_row(("at", "share"), [(-2, 0.75), (-4, 0.25), (-5.5, 0), (-0.5, 1)])
def test_an_explosion_is_as_far_as_the_nearest_point_of_a_shape(
    shape: str, at: float, share: float
) -> None:
    """All of them have their nearest point 1 m before their origins."""
    text = f"""
rigid: 1
world: {{gravity: [0, 0]}}
bodies: {{b: {{shape: {SHAPES[shape]}, mass: 2, angle: 90, position: [5, 3]}}}}
events: [{{when: time, at: 0.1, do: [{{explode: {{at: [5, {3 + at}], radius: 4, impulse: 10}}}}]}}]
"""
    world = World(loads(text))
    world.step(10)
    vx, vy = world["b"].velocity
    assert (vx * vx + vy * vy) ** 0.5 == pytest.approx(5 * share, rel=1e-5, abs=1e-9)
