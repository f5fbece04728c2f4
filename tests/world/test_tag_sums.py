# SPDX-License-Identifier: MIT
"""Sums over all bodies with a tag: in events, channels, expectations and pictures."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid2d.core import Batch, Recorder, World, loads, run, simulate
from rigid2d.core.errors import SceneError
from rigid2d.core.record.channel_units import unit_of
from rigid2d.core.record.channels import resolve_channels
from rigid2d.core.scene import expand
from rigid2d.core.world.moments import ChannelReader

WALL = """
rigid: 1
world: {gravity: [0, 0], duration: 1}
state: {most: 0}
bodies:
  wall: {shape: {box: [2, 3], radius: 0.1}, tags: [wall]}
  ball: {shape: {circle: 0.4}, position: [-4, 0.2], velocity: [8, 0], density: 2, tags: [ball]}
events:
  - when: collision
    tags: [wall, ball]
    do: [{destroy: {body: $a, method: voronoi, count: 12, tags: [piece]}}]
  - when: =tags.piece.count > 5 and tags.wall.count == 0
    do: [{set: {state.most: =tags.piece.mass}}]
record: {channels: [tags.piece.area, tags.wall.area, tags.piece.count]}
expect:
  - {always: =abs(tags.piece.mass + tags.wall.mass + ball.mass - world.mass) < 1e-5}
  - {always: =tags.piece.count + tags.wall.count + tags.ball.count == world.bodies}
"""
EXPECT = "=tags.piece.count + tags.wall.count + tags.ball.count == world.bodies"
AREA = 2 * 3 - (4 - math.pi) * 0.1**2
SHAPES = """
rigid: 1
world: {gravity: [0, 0]}
bodies:
  a: {type: static, tags: [all], shapes: [{circle: 2}, {segment: [[0, 0], [1, 1]]}]}
  b: {type: kinematic, position: [9, 0], tags: [all],
      shape: {capsule: [[0, 0], [3, 4]], radius: 0.5}}
  c: {position: [20, 0], tags: [all, most], shapes: [{box: [1, 2]}, {circle: 9, sensor: true}]}
  d: {position: [40, 0], tags: [all, most], density: 3, velocity: [2, 0],
      shape: {polygon: [[0, 0], [4, 0], [1, 1], [0, 4]]}}
record: {channels: [tags.all.count, tags.all.area, tags.all.mass, tags.most.kinetic_energy]}
"""


def test_areas_masses_and_energies_are_those_of_the_shapes() -> None:
    scene = loads(SHAPES)
    trace = simulate(scene, steps=2)
    count, area, mass, energy = (trace.channel(name)[-1] for name in scene.record.channels)
    bent = 0.5 * (4 * 1 - 0) + 0.5 * (1 * 4)  # two triangles from the corner at the origin
    assert count == 4
    assert area == pytest.approx(4 * math.pi + (2 * 0.5 * 5 + math.pi / 4) + 2 + bent, rel=1e-12)
    assert mass == pytest.approx(2 + 3 * bent, rel=1e-6)
    assert energy == pytest.approx(0.5 * 3 * bent * 4, rel=1e-6)


def test_energies_of_all_bodies_are_the_energy_of_the_world() -> None:
    text = SHAPES.replace("gravity: [0, 0]", "gravity: [1, -9]").replace("[all, most]", "[all]")
    text = text.replace("position: [20, 0]", "position: [20, 3], center_of_mass: [0.1, 0.5]")
    energies = "tags.all.kinetic_energy, tags.all.potential_energy, c.potential_energy"
    text = text.partition("record:")[0] + f"record: {{channels: [{energies}, world.energy]}}\n"
    trace = simulate(loads(text), steps=30)
    kinetic, potential, own, whole = trace.values.T
    np.testing.assert_allclose(kinetic + potential, whole, rtol=1e-12)
    assert own[0] == pytest.approx(2 * (9 * 3.5 - 20.1), rel=1e-6)


def test_pieces_have_the_area_of_the_whole() -> None:
    trace = simulate(loads(WALL))
    pieces, wall = trace["tags.piece"], trace["tags.wall"]
    np.testing.assert_allclose(pieces.area + wall.area, AREA, atol=1e-6)
    assert (pieces.count[0], pieces.count[-1]) == (0, 12)


def test_expectations_read_sums_of_every_step() -> None:
    for line, passes in ((EXPECT, True), (EXPECT.replace("== world", "== 1 + world"), False)):
        recorder = Recorder(loads(WALL.replace(EXPECT, line)))
        for _ in run(recorder.scene, recorder=recorder):
            pass
        assert [each.passed for each in recorder.results] == [True, passes]


def test_events_read_sums_and_what_is_written_out_reads_the_same() -> None:
    for source in (WALL, expand(loads(WALL))):
        world = World(loads(source))
        world.step(60)
        assert world.state["most"] == pytest.approx(AREA, abs=1e-5)


def test_what_is_born_counts_and_what_is_gone_does_not() -> None:
    text = """
rigid: 1
world: {gravity: [0, 0]}
state: {n: 0}
prototypes:
  ant:
    bodies: {body: {shape: {circle: 0.1}, collide: false, tags: [ant]}}
    events:
      - {when: time, at: 0.1, every: 0.1, if: =tags.ant.count < 10, do: [{spawn: {use: ant}}]}
      - {when: time, at: 2, do: [{delete: body}]}
bodies: {floor: {type: static, shape: {box: [9, 1]}}}
spawners: {first: {use: ant, every: 99}}
record: {channels: [tags.ant.count]}
"""
    counts = simulate(loads(text), steps=125).channel("tags.ant.count")
    assert counts[0] == 0
    assert counts[100] == 10  # an event sees what those in front of it did in the same step
    assert counts[124] == 10  # one is gone, and one more is born


def test_sums_have_units() -> None:
    scene = loads(SHAPES)
    units = [unit_of(each, scene) for each in resolve_channels(scene, scene.record.channels)]
    assert units == ["", "m²", "kg", "J"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tags.pice.mass", "no body has the tag `pice`; did you mean `tags.piece.mass`?"),
        ("tags.piece.weight", "write `tags.piece.max.weight`, or `min`, `mean` or `sum`"),
        ("tags.piece.weights", "`tags.piece` has no `weights`; known: count, mass"),
        ("tags.piece", "`tags.piece` needs a tag and a quantity"),
    ],
)
def test_wrong_names_are_told(name: str, message: str) -> None:
    for old in ("=tags.piece.count > 5", "=abs(tags.piece.mass"):
        new = old.replace("tags.piece.count", name).replace("tags.piece.mass", name)
        with pytest.raises(SceneError) as caught:
            loads(WALL.replace(old, new))
        assert message in str(caught.value)


def test_a_body_may_be_called_tags() -> None:
    text = SHAPES[: SHAPES.index("record:")].replace("  a: {", "  tags: {")
    scene = loads(f"{text}record: {{channels: [tags.y]}}")
    assert resolve_channels(scene, ["tags.y"])[0].kind == "body"


def test_batches_read_them() -> None:
    scene = loads(SHAPES)
    batch, world = Batch(scene, 2), World(scene)
    batch.set("d.x", np.array([40.0, 50.0]))
    for each in (batch, world):
        each.step(3)
    names = ["tags.all.mass", "tags.all.max.x", "tags.all.count", "tags.most.center_x"]
    read = batch.read(names)
    np.testing.assert_array_equal(
        read[0], ChannelReader(world, resolve_channels(scene, names)).read(world)
    )
    assert read[1, 1] == pytest.approx(read[0, 1] + 10)
    assert read[1, 2] == 4
