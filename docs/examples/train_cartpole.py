# SPDX-License-Identifier: MIT
"""Learns to balance a pole on a cart by the cross-entropy method, in NumPy alone.

    python docs/examples/train_cartpole.py scenes/tasks/cart_pole.yaml

A policy is four numbers: push to the right where their product with what is seen is above 0. Many
are drawn in each round, each balances in some worlds side by side, and the best ones say how the
next are drawn (Rubinstein and Kroese, "The Cross-Entropy Method", 2004).
"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np
import rigid2d.core.environments  # noqa: F401 - registers rigid/scene-v0


def play(env: gymnasium.vector.VectorEnv, policies: np.ndarray, seed: int) -> np.ndarray:
    """[policies] the mean return of each in its share of the worlds."""
    share = env.num_envs // len(policies)
    weights = np.repeat(policies, share, axis=0)
    seen, _ = env.reset(seed=seed)
    returns, alive = np.zeros(env.num_envs), np.ones(env.num_envs, bool)
    while alive.any():
        actions = (np.einsum("ij,ij->i", seen, weights) > 0).astype(np.int64)
        seen, rewards, ended, cut, _ = env.step(actions)
        returns += rewards * alive
        alive &= ~(ended | cut)
    return returns.reshape(len(policies), share).mean(axis=1)


def train(
    scene: str, rounds: int, policies: int = 64, worlds: int = 4, seed: int = 0
) -> tuple[np.ndarray, float]:
    """The policy that was learnt, and its mean return in worlds that it has not seen."""
    rng = np.random.default_rng(seed)
    env = gymnasium.make_vec("rigid/scene-v0", num_envs=policies * worlds, scene=scene)
    mean, deviation = np.zeros(4), np.ones(4)
    for number in range(rounds):
        drawn = mean + deviation * rng.standard_normal((policies, 4))
        returns = play(env, drawn, seed=1000 * number)
        best = drawn[np.argsort(returns)[-policies // 8 :]]
        mean, deviation = best.mean(axis=0), best.std(axis=0) + 0.02
        print(f"round {number + 1}: mean return {returns.mean():6.1f}, best {returns.max():6.1f}")
        if returns.mean() > 490:
            break
    tested = float(play(env, mean[None], seed=1_000_000)[0])
    env.close()
    return mean, tested


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("scene")
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    learnt, tested = train(options.scene, options.rounds)
    print(f"learnt {learnt.round(2)}: {tested:.1f} of 500 in worlds that it had not seen")
