# SPDX-License-Identifier: MIT
"""The blocks beside bodies and joints: world, collision, camera, render, record, expect."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from rigid2d.core.errors import Problem
from rigid2d.core.scene import loads
from rigid2d.core.scene.model import Background, Camera, EnergyGraph, Expectation, Scene, Solver
from rigid2d.core.scene.values.expression import ExpressionError, compile_state, state_names

from tests.rows import every_row

Make = Callable[..., Scene]
Find = Callable[..., list[Problem]]


def test_duration_over_dt_is_the_number_of_steps(scene: Make) -> None:
    assert scene("world: {duration: 2, dt: 0.01}").world.steps == 200
    assert scene("world: {steps: 7}").world.steps == 7
    assert scene("world: {steps: 200, duration: 2, dt: 0.01}").world.steps == 200


def test_solver_options_are_kept(scene: Make) -> None:
    assert scene("world: {solver: {substeps: 8}}").world.solver == Solver(substeps=8)
    text = "world: {solver: {type: sequential_impulse, iterations: 20, warm_start: false}}"
    assert scene(text).world.solver == Solver(
        kind="sequential_impulse", iterations=20, warm_start=False
    )


def test_the_allowed_penetration_scales_with_the_length_unit(scene: Make) -> None:
    assert scene("units: {length: cm}").world.solver.allowed_penetration == 1.0


def test_categories_are_collected_where_they_are_not_listed(scene: Make) -> None:
    loaded = scene("""
        collision: {ignore: [[limb, limb], [limb, default]]}
        bodies: {a: {shape: {circle: 1}, category: limb}, b: {shape: {circle: 1}, category: z}}
    """)
    assert loaded.collision.categories == ("default", "limb", "z")
    assert loaded.collision.matrix == (
        (True, False, True),
        (False, False, True),
        (True, True, True),
    )


def test_collide_lists_the_only_pairs_that_touch(scene: Make) -> None:
    loaded = scene("collision: {categories: [a, b], collide: [[a, b]]}")
    assert loaded.collision.categories == ("default", "a", "b")
    assert [sum(row) for row in loaded.collision.matrix] == [0, 1, 1]


def test_a_generators_name_stands_for_all_it_made_in_pairs_and_channels(scene: Make) -> None:
    loaded = scene("""
        collision: {pairs_ignore: [[leg, body]]}
        record: {channels: [leg, leg.x, world, body.y]}
        bodies: {leg: {repeat: {i: 2}, shape: {circle: 1}}, body: {shape: {circle: 1}}}
    """)
    assert loaded.collision.pairs_ignore == (("leg[0]", "body"), ("leg[1]", "body"))
    channels = ("leg[0]", "leg[1]", "leg[0].x", "leg[1].x", "world", "body.y")
    assert loaded.record.channels == channels


def test_the_camera_is_read(scene: Make) -> None:
    text = "camera: {mode: follow, target: ball, style: keep_in, margin: 2, zoom: 40}"
    assert scene(text).camera == Camera("follow", None, "ball", "keep_in", 2.0, 40.0)
    assert scene("camera: {fit: start, margin: 1}").camera == Camera(fit="start", margin=1.0)
    assert scene("camera: {mode: region, rect: [[0, 0], [4, 3]]}").camera.rect == ((0, 0), (4, 3))


def test_the_picture_is_read(scene: Make) -> None:
    render = scene("render: {size: [320, 200], fps: 25, background: white}").render
    assert (render.size, render.fps, render.background) == (
        (320, 200),
        25.0,
        Background(color="white"),
    )


def test_the_energy_graph_is_read(scene: Make) -> None:
    text = "render: {energy: {zero: 20 cm, corner: top_left, range: [-1, =2*3], scale: 2}}"
    assert scene(text).render.energy == EnergyGraph(0.2, "top_left", (-1.0, 6.0), 2.0)
    for zero in ("start", "lowest"):
        assert scene(f"render: {{energy: {{zero: {zero}}}}}").render.energy.zero == zero
    assert scene("render: {overlays: [energy]}").render.energy == EnergyGraph()


def test_a_background_image_is_found_in_the_scenes_folder(tmp_path: Path) -> None:
    Image.new("RGB", (8, 8)).save(tmp_path / "sky.png")
    text = "rigid: 1\nbodies: {a: {shape: {circle: 1}}}\nrender: {background: {image: sky.png}}\n"
    render = loads(text, folder=tmp_path).render
    assert render.background == Background(image=str((tmp_path / "sky.png").resolve()))


def test_expectations_are_read(scene: Make) -> None:
    loaded = scene("""
        bodies: {ball: {shape: {circle: 1}, points: {nose: [1, 0]}}}
        vars: {limit: 3}
        expect:
          - {at: 2, that: =ball.x < limit}
          - {that: =ball.points.nose.y < 1}
          - {always: "=world.energy < 1e9"}
          - {eventually: =ball.asleep}
    """)
    kinds = [(e.kind, e.at, e.that, e.line) for e in loaded.expect]
    assert kinds == [
        ("at", 2.0, "ball.x < limit", 5),
        ("at", None, "ball.points.nose.y < 1", 6),
        ("always", None, "world.energy < 1e9", 7),
        ("eventually", None, "ball.asleep", 8),
    ]


def test_the_state_of_a_body_is_compared_with_a_tolerance_for_each_kind(scene: Make) -> None:
    loaded = scene("""
        expect:
          - {at: 1, body: ball, position: [1, 2], velocity: [0, 0], angle: 90, tolerance: 0.5}
          - {body: ball, angular_velocity: 0}
    """)
    first, second, third = loaded.expect
    assert first == Expectation(
        kind="state",
        at=1.0,
        body="ball",
        values={"position": (1.0, 2.0), "velocity": (0.0, 0.0)},
        tolerance=0.5,
        line=3,
        file="<string>",
        column=5,
    )
    assert second.values == {"angle": (math.pi / 2,)}
    assert second.tolerance == math.radians(0.5)
    assert third.tolerance == 0.01


def test_a_state_expression_names_its_channels_and_has_a_value(scene: Make) -> None:
    loaded = scene("vars: {n: 2}\nbodies: {b: {repeat: {i: 4}, shape: {circle: 1}}}")
    state = compile_state("=n*b[3].y > b[0].x and world.time > 0", loaded)
    assert state.channels == ("b[3].y", "b[0].x", "world.time")
    assert state.evaluate({"b[3].y": 1.0, "b[0].x": 1.5, "world.time": 1.0}) is True
    assert state.evaluate({"b[3].y": 0.5, "b[0].x": 1.5, "world.time": 1.0}) is False


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("=b.y > 0", "write which one, such as `b[0]`"),
        ("=b[9].y > 0", "did you mean `b["),
        ("=b[0].hight > 0", "has no `hight`"),
        ("=world.tine > 0", "did you mean `world.time`"),
        ("=zzz > 0", "there is no var, body or joint `zzz`"),
        ("=j.forse > 0", "did you mean `j.force`"),
    ],
)
def test_a_state_name_that_does_not_exist_is_explained(
    scene: Make, source: str, words: str
) -> None:
    loaded = scene("""
        bodies: {b: {repeat: {i: 4}, shape: {circle: 1}}}
        joints: {j: {type: weld, bodies: [world, "b[0]"]}}
    """)
    with pytest.raises(ExpressionError) as caught:
        compile_state(source, loaded)
    assert words in caught.value.message


@every_row(
    ("text", "words"),
    [
        ("world: {substeps: 8}", "it belongs in `solver: {...}`"),
        ("world: {solver: sequential_impulse}", "for example `{type: sequential_impulse}`"),
        ("world: {linear_damping: 1}", "it belongs in `air: {...}`"),
        ("gravity: [0, 0]", "it belongs in `world: {...}`"),
        ("joints: [{type: weld}]", "each has a name of its own: `name: {...}`"),
        ("expect: [{joint: j}]", "`that: =hinge.angle < 1`"),
        ("expect: [{that: =ball.angle < 90 deg}]", "90 degrees are `pi/2`"),
    ],
)
def test_what_stands_in_the_wrong_place_is_told_the_right_one(
    problems: Find, text: str, words: str
) -> None:
    assert words in problems(text)[0].message


def test_every_state_name_can_be_used(scene: Make) -> None:
    loaded = scene("""
        bodies: {b: {shape: {circle: 1}, points: {nose: [1, 0]}}}
        joints: {j: {type: weld, bodies: [world, b]}}
    """)
    names = state_names(loaded)
    assert {"b.x", "b.points.nose.vy", "j.broken", "world.momentum"} <= set(names)
    for name in names:
        assert compile_state(f"={name} > 0", loaded).channels == (name,)


def test_a_column_points_into_the_expression(problems: Find) -> None:
    (found,) = problems("expect: [{always: =ball.x > 0 and bal.y > 0}]")
    assert (found.line, found.column) == (2, 35)


def test_the_hash_is_of_physics_only(scene: Make) -> None:
    text = """
        world: {{steps: {}}}
        render: {{fps: {}}}
        bodies: {{a: {{shape: {{circle: {}}}, color: {}}}}}
    """
    first = scene(text.format(10, 30, 1, "red")).hash
    assert scene(text.format(20, 25, 1, "blue")).hash == first
    assert scene(text.format(10, 30, 2, "red")).hash != first


def test_a_background_that_is_no_colour_is_one_problem(problems) -> None:
    (problem,) = problems("render: {background: light}")
    assert (problem.path, problem.kind) == ("render.background.color", "unknown-word")
