# SPDX-License-Identifier: MIT
"""Same scene, same bits: on every run, thread count and lane width."""

from __future__ import annotations

import pytest
from rigid2d.core import _native
from rigid2d.core.scene import loads
from rigid2d.core.world import build, take_snapshot

BUSY = """
rigid: 1
world: {{duration: 3, seed: 5, solver: {{type: {solver}}}}}
materials: {{bouncy: {{restitution: 0.5, friction: 0.3}}}}
bodies:
  floor: {{type: static, shape: {{chain: [[-30, 4], [-12, 0], [12, 0], [30, 4]]}}}}
  box: {{repeat: {{i: 8, j: 8}}, when: =i+j<8, shape: {{box: [1, 1]}},
         position: [=i*1.05+j*0.525-5, =j*1.02+0.5]}}
  ball: {{repeat: {{i: 20}}, shape: {{circle: "=uniform(0.2, 0.5)"}}, material: bouncy,
          position: ["=uniform(-6, 6)", "=uniform(10, 20)"], velocity: ["=normal(0, 3)", 0]}}
  gem: {{repeat: {{i: 10}}, shape: {{regular_polygon: {{sides: =3+i%4, radius: 0.5}}}},
         position: [=i-5, 21], angular_velocity: =i*50}}
  link: {{repeat: {{i: 12}}, shape: {{capsule: [[-0.2, 0], [0.2, 0]], radius: 0.1}},
          position: [=i*0.5-3, 8]}}
joints:
  left: {{type: revolute, bodies: [world, "link[0]"], anchor: [-3.25, 8]}}
  pin: {{repeat: {{i: 11}}, type: revolute, bodies: ["link[=i]", "link[=i+1]"],
         anchor: [=i*0.5-2.75, 8]}}
  right: {{type: distance, bodies: [world, "link[11]"], anchors: [[3, 8], [0.25, 0]],
           length: 0.25, spring: {{frequency: 2, damping_ratio: 0.3}}}}
"""


@pytest.fixture
def busy(solver):
    return loads(BUSY.format(solver=solver))


def hashes(scene, **options) -> list[int]:
    return [checkpoint.hash for checkpoint in take_snapshot(scene, **options).checkpoints]


def test_two_runs_give_the_same_bits(busy):
    first = hashes(busy)
    assert hashes(busy) == first
    assert len(set(first)) == len(first)


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_do_not_change_a_bit(busy, threads):
    assert hashes(busy, threads=threads) == hashes(busy, threads=1)


@pytest.mark.parametrize("lanes", list(_native.lanes_supported()))
def test_lanes_do_not_change_a_bit(busy, lanes):
    assert hashes(busy, lanes=lanes) == hashes(busy, lanes=_native.lanes_supported()[0])


def test_lanes_and_threads_together_do_not_change_a_bit(busy):
    widest = _native.lanes_supported()[-1]
    assert hashes(busy, lanes=widest, threads=2) == hashes(busy, lanes=1, threads=1)


def test_how_often_one_looks_does_not_change_a_bit(busy):
    at_once, by_hand = build(busy), build(busy)
    at_once.step(180)
    for _ in range(180):
        by_hand.step()
        by_hand.query.contacts()
        by_hand.energy()
        by_hand.query.ray_cast((0, 30), (0, -30))
    assert at_once.state_hash() == by_hand.state_hash()


def test_the_hash_sees_the_last_bit(busy):
    one, other = build(busy), build(busy)
    assert one.state_hash() == other.state_hash()
    ball = other["ball[0]"]
    ball.position = (ball.x + 1e-15 * max(1.0, abs(ball.x)), ball.y)
    assert one["ball[0]"].x != ball.x
    assert one.state_hash() != other.state_hash()


def test_the_seed_changes_the_scene():
    text = BUSY.format(solver="soft_step")
    assert hashes(loads(text)) != hashes(loads(text.replace("seed: 5", "seed: 6")))


BOUNCE_BESIDE_DAMPED = """
rigid: 1
world: {steps: 60, solver: {type: sequential_impulse}}
bodies:
  floor: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}
  ball: {repeat: {i: 3}, shape: {circle: 0.5}, position: [=-i*2, =1 + i/7], restitution: 1,
         linear_damping: 0.1}
  box: {repeat: {i: 3}, shape: {box: [1, 1]}, position: [=i*2 + 2, 0.9], angle: =i*20,
        angular_damping: 20, angular_velocity: 90}
"""


def test_a_bounce_in_the_next_lane_does_not_change_a_damped_contact():
    worlds = [build(loads(BOUNCE_BESIDE_DAMPED), lanes=lanes) for lanes in (1, 4)]
    for world in worlds:
        world.step(60)
    assert worlds[0].state_hash() == worlds[1].state_hash()
