# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import numpy as np
import pytest

FLOOR = "floor: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}"


def drift(trace, since: int = 60) -> float:
    """The largest motion of a body after the first second, when the scene has settled."""
    far = 0.0
    for name in trace:
        body = trace[name]
        far = max(far, np.hypot(body.x - body.x[since], body.y - body.y[since])[since:].max())
        far = max(far, abs(body.angle - body.angle[since])[since:].max())
    return far


# How high a stack ten iterations hold that start from nothing, without substeps.
HEIGHTS = [("soft_step", 10), ("sequential_impulse", 5)]


@pytest.mark.parametrize(("solver", "height"), HEIGHTS)
def test_a_stack_stands_for_a_minute(run, solver, height):
    trace = run(
        f"""
world: {{duration: 60, sleep: false, solver: {{type: {solver}}}}}
bodies:
  {FLOOR}
  box: {{repeat: {{i: {height}}}, shape: {{box: [1, 1]}}, position: [0, =i+0.5]}}
"""
    )
    assert drift(trace) < 0.02
    assert trace[f"box[{height - 1}]"].y[-1] == pytest.approx(height - 0.5, abs=0.02 * height)


def test_a_pyramid_of_ten_rows_stands_for_a_minute(run, solver):
    trace = run(
        f"""
world: {{duration: 60, sleep: false, solver: {{type: {solver}}}}}
bodies:
  {FLOOR}
  box: {{repeat: {{i: 10, j: 10}}, when: =i+j < 10, shape: {{box: [1, 1]}},
         position: [=i*1.05+j*0.525-5, =j+0.5]}}
"""
    )
    assert drift(trace) < 0.02


def arch(blocks: int, inner: float, outer: float) -> str:
    """A half ring of wedges on the floor, touching without overlap."""
    lines = []
    for i in range(blocks):
        a, b = math.pi * i / blocks, math.pi * (i + 1) / blocks
        corners = [
            [radius * math.cos(angle), radius * math.sin(angle)]
            for angle, radius in ((a, inner), (a, outer), (b, outer), (b, inner))
        ]
        lines.append(f"  block{i}: {{shape: {{polygon: {corners}}}}}")
    return "\n".join(lines)


def test_an_arch_of_ten_stands_for_a_minute(run):
    trace = run(
        f"""
world: {{duration: 60, sleep: false}}
defaults: {{material: {{friction: 0.9}}}}
bodies:
  {FLOOR}
{arch(10, 4, 5.5)}
"""
    )
    assert drift(trace) < 0.02
    assert abs(trace["block5"].y[-1]) < 0.1


def test_a_tower_of_balls_in_a_tube_stands(run, solver):
    trace = run(
        f"""
world: {{duration: 10, sleep: false, solver: {{type: {solver}}}}}
bodies:
  {FLOOR}
  left: {{type: static, shape: {{box: [1, 20]}}, position: [-1.005, 10]}}
  right: {{type: static, shape: {{box: [1, 20]}}, position: [1.005, 10]}}
  ball: {{repeat: {{i: 10}}, shape: {{circle: 0.5}}, position: [0, =i+0.5]}}
"""
    )
    assert trace["ball[9]"].y[-1] == pytest.approx(9.5, abs=0.2)


def test_a_hundredfold_mass_stands_on_a_light_box(run):
    trace = run(
        f"""
world: {{duration: 20, sleep: false}}
bodies:
  {FLOOR}
  light: {{shape: {{box: [1, 1]}}, position: [0, 0.5], mass: 1}}
  heavy: {{shape: {{box: [1, 1]}}, position: [0, 1.5], mass: 100}}
"""
    )
    assert drift(trace) < 0.02
    assert trace["heavy"].y[-1] == pytest.approx(1.5, abs=0.15)
    assert abs(trace["light"].angle[-1]) < 0.01


def test_a_heavy_ball_hangs_on_light_links(run):
    trace = run(
        """
world: {duration: 10}
bodies:
  link: {repeat: {i: 10}, shape: {capsule: [[0, 0.4], [0, -0.4]], radius: 0.1},
         position: [0, =-i-0.5], mass: 1}
  ball: {shape: {circle: 0.5}, position: [0, -10.5], mass: 100}
joints:
  top: {type: revolute, bodies: [world, "link[0]"], anchor: [0, 0]}
  pin: {repeat: {i: 9}, type: revolute, bodies: ["link[=i]", "link[=i+1]"], anchor: [0, =-i-1]}
  hook: {type: revolute, bodies: ["link[9]", ball], anchor: [0, -10]}
"""
    )
    assert trace["ball"].y[-1] == pytest.approx(-10.5, abs=0.3)


def test_a_long_chain_does_not_stretch(run):
    trace = run(
        """
world: {duration: 10}
bodies:
  link: {repeat: {i: 30}, shape: {capsule: [[-0.4, 0], [0.4, 0]], radius: 0.1},
         position: [=i+0.5, 0]}
joints:
  top: {type: revolute, bodies: [world, "link[0]"], anchor: [0, 0]}
  pin: {repeat: {i: 29}, type: revolute, bodies: ["link[=i]", "link[=i+1]"], anchor: [=i+1, 0]}
"""
    )
    tip_x = trace["link[29]"].x + 0.5 * np.cos(trace["link[29]"].angle)
    tip_y = trace["link[29]"].y + 0.5 * np.sin(trace["link[29]"].angle)
    assert np.hypot(tip_x, tip_y).max() < 30 * 1.02
    for i in range(29):
        a, b = trace[f"link[{i}]"], trace[f"link[{i + 1}]"]
        gap_x = a.x + 0.5 * np.cos(a.angle) - (b.x - 0.5 * np.cos(b.angle))
        gap_y = a.y + 0.5 * np.sin(a.angle) - (b.y - 0.5 * np.sin(b.angle))
        assert np.hypot(gap_x, gap_y).max() < 0.1


def test_contact_forces_carry_the_weight_of_the_stack(make, solver):
    world = make(
        f"""
world: {{solver: {{type: {solver}}}, sleep: false}}
bodies:
  {FLOOR}
  box: {{repeat: {{i: 3}}, shape: {{box: [1, 1]}}, mass: 2, position: [0, =i+0.5]}}
"""
    )
    world.step(300)
    force = {}
    for contact in world.query.contacts():
        pair = frozenset((contact.a, contact.b))
        force[pair] = force.get(pair, 0) + contact.normal_force
    assert force[frozenset(("floor", "box[0]"))] == pytest.approx(3 * 2 * 9.81, rel=0.02)
    assert force[frozenset(("box[1]", "box[2]"))] == pytest.approx(2 * 9.81, rel=0.02)
