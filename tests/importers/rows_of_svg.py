# SPDX-License-Identifier: MIT
"""What the page says of SVG drawings, row by row."""

from __future__ import annotations

import itertools
import math

import pytest
from PIL import Image
from rigid.core.errors import SceneError
from rigid.core.importers import import_data

from tests.importers.documented import Rows
from tests.importers.given import svg

ROWS = Rows("svg")
BOX = '<rect width="10" height="4"/>'


def body_of(inside):
    made = svg(inside)
    (body,) = made.scene().bodies.values()
    return body, made


def shape_of(inside):
    body, made = body_of(inside)
    return body.shapes[0], made


@ROWS.shows("`rect`, `circle`, `polygon`, `path` that are filled")
def _():
    made = svg(f'{BOX}<circle r="3"/><polygon points="0,0 9,0 0,9"/><path d="M 0 0 h 9 l -9 9 z"/>')
    shapes = [body.shapes[0] for body in made.scene().bodies.values()]
    assert [shape.source or shape.kind for shape in shapes] == [
        "box",
        "circle",
        "polygon",
        "polygon",
    ]
    return made


@ROWS.shows("`rx`, `ry` of a `rect`")
def _():
    assert shape_of('<rect width="10" height="4" ry="1"/>')[0].radius == 1
    shape, made = shape_of('<rect width="10" height="4" rx="1" transform="rotate(30)"/>')
    assert (shape.source, shape.radius) == ("box", 1.0)
    return made


@ROWS.shows("`rx`, `ry` of a `rect` that is stretched")
def _():
    shape, made = shape_of('<rect width="10" height="4" rx="1" transform="scale(2, 1)"/>')
    assert shape.radius == 0
    return made


@ROWS.shows("`ellipse`")
def _():
    shape, made = shape_of('<ellipse rx="3" ry="5"/>')
    assert len(shape.points) == 32
    return made


@ROWS.shows("several parts of a `path`")
def _():
    body, made = body_of('<path d="M 0 0 h 9 v 9 h -9 z m 20 0 h 9 v 9 h -9 z"/>')
    assert len(body.shapes) == 2
    return made


@ROWS.shows("a hole")
def _():
    body, made = body_of('<path d="M 0 0 h 90 v 90 h -90 z M 20 20 h 9 v 9 h -9 z"/>')
    assert len(body.shapes) == 2
    return made


@ROWS.shows("`line`, `polyline`, `fill: none`")
def _():
    assert shape_of('<line x2="5" y2="5"/>')[0].kind == "segment"
    assert shape_of('<polyline points="0,0 5,5 9,0"/>')[0].side == "both"
    shape, made = shape_of('<rect width="10" height="4" fill="none"/>')
    assert (shape.kind, shape.loop, shape.side) == ("chain", True, "both")
    return made


@ROWS.shows("curves and arcs of a `path`")
def _():
    shape, made = shape_of('<path fill="none" d="M -50 0 A 50 50 0 0 1 50 0"/>')
    points = [(x - 50, y) for x, y in shape.points]
    ends = itertools.pairwise(points)
    middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in ends]
    assert all(abs(math.hypot(x, y) - 50) < 0.25 for x, y in [*points, *middles])
    return made


@ROWS.shows("`fill`, a colour")
def _():
    body, made = body_of('<g fill="tomato"><rect width="10" height="4"/></g>')
    assert body.color == "tomato"
    assert body_of('<rect width="9" height="4" style="fill: #ff6347"/>')[0].color == "#ff6347"
    return made


@ROWS.shows("`fill-opacity: 0`, `fill: transparent`")
def _():
    inside = f'<g fill-opacity="0">{BOX}<circle r="9" fill-opacity="50%"/></g>'
    frame, disc = (each.shapes[0] for each in svg(inside).scene().bodies.values())
    assert (frame.kind, disc.kind) == ("chain", "circle")
    shape, made = shape_of('<rect width="10" height="4" style="fill:transparent"/>')
    assert shape.kind == "chain"
    return made


@ROWS.shows("`transform`")
def _():
    body, made = body_of(f'<g transform="translate(100) rotate(90) scale(2)">{BOX}</g>')
    assert body.shapes[0].source == "box"
    assert (body.position, body.angle) == ((96.0, 10.0), pytest.approx(math.pi / 2))
    assert max(body.shapes[0].points) == (10.0, 4.0)
    return made


@ROWS.shows("`width`, `height`, `viewBox` of the drawing")
def _():
    made = svg(BOX, width="100mm", height="20mm", viewBox="0 0 10 4")
    (body,) = made.scene().bodies.values()
    assert max(body.shapes[0].points) == (5.0, 2.0)
    return made


@ROWS.shows("`use`, also of a `symbol` with a `viewBox`")
def _():
    symbol = f'<symbol id="s" viewBox="0 0 10 10">{BOX}</symbol>'
    (large,) = svg(f'{symbol}<use href="#s" x="5" width="40" height="20"/>').scene().bodies.values()
    assert max(large.shapes[0].points) == (10.0, 4.0)  # twice as large, in the middle
    assert large.position == (5 + 10 + 10, 4.0)
    made = svg(f'<defs><g id="tile">{BOX}</g></defs><use href="#tile" x="5" y="3"/>')
    (body,) = made.scene().bodies.values()
    assert body.position == (10.0, 5.0)
    return made


@ROWS.shows("`use` of what is not in the file")
def _():
    made = svg(f'{BOX}<use href="other.svg#tile"/>')
    assert made.bodies == 1
    return made


@ROWS.shows("`id`, `inkscape:label`, `title` of an element; `title` of the drawing")
def _():
    space = "xmlns:inkscape='http://www.inkscape.org/namespaces/inkscape'"
    made = svg(
        "<title>My room</title><circle id='a' r='1'/><circle r='1'><title>b</title></circle>"
        f"<g {space}><circle inkscape:label='c' r='1'/></g>"
    )
    scene = made.scene()
    assert (scene.name, list(scene.bodies)) == ("My room", ["a", "b", "c"])
    return made


@ROWS.shows("`data-body`, `data-density` and the like")
def _():
    body, made = body_of(
        '<rect width="9" height="9" data-body="dynamic" data-density="3" data-velocity-x="2"/>'
    )
    assert (body.kind, body.velocity) == ("dynamic", (2.0, 0.0))
    assert body.shapes[0].material.density == 3
    return made


@ROWS.shows("those of a `g`, `use` or the whole drawing")
def _():
    inside = f'<g data-density="3" data-name="Layer 1">{BOX}<circle r="1" data-body="static"/></g>'
    made = svg(inside, **{"data-body": "dynamic"})
    box, disc = made.scene().bodies.values()
    assert (box.kind, disc.kind) == ("dynamic", "static")
    assert box.shapes[0].material.density == disc.shapes[0].material.density == 3
    return made


@ROWS.shows("other `data-` attributes")
def _():
    return body_of('<rect width="9" height="9" data-life="3"/>')[1]


@ROWS.shows(
    "`defs`, `symbol`, `clipPath` and the like; `display: none`, `visibility: hidden`, `opacity: 0`"
)
def _():
    names = ("defs", "symbol", "clipPath", "mask", "pattern", "marker")
    unseen = "".join(f"<{name}>{BOX}</{name}>" for name in names)
    hidden = f'<g display="none">{BOX}</g><g style="visibility: hidden">{BOX}</g>'
    hidden += f'<g opacity="0">{BOX}</g>'
    made = svg(BOX + unseen + hidden)
    assert made.bodies == 1
    return made


@ROWS.shows(
    "`style` sheets that say `fill`, `display`, `visibility` and opacities by names, classes, ids"
)
def _():
    sheet = "<style>/* all */ rect, .x {fill: none} .a.b {fill: red} #c{display:none}</style>"
    made = svg(f"{sheet}{BOX}<g class='a b'><circle r='1'/></g><circle id='c' r='1'/>")
    line, ball = made.scene().bodies.values()
    assert (line.shapes[0].kind, ball.color) == ("chain", "red")
    own = svg(f'{sheet}<rect width="9" height="9" fill="blue" style="fill: red"/>')
    assert [body.color for body in own.scene().bodies.values()] == ["red"]
    return made


@ROWS.shows("other selectors that say these")
def _():
    return svg(f"{BOX}<style>g > rect {{fill: none}}</style>")


def image(folder, around="", **fields):
    Image.new("RGB", (40, 20), "blue").save(folder / "sky.png")
    said = "".join(f" {name}='{value}'" for name, value in fields.items())
    made = svg(f"{BOX}<g {around}><image href='sky.png'{said}/></g>", folder=folder)
    return made.scene().layers, made


@ROWS.shows("`image`")
def _(folder):
    (sky,), made = image(folder, 'transform="scale(2)"', x=10, y=10, width=80, height=80)
    assert (sky.at, sky.scale) == ((100.0, 100.0), 4.0)
    return made


@ROWS.shows("an `image` that is turned or stretched")
def _(folder):
    assert image(folder, 'transform="scale(2, 1)"')[1].losses
    return image(folder, 'transform="rotate(30)"')[1]


@ROWS.shows("an `image` that is not in the folder of the scene")
def _(folder):
    return svg(f"{BOX}<image href='none.png'/>", folder=folder)


@ROWS.shows("`text`, `foreignObject`, `switch`")
def _():
    names = ("text", "foreignObject", "switch")
    made = svg(BOX + "".join(f"<{name}/>" for name in names))
    assert [loss.path for loss in made.losses] == [f"svg.{name}[0]" for name in names]
    return made


@ROWS.shows("an outline of no size")
def _():
    made = svg(f'{BOX}<rect width="0" height="4"/>')
    assert made.bodies == 1
    return made


@ROWS.shows("a document type")
def _():
    with pytest.raises(SceneError, match="entities of a file's own are not read"):
        import_data('<!DOCTYPE svg [<!ENTITY a "b">]><svg><title>&a;</title></svg>')
    made = import_data(f'<!DOCTYPE svg SYSTEM "file:///nowhere/at/all.dtd"><svg>{BOX}</svg>')
    assert made.bodies == 1
    return made
