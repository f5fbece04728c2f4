# SPDX-License-Identifier: MIT
"""Files of older versions of the format become files of the newest; comments are kept."""

from __future__ import annotations

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import loads
from rigid2d.core.scene.text import upgrading
from rigid2d.core.scene.text.edits import Edits
from rigid2d.core.scene.text.sources import FORMAT_VERSION, OLDEST_VERSION

OLD = """\
# A scene of a version that never was.
rigid: -1   # the version
bodies:
  "ball":   {form: {circle: 0.5}, place: [0, 2]}   # falls
  crates:
    - &crate {form: {box: [1, 1]}}
    - *crate
world: {down: 9.81}  # a speed gained each second
"""
BETWEEN = OLD.replace("rigid: -1", "rigid: 0").replace("form:", "shape:")
NEW = (
    BETWEEN.replace("rigid: 0", "rigid: 1")
    .replace("place:", "position:")
    .replace("down: 9.81", "gravity: [0, -9.81]")
)


def call_forms_shapes(edits: Edits) -> None:
    edits.rename("bodies.*.form", "shape")
    edits.rename("bodies.*.*.form", "shape")


def call_places_positions_and_turn_gravity(edits: Edits) -> None:
    edits.rename("bodies.*.place", "position")
    edits.replace("world.down", lambda text: f"[0, -{text}]")
    edits.rename("world.down", "gravity")


STEPS = {-1: call_forms_shapes, 0: call_places_positions_and_turn_gravity}


@pytest.mark.parametrize(("text", "version"), [(OLD, -1), (BETWEEN, 0), (NEW, 1)])
def test_a_file_goes_through_all_steps_from_its_version_on(text: str, version: int) -> None:
    upgraded = upgrading.upgraded(text, "scene.yaml", STEPS)
    assert (upgraded.text, upgraded.version) == (NEW, version)


def test_line_ends_and_letters_outside_of_ascii_are_kept() -> None:
    text = "rigid: 0\r\nname: Brücke 🌉\r\nworld: {down: 1}\r\n"
    upgraded = upgrading.upgraded(text, "scene.yaml", STEPS)
    assert upgraded.text == "rigid: 1\r\nname: Brücke 🌉\r\nworld: {gravity: [0, -1]}\r\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rigid: 2", "for a newer rigid"),
        ("rigid: -2", "must be 1 (`rigid: 1`), not -2"),
        ("rigid: 0.5", "must be 1"),
        ("rigid: true", "must be 1"),
        ("rigid: one", "must be 1 (`rigid: 1`), not `one`"),
        ("name: A", "scene.yaml:1:1: the format's version is missing"),
        ("[1]", "begins with `rigid: 1`, not a list"),
        ("a: [", "scene.yaml:1"),
    ],
)
def test_other_files_are_refused(text: str, message: str) -> None:
    with pytest.raises(SceneError) as caught:
        upgrading.upgraded(text, "scene.yaml", STEPS)
    assert message in str(caught.value)


def test_there_is_a_step_for_each_older_version() -> None:
    versions = range(OLDEST_VERSION, FORMAT_VERSION)
    assert set(upgrading.STEPS) == set(versions)


def test_changes_that_overlap_are_refused() -> None:
    edits = Edits("a: {b: 1}", "x.yaml")
    edits.replace("a", lambda _: "2")
    edits.replace("a.b", lambda _: "3")
    with pytest.raises(ValueError, match="two changes overlap"):
        edits.result()


def test_loading_says_that_a_file_is_newer() -> None:
    with pytest.raises(SceneError, match=r"1:8: rigid: .* not 2: the file is for a newer"):
        loads("rigid: 2\nbodies: {a: {shape: {circle: 1}}}")
