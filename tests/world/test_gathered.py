# SPDX-License-Identifier: MIT
"""Least, greatest, mean and sum of what bodies of a tag or a group have, and their motion."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from rigid2d.core import Batch, Scene, World, loads, simulate
from rigid2d.core.errors import SceneError, UsageError
from rigid2d.core.record.channel_units import unit_of
from rigid2d.core.record.channels import Channel, resolve_channels
from rigid2d.core.scene import expand
from rigid2d.core.scene.values.state_words import ALL_STATES, GATHERED, OVER_ALL
from rigid2d.core.world.moments import ChannelReader

from tests.rows import every_row

HEAP = """
rigid: 1
world: {{duration: 2, gravity: [0.5, -9]}}
state: {{fast: 0}}
prototypes:
  drop:
    bodies: {{ball: {{shape: {{circle: 0.2, offset: [0.1, 0.05]}}, tags: [object, drop]}}}}
bodies:
  floor: {{type: static, shape: {{box: [40, 1]}}, position: [0, -0.5], tags: [object]}}
  lift:
    {{type: kinematic, shape: {{box: [2, 1]}}, position: [9, 0], velocity: [0, 1], tags: [object]}}
  crate:
    repeat: {{i: 6}}
    shape: {{box: [0.8, 0.5], offset: [0.1, 0]}}
    position: ["=uniform(-4, 4)", =1 + 0.7*i]
    angle: =30*i
    velocity: ["=uniform(-1, 1)", 0]
    angular_velocity: "=uniform(-90, 90)"
    density: =1 + i
    tags: [object, crate]
groups: {{some: ["crate[0]", "crate[3]", floor], all: [crate, lift]}}
spawners: {{rain: {{use: drop, every: 0.2, at: ["=uniform(-4, 4)", 7], lifetime: 0.9}}}}
{more}
"""
SETS = ("tags.object", "tags.crate", "tags.drop", "groups.some", "groups.all")


def heap(more: str = "") -> Scene:
    return loads(HEAP.format(more=more))


def members(world: World, name: str) -> list[str]:
    kind, _, what = name.partition(".")
    bodies = world.roster.bodies
    if kind == "groups":
        there = world.roster.scene.groups[what]
    else:
        there = tuple(each for each, body in bodies.items() if what in body.tags)
    return [each for each in there if each in bodies and world[each].alive]


def wanted(world: World, name: str, quantity: str) -> float:
    """What a channel has to be, from each body by itself."""
    there = members(world, name)
    if not there:
        return 0.0
    masses = [world[each].mass for each in there]
    total = math.fsum(masses)
    for axis, letter in enumerate("xy"):
        velocities = [world[each].velocity[axis] for each in there]
        momentum = math.fsum(m * v for m, v in zip(masses, velocities, strict=True))
        if quantity == f"momentum_{letter}":
            return momentum
        centers = [world[each].center_of_mass[axis] for each in there]
        if quantity == f"center_{letter}":
            moments = (m * c for m, c in zip(masses, centers, strict=True))
            return math.fsum(moments) / total if total else 0.0
    if quantity == "momentum":
        return math.hypot(*(wanted(world, name, f"momentum_{letter}") for letter in "xy"))
    over, _, state = quantity.partition(".")
    channels = [f"{each}.{state}" for each in there]
    reader = ChannelReader(world, [_channel(each) for each in channels])
    values = reader.read(world).tolist()
    return {"min": min, "max": max, "sum": math.fsum, "mean": lambda v: math.fsum(v) / len(v)}[
        over
    ](values)


def _channel(name: str) -> Channel:
    owner, _, quantity = name.rpartition(".")
    return Channel(name, "body", owner, quantity)


def test_they_are_what_each_body_by_itself_gives() -> None:
    scene = heap()
    world = World(scene)
    quantities = [each for each in ALL_STATES if "." in each or each[:6] in ("moment", "center")]
    assert len(quantities) == 5 + len(GATHERED)
    checked = 0
    for step in range(1, 91):
        world.step()
        if step % 15:
            continue
        for name in SETS:
            channels = resolve_channels(scene, [f"{name}.{each}" for each in quantities])
            for channel, value in zip(
                channels, ChannelReader(world, channels).read(world), strict=True
            ):
                want = wanted(world, name, channel.quantity)
                assert value == pytest.approx(want, rel=1e-12, abs=1e-12), channel.name
                checked += value != 0.0
    assert checked > 500


def test_of_nobody_they_are_0() -> None:
    scene = heap()
    world = World(scene)
    names = [f"tags.drop.{each}" for each in ALL_STATES]
    assert not ChannelReader(world, resolve_channels(scene, names)).read(world).any()


def test_events_outcomes_spawners_state_and_texts_read_them() -> None:
    scene = heap(
        "events:\n"
        "  - {when: =tags.drop.max.speed > 3, do: [{set: {state.fast: =tags.drop.max.speed}}]}\n"
        "outcome: {win: =groups.some.min.x < -50, lose: =groups.all.mean.y > 90}\n"
        "controls: {up: {do: [{set: {state.fast: =groups.some.sum.mass}}]}}\n"
        'annotations: [{text: "{groups.all.max.speed:.2f} {tags.drop.mean.y:.1f}", at: [0, 0]}]\n'
        "record: {channels: [tags.drop.max.speed, groups.some.center_x, state]}\n"
        "expect: [{always: =tags.object.max.y < 20}, {at: end, that: =groups.all.momentum >= 0}]"
    )
    trace = simulate(scene)
    fast = trace.channel("state.fast")
    assert 3 < fast.max() < 3.2
    assert trace.channel("tags.drop.max.speed").max() > 5
    assert World(loads(expand(scene))).physics_hash == World(scene).physics_hash


def test_a_spawner_may_ask_for_a_group() -> None:
    text = HEAP.format(more="").replace("every: 0.2,", "every: 0.2, if: =groups.some.max.y > 90,")
    assert simulate(loads(text)).channel("crate[0].x").size


def test_worlds_of_a_batch_read_them() -> None:
    scene = heap()
    names = [f"{name}.{each}" for name in SETS for each in ALL_STATES]
    world, batch = World(scene), Batch(scene, 2)
    for each in (world, batch):
        each.step(60)
    channels = resolve_channels(scene, names)
    np.testing.assert_array_equal(batch.read(names)[1], ChannelReader(world, channels).read(world))


def test_they_have_units() -> None:
    scene = heap()
    names = ["tags.crate.max.speed", "groups.some.momentum", "groups.some.center_x"]
    names += ["groups.all.mean.angle", "tags.crate.sum.contacts", "groups.all.mass"]
    units = [unit_of(each, scene) for each in resolve_channels(scene, names)]
    assert units == ["m/s", "kg m/s", "m", "rad", "", "kg"]


def test_a_tag_may_be_called_as_a_word() -> None:
    text = HEAP.format(more="expect: [{at: end, that: =tags.max.max.speed + tags.max.count >= 1}]")
    scene = loads(text.replace("tags: [object, crate]", "tags: [max, crate]"))
    world = World(scene)
    channels = resolve_channels(scene, ["tags.max.max.mass", "tags.max.count"])
    assert ChannelReader(world, channels).read(world)[1] == 6


@every_row(
    ("name", "message"),
    [
        ("tags.drop.speed", "write `tags.drop.max.speed`, or `min`, `mean` or `sum`"),
        ("groups.some.x", "write `groups.some.max.x`, or `min`, `mean` or `sum`"),
        ("max(tags.drop.speed, 0)", "write `tags.drop.max.speed`"),
        ("tags.drop.max.sped", "did you mean `tags.drop.max.speed`?"),
        ("tags.drop.max", "`tags.drop` has no `max`"),
        ("groups.sume.count", "there is no group `sume`; did you mean `groups.some.count`?"),
        ("groups.some", "needs a group and a quantity"),
        ("tags.drop.most.speed", "did you mean `tags.drop.max.speed`?"),
        ("tags.drop.average.y", "`tags.drop` has no `average.y`; did you mean `tags.drop.mean.y`"),
        ("groups.some.mxa.y", "did you mean `groups.some.max.y`?"),
        ("tags.drop.center.x", "did you mean `tags.drop.center_x`?"),
        ("groups.some.momentum.y", "did you mean `groups.some.momentum_y`?"),
        ("tags.drop.center", "it has two parts: `center_x` and `center_y`"),
        ("groups.some.max.y.z", "`groups.some.max` has no `y.z`"),
        ("tags.drop.count.x", "has no `count.x`; did you mean `tags.drop.count`?"),
        ("tags.drop.max.alive", "`tags.drop.max` has no `alive`"),
    ],
)
def test_wrong_names_are_told(name: str, message: str) -> None:
    with pytest.raises(SceneError, match=re.escape(message)) as caught:
        heap(f'expect: [{{at: end, that: "={name} > 1"}}]')
    assert caught.value.problems[0].path == "expect[0].that"


def test_wrong_names_of_channels_are_told() -> None:
    for name in ("groups.nobody.count", "tags.crate.max.nothing", "groups.some.median.x"):
        with pytest.raises(UsageError):
            resolve_channels(heap(), [name])
    assert OVER_ALL == ("min", "max", "mean", "sum")
