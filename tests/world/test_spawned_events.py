# SPDX-License-Identifier: MIT
"""What is spawned does what its prototype says, from its birth to the end of its last body."""

from __future__ import annotations

import pickle

import pytest
from rigid2d.core import Scene, World, loads
from rigid2d.core.errors import SceneError, SimulationError, UsageError
from rigid2d.core.scene import expand, limits

ROCKS = """
rigid: 1
world: {seed: 3}
state: {hits: 0, gone: 0}
prototypes:
  spark: {bodies: {dot: {shape: {circle: 0.05}, tags: [spark]}}}
  rock:
    vars: {size: 0.4}
    bodies: {core: {shape: {circle: =size}, tags: [rock], restitution: 0.3}}
    events:
      - when: collision
        tags: [rock, ground]
        if: =size > 0.15 and core.x > -100
        do:
          - {add: {hits: 1}}
          - {delete: core}
          - {spawn: {use: rock, at: $point, vars: {size: =size/2}, velocity: [2, 4]}}
          - {spawn: {use: rock, at: core}}
          - {spawn: {use: spark, at: $point, velocity: ["=uniform(-2, 2)", =3 + size]}}
      - {when: deleted, body: core, after: 0.3, do: [{add: {gone: 1}}, {log: gone}]}
bodies: {floor: {type: static, shape: {box: [40, 1]}, position: [0, -0.5], tags: [ground]}}
spawners:
  rain: {use: rock, every: 0.2, at: ["=uniform(-5, 5)", 3], angle: "=uniform(0, 360)", max: 3}
"""
TIE = "{attach: {name: tie, joint: {type: distance, bodies: [bob, tube]}}}"
GUN = """
  gun:
    bodies:
      base: {type: kinematic, shape: {box: [0.4, 0.4]}}
      tube: {shape: {box: [1, 0.2], offset: [0.5, 0]}, points: {mouth: [1.2, 0]}, collide: false}
      bob: {shape: {circle: 0.1}, position: [0, -1]}
    joints:
      hinge: {type: revolute, bodies: [base, tube], anchor: [0, 0], motor: {position: 0}}
      thread: {type: distance, bodies: [base, bob], break: {force: 3}}
    actuators: {jet: {type: thruster, body: bob, force: [0, -5]}}
    animations:
      aim: {type: manual, duration: 1, tracks: {hinge.motor.position: [[0, 0], [1, 60]]}}
      ride: {type: loop, duration: 2, tracks: {base.position:
        [[0, [0, 0]], [0.5, [0, 1]], [1, [0, 0]]]}}
    controls:
      up: aim.forward
      pull: jet
      fire:
        do: [{spawn: {use: shot, at: tube.points.mouth, velocity: [5, 0], frame: tube}}]
        every: 0.2
      x: {set: {tube.angular_damping: 3}, do: [TIE], on_release: {tube.angular_damping: 0}}
      y: {do: [{detach: tie}, {set: {bob.velocity: [1, 0]}}]}
    events:
      - {when: joint_broken, joint: thread, after: 0.3, unless: =bob.vy > 9, do: [{add: {snap: 1}}]}
      - {when: time, at: 0.5, every: 0.5, do: [{add: {ticks: 1}}]}
      - {when: =hinge.angle > 0.2 and not thread.broken, do: [{add: {aimed: 1}}]}
""".replace("TIE", TIE)
GUNS = f"""
rigid: 1
world: {{gravity: [0, 0], seed: 3}}
state: {{left: 0, snap: 0, ticks: 0, aimed: 0}}
prototypes:
  shot:
    bodies: {{ball: {{shape: {{circle: 0.1}}, tags: [shot]}}}}
    events:
      - {{when: leave, body: ball, region: [[-1, -1], [3, 1]],
         do: [{{add: {{left: 1}}}}, {{delete: ball}}]}}
{GUN}
bodies: {{floor: {{type: static, shape: {{box: [9, 1]}}, position: [0, -20]}}}}
inputs:
  - {{key: up, from: 0.5, to: 1.2}}
  - {{key: fire, from: 0.1, to: 1.5}}
  - {{key: pull, from: 1.2}}
  - {{key: x, from: 0.6, to: 0.7}}
  - {{key: y, from: 1, to: 1.3}}
"""


def guns(
    spawner: str = "use: gun, every: 0.4, at: ['=uniform(-9, 9)', 4], angle: 20, max: 3",
) -> Scene:
    return loads(f"{GUNS}spawners: {{guns: {{{spawner}}}}}\n")


def test_what_is_born_has_the_events_of_its_prototype() -> None:
    world = World(loads(ROCKS))
    world.step(180)
    assert world.state == {"hits": 6, "gone": 6}  # three, and a half of each
    quarters = [body for name, body in world.roster.bodies.items() if name.startswith("rock")]
    assert [body.shapes[0].radius for body in quarters] == [0.1, 0.1, 0.1]


def test_a_prototype_may_spawn_itself_with_other_vars_until_a_condition_ends_it() -> None:
    text = ROCKS.replace("=size > 0.15 and core.x > -100", "=size > 0.01")
    world = World(loads(text))
    world.step(300)
    assert world.state["hits"] == 3 * 6  # 0.4, 0.2, ..., 0.0125


def test_a_spawned_machine_moves_as_an_instance_there_does() -> None:
    still = GUNS[: GUNS.index("inputs:")].replace(TIE, "{log: x}").replace("{detach: tie}, ", "")
    place = "use: gun, at: [3, 4], angle: 30, mirror: x, scale: 2"
    instance = World(loads(f"{still}instances: {{g: {{{place}}}}}\n"))
    spawned = World(loads(f"{still}spawners: {{g: {{{place}, every: 9}}}}\n"))
    spawned.step(1)  # what is born comes after a step
    for _ in range(3):
        instance.step(40)
        spawned.step(40)
        for part in ("base", "tube", "bob"):
            here, there = instance[f"g.{part}"], spawned[f"g[0].{part}"]
            assert there.position == pytest.approx(here.position, abs=1e-6)
            assert there.angle == pytest.approx(here.angle, abs=1e-6)
    assert spawned.state == instance.state


def test_keys_and_events_do_with_it_what_they_do_with_an_instance() -> None:
    place = "use: gun, at: [3, 4], angle: 30"
    instance = World(loads(f"{GUNS}instances: {{g: {{{place}}}}}\n"))
    spawned = World(guns(f"{place}, every: 9"))
    for world in (instance, spawned):
        world.step(180)
        assert world.state == {"left": 7, "snap": 1, "ticks": 6 - (world is spawned), "aimed": 1}


@pytest.mark.parametrize(
    "text", [ROCKS, f"{GUNS}spawners: {{g: {{use: gun, every: 0.4, max: 3}}}}"]
)
@pytest.mark.parametrize("at", [1, 40, 70])
def test_worlds_that_were_saved_or_forked_go_on_alike(text: str, at: int) -> None:
    scene = loads(text)
    world, other = World(scene), World(scene)
    world.step(at)
    other.step(30)
    other.restore(world.save())
    fork = world.fork()
    for each in (world, other, fork):
        each.step(100 - at)
    assert world.save() == other.save() == fork.save()


def test_a_state_is_restored_where_the_scene_was_read_anew() -> None:
    world = World(loads(ROCKS))
    world.step(90)
    other = World(loads(ROCKS))
    other.restore(world.save())
    world.step(60)
    other.step(60)
    assert world.save() == other.save()


@pytest.mark.parametrize(("threads", "lanes"), [(2, 0), (1, 1)])
def test_threads_and_lanes_change_no_bit(threads: int, lanes: int) -> None:
    first, second = World(guns()), World(guns(), threads=threads, lanes=lanes)
    first.step(80)
    second.step(80)
    assert first.save() == second.save()


def test_stepping_in_blocks_of_any_size_gives_the_same() -> None:
    states = set()
    for block in (1, 7, 80):
        world = World(guns())
        for done in range(0, 80, block):
            world.step(min(block, 80 - done))
        states.add(world.save())
    assert len(states) == 1


def test_what_is_written_out_runs_the_same() -> None:
    scene = guns()
    again = loads(expand(scene))
    assert again.hash == scene.hash
    worlds = World(scene), World(again)
    for world in worlds:
        world.step(80)
    assert worlds[0].state_hash() == worlds[1].state_hash()


def test_nothing_is_left_of_what_came_to_its_end() -> None:
    world = World(guns("use: gun, every: 0.4, max: 2"))
    world.step(50)
    for number in range(2):
        for part in ("base", "tube", "bob"):
            world.remove(f"guns[{number}].{part}")
    world.step(60)
    script = world.script
    assert script is not None
    assert not script.copies.gone
    assert not script.animations.playing
    assert all(copy.name.startswith("shot") for copy in script.copies.all.values())


def test_an_animation_of_who_is_gone_is_not_played() -> None:
    text = """
rigid: 1
prototypes:
  box:
    bodies: {core: {type: kinematic, shape: {box: [1, 1]}}}
    animations:
      spin: {type: once, duration: 1, enabled: false, tracks: {core.angle: [[0, 0], [1, 90]]}}
    events:
      - {when: time, at: 0.1, do: [{delete: core}]}
      - {when: deleted, after: 0.2,
         do: [{play: spin}, {stop: spin}, {set: {core.velocity: [1, 0]}}, {log: end}]}
bodies: {floor: {type: static, shape: {box: [9, 1]}}}
spawners: {boxes: {use: box, every: 0.3, max: 2}}
"""
    world = World(loads(text))
    world.step(60)
    assert [event.a for event in world.events.take()] == ["end", "end"]


def test_copies_may_meet_each_other_and_each_has_its_event() -> None:
    text = """
rigid: 1
world: {gravity: [0, 0]}
state: {n: 0, far: 0}
prototypes:
  ball:
    bodies: {core: {shape: {circle: 0.5}, tags: [ball]}}
    events: [{when: collision, tags: [ball, ball], do: [{add: {n: 1, far: =core.x}}]}]
bodies: {floor: {type: static, shape: {box: [9, 1]}, position: [0, -9]}}
spawners:
  left: {use: ball, every: 9, at: [-2, 0], velocity: [2, 0]}
  right: {use: ball, every: 9, at: [2, 0], velocity: [-2, 0]}
"""
    world = World(loads(text))
    world.step(90)
    assert world.state == {"n": 2, "far": pytest.approx(0, abs=1e-6)}


def test_a_body_that_runs_away_comes_to_its_end_like_another() -> None:
    text = """
rigid: 1
world: {on_error: warn, gravity: [0, 0]}
state: {n: 0}
prototypes:
  shot:
    bodies: {ball: {shape: {circle: 0.1}}}
    events:
      - {when: time, at: 0.1, do: [{set: {ball.velocity: [9e6, 9e6]}}]}
      - {when: deleted, do: [{add: {n: 1}}]}
bodies: {floor: {type: static, shape: {box: [9, 1]}}}
spawners: {shots: {use: shot, every: 0.2, at: [0, 3], max: 2}}
"""
    world = World(loads(text))
    world.step(90)
    assert world.state["n"] == 2
    assert world.script is not None
    assert not world.script.copies.all


def test_what_spawns_itself_without_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BIRTHS", 500)
    text = """
rigid: 1
prototypes:
  fire:
    bodies: {core: {shape: {circle: 0.1}, collide: false}}
    events: [{when: time, at: 0.1, do: [{spawn: {use: fire}}, {spawn: {use: fire}}]}]
bodies: {floor: {type: static, shape: {box: [9, 1]}, position: [0, -9]}}
spawners: {first: {use: fire, every: 9}}
"""
    world = World(loads(text))
    with pytest.raises(
        SimulationError, match=r"prototypes\.fire\.events\[0\].*500 bodies were born"
    ):
        world.step(200)


def test_what_doubles_in_each_step_is_told_before_there_are_too_many_bodies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "BIRTHS_AT_ONCE", 30)
    text = """
rigid: 1
prototypes:
  cell:
    bodies: {core: {shape: {circle: 0.1}, collide: false}}
    spawners: {again: {use: cell, every: 0.1, from: 0.1}}
bodies: {floor: {type: static, shape: {box: [9, 1]}, position: [0, -9]}}
spawners: {first: {use: cell, every: 9}}
"""
    world = World(loads(text))
    world.step(30)  # 2, 4, 8, 16 and then 32
    with pytest.raises(
        SimulationError,
        match=r"prototypes\.cell\.spawners\.again.*30 births in one step by what was born",
    ):
        world.step(30)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("{when: collision, tags: [rok, ground], do: [{delete: core}]}", "did you mean `rock`"),
        ("{when: collision, do: [{delete: cor}]}", "did you mean `core`"),
        ("{when: =cor.y > 0, do: [{delete: core}]}", "did you mean `core`"),
        ("{when: collision, do: [{spawn: {use: rok}}]}", "did you mean `rock`"),
    ],
)
def test_a_wrong_name_in_what_is_spawned_is_told_when_the_scene_is_read(
    more: str, message: str
) -> None:
    text = ROCKS.replace("    events:\n", f"    events:\n      - {more}\n", 1)
    with pytest.raises(SceneError) as caught:
        loads(text)
    (problem,) = caught.value.problems
    assert problem.line == 11
    assert problem.path.startswith("prototypes.rock.events[0]")
    assert message in problem.message


def test_a_key_that_only_prototypes_have_is_known_to_players() -> None:
    scene = guns()
    assert scene.keys == ("up", "pull", "fire", "x", "y")
    with pytest.raises(SceneError, match="no control has the key `upp`; did you mean `up`"):
        loads(f"{GUNS.replace('key: up,', 'key: upp,')}spawners: {{g: {{use: gun, every: 1}}}}")


def test_the_tags_of_pieces_that_a_prototype_makes_are_known() -> None:
    text = """
rigid: 1
state: {n: 0}
prototypes:
  wall:
    bodies: {slab: {shape: {box: [1, 1]}, tags: [wall]}}
    events:
      - {when: collision, tags: [wall], do: [{destroy: {body: slab, count: 2, tags: [piece]}}]}
bodies: {floor: {type: static, shape: {box: [9, 1]}, tags: [ground]}}
events: [{when: collision, tags: [piece, ground], once_per: pair, do: [{add: {n: 1}}]}]
spawners: {walls: {use: wall, every: 9, at: [0, 3]}}
"""
    world = World(loads(text))
    world.step(90)
    assert world.state["n"] >= 2


def test_a_state_that_cannot_be_restored_leaves_the_world_as_it_was() -> None:
    scene = loads(
        ROCKS.replace("{use: rock, every", "{use: rock, vars: {size: '=0.3 + 0*world.time'}, every")
    )
    world = World(scene)
    world.step(5)
    other = World(pickle.loads(pickle.dumps(scene)))
    before = other.save()
    with pytest.raises(
        UsageError, match=r"the state has `rain\[0\]`, which has vars that are worked"
    ):
        other.restore(world.save())
    assert other.save() == before


def test_a_scene_from_another_process_runs_the_same() -> None:
    scene = guns()
    worlds = World(scene), World(pickle.loads(pickle.dumps(scene)))
    for world in worlds:
        world.step(30)
    assert worlds[0].save() == worlds[1].save()


LOST = """
rigid: 1
state: {mine: 0, all: 0}
prototypes:
  box:
    bodies: {core: {shape: {box: [1, 1]}, tags: [box]}}
    events: [{when: touch_end, tags: [box, ground], do: [{add: {mine: 1}}]}]
bodies: {floor: {type: static, shape: {box: [9, 1]}, position: [0, -0.5], tags: [ground]}}
spawners: {boxes: {use: box, every: 9, at: [0, 0.5]}}
events:
  - {when: touch_end, tags: [box, ground], do: [{add: {all: 1}}]}
  - {when: time, at: 0.5, do: [{delete: floor}]}
"""


@pytest.mark.parametrize("way", ["forked", "restored"])
def test_who_ceases_to_touch_what_an_action_deletes_is_found_after_a_restart(way: str) -> None:
    world = World(loads(LOST))
    world.step(30)  # at the end of which the floor goes
    other = world.fork() if way == "forked" else World(loads(LOST))
    if way == "restored":
        other.restore(world.save())
    world.step(1)
    other.step(1)
    assert world.state["mine"] == 1
    assert other.state == world.state


def test_what_leaves_the_world_in_the_step_of_its_blow_has_touched_nothing_hard() -> None:
    text = """
rigid: 1
world: {gravity: [0, 0], bounds: [[-5, -5], [5, 5]]}
state: {hard: 0, any: 0}
prototypes:
  shot:
    bodies: {ball: {shape: {circle: 0.2}, tags: [shot]}}
    events:
      - {when: collision, tags: [shot, wall], min_impulse: 0.001, do: [{add: {hard: 1}}]}
      - {when: collision, tags: [shot, wall], do: [{add: {any: 1}}]}
bodies: {wall: {type: static, shape: {box: [9, 1]}, position: [0, -5.7], tags: [wall]}}
spawners: {shots: {use: shot, every: 9, at: [0, -4.5], velocity: [0, -36]}}
events: [{when: collision, min_impulse: 0.001, do: [{add: {hard: 1}}]}]
"""
    world = World(loads(text))
    world.step(3)
    assert "shots[0].ball" not in world.roster.bodies
    assert world.state == {"hard": 0, "any": 1}
