# SPDX-License-Identifier: MIT
"""What the page says of maps of Tiled, row by row."""

from __future__ import annotations

import math

import pytest
from PIL import Image

from tests.importers.documented import Rows
from tests.importers.given import tiled, tiled_map

ROWS = Rows("tiled")
BOX = {"name": "box", "x": 10, "y": 20, "width": 40, "height": 30}


def body_of(**fields):
    made = tiled({**BOX, **fields})
    return made.scene().bodies["box"], made


def layer(*objects, **fields):
    return {"type": "objectgroup", "objects": list(objects), **fields}


def listed(**values):
    return [{"name": name, "value": value} for name, value in values.items()]


@ROWS.shows("`layers` of the `type` objectgroup and group, with `offsetx`, `offsety`")
def _():
    inner = layer(BOX, offsety=50)
    made = tiled_map([{"type": "group", "offsetx": 100, "layers": [inner]}])
    assert made.scene().bodies["box"].position == (10 + 20 + 100, 20 + 15 + 50)
    return made


@ROWS.shows("`name`, `x`, `y`, `rotation` of an object")
def _():
    body, made = body_of(rotation=90)
    assert body.position == pytest.approx((10 - 15, 20 + 20))
    assert body.angle == pytest.approx(math.pi / 2)
    return made


@ROWS.shows("`width`, `height`")
def _():
    body, made = body_of()
    assert (body.shapes[0].source, max(body.shapes[0].points)) == ("box", (20.0, 15.0))
    return made


@ROWS.shows("`polygon`")
def _():
    def drawn(*corners):
        body, made = body_of(polygon=[{"x": x, "y": y} for x, y in corners])
        x, y = body.position
        return body.shapes[0], {(x + a, y + b) for a, b in body.shapes[0].points}, made

    assert drawn((0, 0), (8, 0), (8, 4), (0, 4))[0].source == "box"
    _, corners, made = drawn((0, 0), (30, 0), (0, 30))
    assert corners == {(10.0, 20.0), (40.0, 20.0), (10.0, 50.0)}
    return made


@ROWS.shows("`polyline`")
def _():
    points = [{"x": 0, "y": 0}, {"x": 9, "y": 0}, {"x": 9, "y": 9}]
    assert body_of(polyline=points[:2])[0].shapes[0].kind == "segment"
    body, made = body_of(polyline=points)
    assert (body.shapes[0].kind, body.shapes[0].side) == ("chain", "both")
    return made


@ROWS.shows("`ellipse` as wide as high")
def _():
    body, made = body_of(ellipse=True, height=40)
    assert (body.shapes[0].kind, body.shapes[0].radius) == ("circle", 20.0)
    return made


@ROWS.shows("`ellipse` of other sizes")
def _():
    body, made = body_of(ellipse=True)
    assert len(body.shapes[0].points) == 32
    return made


@ROWS.shows("`capsule`")
def _():
    body, made = body_of(capsule=True)
    assert (body.shapes[0].kind, body.shapes[0].radius) == ("capsule", 15.0)
    return made


def tile(folder, gid, images=False, **fields):
    """One object that is a tile of a set of 4 x 2, and its body."""
    Image.new("RGB", (64, 32), "brown").save(folder / "tiles.png")
    given = {"firstgid": 3, "image": "tiles.png", "tilewidth": 16, "tileheight": 16, **fields}
    if images:
        given = {"firstgid": 3, "tiles": [{"id": 2, "image": "tiles.png"}]}
    made = tiled_map([layer({**BOX, "gid": gid})], tilesets=[given], folder=folder)
    return made.scene().bodies["box"], made


@ROWS.shows(
    "`gid`, a tile, and its picture: `tilesets` with `firstgid` and an `image`, or with `tiles` "
    "that have one each"
)
def _(folder):
    assert tile(folder, 5, images=True)[0].texture.grid == (1, 1)
    assert tile(folder, 5 + 0x80000000)[0].texture.mirror == "x"
    body, made = tile(folder, 5)
    assert body.shapes[0].source == "box"
    assert body.position == (10 + 20, 20 - 15)  # its point is the lower left corner
    assert (body.texture.grid, body.texture.frame) == ((4, 2), 2)
    return made


@ROWS.shows("`gid` of a tileset that is a file of its own, has gaps or no picture here")
def _(folder):
    for fields in ({"source": "tiles.tsj"}, {"spacing": 1}, {"image": "none.png"}):
        assert tile(folder, 5, **fields)[0].texture is None
    return tile(folder, 99)[1]


@ROWS.shows("`text`")
def _():
    note = {"text": "{go}", "pixelsize": 20, "color": "#80ff0000"}
    made = tiled(BOX, {"x": 10, "y": 20, "width": 40, "height": 10, "text": note})
    (annotation,) = made.scene().annotations
    assert (annotation.at, annotation.size, annotation.color) == ((30.0, 25.0), 20.0, "#ff000080")
    return made


@ROWS.shows("`type` or `class` of an object, property `body`")
def _():
    assert body_of(type="dynamic")[0].kind == "dynamic"
    assert body_of(**{"class": "kinematic"})[0].kind == "kinematic"
    body, made = body_of(properties=listed(body="dynamic"))
    assert body.kind == "dynamic"
    return made


@ROWS.shows("`properties` of an object or a layer")
def _():
    numbers = {
        "rolling_resistance": 0.5,
        "tangent_speed": 2,
        "inertia": 9,
        "z": 3,
        "mass": 7,
        "linear_damping": 0.1,
        "angular_damping": 0.2,
        "gravity_scale": 0.5,
        "velocity_x": 3,
        "velocity_y": 4,
        "angular_velocity": 90,
    }
    words = {"bullet": True, "sleep": False, "awake": True, "collide": False, "color": "red"}
    words |= {"tags": "a, b"}
    given = listed(**numbers, **words, sensor=True, category="wall", restitution=0.25)
    box = {**BOX, "type": "dynamic", "properties": given}
    made = tiled_map([layer(box, properties=listed(friction=0.75))])
    body = made.scene().bodies["box"]
    surface = body.shapes[0].material
    assert (surface.friction, surface.restitution) == (0.75, 0.25)
    assert (surface.rolling_resistance, body.mass) == (0.5, 7.0)
    assert (body.linear_damping, body.angular_damping, body.gravity_scale) == (0.1, 0.2, 0.5)
    assert (body.velocity, body.angular_velocity) == ((3.0, 4.0), pytest.approx(math.pi / 2))
    assert (body.sleep, body.awake, body.bullet, body.collide) == (False, True, True, False)
    assert (body.inertia, body.z, set(body.tags)) == (9.0, 3, {"a", "b"})
    assert surface.tangent_speed == 2
    assert body_of(type="dynamic", properties=listed(fixed_rotation=True))[0].fixed_rotation
    assert (body.shapes[0].sensor, body.shapes[0].category) == (True, "wall")
    assert tiled({**BOX, "properties": listed(density=3)}).losses == ()
    return made


@ROWS.shows("`properties` as one object, as before version 1.2")
def _():
    body, made = body_of(properties={"body": "dynamic", "density": 3, "friction": None})
    assert (body.kind, body.shapes[0].material.density) == ("dynamic", 3.0)
    assert tiled_map([layer(BOX, properties={})], properties={}).losses == ()
    return made


@ROWS.shows("`properties` that are no field of a body")
def _():
    return body_of(properties=listed(life=3))[1]


@ROWS.shows("`visible: false` of a layer or an object")
def _():
    assert not tiled_map([layer(BOX, visible=False)]).scene().bodies["box"].visible
    body, made = body_of(visible=False)
    assert not body.visible
    return made


@ROWS.shows("`gravity_x`, `gravity_y` of the map's `properties`")
def _():
    made = tiled_map([layer(BOX)], properties=listed(gravity_x=5, gravity_y=500))
    assert made.scene().world.gravity == (5.0, 500.0)
    return made


@ROWS.shows("other `properties` of the map")
def _():
    return tiled_map([layer(BOX)], properties=listed(weather="rain"))


@ROWS.shows("`point`, `template`")
def _():
    strange = {"point": True}, {"template": "box.tj"}
    made = tiled(BOX, *({**BOX, "name": "other", **fields} for fields in strange))
    assert [loss.path for loss in made.losses] == [f"layers[0].objects[{i}]" for i in (1, 2)]
    assert made.bodies == 1
    return made


@ROWS.shows("an object without width or height")
def _():
    made = tiled(BOX, {**BOX, "width": 0})
    assert made.bodies == 1
    return made


def behind(folder, **fields):
    Image.new("RGB", (64, 32), "blue").save(folder / "sky.png")
    sky = {"type": "imagelayer", "image": "sky.png", **fields}
    made = tiled_map([layer(BOX), sky], folder=folder)
    return made.scene().layers, made


@ROWS.shows(
    "`layers` of the `type` imagelayer: `image`, `offsetx`, `offsety`, `parallaxx`, `repeatx`, "
    "`repeaty`, `opacity`, `tintcolor`"
)
def _(folder):
    assert behind(folder, repeatx=True, repeaty=True)[0][0].repeat == "both"
    look = {"opacity": 0.5, "tintcolor": "#ff0000", "parallaxx": 0.25, "parallaxy": 0.25}
    (sky,), made = behind(folder, offsetx=100, offsety=50, repeatx=True, **look)
    assert (sky.at, sky.scale, sky.parallax, sky.repeat) == ((132.0, 66.0), 1.0, 0.25, "x")
    assert sky.tint == "#ff000080"
    return made


@ROWS.shows("a `parallaxy` that is not the `parallaxx`")
def _(folder):
    return behind(folder, parallaxy=0.5)[1]


@ROWS.shows("a picture that is not in the folder of the scene")
def _(folder):
    layers, made = behind(folder, image="../sky.png")
    assert not layers
    return made


@ROWS.shows("`layers` of the `type` tilelayer")
def _():
    return tiled_map([layer(BOX), {"type": "tilelayer"}])


@ROWS.shows("`orientation` that is not orthogonal")
def _():
    made = tiled_map([layer(BOX)], orientation="isometric")
    assert made.scene().bodies["box"].position == (30.0, 35.0)
    return made
