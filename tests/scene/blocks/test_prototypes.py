# SPDX-License-Identifier: MIT
"""Prototypes, instances and groups: names, values of their own, files, limits, mistakes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from rigid2d.core import simulate
from rigid2d.core.errors import Problem, SceneError
from rigid2d.core.scene import expand, loads
from rigid2d.core.scene.model import Scene

from tests.rows import every_row

Make = Callable[..., Scene]
Find = Callable[..., list[Problem]]

CAR = """
prototypes:
  wheel: {vars: {r: 0.4}, bodies: {rim: {shape: {circle: =r}}}}
  car:
    vars: {size: 1, heavy: false}
    bodies:
      chassis: {shape: {box: [=2*size, 0.4]}, position: [0, 0.6], points: {nose: [=size, 0]}}
      link: {repeat: {i: 3}, shape: {circle: 0.1}, position: [=i*0.3, 1.5], color: black}
    instances:
      back: {use: wheel, at: [-0.7, 0.4]}
      front: {use: wheel, at: [0.7, 0.4], vars: {r: 0.3}}
    joints:
      drive: {type: wheel, bodies: [chassis, back.rim]}
      chain: {repeat: {i: 2}, type: revolute, bodies: ["link[=i]", "link[=i+1]"]}
    actuators:
      jet: {type: thruster, body: chassis, force: [3, 0]}
"""


def test_parts_are_named_by_their_instance(scene: Make) -> None:
    made = scene(CAR + "instances: {red: {use: car}}")
    assert list(made.bodies) == [
        *("red.chassis", "red.link[0]", "red.link[1]", "red.link[2]"),
        *("red.back.rim", "red.front.rim"),
    ]
    assert list(made.joints) == ["red.drive", "red.chain[0]", "red.chain[1]"]
    assert made.joints["red.drive"].body_b == "red.back.rim"
    assert made.actuators["red.jet"].bodies == ("red.chassis",)


def test_an_instance_may_be_many(scene: Make) -> None:
    made = scene(CAR + "instances: {row: {use: car, repeat: {i: [0, 4]}, at: [=3*i, 0]}}")
    assert made.bodies["row[4].chassis"].position == (12.0, 0.6)
    assert made.joints["row[4].chain[1]"].body_a == "row[4].link[1]"


def test_an_instance_gives_vars_and_its_prototype_keeps_the_others(scene: Make) -> None:
    made = scene(
        CAR + "vars: {s: 3}\ninstances: {a: {use: car, vars: {size: =s/2}}, b: {use: car}}"
    )
    assert made.bodies["a.chassis"].points["nose"] == (1.5, 0.0)
    assert made.bodies["b.chassis"].points["nose"] == (1.0, 0.0)
    assert made.bodies["a.front.rim"].shapes[0].radius == 0.3


def test_a_prototype_sees_the_vars_of_the_scene_and_its_own_stand_before_them(scene: Make) -> None:
    made = scene(
        """
        vars: {r: 1, h: 5}
        prototypes: {dot: {vars: {r: 2}, bodies: {d: {shape: {circle: =r}, position: [0, =h]}}}}
        instances: {a: {use: dot}}
        """
    )
    assert made.bodies["a.d"].shapes[0].radius == 2.0
    assert made.bodies["a.d"].position == (0.0, 5.0)


def test_colour_and_material_are_for_bodies_that_say_none(scene: Make) -> None:
    made = scene(
        CAR + "materials: {ice: {friction: 0}}\ninstances: {red: {use: car, color: red, "
        "material: ice, tags: [player], velocity: [1, 2]}}"
    )
    assert made.bodies["red.chassis"].color == made.bodies["red.back.rim"].color == "red"
    assert made.bodies["red.link[1]"].color == "black"
    assert made.bodies["red.front.rim"].shapes[0].material.friction == 0.0
    assert {body.tags for body in made.bodies.values()} == {("player",)}
    assert {body.velocity for body in made.bodies.values()} == {(1.0, 2.0)}


@every_row(
    ("units", "pivot", "wanted"),
    [
        ("si", "bottom_center", (0.0, 1.0)),
        ("si", "top_left", (1.0, -1.0)),
        ("si", "center", (0.0, 0.0)),
        ("si", "right_center", (-1.0, 0.0)),
        ("si", "[2, 3]", (1.0, 2.0)),
        ("{y: down}", "bottom_center", (0.0, -1.0)),
    ],
)
def test_a_pivot_is_a_point_or_one_of_the_box(
    scene: Make, units: str, pivot: str, wanted: tuple[float, float]
) -> None:
    made = scene(
        f"units: {units}\n"
        "prototypes: {p: {bodies: {d: {shape: {circle: 1}, position: [3, 5]}}}}\n"
        f"instances: {{a: {{use: p, pivot: {pivot}}}}}"
    )
    assert made.bodies["a.d"].position == pytest.approx(wanted)


def test_parts_are_reached_from_outside(scene: Make) -> None:
    made = scene(
        CAR
        + """
instances:
  row: {use: car, repeat: {i: 3}, at: [=4*i, 0], tags: [cars]}
  red: {use: car, at: [0, 9]}
bodies: {floor: {type: static, shape: {box: [99, 1]}, position: [0, -2]}}
joints: {tow: {repeat: {i: 2}, type: distance, bodies: ["row[=i].chassis", "row[=i+1].chassis"]}}
actuators:
  wind: {type: force, tags: [cars], force: [1, 0]}
  lift: {type: force, body: red, force: [0, 1]}
collision: {pairs_ignore: [[red, floor], [row, "row[1].chassis"]]}
camera: {mode: follow, target: red.chassis}
record: {channels: [red.chassis, "row[2].link", "row[1].drive.force", red.chassis.points.nose.x]}
expect:
  - {always: "=row[2].link[1].x < 99 and red.front.rim.y < 99"}
  - {at: end, that: =red.drive.force < 1e9}
"""
    )
    assert made.joints["tow[1]"].body_a == "row[1].chassis"
    assert len(made.actuators["wind"].bodies) == 18
    assert len(made.actuators["lift"].bodies) == 6
    assert ("red.link[2]", "floor") in made.collision.pairs_ignore
    assert made.record.channels == (
        "red.chassis",
        *(f"row[2].link[{i}]" for i in range(3)),
        *("row[1].drive.force", "red.chassis.points.nose.x"),
    )


def test_groups_stand_for_bodies(scene: Make) -> None:
    made = scene(
        CAR
        + """
bodies: {a: {shape: {circle: 1}, position: [0, 20]}, b: {repeat: {i: 2}, shape: {circle: 1}}}
instances: {red: {use: car}}
groups: {stack: [a, b], all: [stack, red]}
actuators:
  up: {type: force, tags: [stack], force: [0, 1]}
  on: {type: force, body: all, force: [0, 1]}
"""
    )
    assert made.groups["stack"] == ("a", "b[0]", "b[1]")
    assert made.actuators["up"].bodies == ("a", "b[0]", "b[1]")
    assert len(made.actuators["on"].bodies) == 9


@pytest.mark.parametrize(
    ("setting", "name", "field", "value"),
    [
        ("bodies.red.chassis.color=blue", "red.chassis", "color", "blue"),
        ("bodies.red.link[1].color=blue", "red.link[1]", "color", "blue"),
        ("bodies.row[1].front.rim.angle=90", "row[1].front.rim", "z", 0.0),
        ("bodies.row[1].front.rim.z=3", "row[1].front.rim", "z", 3.0),
    ],
)
def test_one_part_is_set_from_outside(
    scene: Make, setting: str, name: str, field: str, value: object
) -> None:
    text = CAR + "instances: {red: {use: car}, row: {use: car, repeat: {i: 2}, at: [=5+4*i, 0]}}"
    made, plain = scene(text, setting), scene(text)
    assert getattr(made.bodies[name], field) == value
    changed = [each for each in made.bodies if made.bodies[each] != plain.bodies[each]]
    assert changed == [name]


def test_one_instance_is_set_from_outside(scene: Make) -> None:
    text = CAR + "instances: {row: {use: car, repeat: {i: 3}, at: [=4*i, 0]}}"
    made = scene(text, "instances.row[1].vars={size: 2}", "instances.row.angle=90")
    assert [made.bodies[f"row[{i}].chassis"].points["nose"][0] for i in range(3)] == [1, 2, 1]


def test_random_numbers_of_instances_differ(scene: Make) -> None:
    made = scene(
        """
        prototypes: {dot: {bodies: {d: {shape: {circle: "=uniform(1, 2)"}}}}}
        instances: {a: {use: dot, repeat: {i: 4}, at: [=9*i, 0]}}
        """
    )
    assert len({body.shapes[0].radius for body in made.bodies.values()}) == 4


def test_an_expanded_scene_has_the_same_hash_and_the_names_of_the_parts(scene: Make) -> None:
    made = scene(
        CAR + "instances: {row: {use: car, repeat: {i: 2}, at: [=5*i, 0], angle: 30, mirror: y, "
        "scale: 1.5}}\ngroups: {all: [row]}"
    )
    again = loads(expand(made))
    assert again.hash == made.hash
    assert list(again.bodies) == list(made.bodies)
    assert again.groups == made.groups
    assert expand(again).replace("name: '<string>'", "") == expand(made)


# ------------------------------------------------------------ files


def part(folder: Path, text: str, name: str = "part.yaml") -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


WHOLE = """
rigid: 1
world: {gravity: [0, 0]}
vars: {r: 1}
materials: {steel: {density: 7.8}}
defaults: {material: steel}
bodies: {a: {shape: {circle: =r}}, b: {shape: {circle: 1}, position: [3, 0]}}
collision: {pairs_ignore: [[a, b]]}
camera: {mode: follow, target: a}
expect: [{at: end, that: =a.x == 0}]
"""


def test_a_whole_file_is_a_prototype(tmp_path: Path) -> None:
    part(tmp_path, WHOLE, "parts/part.yaml")
    made = loads(
        "rigid: 1\nprototypes: {p: {file: parts/part.yaml, vars: {r: 0.5}}}\n"
        "instances: {one: {use: p}, two: {use: p, at: [9, 0], vars: {r: 2}}}",
        folder=tmp_path,
    )
    assert [made.bodies[f"{name}.a"].shapes[0].radius for name in ("one", "two")] == [0.5, 2.0]
    assert made.bodies["one.b"].shapes[0].material.density == 7.8
    assert made.collision.pairs_ignore == (("one.a", "one.b"), ("two.a", "two.b"))
    assert made.world.gravity == (0.0, -9.81)
    assert made.expect == ()
    assert made.files == (str((tmp_path / "parts" / "part.yaml").resolve()),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("file: ../out.yaml", "leads out of the scene's folder"),
        ("file: /etc/passwd", "must be a path relative to the scene's folder"),
        ("file: none.yaml", "there is no file `none.yaml`"),
        ("file: self.yaml", "in a circle"),
        ("file: part.yaml, bodies: {}", "a file is the whole prototype"),
        ("file: part.yaml, vars: {size: 1}", "the file has no var `size`"),
        ("file: cm.yaml", "must have the units of the scene"),
        ("file: wrong.yaml", "wrong.yaml:2:30: bodies.a.shape.circle: must be greater than 0"),
    ],
)
def test_a_file_that_cannot_be_a_prototype_is_told(tmp_path: Path, text: str, message: str) -> None:
    part(tmp_path, WHOLE)
    part(tmp_path, "rigid: 1\nunits: {length: cm}\nbodies: {a: {shape: {circle: 1}}}", "cm.yaml")
    part(tmp_path, "rigid: 1\nbodies: {a: {shape: {circle: -1}}}", "wrong.yaml")
    part(tmp_path, "rigid: 1\nprototypes: {me: {file: self.yaml}}", "self.yaml")
    (tmp_path.parent / "out.yaml").write_text(WHOLE, encoding="utf-8")
    with pytest.raises(SceneError, match=re.escape(message)) as caught:
        loads(
            f"rigid: 1\nprototypes: {{p: {{{text}}}}}\ninstances: {{one: {{use: p}}}}\n",
            folder=tmp_path,
        )
    assert len(caught.value.problems) == 1


# ------------------------------------------------------------ mistakes


@every_row(
    ("text", "message"),
    [
        ("instances: {a: {use: caar}}", "there is no prototype `caar`; did you mean `car`?"),
        ("instances: {a: {at: [0, 0]}}", "`use` is missing"),
        ("instances: {a: {use: car, vars: {siez: 1}}}", "has no var `siez`; did you mean `size`?"),
        ("instances: {a: {use: car, vars: {size: true}}}", "but the expression gives true"),
        ("instances: {a: {use: car, scale: 0}}", "must be greater than 0"),
        ("instances: {a: {use: car, mirror: z}}", "must be one of x, y"),
        ("instances: {a: {use: car, pivot: bottom_centre}}", "did you mean `bottom_center`?"),
        ("instances: {a: {use: car, material: stel}}", "there is no material `stel`"),
        ("instances: {world: {use: car}}", "`world` is the static body"),
        ("instances: {a.b: {use: car}}", "cannot be the name of an instance"),
        ("instances: {a: {use: car, position: [0, 0]}}", "it is `at`"),
        ("bodies: {a: {shape: {circle: 1}}}\ninstances: {a: {use: car}}", "a body `a` too"),
        ("joints: {j: {type: weld, bodies: [world, a.chasis]}}\ninstances: {a: {use: car}}",
         "there is no body `a.chasis`; did you mean `a.chassis`?"),
        ("expect: [{at: end, that: =a.chasis.x > 0}]\ninstances: {a: {use: car}}",
         "there is no body or joint `a.chasis`; did you mean `a.chassis`?"),
        ("groups: {g: [a.chasis]}\ninstances: {a: {use: car}}", "did you mean `a.chassis`?"),
        ("groups: {a: [a.chassis]}\ninstances: {a: {use: car}}", "something else with the name"),
        ("bodies: {a.b: {shape: {circle: 1}}, a: {shape: {circle: 1}}}", "would be a quantity"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_once(problems: Find, text: str, message: str) -> None:
    found = problems(CAR + text)
    assert [message in each.message for each in found] == [True], [str(each) for each in found]


def test_a_mistake_in_a_prototype_is_told_once_without_any_instance(problems: Find) -> None:
    ball = "bodies: {ball: {shape: {circle: 0.5}}}"
    (found,) = problems(CAR.replace("circle: 0.1", "circle: -0.1") + ball)
    assert found.path.startswith("prototypes.car.bodies.link")
    assert found.path.endswith("shape.circle")
    assert found.line == 8


def test_what_is_wrong_in_one_instance_names_its_line_and_that_of_the_prototype(
    problems: Find,
) -> None:
    (found,) = problems(
        CAR + "instances:\n  good: {use: car}\n  bad: {use: car, vars: {size: -2}}\n"
    )
    assert found.line == 7
    assert found.path == "prototypes.car.bodies.chassis.shape.box[0]"
    assert "(in the instance `bad`, line 19)" in found.message


def test_what_is_inside_is_not_seen_from_inside_another(problems: Find) -> None:
    (found,) = problems(
        "bodies: {floor: {type: static, shape: {box: [1, 1]}}}\n"
        "prototypes: {p: {bodies: {d: {shape: {circle: 1}}}, "
        "joints: {j: {type: weld, bodies: [floor, d]}}}}\ninstances: {a: {use: p}}"
    )
    assert "there is no body `floor`" in found.message


def test_prototypes_inside_each_other_in_a_circle_are_told(problems: Find) -> None:
    (found,) = problems(
        """
        prototypes:
          a: {instances: {x: {use: b}}}
          b: {instances: {y: {use: a}}}
        instances: {one: {use: a}}
        """
    )
    assert "in a circle: a -> b -> a" in found.message


@pytest.mark.parametrize(("deep", "fine"), [(8, True), (9, False)])
@pytest.mark.parametrize("leaf_first", [True, False])
def test_prototypes_lie_eight_deep(
    scene: Make, problems: Find, deep: int, fine: bool, leaf_first: bool
) -> None:
    entries = ["  p1: {bodies: {d: {shape: {circle: 1}}}}"]
    entries += [f"  p{i}: {{instances: {{in: {{use: p{i - 1}}}}}}}" for i in range(2, deep + 1)]
    entries = entries if leaf_first else entries[::-1]
    text = "\n".join(["prototypes:", *entries, f"instances: {{one: {{use: p{deep}}}}}"])
    if fine:
        assert list(scene(text).bodies) == ["one" + ".in" * (deep - 1) + ".d"]
    else:
        assert any("more than 8 deep" in each.message for each in problems(text))


def test_instances_in_instances_end_at_the_limit_of_bodies(problems: Find) -> None:
    entries = ["  p1: {bodies: {d: {repeat: {i: 20}, shape: {circle: 1}, position: [=3*i, 0]}}}"]
    entries += [
        f"  p{i}: {{instances: {{in: {{use: p{i - 1}, repeat: {{i: 20}}}}}}}}" for i in range(2, 9)
    ]
    text = "\n".join(["prototypes:", *entries, "instances: {one: {use: p8}}"])
    found = problems(text)
    assert all("more than 100000 bodies; that is the limit" in each.message for each in found)
    assert found[0].path == "prototypes.p4.instances.in[12]"


def test_prototypes_that_are_built_very_often_end_at_a_limit(problems: Find) -> None:
    text = "instances: {a: {use: car, repeat: {i: 9000}, at: [=9*i, 0], vars: {size: =1 + i}}}"
    (found,) = problems(CAR + text)
    assert "have more than 40000 values together; that is the limit" in found.message


def test_instances_with_the_same_values_share_what_is_built(scene: Make) -> None:
    made = scene(CAR + "instances: {a: {use: car, repeat: {i: 50}, at: [=9*i, 0]}}")
    shapes = {id(body.shapes) for name, body in made.bodies.items() if name.endswith(".chassis")}
    assert len(shapes) == 1


RECORDED = "record: {channels: [%s]}\ninstances: {red: {use: car}}"


def test_a_named_point_alone_is_recorded_by_its_place(scene: Make) -> None:
    trace = simulate(scene(CAR + RECORDED % "red.chassis.points.nose"))
    assert trace["red.chassis.points.nose"].x[0] == 1.0
    assert trace["red.chassis.points.nose"].y[0] == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("channel", "told"),
    [
        ("red.chassis.points.tail", "the body `red.chassis` has no point `tail`"),
        ("red.x", "`red.drive` has no `x`"),
    ],
)
def test_what_some_part_of_an_instance_has_not_is_not_recorded(
    problems: Find, channel: str, told: str
) -> None:
    (found,) = problems(CAR + RECORDED % channel)
    assert found.path == "record.channels[0]"
    assert told in found.message


def test_a_scene_with_prototypes_is_plain_data_too() -> None:
    scene = loads(f"rigid: 1{CAR}instances: {{one: {{use: car}}}}")
    assert asdict(scene)["bodies"].keys() == scene.bodies.keys()
