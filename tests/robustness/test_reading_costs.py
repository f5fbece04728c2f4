# SPDX-License-Identifier: MIT
"""What reading a scene costs: counted calls and bytes, never the clock."""

from __future__ import annotations

import cProfile
import gc
import pstats
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter

import pytest
from rigid2d.core import World
from rigid2d.core.errors import SceneError
from rigid2d.core.nearest import nearest_name, one_allowance
from rigid2d.core.scene import collector as collector_module
from rigid2d.core.scene import limits, loads
from rigid2d.core.scene.blocks.script.controls import Joined
from rigid2d.core.scene.building.variants import Variants
from rigid2d.core.scene.collector import paused_collector
from rigid2d.core.scene.script import Control
from rigid2d.core.scene.values.expression import Expression, ExpressionError

from tests.rows import every_row

BODY = "{shape: {circle: 0.1}}"


@pytest.fixture
def collector() -> Iterator[None]:
    """The collector as it was."""
    was_on = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if was_on else gc.disable)()


@pytest.mark.usefixtures("collector")
def test_no_cycles_are_searched_while_a_scene_is_read() -> None:
    gc.collect()
    runs: list[str] = []
    gc.callbacks.append(lambda phase, _info: runs.append(phase))
    try:
        loads(f"rigid: 1\nbodies: {{a: {BODY[:-1]}, repeat: {{i: 6000}}, position: [=i, 0]}}}}\n")
    finally:
        gc.callbacks.pop()
    assert len(runs) <= 4
    assert gc.isenabled()


@pytest.mark.usefixtures("collector")
def test_large_scenes_that_are_read_and_forgotten_do_not_pile_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(collector_module, "MANY", 300)
    text = f"rigid: 1\nbodies: {{a: {BODY[:-1]}, repeat: {{i: 100}}, position: [=i, 0]}}}}\n"
    left = []
    for _ in range(24):
        World(loads(text)).step()  # a world and its handles know each other
        left.append(len(gc.get_objects()))
    assert max(left[12:]) < max(left[:12]) + 2000


@pytest.mark.usefixtures("collector")
def test_one_scene_however_large_does_not_wait_for_a_search_through_all_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(collector_module, "MANY", 300)
    monkeypatch.setattr(collector_module, "SEVERAL_TIMES", 1)
    monkeypatch.setattr(collector_module, "_pauses", collector_module._Pauses())
    text = f"rigid: 1\nbodies: {{a: {BODY[:-1]}, repeat: {{i: 900}}, position: [=i, 0]}}}}\n"
    gc.collect()
    whole: list[str] = []
    gc.callbacks.append(lambda phase, info: whole.append(phase) if info["generation"] == 2 else ...)
    try:
        loads(text)
    finally:
        gc.callbacks.pop()
    assert not whole


def test_prototypes_that_are_spawned_with_many_vars_are_named_at_once() -> None:
    variants = Variants()
    names = [variants.put(i, "drop", plain=False) for i in range(1000)]
    assert names[:3] == ["drop", "drop_2", "drop_3"]
    assert len({*names}) == 1000
    variants.reserved = searched = _Counted()
    variants.put("one more", "drop", plain=False)
    assert searched.asked <= 2


class _Counted:
    """What has nothing, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __contains__(self, name: object) -> bool:
        self.asked += 1
        return False

    def __iter__(self) -> Iterator[str]:
        return iter(())


@pytest.mark.usefixtures("collector")
def test_the_collector_goes_on_after_a_mistake() -> None:
    with pytest.raises(SceneError):
        loads("rigid: 1\n")
    assert gc.isenabled()


@pytest.mark.usefixtures("collector")
def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    loads(f"rigid: 1\nbodies: {{a: {BODY}}}\n")
    assert not gc.isenabled()


@pytest.mark.usefixtures("collector")
def test_the_collector_goes_on_when_the_last_of_several_threads_has_read() -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: loads(f"rigid: 1\nbodies: {{a{i}: {BODY}}}\n"), range(20)))
    assert gc.isenabled()


@pytest.mark.usefixtures("collector")
def test_pauses_may_overlap() -> None:
    first, second = paused_collector(), paused_collector()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()


ROW = "bodies: {a: {repeat: {i: 301}, position: [=i, 0], shape: {circle: 0.1}}}\n"


def calls(function: str, text: str) -> int:
    """How often a function is called while a scene is read."""
    profile = cProfile.Profile()
    profile.runcall(loads, "rigid: 1\n" + text)
    stats: dict[tuple[str, int, str], tuple[int, ...]] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    return sum(entry[1] for key, entry in stats.items() if key[2] == function)


def joints(settings: str) -> str:
    return ROW + f"joints: {{j: {{repeat: {{i: 300}}, bodies: ['a[=i]', 'a[=i+1]'], {settings}}}}}"


@pytest.mark.parametrize(
    ("function", "settings"),
    [
        ("_check_fields", "type: weld"),
        ("build_limits", "type: revolute, limits: [-10, 10]"),
        ("build_motor", "type: revolute, motor: {speed: 90, max_torque: 5}"),
        ("build_spring", "type: distance, spring: {frequency: 2, damping_ratio: 0.5}"),
        ("_break", "type: weld, break: {force: 5}"),
    ],
)
def test_what_all_joints_of_a_generator_share_is_made_once(function: str, settings: str) -> None:
    assert calls(function, joints(settings)) <= 6


@pytest.mark.parametrize(
    ("settings", "attribute", "expected"),
    [
        ("type: distance, spring: {frequency: =i+1}", "spring.frequency", [1.0, 2.0, 3.0]),
        ("type: revolute, motor: {speed: =i, max_torque: 1}", "motor.max_force", [1.0] * 3),
        ("type: prismatic, limits: [0, =i+1]", "limits", [(0.0, 1.0), (0.0, 2.0), (0.0, 3.0)]),
        ("type: weld, break: {force: =i+1}", "break_force", [1.0, 2.0, 3.0]),
        ("type: distance, rope: =i==1", "rope", [False, True, False]),
        ("type: weld, visible: =i<1", "visible", [True, False, False]),
    ],
)
def test_what_differs_between_the_joints_of_a_generator_is_not_shared(
    settings: str, attribute: str, expected: list[object]
) -> None:
    made = loads("rigid: 1\n" + joints(settings)).joints.values()
    assert [attrgetter(attribute)(joint) for joint in list(made)[:3]] == expected


@pytest.mark.parametrize(
    "text",
    [
        "bodies: {a: {repeat: {i: 300}, position: [=i, '=i*2'], angle: =i, shape: {circle: 0.1}}}",
        "bodies: {a: {repeat: {i: 300}, shape: {box: [=i+1, 1]}}}",
        joints("type: weld, anchor: [=i, 0]"),
        ROW + "actuators: {m: {type: force, repeat: {i: 300}, body: 'a[=i]', force: [=i, 0]}}",
    ],
)
def test_an_expression_of_a_generator_is_evaluated_for_all_turns_at_once(text: str) -> None:
    assert calls("_evaluate", text) <= 6
    assert calls("evaluate", text) <= 6
    assert calls("evaluate_all", text) >= 1


def test_what_is_made_anew_in_every_turn_is_not_evaluated_for_all_of_them() -> None:
    text = joints("type: revolute, limits: [=-i, =i+1]")
    assert calls("evaluate_all", text) <= 12


@every_row(
    "text",
    [
        "position: ['=sqrt(7-i)', 0], shape: {circle: 1}",
        "position: ['=1 if i < 8 else 1/0', 0], shape: {circle: 1}",
        "shape: {circle: =8-i}",
        "shape: {circle: 1}, mass: '=1e300*1e300 if i > 7 else 1'",
        "shape: {circle: 1}, trail: {length: =8-i}",
    ],
)
def test_what_is_wrong_in_one_turn_is_told_of_the_first_that_has_it(text: str) -> None:
    with pytest.raises(SceneError) as caught:
        loads(f"rigid: 1\nbodies: {{a: {{repeat: {{i: 30}}, {text}}}}}")
    (problem,) = caught.value.problems
    assert problem.path.startswith("bodies.a[8].")


def test_the_work_of_expressions_is_bounded_when_all_turns_are_evaluated_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "EXPRESSION_WORK", 100)
    with pytest.raises(SceneError, match="more than 100 operations together"):
        loads("rigid: 1\n" + joints("type: weld"))


def test_the_speed_of_a_motor_may_differ_between_the_joints_of_a_generator() -> None:
    made = loads("rigid: 1\n" + joints("type: prismatic, motor: {speed: =i, max_force: 1}")).joints
    assert [joint.motor.speed for joint in list(made.values())[:3] if joint.motor] == [0, 1, 2]


def test_nothing_is_compared_with_other_words_once_the_allowance_is_spent() -> None:
    names = [f"name{i}" for i in range(20_000)]
    with one_allowance():
        for i in range(100):
            nearest_name(f"nam{i}", names)
        profile = cProfile.Profile()
        assert profile.runcall(nearest_name, "nam5", names) == ""
    assert sum(entry.callcount for entry in profile.getstats()) < 10


@pytest.mark.parametrize(
    "curve",
    [
        "{arc: {center: [0, 0], radius: =1+k, from: 0, to: 360}}",
        "{spline: [[0, 0], [=1+k, 1], [3, 0]]}",
        "{path: M 0 0 A 1 1 0 0 1 1 1, tolerance: =1e-4/(k+1)}",
        "{points: {count: 90, x: =i + k, y: 1}}",
    ],
)
def test_the_points_of_all_curves_are_bounded(curve: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CURVE_POINTS", 1000)
    shape = f"shape: {{chain: {curve}}}"
    with pytest.raises(SceneError) as caught:
        loads(f"rigid: 1\nbodies: {{a: {{repeat: {{k: 900}}, type: static, {shape}}}}}\n")
    (problem,) = caught.value.problems
    assert "the curves of this scene have more than 1000 points together" in problem.message


def test_the_points_of_a_curve_are_not_found_for_all_turns_at_once() -> None:
    points = "{points: {count: 500, x: =i, y: 1}}"
    text = (
        f"rigid: 1\nbodies: {{a: {{repeat: {{k: 40}}, type: static, shape: {{chain: {points}}}}}}}"
    )
    tracemalloc.start()
    try:
        loads(text)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 15e6  # 20,000 points; in all turns, for each turn, they would be 800,000


def test_a_path_that_is_closed_again_and_again_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CURVE_POINTS", 1_000_000)
    with pytest.raises(SceneError, match="is closed more than 20,000 times"):
        loads(
            "rigid: 1\nbodies: {a: {type: static, shape: {chain: {path: M 0 0 L 1 1"
            f"{'Z' * 30_000}}}}}}}}}\n"
        )


@pytest.mark.parametrize("piece", ["1+", "-2*", "sin(1)+", "(2-3)*"])
def test_what_is_plain_in_an_expression_takes_no_memory_of_its_own(piece: str) -> None:
    tracemalloc.start()
    try:
        kept = [Expression(f"={piece * 50}{i}") for i in range(30)]
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken / len(kept) < 5000


@every_row(
    ("source", "value"),
    [("=0.1+0.2*3", 0.1 + 0.2 * 3), ("=-(1-3)", 2.0), ("=--2", 2.0), ("=1/0 if i else 2", 2.0)],
)
def test_what_is_plain_has_the_same_value(source: str, value: float) -> None:
    assert Expression(source).evaluate({"i": 0.0}) == value


@pytest.mark.parametrize(
    ("source", "message"),
    [("=sqrt(-1)+1", "square root of a negative"), ("=1e300*1e300", "not a finite number")],
)
def test_what_is_plain_and_wrong_is_told_when_it_is_needed(source: str, message: str) -> None:
    expression = Expression(source)
    with pytest.raises(ExpressionError, match=message):
        expression.evaluate({})


def expectations(count: int, that: str = "=b{}.y > 0") -> str:
    return f"bodies: {{a: {BODY}}}\nexpect:\n" + "".join(
        f"- {{always: {that.format(i)}}}\n" for i in range(count)
    )


def calls_of_wrong(function: str, text: str) -> int:
    """How often a function is called while a scene is read that has problems."""
    profile = cProfile.Profile()
    with pytest.raises(SceneError):
        profile.runcall(loads, "rigid: 1\n" + text)
    return sum(
        entry.callcount
        for entry in profile.getstats()
        if not isinstance(entry.code, str) and entry.code.co_name == function
    )


def work_of_wrong(text: str) -> int:
    """How many functions are called in all while a scene is read that has problems."""
    profile = cProfile.Profile()
    with pytest.raises(SceneError):
        profile.runcall(loads, "rigid: 1\n" + text)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("key", ["bodyes#: 1", "bodyes#: {a: 1}", "'#': =max(1"])
def test_unknown_keys_beside_each_other_take_no_more_work_each_the_more_they_are(key: str) -> None:
    few, many, more = (
        work_of_wrong("".join(key.replace("#", str(i)) + "\n" for i in range(count)))
        for count in (60, 240, 420)
    )
    assert more - many < 1.5 * (many - few)


def test_expectations_beyond_the_limit_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EXPECTATIONS", 10)
    assert calls_of_wrong("check_condition", expectations(500)) <= 22


def test_expectations_beyond_the_limit_are_an_error_at_the_first_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "EXPECTATIONS", 10)
    with pytest.raises(SceneError) as caught:
        loads("rigid: 1\n" + expectations(500, "=a.y > {}"))
    assert [(each.line, each.kind) for each in caught.value.problems] == [(14, "limit")]


def test_no_pattern_is_made_for_each_wrong_name() -> None:
    few, many = (calls_of_wrong("_parse", expectations(count)) for count in (600, 1200))
    assert many <= few + 10


POLYGON = "{shape: {polygon: [[0, 0], [1, 0], [0, 1]]}}"


@pytest.mark.parametrize("body", [BODY, POLYGON], ids=["circle", "polygon"])
def test_a_scene_is_read_without_numpy(body: str) -> None:
    program = f"""
import sys
from rigid2d.core.scene.loading import loads
loads("rigid: 1\\nbodies: {{a: {body}}}\\n")
assert "numpy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_blocks_that_no_file_has_are_not_prepared() -> None:
    program = f"""
from rigid2d.core.scene.blocks.scene import SceneInput
from rigid2d.core.scene.loading import loads
first = "rigid: 1\\nbodies: {{a: {BODY}}}\\n"
loads(first)
loads(first)
assert not SceneInput.__pydantic_complete__
assert loads(first + "render: {{fps: 20}}\\n").render.fps == 20
assert SceneInput.__pydantic_complete__
assert loads(first + "\\nvars: {{n: 3}}\\n").vars["n"] == 3
"""
    subprocess.run([sys.executable, "-c", program], check=True)


class Counted(tuple[str, ...]):
    """Names that tell how often they are gone through."""

    times = 0

    def __iter__(self) -> Iterator[str]:
        self.times += 1
        return super().__iter__()


def test_what_a_key_does_with_many_instances_is_gone_through_once() -> None:
    names = Counted(("a", "b"))
    key = Joined()
    key.add(Control("up", holds=names), None)  # type: ignore[arg-type]
    for i in range(9):
        key.add(Control("up", holds=(f"c{i}", "a")), None)  # type: ignore[arg-type]
    assert key.control().holds == ("a", "b", *(f"c{i}" for i in range(9)))
    assert names.times == 1


def test_the_tags_that_instances_of_a_generator_add_are_shared() -> None:
    first, second = loads(
        f"rigid: 1\nprototypes: {{p: {{bodies: {{b: {{tags: [a, b], {BODY[1:]}}}}}}}\n"
        "instances: {i: {repeat: {k: 2}, use: p, at: [=k, 0], tags: [b, c]}}\n"
    ).bodies.values()
    assert first.tags == ("a", "b", "c")
    assert first.tags is second.tags
