# SPDX-License-Identifier: MIT
"""Steps a second of environments beside other engines, in one run.

    python tests/benchmarks/environments.py [--rounds 5] [--threads 1]

The lunar lander beside Gymnasium's own (pip install "gymnasium[box2d]"), the cart's pole beside a
SyncVectorEnv of environments that step pymunk and beside Gymnasium's own vector of the equations of
that one machine in NumPy. What is not installed is left out. All take turns,
so that what else the machine does meets them alike; told is the best round of each, per second of
the processor with one thread, and of the clock with more.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import rigid2d.core.environments
from rigid2d.core.environments import ENVIRONMENT

SCENES = Path(__file__).resolve().parents[2] / "scenes"
CART, LANDER = (str(SCENES / f"tasks/{name}.yaml") for name in ("cart_pole", "lunar_lander"))
GAME = str(SCENES / "living" / "asteroids.yaml")
Clock = Callable[[], float]
WARM = 300  # steps until all layouts are built and episodes are out of step with each other


def steps_of_one(env: Any, count: int, clock: Clock) -> Callable[[], float]:
    """Steps a second of an environment with actions by chance."""
    env.reset(seed=0)
    actions = [env.action_space.sample() for _ in range(count)]

    def measure() -> float:
        begin = clock()
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        return count / (clock() - begin)

    return measure


def steps_of_many(env: Any, count: int, clock: Clock) -> Callable[[], float]:
    """The same of a vector; a step counts once for each world."""
    env.reset(seed=0)
    actions = [env.action_space.sample() for _ in range(count)]
    for i in range(WARM):
        env.step(actions[i % count])

    def measure() -> float:
        begin = clock()
        for action in actions:
            env.step(action)
        return count * env.num_envs / (clock() - begin)

    return measure


def pymunk_cart() -> type[gymnasium.Env]:
    """The cart's pole of pymunk, with the numbers of the scene."""
    import pymunk

    class PymunkCart(gymnasium.Env):
        observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (4,), np.float32)
        action_space = gymnasium.spaces.Discrete(2)

        def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
            super().reset(seed=seed)
            self.space = pymunk.Space()
            self.space.gravity = (0, -9.81)
            self.cart, self.pole = pymunk.Body(1, 0.01), pymunk.Body(0.1, 0.1 * 0.25 / 3)
            x, v, angle, omega = self.np_random.uniform(-0.05, 0.05, 4)
            self.cart.position, self.cart.velocity = (x, 0), (v, 0)
            self.pole.angle, self.pole.angular_velocity = angle, omega
            self.pole.position = self.cart.position + pymunk.Vec2d(0, 0.5).rotated(angle)
            ground = self.space.static_body
            self.space.add(self.cart, self.pole)
            self.space.add(
                pymunk.GrooveJoint(ground, self.cart, (-10, 0), (10, 0), (0, 0)),
                pymunk.RotaryLimitJoint(ground, self.cart, 0, 0),
                pymunk.PivotJoint(self.cart, self.pole, (0, 0), (0, -0.5)),
            )
            self.steps = 0
            return self.seen(), {}

        def seen(self) -> Any:
            cart, pole = self.cart, self.pole
            numbers = [cart.position.x, cart.velocity.x, pole.angle, pole.angular_velocity]
            return np.array(numbers, np.float32)

        def step(self, action: Any) -> Any:
            self.cart.apply_force_at_local_point((10 if action else -10, 0))
            self.space.step(0.02)
            self.steps += 1
            over = abs(self.pole.angle) > 0.2095 or abs(self.cart.position.x) > 2.4
            return self.seen(), 1.0, bool(over), self.steps >= 500, {}

    return PymunkCart


def contenders(worlds: int, threads: int) -> dict[str, dict[str, Callable[[], float]]]:
    """The measured environments, by task and name; the first of each is the reference."""
    one = gymnasium.make
    clock = time.process_time if threads == 1 else time.perf_counter
    many = {"num_envs": worlds, "threads": threads}
    landers: dict[str, Callable[[], float]] = {}
    carts: dict[str, Callable[[], float]] = {}
    try:
        landers["gymnasium[box2d]"] = steps_of_one(one("LunarLander-v3"), 2000, clock)
    except gymnasium.error.DependencyNotInstalled:
        print("gymnasium[box2d] is not installed: left out")
    try:
        made = [pymunk_cart()] * 16
        carts["pymunk, SyncVectorEnv"] = steps_of_many(
            gymnasium.vector.SyncVectorEnv(made), 150, clock
        )
    except ImportError:
        print("pymunk is not installed: left out")
    numpy_carts = gymnasium.make_vec(
        "CartPole-v1", num_envs=worlds, vectorization_mode="vector_entry_point"
    )
    carts[f"gymnasium, NumPy, {worlds} carts"] = steps_of_many(numpy_carts, 100, clock)
    landers["rigid, one"] = steps_of_one(one(ENVIRONMENT, scene=LANDER), 2000, clock)
    carts["rigid, one"] = steps_of_one(one(ENVIRONMENT, scene=CART), 2000, clock)
    for name, scene, found in (("landers", LANDER, landers), ("carts", CART, carts)):
        label = f"rigid, {worlds} {name}, {threads} thread{'s' if threads > 1 else ''}"
        found[label] = steps_of_many(
            gymnasium.make_vec(ENVIRONMENT, scene=scene, **many), 100, clock
        )
    game = {
        "rigid, one": steps_of_one(one(ENVIRONMENT, scene=GAME), 300, clock),
        "rigid, 16 games": steps_of_many(
            gymnasium.make_vec(ENVIRONMENT, scene=GAME, num_envs=16), 20, clock
        ),
    }
    return {"lunar lander": landers, "cart pole": carts, "game": game}


def main() -> None:
    """Measure in turns, and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    for task, named in contenders(options.worlds, options.threads).items():
        best = dict.fromkeys(named, 0.0)
        for _ in range(options.rounds):
            for name, measure in named.items():
                best[name] = max(best[name], measure())
        first = next(iter(best.values()))
        for name, rate in best.items():
            print(f"{task:14} {name:32} {rate:12,.0f} steps/s {rate / first:8.1f} x")


if __name__ == "__main__":
    assert rigid2d.core.environments  # which registers them
    main()
