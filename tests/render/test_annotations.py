# SPDX-License-Identifier: MIT
"""Annotations in the picture: where they are, what they say, and when."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from rigid2d.core.page import document
from rigid2d.core.record import Recorder
from rigid2d.core.record.frame import ContactPoints
from rigid2d.core.record.trace import frames_of_trace
from rigid2d.core.render import Renderer
from rigid2d.core.render.canvas.display import FIRST, KIND, KINDS, A, Items
from rigid2d.core.render.canvas.text import Lettering
from rigid2d.core.render.canvas.theme import LIGHT
from rigid2d.core.render.marks import annotation_kinds
from rigid2d.core.render.marks.annotation_kinds import PlotMark
from rigid2d.core.render.marks.annotation_places import Places
from rigid2d.core.render.marks.annotations import Annotations
from rigid2d.core.render.marks.axes import in_corner
from rigid2d.core.render.marks.plot_panels import Panel, PanelPen, PlotWords
from rigid2d.core.render.marks.plots import Plot, peaks, thinned
from rigid2d.core.scene import loads, model
from rigid2d.core.scene.blocks.picture.annotation_types import ANNOTATION_TYPES
from rigid2d.core.view.camera import View
from rigid2d.core.world import run

VIEW = View(40.0, 80.0, -40.0, 60.0)
NOTE = model.Annotation


@pytest.fixture
def drawn(scene_of, frame_of):
    """The items and points of annotations on a picture of 160x120, and the texts in it."""

    def drawn(*notes, time=0.0, values=None, taken=(), **changes):
        joints = {
            "hinge": model.Joint("hinge", "revolute", "world", "ball", (0.0, 0.0), (0.0, 0.0))
        }
        scene = scene_of(joints=joints, annotations=notes)
        lettering = Recorded()
        frame = frame_of(scene, time, values=values or {}, **changes)
        made = Annotations(scene, LIGHT, (160, 120), 1.0, lettering)
        items = Items()
        made.add(items, frame, VIEW, taken)
        rows, points = items.arrays()
        return rows, points, lettering.written

    return drawn


class Recorded(Lettering):
    """Keeps what is written and where."""

    def __init__(self):
        super().__init__()
        self.written = []

    def add(self, items, text, at, color, size, align=0.0):
        if color != LIGHT.paper:  # that of rims
            self.written.append((text, at, align))


def arrows(rows, points):
    """From where to where arrows go, in the scene's coordinates."""
    found = []
    for row in rows[rows[:, KIND] == KINDS["arrow"]]:
        ends = points[int(row[FIRST]) : int(row[FIRST]) + 2]
        found.append([((x - 80.0) / 40.0, (60.0 - y) / 40.0) for x, y in ends])
    return np.array(found)


def test_a_text_says_the_values_of_its_frame(drawn):
    note = NOTE("text", "v = {ball.speed:.1f} m/s", corner="top_left")
    _, _, [(text, at, _)] = drawn(note, values={"ball.speed": 3.14})
    assert text == "v = 3.1 m/s"
    assert at == (9.0, 9.0)


def test_what_comes_later_goes_below_and_in_the_lower_corners_above(drawn):
    notes = [NOTE("text", text, corner=corner) for corner in ("top", "bottom") for text in "ab"]
    _, _, written = drawn(*notes)
    (_, top_a, _), (_, top_b, _), (_, low_a, _), (_, low_b, _) = written
    assert top_a[1] < top_b[1] < low_b[1] < low_a[1]
    assert all(at[0] == pytest.approx(80.0) for _, at, _ in written)


def test_it_goes_where_nothing_else_is(drawn):
    note = NOTE("text", "a", corner="top_left")
    _, _, [(_, at, _)] = drawn(note, taken=[(0.0, 0.0, 90.0, 22.0)])
    assert at[1] > 22.0


def test_a_text_follows_its_body(drawn):
    _, _, [(_, at, align)] = drawn(NOTE("text", "ball", follow="ball"))
    assert align == 0.5
    assert at[0] == pytest.approx(80.0 - 40.0)
    assert at[1] < 60.0 - 40.0 * 2.5  # above the top of the ball


def test_it_is_shown_from_and_until(drawn):
    note = NOTE("text", "a", corner="top", start=1.0, until=2.0)
    assert [len(drawn(note, time=time)[2]) for time in (0.9, 1.0, 1.9, 2.0)] == [0, 1, 1, 0]


def test_it_is_shown_while_a_condition_holds(drawn):
    note = NOTE("text", "a", corner="top", condition="ball.x > 1")
    assert [len(drawn(note, values={"ball.x": x})[2]) for x in (0.9, 1.1)] == [0, 1]


def test_a_condition_without_a_value_does_not_hold(drawn):
    note = NOTE("text", "a", corner="top", condition="1/ball.x > 0")
    assert [len(drawn(note, values={"ball.x": x})[2]) for x in (0.0, 1.0)] == [0, 1]


def test_a_velocity_begins_in_the_middle_of_its_body(drawn):
    velocity = np.array([[0, 0, 0], [3.0, -1.0, 0], [0, 0, 0]], float)
    note = NOTE("vector", vector="ball.velocity", scale=0.5)
    rows, points, _ = drawn(note, velocity=velocity)
    assert arrows(rows, points)[0] == pytest.approx(np.array([(-1.0, 2.0), (0.5, 1.5)]))


def test_the_force_of_a_joint_begins_at_its_anchor(drawn):
    note = NOTE("vector", vector="hinge.force", scale=0.1)
    rows, points, _ = drawn(note, joint_force=np.array([[10.0, 5.0, 0.0]]))
    assert arrows(rows, points)[0] == pytest.approx(np.array([(-1.0, 2.0), (0.0, 2.5)]))


def test_the_force_on_a_body_is_the_sum_over_its_contacts(drawn):
    contacts = ContactPoints(
        bodies=np.array([[0, 1], [1, 2]], np.int32),
        point=np.zeros((2, 2)),
        normal=np.array([[0.0, 1.0], [1.0, 0.0]]),
        normal_force=np.array([30.0, 20.0]),
        tangent_force=np.zeros(2),
        separation=np.zeros(2),
    )
    note = NOTE("vector", vector="ball.force", scale=0.1)
    rows, points, _ = drawn(note, contacts=contacts)
    assert arrows(rows, points)[0] == pytest.approx(np.array([(-1.0, 2.0), (-3.0, 5.0)]))


PRESSED = ContactPoints(
    bodies=np.array([[0, 1], [1, 2]], np.int32),
    point=np.array([[-1.0, 1.5], [-0.5, 2.0]]),
    normal=np.array([[0.0, 1.0], [1.0, 0.0]]),
    normal_force=np.array([30.0, 20.0]),
    tangent_force=np.array([-6.0, 0.0]),
    separation=np.zeros(2),
)


@pytest.mark.parametrize(
    ("vector", "start", "value"),
    [
        ("ball.normal_force", (-0.8, 1.7), (-20.0, 30.0)),
        ("ball.friction_force", (-0.8, 1.7), (-6.0, 0.0)),
        ("ball.contact_force", (-0.8, 1.7), (-26.0, 30.0)),
        ("ball.contact.with(ground).normal_force", (-1.0, 1.5), (0.0, 30.0)),
        ("ball.contact.with(ground).friction_force", (-1.0, 1.5), (-6.0, 0.0)),
        ("ball.contact.with(ground).force", (-1.0, 1.5), (-6.0, 30.0)),
        ("ball.weight", (-1.0, 2.0), (0.0, -19.62)),
        ("ball.momentum", (-1.0, 2.0), (6.0, -2.0)),
        ("hinge.on(ball).force", (-1.0, 2.0), (10.0, 5.0)),
        ("hinge.on(world).force", (0.0, 0.0), (-10.0, -5.0)),
    ],
)
def test_a_vector_of_mechanics_is_where_it_acts(drawn, vector, start, value):
    moving = {
        "velocity": np.array([[0, 0, 0], [3.0, -1.0, 0], [0, 0, 0]], float),
        "contacts": PRESSED,
        "joint_force": np.array([[10.0, 5.0, 0.0]]),
        "values": {"ball.mass": 2.0, "ball.weight": 19.62},
    }
    note = NOTE("vector", vector=vector, scale=0.1, show="value")
    rows, points, [(text, _, _)] = drawn(note, **moving)
    tip = (start[0] + 0.1 * value[0], start[1] + 0.1 * value[1])
    assert arrows(rows, points)[0] == pytest.approx(np.array([start, tip]))
    assert float(text.split()[0]) == pytest.approx(np.hypot(*value), abs=0.06)
    assert text.split(maxsplit=1)[1] == ("kg m/s" if "momentum" in vector else "N")


def test_a_vector_has_components_along_an_axis_and_across_it(drawn):
    note = NOTE("vector", vector="hinge.force", scale=0.1, show="both", components=np.pi / 4)
    rows, points, written = drawn(note, joint_force=np.array([[10.0, 0.0, 0.0]]))
    tips = arrows(rows, points)[:, 1]
    assert tips == pytest.approx(np.array([(0.0, 2.0), (-0.5, 2.5), (-0.5, 1.5)]))
    assert [text for text, _, _ in written] == ["F = 10.0 N", "F∥ = 7.07 N", "F⊥ = 7.07 N"]


def test_an_acceleration_is_the_change_of_velocity_in_a_step(scene_of, frame_of):
    scene = scene_of(annotations=[NOTE("vector", vector="ball.acceleration")])
    made = Annotations(scene, LIGHT, (160, 120), 1.0, Lettering())
    tips = []
    for step, speed in ((0, 1.0), (1, 1.5), (1, 1.5), (3, 0.5)):
        velocity = np.array([[0, 0, 0], [speed, 0, 0], [0, 0, 0]], float)
        frame = frame_of(scene, step * scene.world.dt, step=step, velocity=velocity)
        notes = made.notes(frame, VIEW)
        tips += [[note.part.points[1][0] - note.part.points[0][0] for note in notes]]
    unit = 3.0 / 8.0 / (9.81 * scene.world.dt)  # of a picture 3 m high
    assert tips == [[], *(pytest.approx([each * unit]) for each in (0.5, 0.5, -0.5))]


def test_an_arrow_that_would_leave_the_picture_is_cut_there_with_a_gap(drawn):
    force = np.array([[-100.0, 0.0, 0.0]])
    rows, points, [(text, _, _)] = drawn(
        NOTE("vector", vector="hinge.on(world).force", scale=0.1, show="value"), joint_force=force
    )
    (start, tip) = arrows(rows, points)[0]
    assert tip == pytest.approx((2.0 - 0.03 * 3.0, 0.0))  # the border of a picture 4 m wide
    assert start[0] == pytest.approx(0.51 * tip[0])  # after the gap
    strokes = rows[rows[:, KIND] == KINDS["path"]]
    assert len(strokes) == 4  # its first half, two at the gap, the line to its label
    assert text == "100 N"


def test_an_arrow_of_two_expressions_is_as_long_as_they_say(drawn):
    note = NOTE("vector", expressions=("50", "0"), at=(0.0, 0.0))
    rows, points, _ = drawn(note)
    assert arrows(rows, points)[0, 1] == pytest.approx((50.0, 0.0))


def test_a_free_body_diagram_has_all_forces_from_one_place(drawn):
    note = NOTE("free_body", body="ball", at=(1.0, 0.0), scale=0.01)
    rows, points, written = drawn(note, contacts=PRESSED, joint_force=np.array([[10.0, 5.0, 0.0]]))
    ends = arrows(rows, points)
    assert ends[:, 0] == pytest.approx(np.full((5, 2), (1.0, 0.0)))
    names = [text for text, _, _ in written]
    assert names == ["W", "N crate", "N ground", "f ground", "hinge"]


def test_arrows_have_the_scale_of_the_bar(drawn):
    bar = NOTE("scale_bar", scale_bar="force", scale=0.05)
    rows, points, [(text, _, _)] = drawn(
        NOTE("vector", vector="hinge.force"), bar, joint_force=np.array([[10.0, 0.0, 0.0]])
    )
    (first, tip), (start, end) = arrows(rows, points)
    assert tip - first == pytest.approx((0.5, 0.0))
    assert text == "force 20 N"
    assert end - start == pytest.approx((1.0, 0.0))


def test_labels_are_apart_and_in_the_picture(drawn):
    notes = [NOTE("text", "abcde", follow="crate") for _ in range(4)]
    _, _, written = drawn(*notes, NOTE("text", "far out", at=(1.9, 1.4)))
    ys = sorted((at[1], at[0]) for _, at, _ in written[:4])
    wide = Lettering().width("abcde", 13.0)
    for i, (y, x) in enumerate(ys):
        assert all(abs(y - b) > 13.0 or abs(x - a) > wide for b, a in ys[i + 1 :])
    half = 0.5 * Lettering().width("far out", 13.0)
    assert written[4][1][0] + half <= 160.0


def test_two_expressions_are_a_vector(drawn):
    note = NOTE("vector", "a", at=(1.0, 1.0), expressions=("ball.x", "0 - 2"))
    rows, points, written = drawn(note, values={"ball.x": 3.0})
    assert arrows(rows, points)[0] == pytest.approx(np.array([(1.0, 1.0), (4.0, -1.0)]))
    assert written[0][0] == "a"


def test_a_dimension_says_how_far_its_ends_are_apart(drawn):
    note = NOTE("dimension", ends=("ball", (-1.0, -1.0)), offset=0.5)
    rows, points, [(text, _, _)] = drawn(note)
    assert text == "3.00 m"
    ends = arrows(rows, points)[:, 1]
    assert ends == pytest.approx(np.array([(-0.5, 2.0), (-0.5, -1.0)]))


def test_what_has_no_value_is_a_dash(drawn):
    note = NOTE("text", "{1/ball.x:.1f} {ball.y:.1f}", corner="top")
    _, _, [(text, _, _)] = drawn(note, values={"ball.x": 0.0, "ball.y": float("nan")})
    assert text == "– –"


def test_what_is_on_a_body_that_is_gone_is_gone_too(drawn):
    notes = [NOTE("vector", vector="ball.velocity"), NOTE("dimension", ends=("ball", (0.0, 0.0)))]
    rows, _, written = drawn(*notes, alive=np.array([True, False, True]))
    assert len(rows) == len(written) == 0


def plotted(samples, **fields):
    given = NOTE("plot", expressions=("ball.x",), **fields)
    plot = Plot(given, 1.0)
    for time, value in samples:
        plot.note(time, [value])
    items = Items()
    panel = Panel(plot, PlotWords(("ball.x",), "m", "", single=True), LIGHT.bodies, "")
    pen = PanelPen(items, Lettering(), LIGHT, 1.0)
    pen.add([panel], (0.0, 0.0, 190.0, 112.0), [112.0])
    return plot, items.arrays()


def test_a_plot_forgets_what_is_older_than_it_shows():
    plot, _ = plotted([(0.1 * k, 0.0) for k in range(100)], seconds=2.0)
    assert 2.0 <= 0.1 * len(plot.samples) <= 2.2


def test_a_line_ends_where_the_axis_ends():
    _, (rows, points) = plotted([(k, 10.0 * k) for k in range(5)], range=(0.0, 15.0))
    line = rows[(rows[:, KIND] == KINDS["path"]) & (rows[:, A] == 0)][-1]
    ys = points[int(line[FIRST]) :, 1]
    assert ys.min() >= 20.0
    assert ys.max() <= 96.0


def test_a_long_run_is_remembered_in_coarser_steps():
    given = NOTE("plot", expressions=("a", "b"), phase=True)
    plot = Plot(given, 1.0)
    for k in range(20000):
        plot.note(0.1 * k, [k, -k])
    assert len(plot.samples) <= 4000
    assert plot.samples[-1][1] == 19999


def test_peaks_between_frames_are_in_a_plot_and_what_lies_between_is_not():
    passed = [(1.0, 0.5, 0.0), (2.0, 9.0, 0.0), (3.0, 0.4, -3.0), (4.0, 1.5, 0.0)]
    assert peaks((0.0, 0.0, 0.0), passed, (5.0, 2.0, 0.0)) == passed[1:3]
    assert peaks((0.0, 0.0, 0.0), passed[:1], (5.0, 2.0, 0.0)) == []
    assert peaks(None, passed, (5.0, 2.0, 0.0)) == []
    nowhere = float("nan")
    assert peaks((0.0, 0.0), [(1.0, nowhere)], (2.0, 1.0)) == []


def test_a_plot_that_is_remembered_in_coarser_steps_keeps_its_peaks():
    samples = [(0.1 * k, 502.0 if k == 1234 else 10.0) for k in range(9000)]
    assert max(thinned(samples), key=lambda each: each[1]) == samples[1234]
    assert thinned(samples)[-1] == samples[-1]
    assert len(thinned(samples)) < 0.8 * len(samples)


def test_a_blow_between_two_frames_is_in_the_plot_of_a_run():
    scene = loads("""
        rigid: 1
        world: {duration: 1, dt: =1/480}
        bodies:
          floor: {type: static, shape: {box: [6, 0.4]}, position: [0, -0.2]}
          ball: {shape: {circle: 0.3}, position: [0, 2], restitution: 0.8}
        annotations: [{plot: ball.force}]
        record: {channels: [floor, ball, ball.force]}
    """)
    recorder = Recorder(scene, trace=True)
    frames = list(run(scene, fps=10, recorder=recorder))
    most = float(recorder.trace["ball"].force.max())
    assert max(frame.values["ball.force"] for frame in frames) < 0.1 * most
    passed = np.concatenate([each.passed.values for each in frames if each.passed is not None])
    assert float(passed.max()) == most
    steps = np.concatenate([each.passed.times for each in frames[1:]]) / scene.world.dt
    assert len(steps) == frames[-1].step - (len(frames) - 1)  # all but the frames' own
    for each in (frames, frames_of_trace(scene, recorder.trace, [0.1 * k for k in range(10)])):
        mark = PlotMark(scene.annotations[0], Places(scene, LIGHT, (64, 48), 1.0, Lettering()))
        for frame in each:
            mark.note(frame)
        assert max(sample[1] for sample in mark._plot.samples) == most


def test_pictures_without_annotations_stay_as_they_are(scene_of, frame_of):
    plain = scene_of()
    shown = scene_of(annotations=(NOTE("text", "a", corner="top", start=5.0),))
    first = Renderer(plain).draw(frame_of(plain))
    assert np.array_equal(first, Renderer(shown).draw(frame_of(shown)))


def test_a_box_in_a_corner_comes_to_lie_on_nothing_in_whatever_order_that_is_told() -> None:
    far, clock, near = (0, 60, 90, 80), (0, 0, 90, 20), (0, 22, 90, 40)
    x0, y0, x1, y1 = in_corner("top_left", (400, 300), 80.0, 30.0, 9.0, [far, clock, near])
    assert (x0, y0) == (9.0, 80 + 4.5)  # between the two others there are 20 only
    assert (x1 - x0, y1 - y0) == (80.0, 30.0)
    low = in_corner(
        "bottom_left", (400, 300), 80.0, 30.0, 9.0, [(0, 210, 90, 230), (0, 280, 90, 300)]
    )
    assert low[1] == 280 - 4.5 - 30.0


def test_every_kind_of_annotation_is_drawn_in_pictures_and_in_pages():
    kinds = set(ANNOTATION_TYPES)
    assert set(annotation_kinds.KINDS) == kinds
    program = (Path(document.__file__).parent / "assets/notes.js").read_text(encoding="utf-8")
    drawn = set(re.findall(r'kind === "(\w+)"', program))
    assert kinds - drawn == {"vector", "free_body"}  # which are arrows, as is what is left
