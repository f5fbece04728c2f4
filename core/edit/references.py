# SPDX-License-Identifier: MIT
"""Where the files refer to an object by its name: names, paths, keys, expressions and texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..scene.values.expression import Expression, ExpressionError
from .place import Root
from .places import look_up, prototype_root, roots
from .text.draft import Draft
from .text.expressions import is_expression
from .text.nodes import Node, Path

OTHER_WORDS = frozenset(
    ("name", "description", "tags", "color", "outline", "material", "category", "categories",
     "ignore", "type", "file", "image", "sheet", "scene", "use", "unit", "units", "x_unit", "font",
     "mode", "corner", "theme", "overlays", "palette", "key", "sound", "tint", "svg", "path", "id",
     "mirror", "easing", "curve", "loop", "fit", "side", "one_way", "include", "legend", "strip",
     "names", "x_label", "format", "solver", "direction", "pivot")
)  # fmt: skip
"""Fields whose words are no names of bodies, joints and the like."""
TEXTS = frozenset(("text", "label", "log", "title", "message"))
"""Fields of texts, with values in braces."""
LOCAL = frozenset(
    ("bodies", "instances", "joints", "actuators", "animations", "groups", "spawners",
     "particles", "probes", "controls")
)  # fmt: skip
"""Sections whose names are known in their own tree alone."""


@dataclass(frozen=True)
class Reference:
    """A place that refers to an object, and the characters for another name of it."""

    file: str
    path: Path
    node: Node
    is_key: bool
    renamed: Callable[[str], str]


def references(draft: Draft, root: Root, section: str, name: str) -> Iterator[Reference]:
    """The places that refer to an entry of a section by its name."""
    for file, top, prefixes in _trees(draft, root, section, name):
        yield from _in_tree(draft, file, top, section, pattern_of(name, prefixes), name)


def _trees(
    draft: Draft, root: Root, section: str, name: str
) -> Iterator[tuple[str, Path, list[str] | None]]:
    """The trees in which an object has a name, and the instances through which it has that there.

    None are those where its name is known as it is.
    """
    own_name = [r"state\."] if section == "state" else None
    for each in roots(draft, root):
        yield each.file, each.path, own_name
    if section == "state":  # which events of prototypes know too
        for _, tree in trees_of_prototypes(draft, root):
            yield tree.file, tree.path, own_name
    if section not in LOCAL:
        return
    main = Root(draft.main)
    own = next((r for r in trees_of_prototypes(draft, main) if r[1] == root), None)
    if own is None:
        return
    others = [main, *(tree for _, tree in trees_of_prototypes(draft, main) if tree != root)]
    for tree in others:
        prefixes = [*_prefixes(draft, tree, root, 8)]
        if prefixes:
            for each in roots(draft, tree):
                yield each.file, each.path, prefixes


def trees_of_prototypes(draft: Draft, main: Root) -> list[tuple[str, Root]]:
    """The names and the trees of the prototypes of a tree."""
    found = []
    for each in roots(draft, main):
        section = each.section(draft, "prototypes")
        for key, _ in section.entries if section is not None else []:
            tree = prototype_root(draft, main, str(key.value))
            if tree is not None:
                found.append((str(key.value), tree))
    return found


def _prefixes(draft: Draft, tree: Root, wanted: Root, depth: int) -> Iterator[str]:
    """The instances of a prototype in a tree, as patterns of their names."""
    for each in roots(draft, tree):
        section = each.section(draft, "instances")
        for key, entry in section.entries if section is not None else []:
            use = entry.get("use")
            inner = None
            if use is not None:
                inner = prototype_root(draft, tree, str(use.value))
                inner = inner or prototype_root(draft, Root(draft.main), str(use.value))
            if inner is None:
                continue
            head = rf"{re.escape(str(key.value))}(?:\[[^\]]*\])?\."
            if inner == wanted:
                yield head
            elif depth:
                yield from (head + rest for rest in _prefixes(draft, inner, wanted, depth - 1))


def pattern_of(name: str, prefixes: list[str] | None = None) -> re.Pattern[str]:
    """The pattern of a name in texts: its group 1 is what is before it, 2 the name."""
    before = "" if prefixes is None else f"(?:{'|'.join(prefixes)})"
    return re.compile(rf"(?<![\w.\]$])({before})({re.escape(name)})(?![\w(])")


def _in_tree(
    draft: Draft, file: str, top: Path, section: str, pattern: re.Pattern[str], name: str
) -> Iterator[Reference]:
    tree = draft.node(file, top)
    if tree is None or tree.kind != "map":
        return
    for key, block in tree.entries:
        if key.value == "prototypes" and section in LOCAL:
            continue
        if name not in block.text[block.start : block.end]:
            continue
        yield from in_value(file, (*top, str(key.value)), block, section, pattern, len(top))


def in_value(
    file: str, path: Path, node: Node, section: str, pattern: re.Pattern[str], depth: int
) -> Iterator[Reference]:
    if node.kind == "map":
        for key, value in node.entries:
            said = pattern.search(value.text, value.start, value.end) or section == "state"
            if said or key.value == "<<":
                yield from in_value(file, (*path, str(key.value)), value, section, pattern, depth)
            rename = _of_key(str(key.value), path, section, pattern, depth)
            if rename is not None:
                yield Reference(file, (*path, str(key.value)), key, True, rename)
    elif node.kind == "seq":
        for i, item in enumerate(node.items):
            yield from in_value(file, (*path, i), item, section, pattern, depth)
    elif node.kind == "scalar" and isinstance(node.value, str):
        rename = _of_scalar(node.value, path, section, pattern, depth)
        if rename is not None:
            yield Reference(file, path, node, False, rename)


Renaming = Callable[[str], str] | None


def _of_key(text: str, path: Path, section: str, pattern: re.Pattern[str], depth: int) -> Renaming:
    """How a key is renamed that refers to the object, such as the path of a track."""
    if len(path) == depth + 1:  # the name of an entry itself
        return None
    if section == "state":  # with `add` it has no `state.` before it
        whole = text if path[-1] != "add" or text.startswith("state.") else f"state.{text}"
        match = pattern.fullmatch(whole)
        if match is None:
            return None
        lead = "state." if whole == text else ""
        return lambda new: lead + new
    if section in ("vars", "materials"):
        head = f"{section}."
        word = text[len(head) :].split(".")[0]
        if not text.startswith(head) or pattern.fullmatch(word) is None:
            return None
        return lambda new: head + new + text[len(head) + len(word) :]
    for lead in ("bodies.", "joints.", "actuators.", "instances.", ""):
        if not text.startswith(lead):
            continue
        match = pattern.match(text, len(lead))
        rest = text[match.end() :] if match is not None else ""
        if match is not None and rest[:1] in (".", "[") and rest:
            return _replacing(text, match)
    return None


def _replacing(text: str, match: re.Match[str]) -> Callable[[str], str]:
    return lambda new: text[: match.start(2)] + new + text[match.end(2) :]


def _of_scalar(
    text: str, path: Path, section: str, pattern: re.Pattern[str], depth: int
) -> Renaming:
    key = next((each for each in reversed(path) if isinstance(each, str)), "")
    if is_expression(text):
        return _of_expression(text, section, pattern)
    if section == "vars":
        return _of_braces(text, section, pattern) if key in TEXTS or "[=" in text else None
    if section == "materials":
        is_name = key == "material" and pattern.fullmatch(text)
        return (lambda new: new) if is_name else None
    if section == "prototypes":
        return (lambda new: new) if key == "use" and pattern.fullmatch(text) else None
    if section == "controls":
        is_key = key == "key" and path[depth] == "inputs" and pattern.fullmatch(text)
        return (lambda new: new) if is_key else None
    if key in TEXTS:
        return _of_braces(text, section, pattern)
    tags = key == "tags" and section == "groups" and path[depth] == "actuators"
    if key in OTHER_WORDS and not tags:
        return None
    if section == "state":
        return _of_words(text, section, pattern)
    if key in ("at", "until", "from", "to") and text == "end":  # the end of the run
        return None
    pairs = path[depth] == "collision" and "pairs_ignore" in path
    if path[depth] in ("materials", "vars", "units", "state", "collision") and not pairs:
        return None
    match = pattern.match(text.lstrip())
    lead = len(text) - len(text.lstrip())
    if (
        match is not None
        and match.start() == 0
        and text[lead + match.end() :][:1] in ("", ".", "[")
    ):
        whole = pattern.match(text, lead)
        assert whole is not None
        return _replacing(text, whole)
    lead_word = re.match(r"(?:bodies|joints|actuators|instances)\.", text)
    if lead_word is not None:
        match = pattern.match(text, lead_word.end())
        if match is not None:
            return _replacing(text, match)
    if key in ("plot", "x", "y", "vector", "channels", "observe", "collect", "reward"):
        return _of_words(text, section, pattern)
    return None


def _of_words(text: str, section: str, pattern: re.Pattern[str]) -> Renaming:
    """Names in an expression that has no `=`."""
    token = re.compile(pattern.pattern + ("" if section == "state" else r"(?=[.\[])"))
    if not token.search(text):
        return None
    return lambda new: token.sub(lambda m: m[1] + new, text)


def _of_braces(text: str, section: str, pattern: re.Pattern[str]) -> Renaming:
    """Names in the braces of a text, or in the indices of a name."""
    behind = "" if section in ("vars", "state") else r"(?=[.\[])"
    token = re.compile(pattern.pattern + behind + (r"(?![.\[])" if section == "vars" else ""))
    parts = re.split(r"(\{[^{}]*\}|\[=[^\]]*\])", text)
    found = [i for i in range(1, len(parts), 2) if token.search(parts[i])]
    if not found:
        return None

    def renamed(new: str) -> str:
        return "".join(
            token.sub(lambda m: m[1] + new, part) if i in found else part
            for i, part in enumerate(parts)
        )

    return renamed


def _of_expression(text: str, section: str, pattern: re.Pattern[str]) -> Renaming:
    lead = len(text) - len(text.lstrip())
    try:
        expression = Expression(text.strip())
    except ExpressionError:
        return _of_words(text, section, pattern)

    def other(token: str, new: str) -> str:
        match = pattern.match(token)
        if match is None or match.start() != 0:
            return token
        rest = token[match.end() :]
        fits = not rest if section == "vars" else rest[:1] in (".", "[")
        if section in ("probes", "animations", "state"):
            fits = rest[:1] in ("", ".", "[")
        return match[1] + new + rest if fits else token

    if all(other(token, "\0") == token for token in expression.names):
        return None

    def renamed(new: str) -> str:
        body = text[lead:]
        gap = len(body[1:]) - len(body[1:].lstrip())
        return text[:lead] + "=" + body[1 : 1 + gap] + expression.renamed(lambda t: other(t, new))

    return renamed


def exists(draft: Draft, root: Root, section: str, name: str) -> bool:
    return look_up(draft, root, section, name) is not None
