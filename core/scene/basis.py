# SPDX-License-Identifier: MIT
"""The parts of a scene's text kept for additions to the running scene, and these additions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, cast

from ..frozen import frozen

if TYPE_CHECKING:
    from .blocks.bodies.materials import Materials
    from .blocks.prototypes.defaults import DefaultsInput
    from .blocks.prototypes.prototypes import PrototypeBuilder
    from .model import Actuator, Body, Emitter, Joint, Scene, World
    from .text.files import Folders
    from .text.marks import Mark
    from .values.context import Context


@frozen
class Basis:
    """The parts of a scene's text that all of its objects share.

    It is not pickled: a scene in another process has none.

    Attributes:
        prototype_builder: builds the scene's prototypes; None where it has none.
        instances: the names of the scene's own instances.
        drew: whether random numbers were drawn while it was read.
        again: a function that reads the scene again, with more overrides.
        marks: the places of bodies and instances in the file, by section and name.
    """

    context: Context
    world: World
    materials: Materials
    defaults: DefaultsInput | None
    folders: Folders
    prototype_builder: PrototypeBuilder | None = None
    instances: frozenset[str] = frozenset()
    drew: bool = False
    again: Callable[[Sequence[str]], Any] | None = None
    marks: Mapping[str, Mapping[str, Mark]] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return _nothing, ()


def basis_of(scene: Scene) -> Basis | None:
    """Return the basis of a scene, which stores it untyped; None without one."""
    return cast("Basis | None", scene.basis)


def _nothing() -> None:
    return None


@frozen
class Fragment:
    """Additions by name, with every default filled in."""

    bodies: Mapping[str, Body] = field(default_factory=dict)
    joints: Mapping[str, Joint] = field(default_factory=dict)
    actuators: Mapping[str, Actuator] = field(default_factory=dict)
    particles: Mapping[str, Emitter] = field(default_factory=dict)
