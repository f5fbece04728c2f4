# SPDX-License-Identifier: MIT
"""A world that is kept busy for long: ``python -m tests.robustness.soak --steps 200000``.

Bodies in a closed room are pushed, thrown, put elsewhere, put to sleep and woken; motors and joints
change, joints are taken out; bodies leave, and others are born, some of them in pairs. Nothing may
escape, every number stays finite, and memory stays level. Now and then the world is built anew.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import rigid2d.core
from rigid2d.core import World

ROOM = 40.0  # metres, the length of its sides
EDGE = 0.5  # what may stick into a wall
BETWEEN = 20  # steps between two disturbances
GENERATION = 20_000  # steps of a world, before the next one is built
LEVEL = 32 * 2**20  # bytes that memory may grow by after the first generation
BORN = 300  # bodies that were born and are there, at most
JOINTED = 10  # one body in so many hangs on the one before it

SCENE = """\
rigid: 1
world: {{steps: 1000000, seed: {seed}}}
bodies:
  floor: {{type: static, shape: {{box: [44, 2]}}, position: [0, -21]}}
  roof: {{type: static, shape: {{box: [44, 2]}}, position: [0, 21]}}
  left: {{type: static, shape: {{box: [2, 44]}}, position: [-21, 0]}}
  right: {{type: static, shape: {{box: [2, 44]}}, position: [21, 0]}}
  mill: {{type: kinematic, shape: {{box: [12, 0.5]}}, angular_velocity: 40}}
  ball: {{repeat: {{i: {third}}}, shape: {{circle: "=uniform(0.1, 0.3)"}}, restitution: 0.4,
         position: ["=uniform(-19, 19)", "=uniform(7, 19)"]}}
  box: {{repeat: {{i: {third}}}, shape: {{box: ["=uniform(0.2, 0.6)", 0.3]}},
        position: ["=uniform(-19, -7)", "=uniform(-19, 19)"]}}
  gem: {{repeat: {{i: {third}}}, shape: {{regular_polygon: {{sides: =3 + i % 5, radius: 0.3}}}},
        position: ["=uniform(7, 19)", "=uniform(-19, 19)"]}}
joints:
  rope: {{repeat: {{i: {joints}}}, type: distance, bodies: ["ball[=i*2]", "ball[=i*2+1]"],
         rope: true, max_length: 3, break: {{force: 5000}}}}
  hook: {{repeat: {{i: {joints}}}, type: mouse, body: "box[=i]", max_force: 20}}
actuators:
  wind: {{type: force, body: gem, force: [0.2, 0], start: 1}}
"""


@dataclass(frozen=True, slots=True)
class Soaked:
    """What became of a soak."""

    steps: int
    disturbances: int
    memory: tuple[int, ...]
    """Bytes that the process holds at the end of each generation."""


def scene_text(bodies: int, seed: int) -> str:
    """A closed room with so many bodies in it."""
    third = max(4, bodies // 3)
    return SCENE.format(third=third, joints=third // JOINTED + 1, seed=seed)


def soak(
    bodies: int,
    steps: int,
    seed: int,
    *,
    threads: int = 1,
    generation: int = GENERATION,
    tell: Callable[[int, int], None] = lambda steps, memory: None,
) -> Soaked:
    """Keep rooms of bodies busy; AssertionError when something escapes or is not finite.

    ``tell`` is called after each generation with the steps so far and the bytes that are held.
    """
    choose = random.Random(seed)
    done = disturbances = 0
    memory: list[int] = []
    while done < steps:
        scene = rigid2d.core.loads(scene_text(bodies, seed + len(memory)))
        world = rigid2d.core.build(scene, threads=threads)
        for _ in range(0, min(generation, steps - done), BETWEEN):
            for deed in choose.choices(DEEDS, k=3):
                deed(choose, world)
                disturbances += 1
            world.step(BETWEEN)
            world.events.take()
            check_room(world)
        done += world.step_count
        memory.append(held_memory())
        tell(done, memory[-1])
    return Soaked(done, disturbances, tuple(memory))


def check_room(world: World) -> None:
    """Everything that is there is inside, and finite."""
    frame = world.frame()
    assert frame.scene is not None
    inside = ROOM / 2 + EDGE
    names = list(frame.scene.bodies)
    moving = np.array(["[" in name for name in names]) & frame.alive
    places = frame.pose[:, :2]
    assert np.isfinite(places[moving]).all(), f"step {world.step_count}: not finite"
    out = np.flatnonzero((np.abs(places) > inside).any(axis=1) & moving)
    assert not len(out), f"step {world.step_count}: {[names[i] for i in out]} outside"


def held_memory() -> int:
    """Bytes in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


# ---------------------------------------------------------------- disturbances


def _some(choose: random.Random, world: World) -> str:
    return choose.choice([name for name in world.scene.bodies if "[" in name])


def _throw(choose: random.Random, world: World) -> None:
    body = world[_some(choose, world)]
    if body.alive:
        body.velocity = choose.uniform(-15, 15), choose.uniform(-15, 15)


def _push(choose: random.Random, world: World) -> None:
    body = world[_some(choose, world)]
    if body.alive:
        body.apply_force((choose.uniform(-50, 50), choose.uniform(-50, 50)))
        body.apply_torque(choose.uniform(-1, 1))


def _put(choose: random.Random, world: World) -> None:
    body = world[_some(choose, world)]
    if body.alive:
        body.position = choose.uniform(-18, 18), choose.uniform(-18, 18)


def _sleep(choose: random.Random, world: World) -> None:
    body = world[_some(choose, world)]
    if body.alive:
        body.awake = choose.random() < 0.5


def _lead(choose: random.Random, world: World) -> None:
    joint = world.joint(choose.choice([name for name in world.scene.joints if name[0] == "h"]))
    if not joint.broken:
        joint.set_target((choose.uniform(-18, 18), choose.uniform(-18, 18)))


def _blow(choose: random.Random, world: World) -> None:
    world.actuator("wind").set("force", (choose.uniform(-0.5, 0.5), 0.0))


def _part(choose: random.Random, world: World) -> None:
    joint = world.joint(choose.choice(list(world.scene.joints)))
    if not joint.broken and choose.random() < 0.1:
        joint.remove()


def _leave(choose: random.Random, world: World) -> None:
    body = world[_some(choose, world)]
    if body.alive and choose.random() < 0.1:
        body.remove()


def _turn_over(choose: random.Random, world: World) -> None:
    """A pair on a rod is born, a stone beside it, and once there are many the oldest go."""
    number = world.step_count
    while world.roster.was(f"new[{number}]"):
        number += 1
    names = [f"new[{number}]", f"mate[{number}]", f"stone[{number}]"]
    x, y = choose.uniform(-18, 18), choose.uniform(-18, 18)
    stone = {"regular_polygon": {"sides": 5, "radius": 0.3}}
    shapes: list[dict[str, Any]] = [{"circle": 0.2}, {"box": [0.4, 0.3]}, stone]
    bodies = {
        name: {"shape": shape, "position": [x + 0.5 * i, y]}
        for i, (name, shape) in enumerate(zip(names, shapes, strict=True))
    }
    rod = {"type": "distance", "bodies": names[:2]}
    push = {"type": "force", "body": names[2], "force": [0.1, 0]}
    world.add(
        {
            "bodies": bodies,
            "joints": {f"rod[{number}]": rod},
            "actuators": {f"push[{number}]": push},
        }
    )
    born = list(world.roster.born.values())
    for name in born[: max(0, len(born) - BORN)]:
        if name in world:
            world.remove(name)


DEEDS: tuple[Callable[[random.Random, World], None], ...] = (
    *(_throw, _push, _put, _sleep, _lead, _blow, _part, _leave, _turn_over, _turn_over, _turn_over),
)
"""What disturbs a world."""


def main() -> int:
    """Soak, and tell the memory of each generation; 1 when it grew."""
    parser = argparse.ArgumentParser(prog="python -m tests.robustness.soak", description=__doc__)
    parser.add_argument("--bodies", type=int, default=2000)
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--generation", type=int, default=GENERATION)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    begun = time.monotonic()

    def tell(steps: int, memory: int) -> None:
        spent = time.monotonic() - begun
        print(f"{steps:8} steps {memory / 2**20:6.1f} MiB {spent:6.0f} s", flush=True)

    soaked = soak(
        given.bodies,
        given.steps,
        given.seed,
        threads=given.threads,
        generation=given.generation,
        tell=tell,
    )
    print(f"{soaked.disturbances} disturbances, nothing escaped")
    return int(max(soaked.memory) > soaked.memory[0] + LEVEL)


if __name__ == "__main__":
    sys.exit(main())
