# SPDX-License-Identifier: MIT
"""Scenes whose scripts are compiled: small ones, so that a changed byte matters, which together
have every table of a program. Much happens in a few long steps."""

from __future__ import annotations

_HEAD = """\
rigid: 1
world: {dt: 0.05, duration: 10, seed: 3, bounds: [[-20, -9], [20, 30]]}
state: {n: 0, m: 0}
"""

PLAYED = f"""{_HEAD}
bodies:
  ground: {{type: static, shape: {{box: [30, 1]}}, position: [0, -0.5], tags: [hard]}}
  ball: {{repeat: {{i: 2}}, shape: {{circle: 0.4}}, position: ["=3*i", 0.5], tags: [ball]}}
  lift: {{type: kinematic, shape: {{box: [1, 0.2]}}, position: [-8, 2]}}
joints:
  hinge: {{type: revolute, bodies: ["ball[0]", world], anchor: [0, 2], limits: [-90, 90],
    motor: {{speed: 10, max_torque: 9}}}}
  coil: {{type: distance, bodies: ["ball[1]", world], anchors: [[0, 0], [3, 4]], max_length: 6,
    spring: {{frequency: 2}}}}
  hand: {{type: mouse, body: "ball[1]", anchor: [3, 0.5], max_force: 9}}
actuators:
  jet: {{type: thruster, body: "ball[0]", force: [0, 2], enabled: false}}
  pull: {{type: field, tags: [ball], field: ["=-x", "=sin(t)"], start: 0.1}}
probes:
  eye: {{ray: [[-4, 0.3], ["=4 + state.n", 0.3]], ignore: [tags.hard]}}
  zone: {{shape: {{box: [3, 3]}}, frame: lift}}
animations:
  ride: {{type: loop, loop: ping_pong, duration: 1, tracks: {{
    lift.position: [[0, [-8, 2]], [1, [-8, 3]]], hinge.motor.speed: [[0, 10], [1, 40]]}}}}
  lean: {{type: manual, duration: 0.4, return_to: 0, tracks: {{coil.max_length: [[0, 5], [1, 6]]}}}}
controls:
  up: {{hold: jet, do: [{{add: {{m: 1}}}}], every: 0.1}}
  left: lean.forward
  right: {{set: {{hinge.motor.max_torque: 5}}, on_release: {{do: [{{log: off}}]}}}}
inputs:
  - {{key: up, from: 0.1, to: 0.5}}
  - {{key: left, from: 0.1, to: 0.3}}
  - {{key: right, from: 0.2, to: 0.4}}
  - {{at: 0.3, set: {{jet.force: [0, 9], "ball[0].velocity.x": 2}}}}
events:
  - {{when: time, at: 0.1, every: 0.1, do: [{{add: {{n: 1, m: "=uniform(0, 2)"}}}},
      {{set: {{hand.target: [3, "=state.n"]}}}}, {{set: {{coil.spring.frequency: 3,
      hinge.limits: [-80, 60]}}}}]}}
  - {{when: collision, tags: [ball, hard], cooldown: 0.1, if: "=$a.vy < 3", do: [
      {{impulse: {{body: $a, impulse: ["=normal(0, 1)", 2], at: $point}}}}, {{sound: tick}}]}}
  - {{when: "=state.n > 3 and tags.ball.max.y > 0 and not eye.hit", unless: =zone.count > 9,
      after: 0.1, do: [{{play: ride}},
      {{set: {{world.gravity: [1, -9], "ball[0].type": kinematic}}}}]}}
  - {{when: leave, tags: [ball], region: [[-1, -2], [4, 9]], do: [{{stop: ride}},
      {{move: {{what: tags.ball, by: [0.1, 0.2], angle: 10}}}}]}}
outcome: {{win: =state.n > 20}}
"""

BORN = f"""{_HEAD}
prototypes:
  drop: {{bodies: {{dot: {{shape: {{circle: 0.2}}, tags: [drop]}}}}}}
  pair:
    bodies:
      left: {{shape: {{box: [0.4, 0.2]}}, position: [-0.3, 0]}}
      right: {{shape: {{box: [0.4, 0.2]}}, position: [0.3, 0], tags: [drop],
        points: {{tip: [0.2, 0]}}}}
    joints: {{pin: {{type: revolute, bodies: [left, right], anchor: [0, 0]}}}}
bodies:
  ground: {{type: static, shape: {{box: [30, 1]}}, position: [0, -0.5], tags: [ground]}}
  brick: {{shape: {{box: [0.8, 0.4]}}, position: [2, 0.2], tags: [some]}}
  ring: {{shape: {{box: [1, 1], holes: [[[-0.3, -0.3], [0.3, -0.3], [0.3, 0.3], [-0.3, 0.3]]]}},
    position: [-3, 0.5], tags: [some]}}
joints: {{cord: {{type: distance, bodies: [world, brick], anchor: [2, 3], rope: true}}}}
spawners:
  rain: {{use: drop, every: 0.06, until: 0.9, at: ["=uniform(-4, 4)", 1], lifetime: 0.3}}
  twins: {{use: pair, every: 0.2, at: [3, 2], angle: "=normal(0, 40)", scale: 1.5, mirror: x,
    alive: 3, if_free: true, max_tries: 3, frame: brick, velocity: [0, -3]}}
events:
  - {{when: collision, tags: [drop, ground], do: [{{add: {{n: 1, m: =$a.x}}}}, {{delete: $a}},
      {{spawn: {{use: drop, name: spark, at: $point, lifetime: 0.2}}}}]}}
  - {{when: deleted, tags: [drop], do: [{{add: {{m: 1}}}}]}}
  - {{when: time, at: 0.2, every: 0.2, do: [
      {{destroy: {{body: brick, method: voronoi, count: 4, kick: {{radial: 1, spin: 90}}}}}},
      {{destroy: {{body: ring, count: 3, tags: [], lifetime: 0.3}}}}, {{detach: cord}},
      {{attach: {{name: rope, joint: {{type: distance, bodies: [ring, ground],
        anchors: [[0, 0], [0, 0]], max_length: 2}}}}}}]}}
  - {{when: time, at: 0.3, every: 0.2, do: [{{explode: {{at: [0, "=uniform(-1, 1)"], radius: 6,
      impulse: "=0.5 + tags.some.area + tags.drop.count"}}}}]}}
  - {{when: deleted, joint: cord, do: [{{log: broke}}]}}
"""

COPIES = f"""{_HEAD}
prototypes:
  spark: {{bodies: {{dot: {{shape: {{circle: 0.05}}, tags: [spark]}}}}}}
  beast:
    bodies:
      trunk: {{shape: {{box: [1, 0.5]}}, tags: [beast], points: {{nose: [0.8, 0.2]}}}}
      head: {{shape: {{circle: 0.2}}, position: [1, 0.4], points: {{tip: [0.1, 0]}}}}
    joints:
      neck: {{type: revolute, bodies: [trunk, head], anchor: [0.7, 0.3], limits: [-80, 70],
        motor: {{position: 10, max_torque: 4}}, break: {{force: 40}}}}
    animations:
      wave: {{type: loop, loop: ping_pong, duration: 0.4, tracks: {{
        neck.motor.position: [[0, -20], [1, 50]], head.gravity_scale: [[0, 1], [1, 0.5]]}}}}
    spawners:
      few: {{use: spark, every: 0.15, at: trunk.points.nose, alive: 2, if: =head.y > 0}}
    events:
      - {{when: joint_broken, joint: neck, after: 0.1, do: [{{add: {{n: 1}}}}, {{delete: head}}]}}
      - {{when: "=trunk.y < 1.5 and neck.angle > -9", do: [{{add: {{n: 1}}}}, {{stop: wave}}]}}
      - {{when: time, at: 0.1, every: 0.1, do: [{{add: {{trunk.velocity.y: 1, m: 1}}}},
          {{reach: {{tip: head.points.tip, joints: [neck], target: [1.2, 0.8]}}}},
          {{impulse: {{body: head, impulse: [0.02, 0.05], at: head}}}}]}}
      - {{when: leave, body: trunk, region: [[-3, -2], [3, 2]], do: [{{play: wave}},
          {{attach: {{name: tie,
          joint: {{type: weld, bodies: [trunk, head], anchor: [0.5, 0.2]}}}}}}]}}
      - {{when: collision, tags: [beast, ground], cooldown: 0.2, cooldown_per: pair, do: [
          {{set: {{$a.linear_damping: 0.2, neck.limits: [-70, 60]}}}}, {{detach: tie}},
          {{spawn: {{use: spark, at: $point, lifetime: 0.2}}}}]}}
      - {{when: time, at: 0.5, do: [{{destroy: {{body: head, count: 2}}}}, {{delete: trunk}}]}}
bodies: {{ground: {{type: static, shape: {{box: [30, 1]}}, position: [0, -0.5], tags: [ground]}}}}
spawners:
  east: {{use: beast, every: 0.2, at: [3, 1], angle: 30, mirror: x, scale: 1.3, max: 3}}
"""

SCENES = {"played": PLAYED, "born": BORN, "copies": COPIES}
"""By name."""
READINGS = {
    "played": ("state.n * 2", "eye.distance + world.time", "tags.ball.max.y", "hinge.angle"),
    "born": ("tags.drop.count", "tags.some.mass + state.m"),
    "copies": ("tags.beast.max.y", "tags.spark.count / 2"),
}
"""Expressions that a page shows, by the scene."""
