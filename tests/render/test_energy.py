# SPDX-License-Identifier: MIT
"""The energy graph: its axes, its zero, its corner, and three lines that stay apart."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core.record.frame import Passed
from rigid2d.core.render import Renderer, Survey
from rigid2d.core.render.canvas.display import KINDS, Items
from rigid2d.core.render.canvas.text import Lettering
from rigid2d.core.render.canvas.theme import THEMES
from rigid2d.core.render.marks.axes import between
from rigid2d.core.render.marks.energy import EnergyCurves
from rigid2d.core.scene import model
from rigid2d.core.scene.readings import ENERGIES

from tests.rows import every_row

SIZE = (640, 480)
REGION = model.Camera("region", rect=((-4.0, -3.0), (4.0, 3.0)))
DASH = 7  # the column of an item that holds its dashes' length


class Scribe(Lettering):
    """Lettering that remembers what was written."""

    def __init__(self):
        super().__init__()
        self.texts = []

    def add(self, items, text, at, color, size, align=0.0):
        self.texts.append(text)
        super().add(items, text, at, color, size, align)


@pytest.fixture
def scene_with(scene_of, shapes):
    def make(position=(-3.0, 2.0), render=None, **energy):
        ball = model.Body("ball", "dynamic", (shapes["disc"](0.5),), position, mass=2.0)
        look = model.Render(size=SIZE, energy=model.EnergyGraph(**energy))
        return scene_of({"ball": ball}, camera=REGION, render=render or look)

    return make


def drawn(scene, frames, survey=None):
    """The texts and the items of the last frame, and the graph."""
    view = Renderer(scene, size=SIZE)
    view.draw(frames[0])
    graph = EnergyCurves(
        scene, THEMES["light"], SIZE, 1.0, frames[0], view._camera.view(frames[0]), survey, []
    )
    scribe = Scribe()  # one for many frames, since it keeps its letters
    for frame in frames[:-1]:
        graph.add(Items(), scribe, frame)
    scribe, items = Scribe(), Items()
    graph.add(items, scribe, frames[-1])
    return scribe.texts, items.arrays()[0], graph


def run_of(scene, frame_of, energies):
    last = scene.world.steps * scene.world.dt
    times = np.linspace(0.0, last, len(energies))
    return [frame_of(scene, float(t), energy=e) for t, e in zip(times, energies, strict=True)]


def test_axes_have_numbers_and_units(scene_with, frame_of):
    scene = scene_with()
    frames = run_of(scene, frame_of, [(0.0, 30.0), (20.0, 10.0), (30.0, 0.0)])
    texts, _, _ = drawn(scene, frames, Survey(scene, frames))
    assert {"0", "10", "20", "30 J"} <= set(texts)
    assert {"0", "2", "4", "6", "8 s"} <= set(texts)


def test_what_passes_between_frames_is_drawn_and_has_a_place_on_the_axis(scene_with, frame_of):
    scene = scene_with()
    frames = run_of(scene, frame_of, [(0.0, 30.0), (0.0, 30.0), (0.0, 30.0)])
    times = np.array([4.5, 4.6, 4.7])
    values = np.array([[5.0, 25.0], [95.0, 12.0], [4.0, 26.0]])
    frames[2].passed = Passed(ENERGIES, times, values)
    for survey in (None, Survey(scene, frames)):
        texts, _, graph = drawn(scene, frames, survey)
        assert "100 J" in texts
        assert [sample[1:] for _, sample in graph._samples] == [
            (30.0, 0.0, 30.0),
            (30.0, 0.0, 30.0),
            (107.0, 95.0, 12.0),
            (30.0, 0.0, 30.0),
        ]


def test_of_many_moments_in_a_pixel_the_extremes_are_kept(scene_with, frame_of):
    scene = scene_with()
    energies = [(float(i % 7), float(-i % 11)) for i in range(1000)]
    _, _, graph = drawn(
        scene, [frame_of(scene, 1e-6 * i, energy=e) for i, e in enumerate(energies)]
    )
    samples = [sample[1:] for _, sample in graph._samples]
    assert len(samples) <= 7
    assert [max(column) for column in zip(*samples, strict=True)] == [16.0, 6.0, 10.0]
    assert [min(column) for column in zip(*samples, strict=True)] == [0.0, 0.0, 0.0]


def test_the_legend_tells_what_each_energy_is_now(scene_with, frame_of):
    scene = scene_with()
    frames = run_of(scene, frame_of, [(0.0, 30.0), (20.25, 9.5)])
    texts, _, _ = drawn(scene, frames, Survey(scene, frames))
    for name, value in (("kinetic", "20.2 J"), ("potential", "9.5 J"), ("total", "29.8 J")):
        assert texts[texts.index(name) + 1] == value


def test_large_and_small_energies_have_a_fitting_unit(scene_with, frame_of):
    for energy, text in ((4.0e6, "4 MJ"), (4000.0, "4 kJ"), (0.04, "40 mJ"), (4e-7, "400 nJ")):
        scene = scene_with()
        frames = run_of(scene, frame_of, [(0.0, energy), (energy, 0.0)])
        texts, _, _ = drawn(scene, frames, Survey(scene, frames))
        assert text in texts


def test_energies_are_in_joule_whatever_the_scenes_units_are(scene_with, frame_of, scene_of):
    scene = scene_of({}, units=model.Units(length="cm", time="ms"), camera=REGION)
    frames = run_of(scene, frame_of, [(0.0, 0.02), (0.02, 0.0)])  # in kg cm^2 / ms^2
    texts, _, _ = drawn(scene, frames, Survey(scene, frames))
    assert "2 J" in texts


def test_the_axis_is_known_ahead_with_a_survey(scene_with, frame_of):
    scene = scene_with()
    frames = run_of(scene, frame_of, [(0.0, 1.0), (50.0, 1.0), (0.0, 1.0)])
    first, _, _ = drawn(scene, frames[:1], Survey(scene, frames))
    last, _, _ = drawn(scene, frames, Survey(scene, frames))
    assert "40 J" in first
    assert "40 J" in last


def test_negative_potentials_have_a_place_on_the_axis(scene_with, frame_of):
    scene = scene_with()
    frames = run_of(scene, frame_of, [(0.0, 0.0), (20.0, -20.0)])
    texts, _, _ = drawn(scene, frames, Survey(scene, frames))
    assert {"-20", "0", "20 J", "-20.0 J"} <= set(texts)


@pytest.mark.parametrize(
    ("zero", "potential"),
    [(0.0, "-15.0 J"), ("start", "-20.0 J"), ("lowest", "0.0 J"), (-1.0, "4.6 J")],
)
def test_potential_energies_count_from_the_zero_that_is_chosen(
    scene_with, frame_of, zero, potential
):
    # A height of -1 lies 2 kg * 9.81 m/s^2 * 1 m = 19.62 J below the origin.
    scene = scene_with(zero=zero)
    frames = run_of(scene, frame_of, [(0.0, 5.0), (20.0, -15.0)])
    texts, _, _ = drawn(scene, frames, Survey(scene, frames))
    assert texts[texts.index("potential") + 1] == potential


def test_the_range_of_the_axis_can_be_chosen(scene_with, frame_of):
    scene = scene_with(range=(-10.0, 100.0))
    texts, _, graph = drawn(scene, run_of(scene, frame_of, [(0.0, 5.0), (5.0, 0.0)]))
    assert "100 J" in texts
    assert graph._axis() == (-10.0, 100.0)


@pytest.mark.parametrize("energies", [(np.nan, 1.0), (0.0, 0.0)])
def test_without_an_energy_there_is_an_axis_all_the_same(scene_with, frame_of, energies):
    scene = scene_with()
    texts, _, _ = drawn(scene, [frame_of(scene, energy=energies)])
    assert any(text.endswith(" J") for text in texts)


def test_lines_that_lie_on_each_other_can_be_told_apart_without_colour(scene_with, frame_of):
    scene = scene_with()
    _, items, _ = drawn(scene, run_of(scene, frame_of, [(0.0, 5.0), (0.0, 5.0)]))
    paths = items[(items[:, 0] == KINDS["path"]) & (items[:, 3] > 0.6)]
    dashes, radii = paths[:, DASH], paths[:, 3]
    assert {
        (bool(dash), bool(radius > 2.0)) for dash, radius in zip(dashes, radii, strict=True)
    } == {(False, True), (False, False), (True, False)}
    assert radii[0] > 2.0  # the wide one lies below


def corner_of(box):
    across = "left" if box[0] + box[2] < SIZE[0] else "right"
    return f"{'top' if box[1] + box[3] < SIZE[1] else 'bottom'}_{across}"


def test_the_graph_goes_where_no_body_is(scene_with, frame_of):
    for place, corner in (((-3.0, 2.0), "top_right"), ((3.0, 2.0), "top_left")):
        scene = scene_with(place)
        _, _, graph = drawn(scene, [frame_of(scene)])
        assert corner_of(graph.box) == corner


def test_the_graph_goes_where_no_body_will_come(scene_with, frame_of):
    scene = scene_with((3.0, 2.0))
    frames = [frame_of(scene) for _ in range(3)]
    frames[1].pose[0, :2] = (-3.0, 2.0)
    frames[2].pose[0, :2] = (3.0, -2.0)
    _, _, graph = drawn(scene, frames[:1], Survey(scene, frames))
    assert corner_of(graph.box) == "bottom_left"


@pytest.mark.parametrize("corner", ["top_left", "top_right", "bottom_left", "bottom_right"])
def test_the_graph_goes_into_the_corner_that_is_chosen(scene_with, frame_of, corner):
    scene = scene_with(corner=corner)
    _, _, graph = drawn(scene, [frame_of(scene)])
    assert corner_of(graph.box) == corner


def test_the_graph_leaves_the_clock_alone(scene_with, frame_of):
    scene = scene_with((3.0, 2.0), corner="top_left")
    frame = frame_of(scene)
    images = [
        Renderer(scene, size=SIZE, overlays=names).draw(frame)
        for names in ((), ("time",), ("time", "energy"))
    ]
    clock = (images[1] != images[0]).any(2)
    assert (images[2][clock] == images[1][clock]).all()


def test_a_graph_fits_into_a_small_picture(scene_with, frame_of):
    for scale in (1.0, 4.0):
        scene = scene_with(scale=scale)
        renderer = Renderer(scene, size=(64, 48), overlays=["energy"])
        assert renderer.draw(frame_of(scene, energy=(1.0, 2.0))).shape == (48, 64, 3)


@pytest.mark.parametrize(
    "range",
    [
        (3.0, 7.0),
        (12.1, 13.9),
        (0.3, 1.9),
        (0.0, 0.019),
        (-7.0, -3.1),
        (1000.1, 1000.3),
        (0.0, 9.9),
    ],
)
def test_an_axis_has_at_least_two_numbers_and_a_unit(scene_with, frame_of, range):
    scene = scene_with(range=range)
    frames = run_of(scene, frame_of, [(0.0, 5.0), (5.0, 0.0)])
    texts, _, _ = drawn(scene, frames, Survey(scene, frames))
    axis = texts[: texts.index("8 s") - 4]  # before the times
    numbers = [text for text in axis if text[-1].isdigit()]
    (with_unit,) = [text for text in axis if text.endswith("J")]
    assert len(numbers) + 1 >= 2
    assert len(set(numbers)) == len(numbers)
    assert with_unit.split()[0] not in numbers


def test_lines_are_cut_at_the_frame(scene_with, frame_of):
    scene = scene_with(range=(0.0, 10.0))
    frames = run_of(scene, frame_of, [(20.0, -5.0), (5.0, 5.0), (20.0, -5.0)])
    _, rows, _ = drawn(scene, frames, Survey(scene, frames))
    assert [row for row in rows if int(row[0]) == KINDS["circle"]] == []  # all three are outside
    _, rows, _ = drawn(scene, frames[:2], Survey(scene, frames))
    assert len([row for row in rows if int(row[0]) == KINDS["circle"]]) == 3


@every_row(
    ("points", "pieces"),
    [
        ([(0.0, 0.0), (1.0, 1.0)], [[(0.0, 0.0), (1.0, 1.0)]]),
        ([(0.0, -1.0), (2.0, 1.0)], [[(1.0, 0.0), (2.0, 1.0)]]),
        (
            [(0.0, 0.5), (1.0, 1.5), (2.0, 0.5)],
            [[(0.0, 0.5), (0.5, 1.0)], [(1.5, 1.0), (2.0, 0.5)]],
        ),
        ([(0.0, -1.0), (3.0, 2.0)], [[(1.0, 0.0), (2.0, 1.0)]]),
        ([(0.0, 2.0), (1.0, 3.0), (2.0, 2.0)], []),
        ([(0.0, 1.0), (1.0, 1.0)], [[(0.0, 1.0), (1.0, 1.0)]]),
        ([(0.0, 0.5)], []),
    ],
)
def test_a_line_between_two_heights(points, pieces):
    assert between(points, 0.0, 1.0) == pieces
