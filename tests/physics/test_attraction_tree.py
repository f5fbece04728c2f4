# SPDX-License-Identifier: MIT
"""Attraction of many bodies: the error of its cells, what they keep, and their bits."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from rigid2d.core import Batch, World, _native, loads

from tests.rows import every_row
from tests.search import tries

Float64 = NDArray[np.float64]
Rng = np.random.Generator
COUNT = 1500
LARGEST = 5e-3  # of the sum of the sizes of all pulls on a body
LARGEST_OF_SUNS = 2e-2  # the same where most of the mass is in few places (docs/scene-format.md)
MEAN = 1e-3  # root mean square of that over all bodies


def plummer(rng: Rng) -> Float64:
    radius = 1 / np.sqrt(rng.uniform(1e-3, 1, COUNT) ** (-2 / 3) - 1 + 1e-9)
    angle = rng.uniform(0, 2 * np.pi, COUNT)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)


def two_clusters(rng: Rng) -> Float64:
    near, far = rng.normal(size=(COUNT // 2, 2)), rng.normal(size=(COUNT - COUNT // 2, 2))
    return np.concatenate([near, 0.01 * far + [30, 1]])


def line(rng: Rng) -> Float64:
    x = rng.uniform(-1, 1, COUNT)
    return np.stack([x, 0.3 * x], 1)


PLACES: dict[str, Callable[[Rng], Float64]] = {
    "uniform": lambda rng: rng.uniform(-1, 1, (COUNT, 2)),
    "gauss": lambda rng: rng.normal(size=(COUNT, 2)),
    "plummer": plummer,
    "two clusters": two_clusters,
    "line": line,
    "all scales": lambda rng: rng.normal(size=(COUNT, 2)) * 10.0 ** rng.uniform(-6, 3, (COUNT, 1)),
    "coincident": lambda rng: rng.integers(0, 7, (COUNT, 2)) * 1.0,
    "grid": lambda rng: rng.integers(0, 60, (COUNT, 2)) * 1.0,
    "far out": lambda rng: rng.uniform(-1, 1, (COUNT, 2)) + np.array([1e6, -1e6]),
}
MASSES: dict[str, Callable[[Rng], Float64]] = {
    "alike": lambda rng: np.ones(COUNT),
    "1 to 1e12": lambda rng: 10.0 ** rng.uniform(-6, 6, COUNT),
    "a sun": lambda rng: np.concatenate([[1e9], np.ones(COUNT - 1)]),
    "suns": lambda rng: np.where(np.arange(COUNT) < 20, 1e6, 1.0),
}


def all_pairs(points: Float64, softening: float) -> tuple[Float64, Float64, float]:
    """The forces, the sums of the sizes of pulls, and the potential, by all pairs."""
    x, y, mass = points.T
    dx, dy = x[None] - x[:, None], y[None] - y[:, None]
    near = dx * dx + dy * dy
    squared = near + softening * softening
    with np.errstate(divide="ignore"):
        inverse = 1 / np.sqrt(squared)
    inverse[squared == 0] = 0.0
    pull = inverse * mass
    pull *= mass[:, None]
    potential = float((pull.sum() - np.trace(pull)) / 2)
    pull *= inverse
    pull *= inverse
    forces = np.stack([np.einsum("ij,ij->i", pull, each) for each in (dx, dy)], 1)
    return forces, np.einsum("ij,ij->i", pull, np.sqrt(near, out=near)), potential


@pytest.mark.parametrize(
    ("places", "masses", "softening"),
    [*product(PLACES, MASSES, [0.0, 0.05])][:: tries(5, 1)],
)
def test_the_error_of_each_force_is_bounded_and_momentum_is_kept(
    places: str, masses: str, softening: float
) -> None:
    rng = np.random.default_rng(len(places) * 100 + len(masses))
    points = np.concatenate([PLACES[places](rng), MASSES[masses](rng)[:, None]], 1)
    forces, sizes, potential = all_pairs(points, softening)
    found = np.array(_native.attraction_of(points.tolist(), softening))
    pulled = sizes > 0
    error = np.hypot(*(found - forces).T)[pulled] / sizes[pulled]
    assert error.max() < LARGEST
    assert np.sqrt(np.mean(error * error)) < MEAN
    assert np.abs(found.sum(axis=0)).max() < 1e-14 * sizes.sum()
    assert _native.attraction_potential(points.tolist(), softening) == pytest.approx(
        potential, rel=1e-4
    )


@pytest.mark.parametrize(
    ("count", "side", "mass"), [(1100, 4, 5e8), (1010, 5, 6e6), (2500, 12, 4e10)]
)
def test_the_error_is_bounded_where_one_body_has_most_of_the_mass(
    count: int, side: int, mass: float
) -> None:
    rng = np.random.default_rng(count)
    places = rng.integers(0, side, (count, 2)) * 1.0
    points = np.concatenate([places, np.where(np.arange(count) < 1, mass, 1.0)[:, None]], 1)
    forces, sizes, _ = all_pairs(points, 0.0)
    error = np.hypot(*(np.array(_native.attraction_of(points.tolist(), 0.0)) - forces).T)
    assert (error <= LARGEST_OF_SUNS * sizes).all()


def test_cells_are_for_many_bodies_alone() -> None:
    assert _native.ATTRACTION_EXACT == 1000


def test_points_that_are_no_numbers_pull_nothing() -> None:
    points = [[float(i), 0.0, 1.0] for i in range(40)] + [[np.nan, 0, 1], [np.inf, 0, 1]]
    found = np.array(_native.attraction_of(points, 0.0))
    assert np.isfinite(found[:40]).all()
    assert (found[40:] == 0).all()


@every_row("count", [1, 2, 30, 3000])
def test_points_in_one_place_do_not_pull_each_other(count: int) -> None:
    points = [[0.1, 0.2, 3.0]] * count
    assert not np.array(_native.attraction_of(points, 0.0)).any()
    expected = 9.0 * count * (count - 1) / 2 / 0.5
    assert _native.attraction_potential(points, 0.5) == pytest.approx(expected)


CLUSTER = """
rigid: 1
world: {{gravity: [0, 0], dt: 0.005, attraction: {{strength: 1e-4, softening: 0.05}},
         solver: {{type: {solver}}}, seed: 5}}
bodies:
  star:
    repeat: {{i: {count}}}
    shape: {{circle: 0.001}}
    collide: {collide}
    mass: 1
    position: ["=uniform(-1, 1)", "=uniform(-1, 1)"]
    velocity: ["=uniform(-0.01, 0.01)", "=uniform(-0.01, 0.01)"]
"""


def cluster(solver: str = "soft_step", count: int = 1100, collide: str = "false", **how) -> World:
    return World(loads(CLUSTER.format(solver=solver, count=count, collide=collide)), **how)


def energy_and_momentum(world: World) -> tuple[float, float, Float64]:
    """Kinetic and potential energy, and the momentum."""
    kinetic, potential = world.native.energy()
    mass = world.native.mass[1:].astype(np.float64)
    velocity = np.stack([world.native.vx[1:], world.native.vy[1:]], 1).astype(np.float64)
    return kinetic, potential, (mass[:, None] * velocity).sum(axis=0)


@pytest.mark.parametrize("solver", ["soft_step", "sequential_impulse"])
def test_a_cluster_keeps_energy_and_momentum(solver: str) -> None:
    world = cluster(solver)
    kinetic, potential, momentum = energy_and_momentum(world)
    world.step(60)
    kinetic_then, potential_then, momentum_then = energy_and_momentum(world)
    assert abs(kinetic_then - kinetic) > 0.2 * kinetic  # it falls together
    drift = kinetic_then + potential_then - kinetic - potential
    assert abs(drift) < 1e-3 * abs(kinetic_then - kinetic)
    speeds = np.hypot(world.native.vx[1:], world.native.vy[1:]).sum()
    assert np.abs(momentum_then - momentum).max() < 1e-6 * speeds  # velocities have 24 bits


@pytest.mark.parametrize("solver", ["soft_step", "sequential_impulse"])
def test_cells_and_pairs_move_bodies_alike(solver: str) -> None:
    """A thousand bodies are summed up pair by pair; with one far away there are cells."""
    text = CLUSTER.format(solver=solver, count=1000, collide="true")
    more = text + "  far: {shape: {circle: 0.001}, mass: 1e-9, position: [900, 0]}\n"
    exact, cells = World(loads(text)), World(loads(more))
    for world in (exact, cells):
        world.step(10)
    for name in ("vx", "vy"):
        one, two = getattr(exact.native, name)[1:], getattr(cells.native, name)[1:1001]
        assert np.abs(one - two).max() < 1e-4
        assert np.abs(one - two).max() > 0.0


def test_a_pair_in_contact_is_pulled_by_where_it_was_also_among_cells() -> None:
    """Two boxes that lie on each other by their own pull and turn as one keep their spin."""
    world = World(
        loads("""
rigid: 1
world: {gravity: [0, 0], attraction: {strength: 1}, solver: {type: sequential_impulse}}
defaults: {material: {friction: 1, restitution: 0}}
bodies:
  a: {shape: {box: [1, 1]}, mass: 4, position: [-0.5, 0], velocity: [0, -0.5],
      angular_velocity: 1 rad/s}
  b: {shape: {box: [1, 1]}, mass: 4, position: [0.5, 0], velocity: [0, 0.5],
      angular_velocity: 1 rad/s}
  far: {repeat: {i: 1000}, shape: {circle: 0.1}, collide: false, mass: 1e-9,
        position: [=1000+i, 0]}
""")
    )
    world.step(300)
    assert world["a"].angular_velocity == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize("solver", ["soft_step", "sequential_impulse"][: tries(1, 2)])
def test_the_bits_are_those_of_every_run(solver: str) -> None:
    world = cluster(solver)
    world.step(4)
    wanted = world.state_hash()
    for how in ({"threads": 2}, {"lanes": 1}, {"lanes": 4}):
        other = cluster(solver, **how)
        other.step(2)
        saved = other.save()
        other.step(2)
        assert other.state_hash() == wanted
        other.restore(saved)
        other.step(2)
        assert other.state_hash() == wanted
    batch = Batch(loads(CLUSTER.format(solver=solver, count=1100, collide="false")), 2)
    batch.step(4)
    assert [batch.world(i).state_hash() for i in range(2)] == [wanted, wanted]
