# SPDX-License-Identifier: MIT
"""Where in the files an object is said: an entry, a generator, an instance or another file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..scene.values import portable_math
from .place import Place, Root, Turned
from .text.draft import Draft
from .text.nodes import Node, Path
from .text.texts import Refused, dotted
from .values import evaluated

LISTS = frozenset(("annotations", "layers", "events", "expect", "inputs", "include", "tags"))
"""Sections that are lists."""
WHOLE = frozenset(
    ("world", "camera", "render", "collision", "minimap", "units", "record", "outcome", "task",
     "study", "compare", "name", "description", "rigid", "defaults")
)  # fmt: skip
"""Sections that have no entries with names of their own."""
PARTS = frozenset(
    ("bodies", "joints", "actuators", "animations", "controls", "events", "spawners", "particles")
)
"""Sections whose objects come of instances too."""
_COPY = re.compile(r"([^\[\]]+)\[[^\[\]]*\]")
_ATOM = re.compile(r"\.?([^.\[\]]+)|\[([^\]]*)\]")


def root_of(draft: Draft, prototype: str | None) -> Root:
    """The tree that a message is about."""
    if prototype is None:
        return Root(draft.main)
    found = prototype_root(draft, Root(draft.main), prototype)
    if found is None:
        raise Refused(f"there is no prototype `{prototype}`")
    return found


def roots(draft: Draft, root: Root) -> Iterator[Root]:
    """A tree and the files that are merged into it, those that win first."""
    yield root
    if root.path:
        return
    include = draft.node(root.file, ("include",))
    for item in reversed(include.items if include is not None else []):
        named = item.get("file") if item.kind == "map" else item
        if named is None or not isinstance(named.value, str):
            continue
        file = draft.find_file(named.value, root.file)
        if file is not None:
            yield from roots(draft, Root(file))


def entry_in(draft: Draft, root: Root, section: str, name: str) -> tuple[Root, Path] | None:
    """The entry of a section that has a name, in a tree or the files that it includes."""
    for each in roots(draft, root):
        found = each.section(draft, section)
        path = (*each.path, section)
        if found is not None and found.kind == "alias":
            at = draft.anchored(each.file, found.anchor)
            if at is not None:
                path, found = at
        if found is not None and found.get(name) is not None:
            return each, (*path, name)
    return None


def prototype_root(draft: Draft, root: Root, name: str) -> Root | None:
    """The tree of a prototype."""
    found = entry_in(draft, root, "prototypes", name)
    if found is None:
        return None
    where, path = found
    node = draft.need(where.file, path)
    named = node.get("file")
    if named is not None and isinstance(named.value, str):
        file = draft.find_file(named.value, where.file)
        return None if file is None else Root(file)
    return Root(where.file, path)


def _generator(draft: Draft, found: tuple[Root, Path] | None) -> bool:
    if found is None:
        return False
    node = draft.need(found[0].file, found[1])
    return node.kind == "map" and node.get("repeat") is not None


def _made_by(draft: Draft, root: Root, section: str, name: str) -> tuple[Root, Path, bool] | None:
    """The entry that makes a name without points, and whether it is a generator."""
    found = entry_in(draft, root, section, name)
    if found is not None:
        return (*found, _generator(draft, found))
    made = _COPY.fullmatch(name)
    found = entry_in(draft, root, section, made[1]) if made is not None else None
    return (*found, True) if found is not None and _generator(draft, found) else None


def split_names(name: str) -> list[str]:
    """The parts of a name such as ``queue[0].back.rim``."""
    return re.split(r"\.(?![^\[]*\])", name)


@dataclass(frozen=True)
class Found:
    """The source of an object: its entry, and the instances on the way to it."""

    root: Root
    path: Path
    many: bool
    chain: tuple[tuple[Root, Path, bool], ...] = ()


def look_up(draft: Draft, root: Root, section: str, name: str) -> Found | None:
    """The source of an object of a section, by its name."""
    made = _made_by(draft, root, section, name)
    if made is not None:
        return Found(*made)
    parts = split_names(name)
    chain: list[tuple[Root, Path, bool]] = []
    here, outer = root, root
    for part in parts[:-1]:
        instance = _made_by(draft, here, "instances", part)
        if instance is None:
            return None
        chain.append(instance)
        use = draft.need(instance[0].file, instance[1]).get("use")
        inner = prototype_root(draft, here, str(use.value)) if use is not None else None
        if inner is None and use is not None:
            inner = prototype_root(draft, outer, str(use.value))
        if inner is None:
            return None
        if not inner.path:
            outer = inner
        here = inner
    if not chain:
        return None
    made = _made_by(draft, here, section, parts[-1])
    return None if made is None else Found(*made, tuple(chain))


def split_path(draft: Draft, root: Root, path: str) -> tuple[str, str, str]:
    """The section, the name of the object and the rest of a path of a message."""
    match = _ATOM.match(path)
    if match is None or not match[1]:
        raise Refused(f"`{path}` is no path; write it like bodies.ball.position")
    section, rest = match[1], path[match.end() :]
    if section in WHOLE or not rest:
        return section, "", rest.lstrip(".")
    if rest.startswith("["):
        index = _ATOM.match(rest)
        assert index is not None
        return section, index[2], rest[index.end() :].lstrip(".")
    rest = rest[1:]
    ends = [m.start() for m in re.finditer(r"[.\[](?![^\[]*\])|\[", rest)] + [len(rest)]
    for end in reversed([e for e in ends if rest[:e].count("[") == rest[:e].count("]")]):
        if (section, rest[:end]) in draft.renamed or look_up(draft, root, section, rest[:end]):
            return section, rest[:end], rest[end:].lstrip(".")
    end = ends[0]
    return section, rest[:end], rest[end:].lstrip(".")


def keys_in(node: Node | None, rest: str) -> Path:
    """The keys of a path inside of an entry; a key may have points in it, as tracks have."""
    keys: list[str | int] = []
    while rest:
        rest = rest.lstrip(".")
        if rest.startswith("["):
            index, _, rest = rest[1:].partition("]")
            keys.append(int(index) if index.isdigit() else index)
        else:
            known = [str(k.value) for k, _ in node.entries] if node is not None else []
            fits = [k for k in known if rest == k or rest.startswith((f"{k}.", f"{k}["))]
            match = re.match(r"[^.\[]+", rest)
            key = max(fits, key=len) if fits else match[0] if match else rest
            keys.append(key)
            rest = rest[len(key) :]
        node = None if node is None else node.get(keys[-1])
    return tuple(keys)


def find(draft: Draft, address: str, prototype: str | None = None) -> Place:
    """The entry that says an object, after asking where there are several ways to change it."""
    root = root_of(draft, prototype)
    match = re.fullmatch(r"prototypes\.([^.\[]+)\.(.+)", address)
    if match is not None and prototype is None:
        return replace(find(draft, match[2], match[1]), address=address)
    section, name, rest = split_path(draft, root, address)
    if rest:
        raise Refused(f"there is no `{address}`")
    if section in LISTS or (not name and section in WHOLE):
        return _of_list(draft, root, address, section, name)
    name = draft.renamed.get((section, name), name)
    found = look_up(draft, root, section, name)
    if found is None:
        raise Refused(f"there is no `{address}`")
    return _decided(draft, root, address, section, name, found)


def _of_list(draft: Draft, root: Root, address: str, section: str, index: str) -> Place:
    path: Path = (*root.path, section)
    if not index:
        return Place(address, section, "", root.file, path)
    if not index.isdigit():
        raise Refused(f"`{address}`: {section} has a list, with numbers from 0")
    number = int(index)
    owners = [each for each in roots(draft, root) if each.section(draft, section) is not None]
    # The lists of included files come first where lists grow; else the last one alone is there.
    grows = section in ("expect", "include")
    for each in reversed(owners) if grows else owners[:1]:
        node = each.section(draft, section)
        count = len(node.items) if node is not None else 0
        if number < count:
            _ask_included(draft, root, each, address)
            return Place(address, section, index, each.file, (*each.path, section, number))
        number -= count
    raise Refused(f"there is no `{address}`")


def _ask_included(draft: Draft, root: Root, found: Root, address: str) -> bool:
    """Whether what another file says is to be changed there; else it is said anew here."""
    if found.file == root.file:
        return True
    answer = draft.ask(
        "included",
        address,
        f"{address} is said in {found.file}",
        {"there": f"write into {found.file}", "here": f"say it in {root.file} instead"},
    )
    if answer == "there":
        draft.notes.append(f"written into {found.file}")
    return answer == "there"


def _decided(
    draft: Draft, root: Root, address: str, section: str, name: str, found: Found
) -> Place:
    file, path = found.root.file, found.path
    if found.chain:
        return _of_instance(draft, root, address, section, name, found)
    if not _ask_included(draft, root, found.root, address):
        path = _said_here(draft, root, found, section, str(path[-1]))
        file = root.file
    if found.many and name != path[-1]:
        base = str(path[-1])
        own = f"change `{name}` alone, in `overrides`{draft.besides(name)}"
        options = {
            "generator": f"change the generator, and with it all of `{base}`",
            **({"copy": own} if draft.changes_copies else {}),
            "unroll": f"write the objects of `{base}` one by one first",
        }
        answer = draft.ask(
            "generated", address, f"`{name}` comes of the generator `{base}`", options
        )
        if answer == "copy":
            generator = Place(address, section, name, file, path, True)
            copy: Place = draft.own_entry(draft, generator)
            return copy
        if answer == "unroll":
            made = draft.unroll(draft, Place(address, section, base, file, path, True))
            if name not in made:
                raise Refused(f"there is no `{address}`")
            return Place(address, section, made[name], file, (*path[:-1], made[name]))
    return Place(address, section, name, file, path, found.many)


def _said_here(draft: Draft, root: Root, found: Found, section: str, name: str) -> Path:
    """Copy an entry of an included file into the scene's own, where it wins."""
    source = draft.need(found.root.file, found.path)
    draft.add_entry(root.file, (*root.path, section), name, source.plain())
    return (*root.path, section, name)


def _of_instance(
    draft: Draft, root: Root, address: str, section: str, name: str, found: Found
) -> Place:
    outer = split_names(name)[0]
    use = draft.need(found.chain[-1][0].file, found.chain[-1][1]).get("use")
    kind = str(use.value) if use is not None else ""
    answer = draft.ask(
        "instance",
        address,
        f"`{name}` comes of the instance `{outer}`",
        {
            "instance": f"change the instance `{outer}` as a whole",
            "prototype": f"change the prototype `{kind}`, and with it all its instances",
        },
    )
    if answer == "instance":
        return find(draft, f"instances.{outer}", str(root.path[-1]) if root.path else None)
    if found.root.file != root.file:
        draft.notes.append(f"written into {found.root.file}")
    turned = tuple(turned_of(draft, where, path) for where, path, _ in found.chain)
    return Place(
        address, section, name, found.root.file, found.path, found.many,
        tuple(split_names(name)[:-1]), turned,
    )  # fmt: skip


def turned_of(draft: Draft, root: Root, path: Path) -> Turned:
    """The transformation of an instance, where it has one."""
    node = draft.need(root.file, path)

    def plain(key: str, default: float) -> float:
        value = node.get(key)
        number = default if value is None else evaluated(draft, value)
        if number is None:
            raise Refused(f"{dotted((*path, key))} has no one value; open the prototype alone")
        return number

    mirror = node.get("mirror")
    angle = plain("angle", 0.0)
    return Turned(
        angle if in_radians(draft) else portable_math.radians(angle),
        plain("scale", 1.0),
        str(mirror.value) if mirror is not None else "",
    )


def in_radians(draft: Draft) -> bool:
    """Whether plain angles of the files are radians."""
    for each in roots(draft, Root(draft.main)):
        node = each.section(draft, "units")
        if node is not None:
            angle = node.get("angle")
            return angle is not None and angle.value == "rad"
    return False


def names_of(draft: Draft, root: Root, section: str) -> set[str]:
    """The names of the entries of a section, also of the files that are included."""
    found: set[str] = set()
    for each in roots(draft, root):
        node = each.section(draft, section)
        found |= {str(key.value) for key, _ in node.entries} if node is not None else set()
    return found


def taken(draft: Draft, root: Root, sections: Sequence[str]) -> set[str]:
    names: set[str] = {"world"}
    for section in sections:
        names |= names_of(draft, root, section)
    return names


def any_value(node: Node | None) -> Any:
    return None if node is None else node.plain()
