# SPDX-License-Identifier: MIT
"""What a snapshot that fails tells: which input changed, how far states went, where it began."""

from __future__ import annotations

import dataclasses
import difflib
from pathlib import Path

import pytest
from rigid2d.core.errors import UsageError
from rigid2d.core.record import (
    Checkpoint,
    Snapshot,
    compare_snapshots,
    read_snapshot,
    write_snapshot,
)
from rigid2d.core.record.snapshot import format_snapshot
from rigid2d.core.scene import loads
from rigid2d.core.scene.inputs import physics_inputs
from rigid2d.core.world import check_snapshot, take_snapshot

PILE = """
rigid: 1
world: {duration: 2, gravity: [0, -9.81]}
materials: {wood: {density: 0.7, color: brown}}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  brick: {repeat: {i: 30}, material: wood, shape: {box: [1, 0.5]}, position: [=i%5, =1+i]}
joints: {rod: {type: distance, bodies: ["brick[0]", "brick[1]"]}}
"""
STATE = (1.0, 2.0, 0.5, 0.0, 0.0, 0.0)


def changed_pile(old: str, new: str) -> Snapshot:
    assert PILE.count(old) == 1
    return take_snapshot(loads(PILE.replace(old, new)))


@pytest.fixture(scope="module")
def pile() -> Snapshot:
    return take_snapshot(loads(PILE))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("-9.81", "-9.82", "world.gravity[1]: -9.81 -> -9.82"),
        ("density: 0.7", "density: 0.8", "materials.wood.density: 0.7 -> 0.8"),
        ("[20, 1]", "[30, 1]", "bodies.floor.shape.box[0]: 20.0 -> 30.0"),
        ("duration: 2,", "duration: 2, dt: 0.01,", "world.dt: 0.016666666666666666 -> 0.01"),
        ("type: distance", "type: distance, length: 1.25", "joints.rod.length: 1.414"),
        ("floor: {type: static,", "floor: {type: static, friction: 0.1,", "shape.friction: (not"),
    ],
)
def test_the_input_that_changed_is_told(pile: Snapshot, old: str, new: str, told: str) -> None:
    difference = compare_snapshots(pile, changed_pile(old, new))
    assert difference is not None
    assert len(difference.inputs) == 1
    assert told in str(difference)


def test_bodies_that_came_and_went_are_inputs_that_changed(pile: Snapshot) -> None:
    difference = compare_snapshots(pile, changed_pile("{i: 30}", "{i: 29}"))
    assert difference is not None
    assert [change.path for change in difference.inputs] == ["bodies.brick[29]"]
    assert "-> (not given)" in str(difference)


def test_what_only_pictures_depend_on_is_no_input() -> None:
    plain = physics_inputs(loads(PILE))
    painted = PILE.replace("color: brown", "color: red").replace("i%5, =1+i]", "i%5, =1+i], z: 3")
    assert physics_inputs(loads(painted)) == plain


def test_the_largest_difference_of_all_steps_is_told_with_its_place(pile: Snapshot) -> None:
    states = [
        (x, {"a": (x, *STATE[1:]), "b": (1.0, 2.0, y, 0.0, 0.0, 0.0)})
        for x, y in ((1.0, 0.5), (1.1, 0.5), (4.0, 0.1), (1.2, 0.4))
    ]
    points = [Checkpoint(10 * i, 8 + i, bodies) for i, (x, bodies) in enumerate(states)]
    still = [Checkpoint(10 * i, 8, states[0][1]) for i in range(4)]
    old = dataclasses.replace(pile, checkpoints=tuple(still), dt=0.1)
    difference = compare_snapshots(old, dataclasses.replace(old, checkpoints=tuple(points)))
    assert difference is not None
    assert (difference.step, difference.agreed) == (10, 0)
    told = {each.kind: (each.body, each.step, each.change) for each in difference.largest}
    assert told["position"] == ("a", 20, pytest.approx(3.0))
    assert told["angle"] == ("b", 20, pytest.approx(-0.4))
    assert "position: x by +3, a at step 20 (t = 2)" in str(difference)


def test_where_states_began_to_differ_and_where_they_last_agreed_is_told(pile: Snapshot) -> None:
    points = list(pile.checkpoints)
    moved = {**points[3].bodies, "brick[2]": STATE}
    points[3] = dataclasses.replace(points[3], hash=1, bodies=moved)
    difference = compare_snapshots(pile, dataclasses.replace(pile, checkpoints=tuple(points)))
    assert difference is not None
    assert (difference.step, difference.agreed) == (points[3].step, points[2].step)
    assert f"they were the same at step {points[2].step}" in str(difference)
    assert difference.bodies[0].name == "brick[2]"


def test_little_is_told_by_default_and_everything_when_asked_for(pile: Snapshot) -> None:
    difference = compare_snapshots(pile, changed_pile("-9.81", "-9.82"))
    assert difference is not None
    assert len(str(difference).splitlines()) <= 15
    assert "and 27 more bodies" in str(difference)
    everything = difference.text(everything=True)
    assert len(everything.splitlines()) > 250
    assert all(f"brick[{i}]: " in everything for i in range(30))


def test_a_small_change_of_gravity_rewrites_one_line_for_each_checkpoint(pile: Snapshot) -> None:
    texts = [format_snapshot(each) for each in (pile, changed_pile("-9.81", "-9.81981"))]
    lines = list(difflib.unified_diff(*(text.splitlines() for text in texts), n=0, lineterm=""))
    added = [line for line in lines if line.startswith("+") and not line.startswith("+++")]
    assert len(added) == len(pile.checkpoints) + 2
    assert "+world.gravity [0.0, -9.81981]" in added


def test_a_file_with_inputs_reads_back_exactly(tmp_path: Path, pile: Snapshot) -> None:
    gone = {**pile.checkpoints[-1].bodies}
    del gone["brick[3]"]
    points = [
        *pile.checkpoints,
        Checkpoint(1000, 1, {'a "b" = c': (-0.0, 1e-300, float("inf"), 1 / 3, -1e300, 2.0)}),
        Checkpoint(1001, 2, gone),
        Checkpoint(1002, 3, {}),
        Checkpoint(1003, 4, {}),
    ]
    stored = dataclasses.replace(pile, checkpoints=tuple(points))
    write_snapshot(tmp_path / "s.snapshot", stored)
    again = read_snapshot(tmp_path / "s.snapshot")
    assert again == stored
    assert list(again.checkpoints[0].bodies) == list(pile.checkpoints[0].bodies)
    assert format_snapshot(again) == format_snapshot(stored)


def test_another_order_of_bodies_is_reported(tmp_path: Path) -> None:
    entries = [
        f"  {name}: {{shape: {{circle: 0.4}}, position: [{x}, 0]}}" for x, name in enumerate("abc")
    ]
    scenes = [
        "\n".join(["rigid: 1", "world: {duration: 0.1}", "bodies:", *each])
        for each in (entries, entries[1:] + entries[:1])
    ]
    path = tmp_path / "s.snapshot"
    write_snapshot(path, take_snapshot(loads(scenes[0])))
    difference = check_snapshot(loads(scenes[1]), path)
    assert difference is not None
    assert "the order of bodies is not the same: b is before a now" in difference.notes
    changed = check_snapshot(loads(scenes[0].replace("[0, 0]", "[0, 1]")), path)
    assert changed is not None
    assert not any("order" in note for note in changed.notes)


def test_a_file_without_inputs_is_read_and_checked_as_ever(tmp_path: Path, pile: Snapshot) -> None:
    path = tmp_path / "s.snapshot"
    write_snapshot(path, dataclasses.replace(pile, inputs=None))
    assert path.read_text().startswith("rigid snapshot 1\n")
    assert check_snapshot(loads(PILE), path) is None
    difference = check_snapshot(loads(PILE.replace("-9.81", "-9.82")), path)
    assert difference is not None
    assert difference.inputs == ()
    assert "the old snapshot does not hold its inputs" in str(difference)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("step 5 hash 0 [1]", "expected names of bodies"),
        ('step 5 hash 0 ["a", "a"]', "each once"),
        ('step 5 hash 0 ["a"', "does not end"),
        ('step 5 hash 0 ["a"] ***', "Base64"),
        ('step 5 hash 0 ["a"] AAAA', "take 48 bytes, found 3"),
        ("step 5 hash zz", "expected a hash"),
        ("step 0 hash 1", "step 0 follows step 0"),
        ("ball", "expected 'step N hash H"),
    ],
)
def test_a_malformed_checkpoint_is_named_with_its_line(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "s.snapshot"
    head = ["rigid snapshot 2", "engine 1", "scene a", "name b", "dt 0.1", "steps 5", "", "w.g 1"]
    path.write_text("\n".join([*head, "step 0 hash 0", text]))
    with pytest.raises(UsageError, match=rf"s\.snapshot:10: .*{message}"):
        read_snapshot(path)


def test_an_input_without_a_value_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "s.snapshot"
    path.write_text("rigid snapshot 2\nengine 1\nscene a\nname b\ndt 0.1\nsteps 5\n\nworld.dt\n")
    with pytest.raises(UsageError, match=r"s\.snapshot:8: expected an input and its value"):
        read_snapshot(path)


@pytest.mark.parametrize(
    "damaged",
    ["{type: dyn [a, b]", "[" * 600, "2001-99-99", "&a [*a, *a]", "{[1]: 2}", "\t@", "!!x y"],
)
def test_an_input_that_is_damaged_is_told_as_it_is_written(pile: Snapshot, damaged: str) -> None:
    other = changed_pile("-9.81", "-9.82")
    inputs = {**(other.inputs or {}), "world.gravity": damaged}
    difference = compare_snapshots(pile, dataclasses.replace(other, inputs=inputs))
    assert difference is not None
    assert [(each.path, each.new) for each in difference.inputs] == [("world.gravity", damaged)]
