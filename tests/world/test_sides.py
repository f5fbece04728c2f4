# SPDX-License-Identifier: MIT
"""The sides of bodies, of groups and tags, and whether actuators are on, by state names."""

from __future__ import annotations

import pytest
from rigid2d.core import Batch, SceneError, build
from rigid2d.core.record.channels import resolve_channels
from rigid2d.core.scene import loads
from rigid2d.core.world.moments import ChannelReader

from tests.rows import every_row

SCENE = """
rigid: 1
world: {gravity: [0, 0]}
UNITS
state: {left: 3, seen: 0, wide: 0, hit: 0}
prototypes:
  ship:
    bodies: {hull: {shape: {box: [2, 1]}, tags: [ship]}}
    actuators: {jet: {type: thruster, body: hull, force: [0, 1], enabled: false}}
    controls: {u: {set: {jet.enabled: true}}}
    events: [{when: =jet.enabled, do: [{add: {seen: 1, wide: =hull.right - hull.left}}]}]
bodies:
  box: {shape: {box: [2, 1]}, angle: 90, position: [1, 2]}
  ball: {shape: {circle: 0.5}, position: [5, 0]}
  shot: {shape: {circle: 0.1}, position: [5, -3], velocity: [0, 20], tags: [shot]}
actuators: {jet: {type: thruster, body: ball, force: [0, 0]}}
groups: {pair: [box, ball]}
instances: {red: {use: ship, at: [20, 0]}}
controls: {k: [jet]}
inputs: [{key: k, from: 0.5, to: 0.7}, {key: u, from: 0.3}]
events:
  - {when: time, at: 0.1, do: [{spawn: {use: ship, at: [30, 0]}}]}
  - when: collision
    bodies: [shot, ball]
    if: =$b.left > 4
    do: [{delete: $b}, {set: {state.hit: =$b.right - $b.left}}]
"""
NAMES = ("box.left", "box.top", "pair.right", "pair.bottom", "tags.ship.right", "jet.enabled")


def read(units: str, steps: int) -> list[float]:
    world = build(loads(SCENE.replace("UNITS", units)))
    world.step(steps)
    names = [f"groups.{name}" if name.startswith("pair") else name for name in NAMES]
    reader = ChannelReader(world, resolve_channels(world.scene, names))
    return [*reader.read(world)]


@every_row(
    ("units", "wanted"),
    [
        ("", [0.5, 3, 5.5, -0.5, 21, 0]),
        ("units: {y: down}", [0.5, 1, 5.5, 3, 21, 0]),
    ],
)
def test_sides_are_those_on_the_screen(units: str, wanted: list[float]) -> None:
    assert read(units, 0) == pytest.approx(wanted)


def test_conditions_and_actions_read_sides_and_whether_an_actuator_is_on() -> None:
    scene = loads(SCENE.replace("UNITS", ""))
    world, other = build(scene), build(scene)
    world.step(36)
    other.restore(world.save())
    for each in (world, other):
        each.step(10)
        assert each.state == {"left": 3, "seen": 2, "wide": pytest.approx(4), "hit": 1}
    # Of a body that is gone there is no side; the other one of the pair remains.
    assert read("", 46)[2] == pytest.approx(1.5)
    assert [read("", steps)[5] for steps in (29, 32)] == [0, 1]


def test_a_batch_reads_the_same() -> None:
    plain = SCENE[: SCENE.index("prototypes:")].replace("state:", "# state:")
    objects = SCENE[SCENE.index("bodies:\n") : SCENE.index("instances:")]
    batch = Batch(loads(f"{plain}{objects}".replace("UNITS", "")), 2)
    batch.set("jet.enabled", [1, 0])
    batch.step(1)
    values = batch.read(["box.left", "groups.pair.right", "jet.enabled"])
    assert values.tolist() == [
        [pytest.approx(0.5), pytest.approx(5.5), 1],
        [pytest.approx(0.5), pytest.approx(5.5), 0],
    ]


@every_row(
    ("expression", "message"),
    [
        ("=jet.enable", "`jet` has no `enable`; did you mean `jet.enabled`?"),
        ("=box.lefft > 1", "did you mean `box.left`?"),
        ("=groups.pair.max.left > 1", "`groups.pair.max` has no `left`"),
        ("=box.left", "`box.left` is a number, but true or false is needed"),
    ],
)
def test_a_wrong_name_is_told(expression: str, message: str) -> None:
    with pytest.raises(SceneError) as raised:
        loads(SCENE.replace("UNITS", "") + f"expect: [{{at: end, that: {expression}}}]")
    assert message in raised.value.problems[0].message
