# SPDX-License-Identifier: MIT
"""Categories and tags: words that have no entry of their own, renamed wherever they are named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .place import Root
from .places import roots
from .references import TEXTS, trees_of_prototypes
from .text.draft import Draft, quoted_like
from .text.nodes import Node, Path
from .text.texts import Refused

WORDS = ("categories", "tags")
"""Addresses of words begin with these: `categories.limb`, `tags.coin`."""
_PROSE = frozenset(("name", "description"))
_WORD = re.compile(r"[^\W\d]\w*")
_BRACES = re.compile(r"(\{[^{}]*\})")


@dataclass(frozen=True)
class _Scalar:
    """A key or a value that is one text, with the keys on the way to it."""

    file: str
    path: Path
    node: Node
    is_key: bool


def rename_word(draft: Draft, section: str, old: str, new: str) -> str:
    """Rename a category or a tag; the words for it."""
    kind = "category" if section == "categories" else "tag"
    if old == new:
        return f"Rename {old}"
    if not _WORD.fullmatch(new):
        raise Refused(f"`{new}` is no {kind}: use letters, digits and _, beginning with a letter")
    if section == "categories" and "default" in (old, new):
        raise Refused("the category `default` always exists, under this name")
    found = [*_scalars(draft)]
    if any(_is_word(each, section, new) for each in found):
        raise Refused(f"there is a {kind} `{new}` already")
    named = [each for each in found if _is_word(each, section, old)]
    if not named:
        raise Refused(f"there is no {kind} `{old}`")
    if section == "tags" and any(
        each.path[-2:] == ("groups", old) for each in found if each.is_key
    ):
        raise Refused(f"there is a group `{old}` too, which the same words mean; rename that first")
    token = re.compile(rf"(?<![\w.])tags\.{re.escape(old)}(?!\w)")
    for each in found:
        text = new if each in named else None
        if text is None and section == "tags":
            text = _with_token(str(each.node.value), each, token, f"tags.{new}")
        if text is not None:
            draft.queue(each.file, each.node, quoted_like(each.node, text))
            if each.file != draft.main:
                draft.notes.append(f"written into {each.file}")
    draft.notes = [*dict.fromkeys(draft.notes)]
    draft.only_numbers = False
    draft.flush()
    draft.names.append(f"{section}.{new}")
    return f"Rename {old}"


def _scalars(draft: Draft) -> Iterator[_Scalar]:
    """All texts of the files of a scene, and of its prototypes' files."""
    main = Root(draft.main)
    files = dict.fromkeys(each.file for each in roots(draft, main))
    files |= dict.fromkeys(tree.file for _, tree in trees_of_prototypes(draft, main))
    for file in files:
        yield from _within(file, (), draft.root(file))


def _within(file: str, path: Path, node: Node) -> Iterator[_Scalar]:
    if node.kind == "map":
        for key, value in node.entries:
            inner = (*path, str(key.value))
            yield _Scalar(file, inner, key, True)
            yield from _within(file, inner, value)
    elif node.kind == "seq":
        for i, item in enumerate(node.items):
            yield from _within(file, (*path, i), item)
    elif node.kind == "scalar" and isinstance(node.value, str):
        yield _Scalar(file, path, node, False)


def _is_word(each: _Scalar, section: str, word: str) -> bool:
    """Whether a value is a word of a section."""
    if each.is_key or each.node.value != word:
        return False
    keys = [key for key in each.path if isinstance(key, str)]
    last = keys[-1] if keys else ""
    if section == "categories":
        pairs = keys[:1] == ["collision"] and last in ("ignore", "collide")
        return pairs or last in ("category", "categories") or last.endswith(".category")
    return (last == "tags" and len(keys) > 1) or last == "also"


def _with_token(text: str, each: _Scalar, token: re.Pattern[str], new: str) -> str | None:
    """The text with another tag in its expressions; None where none is in it."""
    if not token.search(text):
        return None
    last = next((key for key in reversed(each.path) if isinstance(key, str)), "")
    if not each.is_key and last in _PROSE:
        return None
    if each.is_key or last not in TEXTS or text.lstrip().startswith("="):
        return token.sub(new, text)
    parts = _BRACES.split(text)
    changed = [token.sub(new, part) if i % 2 else part for i, part in enumerate(parts)]
    return "".join(changed) if changed != parts else None
