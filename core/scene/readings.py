# SPDX-License-Identifier: MIT
"""State names that the pictures of a scene read."""

from __future__ import annotations

from .model import Scene

ENERGIES = ("world.kinetic_energy", "world.potential_energy")
"""Those that the overlay of energies reads."""


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
    for annotation in scene.annotations:
        sources = [*annotation.expressions, *filter(None, [annotation.condition])]
        sources += [field.expression.source for field in TextTemplate(annotation.text).fields]
        for source in sources:
            names |= dict.fromkeys(compile_state(source, scene).channels)
    return tuple(names)


def plotted(scene: Scene) -> tuple[str, ...]:
    """The state names that plots in the picture read, each once, those of energies included."""
    plots = [each for each in scene.annotations if each.kind == "plot"]
    energies = ENERGIES if "energy" in scene.render.overlays else ()
    if not plots:
        return energies
    from .values.expression import compile_state

    sources = [source for each in plots for source in each.expressions]
    found = (compile_state(source, scene).channels for source in sources)
    return tuple(dict.fromkeys([*(name for names in found for name in names), *energies]))
