# SPDX-License-Identifier: MIT
"""Pools, and gravity by its coordinates, set while a scene runs."""

from __future__ import annotations

import re

import pytest
from rigid2d.core import Batch, Scene, World, loads
from rigid2d.core.errors import SceneError, UsageError
from rigid2d.core.scene import expand

from tests.rows import every_row

TEXT = """
rigid: 1
world:
  duration: 8
  gravity: {gravity}
  pools: {{lake: {{region: [[-5, -5], [5, 0]], density: 2, damping: 6}}}}
bodies: {{boat: {{shape: {{box: [2, 1]}}, density: 1, fixed_rotation: true}}}}
{more}
"""


def scene(more: str = "", gravity: str = "[0, -10]") -> Scene:
    return loads(TEXT.format(more=more, gravity=gravity))


def doing(*actions: str) -> Scene:
    return scene(f"events: [{{when: time, at: 0.1, do: [{', '.join(actions)}]}}]")


def settled(given: Scene) -> World:
    running = World(given)
    running.step(480)
    return running


@every_row(
    ("action", "y"),
    [
        ("set: {world.pools.lake.density: 4}", 0.25),
        ("add: {world.pools.lake.density: 2}", 0.25),
        ("set: {world.pools.lake.level: -1}", -1.0),
        ("add: {world.pools.lake.level: 1.5}", 1.5),
        ("set: {world.pools.lake.level: 50 cm}", 0.5),
    ],
)
def test_a_boat_goes_with_its_water(action: str, y: float) -> None:
    assert settled(doing(f"{{{action}}}"))["boat"].y == pytest.approx(y, abs=0.02)


def test_what_is_set_wakes_what_floats() -> None:
    running = World(scene())
    running.step(300)
    running["boat"].awake = False
    running.step(30)
    running.set("world.pools.lake.level", -2)
    running.step(10)
    assert running["boat"].y < -0.1


def test_below_its_bottom_a_pool_is_empty() -> None:
    running = settled(doing("{set: {world.pools.lake.level: -9}}"))
    assert running.native.pool(0)[3] == -5
    assert running["boat"].y < -50


def test_damping_and_drag_slow_what_is_under() -> None:
    speeds = []
    for damping, drag in ((0, 0), (5, 0), (0, 5)):
        running = World(scene())
        running["boat"].position, running["boat"].velocity = (-4, -3), (3, 0)
        running.set("world.pools.lake.damping", damping)
        running.set("world.pools.lake.drag", drag)
        running.step(20)
        speeds.append(running["boat"].velocity[0])
    assert speeds[0] == pytest.approx(3, abs=1e-3)
    assert max(speeds[1:]) < 1.5


@every_row(
    ("gravity", "side", "at"),
    [("[0, -10]", 3, 1), ("[0, 10]", 1, -6), ("[-10, 1]", 2, 6), ("[10, 1]", 0, -6)],
)
def test_the_level_is_the_side_against_gravity(gravity: str, side: int, at: float) -> None:
    running = World(scene(gravity=gravity))
    before = list(running.native.pool(0))
    running.set("world.pools.lake.level", at)
    running.set("world.gravity", (0, 0))
    before[side] = at
    assert list(running.native.pool(0)) == before


@every_row(
    ("actions", "gravity"),
    [
        (["set: {world.gravity.x: 3}"], (3, -10)),
        (["set: {world.gravity.y: -1 m/s^2}"], (0, -1)),
        (["set: {world.gravity: [1, 2]}", "add: {world.gravity: [1, -1]}"], (2, 1)),
        (["add: {world.gravity.y: =boat.mass}"], (0, -8)),
    ],
)
def test_gravity_by_its_coordinates(actions: list[str], gravity: tuple[float, float]) -> None:
    running = World(doing(*(f"{{{action}}}" for action in actions)))
    running.step(10)
    assert running.native.gravity() == pytest.approx(gravity)
    running.set("world.gravity.x", 7)
    running.add_to("world.gravity.x", 1)
    assert running.native.gravity()[0] == 8


def test_tracks_and_keys_set_pools_and_gravity() -> None:
    running = World(
        scene("""
animations: {tide: {type: once, duration: 4, tracks: {world.pools.lake.level: [[0, 0], [1, 2]]}}}
controls: {wind: {set: {world.gravity.x: 1}, on_release: {world.gravity.x: 0}}}
""")
    )
    running.controls.press("wind")
    running.step()
    assert running.native.gravity() == (1, -10)
    running.controls.release("wind")
    running.step(479)
    assert running["boat"].y == pytest.approx(2, abs=0.02)


@every_row(
    ("action", "says"),
    [
        ("set: {world.pools.lak.density: 1}", "there is no pool `lak`; did you mean `lake`"),
        ("set: {world.pools.lake: 1}", "what of the pool `lake`? It has density"),
        ("set: {world.pools.lake.viscosity: 1}", "`viscosity` of the pool `lake` cannot be set"),
        ("set: {world.pools.lake.region: [[0, 0], [1, 1]]}", "is set is `world.pools.lake.level`"),
        ("set: {world.pools.lake.density: -1}", "must be at least 0, not -1"),
        ("set: {world.gravity.z: 1}", "`gravity.z` of the world cannot be set"),
        ("set: {world.gravity.x: [1, 2]}", "must be"),
    ],
)
def test_what_cannot_be_set_is_refused(action: str, says: str) -> None:
    with pytest.raises(SceneError, match=re.escape(says)):
        doing(f"{{{action}}}")


def test_a_pool_without_gravity_has_no_level() -> None:
    with pytest.raises(UsageError, match="has no surface"):
        World(scene(gravity="[0, 0]")).set("world.pools.lake.level", 1)
    text = "events: [{when: time, at: 1, do: [{add: {world.pools.lake.level: 1}}]}]"
    with pytest.raises(SceneError, match="has no surface to set"):
        scene(text, gravity="[0, 0]")


@every_row(
    ("path", "value", "says"),
    [
        ("world.pools.sea.density", 1, "no pool named 'sea'"),
        ("world.pools.lake.depth", 1, "no setting of the pool lake"),
        ("world.pools.lake.density", -1, "density"),
        ("world.pools.lake.level", "high", "level"),
    ],
)
def test_what_a_world_cannot_set_is_refused(path: str, value: object, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        World(scene()).set(path, value)


def test_what_was_set_is_saved_forked_and_expanded_with_the_same_bits() -> None:
    given = doing("{add: {world.pools.lake.level: 1, world.gravity.x: 0.5}}")
    alone = World(given)
    alone.step(30)
    state, twin = alone.save(), alone.fork()
    alone.step(100)
    restored = World(given)
    restored.restore(state)
    expanded = World(loads(expand(given)))
    restored.step(100)
    twin.step(100)
    expanded.step(130)
    assert restored.save() == twin.save() == alone.save()
    assert expanded.state_hash() == alone.state_hash()


@pytest.mark.parametrize("more", ["", "state: {n: 0}"], ids=["in the engine", "one by one"])
def test_batches_set_them_with_the_same_bits(more: str) -> None:
    batch, alone = Batch(scene(more), 2), World(scene(more))
    for path, value in (
        ("world.pools.lake.density", 3.0),
        ("world.pools.lake.level", 0.5),
        ("world.pools.lake.damping", 0.1),
        ("world.pools.lake.drag", 1.5),
        ("world.gravity.x", 0.25),
        ("world.gravity", [0.5, -8.0]),
        ("world.pools.lake.level", -20.0),
    ):
        alone.set(path, value)
        batch.set(path, value)
        alone.step(10)
        batch.step(10)
        assert batch.world(1).save() == alone.save()
    batch.reset()
    assert batch.world(0).save() == World(scene(more)).save()
    batch.set("world.pools.lake.density", [1.5, 4.0])
    batch.step(480)
    assert batch.read(["boat.y"])[:, 0] == pytest.approx([0.5 - 1 / 1.5, 0.25], abs=0.01)
    with pytest.raises(UsageError, match="must not be below 0"):
        batch.set("world.pools.lake.drag", -1.0)
