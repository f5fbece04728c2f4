# SPDX-License-Identifier: MIT
"""State names that the pictures of a scene read."""

from __future__ import annotations

from collections.abc import Sequence

from .model import Body, Scene

ENERGIES = ("world.kinetic_energy", "world.stored_energy")
"""Those that the overlay of energies reads."""
TRAIL_SECONDS = 1.0
"""Duration of a trail that only the overlay requests."""
MOST_TRAILS = 200
"""Trails of so many bodies, the first ones, are read at every step; others at frames only."""


def readings(scene: Scene) -> tuple[str, ...]:
    """The state names whose values pictures need, each once."""
    if not (scene.annotations or any(each.texture for each in scene.bodies.values())):
        return ()
    from .values.expression import compile_state
    from .values.text_template import TextTemplate

    names: dict[str, None] = {}
    for body in scene.bodies.values():
        if body.texture is None:
            continue
        for source in (body.texture.frame, body.texture.mirror_while):
            if isinstance(source, str) and source:
                names |= dict.fromkeys(compile_state(source, scene).channels)
    names |= dict.fromkeys(_vector_readings(scene))
    for annotation in scene.annotations:
        sources = [*annotation.expressions, *filter(None, [annotation.condition])]
        sources += [field.expression.source for field in TextTemplate(annotation.text).fields]
        for source in sources:
            names |= dict.fromkeys(compile_state(source, scene).channels)
    return tuple(names)


def _vector_readings(scene: Scene) -> list[str]:
    """The state names of masses and weights that arrows read."""
    from .values.vector_names import WITH_MASS, vector_name

    found = []
    for each in scene.annotations:
        name = vector_name(each.vector)
        owner = each.body or (name.owner if name.quantity in WITH_MASS else "")
        if owner in scene.bodies:
            found += [f"{owner}.mass", f"{owner}.weight"]
    return found


def motion_readings(scene: Scene) -> tuple[str, ...]:
    """The state names of velocities whose change arrows show."""
    if not any(each.vector for each in scene.annotations):
        return ()
    from .values.vector_names import OF_MOTION, vector_name

    names = [vector_name(each.vector) for each in scene.annotations if each.vector]
    owners = [name.owner for name in names if name.quantity in OF_MOTION]
    return tuple(f"{owner}.{part}" for owner in dict.fromkeys(owners) for part in ("vx", "vy"))


def has_trail(body: Body, everyone: bool) -> bool:
    """Whether a body has a trail: its own, or where all that move have one."""
    return body.trail is not None or (everyone and body.kind == "dynamic")


def trailed(scene: Scene, overlays: Sequence[str] | None = None) -> list[str]:
    """The bodies whose trails are read at every step, with other overlays than the scene's."""
    everyone = "trails" in (scene.render.overlays if overlays is None else overlays)
    names = (name for name, body in scene.bodies.items() if has_trail(body, everyone))
    return [name for _, name in zip(range(MOST_TRAILS), names, strict=False)]


def trail_readings(scene: Scene, overlays: Sequence[str] | None = None) -> tuple[str, ...]:
    """The state names that trails read."""
    return tuple(f"{name}.{axis}" for name in trailed(scene, overlays) for axis in ("x", "y"))


def plotted(scene: Scene) -> tuple[str, ...]:
    """The state names that plots in the picture read, each once, those of energies, trails
    and accelerations included."""
    plots = [each for each in scene.annotations if each.kind == "plot"]
    energies = ENERGIES if "energy" in scene.render.overlays else ()
    others = (*energies, *trail_readings(scene), *motion_readings(scene))
    if not plots:
        return others
    from .values.expression import compile_state

    sources = [source for each in plots for source in each.expressions]
    found = (compile_state(source, scene).channels for source in sources)
    return tuple(dict.fromkeys([*(name for names in found for name in names), *others]))
