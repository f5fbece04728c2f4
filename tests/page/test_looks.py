# SPDX-License-Identifier: MIT
"""Pages draw the same pictures as the renderer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rigid2d.core
from numpy.typing import NDArray
from PIL import Image
from rigid2d.core.page import Told, replay_page
from rigid2d.core.page.codes import Blob
from rigid2d.core.page.replay import camera_views
from rigid2d.core.page.sketch import Magnification, add_sketch
from rigid2d.core.record import Frame
from rigid2d.core.render import Renderer, Survey
from rigid2d.core.render.canvas.display import OUTLINE, RADIUS, A, B, C
from rigid2d.core.render.canvas.text import Lettering
from rigid2d.core.render.canvas.textures import Textures
from rigid2d.core.render.canvas.theme import THEMES
from rigid2d.core.render.objects.drawing import scene_layers
from rigid2d.core.scene.model import Scene
from rigid2d.core.view.fit import fits_run
from rigid2d.core.view.plot_values import plots_ahead
from rigid2d.core.world import frame_times, run

from tests.page.kept import assert_looks_as, difference
from tests.page.pages import SMALL, page_of, settled, style_of
from tests.page.test_codes import unpacked
from tests.rows import every_row
from tests.scenes import loaded
from tests.search import tries

Show = Callable[..., Any]
SCENES = Path(__file__).resolve().parents[2] / "scenes"
GOLDEN = Path(__file__).parent / "golden"
LENGTHS = [RADIUS, OUTLINE, A, B, C]

# One for each kind of object that is drawn: shapes, joints, flames, cameras, images, births.
SHOWN = [
    "basics/air_drag",
    "basics/force_fields",
    "collisions/billiards",
    "figures/lever",
    "figures/spaceship",
    "friction/conveyor",
    "friction/slope",
    "joints/brackets",
    "joints/pulleys",
    "joints/springs",
    "joints/truss_bridge",
    "living/asteroids",
    "living/shatter",
    "machines/dump_truck",
    "machines/gear_train",
    "machines/harbour",
    "machines/moon_lander",
    "machines/overlays",
    "living/wall_follower",
    "machines/sensor_gate",
    "pictures/annotations",
    "pictures/camera_moves",
    "pictures/landscape",
    "pictures/textures",
    "pictures/two_in_sight",
    "shapes/letters",
    "shapes/rounded",
    "shapes/terrain",
    "show/level",
]
WITH_PARTICLES = """
rigid: 1
world: {duration: 1, gravity: [0, 0]}
bodies:
  ship: {shape: {box: [1, 1]}, position: [0, 0], velocity: [2, 0]}
particles:
  sparks: {from: ship, rate: 300, life: 0.8, speed: 6, size: 0.3, colors: [white, orange, red]}
camera: {mode: region, rect: [[-6, -4], [6, 4]]}
render: {size: [480, 320], background: {color: black}}
"""
WITH_MINIMAP = """
rigid: 1
world: {duration: 1, gravity: [0, 0]}
bodies:
  block: {repeat: {i: 5}, shape: {box: [1.8, 8]}, position: [=10 + 3*i, 2], color: black}
  seen: {shape: {circle: 0.2}, position: [0, 0]}
minimap: {rect: [[-2, -4], [26, 8]], corner: bottom_right, size: 0.6}
camera: {mode: region, rect: [[-3, -2], [3, 2]]}
render: {size: [480, 320]}
"""
WITH_PLOTS = """
rigid: 1
world: {duration: 1, gravity: [0, 0]}
bodies:
  bob: {shape: {circle: 0.1}, position: [0, 0], velocity: [1, 3], angular_velocity: 1}
annotations:
  - {plot: [bob.x, bob.y], seconds: 1, corner: top_left, color: red}
  - {plot: phase, x: bob.x, y: bob.y, corner: bottom_right}
camera: {mode: region, rect: [[-3, -2], [3, 2]]}
render: {size: [340, 240]}
"""
WITH_STRIPS = """
rigid: 1
world: {duration: 1, gravity: [0, 0]}
bodies:
  bob: {shape: {circle: 0.1}, position: [0, 0], velocity: [1, 3], angular_velocity: 1}
  other: {shape: {circle: 0.1}, position: [0, 1], velocity: [1, -1], angular_velocity: 1}
annotations:
  - {plot: [bob.y, other.y], strip: below, seconds: run, legend: ends, names: [a, the other]}
  - {plot: [bob.angle*180/pi], share: true, label: angle, unit: °, height: 60}
  - {plot: phase, x: bob.x, y: bob.y*bob.mass, strip: below, x_range: [0, 0.5], width: 150}
  - {plot: [bob.x, other.vx, other.vy, bob.vx], strip: right, range: shown, width: 120, size: 11}
  - {plot: [bob.x, bob.y], seconds: 2, width: 110, height: 70}
camera: {mode: region, rect: [[-3, -2], [3, 2]]}
render: {size: [640, 480], theme: dark}
"""
WITH_PROBES = """
rigid: 1
world: {duration: 1, gravity: [0, 0]}
bodies:
  car: {shape: {box: [1, 0.5]}, position: [-2, 0], velocity: [1, 0], angular_velocity: 0.5}
  wall: {type: static, shape: {box: [0.5, 3]}, position: [2, 0]}
probes:
  eye: {repeat: {i: 5}, ray: [[0.5, 0], [=4*cos(i/2-1), =4*sin(i/2-1)]], frame: car}
  zone: {shape: {polygon: [[0, 0], [1, 0], [0, 1]]}, at: [1.2, 0.6], angle: 30}
  ring: {shape: {circle: 0.4}, at: [-2, -1.4]}
  pill: {shape: {capsule: [[-0.5, 0], [0.5, 0]], radius: 0.2}, at: [-1, 1.5], angle: 20}
  round: {shape: {polygon: [[0, 0], [1, 0], [0.5, 0.6]], radius: 0.2}, at: [0, -1.6]}
  star:
    {shape: {polygon: [[0, 0], [1, 0.2], [0.3, 0.3], [0.2, 1]]}, at: [-2.6, 0.8]}
  rim: {velocity_of: car, at: [0.5, 0.25]}
camera: {mode: region, rect: [[-3, -2], [3, 2]]}
render: {size: [180, 120], overlays: [probes]}
"""
WITH_TRAIL = """
rigid: 1
world: {duration: 1, gravity: [0, 0]}
bodies:
  hub: {type: static, shape: {circle: 0.1}}
  bob: {shape: {circle: 0.2}, position: [1.5, 0], velocity: [0, 12], trail: {length: 0.45}}
joints: {rod: {type: revolute, bodies: [hub, bob], anchor: [0, 0]}}
camera: {mode: region, rect: [[-3, -2], [3, 2]]}
render: {size: [240, 160], fps: 10}
"""
SEE_ALONE = """([width, height]) => {
  const stage = document.querySelector(".stage");
  stage.style.cssText = `position: fixed; inset: 0 auto auto 0; width: ${width}px;
    height: ${height}px; border: 0; border-radius: 0; z-index: 9`;
  document.querySelector(".zoom").hidden = true;
}"""


def frames_until(scene: Scene, seconds: float) -> list[Frame]:
    """The frames of a run's first seconds."""
    most = round(seconds * scene.units.time_per_second / scene.world.dt)
    steps = min(scene.world.steps, most)
    return list(run(scene, steps=steps, times=frame_times(scene, steps=steps), want_contacts=True))


def drawn(scene: Scene, frames: list[Frame]) -> tuple[tuple[str, ...], NDArray[np.uint8]]:
    """The last picture of the renderer, and its overlays."""
    ahead = fits_run(scene) or plots_ahead(scene)
    survey = Survey(scene, frames) if ahead else None
    renderer = Renderer(scene, survey=survey)
    for frame in frames:
        image = renderer.draw(frame)
    return renderer.overlays, image


def seen(tab: Any, size: tuple[int, int]) -> NDArray[np.uint8]:
    """The picture in a tab, without its surroundings."""
    tab.evaluate(SEE_ALONE, list(size))
    tab.wait_for_function(
        "([width]) => Math.abs(rigid.player.picture.window[0] - width) < 0.01", arg=list(size)
    )
    tab.evaluate(
        "Promise.all([...rigid.player.source.sketch.images].map((image) => image.decode()))"
    )
    tab.evaluate("rigid.player.seek(rigid.player.source.end)")
    tab.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    width, height = size
    shot = tab.screenshot(clip={"x": 0, "y": 0, "width": width, "height": height})
    return np.asarray(Image.open(BytesIO(shot)).convert("RGB"))


@pytest.mark.parametrize("name", SHOWN[:: tries(3, 1)])
def test_a_page_looks_as_the_renderer_draws_it(name: str, show: Show) -> None:
    scene = loaded(SCENES / f"{name}.yaml")
    frames = frames_until(scene, 1.5)
    overlays, wanted = drawn(scene, frames)
    page = replay_page(scene, frames, style_of(scene, overlays), Told())
    width, height = scene.render.size
    tab = show(page, size=(width + 40, height + 40))
    assert difference(seen(tab, scene.render.size), wanted) < 0.02


@pytest.mark.parametrize(
    ("text", "most"),
    [
        (WITH_PARTICLES, 0.005),
        (WITH_STRIPS, 0.01),
        (WITH_PROBES, 0.006),
        (WITH_TRAIL, 0.006),
        (WITH_MINIMAP, 0.01),
        (WITH_PLOTS, 0.015),
    ][: tries(4, 6)],
    ids=["particles", "strips", "probes", "trail", "minimap", "plots"][: tries(4, 6)],
)
def test_what_lies_over_much_of_the_picture_looks_as_the_renderer_draws_it(
    text: str, most: float, show: Show
) -> None:
    scene = rigid2d.core.loads(text)
    frames = frames_until(scene, 1.0)
    _, wanted = drawn(scene, frames)
    page = replay_page(scene, frames, style_of(scene), Told())
    width, height = scene.render.size
    tab = show(page, size=(width + 40, height + 40))
    assert difference(seen(tab, scene.render.size), wanted) < most


@pytest.mark.parametrize(
    ("kind", "size"), [("desktop", (1180, 820)), ("phone", (390, 844))], ids=str
)
def test_a_page_looks_as_it_did(kind: str, size: tuple[int, int], show: Show) -> None:
    """Letters differ between systems: the tolerance lets them, and little else."""
    tab = show(page_of(SMALL), size=size)
    settled(tab, "rigid.player.seek(0.5); rigid.player.select({kind: 'body', index: 1})")
    assert_looks_as(GOLDEN / f"{kind}.png", tab.screenshot())


@cache
def first_scale(name: str) -> float:
    """The scale of a scene's picture at its start."""
    scene = loaded(SCENES / f"{name}.yaml")
    return camera_views(scene, frames_until(scene, 0.0), scene.render.size)[0].scale


@every_row("zoom", [0.3, 4.0, 1.0][: tries(2, 3)])
@every_row("name", [name for name in SHOWN if name != "pictures/textures"][:: tries(2, 1)])
def test_lengths_follow_the_zoom_as_the_renderer_has_them(name: str, zoom: float) -> None:
    scene = loaded(SCENES / f"{name}.yaml")
    unit = 1.2
    scale = 3.0 * first_scale(name)
    blob = Blob()
    add_sketch(blob, scene, Magnification(scale, unit))
    arrays = unpacked(blob)
    least, most, growth = arrays["lengths"][arrays["items.length"].astype(int)].transpose(2, 0, 1)
    got = np.clip(growth * zoom * scale, least, most)
    textures = Textures(scene, Lettering())
    layers = scene_layers(scene, THEMES["light"], zoom * scale, unit, textures)
    rows = np.concatenate([layer.items.arrays()[0] for layer in layers])
    assert len(rows) == len(got)
    # How thin marks may get cannot be seen from afar, where there are none: a tenth of a pixel.
    np.testing.assert_allclose(got[:, :2], rows[:, LENGTHS][:, :2], rtol=1e-5, atol=0.1)
