# SPDX-License-Identifier: MIT
"""Values of many turns at once: arrays have the bits of single turns."""

from __future__ import annotations

import math

import pytest
from rigid2d.core import SceneError, loads
from rigid2d.core.scene.values import columns
from rigid2d.core.scene.values.expression import compile_expression

EXPRESSIONS = [
    "=i * 0.3 - j / 7",
    "=sin(i) * cos(j) + k",
    "=(i % 7) // 2 + j ** 1.5",
    "=floor(i / 10) + round(j * 0.5) - ceil(-i / 3)",
    "=i if i > j else -j",
    "=1.5 if i > 3 and not j < 2 or k == 2 else atan2(i, j + 1)",
    "=clamp(i, 1, 5) + lerp(0, i, 0.25) + min(i, j, k) - max(i, -j)",
    "=hypot(i, j, 1) + exp(-i / 100) + sqrt(j) + log(i + 1)",
    "=-0.0 * i",
    "=k * j ** 0",
    "=uniform(i, i + 1) + normal(0, j + 1)",
    "=randint(0, i) + choice(i, j, 3)",
    "=uniform(-1, 1)",
]


def numbers(expression: str) -> list[float]:
    scene = loads(
        "rigid: 1\nvars: {k: 2}\nbodies:\n  a:\n    repeat: {i: 12, j: [0, 1, 2.5, 9]}\n"
        f"    shape: {{circle: 0.1}}\n    position: ['{expression}', 0]\n    z: {expression}\n"
        "joints:\n  p:\n    repeat: {i: 12, j: 3}\n    type: revolute\n"
        f"    bodies: [world, 'a[=i, 1]']\n    anchor: [0, '{expression}']\n"
    )
    bodies, joints = scene.bodies.values(), scene.joints.values()
    found = [number for body in bodies for number in (body.position[0], body.z)]
    return found + [joint.anchor_a[1] for joint in joints]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_arrays_have_the_bits_of_single_turns(
    expression: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    single = numbers(expression)
    found = []
    array = columns.Columns._array
    monkeypatch.setattr(columns, "MANY", 1)
    monkeypatch.setattr(
        columns.Columns, "_array", lambda *given: found.append(array(*given)) or found[-1]
    )
    assert [number.hex() for number in numbers(expression)] == [each.hex() for each in single]
    assert found
    assert all(map(len, found))


@pytest.mark.parametrize("expression", ["=i > 3", "=i if i > 3 else true", "=1 / (i - 3)"])
def test_columns_without_a_number_everywhere_fail_as_single_turns(
    expression: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SceneError) as single:
        numbers(expression)
    monkeypatch.setattr(columns, "MANY", 1)
    with pytest.raises(SceneError) as together:
        numbers(expression)
    assert str(together.value) == str(single.value)


def test_large_generators_may_work_out_more() -> None:
    wave = "=" + " + ".join(f"sin({k} * i)" for k in range(1, 4))
    work = compile_expression(wave).work
    scene = loads(
        "rigid: 1\nbodies:\n  a:\n    repeat: {i: 60000}\n    shape: {circle: 0.1}\n"
        f"    position: [=i, {wave}]\n"
    )
    assert work * len(scene.bodies) > 5_000_000
    last = [*scene.bodies.values()][-1].position[1]
    assert last == pytest.approx(sum(math.sin(k * 59999.0) for k in (1, 2, 3)), abs=1e-9)
