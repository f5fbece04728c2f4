# SPDX-License-Identifier: MIT
"""Fragments that are read once, and copies of them in a running world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _native
from ..arguments import LARGEST, checked, shown, text, texts
from ..errors import UsageError
from ..scene import limits
from ..scene.basis import Fragment
from ..scene.blocks.placement import Placement
from ..scene.blocks.placing.placer import Copiers, Placer
from ..scene.building.generators import name_problem
from .building.copies import mould_of, placed_copies, prefixed
from .failures import raise_error
from .naming.parts import WorldParts
from .removals import settle
from .spawning import basis_to_add, put_in

Float64 = NDArray[np.float64]


class Prepared:
    """A fragment of a world that was read by ``World.prepare``; copies of it are added quickly.

    A copy's objects are called by its name and their own in the fragment, with a ``.`` between
    them, as an instance's are.

    Attributes:
        names: the names of its objects in the fragment.
    """

    def __init__(self, world: WorldParts, fragment: Fragment, path: str) -> None:
        self._world = world
        self._path = path
        self._fragment = fragment
        self._mould: _native.Mould | None = None
        self._copiers: Copiers = {}
        self.names = [*fragment.bodies, *fragment.joints, *fragment.actuators]

    @checked(name=text)
    def add(
        self,
        name: str,
        *,
        at: ArrayLike = (0.0, 0.0),
        angle: ArrayLike = 0.0,
        velocity: ArrayLike = (0.0, 0.0),
    ) -> list[str]:
        """Add one copy between two steps; return the names of its objects.

        ``at`` is where the fragment's origin comes to be, ``angle`` turns the copy about it, in
        radians; ``velocity`` is added to that of its bodies. Raises UsageError.
        """
        turned = angle if type(angle) is float else _numbers("angle", angle, (1,))[0]
        if not abs(turned) <= LARGEST:
            _numbers("angle", angle, (1,))
        return self._add([name], [_point("at", at)], [turned], [_point("velocity", velocity)])

    @checked(names=texts)
    def add_many(
        self,
        names: Sequence[str],
        *,
        at: ArrayLike = (0.0, 0.0),
        angle: ArrayLike = 0.0,
        velocity: ArrayLike = (0.0, 0.0),
    ) -> list[str]:
        """Add a copy for each name in one call, all or none; return the names of all objects.

        ``at`` and ``velocity`` are [copies, 2], ``angle`` [copies], or the same for all.
        """
        count = len(names)
        places, angles = _numbers("at", at, (count, 2)), _numbers("angle", angle, (count,))
        return self._add(list(names), places, angles, _numbers("velocity", velocity, (count, 2)))

    def _add(
        self, names: list[str], at: list[Any], angles: list[float], velocities: list[Any]
    ) -> list[str]:
        world, fragment = self._world, self._fragment
        raise_error(world)
        settle(world)
        self._check(names)
        placers = (
            Placer(
                Placement(at=(x, y), angle=angle, velocity=(vx, vy)),
                partial(prefixed, f"{name}."),
                self._copiers,
                {},
            )
            for name, (x, y), angle, (vx, vy) in zip(names, at, angles, velocities, strict=True)
        )
        mould = self._made if fragment.bodies else None
        return put_in(world, placed_copies(fragment, placers), self._path, mould)

    def _made(self) -> _native.Mould:
        """The mould, made once."""
        if self._mould is None:
            bodies = [*self._fragment.bodies.values()]
            self._mould = mould_of(self._world.roster.scene, bodies)
        return self._mould

    def _check(self, names: Sequence[str]) -> None:
        """Raise UsageError for names that copies cannot have, and at the limit of bodies."""
        roster, native = self._world.roster, self._world.native
        was, objects = roster.was, self.names
        for name in names:
            problem = name_problem(name, "body")
            if problem:
                raise UsageError(f"{self._path}: {problem}")
            for each in objects:
                if was(full := f"{name}.{each}"):
                    raise UsageError(
                        f"{self._path}: there is, or was, something else with the name `{full}`; "
                        "what is added needs a new name"
                    )
        if len(names) > 1 and len(set(names)) < len(names):
            twice = next(each for each in names if names.count(each) > 1)
            raise UsageError(f"{self._path}: two copies are called `{twice}`")
        coming = len(self._fragment.bodies) * len(names)
        if (
            native.body_count + coming > limits.BODIES
            and int(np.count_nonzero(native.alive)) - 1 + coming > limits.BODIES
        ):
            message = f"more than {limits.BODIES:,} bodies are there at once; that is the limit"
            raise UsageError(f"{self._path}: {message}")


def prepare(world: WorldParts, given: Mapping[str, Any] | str | bytes, path: str) -> Prepared:
    """Read a fragment whose objects know one another and ``world`` alone."""
    if not isinstance(given, (Mapping, str, bytes)):
        raise UsageError(f"a fragment is a mapping or a YAML text, got {shown(given)}")
    from ..scene.fragments import read_fragment  # which knows all that can be written

    basis = basis_to_add(world)
    categories = world.roster.scene.collision.categories
    fragment = read_fragment(given, basis, Fragment(), categories, lambda name: False, path)
    return Prepared(world, fragment, path)


def _point(what: str, given: Any) -> Any:
    """Two finite numbers."""
    if type(given) is tuple and len(given) == 2:
        x, y = given
        if type(x) is float is type(y) and abs(x) <= LARGEST >= abs(y):
            return given
    return _numbers(what, given, (1, 2))[0]


def _numbers(what: str, given: ArrayLike, shape: tuple[int, ...]) -> list[Any]:
    """Finite numbers of a shape, or the same for each copy."""
    try:
        numbers = np.asarray(given, np.float64)
        table: list[Any] = np.broadcast_to(numbers, shape).tolist()
    except (TypeError, ValueError):
        each = "two numbers" if len(shape) == 2 else "a number"
        raise UsageError(
            f"{what} is {each}, or as many for each copy, got {shown(given)}"
        ) from None
    if not (np.abs(numbers) <= LARGEST).all():
        raise UsageError(f"{what} must be finite numbers, at most {LARGEST:g}, got {shown(given)}")
    return table
