# SPDX-License-Identifier: MIT
"""The table of `rigid compare` beside the same scenes worked out here, along a line, by the
documents' formulas alone. Velocities are kept in single precision between steps, as worlds do."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from rigid2d.core import load
from rigid2d.core.jobs.compare import numbers, run_variant, variants

LESSONS = Path(__file__).resolve().parents[2] / "scenes/solvers"
STEP = 50.0


def table(scene, solver, *sweep):
    loaded = load(LESSONS / f"{scene}.yaml")
    (variant,) = variants(loaded, [solver], list(sweep))
    return numbers(run_variant(loaded, variant))


def single(v):
    return v.astype(np.float32).astype(float)


def same(found, energies, depths):
    gained = np.array(energies) - energies[0]
    scale = max(energies)
    assert found["energy_gain"] == pytest.approx(gained.max(), abs=1e-6 * scale)
    assert found["energy_at_end"] == pytest.approx(gained[-1], abs=1e-6 * scale)
    assert found["penetration_max"] == pytest.approx(max(depths), abs=1e-5)
    assert found["penetration_mean"] == pytest.approx(np.mean(depths), abs=1e-5)


@pytest.mark.parametrize("grouping", ["global", "pair"])
def test_the_row_of_balls(grouping):
    """Document 000, part 2: one equation for all, or one for each pair in turn."""
    x = np.array([-90.0, *(39.999 * i for i in range(5))])
    v = single(np.array([0.1, 0, 0, 0, 0, 0]))
    energies, depths = [(v * v).sum() / 2], []
    for _ in range(60):
        gaps = x[1:] - x[:-1] - 40
        touching = [i for i in range(5) if gaps[i] <= 0]
        depths += [-gaps[i] for i in touching]
        for group in [touching] if grouping == "global" else [[i] for i in touching]:
            J = np.zeros((len(group), 6))
            for row, i in enumerate(group):
                J[row, i : i + 2] = -1, 1
            A, aim = J @ J.T, -2 * (J @ v)  # e = 1: reflected, from what it was to what it was
            impulses = np.zeros(len(group))
            for _ in range(300):
                for row in range(len(group)):
                    rest = A[row] @ impulses - A[row, row] * impulses[row]
                    impulses[row] = max(0.0, (aim[row] - rest) / A[row, row])
            v = v + J.T @ impulses
        x, v = x + STEP * v, single(v)
        energies.append((v * v).sum() / 2)
    same(table("ball_row", "pgs_matrix", f"grouping={grouping}"), energies, depths)


def test_the_heavy_and_the_light_ball():
    """Document 000, part 1: one collision after another, and only those that approach."""
    x, v = np.array([-99.99, -20.0]), single(np.array([0.1, 0.0]))
    inverse = np.array([1 / 2000, 1.0])
    energies, depths = [(v * v / inverse).sum() / 2], []
    for _ in range(40):
        gaps = [x[1] - x[0] - 80, -0.001 - (x[1] + 20)]
        touching = [k for k in (0, 1) if gaps[k] <= 0]
        depths += [-gaps[k] for k in touching]
        for _ in range(1000):
            before = v.copy()
            if 0 in touching and v[1] < v[0] - 1e-15:
                v = v + np.array([-1, 1]) * inverse * 2 * (v[0] - v[1]) / inverse.sum()
            if 1 in touching and v[1] > 1e-15:
                v = np.array([v[0], -v[1]])
            if (v == before).all():
                break
        x, v = x + STEP * v, single(v)
        energies.append((v * v / inverse).sum() / 2)
    same(table("heavy_and_light", "iterative_impulse"), energies, depths)


@pytest.mark.parametrize("springs", ["soft", "force"])
def test_the_springs(springs):
    """Document 000, part 4: implicit Euler, and semi-implicit Euler, at 1, 2, 6 and 6.4 Hz."""
    squared = (2 * math.pi * np.array([1, 2, 6, 6.4]) / 1000) ** 2
    x, v = np.full(4, 100.0), np.zeros(4)
    energies = [start := (squared * x * x).sum() / 2]
    for _ in range(30):
        v = v - STEP * squared * x
        v = v / (1 + STEP * STEP * squared) if springs == "soft" else v
        x, v = x + STEP * v, single(v)
        energies.append((v * v + squared * x * x).sum() / 2)
    found = table("spring_integrators", "pgs_matrix", f"springs={springs}")
    assert found["energy_gain"] == pytest.approx(max(energies) - start, rel=1e-5)
    assert found["energy_at_end"] == pytest.approx(energies[-1] - start, rel=1e-4)
    assert found["penetration_max"] == 0
