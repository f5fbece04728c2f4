# SPDX-License-Identifier: MIT
"""Animations and controls of prototypes: their names, their values where instances are, keys."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from rigid2d.core.errors import Problem
from rigid2d.core.scene import expand, limits, load, loads
from rigid2d.core.scene.model import Scene

from tests.rows import every_row

Make = Callable[..., Scene]
Find = Callable[..., list[Problem]]
PI = math.pi

ROBOT = """
prototypes:
  robot:
    vars: {far: 1}
    bodies:
      base: {type: kinematic, shape: {box: [1, 1]}, friction: 1}
      leg: {shape: {box: [0.2, 1]}, position: [0, -1]}
      sled: {shape: {circle: 0.2}, position: [2, 0]}
    joints:
      hip: {type: revolute, bodies: [base, leg], anchor: [0, -0.5], motor: {position: 0}}
      knee: {type: revolute, bodies: [leg, sled], anchor: [0, -1], limits: [-10, 40],
             motor: {speed: 0}}
      part: {type: revolute, bodies: [base, sled], limits: [0, 90],
             motor: {position: 0.5, relative: true}}
      rail: {type: prismatic, bodies: [base, sled], motor: {position: 0}}
      hand: {type: mouse, body: sled, target: [2, 0]}
    actuators:
      jet: {type: thruster, body: leg, force: [1, 0]}
      wind: {type: force, body: leg, force: [1, 0]}
      kick: {type: impulse, body: leg, impulse: [1, 0]}
      spin: {type: torque, body: leg, torque: 1}
    animations:
      act: {type: once, duration: 1, tracks: {%s: [[0, %s]]}}
"""
PLACED = "{use: robot, at: [5, 0], pivot: [1, 0], angle: 90, mirror: x, scale: 2}"


@every_row(
    ("path", "value", "placed"),
    [
        ("base.position", "[2, 3]", (-1.0, -2.0)),
        ("base.angle", "30", PI / 3),
        ("base.velocity", "[2, 3]", (-3.0, -2.0)),
        ("base.angular_velocity", "30", -PI / 6),
        ("base.tangent_speed", "2", -2.0),
        ("leg.friction", "0.25", 0.25),
        ("hip.motor.position", "60", -PI / 3),
        ("hip.motor.enabled", "false", False),
        ("knee.motor.speed", "60", -PI / 3),
        ("knee.limits", "[-90, 30]", (-PI / 6, PI / 2)),
        ("part.motor.position", "0.25", 0.75),
        ("rail.motor.position", "0.25", 0.5),
        ("hand.target", "[2, 3]", (-1.0, -2.0)),
        ("jet.force", "[2, 3]", (-2.0, 3.0)),
        ("wind.force", "[2, 3]", (-3.0, -2.0)),
        ("kick.impulse", "[2, 3]", (-3.0, -2.0)),
        ("spin.torque", "4", -4.0),
        ("jet.enabled", "true", True),
    ],
)
def test_values_of_tracks_are_placed_as_objects_are(
    scene: Make, path: str, value: str, placed: object
) -> None:
    made = scene(ROBOT % (path, value) + f"instances: {{red: {PLACED}, plain: {{use: robot}}}}")
    (track,) = made.animations["red.act"].tracks
    assert track.path == f"red.{path}"
    assert track.values[0] == pytest.approx(placed, abs=1e-12)
    (own,) = made.animations["plain.act"].tracks
    assert own.path == f"plain.{path}"


def test_what_keys_set_is_placed_too(scene: Make) -> None:
    made = scene(
        ROBOT
        % ("jet.enabled", "true")
        + "    controls: {x: {set: {spin.torque: 4}, on_release: {wind.force: [2, 3]}}}\n"
        f"instances: {{red: {PLACED}}}"
    )
    control = made.controls["x"]
    assert control.sets == {"red.spin.torque": -4.0}
    assert control.on_release["red.wind.force"] == pytest.approx((-3.0, -2.0), abs=1e-12)


KEYS = """
prototypes:
  gun:
    vars: {turn: 60}
    bodies:
      base: {type: kinematic, shape: {box: [1, 1]}}
      barrel: {shape: {box: [2, 0.2]}, position: [1, 0]}
    joints: {hinge: {type: revolute, bodies: [base, barrel], motor: {position: 0}}}
    actuators: {jet: {type: thruster, body: barrel, force: [1, 0]}}
    animations:
      aim: {type: manual, duration: 1, tracks: {hinge.motor.position: [[0, 0], [1, =turn]]}}
    controls: {up: aim.forward, down: [aim.backward, jet]}
"""


def test_a_key_drives_all_instances_that_have_it(scene: Make) -> None:
    made = scene(KEYS + "instances: {a: {use: gun}, b: {use: gun, at: [9, 0]}}")
    assert list(made.animations) == ["a.aim", "b.aim"]
    assert made.controls["up"].forward == ("a.aim", "b.aim")
    assert made.controls["down"].holds == ("a.jet", "b.jet")


def test_an_instance_may_take_other_keys(scene: Make) -> None:
    made = scene(
        KEYS + "instances: {a: {use: gun}, b: {use: gun, controls: {up: w}}}\n"
        "inputs: [{key: w, to: 1}]"
    )
    assert made.controls["up"].forward == ("a.aim",)
    assert made.controls["w"].forward == ("b.aim",)
    assert made.controls["down"].backward == ("a.aim", "b.aim")


def test_the_scene_s_own_controls_come_on_top(scene: Make) -> None:
    made = scene(
        KEYS + "    # the scene\ninstances: {a: {use: gun}}\n"
        "actuators: {wind: {type: force, body: a.barrel, force: [1, 0]}}\n"
        "controls: {up: wind, left: a.aim.backward}"
    )
    assert made.controls["up"].forward == ("a.aim",)
    assert made.controls["up"].holds == ("wind",)
    assert made.controls["left"].backward == ("a.aim",)


def test_where_both_set_the_same_the_scene_does(scene: Make) -> None:
    made = scene(
        KEYS.replace("{up: aim.forward,", "{up: {set: {jet.force: [2, 0]}},")
        + "instances: {a: {use: gun}, b: {use: gun}}\ncontrols: {up: {set: {a.jet.force: [3, 0]}}}"
    )
    assert made.controls["up"].sets == {"a.jet.force": (3.0, 0.0), "b.jet.force": (2.0, 0.0)}


def test_vars_of_an_instance_are_in_its_tracks(scene: Make) -> None:
    made = scene(KEYS + "instances: {a: {use: gun, vars: {turn: 90}}, b: {use: gun}}")
    values = [each.tracks[0].values[1] for each in made.animations.values()]
    assert values == pytest.approx([PI / 2, PI / 3])


def test_instances_inside_prototypes_pass_theirs_on(scene: Make) -> None:
    made = scene(
        KEYS
        + """
  tank:
    bodies: {hull: {shape: {box: [3, 1]}}}
    instances: {gun: {use: gun, at: [0, 1], controls: {up: raise}}}
    controls: {raise: {set: {hull.friction: 0.5}}}
instances: {t: {use: tank, mirror: x, controls: {raise: w}}}
"""
    )
    assert made.controls["w"].forward == ("t.gun.aim",)
    assert made.controls["w"].sets == {"t.hull.friction": 0.5}
    assert made.animations["t.gun.aim"].tracks[0].path == "t.gun.hinge.motor.position"
    assert made.animations["t.gun.aim"].tracks[0].values[1] == pytest.approx(-PI / 3)


def test_a_scene_with_a_player_can_be_a_prototype(tmp_path: Path) -> None:
    part = KEYS.replace("prototypes:\n  gun:\n", "").replace("\n    ", "\n")
    player = "inputs: [{key: up}]\nannotations: [{text: gun, corner: top_left}]\n"
    (tmp_path / "gun.yaml").write_text("rigid: 1\n" + part + player)
    (tmp_path / "s.yaml").write_text(
        "rigid: 1\nprototypes: {gun: {file: gun.yaml}}\ninstances: {a: {use: gun}}\n"
    )
    made = load(tmp_path / "s.yaml")
    assert made.controls["up"].forward == ("a.aim",)
    assert made.inputs == ()


def test_what_is_written_out_reads_the_same(scene: Make) -> None:
    made = scene(KEYS + "instances: {a: {use: gun, mirror: y}, b: {use: gun, controls: {up: w}}}")
    again = loads(expand(made))
    assert again.animations == made.animations
    assert again.controls == made.controls
    assert again.hash == made.hash


def test_a_mistake_in_a_prototype_is_told_without_an_instance(problems: Find) -> None:
    (found,) = problems(
        KEYS.replace("up: aim.forward", "up: aim.foward") + "bodies: {a: {shape: {circle: 1}}}"
    )
    assert found.path == "prototypes.gun.controls.up"
    assert "did you mean `forward`" in found.message


def test_tracks_of_very_many_instances_end_at_a_limit(
    problems: Find, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TRACK_KEYS", 9)
    (found,) = problems(KEYS + "instances: {a: {use: gun, repeat: {i: 5}, at: [=3*i, 0]}}")
    assert "more than 9 keys of tracks" in found.message
