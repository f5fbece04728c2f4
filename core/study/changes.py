# SPDX-License-Identifier: MIT
"""Changes of a plan: whether it goes on with an older one, and what differs, in words of users."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..record.differences import value_changes
from .sampling import Row

FEW = 4
"""Changes that are listed."""
LARGEST = 1 << 20  # bytes of a scene that are kept to compare with


def digest_of(rows: Sequence[Row]) -> str:
    """A digest of the values of runs."""
    whole = hashlib.sha256()
    for row in rows:
        whole.update(json.dumps(row).encode() + b"\n")
    return whole.hexdigest()


def written(tree: Any) -> Any:
    """The contents of a scene's file, to be compared later; None if they are too large."""
    text = json.dumps(tree, default=str)
    return json.loads(text) if len(text) <= LARGEST else None


def difference(old: Mapping[str, Any], new: Mapping[str, Any], rows: Sequence[Row]) -> str:
    """Why a plan does not go on with an old one, whose first ``rows`` it should have; empty if it
    does, as the same plan, or as one with more runs."""
    if "format" not in old:
        return "its study.json is not one that `rigid study` wrote"
    if old["format"] != new["format"]:
        return f"its format is {old['format']}, and not {new['format']}"
    if old.get("rigid") != new["rigid"]:
        return f"rigid {old.get('rigid')} began it, and this is {new['rigid']}"
    before, after = _part(old, "scene"), new["scene"]
    if before.get("source") != after["source"]:
        return "its scene is another one, or was changed" + _told(
            before.get("written"), after["written"]
        )
    more = grows(old, new, rows)
    was, now = in_words(_part(old, "study")), in_words(new["study"])
    free = ("vary", "sample") if more else ()
    changed = [key for key in now if was[key] != now[key] and key not in free]
    if changed:
        told = "; ".join(f"`{key}` was changed{_told(was[key], now[key])}" for key in changed)
        if changed == ["sample"] and old.get("runs", 0) < new["runs"]:
            told += ", whose first runs have other values"
        return f"its plan differs: {told}"
    if before.get("images") != after["images"]:
        return "the images of its scene were changed"
    if old.get("runs") != new["runs"] and not more:
        return f"it has {old.get('runs')} runs, and not {new['runs']}"
    return ""


def grows(old: Mapping[str, Any], new: Mapping[str, Any], rows: Sequence[Row]) -> bool:
    """Whether a plan has the runs of an old one, and more after them."""
    count = old.get("runs")
    if not isinstance(count, int) or not count < new["runs"]:
        return False
    axes = [[axis["path"] for axis in _part(each, "study").get("axes", ())] for each in (old, new)]
    return axes[0] == axes[1] and old.get("rows") == digest_of(rows[:count])


def in_words(study: Mapping[str, Any]) -> dict[str, Any]:
    """The plan of ``study.json`` as a scene's `study` block says it."""
    size = study.get("samples")
    return {
        "vary": {axis["path"]: _axis(axis) for axis in study.get("axes", ())},
        "sample": f"{study.get('sample')} {size}" if size else study.get("sample"),
        "until": study.get("until"),
        "collect": {
            each["name"]: f"{each['kind']} {each['source']}".strip()
            for each in study.get("collect", ())
        },
        "keep": dict(_part(study, "keep")),
    }


def _axis(axis: Mapping[str, Any]) -> str:
    if axis["kind"] == "values":
        return json.dumps(axis["values"])
    numbers = axis["values"] or axis["numbers"]
    return f"{{{axis['kind']}: {json.dumps(numbers)}}}"


def changes(old: Any, new: Any) -> list[str]:
    """The changed values, each with its path."""
    return [str(each).removeprefix(".").removeprefix(": ") for each in value_changes("", old, new)]


def _told(old: Any, new: Any) -> str:
    """The first changes in brackets; nothing where they are not known."""
    if old is None or new is None:
        return ""
    found = changes(old, new)
    more = [f"and {len(found) - FEW} more"] if len(found) > FEW else []
    return f" ({'; '.join([*found[:FEW], *more])})" if found else ""


def _part(old: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The value of a key in a plan that may have been edited."""
    found = old.get(key)
    return found if isinstance(found, Mapping) else {}
