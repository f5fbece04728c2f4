"""The prototypes that are spawned, each by a name of its own for the vars that it has there."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from ..event_model import Prototype


class Variants:
    """Those of one scene, whichever of its prototypes spawn them.

    Attributes:
        made: the prototypes by name.
        reserved: names that only prototypes as they stand in the scene may have.
    """

    def __init__(self) -> None:
        self.made: dict[str, Prototype] = {}
        self.reserved: Iterable[str] = ()
        self._names: dict[Hashable, str] = {}

    def name_of(self, key: Hashable) -> str:
        """The name of one that was put in; an empty text if it was not."""
        return self._names.get(key, "")

    def put(self, key: Hashable, use: str, prototype: Prototype, *, plain: bool) -> str:
        """Its name: that of the prototype if it is ``plain``, or if nothing else has that."""
        name, count = use, 1
        while not plain and (name in self.made or name in self.reserved):
            count += 1
            name = f"{use}_{count}"
        self._names[key] = name
        self.made[name] = prototype
        return name
