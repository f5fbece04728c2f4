# SPDX-License-Identifier: MIT
"""Plots in the picture: their axes, names, places, and the strips beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from rigid2d.core.jobs.preview import looks_ahead
from rigid2d.core.record import Frame
from rigid2d.core.render import Renderer, Survey
from rigid2d.core.render.canvas.display import KIND, KINDS, Items
from rigid2d.core.render.canvas.text import Lettering
from rigid2d.core.render.canvas.theme import LIGHT
from rigid2d.core.render.marks.annotation_kinds import PlotMark
from rigid2d.core.render.marks.annotation_places import Places
from rigid2d.core.render.marks.annotations import Annotations
from rigid2d.core.render.marks.axes import apart, axis_marks
from rigid2d.core.render.marks.plot_panels import header_rows, peaks_beyond, spread
from rigid2d.core.render.marks.plots import Sample, Span
from rigid2d.core.scene import loads
from rigid2d.core.scene.model import Annotation, Scene
from rigid2d.core.view.camera import View
from rigid2d.core.view.strips import insets_of, strip_boxes, without_strips
from rigid2d.core.world import run

from tests.rows import every_row

BALL = """
rigid: 1
world: {duration: 1, gravity: [0, -10], dt: 0.05, solver: {substeps: 1}}
bodies: {ball: {shape: {circle: 0.3}, position: [0, 0], velocity: [1, 4]}}
camera: {mode: region, rect: [[-2, -2], [2, 2]]}
render: {size: [400, 400]}
"""


def scene_with(*plots: str) -> Scene:
    return loads(BALL + "annotations:\n" + "".join(f"  - {plot}\n" for plot in plots))


def marks_of(scene: Scene, survey: Survey | None = None) -> list[Any]:
    return Annotations(scene, LIGHT, (400, 400), 1.0, Lettering(), survey)._marks


def frames_of(scene: Scene) -> list[Frame]:
    return list(run(scene, fps=20))


def test_axes_are_those_of_the_run_from_the_first_frame_on() -> None:
    scene = scene_with("{plot: ball.vy}", "{plot: phase, x: ball.x, y: ball.vy}")
    frames = frames_of(scene)
    survey = Survey(scene, frames)
    assert survey.plotted("ball.vy") == pytest.approx((-5.5, 4.0), abs=0.51)
    spans = []
    for known in (survey, None):
        against_time, phase = marks_of(scene, known)
        for frame in frames:
            for mark in (against_time, phase):
                mark.note(frame)
            spans.append((known is None, *against_time._plot.up(), *phase._plot.across()))
    fixed = {span[1:] for span in spans if not span[0]}
    assert len(fixed) == 1
    growing = np.array([span[1:] for span in spans if span[0]])
    assert (np.diff(growing[1:, 0]) <= 0.0).all()
    assert (np.diff(growing[1:, 1]) >= 0.0).all()
    assert growing[-1] == pytest.approx(np.array(*fixed))


def test_the_axis_of_what_is_shown_moves_along() -> None:
    scene = scene_with("{plot: ball.vy, range: shown, seconds: 0.2}")
    (mark,) = marks_of(scene)
    for frame in frames_of(scene):
        mark.note(frame)
    low, high = mark._plot.up()
    assert high < 0.0
    assert high - low < 3.0


def test_a_plot_of_the_run_has_its_whole_time_on_the_axis() -> None:
    scene = scene_with("{plot: ball.vy, seconds: run}", "{plot: ball.y, share: true}")
    first, frame = marks_of(scene)[0], next(iter(run(scene, fps=20)))
    first.note(frame)
    assert first._plot.across() == (0.0, pytest.approx(1.0))
    assert first.shares[0]._plot.across() == first._plot.across()


@every_row(
    ("plot", "ahead"),
    [
        ("{plot: ball.y, corner: top, range: [0, 1]}", False),
        ("{plot: ball.y, corner: top, range: shown}", False),
        ("{plot: ball.y, corner: top}", True),
        ("{plot: ball.y, range: shown}", True),
        ("{plot: ball.y, strip: below, range: shown}", False),
        ("{plot: ball.y, strip: below, range: [0, 1], seconds: run}", True),
    ],
)
def test_only_a_plot_that_needs_it_has_the_run_looked_at_ahead(plot: str, ahead: bool) -> None:
    assert looks_ahead(Renderer(scene_with(plot))) is ahead


@every_row(
    ("place", "corner"),
    [([-1, 1], "top_right"), ([1, 1], "top_left"), ([0, 1], "bottom_right")],
)
def test_a_plot_is_where_it_hides_least(place: Sequence[float], corner: str) -> None:
    scene = loads(
        BALL.replace("[1, 4]", "[0, 0]").replace("[0, 0], velocity", f"{place}, velocity")
        + "annotations: [{plot: ball.y}]"
    )
    made = Annotations(scene, LIGHT, (400, 400), 1.0, Lettering())
    view = View(100.0, 200.0, -100.0, 200.0)
    made.settle(next(iter(run(scene))), view)
    assert made.corners() == [corner]


def test_names_wrap_and_none_is_lost() -> None:
    names = [f"a rather long name {i}" for i in range(8)]
    scene = scene_with(f"{{plot: {['ball.y'] * 8}, names: {names}}}".replace("'", ""))
    (mark,) = marks_of(scene)
    frame = next(iter(run(scene)))
    rows = header_rows(mark.panel(frame), Lettering(), 190.0, 1.0)
    assert [text for row in rows for _, text, _ in row] == ["m", *names]
    assert len(rows) == 8
    assert mark.size(1.0)[1] == 112.0 + 7 * 12.0


def test_a_name_is_cut_where_no_row_holds_it() -> None:
    scene = scene_with(f"{{plot: ball.y, label: {'long ' * 30}}}")
    (mark,) = marks_of(scene)
    ((_, text, _),) = header_rows(mark.panel(next(iter(run(scene)))), Lettering(), 190.0, 1.0)[0:1][
        0
    ]
    assert text.endswith("…")
    assert Lettering().width(text, 9.5) <= 190.0 - 28.0


@every_row(
    ("plot", "header", "across"),
    [
        ("{plot: ball.y}", ["ball.y (m)"], ""),
        ("{plot: ball.y, label: height}", ["height (m)"], ""),
        ("{plot: ball.y, label: height, unit: cm}", ["height (cm)"], ""),
        ("{plot: ball.y, unit: ''}", ["ball.y"], ""),
        ("{plot: [ball.x, ball.y]}", ["m", "ball.x", "ball.y"], ""),
        ("{plot: [ball.x, ball.vx]}", ["ball.x (m)", "ball.vx (m/s)"], ""),
        ("{plot: [ball.x, ball.y], names: [a, b], label: c}", ["c (m)", "a", "b"], ""),
        ("{plot: [ball.x, ball.y], legend: none, label: c}", ["c (m)"], ""),
        ("{plot: ball.x, x_label: since}", ["ball.x (m)"], "since (s)"),
        ("{plot: phase, x: ball.x, y: ball.vx}", ["ball.vx (m/s)"], "ball.x (m)"),
    ],
)
def test_axes_have_labels_and_units(plot: str, header: list[str], across: str) -> None:
    scene = scene_with(plot)
    (mark,) = marks_of(scene)
    panel = mark.panel(next(iter(run(scene))))
    assert [text for text, _ in panel.header()] == header
    assert panel.words.across == across


def test_an_axis_has_two_numbers_at_least_whose_labels_do_not_meet() -> None:
    for low, high in ((0.0, 1.0), (-0.3, 9.7), (99.0, 101.0), (-1e-9, 3e-9), (0.0, 12345.0)):
        marks = axis_marks(low, high, 100.0, 32.0, 8.5)
        assert len(marks) >= 2
        assert all(low <= value <= high for value, _ in marks)
    apart = axis_marks(0.0, 5000.0, 400.0, 32.0, 8.5)
    assert (apart[1][0] - apart[0][0]) * 400.0 / 5000.0 > 0.62 * 8.5 * 4


def test_names_at_the_ends_of_lines_keep_apart() -> None:
    assert spread([(10.0, 0), (11.0, 1), (50.0, 2)], 0.0, 100.0, 10.0) == [
        (10.0, 0),
        (20.0, 1),
        (50.0, 2),
    ]
    assert spread([(95.0, 0), (99.0, 1)], 0.0, 100.0, 10.0) == [(90.0, 0), (100.0, 1)]


def test_strips_lie_beside_the_picture_and_hide_nothing() -> None:
    strips = ["{plot: ball.y, strip: below}", "{plot: ball.x, share: true}"]
    strips += ["{plot: ball.vx, strip: below, width: 380}", "{plot: ball.vy, strip: right}"]
    scene = scene_with(*strips, "{plot: ball.y, corner: top}")
    insets = insets_of(scene, (800, 600), 1.0)
    assert (insets.left, insets.top, insets.right, insets.bottom) == (0, 0, 198, 232)
    boxes = dict(strip_boxes(scene, (800.0, 600.0), 1.0, insets))
    assert [*boxes] == [(0, 1), (2,), (3,)]
    assert boxes[(0, 1)][2] < boxes[(2,)][0]
    assert boxes[(2,)][2] - boxes[(2,)][0] == pytest.approx(
        2.0 * (boxes[(0, 1)][2] - boxes[(0, 1)][0])
    )
    inner = insets.inner((800, 600))
    assert all(box[1] >= inner[1] or box[0] >= inner[0] for box in boxes.values())
    assert [each.corner for each in without_strips(scene).annotations] == ["top"]


def test_a_picture_with_a_strip_shows_the_same_world_in_the_rest() -> None:
    plain = scene_with("{text: a, corner: top}")
    shown = scene_with("{text: a, corner: top}", "{plot: ball.y, strip: left}")
    (first, *_) = run(shown)
    image = Renderer(shown, size=(400, 400)).draw(first)
    left = insets_of(shown, (400, 400), 400 / 480).left
    rest = Renderer(plain, size=(400 - left, 400)).draw(first)
    assert image.shape == (400, 400, 3)
    assert np.abs(image[:, left:].astype(int) - rest).mean() < 1.0
    assert Renderer(shown, size=(100, 100), supersample=3).draw(first).shape == (100, 100, 3)
    assert Renderer(shown, size=(100, 100)).draw_clear(first).shape == (100, 100, 4)


def test_a_plot_that_is_bare_of_a_survey_is_placed_by_the_first_frame() -> None:
    given = Annotation("plot", expressions=("ball.y",), width=60.0, height=50.0)
    scene = scene_with("{plot: ball.y}")
    mark = PlotMark(given, Places(scene, LIGHT, (400, 400), 1.0, Lettering()))
    assert mark.size(1.0) == (60.0, 50.0)


@every_row(
    ("values", "ends"),
    [
        ((50.0, 50.000001), (49.5000005, 50.5000005)),
        ((-50.000001, -50.0), (-50.5000005, -49.5000005)),
        ((-1e-17, 1e-17), (-5e-7, 5e-7)),
        ((-1.0, 4.0), (-1.0, 4.0)),
    ],
)
def test_an_axis_does_not_zoom_into_noise(
    values: tuple[float, float], ends: tuple[float, float]
) -> None:
    assert apart(*values) == pytest.approx(ends, rel=1e-7)


def test_an_axis_of_typical_values_leaves_out_a_blow_and_says_it() -> None:
    blow = '"=ball.vx + 1000*max(0, 0.3 - abs(ball.vy - 1))"'  # at one of twenty steps
    scene = scene_with(f"{{plot: {blow}, range: typical}}")
    frames = frames_of(scene)
    survey = Survey(scene, frames)
    source = scene.annotations[0].expressions[0]
    assert survey.plotted(source)[1] > 200.0
    assert survey.typical(source) == pytest.approx((1.0, 1.0))
    (mark,) = marks_of(scene, survey)
    for frame in frames:
        mark.note(frame)
    up = mark.panel(frames[-1]).plot.up()
    assert up[1] < 10.0
    ((far, time, value),) = peaks_beyond(mark.panel(frames[-1]).plot.samples, 1, (0.0, 1.0), up)
    assert value == survey.plotted(source)[1] == up[1] + far
    assert 0.2 < time < 0.4


def test_typical_values_are_all_where_no_blow_takes_most_of_the_axis() -> None:
    scene = scene_with("{plot: ball.vy, range: typical}")
    survey = Survey(scene, frames_of(scene))
    assert survey.typical("ball.vy") == survey.plotted("ball.vy")


@every_row(
    ("times", "peaks"),
    [((0.0, 9.0), [(3.0, 1.0, 5.0), (2.0, 4.0, -3.0)]), ((2.0, 9.0), [(2.0, 4.0, -3.0)])],
)
def test_each_stretch_beyond_an_axis_has_one_peak(times: Span, peaks: list[Sample]) -> None:
    values = [3.0, 5.0, 1.0, -2.0, -3.0, float("nan"), 1.0]
    samples = [(float(t), value) for t, value in enumerate(values)]
    assert peaks_beyond(samples, 1, times, (-1.0, 2.0)) == peaks


@pytest.mark.parametrize(("size", "written"), [((400, 400), True), ((64, 64), False)])
def test_a_plot_too_small_for_letters_has_none(size: tuple[int, int], written: bool) -> None:
    scene = scene_with("{plot: ball.y, label: height}")
    (frame, *_) = frames_of(scene)
    view = View(size[0] / 4, 0.5 * size[0], -size[1] / 4, 0.5 * size[1])
    items = Items()
    Annotations(scene, LIGHT, size, size[1] / 480, Lettering()).add(items, frame, view, [])
    kinds = items.arrays()[0][:, KIND].tolist()
    assert (KINDS["picture"] in kinds) == written
    assert KINDS["path"] in kinds
