# SPDX-License-Identifier: MIT
"""Pages of small runs, for the tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rigid2d.core
from rigid2d.core.page import Style, Told, replay_page
from rigid2d.core.record import Frame, Recorder
from rigid2d.core.scene.model import Scene
from rigid2d.core.world import frame_times, run

SMALL = """
rigid: 1
name: Small run
description: A ball falls on the ground, and a bob swings.
world: {duration: 2}
bodies:
  ground: {type: static, shape: {box: [8, 0.5]}, position: [0, -0.25]}
  ball:
    shape: {circle: 0.5, restitution: 0.5}
    position: [-2, 2]
  bob: {shape: {box: [0.4, 0.4]}, position: [3, 2]}
joints:
  string: {type: revolute, bodies: [world, bob], anchor: [1.5, 2]}
camera: {mode: region, rect: [[-4, -1], [4, 5]]}
expect:
  - {at: end, that: '=ball.y > 0.4'}
  - {at: 1, that: '=ball.y > 100'}
"""

FAST = """
rigid: 1
world: {duration: 4, gravity: [0, 0]}
bodies:
  stone: {shape: {circle: 0.2}, position: [2, 0], velocity: [0, 6]}
  bird: {shape: {circle: 0.2}, position: [-3, 3], velocity: [1, 0]}
joints: {string: {type: distance, bodies: [world, stone], anchor: [0, 0]}}
camera: {mode: region, rect: [[-4, -3], [4, 4]]}
annotations: [{text: a stone, follow: stone}]
render: {speed: 4}
"""


def frames_of(scene: Scene, recorder: Recorder | None = None) -> list[Frame]:
    """The frames of a run, with what happens at its end."""
    times = [*frame_times(scene), scene.world.steps * scene.world.dt]
    return list(run(scene, times=times, want_contacts=True, recorder=recorder))


def style_of(scene: Scene, overlays: Sequence[str] = ()) -> Style:
    render = scene.render
    return Style(render.size, (*render.overlays, *overlays), render.theme, render.fps)


def page_of(text: str) -> str:
    """The page of a scene that is given as text."""
    scene = rigid2d.core.loads(text)
    recorder = Recorder(scene, trace=True)
    frames = frames_of(scene, recorder)
    events = [(event.step, str(event)) for event in recorder.events]
    return replay_page(
        scene, frames, style_of(scene), Told(events, recorder.results, recorder.trace)
    )


def settled(tab: Any, script: str = "0") -> None:
    """Run a script in a page, and wait until the page has drawn what came of it."""
    tab.evaluate(script)
    tab.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
