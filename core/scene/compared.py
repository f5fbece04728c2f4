# SPDX-License-Identifier: MIT
"""The variants that a scene compares: scenes of their own, with their settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ..errors import Problem, SceneError
from . import limits
from .given import Given
from .model import Scene
from .picture_model import Compare, Variant
from .text.marks import Map, Seq, fail
from .text.overrides import Overrides
from .text.problems import find


def with_scenes(first: Scene, compare: Compare, entries: Seq, tree: Map, given: Given) -> Compare:
    """Return the comparison with the scenes of its variants, whose settings are in the entries.

    ``first`` is the scene itself.
    """
    made: list[Variant] = []
    objects = 0
    problems: list[Problem] = []
    if _are_too_large(entries, given):
        message = (
            f"{len(compare.variants)} variants of a scene of {given.sources.reader.nodes:,} values "
            f"have more than {limits.VARIANT_VALUES:,} together; that is the limit"
        )
        raise fail(entries.at, "limit", message, "compare.variants")
    for variant, entry in zip(compare.variants, entries, strict=True):
        left = len(entries) - len(made)
        if objects + left * _objects(made[-1].scene if made else first) > limits.VARIANT_OBJECTS:
            message = (
                f"{len(entries)} variants have more than {limits.VARIANT_OBJECTS:,} bodies, joints "
                "and actuators together (each event counts as four); that is the limit"
            )
            raise fail(entries.at, "limit", message, "compare.variants")
        try:
            scene = given.scene(tree.copy(), partial(_settle, entry))
            made.append(replace(variant, scene=scene))
            objects += _objects(scene)
        except SceneError as error:
            problems += _told_of(variant.name, error.problems)
            if given.left.is_spent:
                break
    if problems:
        raise SceneError(problems[: limits.PROBLEMS])
    return replace(compare, variants=tuple(made))


def of_variants_alone(
    known: Sequence[Problem], changed: Map, tree: Map, given: Given
) -> list[Problem]:
    """Problems of a scene's variants besides those of the scene itself, as far as known."""
    entries = find(changed, ("compare", "variants"))
    hopeless = len(known) >= limits.PROBLEMS or given.left.is_spent
    if (
        hopeless
        or not isinstance(entries, Seq)
        or len(entries) > limits.VARIANTS
        or _are_too_large(entries, given)
    ):
        return []
    told = {(each.file, each.line, each.column, each.message) for each in known}
    found: list[Problem] = []
    for entry in entries:
        name = entry.get("name") if isinstance(entry, Map) else None
        if not isinstance(name, str):
            continue
        try:
            given.scene(tree.copy(), partial(_settle, entry))
        except SceneError as error:
            new = [
                each
                for each in error.problems
                if (each.file, each.line, each.column, each.message) not in told
            ]
            found += _told_of(name, new)
        if given.left.is_spent:
            break
    return found


def _objects(scene: Scene | None) -> int:
    if scene is None:
        return 0
    bodies, joints, actuators = len(scene.bodies), len(scene.joints), len(scene.actuators)
    return bodies + joints + actuators + 4 * len(scene.events)


def _are_too_large(entries: Seq, given: Given) -> bool:
    """Whether variants of a scene hold more values together than there may be."""
    return given.sources.reader.nodes * len(entries) > limits.VARIANT_VALUES


def _told_of(variant: str, problems: Sequence[Problem]) -> list[Problem]:
    """Add the name of a variant to its problems."""
    told = f"(in the variant `{variant}`)"
    return [replace(each, message=f"{each.message} {told}") for each in problems]


def _settle(entry: Map, changes: Overrides) -> None:
    """Apply the settings and the expectations of a variant."""
    tree = changes.tree
    tree.pop("compare")
    settings = entry.get("set")
    if isinstance(settings, Map):
        for path, value in settings.items():
            changes.put(path, value, settings.keys_at[path], settings.values_at[path])
    expected = entry.get("expect")
    at = entry.values_at.get("expect", entry.at)
    tree.put("expect", Seq(at) if expected is None else expected, at, at)
