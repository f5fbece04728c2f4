# SPDX-License-Identifier: MIT
"""Files of other programs that are dropped on a scene, whose units may be others."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from rigid2d.core.editing.desk import SceneDesk
from rigid2d.core.errors import UsageError
from rigid2d.core.importers import import_file
from rigid2d.core.play.session import Session
from rigid2d.core.render.marks.scales import mass_of
from rigid2d.core.scene import load

FILES = Path(__file__).resolve().parents[1] / "importers" / "files"
SCENE = """\
rigid: 1
bodies:
  ground: {type: static, shape: {box: [30, 1]}, position: [0, -0.5]}
  crate: {shape: {box: [1, 1]}}
"""


def dropped(folder: Path, name: str, scene: str = SCENE) -> tuple[dict[str, Any], Path]:
    file = folder / "scene.yaml"
    file.write_text(scene, encoding="utf-8")
    data = b64encode((FILES / name).read_bytes()).decode()
    asked = {"ask": "import", "name": name, "data": data, "at": [1, 2]}
    return SceneDesk(Session(file)).answer(asked), file


@pytest.mark.parametrize(
    "name", ["room.tmj", "cart.box2d.json", "pendulum.rube", "push.kinetix.json"]
)
def test_bodies_weigh_turn_and_move_as_in_their_own_file(tmp_path: Path, name: str) -> None:
    answer, file = dropped(tmp_path, name)
    assert answer["done"]
    there, here = import_file(FILES / name).scene(), load(file)
    instance = [*here.bodies][2].partition(".")[0]
    up = -1 if there.units.y_down else 1
    length = 0.01 if there.units.length == "px" else 1
    for body in there.bodies.values():
        same = here.bodies[f"{instance}.{body.name}"]
        assert same.angle == pytest.approx(up * body.angle, abs=1e-7)
        assert same.angular_velocity == pytest.approx(up * body.angular_velocity, abs=1e-7)
        x, y = body.velocity
        assert same.velocity == pytest.approx((length * x, up * length * y))
        if body.kind == "dynamic":
            assert mass_of(same) == pytest.approx(mass_of(body), rel=1e-5)
        for one, other in zip(body.shapes, same.shapes, strict=True):
            assert one.material.friction == other.material.friction
    for joint in there.joints.values():
        other_joint = here.joints[f"{instance}.{joint.name}"]
        assert other_joint.limits == pytest.approx(joint.limits)
        if joint.motor is not None:
            assert other_joint.motor.speed == pytest.approx(joint.motor.speed)


def test_what_is_dropped_has_its_middle_there(tmp_path: Path) -> None:
    _, file = dropped(tmp_path, "room.tmj")
    scene = load(file)
    assert scene.bodies["room.floor"].position == pytest.approx((1, 2 - 1.34))


def test_other_units_of_time_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="its times are in ms, those of this scene in s: drop"):
        dropped(tmp_path, "machine.xmanphysics.json")
    answer, _ = dropped(tmp_path, "machine.xmanphysics.json", f"{SCENE}units: screen\n")
    assert answer["done"]
