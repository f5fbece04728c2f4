# SPDX-License-Identifier: MIT
"""Maps of Tiled: objects of object layers."""

from __future__ import annotations

import json
import math

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.importers import import_data

from tests.importers.given import tiled
from tests.rows import every_row


def only(made):
    (body,) = made.scene().bodies.values()
    return body


def test_a_rectangle_is_a_static_box_about_its_middle():
    body = only(tiled({"name": "floor", "x": 10, "y": 20, "width": 100, "height": 40}))
    assert (body.name, body.kind, body.position) == ("floor", "static", (60.0, 40.0))
    assert (max(body.shapes[0].points), body.shapes[0].source) == ((50.0, 20.0), "box")


def test_a_rotation_is_about_the_upper_left_corner():
    box = {"x": 10, "y": 20, "width": 100, "height": 40, "rotation": 90}
    body = only(tiled(box))
    assert body.position == pytest.approx((-10, 70))
    assert body.angle == pytest.approx(math.pi / 2)


def test_a_polygon_lies_where_it_is_drawn():
    corners = [{"x": 0, "y": 0}, {"x": 30, "y": 0}, {"x": 0, "y": 30}]
    body = only(tiled({"x": 100, "y": 100, "polygon": corners}))
    assert body.position == pytest.approx((110, 110))
    drawn = sorted((x + body.position[0], y + body.position[1]) for x, y in body.shapes[0].points)
    for got, corner in zip(drawn, [(100, 100), (100, 130), (130, 100)], strict=True):
        assert got == pytest.approx(corner)


def test_a_polyline_is_solid_from_both_sides():
    body = only(tiled({"x": 0, "y": 0, "polyline": [{"x": x, "y": x * x} for x in range(3)]}))
    assert (body.shapes[0].kind, body.shapes[0].side) == ("chain", "both")


@pytest.mark.parametrize(("height", "kind"), [(20, "circle"), (30, "polygon")])
def test_an_ellipse_is_a_circle_where_it_is_one(height, kind):
    made = tiled({"x": 0, "y": 0, "width": 20, "height": height, "ellipse": True})
    assert only(made).shapes[0].kind == kind
    assert len(made.losses) == (kind == "polygon")


def test_a_tile_stands_on_its_lower_left_corner():
    body = only(tiled({"x": 32, "y": 64, "width": 32, "height": 32, "gid": 5}))
    assert body.position == (48.0, 48.0)


def test_a_class_or_a_property_makes_a_body_dynamic():
    box = {"x": 0, "y": 0, "width": 10, "height": 10}
    dynamic = [{"name": "body", "value": "dynamic"}]
    for fields in ({"type": "dynamic"}, {"class": "dynamic"}, {"properties": dynamic}):
        assert only(tiled({**box, **fields})).kind == "dynamic"


def test_properties_are_fields_and_those_of_the_layer_hold_for_all():
    values = {"density": 0.5, "velocity_x": 3, "fixed_rotation": True, "body": "dynamic"}
    own = [{"name": name, "value": value} for name, value in values.items()]
    box = {"x": 0, "y": 0, "width": 10, "height": 10, "properties": own}
    body = only(tiled(box, properties=[{"name": "friction", "value": 0.25}]))
    assert (body.velocity, body.fixed_rotation) == ((3.0, 0.0), True)
    assert body.shapes[0].material.density == 0.5
    assert body.shapes[0].material.friction == 0.25


def test_layers_of_a_group_move_with_it():
    inner = {"type": "objectgroup", "objects": [{"x": 0, "y": 0, "width": 10, "height": 10}]}
    group = {"type": "group", "offsetx": 100, "layers": [{**inner, "offsety": 50}]}
    made = import_data(json.dumps({"layers": [group]}), "tiled")
    assert only(made).position == (105.0, 55.0)


def test_the_map_may_say_its_gravity():
    properties = [{"name": "gravity_y", "value": 500}]
    layers = [{"type": "objectgroup", "objects": [{"x": 0, "y": 0, "width": 9, "height": 9}]}]
    made = import_data(json.dumps({"layers": layers, "properties": properties}), "tiled")
    assert made.scene().world.gravity == (0.0, 500.0)


def test_what_is_no_body_is_a_loss():
    made = tiled(
        {"x": 0, "y": 0, "width": 9, "height": 9},
        {"x": 0, "y": 0, "point": True},
        {"x": 0, "y": 0, "width": 9, "height": 9, "text": {"text": "hello"}},
        {"x": 0, "y": 0, "width": 0, "height": 9},
    )
    assert [loss.path for loss in made.losses] == [f"layers[0].objects[{i}]" for i in (1, 2, 3)]


@every_row(
    ("fields", "message"),
    [
        ({"width": "9"}, r"objects\[0\].width: must be a number"),
        ({"properties": [{"name": "density", "value": "heavy"}]}, r"value: must be a number"),
        ({"properties": [{"name": "bullet", "value": 3}]}, r"value: must be true or false"),
        ({"properties": [{"name": "body", "value": "solid"}]}, r"must be static, kinematic"),
        ({"polygon": [{"x": 0, "y": 0}]}, r"objects\[0\].polygon: 1 different points"),
    ],
)
def test_a_mistake_names_its_place(fields, message):
    with pytest.raises(SceneError, match=message):
        tiled({"x": 0, "y": 0, "width": 9, "height": 9, **fields})


def test_an_unknown_kind_of_layer_is_an_error():
    with pytest.raises(SceneError, match=r"layers\[0\].type: no layer is 'mesh'"):
        import_data('{"layers": [{"type": "mesh"}]}', "tiled")


@pytest.mark.parametrize(("width", "height"), [(40, 12), (12, 40)])
def test_a_capsule_is_a_capsule(width, height):
    made = tiled({"x": 60, "y": 60, "width": width, "height": height, "capsule": True})
    (shape,) = only(made).shapes
    assert (shape.kind, shape.radius) == ("capsule", 6.0)
    (ax, ay), (bx, by) = shape.points
    assert abs(bx - ax) + 12 == pytest.approx(width)
    assert abs(by - ay) + 12 == pytest.approx(height)
    assert not made.losses


def test_what_lies_on_a_hidden_layer_is_not_drawn():
    box = {"x": 0, "y": 0, "width": 5, "height": 5}
    assert not only(tiled(box, visible=False)).visible


@pytest.mark.parametrize("format", ["auto", "tiled"])
def test_a_map_in_xml_is_told_with_what_is_read(format):
    map = '<?xml version="1.0"?>\n<!-- a map -->\n<map version="1.10" orientation="orthogonal"/>'
    with pytest.raises(SceneError, match=r"Tiled in XML.*\.tmj"):
        import_data(map, format)
