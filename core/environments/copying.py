# SPDX-License-Identifier: MIT
"""Copies of environments: by ``copy.deepcopy``, and by ``pickle`` for other processes."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from ..errors import UsageError
from ..scene.hashing import physics_hash
from ..scene.loading import Rereading, rereading
from ..scene.model import Scene

BUILT = ("scene", "_course", "_decisions", "_pictures", "_window")
"""Attributes that a copy builds anew from the scene."""


class Copied:
    """An environment whose copies continue as it does, with the same bits.

    A copy in another process reads the scene's text again, with the files that it names; if these
    have changed meanwhile, that is an error.
    """

    scene: Scene

    def _build(self) -> None:
        """Make the attributes of ``BUILT``, but for the scene, from the others."""
        raise NotImplementedError

    def save_state(self) -> bytes:
        raise NotImplementedError

    def restore_state(self, state: bytes) -> Any:
        raise NotImplementedError

    def _rest(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in BUILT}

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        other = object.__new__(type(self))
        memo[id(self)] = other
        memo[id(self.scene)] = self.scene  # nothing changes it
        vars(other).update(deepcopy(self._rest(), memo))
        other._begin_as(self.scene, self.save_state())
        return other

    def __getstate__(self) -> dict[str, Any]:
        again = rereading(self.scene)
        return {
            "scene": self.scene if again is None else again,
            "hash": physics_hash(self.scene),
            "rest": self._rest(),
            "state": self.save_state(),
        }

    def __setstate__(self, given: dict[str, Any]) -> None:
        scene = given["scene"]
        if isinstance(scene, Rereading):
            scene = scene()
        if physics_hash(scene) != given["hash"]:
            raise UsageError(f"{scene.path}: one of its files has changed since it was pickled")
        vars(self).update(given["rest"])
        self._begin_as(scene, given["state"])

    def _begin_as(self, scene: Scene, state: bytes) -> None:
        self.scene = scene
        self._build()
        self.restore_state(state)
