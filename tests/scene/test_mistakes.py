# SPDX-License-Identifier: MIT
"""Many mistakes in one scene: each is reported once, nothing else is, and thousands cost little."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from zlib import adler32

import pytest
from rigid2d.core.errors import Problem, SceneError
from rigid2d.core.nearest import nearest_name, one_allowance
from rigid2d.core.scene import limits, loads
from rigid2d.core.scene.blocks.scene import SceneInput
from rigid2d.core.scene.building.structure import model_at
from rigid2d.core.scene.text.yaml_reader import Reader
from rigid2d.core.scene.values.quantity import Quantity

from tests.rows import every_row
from tests.scene.malformed_scenes import ALL, Malformed
from tests.search import tries

ROOT = Path(__file__).parents[2]
SCENES = [
    path
    for path in sorted((ROOT / "scenes").rglob("*.yaml"))
    if "\nrigid:" in "\n" + path.read_text(encoding="utf-8")
]
TRIES = tries(1, 4)  # of each scene
NOWHERE = "zqx"

MAPPINGS = (
    *("rigid", "units", "material", "limits", "background"),
    *("set", "add", "on_release", "act"),
)
"""Keys whose values may be mappings, or are told of in other words."""

Path_ = tuple[int | str, ...]


class Twice(dict[str, Any]):
    """A mapping that is written with one of its keys given twice."""

    again = ""


class Planted:
    """A scene as plain data, and the mistakes that were put in: (path, kind)."""

    def __init__(self, data: Any, choose: random.Random) -> None:
        self.data = plain(data)
        self.choose = choose
        self.mistakes: list[tuple[Path_, str]] = []
        self.taken: list[Path_] = [("include",)]

    def is_free(self, path: Path_) -> bool:
        """Whether nothing was planted at, under or over a path."""
        return not any(
            path[: len(other)] == other or other[: len(path)] == path for other in self.taken
        )

    def at(self, path: Path_) -> Any:
        here = self.data
        for part in path:
            here = here[part]
        return here

    def put(self, path: Path_, value: Any, kind: str) -> None:
        self.at(path[:-1])[path[-1]] = value
        self.note(path, kind)

    def note(self, path: Path_, kind: str, reported: Path_ | None = None) -> None:
        self.taken.append(path)
        self.mistakes.append((path if reported is None else reported, kind))

    def values(self) -> Iterator[tuple[Path_, Any]]:
        yield from walk(self.data, ())


def walk(value: Any, path: Path_) -> Iterator[tuple[Path_, Any]]:
    yield path, value
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for part, item in items:
        yield from walk(item, (*path, part))


def field_kind(path: Path_) -> Any:
    """What checks a value, where that is a single kind."""
    owner = model_at(SceneInput, path[:-1])
    if owner is None:
        return None
    for name, field in owner.model_fields.items():
        if (field.alias or name) == path[-1]:
            return next(iter(field.metadata), None)
    return None


def is_number(path: Path_, value: Any) -> bool:
    return isinstance(field_kind(path), Quantity) and isinstance(value, (int, float, str))


# ------------------------------------------------------------ mistakes

Plant = Callable[[Planted, Path_, Any], bool]


def misspell_a_key(planted: Planted, path: Path_, value: Any) -> bool:
    owner = model_at(SceneInput, path[:-1]) if path else None
    key = path[-1] if path else 0
    if owner is None or not isinstance(key, str) or len(key) < 5:
        return False
    i = planted.choose.randrange(1, len(key) - 1)
    wrong = planted.choose.choice([key[:i] + key[i + 1 :], key[:i] + key[i] + key[i:]])
    block = planted.at(path[:-1])
    known = {field.alias or name for name, field in owner.model_fields.items()}
    if wrong in known or wrong in owner.hints:
        return False
    items = [(wrong if name == key else name, item) for name, item in block.items()]
    block.clear()
    block.update(items)
    planted.taken.append(path)
    planted.note((*path[:-1], wrong), "unknown-key")
    return True


def add_a_key(planted: Planted, path: Path_, value: Any) -> bool:
    if not isinstance(value, dict) or model_at(SceneInput, path) is None or "qqq" in value:
        return False
    value["qqq"] = 1
    planted.note((*path, "qqq"), "unknown-key")
    return True


def give_a_key_twice(planted: Planted, path: Path_, value: Any) -> bool:
    if not path or not isinstance(path[-1], str) or isinstance(planted.at(path[:-1]), Twice):
        return False
    if len(path) < 2 or isinstance(path[-2], int):
        return False
    block = Twice(planted.at(path[:-1]))
    block.again = path[-1]
    planted.at(path[:-2])[path[-2]] = block
    planted.note(path, "duplicate-key", (*path, "again"))
    return True


def give_another_type(planted: Planted, path: Path_, value: Any) -> bool:
    kind = field_kind(path) if path else None
    if kind is None or path[-1] in MAPPINGS or path == ("task", "start"):
        return False
    planted.put(path, {"a": 1}, "wrong-type")
    return True


def give_a_wrong_unit(planted: Planted, path: Path_, value: Any) -> bool:
    if not path or not is_number(path, value):
        return False
    planted.put(path, "3 zorp", "wrong-unit")
    return True


def divide_by_zero(planted: Planted, path: Path_, value: Any) -> bool:
    if not path or not is_number(path, value):
        return False
    planted.put(path, "=1 / 0", "expression")
    return True


def leave_an_expression_open(planted: Planted, path: Path_, value: Any) -> bool:
    if not path or not is_number(path, value):
        return False
    planted.put(path, "=2 * (1", "expression")
    return True


def use_an_unknown_var(planted: Planted, path: Path_, value: Any) -> bool:
    if not path or not is_number(path, value) or path[0] == "defaults":
        return False
    planted.put(path, f"=2 * {NOWHERE}{len(planted.taken)}", "unknown-name")
    return True


def go_below_the_least(planted: Planted, path: Path_, value: Any) -> bool:
    kind = field_kind(path) if path else None
    if not isinstance(kind, Quantity) or (kind.low is None and kind.above is None):
        return False
    planted.put(path, -1, "out-of-range")
    return True


def name_nothing(planted: Planted, path: Path_, value: Any) -> bool:
    """A name of a body or material that there is not."""
    last = path[-2:] if path and isinstance(path[-1], int) else path[-1:]
    if not isinstance(value, str) or not last or last[0] not in ("bodies", "body", "material"):
        return False
    if path[0] not in ("joints", "actuators", "bodies", "expect") or len(path) < 3:
        return False
    planted.put(path, f"{NOWHERE}{len(planted.taken)}", "unknown-name")
    return True


def expect_of_nothing(planted: Planted, path: Path_, value: Any) -> bool:
    if len(path) != 3 or path[0] != "expect" or path[2] not in ("that", "always", "eventually"):
        return False
    planted.put(path, f"=abs({NOWHERE}{len(planted.taken)}.x) < 1", "unknown-name")
    return True


def name_another_type(planted: Planted, path: Path_, value: Any) -> bool:
    if len(path) != 3 or path[0] not in ("bodies", "joints", "actuators") or path[2] != "type":
        return False
    planted.put(path, "zqxwv", "unknown-word")
    return True


def leave_a_key_out(planted: Planted, path: Path_, value: Any) -> bool:
    needed = {"bodies": ("shape", "shapes"), "joints": ("type", "bodies"), "actuators": ("type",)}
    if len(path) != 3 or path[2] not in needed.get(str(path[0]), ()):
        return False
    default = {"bodies": "body", "joints": "joint"}.get(str(path[0]), "")
    if any(key in planted.data.get("defaults", {}).get(default, {}) for key in needed[path[0]]):
        return False
    del planted.at(path[:-1])[path[-1]]
    planted.note(path, "missing-key", path[:-1])
    return True


def call_an_object_by_a_bad_name(planted: Planted, path: Path_, value: Any) -> bool:
    if path != ("bodies",):
        return False
    name = f"an object {len(planted.taken)}"
    value[name] = {"shape": {"box": [1, 1]}}
    planted.note((*path, name), "invalid-name")
    return True


def paint_in_no_colour(planted: Planted, path: Path_, value: Any) -> bool:
    if not path or path[-1] not in ("color", "outline") or not isinstance(value, str):
        return False
    planted.put(path, "blurple", "unknown-word")
    return True


MISTAKES: list[Plant] = [
    misspell_a_key,
    add_a_key,
    give_a_key_twice,
    give_another_type,
    give_a_wrong_unit,
    divide_by_zero,
    leave_an_expression_open,
    use_an_unknown_var,
    go_below_the_least,
    name_nothing,
    expect_of_nothing,
    name_another_type,
    leave_a_key_out,
    call_an_object_by_a_bad_name,
    paint_in_no_colour,
]


# ------------------------------------------------------------ text and lines


def write(value: Any) -> tuple[str, dict[Path_, int]]:
    """The value as JSON, which is YAML, and the line of each value."""
    lines: list[str] = []
    places: dict[Path_, int] = {}

    def add(value: Any, path: Path_, lead: str, tail: str) -> None:
        places[path] = len(lines) + 1
        if isinstance(value, dict) and value:
            lines.append(f"{lead}{{")
            pairs = list(value.items())
            if isinstance(value, Twice) and value.again in value:
                pairs.append((value.again, value[value.again]))
            for n, (key, item) in enumerate(pairs):
                last = n == len(pairs) - 1
                again = isinstance(value, Twice) and last and n == len(value)
                place = (*path, key, "again") if again else (*path, key)
                add(item, place, f"{json.dumps(key)}: ", "" if last else ",")
            lines.append(f"}}{tail}")
        elif isinstance(value, list) and value:
            lines.append(f"{lead}[")
            for n, item in enumerate(value):
                add(item, (*path, n), "", "" if n == len(value) - 1 else ",")
            lines.append(f"]{tail}")
        else:
            lines.append(lead + scalar(value) + tail)

    add(value, (), "", "")
    return "\n".join(lines) + "\n", places


def scalar(value: Any) -> str:
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return ".inf" if value > 0 else "-.inf"
    return json.dumps(value, ensure_ascii=False)


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def plant(planted: Planted, choose: random.Random, count: int) -> None:
    for _ in range(20 * count):
        if len(planted.mistakes) == count:
            break
        mistake = choose.choice(MISTAKES)
        places = [(path, value) for path, value in planted.values() if planted.is_free(path)]
        choose.shuffle(places)
        any(mistake(planted, path, value) for path, value in places)


def problems(text: str, folder: Path) -> list[Problem]:
    with pytest.raises(SceneError) as caught:
        loads(text, folder=folder)
    return caught.value.problems


def without_lines(message: str) -> str:
    """A message that says the same wherever other lines are."""
    return re.sub(r"\bline \d+", "a line", message)


def differences(planted: Planted, known: list[Problem], folder: Path) -> list[str]:
    """What is reported too often (+) or not (-); ``known`` was wrong before, in ``taken``."""
    text, places = write(planted.data)
    all_found = problems(text, folder)
    old = {(problem.path, without_lines(problem.message)) for problem in known}
    new = [each for each in all_found if (each.path, without_lines(each.message)) not in old]
    found = Counter((problem.line, problem.kind) for problem in new)
    found += Counter(("known", problem.path) for problem in all_found if problem not in new)
    wanted: Counter[Any] = Counter((places[path], kind) for path, kind in planted.mistakes)
    wanted += Counter(("known", problem.path) for problem in known)
    shown = [f"+ {key}" for key in (found - wanted).elements()]
    shown += [f"- {key}" for key in (wanted - found).elements()]
    return [*shown, "", *map(str, all_found)] if shown else []


def try_scene(path: Path, seed: int) -> None:
    choose = random.Random(seed)
    planted = Planted(Reader().read(path.read_text(encoding="utf-8"), str(path)), choose)
    plant(planted, choose, choose.randint(2, 6))
    wrong = differences(planted, [], path.parent)
    assert not wrong, "\n".join([*wrong, "", *map(str, planted.mistakes)])


@every_row("path", SCENES[:: tries(3, 1)], ids=lambda path: path.stem)
def test_each_of_several_mistakes_is_reported_once_and_nothing_else(path: Path) -> None:
    for seed in range(TRIES):
        try_scene(path, 1000 * adler32(path.stem.encode()) + seed)


def known_mistakes(case: Malformed, folder: Path) -> tuple[Any, list[Problem]] | None:
    """The data and problems of a file that is a mapping with bodies, wrong in known places."""
    try:
        data = Reader().read(case.content.decode(), case.name)
    except (SceneError, UnicodeDecodeError):
        return None
    if not isinstance(data, dict) or not isinstance(data.get("bodies"), dict):
        return None
    if "include" in data:
        return None  # what is missing may be in the file that cannot be read
    try:
        loads(write(plain(data))[0], folder=folder)
    except SceneError as error:
        known = all(problem.path != "bodies" for problem in error.problems)
        return (data, error.problems) if known else None
    return None  # what was wrong is not in the values, as a tag or a key given twice


def try_malformed(data: Any, known: list[Problem], folder: Path, seed: int) -> None:
    """Known problems of the data are reported as before, with new mistakes in new bodies."""
    choose = random.Random(seed)
    planted = Planted(data, choose)
    planted.taken += [(key,) for key in planted.data]
    planted.data["bodies"]["fresh"] = {
        "type": "dynamic",
        "shape": {"box": [1, 1], "friction": 0.3, "color": "red"},
        "position": [100, 0],
        "angle": 30,
        "linear_damping": 0.1,
    }
    section = planted.taken.index(("bodies",))
    planted.taken[section : section + 1] = [("bodies", name) for name in planted.data["bodies"]]
    planted.taken.remove(("bodies", "fresh"))
    plant(planted, choose, choose.randint(2, 5))
    wrong = differences(planted, known, folder)
    assert not wrong, "\n".join([*wrong, "", *map(str, planted.mistakes)])


@every_row(("number", "case"), enumerate(ALL), ids=[case.name for case in ALL])
def test_mistakes_elsewhere_are_reported_beside_that_of_a_malformed_file(
    number: int, case: Malformed, malformed: Path
) -> None:
    if number % tries(8, 1):
        return
    known = known_mistakes(case, malformed)
    if known is None:
        pytest.skip("what is wrong is not in the values")
    try_malformed(*known, malformed, 5000 + number)


def test_a_name_that_cannot_be_one_is_the_only_mistake() -> None:
    text = """
rigid: 1
materials: {"hard!": {friction: 0.1}}
bodies:
  ball!: {shape: {circle: 1}, position: [0, 3], material: hard}
  box: {shape: {box: [1, 1]}}
joints:
  "a rope": {type: distance, bodies: [ball, box]}
camera: {mode: follow, target: ball}
record: {channels: [ball, a_rope.force]}
expect: [{always: =ball.y > 0}, {at: end, body: ball, position: [0, 0]}]
"""
    with pytest.raises(SceneError) as caught:
        loads(text)
    assert [(each.kind, each.line) for each in caught.value.problems] == [
        ("invalid-name", 3),
        ("invalid-name", 5),
        ("invalid-name", 8),
    ]


def test_a_channel_is_of_a_body_or_a_joint() -> None:
    text = "rigid: 1\nvars: {n: 1}\nbodies: {ball: {shape: {circle: 1}}}\nrecord: {channels: [n]}\n"
    with pytest.raises(SceneError, match="there is no body or joint `n`"):
        loads(text)


# ---------------------------------------------------------------- thousands of mistakes

BODY = "{shape: {circle: 0.1}}"


def messages_of(text: str) -> list[str]:
    with pytest.raises(SceneError) as caught:
        loads("rigid: 1\n" + text)
    return [problem.message for problem in caught.value.problems]


def lines(count: int, line: Callable[[int], str]) -> str:
    return "\n".join(f"  {line(i)}" for i in range(count)) + "\n"


def test_misspelt_keys_are_counted() -> None:
    found = messages_of("bodies:\n" + lines(4000, lambda i: f"b{i}: {{shap: {{circle: 0.1}}}}"))
    assert len(found) == limits.PROBLEMS + 1
    assert found[0] == "unknown key `shap`; did you mean `shape`?"
    assert found[-1] == "and 3,900 more problems"


def test_joints_of_unknown_bodies_are_counted() -> None:
    found = messages_of(
        "bodies:\n"
        + lines(1500, lambda i: f"part{i}: {BODY}")
        + "joints:\n"
        + lines(1500, lambda i: f"j{i}: {{type: revolute, bodies: [paart{i}, world]}}")
    )
    assert found[0] == "there is no body `paart0`; did you mean `part0`?"
    assert found[-1].endswith("more problems")


def test_unknown_materials_are_counted() -> None:
    found = messages_of(
        "materials:\n"
        + lines(1500, lambda i: f"steel{i}: {{friction: 1}}")
        + "bodies:\n"
        + lines(1500, lambda i: f"b{i}: {{shape: {{circle: 1}}, material: x{i}steel}}")
    )
    assert found[-1] == "and 1,400 more problems"


def test_unknown_variables_are_counted() -> None:
    found = messages_of(
        "vars:\n"
        + lines(1500, lambda i: f"long_name_{i}: 1")
        + "bodies:\n"
        + lines(1500, lambda i: f"b{i}: {{shape: {{circle: =longname{i}}}}}")
    )
    assert found[-1] == "and 1,400 more problems"


def test_long_names_are_not_compared() -> None:
    word = "ab" * 100_000
    (found,) = messages_of(f"{word}: 1\nbodies: {{b: {BODY}}}")
    assert "did you mean" not in found


def test_the_nearest_name_is_the_one_that_difflib_has_first() -> None:
    choose = random.Random(1)
    for _ in range(500):
        letters = choose.choice(["ab", "abcdef"])
        word, *names = ("".join(choose.choices(letters, k=choose.randint(0, 8))) for _ in range(12))
        cutoff = choose.choice([0.3, 0.6, 0.8])
        right = next(iter(get_close_matches(word, names, 1, cutoff)), "")
        assert nearest_name(word, names, cutoff) == right


def test_all_searches_of_a_scene_share_one_allowance() -> None:
    names = [f"name{i}" for i in range(20_000)]
    with one_allowance():
        found = [nearest_name(f"nam{i}", names) for i in range(100)]
    assert found[0] == "name0"
    assert found[-1] == ""
    assert nearest_name("nam5", names) == "name5"


def test_two_slips_of_one_key_in_one_mapping_are_both_told() -> None:
    found = messages_of("bodies: {b: {shap: {circle: 1}, shpe: {circle: 1}}}")
    assert len(found) == 2


def test_channels_that_are_repeated_are_recorded_once() -> None:
    text = "bodies: {b: {repeat: {i: 1000}, position: [=i, 0], shape: {circle: 0.1}}}\n"
    scene = loads(f"rigid: 1\n{text}record: {{channels: [{', '.join(['b', 'b.x'] * 30_000)}]}}")
    assert scene.record.channels is not None
    assert len(scene.record.channels) == 2000
    assert scene.record.channels[:2] == ("b[0]", "b[1]")
    assert scene.record.channels[1000] == "b[0].x"


def test_all_mistakes_of_a_study_are_reported_at_once() -> None:
    scene = """rigid: 1
vars: {v: 1}
bodies: {ball: {shape: {circle: 1}}}
study:
  vary:
    vars.w: [1, 2]
    bodies.bal.mass: [1, 2]
    bodies.ball.velocity: [left]
    vars.v: {uniform: [3, 1]}
  sample: all
  until: =bal.x > 3
  collect: {speed: =ball.sped, high: {max: =bel.y}}
  wrong: 3
"""
    with pytest.raises(SceneError) as caught:
        loads(scene)
    assert [problem.line for problem in caught.value.problems] == [6, 7, 8, 9, 10, 11, 12, 12, 13]


def test_a_misspelt_action_of_a_task_is_one_mistake() -> None:
    scene = """rigid: 1
bodies: {cart: {shape: {circle: 1}}}
actuators: {push: {type: force, body: cart, force: [0, 0]}}
task: {observe: [cart.x], act: {pusch.force.x: [-1, 1]}, reward: =-abs($push.force.x)}
"""
    with pytest.raises(SceneError, match="did you mean `push`") as caught:
        loads(scene)
    assert len(caught.value.problems) == 1


@every_row(
    ("change", "warned"),
    [
        ("", True),
        ("ground: {type: static, shape: {box: [9, 1]}, position: [0, -9]}", False),
        ("world: {gravity: [0, 0]}", False),
        ("expect: [{at: end, that: =a.y < 1}]", False),
        ("joints: {hang: {type: revolute, bodies: [world, a], anchor: [0, 0]}}", False),
    ],
)
def test_bodies_that_all_fall_are_a_warning(change: str, warned: bool) -> None:
    inside, top = (f"  {change}\n", "") if change.startswith("ground") else ("", f"{change}\n")
    bodies = "  a: {shape: {circle: 1}}\n  b: {shape: {circle: 1}, position: [5, 0]}\n"
    found = loads(f"rigid: 1\nbodies:\n{bodies}{inside}{top}").warnings
    assert [(each.line, "fall for ever" in each.message) for each in found] == [(3, True)] * warned
