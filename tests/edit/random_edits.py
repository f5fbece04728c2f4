# SPDX-License-Identifier: MIT
"""Random edits of all scenes of the project, and what holds for each of them.

    python -m tests.edit.random_edits --edits 20000

After each edit the new text loads; only what was meant differs in the loaded scene; every byte
outside of the edited values is the same; undo gives the old bytes and redo the new ones.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from rigid2d.core.edit.document import Document
from rigid2d.core.errors import RigidError
from rigid2d.core.scene.model import Scene

ROOT = Path(__file__).resolve().parents[2]
SCENES = ROOT / "scenes"
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
LOCAL = {"generated": {"copy", "unroll", "when"}, "shared": {"here"}, "expression": set()}
"""Answers after which only the objects that were named differ."""
UNSEEN = frozenset(
    ("compare", "text", "identity", "path", "files", "basis", "warnings", "readings")
)


class WrongError(AssertionError):
    """An invariant that does not hold."""


# ---------------------------------------------------------------- what is done


def some(rng: random.Random, names: list[str], most: int = 3) -> list[str]:
    return rng.sample(names, min(len(names), rng.randint(1, most)))


def number(rng: random.Random, size: float = 1.0) -> float:
    return round(rng.uniform(-size, size), rng.choice((0, 1, 2, 2, 3)))


def shift(rng: random.Random, size: float) -> list[float]:
    pair = [number(rng, size), number(rng, size)]
    pair[rng.randint(0, 1)] *= rng.choice((0, 1))
    return pair


def messages(rng: random.Random, scene: Scene) -> Iterator[dict[str, Any]]:
    """Endless random edits of a scene."""
    bodies = [f"bodies.{name}" for name in scene.bodies]
    joints = [f"joints.{name}" for name in scene.joints]
    size = 2.0 * scene.world.length_unit
    xs = [each.position[0] for each in scene.bodies.values()] or [0.0]
    ys = [each.position[1] for each in scene.bodies.values()] or [0.0]

    def spot() -> list[float]:
        return [round(rng.choice(xs) + number(rng, size), 2), round(rng.choice(ys), 2)]

    makers = {
        "move": lambda: {"what": some(rng, [*bodies, *joints[:2]]), "by": shift(rng, size)},
        "turn": lambda: {
            "what": some(rng, bodies), "by": number(rng, 90),
            "about": rng.choice((None, None, spot())),
        },
        "rename": lambda: {
            "what": [rng.choice([*bodies, *joints, *(f"vars.{v}" for v in scene.vars),
                                *(f"state.{v}" for v in scene.state)])],
            "to": rng.choice(("Object_7", "zz", "new_name", "ball", "x9", "a.b", "world")),
        },
        "delete": lambda: {"what": some(rng, [*bodies, *joints], 2)},
        "set": lambda: _setting(rng, scene, size),
        "unset": lambda: {
            "path": rng.choice(bodies) + rng.choice((".color", ".angle", ".mass", ".material"))
        },
        "take_pose": lambda: {
            "poses": {
                name.partition(".")[2]: [*spot(), number(rng, 180)] for name in some(rng, bodies)
            }
        },
    }  # fmt: skip
    makers |= more_kinds(rng, scene, bodies, joints, size, spot)
    weights = {"move": 5, "turn": 3, "set": 4, "scale": 3, "delete": 2, "rename": 2}
    names = [*makers]
    while True:
        kind = rng.choices(names, [weights.get(name, 1) for name in names])[0]
        try:
            message = {"edit": kind, **makers[kind]()}
        except (IndexError, ValueError):  # there is none of what would be changed
            continue
        if rng.random() < 0.4:
            message["step"] = rng.choice((0.1, 0.25, 0.05, 1.0)) * scene.world.length_unit
        yield message


def more_kinds(
    rng: random.Random,
    scene: Scene,
    bodies: list[str],
    joints: list[str],
    size: float,
    spot: Any,
) -> dict[str, Any]:
    kinds = [*SHAPES]
    return {
        "scale": lambda: {
            "what": some(rng, bodies, 2), "by": rng.choice(([2, 2], [0.5, 0.5], [1.5, 0.75])),
            "about": rng.choice((None, None, spot())),
        },
        "pivot": lambda: {"what": [rng.choice(bodies)], "at": spot()},
        "duplicate": lambda: {
            "what": some(rng, [*bodies, *joints[:1]]), "by": shift(rng, size),
            "count": rng.choice((1, 1, 2)),
        },
        "mirror": lambda: {
            "what": some(rng, bodies), "axis": rng.choice("xy"),
            "at": rng.choice((None, number(rng, size))),
        },
        "align": lambda: {
            "what": some(rng, bodies, 4),
            "to": rng.choice(("left", "center", "right", "top", "middle", "bottom")),
        },
        "distribute": lambda: {"what": some(rng, bodies, 5), "along": rng.choice("xy")},
        "add": lambda: rng.choice(ADDED),
        "draw": lambda: {
            "kind": rng.choice(kinds), "points": SHAPES[rng.choice(kinds)],
            "type": rng.choice(("static", "dynamic")),
        },
        "join": lambda: {
            "type": rng.choice(("revolute", "distance", "weld", "prismatic", "wheel")),
            "bodies": rng.choice(
                ([rng.choice(bodies), "world"], [rng.choice(bodies), rng.choice(bodies)])
            ),
            "at": rng.choice(([spot()], [spot(), spot()])),
        },
        "vertices": lambda: {
            "what": [rng.choice(bodies)], "do": rng.choice(("move", "insert", "delete", "round")),
            "index": rng.randint(0, 4), "to": spot(), "radius": 0.1,
        },
        "split": lambda: {"what": [rng.choice(bodies)], "line": [spot(), spot()]},
        "combine": lambda: {
            "what": rng.sample(bodies, 2), "how": rng.choice(("union", "difference")),
        },
        "anchor": lambda: {
            "what": [rng.choice(joints)], "to": spot(), "end": rng.choice((0, 1, None)),
        },
        "joint": lambda: {
            "what": [rng.choice(joints)],
            **rng.choice((
                {"limits": [-40, 20.5]}, {"axis": [1, 2]}, {"length": 1.5},
                {"motor": {"speed": 30}}, {"spring": {"frequency": 3}}, {"limits": [None, None]},
            )),
        },
        "texture": lambda: {
            "what": [rng.choice(bodies)],
            **rng.choice((
                {"move": shift(rng, 1)}, {"turn": 30}, {"scale": [2, 1]}, {"mirror": "x"},
                {"fields": {"tint": "gray"}},
            )),
        },
        "prototype": lambda: {"what": some(rng, bodies, 4), "name": "made"},
        "instance": lambda: {
            "use": rng.choice([*_prototypes(scene)]), "at": spot(), "angle": number(rng, 90),
        },
        "unroll": lambda: {
            "what": [rng.choice([b.partition("[")[0] for b in bodies if b.endswith("]")])]
        },
        "group": lambda: {"what": some(rng, bodies), "name": "some"},
        "collide": lambda: {
            "a": rng.choice(_categories(scene)), "b": rng.choice(_categories(scene)),
            "value": rng.choice((True, False)),
        },
        "reorder": lambda: {"what": [rng.choice([*bodies, *joints])], "to": rng.randint(0, 5)},
    }  # fmt: skip


SHAPES: dict[str, list[list[float]]] = {
    "box": [[0, 0], [1, 0.5]],
    "circle": [[0, 1], [0.3, 1]],
    "capsule": [[0, 0], [1, 1]],
    "bar": [[0, 0], [2, 1]],
    "polygon": [[0, 0], [2, 0], [2, 1], [1, 0.4], [0, 1]],
    "chain": [[-5, 0], [-1, 0.2], [2, 0], [5, 1]],
}
ADDED: list[dict[str, Any]] = [
    {"section": "bodies", "value": {"shape": {"box": [0.4, 0.4]}, "position": [0.123, 9]}},
    {"section": "bodies", "name": "ball", "value": {"shape": {"circle": 0.2}, "color": "#336699"}},
    {"section": "materials", "name": "ice", "value": {"friction": 0.02}},
    {"section": "vars", "name": "zeta", "value": 2.5},
    {"section": "annotations", "value": {"text": "a: text, with {braces}", "at": [1, 2]}},
    {"section": "expect", "value": {"at": "end", "that": "=world.bodies > 0"}},
    {"section": "camera", "value": {"mode": "fit"}},
    {"section": "layers", "value": {"image": "nothing.png"}},
]


def _prototypes(scene: Scene) -> list[str]:
    found = re.search(r"^prototypes:\r?\n((?:[ ].*\r?\n|\r?\n)*)", scene.text, re.M)
    return re.findall(r"^  (\w+):", found[1], re.M) if found else []


def _categories(scene: Scene) -> list[str]:
    return [*dict.fromkeys(["default", *(b.category for b in scene.bodies.values())])]


def _setting(rng: random.Random, scene: Scene, size: float) -> dict[str, Any]:
    body, joint = [*scene.bodies], [*scene.joints]
    choices: list[tuple[str, Any]] = [
        ("world.gravity", [0, -9.81]), ("world.gravity[1]", number(rng, 9)),
        ("world.duration", rng.randint(1, 20)), ("render.theme", rng.choice(("dark", "light"))),
        ("name", "Another name: with a colon"), ("world.seed", rng.randint(0, 9)),
    ]  # fmt: skip
    if body:
        address = f"bodies.{rng.choice(body)}"
        choices += [
            (f"{address}.color", rng.choice(("tomato", "#123456", "teal"))),
            (f"{address}.friction", abs(number(rng, 1))), (f"{address}.z", number(rng, 3)),
            (f"{address}.angle", number(rng, 180)), (f"{address}.velocity", shift(rng, size)),
            (f"{address}.restitution", 0), (f"{address}.visible", rng.choice((True, False))),
            (f"{address}.tags", ["a", "b c"]), (f"{address}.trail", {"length": 0.5}),
            (f"{address}.position[0]", number(rng, size)), (f"{address}.collide", True),
            (f"{address}.points.tip", shift(rng, size)), (f"{address}.gravity_scale", 1),
            (f"{address}.texture.angle", number(rng, 90)),
        ]  # fmt: skip
    if joint:
        address = f"joints.{rng.choice(joint)}"
        choices += [
            (f"{address}.collide", rng.choice((True, False))), (f"{address}.visible", False),
            (f"{address}.motor.speed", number(rng, 90)), (f"{address}.limits", [-30, 45]),
            (f"{address}.spring", {"frequency": 2, "damping_ratio": 0.5}),
        ]  # fmt: skip
    if scene.vars:
        choices += [(f"vars.{rng.choice([*scene.vars])}", number(rng, 5))] * 3
    path, value = rng.choice(choices)
    return {"path": path, "value": value}


# ---------------------------------------------------------------- what has to hold


def check_bytes(
    message: Mapping[str, Any], answer: Mapping[str, Any], old: Mapping[str, str]
) -> None:
    """Every byte outside of the edited values is the same."""
    for name, file in answer["files"].items():
        before, after = old[name], file["text"]
        kind = message["edit"]
        shared = {"here", "var", "number", "constant", "copy"} & {
            *message.get("choices", {}).values()
        }
        numeric = kind in ("move", "turn", "take_pose") and not is_structural(message)
        if numeric and not shared:
            spans = file["changed"]
            for start, end, new in spans:
                if re.search(r"[#&|>]|[A-Za-z]{3,}", re.sub(r"position|angle|offset|at:", "", new)):
                    raise WrongError(f"{name}: `{before[start:end]}` became `{new}`")
        comments = [*_comments(before)]
        left = Counter(_comments(after))
        lost = Counter(comments) - left
        if lost and kind not in ("delete", "set", "unset", "text") and not is_structural(message):
            raise WrongError(f"{name}: comments are lost: {[*lost][:3]}")
        alone = Counter(re.findall(r"^[ \t]*#.*$", before, re.M))
        gone = alone - Counter(re.findall(r"^[ \t]*#.*$", after, re.M))
        if gone and not is_structural(message) and not _inside(before, gone, message):
            raise WrongError(f"{name}: lines of comments are lost: {[*gone][:3]}")
        if ("\r\n" in before) != ("\r\n" in after) or (
            before.count("\r\n") and "\n" in after.replace("\r\n", "")
        ):
            raise WrongError(f"{name}: the ends of lines have changed")


def _inside(text: str, lost: Counter[str], message: Mapping[str, Any]) -> bool:
    """Whether comments were inside of what was deleted."""
    return message["edit"] in ("delete", "unset", "set")


def is_structural(message: Mapping[str, Any]) -> bool:
    chosen = message.get("choices", {})
    return chosen.get("generated") in ("unroll",) or message["edit"] in (
        "unroll", "prototype", "text", "reorder", "split", "combine",
    )  # fmt: skip


def _comments(text: str) -> list[str]:
    return re.findall(r"(?:^|\s)(#[^\n\r]*)", text)


def differing(old: Scene, new: Scene) -> set[str]:
    """The fields of a scene that differ, and of sections the names of objects."""
    found = set()
    for field in fields(Scene):
        if field.name in UNSEEN or not field.compare:
            continue
        a, b = getattr(old, field.name), getattr(new, field.name)
        if field.name == "expect":
            a, b = ([replace(e, line=0, column=0, file="") for e in each] for each in (a, b))
        if a == b:
            continue
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            for name in {*a, *b}:
                if a.get(name) != b.get(name):
                    found.add(f"{field.name}.{name}")
        else:
            found.add(field.name)
    return found


def check_scene(message: Mapping[str, Any], old: Scene, new: Scene) -> None:
    """Only what was meant differs."""
    kind = message["edit"]
    chosen: Mapping[str, str] = message.get("choices", {})
    if any(answer not in LOCAL.get(key, ()) for key, answer in chosen.items()):
        return
    if kind in UNMOVED:
        check_picture(message, old, new)
    if is_structural(message):
        return
    if kind in ("add", "draw", "join", "group", "duplicate", "instance"):
        check_added(old, new)
        return
    if kind not in WHAT:
        return
    if kind == "rename":
        lost = {*old.bodies} - {*new.bodies}
        made = {*new.bodies} - {*old.bodies}
        if len(lost) != len(made) or len(old.joints) != len(new.joints):
            raise WrongError(f"other objects after renaming: {lost} became {made}")
        return
    what = {*message.get("what", ()), *(f"bodies.{n}" for n in message.get("poses", ()))}
    if kind in ("set", "unset"):
        what = {message["path"]}
        if message["path"].partition(".")[0] in ("vars", "world", "name", "render"):
            return
        if message["path"].endswith(".tags"):  # others may be about them
            return
    for each in differing(old, new):
        section = each.partition(".")[0]
        if each in what or any(path.startswith((f"{each}.", f"{each}[")) for path in what):
            continue
        if any(each.startswith((f"{path}[", f"{path}.")) for path in what):
            continue
        if section in BESIDE or (section == "actuators" and kind in ("scale", "mirror", "pivot")):
            continue
        if kind == "delete" and section != "bodies":
            continue
        raise WrongError(f"{each} differs too")
    if kind == "move" and not chosen:
        check_move(message, old, new, what)
    if kind in ("move", "turn") and not chosen:
        check_joints(message, old, new, what)


def _bodies_of(joints: Iterable[str], scene: Scene) -> set[str]:
    held = (scene.joints[name] for name in joints)
    return {body for joint in held for body in (joint.body_a, joint.body_b)}


def check_joints(message: Mapping[str, Any], old: Scene, new: Scene, what: set[str]) -> None:
    """A joint of two bodies that went the same way holds them where it did."""
    if message["edit"] == "turn" and message.get("about") is None:
        return  # each about itself
    moved = {name for name in new.bodies if f"bodies.{name}" in what}
    for name, joint in new.joints.items():
        before = old.joints.get(name)
        if before is None or not {joint.body_a, joint.body_b} <= moved:
            continue
        if joint.links and not _bodies_of(joint.links, new) <= moved:
            continue  # of gears: the hinges of its wheels stay
        size = max(0.02 * new.world.length_unit, message.get("step", 0.0))
        ends = ((joint.anchor_a, before.anchor_a), (joint.anchor_b, before.anchor_b))
        if any(math.dist(now, then) > size for now, then in ends):
            raise WrongError(f"the joint {name} holds its bodies elsewhere")


WHAT = frozenset(
    ("move", "turn", "take_pose", "set", "unset", "scale", "delete", "rename", "mirror", "pivot",
     "align", "distribute", "vertices", "anchor", "joint", "texture")
)  # fmt: skip
BESIDE = ("joints", "animations", "annotations", "camera", "minimap", "body_tags", "render")
"""What depends on where bodies are."""
UNMOVED = frozenset(
    ("pivot", "unroll", "prototype", "rename", "reorder", "group", "collide", "anchor", "texture")
)
"""Edits after which all shapes are where they were."""


def check_added(old: Scene, new: Scene) -> None:
    """Nothing that was there is another one."""
    for each in differing(old, new):
        section, _, name = each.partition(".")
        if section in ("bodies", "joints", "actuators", "materials", "vars", "groups"):
            before, now = getattr(old, section).get(name), getattr(new, section).get(name)
            if section == "actuators" and before is not None and now is not None:
                before, now = (replace(one, bodies=()) for one in (before, now))  # by tags
            if before is not None and now != before:
                raise WrongError(f"{each} is another one")


def picture(scene: Scene) -> Counter[tuple[int, ...]]:
    """The points of all shapes in the world, coarsely."""
    found: Counter[tuple[int, ...]] = Counter()
    size = 0.02 * scene.world.length_unit
    for body in scene.bodies.values():
        c, s = math.cos(body.angle), math.sin(body.angle)
        for shape in body.shapes:
            for x, y in shape.points:
                place = body.position[0] + c * x - s * y, body.position[1] + s * x + c * y
                found[round(place[0] / size), round(place[1] / size)] += 1
    return found


def check_picture(message: Mapping[str, Any], old: Scene, new: Scene) -> None:
    """All shapes are where they were."""
    before, after = picture(old), picture(new)
    if "uniform" in old.text or "normal(" in old.text or "rand" in old.text:
        return
    gone = [*(before - after).elements()]
    made = [*(after - before).elements()]
    for point in gone:  # a point may have come into the next cell by rounding
        near = [p for p in made if abs(p[0] - point[0]) <= 1 and abs(p[1] - point[1]) <= 1]
        if not near:
            raise WrongError(f"a point of a shape is not where it was: {point}, now {made[:3]}")
        made.remove(near[0])
    if made:
        raise WrongError(f"there are other points: {made[:3]}")


def check_move(message: Mapping[str, Any], old: Scene, new: Scene, what: set[str]) -> None:
    """Bodies are where they were meant to be, up to the digits that are written."""
    for path in what:
        name = path.partition(".")[2]
        if not path.startswith("bodies.") or name not in old.bodies:
            continue
        a, b = old.bodies[name].position, new.bodies[name].position
        near = 0.006 * max(1.0, message.get("step", 0) * 100, 10 * (old.units.length == "px"))
        for i in (0, 1):
            if abs(b[i] - a[i] - message["by"][i]) > near:
                raise WrongError(f"{path} moved from {a} to {b}, not by {message['by']}")


# ---------------------------------------------------------------- a run


def answered(document: Document, message: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The answer to an edit, with random answers to its questions."""
    for _ in range(8):
        answer = document.do(message)
        if "ask" not in answer:
            return answer
        ask = answer["ask"][0]
        option = rng.choice(ask["options"])["value"]
        chosen = {**message.get("choices", {}), ask["key"]: option}
        message["choices"] = chosen
    raise WrongError("it asks without end")


def bytes_of(document: Document) -> dict[str, bytes]:
    return {name: file.path.read_bytes() for name, file in document.files.known.items()}


def files_around(document: Document) -> dict[Path, bytes]:
    """The files that a scene may include."""
    if b"include" not in document.path.read_bytes() and len(document.files.known) == 1:
        return {document.path.resolve(): document.path.read_bytes()}
    return {each.resolve(): each.read_bytes() for each in document.path.parent.rglob("*.yaml")}


def one_edit(document: Document, message: dict[str, Any], rng: random.Random) -> str:
    """Do an edit and check it; `done`, `same` or `refused`."""
    old = document.scene()
    texts, before, around = document.texts, bytes_of(document), files_around(document)
    answer = answered(document, message, rng)
    if "refused" in answer:
        if bytes_of(document) != {
            **before,
            **{n: d for n, d in bytes_of(document).items() if n not in before},
        }:
            raise WrongError("it was refused, and yet something was written")
        return f"refused: {answer['refused']}"
    if not answer["files"]:
        return "same"
    for name, file in document.files.known.items():
        before.setdefault(name, around.get(file.path.resolve(), b""))
    check_bytes(
        message, answer, {**texts, **{n: t for n, t in document.texts.items() if n not in texts}}
    )
    try:
        new = document.scene()
    except RigidError as error:
        raise WrongError(f"the new text does not load: {error}") from None
    check_scene(message, old, new)
    after = bytes_of(document)
    undone = document.do({"edit": "undo"})
    if "refused" in undone or any(bytes_of(document)[n] != before[n] for n in before if before[n]):
        raise WrongError(f"undo does not give the old bytes: {undone.get('refused')}")
    if rng.random() < 0.6:
        again = document.do({"edit": "redo"})
        if "refused" in again or bytes_of(document) != after:
            raise WrongError("redo does not give the new bytes")
    return "done"


def run(
    edits: int,
    seed: int,
    only: str = "",
    each: int = 12,
    say: Any = print,
    most: int = 10**9,
) -> list[dict[str, Any]]:
    """Random edits of all scenes of at most so many bytes; the findings."""
    rng = random.Random(seed)
    findings: list[dict[str, Any]] = []
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "scenes"
        shutil.copytree(SCENES, copy)
        paths = [p for p in sorted(copy.rglob("*.yaml")) if only in str(p.relative_to(copy))]
        paths = [p for p in paths if p.stat().st_size <= most]
        done = 0
        while done < edits:
            path = rng.choice(paths)
            name = path.relative_to(copy).as_posix()
            original = path.read_bytes()
            others = {p: p.read_bytes() for p in path.parent.rglob("*.yaml")}
            try:
                document = Document(path)
                document.scene()
            except RigidError:
                paths.remove(path)
                continue
            count = min(each, edits - done)
            if done // 1000 < (done + count) // 1000:
                say(f"{done + count} edits", flush=True)
            for _ in range(count):
                done += 1
                message: dict[str, Any] = {}
                text = path.read_text(encoding="utf-8")
                try:
                    message = next(messages(rng, document.scene()))
                    result = one_edit(document, message, rng)
                    counts[f"{message['edit']}: {result.partition(':')[0]}"] += 1
                    if result.startswith("refused"):
                        why = re.sub(r"`[^`]*`|\d+", "_", result)[:70]
                        counts[f"  {message['edit']} {why}"] += 1
                except Exception as error:
                    said = (
                        str(error)
                        if isinstance(error, WrongError)
                        else traceback.format_exc(limit=-4)
                    )
                    findings.append(
                        {"scene": name, "message": message, "error": said, "text": text}
                    )
                    say(f"{name}: {json.dumps(message)}\n  {said}", flush=True)
                    break
            for p, data in others.items():
                p.write_bytes(data)
            assert path.read_bytes() == original
    for key, count in sorted(counts.items()):
        say(f"{count:6} {key}", flush=True)
    return findings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a part of the names of scenes")
    parser.add_argument("--findings", type=Path, help="a JSON file for what was found")
    given = parser.parse_args()
    findings = run(given.edits, given.seed, given.only)
    if given.findings:
        given.findings.write_text(json.dumps(findings, indent=1))
    print(f"{given.edits} edits, {len(findings)} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
