# SPDX-License-Identifier: MIT
"""Learns tasks by the cross-entropy method with a small network in NumPy; draws the curve.

    python docs/examples/learn_tasks.py curve.svg scenes/tasks/cart_pole.yaml [...]

The policy is a network with one layer of eight tanh units; it serves choices (the largest output)
and ranges (tanh of each output). In each round many are drawn, each plays some episodes side by
side, and the best eighth says how the next are drawn. The curve is the mean return of the mean
policy after each round, in 64 episodes with seeds of their own.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import gymnasium
import numpy as np
import rigid2d.core.environments  # noqa: F401 - registers rigid/scene-v0

HIDDEN, POLICIES, SHARE = 8, 64, 4
TESTED = 64  # episodes of the curve


class Policies:
    """Networks of one shape, each given as a row of weights."""

    def __init__(self, env: gymnasium.vector.VectorEnv) -> None:
        self.seen = env.single_observation_space.shape[0]
        self.choices = isinstance(env.single_action_space, gymnasium.spaces.Discrete)
        space = env.single_action_space
        self.acts = int(space.n) if self.choices else space.shape[0]
        self.size = (self.seen + 1) * HIDDEN + (HIDDEN + 1) * self.acts
        self.mean, self.deviation = np.zeros(self.seen), np.ones(self.seen)

    def scale(self, seen: np.ndarray) -> None:
        """Take the usual size of observations from some of them."""
        self.mean, self.deviation = seen.mean(axis=0), seen.std(axis=0) + 1e-3

    def act(self, weights: np.ndarray, seen: np.ndarray) -> np.ndarray:
        """The action of each row of weights for its observation."""
        count, cut = len(weights), (self.seen + 1) * HIDDEN
        first = weights[:, :cut].reshape(count, self.seen + 1, HIDDEN)
        second = weights[:, cut:].reshape(count, HIDDEN + 1, self.acts)
        scaled = (seen - self.mean) / self.deviation
        hidden = np.tanh(np.einsum("ij,ijk->ik", scaled, first[:, :-1]) + first[:, -1])
        out = np.einsum("ij,ijk->ik", hidden, second[:, :-1]) + second[:, -1]
        return out.argmax(axis=1) if self.choices else np.tanh(out).astype(np.float32)


def play(
    env: gymnasium.vector.VectorEnv, policies: Policies, weights: np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """[worlds] the return of the first episode of each, and some of the observations."""
    seen, _ = env.reset(seed=seed)
    returns, alive, kept = np.zeros(env.num_envs), np.ones(env.num_envs, bool), [seen]
    while alive.any():
        seen, rewards, ended, cut, _ = env.step(policies.act(weights, seen))
        returns += rewards * alive
        alive &= ~(ended | cut)
        kept.append(seen[alive])
    return returns, np.concatenate(kept[::10])


def learn(scene: str, rounds: int, seed: int = 0) -> list[float]:
    """The mean return before the first round and after each."""
    rng = np.random.default_rng(seed)
    env = gymnasium.make_vec("rigid/scene-v0", num_envs=POLICIES * SHARE, scene=scene)
    test = gymnasium.make_vec("rigid/scene-v0", num_envs=TESTED, scene=scene)
    policies = Policies(env)
    mean, deviation = np.zeros(policies.size), np.ones(policies.size)
    policies.scale(play(env, policies, rng.standard_normal((env.num_envs, policies.size)), 0)[1])
    curve = []
    for number in range(rounds + 1):
        weights = np.repeat(mean[None], TESTED, axis=0)
        curve.append(float(play(test, policies, weights, 10_000_000)[0].mean()))
        print(f"{Path(scene).stem}: round {number}: mean return {curve[-1]:.1f}", flush=True)
        drawn = mean + deviation * rng.standard_normal((POLICIES, policies.size))
        returns, _ = play(env, policies, np.repeat(drawn, SHARE, axis=0), 1000 * (number + 1))
        order = np.argsort(returns.reshape(POLICIES, SHARE).mean(axis=1))
        best = drawn[order[-POLICIES // 8 :]]
        mean, deviation = best.mean(axis=0), best.std(axis=0) + 0.2 * 0.95**number
    env.close()
    test.close()
    return curve


def drawn(curves: dict[str, list[float]]) -> str:
    """An SVG with a panel for each task."""
    width, height, left, top = 230, 150, 52, 26
    parts = []
    for index, (name, curve) in enumerate(curves.items()):
        low, high = min(curve), max(curve)
        x = left + index * (width + left) + np.linspace(0, width, len(curve))
        y = top + height * (1 - (np.array(curve) - low) / (high - low or 1))
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        parts.append(
            f'<text x="{x[0]:.0f}" y="16" font-weight="bold">{name}</text>'
            f'<rect x="{x[0]:.0f}" y="{top}" width="{width}" height="{height}" fill="#f8f9fa" '
            'stroke="#adb5bd"/>'
            f'<polyline points="{points}" fill="none" stroke="#1d3557" stroke-width="2"/>'
            f'<text x="{x[0] - 6:.0f}" y="{top + 8}" text-anchor="end">{high:.0f}</text>'
            f'<text x="{x[0] - 6:.0f}" y="{top + height}" text-anchor="end">{low:.0f}</text>'
            f'<text x="{x[-1]:.0f}" y="{top + height + 18}" text-anchor="end">'
            f"{len(curve) - 1} rounds</text>"
        )
    whole = left + len(curves) * (width + left)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {top + height + 30}" '
        f'font-family="sans-serif" font-size="12" fill="#212529"><rect width="100%" height="100%" '
        f'fill="white"/>{"".join(parts)}</svg>\n'
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("picture")
    parser.add_argument("scenes", nargs="+")
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    curves = {Path(scene).stem: learn(scene, options.rounds) for scene in options.scenes}
    Path(options.picture).write_text(drawn(curves), encoding="utf-8")
