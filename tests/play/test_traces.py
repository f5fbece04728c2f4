# SPDX-License-Identifier: MIT
"""Forces that a page plots: of contacts, motors and actuators, and all of a body together."""

from __future__ import annotations

from pathlib import Path

import pytest
from rigid2d.core.play.session import Session
from rigid2d.core.play.traces import traced

SCENE = """\
rigid: 1
world: {duration: 4, dt: 0.01}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  crate: {shape: {box: [1, 1]}, mass: 2, position: [0, 0.5]}
  drop: {shape: {circle: 0.5}, mass: 3, position: [5, 9]}
  wheel: {shape: {circle: 0.5}, mass: 1, position: [-5, 3]}
joints:
  axle:
    type: revolute
    bodies: [world, wheel]
    anchor: [-5, 3]
    motor: {speed: 90, max_torque: 0.2}
actuators:
  jet: {type: thruster, body: drop, force: [3, 4], start: 0.1}
  brake: {type: torque, body: wheel, torque: -0.1}
  mill: {type: rotary_motor, body: wheel, speed: 9, max_torque: 1}
"""


@pytest.fixture
def session(path: Path) -> Session:
    path.write_text(SCENE, encoding="utf-8")
    return Session(path)


def test_motors_and_steady_actuators_can_be_traced(session: Session) -> None:
    assert session.scene is not None
    assert traced(session.scene) == {"axle": "motor_torque", "jet": "force", "brake": "torque"}


def test_every_force_is_what_it_is_with_its_least_and_largest(session: Session) -> None:
    names = ("crate.contact_force", "drop.net_force", "axle.motor_torque", "jet.force")
    names = (*names, "brake.torque", "world.kinetic", "no.contact_force", "crate.no")
    session.traces.want(names)
    for _ in range(30):
        session.step_once()
    found = {session.traces.names[int(number)]: ends for number, *ends in session.traces.take()}
    assert found.keys() == {*names} - {"no.contact_force", "crate.no"}
    assert found["crate.contact_force"] == pytest.approx([19.62] * 3, rel=1e-2)
    now, least, most = found["drop.net_force"]
    assert (least, most) == pytest.approx((25.596, 29.43), rel=1e-3)  # falling, and with the jet
    assert now == pytest.approx(least)
    assert found["jet.force"] == [5.0, 0.0, 5.0]
    assert found["brake.torque"] == [-0.1] * 3
    assert max(map(abs, found["axle.motor_torque"])) == pytest.approx(0.2, rel=1e-3)
    now, least, most = found["world.kinetic"]
    assert 0.0 <= least < now == most
    assert session.traces.take() == []


def test_a_force_keeps_its_number(session: Session) -> None:
    session.traces.want({"jet.force"})
    session.traces.want({"crate.contact_force", "jet.force"})
    session.traces.want({"axle.motor_torque"})
    assert session.traces.names == ["jet.force", "crate.contact_force", "axle.motor_torque"]


def test_a_change_of_place_is_no_force(session: Session) -> None:
    session.traces.want({"drop.net_force"})
    for _ in range(20):
        session.step_once()
    session.seek(2)
    session.arrive()
    session.traces.take()
    session.step_once()
    ((_, now, least, most),) = session.traces.take()
    assert [now, least, most] == pytest.approx([29.43] * 3, rel=1e-3)
