# SPDX-License-Identifier: MIT
"""Bodies and their shapes: fields, defaults, materials, geometry."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from rigid2d.core.errors import Problem
from rigid2d.core.nearest import only_word
from rigid2d.core.scene.model import Material, Scene, Shape
from rigid2d.core.scene.values.polygon import signed_area

Make = Callable[..., Scene]
Find = Callable[..., list[Problem]]


def only_shape(scene: Scene) -> Shape:
    (body,) = scene.bodies.values()
    (shape,) = body.shapes
    return shape


def test_a_body_has_the_defaults_of_the_format(scene: Make) -> None:
    body = scene("bodies: {a: {shape: {circle: 1}}}").bodies["a"]
    assert (body.kind, body.position, body.angle, body.velocity) == ("dynamic", (0, 0), 0, (0, 0))
    assert body.mass is None
    assert body.category == "default"
    assert body.sleep
    assert body.awake
    assert body.visible
    assert only_shape(scene("bodies: {a: {shape: {circle: 1}}}")).material == Material()


def test_a_box_has_its_corners_counter_clockwise(scene: Make) -> None:
    shape = only_shape(scene("bodies: {a: {shape: {box: [4, 2]}}}"))
    assert shape.points == ((-2, -1), (2, -1), (2, 1), (-2, 1))
    assert shape.source == "box"


@pytest.mark.parametrize("points", ["[[0,0],[2,0],[0,1]]", "[[0,1],[2,0],[0,0]]"])
def test_a_polygon_is_counter_clockwise_whichever_way_it_was_written(
    scene: Make, points: str
) -> None:
    shape = only_shape(scene(f"bodies: {{a: {{shape: {{polygon: {points}}}}}}}"))
    assert signed_area(shape.points) == 1.0
    assert set(shape.points) == {(0, 0), (2, 0), (0, 1)}


def test_points_in_the_middle_of_a_straight_side_are_left_out(scene: Make) -> None:
    shape = only_shape(
        scene("bodies: {a: {shape: {polygon: [[0,0],[1,0],[2,0],[2,2],[1,2],[0,2]]}}}")
    )
    assert shape.points == ((0, 0), (2, 0), (2, 2), (0, 2))


def test_a_concave_polygon_stays_concave(scene: Make) -> None:
    shape = only_shape(scene("bodies: {a: {shape: {polygon: [[0,0],[4,0],[4,4],[2,1],[0,4]]}}}"))
    assert shape.points == ((0, 0), (4, 0), (4, 4), (2, 1), (0, 4))


def test_a_regular_polygon_has_its_first_corner_on_x(scene: Make) -> None:
    shape = only_shape(scene("bodies: {a: {shape: {regular_polygon: {sides: 6, radius: 2}}}}"))
    assert len(shape.points) == 6
    assert shape.points[0] == (2.0, 0.0)
    assert all(math.hypot(x, y) == pytest.approx(2.0) for x, y in shape.points)


def test_rounded_corners_keep_the_outer_size(scene: Make) -> None:
    shape = only_shape(scene("bodies: {a: {shape: {box: [2, 1], radius: 0.25}}}"))
    assert shape.radius == 0.25
    assert shape.points == ((-0.75, -0.25), (0.75, -0.25), (0.75, 0.25), (-0.75, 0.25))


def test_a_rounded_triangles_sides_are_moved_in_by_the_radius(scene: Make) -> None:
    text = "bodies: {a: {shape: {polygon: [[0, 0], [4, 0], [0, 3]], radius: 0.5}}}"
    shape = only_shape(scene(text))
    # The distance of the core's corners from the nearest sides of the 3-4-5 triangle.
    for x, y in shape.points:
        distances = sorted([y, x, (12 - 3 * x - 4 * y) / 5])
        assert distances[0] == pytest.approx(0.5)
        assert distances[1] == pytest.approx(0.5)


def test_a_radius_that_fits_just_not_is_an_error(problems: Find, scene: Make) -> None:
    # The inscribed circle of a 3-4-5 triangle has radius 1.
    text = "bodies: {{a: {{shape: {{polygon: [[0, 0], [4, 0], [0, 3]], radius: {}}}}}}}"
    assert only_shape(scene(text.format(0.999))).radius == 0.999
    assert "too large" in problems(text.format(1.001))[0].message


def test_offset_and_angle_of_a_shape_turn_first_and_move_then(scene: Make) -> None:
    text = "bodies: {a: {shape: {segment: [[0, 0], [1, 0]], offset: [5, 5], angle: 90}, mass: 1, "
    shape = only_shape(scene(text + "fixed_rotation: true}}"))
    (ax, ay), (bx, by) = shape.points
    assert (ax, ay) == (5, 5)
    assert (bx, by) == (pytest.approx(5), pytest.approx(6))


def test_a_compound_has_shapes_with_their_own_materials(scene: Make) -> None:
    loaded = scene("""
        materials: {iron: {density: 7.8, friction: 0.3}, wood: {density: 0.7, restitution: 0.2}}
        bodies:
          a:
            material: wood
            friction: 0.9
            shapes:
              - {circle: 1}
              - {circle: 1, material: iron}
              - {circle: 1, material: iron, density: 2, sensor: true, category: eye}
    """)
    first, second, third = loaded.bodies["a"].shapes
    assert first.material == Material("wood", 0.7, 0.9, 0.2)
    assert second.material == Material("iron", 7.8, 0.3, 0.0)
    assert third.material == Material("iron", 2.0, 0.3, 0.0)
    assert (third.sensor, third.category) == (True, "eye")
    assert loaded.collision.categories == ("default", "eye")


def test_defaults_are_taken_where_a_body_does_not_say(scene: Make) -> None:
    loaded = scene("""
        materials: {steel: {density: 7.8}}
        defaults: {material: steel, body: {angle: 90, shape: {circle: 2}, color: red}}
        bodies: {a: {}, b: {angle: 0, shape: {box: [1, 1]}, color: blue}}
    """)
    a, b = loaded.bodies["a"], loaded.bodies["b"]
    assert (a.angle, a.shapes[0].radius, a.color) == (math.pi / 2, 2.0, "red")
    assert (b.angle, b.shapes[0].source, b.color) == (0.0, "box", "blue")
    assert a.shapes[0].material.density == b.shapes[0].material.density == 7.8


def test_a_mapping_as_default_material_fills_what_materials_do_not_say(scene: Make) -> None:
    loaded = scene("""
        defaults: {material: {friction: 0.1, restitution: 0.9}}
        materials: {ice: {friction: 0}}
        bodies: {a: {shape: {circle: 1}}, b: {material: ice, shape: {circle: 1}}}
    """)
    assert loaded.bodies["a"].shapes[0].material.friction == 0.1
    assert loaded.bodies["b"].shapes[0].material == Material("ice", 1.0, 0.0, 0.9)


def test_air_is_the_damping_of_bodies_that_say_nothing(scene: Make) -> None:
    loaded = scene("""
        world: {air: {linear_damping: 0.5}}
        bodies: {a: {shape: {circle: 1}}, b: {linear_damping: 0, shape: {circle: 1}}}
    """)
    assert loaded.bodies["a"].linear_damping == 0.5
    assert loaded.bodies["b"].linear_damping == 0.0


def test_thin_and_small_shapes_are_shapes(scene: Make) -> None:
    assert only_shape(scene("bodies: {a: {shape: {box: [1000, 0.001]}}}")).points
    assert only_shape(scene("bodies: {a: {shape: {polygon: [[0,0],[100,0],[100,0.01]]}}}")).points
    assert only_shape(scene("bodies: {a: {shape: {circle: 1e-6}}}")).radius == 1e-6


def test_all_problems_of_a_file_are_reported_at_once(problems: Find) -> None:
    found = problems("""
        world: {dt: -1, gravty: [0, 0]}
        materials: {steel: {density: 0}}
        bodies:
          a: {shape: {circle: -1}}
          b: {shape: {polygon: [[0, 0], [1, 1], [1, 0], [0, 1]]}}
          c: {shape: {circle: 1, box: [1, 1]}, colour: red}
          d: {shape: {circle: 1}, category: 3}
        joints:
          j: {type: weld, bodies: [e, world]}
        camera: {mode: follow, target: e}
        expect: [{always: =e.x > 0}]
    """)
    assert [problem.path for problem in found] == [
        "world.dt",
        "world.gravty",
        "materials.steel.density",
        "bodies.a.shape.circle",
        "bodies.b.shape.polygon",
        "bodies.c.shape",
        "bodies.c.colour",
        "bodies.d.category",
        "joints.j.bodies[0]",
        "camera.target",
        "expect[0].always",
    ]


def test_what_depends_on_a_broken_entry_is_not_reported_too(problems: Find) -> None:
    found = problems("""
        vars: {r: =1/0}
        materials: {steel: {density: 0}}
        bodies:
          a: {shape: {circle: =r}}
          b: {shape: {circle: 1}, material: steel}
        joints: {j: {type: weld, bodies: [a, b]}}
        record: {channels: [a, j]}
        expect: [{always: =a.x > b.x}]
    """)
    assert [problem.path for problem in found] == ["vars.r", "materials.steel.density"]


def test_a_problem_in_the_defaults_is_reported_there_and_once(problems: Find) -> None:
    (found,) = problems("""
        defaults: {body: {shape: {capsule: [[0, 0], [1, 0]]}}}
        bodies: {a: {}, b: {position: [3, 0]}}
    """)
    assert (found.path, found.line) == ("defaults.body.shape", 2)
    assert "needs a `radius`" in found.message


def test_a_trail_and_points_may_use_the_indices(scene: Make) -> None:
    loaded = scene("""
        bodies:
          a: {repeat: {i: 3}, shape: {circle: 1}, trail: {length: =1+i}, points: {p: [=i, 0]}}
    """)
    body = loaded.bodies["a[2]"]
    assert body.trail is not None
    assert (body.trail.length, body.points) == (3.0, {"p": (2.0, 0.0)})


def test_all_problems_of_one_body_and_one_joint_are_reported_at_once(problems: Find) -> None:
    found = problems("""
        bodies:
          a:
            shapes: [{circle: 1, loop: true}, {box: [1, 1], radius: 3}]
            material: nothing
            position: [=p, 0]
            angle: =q
            mass: 1
            density: 1
          b: {shape: {circle: 1}}
        joints:
          j: {type: weld, bodies: [b, c], limits: [1, 2], spring: {}, break: {}, collide: =s}
    """)
    assert [problem.path for problem in found] == [
        "bodies.a.shapes[0].loop",
        "bodies.a.shapes[1].radius",
        "bodies.a.material",
        "bodies.a.position[0]",
        "bodies.a.angle",
        "bodies.a.mass",
        "joints.j.bodies[1]",
        "joints.j.limits",
        "joints.j.spring",
        "joints.j.break",
        "joints.j.collide",
    ]


def test_a_misspelt_key_is_read_as_the_one_it_means(problems: Find) -> None:
    found = problems("""
        bodies:
          ball: {shap: {circle: 0.5, frction: 1}, position: [0, 1]}
          box: {shape: {box: [1, 1]}, material: stel}
        materials: {steel: {density: 7800}}
        joints:
          a: {type: weld, bodies: [ball, world]}
          b: {type: revolute, bodies: [ball, box]}
        actuators: {push: {type: force, body: ball, force: [1, 0]}}
        camera: {mode: follow, target: ball}
        expect: [{always: =ball.y > 0}]
    """)
    assert [(problem.path, problem.kind) for problem in found] == [
        ("bodies.ball.shap", "unknown-key"),
        ("bodies.ball.shape.frction", "unknown-key"),
        ("bodies.box.material", "unknown-name"),
    ]


def test_a_misspelt_section_is_read_as_the_one_it_means(problems: Find) -> None:
    found = problems("bodys: {ball: {shape: {circle: 0.5}}}\nvras: {n: 1}\nworld: {dt: =0.01*n}")
    assert [problem.path for problem in found if problem.path != "bodies"] == ["bodys", "vras"]


def test_a_definition_under_a_wrong_name_is_one_problem(problems: Find) -> None:
    (found,) = problems("""
        bodies: {basll: {shape: {circle: 0.5}}}
        joints:
          a: {type: weld, bodies: [ball, world]}
          b: {type: weld, bodies: [ball, world]}
        expect: [{always: =ball.y > 0}]
    """)
    assert "did you mean `basll`? (also in lines 5, 6)" in found.message


def test_a_generator_that_is_wrong_in_each_turn_is_wrong_once(problems: Find) -> None:
    (found,) = problems("bodies: {ball: {repeat: {i: 5}, shape: {circle: =i - 9}}}")
    assert found.path == "bodies.ball[0].shape.circle"


def test_what_a_broken_generator_makes_is_checked_all_the_same(problems: Find) -> None:
    found = problems("""
        bodies: {ball: {repeat: {i: -5}, shape: {circle: =raduis}, position: [=i, 0]}}
        joints: {a: {type: weld, bodies: ["ball[3]", world]}}
    """)
    assert [problem.path for problem in found] == [
        "bodies.ball.repeat.i",
        "bodies.ball.shape.circle",
    ]


def test_a_value_that_cannot_be_worked_out_hides_no_other(problems: Find) -> None:
    found = problems("""
        world: {duration: 2, dt: =1/0}
        bodies: {ball: {shape: {circle: 1}, angle: =nothing}}
        expect: [{at: 99, that: =ball.yy > 0}, {at: 1, body: bal, angle: =1/0}]
    """)
    assert [problem.path for problem in found] == [
        "world.dt",
        "bodies.ball.angle",
        "expect[0].that",
        "expect[1].body",
        "expect[1].angle",
    ]


def test_an_include_that_is_missing_hides_no_mistake_in_the_file(problems: Find) -> None:
    found = problems("include: [gone.yaml]\nbodies: {ball: {shape: {circle: -1}, material: steel}}")
    assert [problem.path for problem in found] == ["include[0]", "bodies.ball.shape.circle"]


def test_two_wrong_keys_of_limits_are_two_problems(problems: Find) -> None:
    found = problems("""
        bodies: {a: {shape: {circle: 1}}}
        joints: {j: {type: revolute, bodies: [a, world], limits: {min: 0, max: 3}}}
    """)
    assert [problem.path for problem in found] == ["joints.j.limits.min", "joints.j.limits.max"]


def test_a_misspelt_word_is_read_as_the_one_it_means(problems: Find) -> None:
    found = problems("""
        bodies:
          ball: {type: dynamc, shape: {circle: 0.5}, velocity: [1, 2, 3]}
          wall: {type: static, shape: {chain: [[0, 0], [1, 0]], side: lfet}, mass: -1}
        joints:
          a: {type: revolt, bodies: [ball, world], axis: [1, 0]}
        camera: {mode: folow, region: [[0, 0], [1, 1]]}
    """)
    assert [problem.path for problem in found] == [
        "bodies.ball.type",
        "bodies.ball.velocity",
        "bodies.wall.shape.side",
        "bodies.wall.mass",
        "joints.a.type",
        "joints.a.axis",
        "camera.mode",
        "camera.region",
    ]


def test_a_word_that_may_be_either_of_two_is_read_as_none(problems: Find) -> None:
    (found,) = problems("collision: {friction_mixing: mix}")
    assert found.kind == "unknown-word"
    assert only_word("mix", ("min", "max", "mean")) == ""
    assert only_word("mxa", ("min", "max", "mean")) == "max"
