# SPDX-License-Identifier: MIT
"""What is wrong in thousands of places is told as soon as what is wrong in one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rigid.core.errors import SceneError
from rigid.core.nearest import nearest_name, one_allowance
from rigid.core.scene import limits, loads

BODY = "{shape: {circle: 0.1}}"


def messages(text: str) -> list[str]:
    with pytest.raises(SceneError) as caught:
        loads("rigid: 1\n" + text)
    return [problem.message for problem in caught.value.problems]


def lines(count: int, line: Callable[[int], str]) -> str:
    return "\n".join(f"  {line(i)}" for i in range(count)) + "\n"


def test_misspelt_keys_are_counted() -> None:
    found = messages("bodies:\n" + lines(4000, lambda i: f"b{i}: {{shap: {{circle: 0.1}}}}"))
    assert len(found) == limits.PROBLEMS + 1
    assert found[0] == "unknown key `shap`; did you mean `shape`?"
    assert found[-1] == "and 3,900 more problems"


def test_joints_of_unknown_bodies_are_counted() -> None:
    found = messages(
        "bodies:\n"
        + lines(1500, lambda i: f"part{i}: {BODY}")
        + "joints:\n"
        + lines(1500, lambda i: f"j{i}: {{type: revolute, bodies: [paart{i}, world]}}")
    )
    assert found[0] == "there is no body `paart0`; did you mean `part0`?"
    assert found[-1].endswith("more problems")


def test_unknown_materials_are_counted() -> None:
    found = messages(
        "materials:\n"
        + lines(1500, lambda i: f"steel{i}: {{friction: 1}}")
        + "bodies:\n"
        + lines(1500, lambda i: f"b{i}: {{shape: {{circle: 1}}, material: x{i}steel}}")
    )
    assert found[-1] == "and 1,400 more problems"


def test_unknown_variables_are_counted() -> None:
    found = messages(
        "vars:\n"
        + lines(1500, lambda i: f"long_name_{i}: 1")
        + "bodies:\n"
        + lines(1500, lambda i: f"b{i}: {{shape: {{circle: =longname{i}}}}}")
    )
    assert found[-1] == "and 1,400 more problems"


def test_long_names_are_not_compared() -> None:
    word = "ab" * 100_000
    (found,) = messages(f"{word}: 1\nbodies: {{b: {BODY}}}")
    assert "did you mean" not in found


def test_all_searches_of_a_scene_share_one_allowance() -> None:
    names = [f"name{i}" for i in range(20_000)]
    with one_allowance():
        found = [nearest_name(f"nam{i}", names) for i in range(100)]
    assert found[0] == "name0"
    assert found[-1] == ""
    assert nearest_name("nam5", names) == "name5"


def test_two_slips_of_one_key_in_one_mapping_are_both_told() -> None:
    found = messages("bodies: {b: {shap: {circle: 1}, shpe: {circle: 1}}}")
    assert len(found) == 2


def test_channels_that_are_repeated_are_recorded_once() -> None:
    text = "bodies: {b: {repeat: {i: 1000}, position: [=i, 0], shape: {circle: 0.1}}}\n"
    scene = loads(f"rigid: 1\n{text}record: {{channels: [{', '.join(['b', 'b.x'] * 30_000)}]}}")
    assert scene.record.channels is not None
    assert len(scene.record.channels) == 2000
    assert scene.record.channels[:2] == ("b[0]", "b[1]")
    assert scene.record.channels[1000] == "b[0].x"
