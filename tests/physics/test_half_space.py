# SPDX-License-Identifier: MIT
"""Half-spaces: ground without end."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from rigid2d.core import _native, build, loads
from rigid2d.core.errors import SceneError, UsageError
from rigid2d.core.render.masks import Masks
from rigid2d.core.render.renderer import Renderer
from rigid2d.core.scene import expand
from rigid2d.core.scene.model import Scene
from rigid2d.core.view.boxes import BodyBoxes

from tests.rows import every_row

SHAPES = {
    "circle": "{circle: 0.5}",
    "box": "{box: [1, 0.6]}",
    "rounded": "{box: [1, 0.6], radius: 0.1}",
    "capsule": "{capsule: [[-0.5, 0], [0.5, 0]], radius: 0.2}",
    "hexagon": "{regular_polygon: {sides: 6, radius: 0.5}}",
    "concave": "{polygon: [[-1, -0.5], [1, -0.5], [1, 0.5], [0, 0], [-1, 0.5]]}",
    "holed": "{box: [2, 1], holes: [[[-0.5, -0.2], [0.5, -0.2], [0.5, 0.2], [-0.5, 0.2]]]}",
    "segment": "{segment: [[-0.5, 0], [0.5, 0]]}",
    "chain": "{chain: [[-0.5, -0.3], [0.5, -0.3], [0.5, 0.3], [-0.5, 0.3]], loop: true, "
    "side: right}",
}
ENGINE = ("soft_step", "sequential_impulse")
HEIGHT = {
    "circle": 0.5,
    "box": 0.3,
    "rounded": 0.3,
    "capsule": 0.2,
    "hexagon": 0.5 * math.sqrt(0.75),
    "concave": 0.5,
    "holed": 0.5,
    "segment": 0.0,
    "chain": 0.3,
}


def scene(bodies: str, world: str = "", normal: str = "[0, 1]", more: str = "") -> Scene:
    ground = f"{{type: static, shape: {{half_space: {{normal: {normal}}}}}}}"
    return loads(f"""
rigid: 1
world: {{{world}}}
bodies: {{ground: {ground}, {bodies}}}
{more}
""")


@pytest.mark.parametrize("solver", ENGINE)
@pytest.mark.parametrize("slope", [0.0, 0.3], ids=["level", "sloping"])
def test_every_shape_comes_to_rest_on_it(solver: str, slope: float) -> None:
    lines = {"segment": "mass: 1, inertia: 0.1", "chain": "mass: 1, inertia: 0.1"}
    bodies = ", ".join(
        f"{name}: {{shape: {shape}, position: [{20 * i}, {1 + slope * 20 * i}], friction: 1, "
        f"angle: {math.degrees(math.atan(slope))}, rolling_resistance: 1, {lines.get(name, '')}}}"
        for i, (name, shape) in enumerate(SHAPES.items())
    )
    world = build(scene(bodies, f"solver: {{type: {solver}}}", f"[{-slope}, 1]"))
    world.step(180)
    size = math.hypot(1, slope)
    for name in SHAPES:
        x, y = world[name].position
        assert (y - slope * x) / size == pytest.approx(HEIGHT[name], abs=0.012), name
        assert math.hypot(*world[name].velocity) < 0.02, name


@pytest.mark.parametrize("solver", ["iterative_impulse", "pgs_matrix", "pgs_jrow", "verlet"])
def test_it_bears_a_box_in_the_textbook_solvers(solver: str) -> None:
    given = scene(
        "box: {shape: {box: [1, 1]}, position: [30, 0.52], friction: 0.5}",
        f"solver: {{type: {solver}}}, dt: 0.01",
    )
    world = build(given)
    world.step(100)
    assert world["box"].position == pytest.approx((30, 0.5), abs=0.03)


@every_row("solver", ENGINE)
@every_row("kind", ["circle", "box", "concave", "capsule", "segment"])
@every_row("normal", [(0.0, 1.0), (0.6, 0.8)], ids=["level", "sloping"])
def test_nothing_passes_it(solver: str, kind: str, normal: tuple[float, float]) -> None:
    more = "mass: 1, inertia: 0.1" if kind == "segment" else ""
    (nx, ny), bodies = normal, ""
    fastest = 10_000 if kind == "segment" else 100_000  # a line has no thickness to be caught by
    for i, v in enumerate((50, 3000, fastest)):
        place, velocity = [3000 * i, 100 - 3000 * i * nx / ny], [-v * nx, -v * ny]
        bodies += f"b{i}: {{shape: {SHAPES[kind]}, position: {place}, velocity: {velocity}, "
        bodies += f"angular_velocity: {90 * i}, {more}}}, "
    world = build(scene(bodies, f"solver: {{type: {solver}}}", str(list(normal))))
    for _ in range(60):
        world.step()
        for i in range(3):
            x, y = world[f"b{i}"].position
            assert normal[0] * x + normal[1] * y > -0.01


def test_what_is_in_it_is_pushed_out() -> None:
    world = build(scene("ball: {shape: {circle: 0.5}, position: [9, -1]}"))
    world.step(180)
    assert world["ball"].y == pytest.approx(0.5, abs=0.01)


def test_queries_find_it() -> None:
    world = build(scene("ball: {shape: {circle: 0.5}, position: [0, 9]}", normal="[-1, 1]"))
    query = world.query
    hit = query.ray_cast((1e4, 2e4), (1e4, -2e4))
    assert hit is not None
    assert hit.body == "ground"
    assert hit.point == pytest.approx((1e4, 1e4), rel=1e-6)
    assert hit.normal == pytest.approx((-math.sqrt(0.5), math.sqrt(0.5)))
    assert query.ray_cast((5, 0), (9, 0)) is None  # begins inside
    assert query.ray_cast((0, 1), (1, 2)) is None  # along it
    assert query.overlap_point((500, 499)) == ["ground"]
    assert query.overlap_point((500, 501)) == []
    assert query.overlap_circle((0, 1), 0.75) == ["ground"]
    assert query.overlap_circle((0, 1), 0.65) == []
    assert query.overlap_box((-3, 2), (1.9, 3)) == []
    assert query.overlap_box((-3, 2), (2.1, 3)) == ["ground"]


def test_a_sensor_notices_what_enters() -> None:
    given = loads("""
rigid: 1
world: {duration: 2}
bodies:
  water: {type: static, shape: {half_space: {}, sensor: true}}
  ball: {shape: {circle: 0.5}, position: [4, 3]}
""")
    world = build(given)
    world.step(120)
    (found,) = world.events.take()
    assert (found.kind, {found.a, found.b}) == ("sensor_begin", {"water", "ball"})
    assert found.step / 60 == pytest.approx(math.sqrt(2 * 2.5 / 9.81), abs=0.03)


HALF, CIRCLE, BOX = (_native.SHAPE_KINDS[name] for name in ("half_space", "circle", "polygon"))
BORDER = np.array([(-1.0, 0.0), (1.0, 0.0)])
CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@pytest.mark.parametrize("x", [0.0, 3.0, 1000.0])
def test_a_manifold_has_the_two_lowest_corners(x: float) -> None:
    normal, points = _native.collide(HALF, BORDER, 0.0, BOX, CORNERS, 0.0, (x, 0.49, 0.0), 0.0)
    assert normal == (0.0, 1.0)
    assert sorted(p[0] for p in points) == pytest.approx([x - 0.5, x + 0.5])
    assert [p[2] for p in points] == pytest.approx([-0.01, -0.01])
    normal, points = _native.collide(HALF, BORDER, 0.0, BOX, CORNERS, 0.0, (x, 0.7, 0.7854), 0.0)
    assert len(points) == 1
    assert points[0][2] == pytest.approx(0.7 - math.sqrt(0.5), abs=1e-5)


def test_the_order_of_the_two_does_not_matter() -> None:
    pose = (2.0, 0.3, 0.4)
    _, points = _native.collide(HALF, BORDER, 0.0, BOX, CORNERS, 0.0, pose, 0.0)
    c, s = math.cos(0.4), math.sin(0.4)
    back = (-c * 2.0 - s * 0.3, s * 2.0 - c * 0.3, -0.4)
    other, same = _native.collide(BOX, CORNERS, 0.0, HALF, BORDER, 0.0, back, 0.0)
    assert (c * other[0] - s * other[1], s * other[0] + c * other[1]) == pytest.approx(
        (0, -1), abs=1e-6
    )
    assert sorted(p[2] for p in same) == pytest.approx(sorted(p[2] for p in points), abs=1e-6)


@pytest.mark.parametrize("height", [2.0, 0.8, 0.2])
def test_the_distance_of_a_disc_is_that_of_its_lowest_point(height: float) -> None:
    center = np.array([(0.0, 0.0)])
    gap, one, two = _native.shape_distance(
        HALF, BORDER, 0.0, CIRCLE, center, 0.5, (7.0, height, 0.0)
    )
    assert gap == pytest.approx(max(height - 0.5, 0.0))
    assert two == pytest.approx((7.0, max(height - 0.5, 0.0)), abs=1e-6)
    assert one == pytest.approx((7.0, 0.0), abs=1e-6)


def test_instances_turn_and_mirror_it() -> None:
    given = loads("""
rigid: 1
prototypes: {land: {bodies: {ground: {type: static, shape: {half_space: {normal: [1, 1]}}}}}}
instances: {a: {use: land}, b: {use: land, mirror: x, at: [3, 0]}, c: {use: land, angle: 45}}
""")
    query = build(given).query
    assert query.overlap_point((-1, -0.1)) == ["a.ground", "c.ground"]
    assert query.overlap_point((-1, 0.1)) == ["a.ground"]
    assert query.overlap_point((9, 5.9)) == ["b.ground"]
    assert query.overlap_point((9, 6.1)) == []


@pytest.mark.parametrize(
    "shape",
    ["{normal: [0.6, 0.8]}", "{}", "{normal: [1, 3]}", "{border: [[1, 2], [5, 9]]}"],
)
def test_it_is_written_as_it_is(shape: str) -> None:
    given = loads(
        f"{{rigid: 1, bodies: {{g: {{type: static, shape: {{half_space: {shape}, angle: 10}}}}}}}}"
    )
    again = loads(expand(given))
    assert again.bodies == given.bodies


def test_up_is_up_on_the_screen() -> None:
    given = loads("{rigid: 1, units: screen, bodies: {g: {type: static, shape: {half_space: {}}}}}")
    query = build(given).query
    assert query.overlap_point((0, 5)) == ["g"]
    assert query.overlap_point((0, -5)) == []


def test_pictures_and_masks_show_it_in_all_of_the_view() -> None:
    camera = "camera: {mode: region, rect: [[995, 995], [1005, 1005]]}"
    given = scene("ball: {shape: {circle: 0.5}, position: [0, 9]}", normal="[-1, 1]", more=camera)
    frame = build(given).frame()
    renderer = Renderer(given, size=(40, 40), supersample=1)
    view = renderer.look(frame)
    rows, columns = np.indices((40, 40))
    behind = columns + rows > 39  # y is up: the lower right half
    mask = Masks(given, (40, 40)).draw(frame, view, {"ground": 1, "ball": 2})
    beside = columns + rows != 39
    assert ((mask == 1) == behind)[beside].all()
    picture = renderer.draw(frame, view)
    away = np.abs(columns + rows - 39) > 6
    assert len(np.unique(picture[behind & away], axis=0)) == 1
    assert (picture[39, 39] != picture[0, 0]).any()


def test_cameras_do_not_count_it() -> None:
    given = scene("ball: {shape: {circle: 0.5}, position: [0, 9]}")
    boxes = BodyBoxes(given).of(build(given).frame())
    assert not np.isfinite(boxes[0]).any()
    assert boxes[1] == pytest.approx([-0.5, 8.5, 0.5, 9.5])


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "{shape: {half_space: {}}}",
            "does not move, and this body is dynamic; use `type: static`",
        ),
        ("{type: kinematic, shapes: [{circle: 1}, {half_space: {}}]}", "this body is kinematic"),
        ("{type: static, shape: {half_space: {normal: [0, 0]}}}", "needs a direction"),
        ("{type: static, shape: {half_space: {border: [[0, 1], [0, 1]]}}}", "are the same"),
        (
            "{type: static, shape: {half_space: {normal: [0, 1], border: [[0, 1], [1, 1]]}}}",
            "keep one of the two",
        ),
        ("{type: static, shape: {half_space: {}, radius: 1}}", "has no corners"),
        ("{type: static, shape: {half_space: {}, one_way: up}}", "one side already"),
        ("{type: static, shape: {half_space: {}}, texture: {file: a.png}}", "no end"),
    ],
)
def test_what_it_cannot_be_is_refused(body: str, words: str) -> None:
    with pytest.raises(SceneError, match=words):
        loads(f"{{rigid: 1, bodies: {{ground: {body}}}}}")


def test_it_stays_static_and_whole() -> None:
    with pytest.raises(SceneError, match="stays static"):
        scene("", more="events: [{when: time, at: 0, do: [{set: {ground.type: kinematic}}]}]")
    world = build(scene(""))
    ground: Any = world["ground"]
    with pytest.raises(UsageError, match="stays static"):
        ground.type = "dynamic"
    with pytest.raises(UsageError, match="none of its shapes has an area"):
        world.destroy("ground")


def test_a_saved_world_goes_on_to_the_same_bits() -> None:
    given = scene("box: {shape: {box: [1, 1]}, position: [0, 2], angle: 20}")
    world = build(given)
    world.step(30)
    other = build(given)
    other.restore(world.save())
    world.step(60)
    other.step(60)
    assert world.state_hash() == other.state_hash()
