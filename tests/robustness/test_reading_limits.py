# SPDX-License-Identifier: MIT
"""Work that grows faster than a file does is bounded, whatever the file is."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from rigid2d.core import _native
from rigid2d.core.errors import SceneError, SimulationError, UsageError
from rigid2d.core.nearest import nearest_word, one_allowance
from rigid2d.core.record.recorder import Recorder
from rigid2d.core.scene import limits, load, loads
from rigid2d.core.scene.blocks.placing.placer import Placer
from rigid2d.core.world.running import run
from rigid2d.core.world.world import build

from tests.rows import every_row

Command = Callable[..., subprocess.CompletedProcess[bytes]]
BODY = "{shape: {circle: 0.1}}"


def messages(text: str) -> list[str]:
    with pytest.raises(SceneError) as caught:
        loads("rigid: 1\n" + text)
    return [problem.message for problem in caught.value.problems]


def lines(count: int, line: Callable[[int], str]) -> str:
    return "\n".join(f"  {line(i)}" for i in range(count)) + "\n"


def test_thousands_of_misspelt_keys_of_the_top_level_are_counted() -> None:
    found = messages(f"bodies: {{a: {BODY}}}\n" + "".join(f"bodyes{i}: 1\n" for i in range(4000)))
    assert found[0] == "unknown key `bodyes0`; did you mean `bodies`?"
    assert found[-1] == "and 3,900 more problems"


def generator(repeat: str) -> str:
    return f"bodies: {{a: {{repeat: {{{repeat}}}, {BODY[1:-1]}}}}}\n"


def test_turns_of_a_generator_in_which_nothing_is_made_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "REPEATS", 50)
    for indices in ("i: 60, j: 0", "i: 8, j: 8, k: 0", "i: 60, j: []"):
        assert messages(generator(indices)) == [
            "the generators of this scene make more than 50 turns; that is the limit"
        ]


def test_the_indices_of_a_generator_are_counted() -> None:
    (found,) = messages(generator(", ".join(f"i{k}: 1" for k in range(1200))))
    assert found == "a generator has at most 16 indices; these are 1200"


def test_bodies_with_a_merged_stray_key_are_counted() -> None:
    found = messages("x: &a {a: 1}\nbodies:\n" + lines(5000, lambda i: f"b{i}: {{<<: *a}}"))
    assert found[-1].endswith("more problems")


def test_expectations_of_what_is_not_there_are_counted() -> None:
    found = messages(
        "bodies: {a: {repeat: {i: 20000}, position: [=i, 0], shape: {circle: 0.1}}}\nexpect:\n"
        + lines(10_000, lambda i: f'- {{always: "=b{i}.x < 1"}}')
    )
    assert found[-1] == "and 9,900 more problems"


@pytest.mark.parametrize("end", ["=v0", "1"])
def test_vars_that_refer_to_each_other_endlessly_are_told_and_end(end: str) -> None:
    count = 5000
    found = messages(
        "vars:\n" + lines(count, lambda i: f"v{i}: " + (end if i == count - 1 else f"=v{i + 1}"))
    )
    assert any(
        each.startswith("vars refer to each other more than 50 levels deep") for each in found
    )


def test_the_expressions_of_a_scene_have_a_limit_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EXPRESSION_SYMBOLS", 20_000)
    long = "1+" * 290
    found = messages("vars:\n" + lines(50, lambda i: f"v{i}: '={long}{i}'"))
    assert sum(f"more than {limits.EXPRESSION_SYMBOLS} symbols" in each for each in found) == 1


def test_an_expression_that_stands_many_times_counts_once() -> None:
    long = "1+" * 290
    text = "rigid: 1\nvars:\n" + lines(1000, lambda i: f"v{i}: '={long}0'")
    assert loads(text + f"bodies: {{a: {BODY}}}\n").vars["v999"] == 290.0


def test_a_word_that_was_searched_before_costs_nothing() -> None:
    with one_allowance():
        found = [nearest_word("shap", ("shape", "mass")) for _ in range(100_000)]
        other = nearest_word("mas", ("shape", "mass"))
    assert set(found) == {"shape"}
    assert other == "mass"


def test_the_values_that_generators_make_count_as_those_of_a_file() -> None:
    spring = "spring: {stiffness: =i+1, damping: =i}, limits: [=-i, =i+1], anchor: [=i, 0]"
    (found,) = messages(
        "bodies: {a: {repeat: {i: 40000}, shape: {circle: 0.1}}}\n"
        "joints: {j: {repeat: {i: 39999}, type: prismatic, bodies: ['a[=i]', 'a[=i+1]'], "
        f"axis: [=i, 1], motor: {{speed: =i, max_force: =i}}, {spring}}}}}"
    )
    assert found.startswith("the scene has more than 400000 values with those that its generators")


def test_the_values_that_defaults_give_count_for_each_that_has_them() -> None:
    given = "{collide: true, break: {force: 1, torque: 1, push: 1, pull: 1, push_pull: 1}}"
    bodies = "{a: {repeat: {i: 60000}, shape: {circle: 1}}}"
    joints = "{j: {repeat: {i: 59999}, type: weld, bodies: ['a[=i]', 'a[=i+1]'], anchor: [0, 0]}}"
    text = f"defaults: {{joint: {given}}}\nbodies: {bodies}\njoints: {joints}"
    assert messages(text) == [
        "the scene has more than 400000 values with those that its generators and defaults make; "
        "that is the limit"
    ]


def test_values_that_the_bodies_of_a_generator_share_do_not_count() -> None:
    given = "mass: 1, inertia: 1, z: 1, friction: 0, color: red, angular_velocity: 1"
    bodies = f"{{a: {{repeat: {{i: 100000}}, shape: {{circle: 1}}, position: [=i, 0], {given}}}}}"
    assert len(loads("rigid: 1\nbodies: " + bodies).bodies) == 100_000
    polygon = ", ".join(f"[{k}, =i + {k * k}]" for k in range(20))
    (found,) = messages(f"bodies: {{a: {{repeat: {{i: 40000}}, shape: {{polygon: [{polygon}]}}}}}}")
    assert found.startswith("the bodies that generators make have more than 600000 values")


def test_a_shape_that_all_turns_share_counts_as_one_value() -> None:
    text = f"bodies: {{a: {{repeat: {{i: 90}}, shape: {{polygon: {star(1000)}}}}}}}"
    assert len(loads("rigid: 1\n" + text).bodies) == 90


def test_too_many_keys_are_too_many_values() -> None:
    many = ", ".join(f"v{i}: 1" for i in range(80_100))
    assert "400000 values (a key counts as 4 more" in messages(f"vars: {{{many}}}")[0]


def test_expectations_have_a_limit() -> None:
    many = "- {always: =a.x < 1}\n" * (limits.EXPECTATIONS + 1)
    assert messages(f"bodies: {{a: {BODY}}}\nexpect:\n{many}") == [
        "more than 20000 expectations; that is the limit"
    ]


def test_what_a_file_makes_is_not_looked_at_once_its_values_are_hopeless() -> None:
    text = "bodies:\n" + lines(2000, lambda i: f"b{i}: {{shape: {{circle: a, material: m{i}}}}}")
    assert messages(text)[-1] == "and 1,900 more problems"


def instances(parts: str, settings: str = "") -> str:
    body, force = "b: {shape: {circle: 1}}", "f: {type: force, body: b, force: [1, 0]}"
    return (
        f"prototypes: {{p: {{bodies: {{{body}}}, actuators: {{{force}}}, "
        f"{parts}}}}}\ninstances: {{i: {{repeat: {{k: 30}}, use: p, at: [=3*k, 0]{settings}}}}}\n"
    )


SET = "{set: {b.velocity: [1, 2]}}"


@pytest.mark.parametrize(
    ("parts", "limit", "message"),
    [
        (
            "joints: {j: {bodies: [world, b], type: weld}}",
            "INSTANCE_OBJECTS",
            "objects of instances",
        ),
        (
            f"events: [{{when: time, at: 1, do: [{SET}]}}]",
            "INSTANCE_OBJECTS",
            "objects of instances",
        ),
        ("controls: {up: f, down: f}", "INSTANCE_OBJECTS", "objects of instances"),
        ("particles: {e: {from: b, rate: 5, life: 1}}", "INSTANCE_OBJECTS", "objects of instances"),
        (f"controls: {{up: {{do: [{SET}]}}}}", "INSTANCE_OBJECTS", "objects of instances"),
        (f"events: [{{when: time, at: 1, do: [{SET}]}}]", "RULES", "events"),
        ("vars: {v: 1}", "POINTS", "points of shapes"),
        ("vars: {v: 1}", "SHAPES", "shapes"),
    ],
)
def test_what_instances_put_into_a_scene_is_counted_before_any_of_it_is_made(
    parts: str, limit: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 70 if limit == "INSTANCE_OBJECTS" else 20
    monkeypatch.setattr(limits, limit, most)
    monkeypatch.delattr(Placer, "body")
    assert messages(instances(parts, ", pivot: center")) == [
        f"the scene has more than {most} {message}; that is the limit"
    ]


TEN = "bodies: {b: {repeat: {i: 10}, position: [=i, 0], shape: {circle: 0.1}}}\n"
NAMED = "the names in the groups and events of this scene stand for more than 35 bodies together"


def test_groups_of_groups_have_a_limit_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MEMBERS", 35)
    groups = "groups: {a: [b], c: [a, b], d: [b], e: [c]}\n"
    assert messages(TEN + groups)[0] == f"{NAMED}; that is the limit"


def test_the_bodies_of_all_events_have_a_limit_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MEMBERS", 35)
    blow = "{when: collision, bodies: [b, b], do: [{log: a}]}"
    assert messages(TEN + f"events: [{blow}, {blow}]\n") == [f"{NAMED}; that is the limit"]


def test_the_bodies_that_events_of_instances_name_are_counted_before_they_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MEMBERS", 20)
    monkeypatch.delattr(Placer, "body")
    assert messages(instances("events: [{when: collision, bodies: [b], do: [{delete: b}]}]")) == [
        "the scene has more than 20 bodies that events name; that is the limit"
    ]


def test_what_the_generators_of_prototypes_make_counts_each_time_that_one_is_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "PROTOTYPE_OBJECTS", 300)
    many = "b: {repeat: {i: 50}, shape: {circle: =r}, position: [=i, 0]}"
    (found,) = messages(
        f"prototypes: {{p: {{vars: {{r: 1}}, bodies: {{{many}}}}}}}\n"
        "instances: {q: {repeat: {k: 9}, use: p, vars: {r: =k+1}}}\n"
    )
    assert found.startswith(
        "the prototypes that this scene builds have more than 300 bodies, joints and actuators"
    )


def test_a_scene_and_its_variants_have_what_prototypes_may_cost_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = (
        f"prototypes: {{p: {{vars: {{r: 1}}, bodies: {{b: {BODY}}}}}}}\n"
        "instances: {q: {repeat: {k: 9}, use: p, at: [=k, 0], vars: {r: =k+1}}}\n"
    )
    monkeypatch.setattr(limits, "PROTOTYPE_OBJECTS", 30)
    assert len(loads("rigid: 1\n" + text).bodies) == 9
    found, *_ = messages(text + "compare: {variants: [{name: a}, {name: b}, {name: c}, {name: d}]}")
    assert "more than 30 bodies, joints and actuators together" in found


def test_the_events_of_variants_count_as_four_objects_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "VARIANT_OBJECTS", 14)
    event = "{when: time, at: 1, do: [{log: a}]}"
    text = f"bodies: {{a: {BODY}}}\nevents: [{event}, {event}]\ncompare: {{variants: "
    assert loads(f"rigid: 1\n{text}[{{name: a}}]}}").compare
    (found,) = messages(f"{text}[{{name: a}}, {{name: b}}]}}")
    assert "2 variants have more than 14" in found


def test_the_files_of_a_scene_have_a_size_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = f"bodies: {{b: {BODY}}}\n"
    (tmp_path / "part.yaml").write_text(part)
    scene = tmp_path / "scene.yaml"
    scene.write_text(
        "rigid: 1\ninclude: [part.yaml, part.yaml]\n"
        f"prototypes: {{p: {{file: part.yaml}}}}\nbodies: {{a: {BODY}}}\n"
    )
    monkeypatch.setattr(limits, "PART_BYTES", 3 * len(part))
    assert len(load(scene).bodies) == 2
    monkeypatch.setattr(limits, "PART_BYTES", 3 * len(part) - 1)
    with pytest.raises(SceneError, match="the files that this scene consists of have more than 0"):
        load(scene)


def star(corners: int, inner: float = 0.1) -> str:
    """A polygon whose every other corner is far out."""
    turn = 2 * math.pi / corners
    radii = [1.0 if i % 2 else inner for i in range(corners)]
    points = [(r * math.cos(turn * i), r * math.sin(turn * i)) for i, r in enumerate(radii)]
    return "[" + ", ".join(f"[{x:.5f}, {y:.5f}]" for x, y in points) + "]"


def test_a_star_of_a_thousand_corners_is_a_polygon() -> None:
    scene = loads(f"rigid: 1\nbodies: {{a: {{shape: {{polygon: {star(1000)}}}}}}}")
    assert len(scene.bodies["a"].shapes[0].points) == 1000


def test_points_in_one_column_are_not_the_same() -> None:
    points = [(0, i) for i in range(400)] + [(1, i + 0.5) for i in reversed(range(400))]
    comb = [
        point for pair in zip(points[:400], reversed(points[400:]), strict=True) for point in pair
    ]
    text = ", ".join(f"[{x}, {y}]" for x, y in [*comb, (-1, 400), (-1, 0)])
    loads(f"rigid: 1\nbodies: {{a: {{shape: {{polygon: [{text}]}}}}}}")


@every_row(
    ("points", "message"),
    [
        ("[0, 0], [2, 2], [2, 0], [0, 2]", "from point 1 to 2 and the one from point 3 to 4"),
        ("[0, 0], [3, 0], [1, 0], [1, 2]", "sides cross or touch"),
        ("[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]", "points 1 and 5 of the polygon are the same"),
        ("[0, 0], [1, 0], [1, 1], [1, 1]", "points 3 and 4 of the polygon are the same"),
    ],
)
def test_a_polygon_that_is_none_is_told_with_its_points(points: str, message: str) -> None:
    (found,) = messages(f"bodies: {{a: {{shape: {{polygon: [{points}]}}}}}}")
    assert message in found


# ---------------------------------------------------------------- crowds and runaways

SPOT = """\
rigid: 1
world: {{on_error: {on_error}}}
bodies:
  row: {{repeat: {{i: 1000}}, position: [=3*i, 0], shape: {{circle: 0.1}}}}
  heap: {{repeat: {{i: 1500}}, position: [-7, 40], shape: {{circle: 0.5}}}}
"""


@pytest.mark.parametrize("on_error", ["stop", "warn"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_crowd_ends_the_run_and_is_named(on_error: str, threads: int) -> None:
    world = build(loads(SPOT.format(on_error=on_error)), threads=threads)
    message = r"'heap\[0\]' is in a crowd at \(-7, 40\): .* 1,000,000 pairs"
    with pytest.raises(SimulationError, match=message) as caught:
        world.step()
    assert caught.value.step == 0
    with pytest.raises(SimulationError, match="heap"):
        world.step()


def test_a_crowd_is_found_far_behind_many_that_are_none() -> None:
    """Ten thousand bodies in a row come first, each with its two neighbours."""
    text = SPOT.format(on_error="stop").replace("{i: 1000}", "{i: 10000}").replace("3*i", "0.15*i")
    with pytest.raises(SimulationError, match=r"'heap\[0\]' .* at \(-7, 40\)"):
        build(loads(text)).step()


@pytest.mark.parametrize("bodies", [66, 100, 200])
def test_a_world_takes_just_as_many_pairs_of_a_crowd_as_it_may(bodies: int) -> None:
    pairs = bodies * (bodies - 1) // 2
    for most, steps in ((pairs, 1), (pairs - 1, 0)):
        native = crowd(bodies, max_pairs=most)
        assert native.step() == steps
        assert (native.error is None) == (steps == 1)


def test_what_has_a_usual_number_of_neighbours_is_no_crowd() -> None:
    """However many pairs there are: sixty on each of a hundred spots; and a floor of a thousand."""
    native = crowd(60, max_pairs=1, spots=100)
    assert native.step() == 1
    assert crowd(66, max_pairs=66 * 65 // 2 - 1, spots=1).step() == 0
    # All on one large body: it has many neighbours, but they have few.
    rows = "grain: {repeat: {i: 300}, shape: {circle: 0.1}, position: [=0.3*i, 0.1]}"
    plate = "plate: {shape: {box: [200, 1]}, position: [45, -0.5]}"
    scene = loads(f"rigid: 1\nbodies:\n  {plate}\n  {rows}\n")
    world = build(scene)
    world.step(2)
    assert world.native.error is None


def test_neighbours_are_counted_on_when_bodies_come_and_go() -> None:
    """Pairs are counted from the first step in which there are many, and after a restore."""
    native = crowd(70, max_pairs=2000, spots=1)  # 2415 pairs, all of one crowd
    assert native.step() == 0
    native = crowd(60, max_pairs=1000, spots=3)
    assert native.step() == 1
    for body in range(1, 40):
        native.remove_body(body)
    assert native.step() == 1
    state = native.save()
    other = crowd(60, max_pairs=1000, spots=3)
    other.restore(state)
    assert other.step(5) == native.step(5) == 5
    assert other.state_hash() == native.state_hash()


def crowd(bodies: int, max_pairs: int, spots: int = 1) -> _native.World:
    """Circles on each of some spots."""
    native = _native.World(max_pairs=max_pairs)
    count = spots * bodies
    rows = np.zeros(count, _native.BODY)
    rows["kind"] = _native.BODY_KINDS["dynamic"]
    rows["collide"] = True
    rows["x"] = 10 * (np.arange(count) // bodies)
    for name in ("mass", "inertia", "center_x", "center_y"):
        rows[name] = math.nan
    native.add_bodies(rows)
    shapes = np.zeros(count, _native.SHAPE)
    shapes["body"] = np.arange(1, count + 1)
    shapes["first_point"] = np.arange(count)
    shapes["point_count"] = 1
    shapes["radius"] = 0.5
    shapes["density"] = 1
    native.add_shapes(shapes, np.zeros((count, 2)))
    return native


RUNAWAY = """\
rigid: 1
world: {duration: 1, gravity: [0, 0], on_error: warn}
bodies:
  rocket: {shape: {circle: 0.5}, velocity: [9.9e6, 0], mass: 1}
  stone: {shape: {circle: 0.5}, position: [0, 50], mass: 1e9}
actuators:
  thrust: {type: force, body: rocket, force: [1e9, 0]}
"""


def test_a_warning_says_what_the_body_was_like_and_what_becomes_of_it() -> None:
    scene = loads(RUNAWAY)
    recorder = Recorder(scene, steps=scene.world.steps, check=False)
    for _ in run(scene, times=(), recorder=recorder):
        pass
    (warning,) = recorder.warnings
    assert "'rocket' ran away: it moves at 2.66e+07 m/s; the limit is 1e+07 m/s" in warning
    assert warning.endswith("(step 1, t = 0.0166667); it is taken out of the world")


def test_a_body_that_runs_away_is_taken_out_with_its_joints_and_the_others_go_on() -> None:
    rope = "{type: distance, bodies: [rocket, stone], rope: true, max_length: 1e9}"
    world = build(loads(f"{RUNAWAY}joints: {{rope: {rope}}}\n"))
    world["stone"].velocity = 1, 0
    world.step(60)
    assert (world["rocket"].alive, world["stone"].alive) == (False, True)
    assert world.joint("rope").broken
    assert world["stone"].position == pytest.approx((1, 50))


def test_the_error_and_the_warning_say_the_same() -> None:
    world = build(loads(RUNAWAY.replace("on_error: warn", "on_error: stop")))
    with pytest.raises(SimulationError, match=r"it moves at 2\.66e\+07 m/s"):
        world.step(5)


@pytest.mark.parametrize(
    "text",
    [
        "? {long}\n: 1\n",
        "? {long}\n: 1\n? {long}\n: 1\n",
        "name: !{long} a\n",
        "name: *{long}\n",
        "bodies: {{? {long} : {{shap: 1}}}}\n",
        "vars: {{? {long} : 1}}\n",
        "materials: {{? {long} : 1}}\n",
    ],
)
def test_what_is_long_is_told_in_short(text: str) -> None:
    with pytest.raises(SceneError) as caught:
        loads("rigid: 1\n" + text.format(long="y" * 100_000))
    for problem in caught.value.problems:
        assert len(problem.path) + len(problem.message) < 1000


# ---------------------------------------------------------------- odd options


@pytest.mark.parametrize("verb", ["run", "peaks"])
@pytest.mark.parametrize("digits", [19, 400])
def test_a_number_of_steps_of_any_length_is_refused(
    verb: str, digits: int, ball: Path, command: Command
) -> None:
    done = command(verb, ball, "--steps", "9" * digits)
    assert done.returncode == 2
    assert b"more than the limit of 10,000,000" in done.stderr


@every_row("setting", ["x.mass=1", "bodies.x.mass=1", "bodies.x=1", "bodies=0.5"])
@every_row("bodies", ["0.4", "true", "text", "[1]"])
def test_settings_of_bodies_that_are_no_mapping_are_told(setting: str, bodies: str) -> None:
    with pytest.raises(SceneError, match="must be a mapping of names and values"):
        loads(f"rigid: 1\nbodies: {bodies}\n", overrides=[setting])


@every_row("number", [math.nan, math.inf, -math.inf, 1e308])
def test_queries_of_numbers_that_are_none_are_usage_errors(number: float) -> None:
    world = build(loads(f"rigid: 1\nbodies: {{a: {BODY}}}\n"))
    for ask in (
        lambda: world.query.ray_cast((number, 0), (1, 1)),
        lambda: world.query.ray_cast((0, 0), (1, number)),
        lambda: world.query.overlap_box((0, 0), (number, 1)),
        lambda: world.query.overlap_circle((0, 0), number),
        lambda: world.query.overlap_point((0, number)),
    ):
        with pytest.raises(UsageError):
            ask()


def test_a_ray_longer_than_the_engine_knows_is_a_usage_error() -> None:
    world = build(loads(f"rigid: 1\nbodies: {{a: {BODY}}}\n"))
    with pytest.raises(UsageError, match="end - start"):
        world.query.ray_cast((1, 0), (-1e15, 0))
