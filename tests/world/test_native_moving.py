# SPDX-License-Identifier: MIT
"""Bodies that actions move, chains that reach and players that drag, in the engine: with the bits
of Python's."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import World, loads
from rigid2d.core.world.script import player_of

from tests.scripts import alone, go, program, run_changed, step_alike

MOVED = """
rigid: 1
world: {dt: 0.01, seed: 3, gravity: [0, -2], bounds: [[-40, -40], [40, 40]]}
state: {n: 0}
prototypes: {drop: {bodies: {dot: {shape: {circle: 0.2}, velocity: [1, 0], tags: [drop]}}}}
bodies:
  floor: {type: static, shape: {box: [60, 1]}, position: [0, -6], tags: [floor]}
  brick: {repeat: {i: 3}, shape: {box: [0.8, 0.4]}, position: ["=-3 + i", 0], angle: 20,
    velocity: [0.3, 1], angular_velocity: 30, tags: [some]}
  rail: {type: static, shape: {box: [2, 0.2]}, position: [5, 2], tags: [some]}
  lift: {type: kinematic, shape: {box: [2, 0.2]}, position: [8, 2], velocity: [0, 0.2],
    points: {edge: [1, 0.1]}}
  ball: {shape: {circle: 0.3}, position: [9, 5], tags: [some, hit]}
groups: {pair: ["brick[2]", lift]}
events:
  - {when: time, at: 0.2, every: 0.4, do: [{move: {what: brick, by: [0.5, "=uniform(0, 1)"]}},
      {move: {what: pair, by: [-0.1, 0.3], angle: 30}},
      {impulse: {body: ball, impulse: [0.1, 1], at: 'lift.points.edge'}}]}
  - {when: time, at: 0.3, every: 0.5, do: [{move: {what: tags.some, to: ["=state.n", 3],
      angle: "=20 + state.n", velocity: [1, "=state.n / 9"]}}, {add: {n: 1}}]}
  - {when: time, at: 0.5, every: 0.2, do: [{move: {what: tags.drop, to: lift, angle: 5}},
      {move: {what: pair, by: [0, 1]}}, {move: {what: lift, to: 'brick[1]'}}]}
  - {when: collision, tags: [hit, floor], do: [{move: {what: $a, to: $point, velocity: [0, 3]}},
      {move: {what: $a, by: [0, "=abs($normal.y)"]}}]}
  - {when: time, at: 0.9, do: [{delete: 'brick[0]'}]}
  - {when: time, at: 1.4, do: [{delete: lift}, {delete: tags.drop}]}
spawners: {sky: {use: drop, every: 0.17, at: [0, 6], max: 12}}
"""

# A chain with a relative motor, which reaches for places within and out of reach and for bodies.
CHAIN = """
rigid: 1
world: {dt: 0.01, gravity: [0, -1]}
bodies:
  stand: {type: static, shape: {box: [0.4, 1]}, position: [0, 0]}
  arm: {repeat: {i: 3}, shape: {box: [1, 0.1]}, position: ["=0.5 + i", 0.5], collide: false,
    points: {end: [0.5, 0]}}
  lamp: {shape: {circle: 0.1}, position: [-1, 3], gravity_scale: 0, velocity: [0.5, 0]}
  ball: {shape: {circle: 0.2}, position: [3, 2], gravity_scale: 0}
joints:
  base: {type: revolute, bodies: ["arm[0]", stand], anchor: [0, 0.5], limits: [-100, 120],
    motor: {position: 0.4, relative: true}}
  knee: {repeat: {i: 2}, type: revolute, bodies: ["arm[=i]", "arm[=i+1]"],
    anchor: "arm[=i].points.end", limits: [-130, 130], motor: {position: 0}}
state: {far: 1}
events:
  - {when: time, every: 0.02, do: [{reach: {tip: 'arm[2].points.end', target: lamp}}]}
  - {when: time, at: 0.5, every: 0.07, do: [{reach: {tip: 'arm[2].points.end',
      target: ["=9 * state.far", 4]}}, {set: {state.far: "=-state.far"}}]}
  - {when: time, at: 0.6, every: 0.03, do: [{reach: {tip: 'arm[2].points.end', target: mouse}}]}
  - {when: time, at: 1.6, do: [{delete: lamp}]}
  - {when: time, at: 1.8, do: [{delete: 'knee[1]'}]}
inputs:
  - {drag: lamp, from: 0.3, to: 0.9, path: [[0.3, -1, 3], [0.5, -2, 2]], max_force: 5}
  - {drag: 'arm[0]', from: 0.7, to: 1.1, path: [[0.7, 1, 1]], max_force: 5}
  - {drag: ball, from: 1.2, to: 1.7, path: [[1.2, 3, 2], [1.3, 0, 3], [1.5, 4, 0]], max_force: 9}
  - {drag: lamp, from: 1.5, to: 1.9, path: [[1.5, 1, 1]], max_force: 9}
"""


@pytest.mark.parametrize("text", [MOVED, CHAIN])
@pytest.mark.parametrize("stride", [1, 17])
def test_what_is_moved_has_the_bits_of_python(stored: Any, text: str, stride: int) -> None:
    scene = loads(text)
    assert program(scene).is_whole
    here, there = stored(scene), World(scene)
    for world in (here, there):
        world.events.enable_births()
    step_alike(here, there, stride, 210)


@pytest.mark.parametrize("text", [MOVED, CHAIN])
def test_it_goes_on_from_a_saved_state(stored: Any, text: str) -> None:
    scene = loads(text)
    whole = stored(scene)
    whole.step(190)
    for step in (35, 55, 133):
        half = World(scene)
        half.step(step)
        later = World(scene)
        later.restore(half.save())
        for world in (half, later, half.fork()):
            world.step(190 - step)
            assert world.save() == whole.save()


def test_drags_go_on_without_a_host() -> None:
    scene = loads(CHAIN)
    whole, runner = alone(scene)
    go(whole, runner, 55)
    engine, state = whole.save(), runner.save()
    go(whole, runner, 200)
    world = World(scene)
    world.step(200)
    assert whole.state_hash() == world.state_hash()
    half, again = alone(scene)
    half.restore(engine)
    again.restore(state)
    go(half, again, 200)
    assert again.save() == runner.save()
    assert half.state_hash() == whole.state_hash()


def test_a_player_drags_what_was_born(stored: Any) -> None:
    scene = loads(MOVED)
    here, there = stored(scene), World(scene)
    for world in (here, there):
        world.step(30)
        player = player_of(world)
        grab = player.grab("sky[0].dot", (0.1, 0.0), (0.0, 4.0), 50.0, 30)
        late = player.grab("sky[5].dot", (0.0, 0.0), (2.0, 4.0), 50.0, 110)
        for step in range(30, 60, 3):
            grab.move(step, (step / 20, 3.0))
            world.step(3)
        player.let_go(grab, 60)
        assert world.targets["inputs[0]"] == (57 / 20, 3.0)
        world.step(80)
        player.let_go(late, 140)
        world.step(9)
    assert here.save() == there.save()


@pytest.mark.parametrize("text", [MOVED, CHAIN])
def test_changed_programs_end_in_an_error_or_run(text: str) -> None:
    assert run_changed(loads(text), 100, 60) > 20


PIECES = """
rigid: 1
world: {dt: 0.01, gravity: [0, -2]}
prototypes: {brick: {bodies: {core: {shape: {box: [0.3, 0.3]}}}}}
bodies:
  floor: {type: static, shape: {box: [60, 1]}, position: [0, -2]}
  wall: {repeat: {i: 3}, shape: {box: [0.8, 0.4]}, position: ["=-3 + i", -1.3]}
spawners: {bricks: {use: brick, every: 0.2, at: [3, 3]}}
events:
  - {when: time, at: 0.2, do: [{destroy: {body: "wall[1]", count: 3}},
      {destroy: {body: "wall[0]", count: 2}}, {move: {what: wall, by: [0, 2]}}]}
  - {when: time, at: 0.4, do: [{destroy: {body: "wall[2]", count: 2}}]}
  - {when: time, at: 0.6, do: [{move: {what: wall, by: [1, 0], angle: 20}}]}
  - {when: time, at: 0.9, do: [{delete: wall}]}
"""


@pytest.mark.parametrize("stride", [1, 17])
def test_names_have_the_pieces_of_their_bodies_too(stored: Any, stride: int) -> None:
    scene = loads(PIECES)
    assert program(scene).is_whole
    here, there = stored(scene), World(scene)
    step_alike(here, there, stride, 80)
    assert [name for name in there.bodies if name.count(".") and name.startswith("wall")]
    step_alike(here, there, stride, 110)
    assert not [name for name in there.bodies if name.count(".") and name.startswith("wall")]
