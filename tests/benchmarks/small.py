# SPDX-License-Identifier: MIT
"""Times small worlds, alone and many at once, beside pymunk where it is installed.

    python tests/benchmarks/small.py [--rounds 9] [--worlds 4096] [--lanes 0] [--no-pymunk]

A cart with a pole on a rail, a pyramid of 55 boxes after a second, and many carts in a `Batch`.
Processor time of one thread, in microseconds for a world and a step: medians of rounds in which all
take their turns.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

from rigid2d.core import Batch, World, loads

CART = """
rigid: 1
world: {dt: 0.02, sleep: false}
bodies:
  cart: {shape: {box: [0.5, 0.3]}, mass: 1, collide: false}
  pole: {shape: {box: [0.05, 1]}, position: [0, 0.5], mass: 0.1, angle: 2, collide: false}
joints:
  rail: {type: prismatic, bodies: [world, cart], axis: [1, 0], motor: {speed: 0, max_force: 0}}
  pin: {type: revolute, bodies: [cart, pole], anchor: [0, 0]}
"""
# Rows of boxes 1 m wide, each row half a box to the right of the one below it.
BASE = 10
PYRAMID = "rigid: 1\nworld: {sleep: false}\nbodies:\n"
PYRAMID += "  ground: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}\n"
PLACES = [(column + 0.5 * row, row + 0.5) for row in range(BASE) for column in range(BASE - row)]
PYRAMID += "".join(
    f"  box{i}: {{shape: {{box: [1, 1]}}, position: [{x}, {y}]}}\n"
    for i, (x, y) in enumerate(PLACES)
)


def pymunk_cart() -> Any:
    import pymunk

    space = pymunk.Space()
    space.gravity = (0, -9.81)
    cart, pole = pymunk.Body(1.0, 0.03), pymunk.Body(0.1, 0.0084)
    pole.position, pole.angle = (0, 0.5), 0.03
    rail = pymunk.GrooveJoint(space.static_body, cart, (-1e3, 0), (1e3, 0), (0, 0))
    upright = pymunk.RotaryLimitJoint(space.static_body, cart, 0, 0)
    space.add(cart, pole, rail, upright, pymunk.PivotJoint(cart, pole, (0, 0)))
    return space


def pymunk_pyramid() -> Any:
    import pymunk

    space = pymunk.Space()
    space.gravity = (0, -9.81)
    ground = pymunk.Segment(space.static_body, (-20, -0.5), (20, -0.5), 0.5)
    ground.friction = 0.6
    space.add(ground)
    for x, y in PLACES:
        body = pymunk.Body()
        body.position = x, y
        shape = pymunk.Poly.create_box(body, (1, 1))
        shape.density, shape.friction = 1, 0.6
        space.add(body, shape)
    return space


def pymunk_spaces() -> list[tuple[str, Any, float]]:
    spaces = [("cart and pole", pymunk_cart(), 0.02), ("55 boxes", pymunk_pyramid(), 1 / 60)]
    for _, space, dt in spaces:
        steps_of(space, dt, 60)()
    return spaces


def steps_of(space: Any, dt: float, steps: int) -> Callable[[], None]:
    def work() -> None:
        for _ in range(steps):
            space.step(dt)

    return work


def microseconds(work: Callable[[], object], steps: int, least: float = 0.02) -> float:
    """The processor time of one of the ``steps`` that a call does."""
    calls, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < least:
        work()
        calls += 1
    return 1e6 * spent / (calls * steps)


def measure(rounds: int, worlds: int, lanes: int = 0, peer: bool = True) -> dict[str, float]:
    """Microseconds of a world and a step, by name; those of pymunk where it is asked for."""
    cart, pyramid = World(loads(CART), lanes=lanes), World(loads(PYRAMID), lanes=lanes)
    batch = Batch(loads(CART), worlds, lanes=lanes)
    pyramid.step(60)
    works: dict[str, tuple[Callable[[], object], int]] = {
        "cart and pole": (lambda: cart.native.step(1000), 1000),
        "55 boxes": (lambda: pyramid.native.step(100), 100),
        f"{worlds} carts": (lambda: batch.step(4), 4 * worlds),
    }
    if peer:
        for name, space, dt in pymunk_spaces():
            works[f"pymunk, {name}"] = steps_of(space, dt, 100), 100
    for work, _ in works.values():
        work()  # what a world's first steps find and make, and memory that is touched first
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, (work, steps) in works.items():
            times[name].append(microseconds(work, steps))
    return {name: statistics.median(found) for name, found in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Times small worlds, alone and many at once.")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--worlds", type=int, default=4096)
    parser.add_argument("--lanes", type=int, default=0)
    parser.add_argument("--no-pymunk", action="store_true")
    options = parser.parse_args()
    medians = measure(options.rounds, options.worlds, options.lanes, not options.no_pymunk)
    for name, took in medians.items():
        peer = medians.get(f"pymunk, {name}")
        print(f"{name:22} {took:9.3f} us{f'  pymunk / this {peer / took:6.2f}' if peer else ''}")


if __name__ == "__main__":
    main()
