# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest
from rigid2d.core import World
from rigid2d.core.errors import UsageError
from rigid2d.core.record import resolve_channels
from rigid2d.core.scene import loads, model

from tests.rows import every_row


def names(scene: model.Scene, wanted: list[str] | None) -> list[str]:
    return [channel.name for channel in resolve_channels(scene, wanted)]


def test_all_bodies_are_recorded_by_default(scene: model.Scene) -> None:
    quantities = ("x", "y", "angle", "vx", "vy", "omega")
    assert names(scene, None) == [f"{b}.{q}" for b in ("ball", "box[0,1]") for q in quantities]


def test_single_quantities_of_bodies_joints_points_and_the_world(scene: model.Scene) -> None:
    wanted = ["hinge.force", "world.energy", "ball.points.nose.x", "box[0,1].speed"]
    assert names(scene, wanted) == wanted
    kinds = [channel.kind for channel in resolve_channels(scene, wanted)]
    assert kinds == ["joint", "world", "point", "body"]


def test_a_bare_name_gives_its_summary_and_nothing_twice(scene: model.Scene) -> None:
    assert names(scene, ["hinge", "hinge.torque", "hinge.angle"]) == [
        "hinge.force",
        "hinge.torque",
        "hinge.angle",
    ]
    assert names(scene, ["ball.points.nose"]) == ["ball.points.nose.x", "ball.points.nose.y"]


@every_row(
    ("wanted", "hint"),
    [
        ("bal.x", "did you mean 'ball'"),
        ("ball.angel", "did you mean 'angle'"),
        ("hinge.x", "no quantity of hinge named 'x'"),
        ("ball.points.tail.x", "no body or joint named 'ball.points.tail'"),
        ("", "no body or joint named ''"),
        ("total", "no body or joint named 'total'; did you mean 'world.total_energy'?"),
    ],
)
def test_an_unknown_name_suggests_the_nearest(scene: model.Scene, wanted: str, hint: str) -> None:
    with pytest.raises(UsageError, match=hint.replace("?", "")):
        resolve_channels(scene, [wanted])


def test_points_of_bodies_have_channels_beside_probes() -> None:
    given = loads(
        "rigid: 1\nbodies: {ball: {shape: {circle: 1}, points: {nose: [1, 0]}}}\n"
        "probes: {eye: {ray: [[2, 0], [9, 0]]}}\n"
        'events: [{when: "=ball.points.nose.y < 0 and eye.hit", do: [{log: low}]}]\n'
    )
    assert names(given, ["ball.points.nose.y", "eye.hit"]) == ["ball.points.nose.y", "eye.hit"]
    World(given).step(2)
