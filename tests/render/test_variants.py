# SPDX-License-Identifier: MIT
"""Several variants in one picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rigid2d.core.errors import SimulationError, UsageError
from rigid2d.core.record import Recorder
from rigid2d.core.render import Renderer, Survey, VariantsRenderer, render_variants
from rigid2d.core.render.renderer import matted
from rigid2d.core.scene import loads
from rigid2d.core.scene.model import Scene
from rigid2d.core.world import run, run_variants

TEXT = """
rigid: 1
world: {{duration: 0.5, gravity: [0, 0]}}
vars: {{v: 0}}
bodies:
  post: {{type: static, collide: false, shape: {{box: [0.2, 2]}}}}
  ball: {{shape: {{circle: 0.5}}, position: [1, 0], velocity: [=v, 0], color: white}}
camera: {{mode: region, rect: [[-4, -2], [4, 2]]}}
render: {{size: [162, 80], background: black}}
compare:
  {{{layout}, variants: [
    {{name: a, color: red}}, {{name: b, color: lime, set: {{vars.v: -4}}}}{more}]}}
"""


def made(layout: str = "layout: row", more: str = "") -> Scene:
    return loads(TEXT.format(layout=layout, more=more))


def last_picture(scene: Scene, **options: object) -> np.ndarray:
    drawer = VariantsRenderer(scene, **options)
    images = [drawer.draw(frames) for frames in run_variants(scene, times=[0.0, 0.5])]
    return images[-1]


def test_variants_in_a_row_are_as_their_own_pictures(tmp_path: Path) -> None:
    scene = made()
    picture = last_picture(scene)
    assert picture.shape == (80, 162, 3)
    high = 80 - 13  # below the titles
    for i, variant in enumerate(scene.compare.variants):
        alone = Renderer(variant.scene, size=(80, high))
        *_, image = [alone.draw(frame) for frame in run(variant.scene, times=[0.0, 0.5])]
        x = i * 81 + (i > 0)
        assert (picture[13:, x - i : x - i + 80] == image).all()


@pytest.mark.parametrize(
    ("columns", "places"),
    [("", (2, 2)), (", columns: 4", (4, 1)), (", columns: 1", (1, 4)), (", columns: 3", (3, 2))],
)
def test_a_grid_has_as_many_columns_as_rows_or_as_it_says(
    columns: str, places: tuple[int, int]
) -> None:
    scene = made(f"layout: grid{columns}", ", {name: c}, {name: d}")
    drawer = VariantsRenderer(scene, size=(400, 400))
    (image,) = [drawer.draw(frames) for frames in run_variants(scene, times=[0.0])]
    line = np.array(Renderer(scene).theme.axis[:3])
    between = (image == line).all(axis=2)
    upright, across = between[2].astype(int), between[:, 2].astype(int)
    assert (np.diff(upright) == 1).sum() + 1 == places[0]
    assert (np.diff(across) == 1).sum() + 1 == places[1]


def test_over_each_other_what_moves_has_the_colour_of_its_variant() -> None:
    picture = last_picture(made("layout: overlay, opacity: 1"), size=(160, 94)).astype(int)
    red = (picture[..., 0] > 200) & (picture[..., 1] < 60) & (picture[..., 2] < 60)
    lime = (picture[..., 1] > 200) & (picture[..., 0] < 60) & (picture[..., 2] < 60)
    middle = [np.flatnonzero(each[40:].any(axis=0)).mean() for each in (red, lime)]
    # 20 pixels a metre: at x = 1 and x = 1 - 4/2 = -1
    assert middle == pytest.approx([100, 60], abs=2)


def test_bodies_over_each_other_show_through() -> None:
    scene = made("layout: overlay, opacity: 0.5")
    drawer = VariantsRenderer(scene, size=(160, 94))
    (image,) = [drawer.draw(frames) for frames in run_variants(scene, times=[0.0])]
    # red at one half on black, and then lime at one half on that
    assert image[55, 94].tolist() == pytest.approx([64, 128, 0], abs=2)


def test_what_stands_still_is_drawn_once_and_whole() -> None:
    picture = last_picture(made("layout: overlay"), size=(160, 94))
    (still,) = {tuple(picture[55, x].tolist()) for x in (79, 80)}
    scene = made()
    alone = Renderer(scene, size=(160, 80))
    (image,) = [alone.draw(frame) for frame in run(scene, times=[0.0])]
    assert still == tuple(image[40, 79].tolist())


def test_a_shared_camera_fits_what_moves_in_all_variants() -> None:
    region = "camera: {{mode: region, rect: [[-4, -2], [4, 2]]}}"
    text = TEXT.replace(region, "camera: {{margin: 0}}")
    scene = loads(text.format(layout="layout: row", more="").replace("v: -4", "v: 40"))
    surveys = [Survey(each.scene, run(each.scene)) for each in scene.compare.variants]
    drawer = VariantsRenderer(scene, size=(322, 200), surveys=surveys)
    (image,) = [drawer.draw(frames) for frames in run_variants(scene, times=[0.0])]
    assert (image[40:, :160] == image[40:, 161:321]).all()
    assert (image[40:, :160] != 0).any()


def test_variants_with_other_steps_show_the_same_moments() -> None:
    scene = made(more=", {name: c, set: {vars.v: -4, world.dt: 0.002}}")
    *_, frames = run_variants(scene, times=[0.0, 0.25, 0.5])
    assert frames[1].pose[1, 0] == pytest.approx(frames[2].pose[1, 0], abs=1e-4)


def test_a_variant_that_ended_stays_as_it_was() -> None:
    text = TEXT.format(layout="layout: row", more="") + "outcome: {win: =ball.x < 0}\n"
    scene = loads(text)
    recorders = [Recorder(each.scene, check=True) for each in scene.compare.variants]
    moments = list(run_variants(scene, times=[0.0, 0.2, 0.4, 0.5], recorders=recorders))
    assert len(moments) == 4
    assert moments[-1][1].pose[1, 0] == pytest.approx(0.0, abs=0.1)
    assert [recorder.outcome for recorder in recorders] == ["", "win"]


@pytest.mark.parametrize("layout", ["layout: row", "layout: overlay"])
def test_pictures_are_the_same_for_any_number_of_threads(layout: str) -> None:
    scene = made(layout)
    first = VariantsRenderer(scene)
    second = VariantsRenderer(scene)
    one = [first.draw(frames) for frames in run_variants(scene, fps=10)]
    two = [second.draw(frames) for frames in run_variants(scene, fps=10, threads=2, lanes=4)]
    assert (np.stack(one) == np.stack(two)).all()


def test_variants_are_written_into_files(tmp_path: Path) -> None:
    scene = made()
    path = tmp_path / "a.png"
    assert render_variants(scene, run_variants(scene, fps=4), [path]) == 2
    with Image.open(path) as image:
        assert image.size == (162, 80)


def test_too_small_a_picture_says_what_is_wrong() -> None:
    with pytest.raises(UsageError, match="make the picture larger"):
        VariantsRenderer(made(), size=(60, 80))


def test_a_scene_without_variants_is_refused() -> None:
    scene = loads("rigid: 1\nbodies: {a: {shape: {circle: 1}}}")
    with pytest.raises(UsageError, match="no `compare` block"):
        VariantsRenderer(scene)
    with pytest.raises(UsageError, match="no `compare` block"):
        next(run_variants(scene))


def test_a_run_that_stops_names_its_variant() -> None:
    more = ", {name: wild, set: {vars.v: 8e8, world.on_error: stop, world.dt: 0.5}}"
    scene = made(more=more)
    with pytest.raises(SimulationError, match="in the variant `wild`"):
        list(run_variants(scene, times=[]))


def test_colours_and_opacities_are_found_again_from_black_and_white() -> None:
    random = np.random.default_rng(1)
    colors = random.integers(0, 256, (1, 500, 3))
    share = random.integers(1, 256, (1, 500, 1)) / 255
    black = np.floor(colors * share + 0.5).astype(np.uint8)
    white = np.floor(colors * share + 255 * (1 - share) + 0.5).astype(np.uint8)
    found = matted(black, white).astype(float)
    assert np.abs(found[..., 3:] - 255 * share).max() <= 1
    shown = found[..., :3] * found[..., 3:] / 255
    assert np.abs(shown - colors * share).max() <= 1.5


def test_a_clear_picture_on_its_paper_is_the_picture() -> None:
    scene = made()
    renderer = Renderer(scene)
    (frame,) = run(scene, times=[0.0])
    clear = renderer.draw_clear(frame).astype(float)
    share = clear[..., 3:] / 255
    assert np.abs(clear[..., :3] * share - renderer.draw(frame)).max() <= 2
