# SPDX-License-Identifier: MIT
"""Bodies of a textbook world by slot, with settings since the start, and added bodies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ... import _native
from ...errors import UsageError
from ...scene.blocks.world.solver_refusals import beyond_objects
from ...scene.model import Body, Scene, Shape
from ...scene.plain import part_from_plain, plain
from ..naming.ids import slot_of
from ..saved import UnfitError, anything, fixed, listed, need, whole

OF_SHAPES = ("friction", "restitution", "rolling_resistance", "tangent_speed")
_UNKNOWN = Body(name="", shapes=(Shape("circle", ((0.0, 0.0),), 1.0),))
"""A body that has not been taken in yet."""


@dataclass(slots=True)
class SolverBodies:
    """The bodies of a textbook world, by slots.

    Attributes:
        given: the definition of each; None is the world, or a slot that is free.
        ids: the engine's.
    """

    scene: Scene
    given: list[Body | None]
    ids: list[int]
    _early: dict[int, list[tuple[str, float]]] = field(default_factory=dict)

    @classmethod
    def of(cls, scene: Scene) -> SolverBodies:
        return cls(scene, [None, *scene.bodies.values()], [*range(len(scene.bodies) + 1)])

    @property
    def kinds(self) -> list[str]:
        """The kind of each; a free slot is static, like the world."""
        return ["static" if body is None else body.kind for body in self.given]

    @property
    def names(self) -> list[str]:
        """The name of each; ``world`` and free slots have one too."""
        return ["world" if body is None else body.name for body in self.given]

    def take(self, bodies: Iterable[Body], ids: Sequence[int]) -> None:
        """Take in added bodies."""
        for body, number in zip(bodies, ids, strict=True):
            slot = slot_of(number)
            self._have(slot + 1)
            self.given[slot], self.ids[slot] = body, number
            for what, value in self._early.pop(slot, ()):
                self.set(slot, what, value)

    def _have(self, slots: int) -> None:
        """Extend to this many slots; new ones are free."""
        while len(self.given) < slots:
            self.ids.append(len(self.given))
            self.given.append(None)

    def leave(self, slot: int) -> None:
        """Forget added bodies that were removed; the scene's own keep their slots."""
        if len(self.scene.bodies) < slot < len(self.given):
            self.given[slot] = None

    def set(self, slot: int, what: str, value: float) -> None:
        """Set a number of a body, or of all its shapes, by its name in a scene.

        Raises UsageError for settings that its solver does not support. Those of a body that a
        native script has just made are kept until it is taken in.
        """
        body = self.given[slot] if slot < len(self.given) else None
        if body is None:
            self._changed(_UNKNOWN, what, value)
            self._early.setdefault(slot, []).append((what, value))
        else:
            self.given[slot] = self._changed(body, what, value)

    def _changed(self, body: Body, what: str, value: float) -> Body:
        if what == "category":
            name = self.scene.collision.categories[int(value)]
            shapes = tuple(replace(shape, category=name) for shape in body.shapes)
            changed = replace(body, category=name, shapes=shapes)
        elif what in OF_SHAPES:
            given: dict[str, Any] = {what: value}
            shapes = tuple(
                replace(shape, material=replace(shape.material, **given)) for shape in body.shapes
            )
            changed = replace(body, shapes=shapes)
        else:
            changed = replace(body, **{what: value})  # type: ignore[arg-type]
        problem = beyond_objects(self.scene, bodies={body.name: changed})
        if problem:
            raise UsageError(problem)
        return changed

    SAVED = listed(fixed(whole(), anything))

    def save(self) -> list[Any]:
        """Changes and additions to the scene's bodies, as JSON data."""
        own = [None, *self.scene.bodies.values()]
        return [
            [number, plain(body)]
            for slot, (number, body) in enumerate(zip(self.ids, self.given, strict=True))
            if body is not None and (slot >= len(own) or body is not own[slot])
        ]

    def restored(self, saved: Iterable[Any], native: _native.World) -> SolverBodies:
        """The bodies in the data of ``save``, of an engine that is restored already and whose last
        slots may be free. Raises UnfitError for bodies that it does not have."""
        fresh = SolverBodies.of(self.scene)
        for i, (number, body) in enumerate(saved):
            where, slot = f"solver.bodies[{i}]", slot_of(number)
            there = slot < native.body_count and (
                native.has_body(number) or slot <= len(self.scene.bodies)
            )
            need(slot and there, where, "the engine has no such body")
            try:
                fresh.take((part_from_plain(Body, body),), (number,))
            except (ValueError, RecursionError) as error:
                raise UnfitError(f"{where}: {error}") from None
        fresh._have(native.body_count)
        return fresh
