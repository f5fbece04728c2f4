# SPDX-License-Identifier: MIT
"""Scenes of which every part has something to save: a few bodies each, so that tries are quick."""

from __future__ import annotations

_BODIES = """\
  floor: {type: static, shape: {box: [30, 1]}, position: [0, -0.5], tags: [ground]}
  ball: {shape: {circle: 0.3}, position: [0, 2], points: {p: [0, 0.3]}, tags: [round]}
  arm: {shape: {box: [1, 0.1]}, position: [-3, 2]}
  car: {shape: {box: [1, 0.5]}, position: [3, 0.3], tags: [round]}
"""

LIVELY = f"""\
rigid: 1
world: {{duration: 10, bounds: [[-20, -5], [20, 20]]}}
bodies:
{_BODIES}
joints:
  hinge: {{type: revolute, bodies: [world, arm], anchor: [-3.5, 2],
          motor: {{speed: 90, max_torque: 9}}}}
  hand: {{type: mouse, body: car, target: [2, 1]}}
  link: {{type: distance, bodies: [ball, car], spring: {{frequency: 2}}, break: {{force: 40}}}}
actuators:
  spin: {{type: rotary_motor, bodies: [car], speed: 30, max_torque: 4, start: 0.2, until: 0.9}}
  jet: {{type: thruster, bodies: [arm], force: [0, 3], start: 0.1}}
  wind: {{type: field, bodies: [ball], field: ["=sin(t)", 0]}}
  tyre: {{type: axial_friction, body: car, friction: 0.5}}
"""

SCRIPTED = f"""\
rigid: 1
world: {{duration: 10, bounds: [[-20, -5], [20, 20]], seed: 3}}
state: {{score: 0, lives: 3}}
prototypes:
  drop: {{bodies: {{b: {{shape: {{circle: 0.1}}, tags: [wet], points: {{p: [0, 0.1]}}}}}}}}
  beetle:
    vars: {{size: 0.2}}
    bodies:
      shell: {{shape: {{box: [0.4, =size]}}, tags: [beetle]}}
      leg: {{shape: {{circle: 0.1}}, position: [0.3, 0]}}
      lamp: {{type: kinematic, shape: {{circle: 0.05}}, position: [0, 1]}}
    joints:
      hip: {{type: revolute, bodies: [shell, leg], anchor: [0.3, 0],
            motor: {{speed: 200, max_torque: 1}}}}
    actuators: {{push: {{type: thruster, body: shell, force: [1, 0]}}}}
    animations:
      blink: {{type: loop, duration: 1, tracks: {{lamp.angle: [[0, 0], [0.5, 90], [1, 0]]}}}}
    controls: {{left: {{do: [{{log: beetle}}]}}, right: push}}
    events:
      - {{when: collision, tags: [beetle, ground], do: [{{add: {{score: 1}}}}]}}
      - {{when: =shell.y < 0.5, after: 0.3, do: [{{log: low}}]}}
      - {{when: leave, body: shell, region: [[-9, -9], [9, 9]], do: [{{log: away}}]}}
      - {{when: time, at: 0.1, every: 0.4, do: [{{log: tick}}]}}
    spawners: {{sweat: {{use: drop, every: 0.4, at: [0, 0.5], max: 2}}}}
    particles: {{dust: {{from: shell, rate: 5, life: 0.5, speed: 0.3, size: 0.05}}}}
bodies:
{_BODIES}
  lift: {{type: kinematic, shape: {{box: [2, 0.2]}}, position: [6, 1]}}
joints:
  hinge: {{type: revolute, bodies: [world, arm], anchor: [-3.5, 2],
          motor: {{speed: 90, max_torque: 9}}}}
actuators:
  jet: {{type: thruster, bodies: [car], force: [-3, 0], enabled: false}}
animations:
  ride: {{type: loop, duration: 2,
         tracks: {{lift.position: [[0, [6, 1]], [0.4, [6, 3]], [1, [6, 1]]]}}}}
controls:
  left: {{hold: jet, do: [{{log: pressed}}]}}
  up: {{set: {{hinge.motor.speed: 180}}, on_release: {{hinge.motor.speed: 0}}}}
inputs:
  - {{key: up, from: 0.1, to: 0.4}}
events:
  - {{when: collision, tags: [round, ground], once_per: pair, do: [{{add: {{score: 1}}}}]}}
  - {{when: collision, tags: [wet, ground], after: 0.2, do: [{{delete: $a}}]}}
  - {{when: =state.score > 1, once: true, do: [{{set: {{state.lives: 2}}}}]}}
  - {{when: leave, tags: [round], region: [[-5, -1], [5, 5]], do: [{{log: out}}]}}
  - {{when: deleted, tags: [wet], do: [{{log: gone}}]}}
  - {{when: time, at: 0.5, do: [{{destroy: {{body: car, count: 2}}}}]}}
  - {{when: time, at: 0.2, every: 0.1, cooldown: 0.5, do: [{{log: tick}}]}}
  - {{when: time, at: 0.2,
     do: [{{attach: {{name: rope, joint: {{type: distance, bodies: [ball, arm]}}}}}}]}}
spawners:
  rain: {{use: drop, every: 0.15, at: ["=uniform(-2, 2)", 4], lifetime: 0.7, alive: 5}}
  nest: {{use: beetle, every: 0.5, at: [1, 2], vars: {{size: "=uniform(0.1, 0.3)"}}, max: 3}}
outcome: {{lose: =state.lives < 1}}
"""


def _textbook(solver: str, more: str = "") -> str:
    return f"""\
rigid: 1
world: {{duration: 10, solver: {{type: {solver}}}}}
bodies:
{_BODIES}
actuators:
  jet: {{type: thruster, bodies: [car], force: [-3, 0]}}
{more}"""


_HINGE = """\
joints:
  hinge: {type: revolute, bodies: [world, arm], anchor: [-3.5, 2],
          motor: {speed: 90, max_torque: 9}}
"""

SCENES = {
    "lively": LIVELY,
    "scripted": SCRIPTED,
    "impulses": _textbook("iterative_impulse"),
    "matrix": _textbook("pgs_matrix", _HINGE),
    "particles": _textbook("verlet").replace("circle: 0.3", "box: [0.5, 0.5]"),
}
"""By name."""
