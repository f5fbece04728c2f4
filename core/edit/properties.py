# SPDX-License-Identifier: MIT
"""Sets and unsets any property by its path. Values equal to the default are not written, and fields
that exclude each other take each other's place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as with_fields
from typing import Any

from ..scene.blocks.bodies.materials import SurfaceFields
from ..scene.blocks.bodies.shape_types import SHAPE_TYPES
from ..scene.model import Scene
from .messages import Set, Unset
from .numbers import Amount, change, settle
from .place import Root
from .places import LISTS, WHOLE, entry_in, find, keys_in, root_of, roots, split_path
from .text.draft import Draft, alike
from .text.expressions import is_expression, lone_vars
from .text.nodes import Node, Path
from .text.style import MOST, rounded
from .text.texts import Refused, dotted
from .values import order_of

SURFACE = tuple(SurfaceFields.model_fields)
"""Properties that a material may give too."""
OF_ENTRIES: dict[str, tuple[tuple[str, ...], ...]] = {
    "bodies": (("mass", "density"), ("shape", "shapes")),
    "joints": (("anchor", "anchors"),),
    "animations": (("duration", "steps"),),
}
"""Fields that exclude each other, by the section of an object."""
OF_FIELDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "world": (("duration", "steps"),),
    "motor": (("speed", "position"),),
    "shape": (tuple(SHAPE_TYPES),),
}
"""The same, by the key of the mapping that they are in."""
SPRING = (("frequency", "damping_ratio"), ("stiffness", "damping"))
"""Of a spring one of these pairs is given."""


def excluded(path: Path) -> tuple[str, ...]:
    """The keys beside the last one of a path that cannot be given together with it."""
    *above, key = path
    within = str(above[-1]) if above and isinstance(above[-1], str) else ""
    section = str(above[-2]) if len(above) > 1 else ""
    if within == "spring":
        return next((other for own, other in (SPRING, SPRING[::-1]) if key in own), ())
    groups = OF_ENTRIES.get(section, ()) + OF_FIELDS.get(
        "shape" if section == "shapes" else within, ()
    )
    return tuple(each for group in groups if key in group for each in group if each != key)


def set_property(draft: Draft, message: Set) -> str:
    """Give a property another value; the words for it."""
    value = rounded(message.value, MOST)
    file, path = target(draft, message.path, message.in_prototype)
    if not path:
        raise Refused("a path begins with a section, such as `bodies.ball.color`")
    path = _elsewhere(draft, file, path, message.path)
    path = settle(draft, file, path, message.path)
    node = draft.node(file, path)
    ranged = node is not None and path[-2:-1] == ("vars",) and node.get("value") is not None
    if ranged and not isinstance(value, Mapping):
        path = (*path, "value")
        node = draft.node(file, path)
    before = dict(draft.texts)
    if node is not None:
        _replace(draft, file, path, node, value, message.path)
    else:
        _put(draft, file, path, value)
        for key in excluded(path):
            if draft.node(file, (*path[:-1], key)) is not None:
                draft.remove(file, (*path[:-1], key))
                draft.notes.append(f"`{path[-1]}` takes the place of `{key}`")
    draft.flush()
    _leave_out_default(draft, file, path, node is None, before)
    return f"Set {message.path}"


def unset_property(draft: Draft, message: Unset) -> str:
    """Take a property out, so that it has its default; the words for it."""
    file, path = target(draft, message.path, message.in_prototype)
    path = settle(draft, file, path, message.path)
    if draft.node(file, path) is None:
        raise Refused(f"{message.path} is not said in {file}")
    if len(path) == 2 and path[0] not in WHOLE:
        raise Refused(f"{message.path} is an object; delete it")
    remove(draft, file, path)
    return f"Unset {message.path}"


def remove(draft: Draft, file: str, path: Path) -> None:
    """Take out a value, and the mapping around it if nothing is left in that."""
    while len(path) > 1:
        parent = draft.need(file, path[:-1])
        single = len(parent.entries) == 1 and parent.kind == "map"
        is_entry = len(path) == 2 and path[0] not in WHOLE
        is_entry = is_entry or (len(path) == 3 and path[0] not in WHOLE)
        if not single or is_entry:
            break
        path = path[:-1]
    draft.remove(file, path)


def target(draft: Draft, path: str, prototype: str | None) -> tuple[str, Path]:
    """The file and the keys of a property, which need not be there yet."""
    root = root_of(draft, prototype)
    if path.startswith("prototypes.") and prototype is None and path.count(".") > 2:
        _, inner, rest = path.split(".", 2)
        return target(draft, rest, inner)
    section, name, rest = split_path(draft, root, path)
    if section in WHOLE or (not name and not rest):
        return _of_settings(draft, root, path, section, rest)
    if not rest and section not in LISTS and entry_in(draft, root, section, name) is None:
        return root.file, (*root.path, section, name)
    address = f"{section}[{name}]" if section in LISTS else f"{section}.{name}"
    place = find(draft, address, prototype)
    return place.file, (*place.path, *keys_in(place.node(draft), rest))


def _of_settings(draft: Draft, root: Root, path: str, section: str, rest: str) -> tuple[str, Path]:
    """Settings such as those of the world: the file that says them, or the scene's own."""
    for each in roots(draft, root):
        node = each.section(draft, section)
        if node is None:
            continue
        keys = keys_in(node, rest)
        if keys and node.get(keys[0]) is None:
            continue
        if each.file != root.file:
            options = {
                "there": f"write into {each.file}", "here": f"say it in {root.file} instead",
            }  # fmt: skip
            if draft.ask("included", path, f"{path} is said in {each.file}", options) == "here":
                break
        return each.file, (*each.path, section, *keys)
    return root.file, (*root.path, section, *keys_in(root.section(draft, section), rest))


def _elsewhere(draft: Draft, file: str, path: Path, about: str) -> Path:
    """The path in a material or in `defaults`, where that gives the value now and it is wanted."""
    depth = 2 if path[0] == "prototypes" else 0
    inner = path[depth:]
    if len(inner) != 3 or inner[0] not in ("bodies", "joints") or draft.node(file, path):
        return path
    entry = draft.node(file, path[:-1])
    key = str(inner[2])
    if entry is None or entry.entry("<<") is not None:
        return path
    for there, said in _givers(draft, file, entry, str(inner[0]), key):
        options = {
            "there": f"change it in {said}, for all that have it from there",
            "here": f"say it here, for {inner[1]} alone",
        }
        if draft.ask("material", about, f"`{key}` comes from {said}", options) == "there":
            return there
        break
    return path


def _givers(draft: Draft, file: str, entry: Node, section: str, key: str) -> list[tuple[Path, str]]:
    """The default or material of this file that gives an entry a value it does not have."""
    found: list[tuple[Path, str]] = []
    defaults = draft.node(file, ("defaults",))
    if section == "bodies" and key in SURFACE:
        name = entry.get("material") or (defaults.get("material") if defaults else None)
        if name is not None and isinstance(name.value, str):
            material = draft.node(file, ("materials", name.value, key))
            if material is not None:
                found.append((("materials", name.value, key), f"the material `{name.value}`"))
    kind = entry.get("type")
    kinds = ["joint"] if section == "joints" else [
        str(kind.value) if kind is not None else "dynamic", "body",
    ]  # fmt: skip
    for each in kinds:
        if draft.node(file, ("defaults", each, key)) is not None:
            found.append((("defaults", each, key), f"`defaults.{each}`"))
    return found


def _replace(draft: Draft, file: str, path: Path, node: Node, value: Any, about: str) -> None:
    if node.kind == "scalar" and alike(node.value, value):
        return
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if number and is_expression(node.value):
        options = {"number": f"{node.value} becomes {value}"}
        name = str(node.value).strip(" =")
        if name in draft.scene.vars and lone_vars(str(node.value)):
            options["var"] = f"the var `{name}` changes"
        if draft.ask("expression", about, f"{about} is {node.value}", options) == "var":
            change(draft, file, path, _to(float(value), "var", draft, node), about)
            return
    elif number and isinstance(node.value, str) and node.value[:1].strip("+-.0123456789") == "":
        try:  # a text with a unit, which it keeps
            change(draft, file, path, Amount(float(value), 0.0), about)
        except Refused:
            draft.replace(file, path, value)
        return
    draft.replace(file, path, value)


def _to(value: float, how: str, draft: Draft, node: Node) -> Amount:
    """The change of a lone var to a value."""
    name = str(node.value).strip(" =")
    draft.choices["expression"] = how
    return Amount(value - float(draft.scene.vars[name]), 1.0, MOST)


def _put(draft: Draft, file: str, path: Path, value: Any) -> None:
    """Write a property that is not there, with the mappings around it."""
    for depth in range(len(path) - 1, -1, -1):
        here = draft.node(file, path[:depth])
        if here is None:
            value = _within(draft, path, depth, value)
            continue
        key = path[depth]
        if isinstance(key, int) or here.kind == "seq":
            if here.kind != "seq" or key != len(here.items):
                raise Refused(f"{dotted(path[:depth])} has no item {key}")
            draft.append(file, path[:depth], value)
            return
        if depth <= 1 and here.kind == "map" and path[0] not in WHOLE and len(path) > depth + 1:
            draft.add_entry(file, path[:depth], key, value)
            return
        if depth == 0:
            draft.add_section(file, key, value)
            return
        if depth == 1 and path[0] not in WHOLE:
            draft.add_entry(file, path[:1], key, value)
            return
        draft.put(file, path[:depth], key, value, _order(here, path, depth))
        return


def _within(draft: Draft, path: Path, depth: int, value: Any) -> Any:
    """The value in a mapping, or in the list that the scene has now."""
    key = path[depth]
    if isinstance(key, str):
        return {key: value}
    now: Any = None
    if path[:depth] == ("world", "gravity"):
        now = [*draft.scene.world.gravity]
    elif len(path) == 4 and path[0] == "bodies" and path[2] in ("position", "velocity"):
        before = {new: old for (section, old), new in draft.renamed.items() if section == "bodies"}
        body = draft.scene.bodies.get(before.get(str(path[1]), str(path[1])))
        now = None if body is None else [*getattr(body, str(path[2]))]
    if now is None or not 0 <= key < len(now):
        raise Refused(f"{dotted(path[:depth])} is not said; set it as a whole")
    now[key] = value
    return rounded(now, MOST)


def _order(here: Node, path: Path, depth: int) -> tuple[str, ...]:
    depth -= 2 if path[0] == "prototypes" else 0
    return order_of(str(path[-3] if len(path) > 2 else "")) if depth == 2 else ()


def _leave_out_default(
    draft: Draft, file: str, path: Path, is_new: bool, before: Mapping[str, Any]
) -> None:
    """Take a value out again that is the default."""
    if not draft.is_quick() or len(path) < 2 or isinstance(path[-1], int):
        return
    if len(path) == 2 and path[0] not in WHOLE:
        return
    if draft.node(file, path) is None:
        return
    with_value = draft.load()
    if is_new:
        if same(draft.scene, with_value):
            draft.texts = dict(before)
            draft.notes.append(f"{dotted(path)} has this value already")
        return
    now = dict(draft.texts)
    remove(draft, file, path)
    without = draft.load_or_none()
    if without is None or not same(with_value, without):
        draft.texts = now


def same(one: Scene, other: Scene) -> bool:
    """Whether two scenes differ in nothing but their texts."""
    return one.compare is None is other.compare and _without_text(one) == _without_text(other)


def _without_text(scene: Scene) -> Scene:
    """A scene without its text and the places in that."""
    expect = tuple(with_fields(each, line=0, column=0, file="") for each in scene.expect)
    return with_fields(scene, text="", expect=expect)
