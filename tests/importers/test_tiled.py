# SPDX-License-Identifier: MIT
"""Maps of Tiled: objects of object layers."""

from __future__ import annotations

import json
import math
from io import BytesIO

import pytest
from PIL import Image
from rigid2d.core import build, loads
from rigid2d.core.errors import SceneError
from rigid2d.core.importers import import_data, import_file
from rigid2d.core.scene.values.polygon import signed_area

from tests.importers.given import tiled, tiled_map
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


MAP = """<?xml version="1.0"?>
<!-- a map -->
<map version="1.10" orientation="orthogonal" width="3" height="2" tilewidth="16" tileheight="16">
 <tileset firstgid="1" name="t" tilewidth="16" tileheight="16">
  <tile id="0"><objectgroup><object x="0" y="0" width="16" height="16"/></objectgroup></tile>
  <tile id="1"><properties><property name="solid" type="bool" value="true"/></properties></tile>
 </tileset>
 <layer name="wall" width="3" height="2"><data encoding="csv">1,2,1,
1,0,2684354561</data></layer>
 <objectgroup name="objects">
  <object id="1" name="ball" x="1" y="2" width="8" height="8" type="dynamic"><ellipse/></object>
  <object id="2" name="hill" x="0" y="0"><polygon points="0,0 16,0 0,16"/></object>
  <object id="3" name="start" x="24" y="0"><point/></object>
 </objectgroup>
</map>
"""


@pytest.mark.parametrize("format", ["auto", "tiled"])
def test_a_map_in_xml_is_read_like_one_in_json(format):
    made = import_data(MAP, format)
    scene = made.scene()
    assert [body.kind for body in scene.bodies.values()] == ["static", "dynamic", "static"]
    assert (scene.vars["start_x"], scene.vars["start_y"]) == (24.0, 0.0)
    (wall,) = scene.bodies["wall"].shapes
    assert len(wall.points) == 8  # a bridge over a gap
    assert [loss.path for loss in made.losses] == ["layers[0]"]  # its picture: there is no folder


def test_an_infinite_map_in_xml_has_its_tiles_in_chunks():
    whole = '<data encoding="csv">1,2,1,\n1,0,2684354561</data>'
    chunks = "".join(
        f'<chunk x="{x}" y="{y}" width="{wide}" height="1">\n{cells}\n</chunk>\n'
        for x, y, wide, cells in ((-1, 0, 2, "1,2"), (1, 0, 1, "1"), (-1, 1, 3, "1,0,2684354561"))
    )
    text = MAP.replace(whole, f'<data encoding="csv">\n{chunks}</data>')
    text = text.replace("<map ", '<map infinite="1" ')
    (wall,) = import_data(text).scene().bodies["wall"].shapes
    (same,) = import_data(MAP).scene().bodies["wall"].shapes
    assert wall.points == tuple((x - 16.0, y) for x, y in same.points)


@every_row(
    ("wrong", "message"),
    [
        ({'x="1"': 'x="one"'}, r"11:3: map.objectgroup\[0\].object\[0\]: `x` must be a number"),
        ({"1,2,1,": "1,2,"}, r"8:42: layers\[0\].data: must have 3 x 2 tiles, not 5"),
        ({"csv": "base64"}, r"8:42: layers\[0\].data: these are no cells"),
        (
            {'encoding="csv">1,2,1,\n1,0,2684354561': 'encoding="base64" compression="zstd">AAAA'},
            "choose CSV, zlib or gzip",
        ),
        ({'width="3" height="2"><data': 'width="9999" height="9999"><data'}, "more than 1,000,000"),
        ({"<map ": "<!DOCTYPE map [<!ENTITY a 'b'>]><map "}, "the entity `a`"),
        ({"polygon points": "polygon point"}, r"objects\[1\].polygon: 0 different points"),
    ],
)
def test_a_mistake_in_xml_names_its_line(wrong, message):
    text = MAP
    for old, new in wrong.items():
        text = text.replace(old, new)
    with pytest.raises(SceneError, match=message):
        import_data(text)


@pytest.mark.parametrize("name", ["tileset", "template"])
def test_a_part_of_a_map_is_no_scene(name):
    with pytest.raises(SceneError, match=f"a {name} of Tiled alone; import the map"):
        import_data(f"<{name}>{'<object/>' if name == 'template' else ''}</{name}>")


def tile_map(folder, cells, tile, columns=4, layer=(), **fields):
    """A map of one layer and one tileset, whose first tile is given."""
    tileset = {"firstgid": 1, "tilewidth": 16, "tileheight": 16, "tiles": [{"id": 0, **tile}]}
    rows = len(cells) // columns
    given = {"type": "tilelayer", "name": "wall", "width": columns, "height": rows, "data": cells}
    fields = {"tilewidth": 16, "tileheight": 16, "tilesets": [tileset], **fields}
    return tiled_map([{**given, **dict(layer)}], folder, **fields)


def test_a_ball_rolls_over_tiles_as_over_one_floor(tmp_path):
    solid = {"properties": [{"name": "solid", "value": True}]}
    made = tile_map(tmp_path, [1] * 200, solid, columns=100)
    text = made.text.replace(
        "bodies:", "bodies:\n  ball: {shape: {circle: 8}, position: [20, -8], velocity: [300, 0]}"
    )
    world = build(loads(f"{text}world: {{gravity: [0, 600], dt: 1 ms, length_unit: 60}}\n"))
    speeds = []
    for _ in range(40):
        world.step(50)
        speeds.append(world["ball"].velocity[1])
    assert world["ball"].position[0] > 400
    assert max(map(abs, speeds)) < 0.5


def test_flips_and_turns_move_the_shape_of_a_tile(tmp_path):
    # A box in the upper left corner: as it is, mirrored, upside down, and turned clockwise.
    corner = {"objectgroup": {"objects": [{"x": 0, "y": 0, "width": 4, "height": 8}]}}
    cells = [1, 1 | 0x80000000, 1 | 0x40000000, 1 | 0xA0000000]
    (body,) = tile_map(tmp_path, cells, corner).scene().bodies.values()
    boxes = sorted((min(shape.points), max(shape.points)) for shape in body.shapes)
    assert boxes == [((0, 0), (4, 8)), ((28, 0), (32, 8)), ((32, 8), (36, 16)), ((56, 0), (64, 4))]


def test_a_cave_of_many_tiles_is_joined_quickly_and_has_its_area(tmp_path):
    solid = {"properties": [{"name": "solid", "value": True}]}
    side = 60
    cells = [int((i % side) % 7 < 6 or (i // side) % 5 < 4) for i in range(side * side)]
    made = tile_map(tmp_path, cells, solid, columns=side)
    (body,) = made.scene().bodies.values()
    area = sum(
        signed_area(shape.points) + sum(map(signed_area, shape.holes)) for shape in body.shapes
    )
    assert abs(area) == sum(cells) * 16 * 16
    assert {shape.source for shape in body.shapes} == {"polygon"}


def test_more_holes_than_a_polygon_has_become_chains(tmp_path):
    solid = {"properties": [{"name": "solid", "value": True}]}
    cells = [int(i % 50 % 2 == 0 or i // 50 % 2 == 0) for i in range(50 * 50)]
    made = tile_map(tmp_path, cells, solid, columns=50)
    text = made.text.replace(
        "bodies:",
        "bodies:\n  a: {shape: {circle: 2}, position: [24, 24]}\n"
        "  b: {shape: {circle: 2}, position: [200, -4]}",
    )
    world = build(loads(f"{text}world: {{gravity: [0, 600], length_unit: 60}}\n"))
    world.step(200)
    assert world["a"].position[1] == pytest.approx(30, abs=0.2)
    assert world["b"].position[1] == pytest.approx(-2, abs=0.2)


def test_tiles_with_other_properties_are_other_bodies(tmp_path):
    tileset = {"firstgid": 1, "tilewidth": 16, "tileheight": 16, "tiles": [
        {"id": 0, "properties": {"solid": True}},
        {"id": 1, "class": "ice", "properties": {"solid": True, "friction": 0}},
        {"id": 2, "properties": {"solid": True, "one_way": "up"}},
        {"id": 3, "class": "crate", "properties": {"body": "dynamic"}},
    ]}  # fmt: skip
    cells = [1, 1, 2, 2, 3, 3, 0, 4, 0, 3, 0, 4]
    layer = {"type": "tilelayer", "name": "w", "width": 4, "height": 3, "data": cells}
    made = tiled_map([layer], tmp_path, tilewidth=16, tileheight=16, tilesets=[tileset])
    scene = made.scene()
    assert set(scene.bodies) == {"w", "w_2", "w_3", "w_4", "crate", "crate_2"}
    assert scene.bodies["w_2"].tags == ("ice",)
    assert scene.bodies["w_2"].shapes[0].material.friction == 0
    assert scene.bodies["crate"].kind == "dynamic"
    assert scene.bodies["crate"].position == (56.0, 24.0)
    assert all(shape.one_way is not None for shape in scene.bodies["w_3"].shapes)


def test_a_tile_shows_its_part_of_a_picture_and_nothing_in_the_colour_for_it(tmp_path):
    sheet = Image.new("RGB", (32, 16), (255, 0, 255))
    sheet.paste((0, 128, 0), (20, 4, 28, 12))
    sheet.save(tmp_path / "sheet.png")
    image = '<image source="sheet.png" trans="ff00ff" width="32" height="16"/>'
    part = image.replace(' trans="ff00ff"', "")
    text = f"""<map orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16">
 <tileset firstgid="1" name="a" tilewidth="16" tileheight="16" columns="2">{image}</tileset>
 <tileset firstgid="3" name="b" tilewidth="8" tileheight="8">
  <tile id="0" x="20" y="4" width="8" height="8">{part}</tile></tileset>
 <layer name="wall" width="2" height="1"><data encoding="csv">1,2</data></layer>
 <objectgroup name="things"><object name="box" gid="3" x="0" y="0" width="8" height="8"/>
 </objectgroup></map>"""
    (tmp_path / "a.tmx").write_text(text)
    made = import_file(tmp_path / "a.tmx", folder=tmp_path)
    shown = {name: Image.open(BytesIO(data)) for name, data in made.pictures.items()}
    wall = shown["a_wall.png"].convert("RGBA")
    assert wall.getpixel((0, 0))[3] == 0
    assert wall.getpixel((24, 8)) == (0, 128, 0, 255)
    (box,) = (each for name, each in shown.items() if name != "a_wall.png")
    assert (box.size, box.convert("RGB").getpixel((0, 0))) == ((8, 8), (0, 128, 0))


def test_no_file_outside_of_the_folder_of_the_map_is_read(tmp_path):
    (tmp_path / "maps").mkdir()
    Image.new("RGB", (16, 16), "red").save(tmp_path / "tiles.png")
    (tmp_path / "maps" / "out.tmj").write_text(json.dumps({
        "tilewidth": 16, "tileheight": 16,
        "tilesets": [{"firstgid": 1, "image": "../tiles.png", "tilewidth": 16, "tileheight": 16}],
        "layers": [{"type": "tilelayer", "name": "a", "width": 1, "height": 1, "data": [1]}],
    }))  # fmt: skip
    (tmp_path / "scene").mkdir()
    made = import_file(tmp_path / "maps" / "out.tmj", folder=tmp_path / "scene")
    assert "name a folder that has both by --assets" in str(made.losses[0])
    assert not made.pictures
    made = import_file(tmp_path / "maps" / "out.tmj", folder=tmp_path / "scene", assets=tmp_path)
    assert list(made.pictures) == ["out_a.png"]
    with Image.open(BytesIO(made.pictures["out_a.png"])) as picture:
        assert picture.convert("RGB").getpixel((3, 3)) == (255, 0, 0)
