# SPDX-License-Identifier: MIT
"""The largest values of the scene format hold for worlds and batches, too."""

from __future__ import annotations

from typing import Any

import pytest
from rigid2d.core import Batch, World, build, loads
from rigid2d.core.errors import UsageError

from tests.rows import every_row

SCENE = loads("""
rigid: 1
world: {pools: {lake: {region: [[-5, -5], [5, 0]], density: 1}}}
bodies: {ball: {shape: {circle: 1}}}
""")


@pytest.fixture(scope="module")
def world() -> World:
    return build(SCENE)


@every_row(
    ("path", "value"),
    [
        ("world.gravity", (0.0, 1.1e9)),
        ("world.gravity.y", -1.1e9),
        ("ball.position", (-1.1e9, 0.0)),
        ("ball.angle", 1.1e9),
        ("world.pools.lake.level", 1.1e9),
    ],
)
def test_a_value_beyond_the_limit_is_refused(world: World, path: str, value: Any) -> None:
    with pytest.raises(UsageError, match=r"must not be larger than 1e\+09, got -?1.1e\+09"):
        world.set(path, value)
    with pytest.raises(UsageError, match=r"must not be above 1e\+09"):
        Batch(SCENE, 2).set(path, value)


def test_restitution_is_at_most_1(world: World) -> None:
    world.set("ball.restitution", 1.0)
    for set_it in (world.set, lambda path, value: world["ball"].set(path[5:], value)):
        with pytest.raises(UsageError, match="restitution must be at most 1, got 5"):
            set_it("ball.restitution", 5.0)


def test_a_value_at_the_limit_is_taken(world: World) -> None:
    world["ball"].position = (1e9, -1e9)
    world.set("world.gravity", (0.0, -1e9))
    assert (world["ball"].position, world.native.gravity()) == ((1e9, -1e9), (0.0, -1e9))
