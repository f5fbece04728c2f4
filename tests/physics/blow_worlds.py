# SPDX-License-Identifier: MIT
"""Balls in a row against a wall: random ones, the law they have to keep, and their exact motion."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rigid2d.core.scene import loads
from rigid2d.core.world import build

CORPUS = Path(__file__).parent / "blows.json"
MOST_GAIN, MOST_LOSS = 1e-3, 0.01  # of the energy
MOST_STEPS = 2000
SLOW = 1e-4  # m/s: what is slower does not bounce where nothing has weight


@dataclass(frozen=True)
class Row:
    """The first ball flies at the others; ``gaps[i]`` is in front of ball ``i``."""

    solver: str
    masses: tuple[float, ...]
    gaps: tuple[float, ...]
    speed: float = 1.0
    restitution: float = 1.0
    rate: int = 60
    radius: float = 0.1
    patience: float = 3.0

    def text(self) -> str:
        """Return the scene."""
        places, x = [], 0.0
        for gap in reversed(self.gaps):
            x -= gap + self.radius
            places.insert(0, x)
            x -= self.radius
        balls = [
            f"  b{i}: {{shape: {{circle: {self.radius!r}}}, mass: {mass!r}, position: [{at!r}, 0], "
            f"velocity: [{self.speed if i == 0 else 0!r}, 0]}}"
            for i, (mass, at) in enumerate(zip(self.masses, places, strict=True))
        ]
        return "\n".join(
            [
                "rigid: 1",
                f"world: {{gravity: [0, 0], dt: =1/{self.rate}, duration: 1000, sleep: false,",
                f"        solver: {{type: {self.solver}}}}}",
                f"materials: {{m: {{restitution: {self.restitution!r}, friction: 0}}}}",
                "defaults: {material: m}",
                "bodies:",
                "  wall: {type: static, shape: {box: [1, 4]}, position: [0.5, 0]}",
                *balls,
            ]
        )

    def seconds(self) -> float:
        """Return by when all has hit what it will, or little is left of it."""
        return (self.patience * sum(self.gaps) + 1.0) / self.speed


def random_row(seed: int) -> Row:
    """Return one of very unequal balls, touching, all but touching, or apart."""
    pick = random.Random(seed)
    count = pick.randint(2, 5)
    near = pick.choice([0.0, 1e-6, 1e-4, 1e-2, 1.0])
    gaps = [near * pick.choice([0.0, 1.0, pick.random()]) for _ in range(count)]
    if pick.random() < 0.4:
        gaps = [pick.choice([0.0, 1e-3, 0.01, 0.1, 0.5, 1.0]) for _ in range(count)]
    gaps[0] = pick.choice([0.0, 0.05, 0.5]) * pick.random() + 1e-3
    return Row(
        solver=pick.choice(["soft_step", "sequential_impulse"]),
        masses=tuple(10 ** pick.uniform(-2, 4) for _ in range(count)),
        gaps=tuple(gaps),
        speed=10 ** pick.uniform(-1, 1.3),
        restitution=pick.choice([1.0, 1.0, pick.random()]),
        rate=pick.choice([30, 60, 120, 240, 960]),
    )


@dataclass(frozen=True)
class Outcome:
    """The velocities at the end, and the last and the greatest energy, as shares of the first."""

    velocities: tuple[float, ...]
    last: float
    most: float


def outcome(row: Row) -> Outcome:
    """Run a row until it has come apart, and beyond."""
    world = build(loads(row.text()))
    first = row.masses[0] * row.speed**2
    speeds: list[float] = []
    energy = most = 1.0
    for _ in range(min(int(row.seconds() * row.rate) + 8, MOST_STEPS)):
        world.step()
        speeds = [float(world[f"b{i}"].velocity[0]) for i in range(len(row.masses))]
        energy = sum(m * v * v for m, v in zip(row.masses, speeds, strict=True)) / first
        most = max(most, energy)
    return Outcome(tuple(speeds), energy, most)


def at_rest(row: Row) -> float:
    """Return the share of its energy that may end in what is too slow to bounce."""
    return sum(row.masses) * SLOW**2 / (row.masses[0] * row.speed**2)


def broken_law(row: Row) -> str:
    """Return how a row broke the law of energy, or nothing."""
    found = outcome(row)
    if not found.most <= 1 + MOST_GAIN:
        return f"has gained up to {found.most - 1:.2%}"
    if row.restitution == 1 and not found.last >= 1 - MOST_LOSS - at_rest(row):
        return f"has lost {1 - found.last:.2%}"
    return ""


def simpler(row: Row) -> Iterator[Row]:
    """Yield rows that are a step simpler."""
    for i in range(1, len(row.masses)):
        if len(row.masses) > 2:
            masses, gaps = row.masses[:i] + row.masses[i + 1 :], row.gaps[:i] + row.gaps[i + 1 :]
            yield replace(row, masses=masses, gaps=gaps)
    for i, mass in enumerate(row.masses):
        yield replace(row, masses=(*row.masses[:i], float(f"{mass:.0e}"), *row.masses[i + 1 :]))
    for i, gap in enumerate(row.gaps):
        for other in (0.0, float(f"{gap:.0e}")):
            yield replace(row, gaps=(*row.gaps[:i], other, *row.gaps[i + 1 :]))
    yield replace(row, speed=float(round(row.speed)))
    yield replace(row, rate=60)
    yield replace(row, restitution=round(row.restitution, 1))


def shrunk(row: Row) -> Row:
    """Return the simplest row near one that breaks the law, which breaks it too."""
    tries = 100
    changed = True
    while changed and tries > 0:
        changed = False
        for other in simpler(row):
            tries -= 1
            if other != row and broken_law(other):
                row, changed = other, True
                break
    return row


def corpus() -> list[Row]:
    """Return what searches have found so far."""
    rows = json.loads(CORPUS.read_text(encoding="utf-8"))
    return [
        Row(**{**row, "masses": tuple(row["masses"]), "gaps": tuple(row["gaps"])}) for row in rows
    ]


def keep(rows: list[Row]) -> None:
    """Add findings to the corpus."""
    both = list(dict.fromkeys(corpus() + rows))
    lines = ",\n".join("  " + json.dumps(asdict(row)) for row in both)
    CORPUS.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def exact(row: Row) -> list[float]:
    """Return the velocities after all elastic blows of a row, one after the other in time."""
    count = len(row.masses)
    inverse = [1 / mass for mass in row.masses] + [0.0]
    v = [row.speed] + [0.0] * count
    gaps = list(row.gaps)
    while True:
        times = [(gaps[i] / (v[i] - v[i + 1]), i) for i in range(count) if v[i] - v[i + 1] > 1e-12]
        if not times:
            return v[:count]
        time, hit = min(times)
        gaps = [max(gap + time * (v[i + 1] - v[i]), 0.0) for i, gap in enumerate(gaps)]
        push = (1 + row.restitution) * (v[hit] - v[hit + 1]) / (inverse[hit] + inverse[hit + 1])
        v[hit] -= push * inverse[hit]
        v[hit + 1] += push * inverse[hit + 1]


def search(seeds: range) -> list[tuple[int, Row, str]]:
    """Return the seeds whose rows break the law."""
    found = []
    for seed in seeds:
        row = random_row(seed)
        if how := broken_law(row):
            found.append((seed, row, how))
    return found


if __name__ == "__main__":
    # FIRST LAST: looks at these seeds, and keeps the findings, made simpler.
    import sys

    findings = search(range(int(sys.argv[1]), int(sys.argv[2])))
    for seed, row, how in findings:
        print(seed, how, row)
    keep([shrunk(row) for _, row, _ in findings])
