# SPDX-License-Identifier: MIT
"""Sliders of joints' numbers, which count from now on and are recorded as other input is."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from rigid2d.core.errors import UnknownNameError, UsageError
from rigid2d.core.play.recording import write_inputs
from rigid2d.core.play.session import Session
from rigid2d.core.play.status import status
from rigid2d.core.play.wire import as_text

from tests.play.sessions import replayed, rewrite, run, state

MOTORS = """\
rigid: 1
world: {gravity: [0, 0], duration: 4}
bodies:
  wheel: {shape: {circle: 1}}
  arm: {shape: {box: [2, 0.2]}, position: [4, 0]}
  lift: {shape: {box: [1, 1]}, position: [8, 0]}
  knee: {shape: {box: [2, 0.2]}, position: [12, 0]}
  ball: {shape: {circle: 0.3}, position: [16, -2]}
  bob: {shape: {circle: 0.3}, position: [20, -2]}
joints:
  axle: {type: revolute, bodies: [world, wheel], anchor: [0, 0], motor: {speed: 90, max_torque: 50}}
  servo:
    type: revolute
    bodies: [world, arm]
    anchor: [3, 0]
    limits: [-30, 60]
    motor: {position: 0.25, relative: true}
  mast:
    type: prismatic
    bodies: [world, lift]
    anchor: [8, 0]
    axis: [0, 1]
    limits: [-1, 2]
    motor: {position: 0.5}
  hip: {type: revolute, bodies: [world, knee], anchor: [11, 0], motor: {position: 30}}
  rope:
    type: distance
    bodies: [world, ball]
    anchors: [[16, 0], [0, 0]]
    rope: true
    motor: {position: 2}
  coil:
    type: distance
    bodies: [world, bob]
    anchors: [[20, 0], [0, 0]]
    spring: {frequency: 2, damping_ratio: 0.1}
animations:
  bend: {type: loop, duration: 2, tracks: {hip.motor.position: [[0, 0], [0.5, 60], [1, 0]]}}
"""


@pytest.fixture
def motors(path: Path) -> Session:
    path.write_text(MOTORS, encoding="utf-8")
    return Session(path)


RANGES = {
    "axle.motor.speed": (-360.0, 90.0, 360.0, "°/s"),
    "axle.motor.max_torque": (0.0, 50.0, 200.0, "N m"),
    "servo.motor.position": (0.0, 0.25, 1.0, ""),
    "servo.motor.max_torque": (0.0, math.inf, 50.0, "N m"),  # of 0.4 kg, 2 m from the hinge
    "mast.motor.position": (-1.0, 0.5, 2.0, "m"),
    "mast.motor.max_force": (0.0, math.inf, 50.0, "N"),  # of 1 kg
    "hip.motor.position": (-180.0, 1.0, 180.0, "°"),
    "hip.motor.max_torque": (0.0, math.inf, 50.0, "N m"),
    "rope.motor.position": (0.0, 2.0, 2.0, "m"),
    "rope.motor.max_force": (0.0, math.inf, 20.0, "N"),
    "rope.max_length": (0.0, 2.0, 8.0, "m"),
    "coil.spring.frequency": (0.02, 2.0, 8.0, "Hz"),
    "coil.spring.damping_ratio": (0.0, 0.1, 1.0, ""),
}


def test_every_motor_has_a_slider_that_ends_where_its_limits_are(motors: Session) -> None:
    run(motors, 1)
    rows = {row["path"]: row for row in status(motors, 1)["joints"]}
    assert list(rows) == list(RANGES)
    for path, (low, value, high, unit) in RANGES.items():
        row = rows[path]
        assert row["unit"] == unit
        assert [row["low"], row["value"], row["high"]] == pytest.approx([low, value, high])
        assert row["endless"] is (value == math.inf)


def test_a_moved_slider_drives_the_joint_and_replays_to_the_same_bits(
    motors: Session, tmp_path: Path
) -> None:
    run(motors, 20)
    motors.set_joint("axle.motor.speed", -180)
    assert motors.dial_values()["axle.motor.speed"] == -math.pi  # due in the next step
    run(motors, 20)
    motors.set_joint("servo.motor.position", 1.0)
    motors.set_joint("axle.motor.max_torque", 12.5)
    motors.set_joint("coil.spring.frequency", 6.5)
    end = run(motors, 20)
    assert motors.world is not None
    assert motors.world["wheel"].angular_velocity == pytest.approx(-math.pi, rel=1e-6)
    assert motors.dial_values()["axle.motor.max_torque"] == 12.5
    record = tmp_path / "inputs.yaml"
    write_inputs(motors, record)
    assert "axle.motor.speed: -180.0" in record.read_text()
    assert replayed(motors.source.path, record, 60) == end
    motors.seek(10)
    motors.arrive()
    assert motors.dial_values()["axle.motor.speed"] == pytest.approx(math.pi / 2)
    motors.seek(60)
    motors.arrive()
    assert state(motors) == end


def test_a_motor_without_a_limit_gets_one_and_loses_it_again(
    motors: Session, tmp_path: Path
) -> None:
    run(motors, 5)
    motors.set_joint("mast.motor.max_force", 3.0)
    assert motors.dial_values()["mast.motor.max_force"] == 3.0
    run(motors, 5)
    motors.set_joint("mast.motor.max_force", 52.5)  # beyond the last number
    end = run(motors, 5)
    assert motors.dial_values()["mast.motor.max_force"] == math.inf
    record = tmp_path / "inputs.yaml"
    write_inputs(motors, record)
    assert replayed(motors.source.path, record, 15) == end
    (row,) = (r for r in status(motors, 1)["joints"] if r["path"] == "mast.motor.max_force")
    assert json.loads(as_text(row))["value"] is None


@pytest.mark.parametrize(
    ("number", "value", "before", "after"),
    [
        ("axle.motor.speed", -180, "speed: 90", "speed: -180"),
        ("axle.motor.max_torque", 12.5, "max_torque: 50", "max_torque: 12.5"),
        ("servo.motor.position", 0.75, "position: 0.25", "position: 0.75"),
        ("coil.spring.frequency", 6.5, "frequency: 2", "frequency: 6.5"),
        ("rope.motor.position", 1.25, "motor: {position: 2}", "motor: {position: 1.25}"),
    ],
)
def test_what_a_slider_says_is_written_at_its_place(
    motors: Session, path: Path, number: str, value: float, before: str, after: str
) -> None:
    run(motors, 5)
    motors.set_joint(number, value)
    rows = {row["path"]: row for row in status(motors, 1)["joints"]}
    assert [each for each, row in rows.items() if row["moved"]] == [number]
    motors.write_joint(number)
    assert path.read_text(encoding="utf-8") == MOTORS.replace(before, after, 1)
    motors.arrive()
    assert (motors.step, motors.trouble) == (5, None)
    assert not any(row["moved"] for row in status(motors, 1)["joints"])
    motors.restart()
    assert status(motors, 1)["joints"][list(RANGES).index(number)]["value"] == value


@pytest.mark.parametrize("written", ["90 deg/s", "1.5707963267948966 rad/s", "15 rpm"])
def test_a_number_with_a_unit_is_written_too(path: Path, written: str) -> None:
    rewrite(path, MOTORS.replace("speed: 90", f"speed: {written}"))
    session = Session(path)
    session.set_joint("axle.motor.speed", 45)
    session.write_joint("axle.motor.speed")
    assert path.read_text() == MOTORS.replace("speed: 90", "speed: 45")


@pytest.mark.parametrize(
    ("before", "after", "number", "message"),
    [
        ("speed: 90", "speed: =2*45", "axle.motor.speed", "is an expression; change it there"),
        ("joints:", "joints:", "servo.motor.max_torque", "itself; it comes from a default"),
        ("  axle: {", "  axle: {repeat: {i: 1}, ", "axle[0].motor.speed", "a generator makes it"),
        ("motor: {speed: 90, ", "motor: {<<: *m, ", "axle.motor.speed", "comes from a default"),
        ("motor: {speed: 90, max_torque: 50}", "motor: *m", "axle.motor.speed", "is an alias"),
        ("joints:", "include: [more.yaml]\njoints:", "more.motor.speed", "a file that it includes"),
    ],
)
def test_a_number_that_is_said_elsewhere_is_not_written(
    path: Path, before: str, after: str, number: str, message: str
) -> None:
    more = "{type: revolute, bodies: [world, wheel], anchor: [0, 0], motor: {speed: 9}}"
    path.with_name("more.yaml").write_text(f"joints: {{more: {more}}}\n", encoding="utf-8")
    text = MOTORS.replace(before, after, 1)
    if "*m" in text:
        anchored = more.replace("motor: {", "motor: &m {")
        text = text.replace("joints:", f"joints:\n  first: {anchored}", 1)
    rewrite(path, text)
    session = Session(path)
    assert session.trouble is None
    session.set_joint(number, 10)
    with pytest.raises(UsageError, match=re.escape(message)):
        session.write_joint(number)
    assert path.read_text(encoding="utf-8") == text


def test_a_slider_that_was_not_moved_writes_nothing(motors: Session) -> None:
    with pytest.raises(UsageError, match="is as the file says"):
        motors.write_joint("axle.motor.speed")


def test_a_slider_that_is_dragged_leaves_one_entry_for_a_step(motors: Session) -> None:
    for value in (10, 20, 30):
        motors.set_joint("axle.motor.speed", value)
    assert len(motors.entries()) == 1


@pytest.mark.parametrize(
    ("number", "value", "kept"),
    [("axle.motor.speed", 1e9, 2 * math.pi), ("servo.motor.position", -3.0, 0.0)],
)
def test_a_slider_stays_between_its_ends(
    motors: Session, number: str, value: float, kept: float
) -> None:
    motors.set_joint(number, value)
    assert motors.dial_values()[number] == pytest.approx(kept)


def test_what_has_no_slider_is_refused(motors: Session) -> None:
    with pytest.raises(UnknownNameError, match="number of a joint with a slider"):
        motors.set_joint("axle.motor.sped", 1.0)
    with pytest.raises(UsageError, match=r"the animation 'bend' sets hip\.motor\.position"):
        motors.set_joint("hip.motor.position", 1.0)
    assert not motors.was_played


def test_a_joint_that_is_gone_has_no_slider(motors: Session) -> None:
    assert motors.world is not None
    motors.world.joint("axle").remove()
    assert "axle.motor.speed" not in motors.dial_values()


def test_what_was_set_stays_after_an_edit_where_the_motor_is_the_same(
    motors: Session, path: Path
) -> None:
    motors.set_joint("axle.motor.speed", -180)
    motors.set_joint("servo.motor.position", 1.0)
    run(motors, 20)
    rewrite(path, MOTORS.replace("motor: {speed: 90, max_torque: 50}", "motor: {position: 90}"))
    assert motors.reload()
    motors.arrive()
    assert motors.trouble is None
    assert motors.dial_values()["servo.motor.position"] == 1.0
    assert motors.dial_values()["axle.motor.position"] == pytest.approx(math.pi / 2)


def test_loads_between_two_pictures_are_not_lost(path: Path) -> None:
    path.write_text(
        "rigid: 1\nworld: {duration: 4, dt: 0.002}\nbodies:\n"
        "  hammer: {shape: {box: [1, 0.2]}, position: [0.5, 0]}\n"
        "joints: {pin: {type: revolute, bodies: [world, hammer], anchor: [0, 0]}}\n"
    )
    session = Session(path)
    session.loads.wanted = True
    forces = []
    assert session.world is not None
    for _ in range(30):
        session.step_once()
        x, y = session.world.joint("pin").force
        forces.append(math.sqrt(x * x + y * y))
    taken = session.loads.take(session.world)
    assert taken is not None
    assert taken[0, :2].tolist() == [min(forces), max(forces)]
    assert session.loads.take(session.world) is None
