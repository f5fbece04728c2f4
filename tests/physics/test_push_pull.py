# SPDX-License-Identifier: MIT
"""Push and pull along bars, and joints that break by it."""

from __future__ import annotations

import pytest
from rigid2d.core import build, loads, simulate

# Weights in these scenes are ten times the mass, as in the definition's own examples.
WORLD = """rigid: 1
world: {gravity: [0, -10], duration: 3}
"""


def at_the_end(text: str, channel: str) -> float:
    trace = simulate(loads(WORLD + text + f"record: {{channels: [{channel}]}}\n"))
    return float(trace.channel(channel)[-1])


@pytest.mark.parametrize("kind", ["revolute", "weld"])
def test_a_hanging_beam_is_pulled_by_its_weight(kind: str) -> None:
    text = f"""
bodies: {{beam: {{shape: {{box: [0.2, 2]}}, mass: 10}}}}
joints: {{hook: {{type: {kind}, bodies: [world, beam], anchor: [0, 1]}}}}
"""
    assert at_the_end(text, "beam.push_pull") == pytest.approx(-100, rel=1e-3)


def test_a_beam_pulled_at_both_ends_feels_both() -> None:
    text = """
bodies: {beam: {shape: {box: [2, 0.2]}, mass: 1, gravity_scale: 0}}
actuators:
  left: {type: force, body: beam, at: [-1, 0], force: [-7, 0]}
  right: {type: force, body: beam, at: [1, 0], force: [7, 0]}
"""
    assert at_the_end(text, "beam.push_pull") == pytest.approx(-14, rel=1e-4)


def test_a_standing_beam_is_pushed_by_its_weight() -> None:
    text = """
bodies:
  beam: {shape: {box: [0.3, 2]}, mass: 1, position: [0, 1]}
  floor: {type: static, shape: {box: [4, 1]}, position: [0, -0.5]}
"""
    assert at_the_end(text, "beam.push_pull") == pytest.approx(10, rel=1e-2)


def test_a_beam_on_two_supports_is_only_bent() -> None:
    text = """
bodies: {beam: {shape: {box: [2, 0.2]}, mass: 1}}
joints:
  a: {type: revolute, bodies: [world, beam], anchor: [-1, 0]}
  b: {type: distance, bodies: [world, beam], anchors: [[1, 3], [1, 0]]}
"""
    assert abs(at_the_end(text, "beam.push_pull")) < 1e-2


def test_a_body_that_is_no_bar_has_no_push_and_pull() -> None:
    text = """
bodies: {beam: {shape: {box: [0.5, 2]}, mass: 1}}
joints: {hook: {type: revolute, bodies: [world, beam], anchor: [0, 1]}}
"""
    assert at_the_end(text, "beam.push_pull") == 0.0


@pytest.mark.parametrize(("strength", "broken"), [(11, False), (9, True)])
def test_a_joint_breaks_when_its_bar_is_pulled_harder(strength: float, broken: bool) -> None:
    text = f"""{WORLD}
bodies: {{beam: {{shape: {{box: [0.2, 2]}}, mass: 1}}}}
joints: {{hook: {{type: revolute, bodies: [world, beam], anchor: [0, 1],
          break: {{push_pull: {strength}}}}}}}
"""
    world = build(loads(text))
    world.step(60)
    assert world.joint("hook").broken is broken


def test_a_bar_pulled_at_both_ends_comes_off_at_both_at_once() -> None:
    """Whichever joint comes first: what the bar bore in the step counts for both."""
    text = """
bodies:
  bar: {shape: {box: [4, 0.2]}, gravity_scale: 0}
  left: {shape: {circle: 0.2}, position: [-2.5, 0], gravity_scale: 0}
  right: {shape: {circle: 0.2}, position: [2.5, 0], gravity_scale: 0}
joints:
  a: {type: revolute, bodies: [left, bar], anchor: [-2, 0], break: {push_pull: 15}}
  b: {type: revolute, bodies: [bar, right], anchor: [2, 0], break: {push_pull: 15}}
actuators:
  l: {type: force, body: left, force: [-10, 0]}
  r: {type: force, body: right, force: [10, 0]}
"""
    world = build(loads(WORLD + text))
    world.step()
    assert [(event.kind, event.a, event.step) for event in world.events.take()] == [
        ("joint_broken", "a", 1),
        ("joint_broken", "b", 1),
    ]
