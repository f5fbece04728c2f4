# SPDX-License-Identifier: MIT
"""Names: on bodies that have room for them, beside the others, never on each other."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core.render import Renderer
from rigid2d.core.render.canvas.display import Items
from rigid2d.core.render.canvas.text import Lettering
from rigid2d.core.render.canvas.theme import LIGHT
from rigid2d.core.render.marks.annotations import Annotations
from rigid2d.core.render.marks.label_motion import LabelMotion
from rigid2d.core.render.marks.labels import Labels
from rigid2d.core.scene import model
from rigid2d.core.view.boxes import intersection
from rigid2d.core.view.camera import Camera

SIZE = (640, 480)
REGION = model.Camera("region", rect=((-4.0, -3.0), (4.0, 3.0)))  # 80 pixels to the unit


class Spy(Labels):
    """Labels that remember where each name and line was put."""

    def add(self, items, frame, view, reserved=(), arrows=()):
        self.boxes, self.lines = {}, []
        super().add(items, frame, view, reserved, arrows)

    def _write(self, items, named, label):
        self.boxes[named.text] = label
        super()._write(items, named, label)

    def _outline(self, row, frame, view, point):
        found = super()._outline(row, frame, view, point)
        self.lines.append((row, found))
        return found


@pytest.fixture
def label(frame_of):
    def put(scene, frames=None, reserved=()):
        frames = frames or [frame_of(scene)]
        view = Camera(scene, SIZE, frames[0], None).view(frames[0])
        spy = Spy(scene, LIGHT, SIZE, 1.0, Lettering())
        for frame in frames:
            spy.add(Items(), frame, view, reserved)
        return spy

    return put


def discs(shapes, places, radius=0.1, kind="dynamic"):
    return {
        f"ball[{i}]": model.Body(f"ball[{i}]", kind, (shapes["disc"](radius),), place)
        for i, place in enumerate(places)
    }


def body_box(x, y, radius):
    x, y = 320 + 80 * x, 240 - 80 * y
    return (x - 80 * radius, y - 80 * radius, x + 80 * radius, y + 80 * radius)


def test_a_large_body_has_its_name_on_it(scene_of, shapes, label):
    spy = label(scene_of(discs(shapes, [(1.0, 1.0)], radius=0.8), camera=REGION))
    x0, y0, x1, y1 = spy.boxes["ball[0]"]
    assert (0.5 * (x0 + x1), 0.5 * (y0 + y1)) == pytest.approx((400.0, 160.0))
    assert spy.lines == []


def test_a_small_body_is_not_hidden_by_its_name(scene_of, shapes, label):
    spy = label(scene_of(discs(shapes, [(1.0, 1.0)]), camera=REGION))
    assert intersection(spy.boxes["ball[0]"], body_box(1.0, 1.0, 0.1)) is None
    (_, (x, y)) = spy.lines[-1]
    assert np.hypot(x - 400.0, y - 160.0) == pytest.approx(8.0)  # the line ends at its outline


def test_names_of_neighbours_lie_neither_on_each_other_nor_on_the_bodies(scene_of, shapes, label):
    places = [(0.35 * (i % 4), 0.35 * (i // 4)) for i in range(12)]
    spy = label(scene_of(discs(shapes, places), camera=REGION))
    boxes = list(spy.boxes.values())
    assert len(boxes) >= 10
    for i, box in enumerate(boxes):
        assert all(intersection(box, other) is None for other in boxes[:i])
        assert min(box[:2]) >= 0.0
        assert box[2] <= SIZE[0]
        assert box[3] <= SIZE[1]


def test_a_line_goes_to_the_outline_of_a_slanted_bar(scene_of, shapes, label):
    bar = model.Body("bar", "dynamic", (shapes["box"](0.3, 0.02),), (0.0, 0.0), 0.7)
    spy = label(scene_of({"bar": bar}, camera=REGION))
    assert len(spy.lines) == 2
    for _, (x, y) in spy.lines:
        across = -np.sin(0.7) * (x - 320.0) / 80.0 + np.cos(0.7) * (240.0 - y) / 80.0
        assert abs(across) <= 0.0101


def test_names_of_bodies_that_move_come_first(scene_of, shapes, label):
    pegs = {f"peg[{i}]": b for i, b in enumerate(discs(shapes, [(0.1, 0.0)] * 60).values())}
    pegs = {
        name: model.Body(name, "static", body.shapes, body.position) for name, body in pegs.items()
    }
    spy = label(scene_of({**pegs, **discs(shapes, [(0.0, 0.0)])}, camera=REGION))
    assert "ball[0]" in spy.boxes
    assert len(spy.boxes) < 61


def shifts(scene, frames, label):
    """Of the name of ``ball[0]``, which lies still, in each frame."""
    spy = [label(scene, frames[: i + 1]) for i in range(len(frames))]
    return np.array([each.boxes["ball[0]"][:2] for each in spy]), spy[-1]


def test_a_name_stays_where_it_is_while_another_body_passes(scene_of, frame_of, shapes, label):
    scene = scene_of(discs(shapes, [(0.0, 0.0), (0.4, 2.0)]), camera=REGION)
    frames = [frame_of(scene, 0.05 * i) for i in range(12)]
    for i, frame in enumerate(frames):
        frame.pose[1, 1] = 2.0 - 0.4 * i  # from above to below, over the first one's name
    places, spy = shifts(scene, frames, label)
    assert np.abs(np.diff(places, axis=0)).max() < 8.0
    assert places[-1] == pytest.approx(places[0], abs=2.0)
    assert intersection(*spy.boxes.values()) is None


def test_a_name_slides_to_another_side_once_its_own_stays_taken(scene_of, frame_of, shapes, label):
    scene = scene_of(discs(shapes, [(0.0, 0.0), (2.0, 0.0)]), camera=REGION)
    frames = [frame_of(scene, 0.1 * i) for i in range(20)]
    for i, frame in enumerate(frames):
        frame.pose[1, 0] = max(2.0 - 0.4 * i, 0.4)  # to the first one's name, and stays there
    places, spy = shifts(scene, frames, label)
    assert np.abs(np.diff(places, axis=0)).max() < 60.0  # of 100 in all
    assert np.abs(places[-1] - places[0]).max() > 20.0
    assert intersection(spy.boxes["ball[0]"], body_box(0.4, 0.0, 0.1)) is None
    assert intersection(*spy.boxes.values()) is None


def test_labels_of_arrows_slide_when_these_turn_round(scene_of, frame_of, shapes):
    note = model.Annotation("vector", vector="ball[0].velocity", scale=0.5, text="v")
    scene = scene_of(discs(shapes, [(0.0, 0.0)]), camera=REGION, annotations=(note,))
    frames = [frame_of(scene, i / 30) for i in range(30)]
    for i, frame in enumerate(frames):
        frame.velocity[0] = (2.0 if i < 10 else -2.0, 0.0, 0.0)
    view = Camera(scene, SIZE, frames[0], None).view(frames[0])
    marks = Annotations(scene, LIGHT, SIZE, 1.0, Lettering())
    boxes = [marks.add(Items(), frame, view, [])[0] for frame in frames]
    places = np.array([0.5 * (box[0] + box[2]) for box in boxes])
    assert places[0] - 320.0 == pytest.approx(320.0 - places[-1], abs=8.0)
    assert places[0] - places[-1] > 150.0
    assert np.abs(np.diff(places)).max() < 70.0


def test_no_name_lies_on_what_is_reserved(scene_of, shapes, label):
    reserved = (0.0, 0.0, 640.0, 240.0)
    scene = scene_of(discs(shapes, [(0.0, 0.5), (0.0, -0.5)], radius=0.8), camera=REGION)
    for box in label(scene, reserved=[reserved]).boxes.values():
        assert intersection(box, reserved) is None


def test_names_are_the_same_in_every_drawing(scene_of, frame_of, shapes):
    scene = scene_of(discs(shapes, [(0.3 * i, 0.1 * i) for i in range(9)]), camera=REGION)
    first, second = (
        Renderer(scene, size=SIZE, overlays=["names"]).draw(frame_of(scene)) for _ in range(2)
    )
    assert (first == second).all()


def test_a_name_makes_way_for_an_arrow_through_its_body(scene_of, shapes, label, frame_of):
    scene = scene_of(discs(shapes, [(0.0, 0.0)], radius=0.8), camera=REGION)
    arrow = ((320.0, 240.0), (320.0, 400.0))
    frame = frame_of(scene)
    view = Camera(scene, SIZE, frame, None).view(frame)
    spy = Spy(scene, LIGHT, SIZE, 1.0, Lettering())
    spy.add(Items(), frame, view, (), [arrow])
    assert intersection(spy.boxes["ball[0]"], (320.0, 240.0, 320.1, 400.0)) is None


def test_names_of_joints_are_beside_them_and_not_on_names_of_bodies(scene_of, shapes, frame_of):
    balls = discs(shapes, [(0.0, 0.0), (0.6, 0.0)])
    pin = model.Joint("pin", "revolute", "ball[0]", "ball[1]", (0.3, 0.0), (-0.3, 0.0))
    scene = scene_of(balls, joints={"pin": pin}, camera=REGION)
    frame = frame_of(scene)
    view = Camera(scene, SIZE, frame, None).view(frame)
    spy = Spy(scene, LIGHT, SIZE, 1.0, Lettering(), ("body", "joint"))
    spy.add(Items(), frame, view)
    boxes = [spy.boxes[name] for name in ("ball[0]", "ball[1]", "0 pin")]
    assert all(intersection(a, b) is None for i, a in enumerate(boxes) for b in boxes[:i])
    assert np.hypot(boxes[2][0] - 344.0, boxes[2][1] - 240.0) < 60.0


def test_labels_go_round_each_other_where_they_pass():
    """Two labels side by side change their places; in no frame does one lie on the other."""
    motion = LabelMotion[str](1.0)
    for i in range(61):
        motion.begin(i / 30)
        shown = np.empty((0, 4))
        for key, x in (("a", 4.0 * i), ("b", 240.0 - 4.0 * i)):
            box = (x - 30.0, 90.0, x + 30.0, 110.0)
            right, down = motion.move(key, 0, (x, 100.0), box, shown)
            moved = (right - 29.99, down - 9.99, right + 29.99, down + 9.99)
            assert all(intersection(moved, tuple(other)) is None for other in shown)
            shown = np.vstack([shown, moved])
