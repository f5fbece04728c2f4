# SPDX-License-Identifier: MIT
"""The keys of a scene and of the copies of a prototype, as a script's native program has them."""

from __future__ import annotations

import math

from ....scene.event_model import Action, Prototype
from ....scene.model import Scene
from ....scene.script import Control
from ..event_conditions import RELEASED
from .values import ProgramValues
from .writer import NONE, Writer


def put_control(
    to: Writer,
    values: ProgramValues,
    control: Control,
    whose: Scene | Prototype,
    asked: tuple[int, int],
) -> None:
    """Write a key of a scene or a prototype. ``asked`` are the places of its actions when it is
    pressed and released, which count where there are any."""
    animations, actuators = [*whose.animations], [*whose.actuators]
    to.places(animations.index(name) for name in control.forward)
    to.places(animations.index(name) for name in control.backward)
    to.places(actuators.index(name) for name in control.holds)
    for settings in (control.sets, control.on_release):
        values.put_settings(to, settings)
    to.whole(asked[0] if control.actions else NONE)
    to.whole(asked[1] if control.released else NONE)
    to.real(math.nan if control.every is None else control.every)


def own_path(use: str, key: str, *, released: bool) -> str:
    """The path of what a key of copies of a prototype asks for."""
    return f"prototypes.{use}.controls.{key}{RELEASED if released else ''}"


def own_asked(use: str, prototype: Prototype) -> list[tuple[str, tuple[Action, ...]]]:
    """What keys of copies ask for as they are pressed, and then as they are released, with the
    paths of these."""
    controls = prototype.controls.items()
    pressed = [(own_path(use, key, released=False), each.actions) for key, each in controls]
    return pressed + [(own_path(use, key, released=True), each.released) for key, each in controls]
