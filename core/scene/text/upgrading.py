# SPDX-License-Identifier: MIT
"""Rewrites scene files of older versions of the format; comments and layout are kept.

A version that changes the meaning of a file gets a function in ``STEPS``, which makes a text of
the version before into one of the new version. A file goes through all steps from its version on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...frozen import frozen
from ..values.kinds import show
from .edits import Edits
from .marks import Map, Mark, Seq, fail
from .sources import FORMAT_VERSION, wrong_version
from .yaml_reader import Reader

Step = Callable[[Edits], None]

STEPS: Mapping[int, Step] = {}
"""By a version, the changes that make a file of it into one of the next version."""


@frozen
class Upgrade:
    """The text of a file at the newest version, and the version that it had."""

    text: str
    version: int


def upgraded(
    text: str, file: str, steps: Mapping[int, Step] | None = None, newest: int = FORMAT_VERSION
) -> Upgrade:
    """The text of a scene file at the newest version.

    Raises SceneError for a text that is no scene, or whose version is unknown or newer.
    """
    known = STEPS if steps is None else steps
    version = _version_of(text, file, newest, min(known, default=newest))
    for number in range(version, newest):
        edits = Edits(text, file)
        known[number](edits)
        edits.replace("rigid", lambda _, after=number + 1: str(after))  # type: ignore[misc]
        text = edits.result()
    return Upgrade(text, version)


def _version_of(text: str, file: str, newest: int, oldest: int) -> int:
    tree: Any = Reader().read(text, file)
    begin = f"begins with `rigid: {newest}`"
    if not isinstance(tree, Map):
        mark = tree.at if isinstance(tree, Seq) else Mark(file, 1, 1)
        message = f"a scene file is a mapping of keys and values that {begin}, not {show(tree)}"
        raise fail(mark, "wrong-type", message)
    if "rigid" not in tree:
        message = f"the format's version is missing; a scene {begin}"
        raise fail(tree.at, "missing-key", message)
    version, mark = tree["rigid"], tree.values_at["rigid"]
    message = wrong_version(version, newest, oldest)
    older = type(version) is int and oldest <= version < newest
    if message and not older:
        raise fail(mark, "unsupported", message, "rigid")
    return int(version)
