# SPDX-License-Identifier: MIT
"""Times births and deaths in a running world: as much dies as is born.

    python tests/benchmarks/births.py [--bodies 1000] [--births 100000] [--no-pymunk]

Balls and boxes rain on a floor; before each step ten are born, in one call, and the oldest die.
Told are milliseconds a step (the births and deaths, and the step itself), and the memory that the
process holds, in pieces of a tenth of the run. Then, how fast scenes run that do a thousand births
and a thousand deletions a second by themselves. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from rigid2d.core import World, loads

EACH = 10  # births before a step
SCENE = """
rigid: 1
bodies:
  floor: {type: static, shape: {box: [600, 1]}, position: [0, -0.5]}
"""
SCRIPTED = """
rigid: 1
world: {duration: 10}
prototypes: {drop: {bodies: {ball: {shape: {circle: 0.01}, tags: [drop]}}}}
bodies: {roof: {type: static, shape: {box: [60, 0.2]}, position: [0, 2], tags: [roof]}}
"""
DROP = '{use: drop, at: ["=uniform(-30, 30)", 6], velocity: [0, -10]}'
FALLEN = "{when: leave, tags: [drop], region: [[-90, 3], [90, 9]], do: [{delete: $a}]}"
SPAWNED = ", ".join([f"{{spawn: {DROP}}}"] * 17)  # at 60 steps a second
ALONE = f"{{when: time, at: 0, every: =1/60, do: [{SPAWNED}]}}"
HEARD = "{when: collision, tags: [drop, roof], do: [{delete: $a}]}"
RAIN = f"spawners: {{rain: {{every: 0.001, {DROP[1:]}}}"
BY_THEMSELVES = {
    "spawned one by one": f"events: [{ALONE}, {FALLEN}]",
    "of a spawner": f"{RAIN}\nevents: [{FALLEN}]",
    "of a spawner, deleted where they hit": f"{RAIN}\nevents: [{HEARD}]",
}


class Rain(Protocol):
    """A world in which drops come and go."""

    def bear(self, numbers: range) -> list[Any]: ...
    def kill(self, drop: Any) -> None: ...
    def step(self) -> None: ...


def place(number: int) -> tuple[float, float]:
    """Spread over the width, without a random number."""
    return -280.0 + 560.0 * (number * 0.6180339887 % 1.0), 3.0


class OurRain:
    def __init__(self) -> None:
        self.world = World(loads(SCENE))

    def bear(self, numbers: range) -> list[str]:
        drops = {
            f"drop[{number}]": {
                "shape": {"circle": 0.25} if number % 2 else {"box": [0.5, 0.5]},
                "position": place(number),
            }
            for number in numbers
        }
        self.world.add({"bodies": drops})
        return list(drops)

    def kill(self, drop: str) -> None:
        self.world.remove(drop)

    def step(self) -> None:
        self.world.step()


class PreparedRain(OurRain):
    """The same drops, as copies of two fragments that are read once."""

    def __init__(self) -> None:
        super().__init__()
        shapes: list[dict[str, Any]] = [{"box": [0.5, 0.5]}, {"circle": 0.25}]
        self.kinds = [
            self.world.prepare({"bodies": {"drop": {"shape": shape}}}) for shape in shapes
        ]

    def bear(self, numbers: range) -> list[str]:
        born: list[str] = []
        for number in numbers:
            born += self.kinds[number % 2].add(f"drop[{number}]", at=place(number))
        return born


class PymunkRain:
    def __init__(self) -> None:
        import pymunk

        self.pymunk = pymunk
        self.space = pymunk.Space()
        self.space.gravity = (0, -9.81)
        floor = pymunk.Segment(self.space.static_body, (-300, -0.5), (300, -0.5), 0.5)
        floor.friction = 0.6
        self.space.add(floor)

    def bear(self, numbers: range) -> list[Any]:
        drops = []
        for number in numbers:
            body = self.pymunk.Body()
            body.position = place(number)
            shape: Any = (
                self.pymunk.Circle(body, 0.25)
                if number % 2
                else self.pymunk.Poly.create_box(body, (0.5, 0.5))
            )
            shape.density, shape.friction = 1, 0.6
            self.space.add(body, shape)
            drops.append((body, shape))
        return drops

    def kill(self, drop: Any) -> None:
        self.space.remove(*drop)

    def step(self) -> None:
        self.space.step(1 / 60)


@dataclass(frozen=True)
class Piece:
    """A tenth of a run: milliseconds a step, and MiB that are held at its end."""

    changing: float
    stepping: float
    memory: float


def run(make: Callable[[], Rain], bodies: int, births: int) -> list[Piece]:
    rain = make()
    living: deque[Any] = deque()
    pieces = []
    steps = births // EACH
    number = 0
    for piece in range(10):
        changing = stepping = 0.0
        count = steps * (piece + 1) // 10 - steps * piece // 10
        for _ in range(count):
            begin = time.perf_counter()
            living.extend(rain.bear(range(number, number + EACH)))
            number += EACH
            while len(living) > bodies:
                rain.kill(living.popleft())
            changed = time.perf_counter()
            rain.step()
            stepping += time.perf_counter() - changed
            changing += changed - begin
        pieces.append(Piece(1e3 * changing / count, 1e3 * stepping / count, held_memory()))
    return pieces


def times_real_time(text: str) -> float:
    """The speed of a scene relative to real time, the best of three runs."""
    scene, best = loads(text), 0.0
    for _ in range(3):
        world = World(scene)
        begin = time.process_time()
        world.step(scene.world.steps)
        best = max(best, world.time / (time.process_time() - begin))
    return best


def held_memory() -> float:
    """MiB in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description="Times births and deaths in a running world.")
    parser.add_argument("--bodies", type=int, default=1000)
    parser.add_argument("--births", type=int, default=100_000)
    parser.add_argument("--no-pymunk", action="store_true")
    options = parser.parse_args()
    engines: dict[str, Callable[[], Rain]] = {"rigid": OurRain, "rigid, prepared": PreparedRain}
    if not options.no_pymunk:
        engines["pymunk"] = PymunkRain
    for name, make in engines.items():
        print(f"{name}: {options.births} births, {EACH} a step, {options.bodies} bodies")
        for tenth, piece in enumerate(run(make, options.bodies, options.births), start=1):
            print(
                f"  {tenth:2}/10  births and deaths {piece.changing:6.2f} ms a step  "
                f"step {piece.stepping:6.2f} ms  {piece.memory:6.1f} MiB",
                flush=True,
            )
    for name, text in BY_THEMSELVES.items():
        speed = times_real_time(SCRIPTED + text)
        print(f"1000 births and deletions a second, {name}: {speed:.0f} times real time")


if __name__ == "__main__":
    main()
