# SPDX-License-Identifier: MIT
"""The camera block: what goes with which mode, and the names in it."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

from rigid2d.core.errors import Problem
from rigid2d.core.scene import expand, loads, model

from tests.rows import every_row

Make = Callable[..., model.Scene]


def test_keys_have_a_short_and_a_long_form(scene: Make) -> None:
    short = scene("camera: {mode: keys, keys: [[0, {center: [1, 2], width: 3}]]}")
    long = scene("camera: {mode: keys, keys: [{at: 0, center: [1, 2], width: 3}]}")
    assert short.camera == long.camera
    assert short.camera.keys == (model.CameraKey(0.0, center=(1.0, 2.0), width=3.0),)


def test_a_list_of_one_target_is_that_target(scene: Make) -> None:
    assert scene("camera: {mode: follow, target: [ball]}").camera.target == "ball"


@every_row(
    ("text", "message"),
    [
        ("camera: {mode: keys}", "the mode keys needs `keys:"),
        ("camera: {start: background}", "no `render.background` with an image"),
        ("camera: {start: corner, fit: run}", "it has no `fit`"),
        ("camera: {start: center, widest: 2}", "it has no `widest`"),
        ("camera: {mode: follow, target: ball, start: corner}", "goes with `style: keep_in`"),
        ("camera: {zoom: 3}", "`zoom` belongs to the mode follow"),
        ("camera: {mode: follow, target: ball, zoom: 3, pixel_zoom: 4}", "keep one"),
        ("camera: {pixel_zoom: 3}", "`pixel_zoom` belongs to the mode follow"),
        ("camera: {keys: [[0, {center: [0, 0]}]]}", "`keys` belongs to the mode keys"),
        ("camera: {mode: keys, keys: [[0, {}]]}", "one of `rect`, `center` and `target`"),
        (
            "camera: {mode: keys, keys: [[0, {center: [0, 0], target: ball}]]}",
            "one of `rect`, `center` and `target`",
        ),
        ("camera: {mode: keys, keys: [[0, {target: bal}]]}", "there is no body `bal`"),
        ("camera: {mode: keys, keys: [[0, {targt: ball}]]}", "did you mean `target`?"),
        ("camera: {mode: keys, keys: [[0, 3]]}", "must be a mapping"),
        ("camera: {mode: keys, keys: [[x, {target: ball}]]}", "must be a time"),
        (
            "camera: {mode: keys, keys: [[1, {target: ball}], [1, {target: ball}]]}",
            "the times of keys must ascend",
        ),
        (
            "camera: {mode: keys, keys: [[1, {rect: [[2, 0], [1, 1]]}]]}",
            "the first corner has the smaller x",
        ),
        ("camera: {mode: follow, target: [ball, bell]}", "did you mean `ball`?"),
        ("camera: {mode: follow, target: bells, style: keep_in}", "there is no body `bells`"),
        ("camera: {shake: [{at: 1}]}", "`amplitude` is missing"),
        ("camera: {shake: [{at: 1, amplitude: -1}]}", "must be at least 0"),
        ("camera: {mode: region, rect: [[0, 0], [1, 1]], widest: 3}", "belongs to the mode fit"),
        ("render: {speed: 0}", "must be at least 0.001"),
        ("render: {time: [[1, 0.5], [1, 2]]}", "the times must ascend"),
        ("render: {time: [[1]]}", "must be a mapping"),
        ("render: {time: [{at: 2}]}", "`speed` is missing"),
    ],
)
def test_a_mistake_is_told_once(
    problems: Callable[..., list[Problem]], text: str, message: str
) -> None:
    (problem,) = problems(text)
    assert message in problem.message
    assert problem.line == 2


def test_all_of_it_is_written_back_as_it_is(scene: Make) -> None:
    made = scene("""
        units: screen
        bodies: {a: {shape: {circle: 1}}, b: {shape: {circle: 1}, position: [9, 0]}}
        camera: {mode: follow, target: [a, b], shake: [{at: 3, amplitude: 2}]}
        render: {speed: 0.5, time: [[0, 1], [2, 0.1]]}
    """)
    again = loads(expand(made))
    assert (again.camera, again.render) == (made.camera, made.render)
    made = scene("""
        camera:
          mode: keys
          keys: [[0, {rect: [[0, 0], [1, 1]]}], [1, {target: ball, width: 2, ease: hold}]]
    """)
    assert loads(expand(made)).camera == made.camera


def test_generators_instances_and_groups_are_followed_as_their_bodies() -> None:
    text = """
        prototypes: {car: {bodies: {hull: {shape: {box: [2, 1]}}, hand: {shape: {circle: 0.2}}}}}
        instances: {red: {use: car, at: [5, 0]}}
        bodies:
          chain: {repeat: {i: 2}, shape: {circle: 0.1}, position: [=i, 3]}
          a: {shape: {circle: 1}}
        groups: {all: [a, chain]}
        camera: {mode: follow, style: keep_in, target: %s}
    """
    chain = ("chain[0]", "chain[1]")
    for target, found in (
        ("red", ("red.hull", "red.hand")),
        ("all", ("a", *chain)),
        ("chain", chain),
    ):
        made = loads("rigid: 1" + dedent(text % target))
        assert made.camera.targets == found
        assert loads(expand(made)).camera == made.camera
    assert loads("rigid: 1" + dedent(text % "[red, a]")).camera.targets[-1] == "a"
