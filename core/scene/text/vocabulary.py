# SPDX-License-Identifier: MIT
"""The vocabulary of a scene's ``tags``: one word for each subject, so that searches find all of it.

Other tags are allowed, since users arrange their scenes by words of their own; ``rigid validate``
reports them as warnings, with the nearest tag of the vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...errors import Problem, SceneError
from ...nearest import nearest_word
from .marks import Map, Seq
from .problems import locate
from .yaml_reader import Reader

TAGS: dict[str, dict[str, str]] = {
    "Kind of scene": {
        "film": "a story of several shots",
        "game": "played by keys, or as a recorded player plays it",
        "lesson": "an experiment of a lesson in physics",
        "study": "many runs with other values",
        "task": "observations, actions and reward for learners",
        "textbook": "a method of a textbook beside the engine's",
        "tutorial": "a step of the tutorial",
    },
    "Physics": {
        "chaos": "small differences that grow",
        "collision": "impacts, restitution, one-way and fast bodies",
        "conservation": "momentum or energy stays the same",
        "drag": "resistance of air or another medium",
        "energy": "kinetic and potential energy change into each other",
        "fields": "forces by place and time: gravity, magnets, wind",
        "flight": "bodies in free flight",
        "friction": "static and sliding friction",
        "granular": "many small bodies that flow or pile up",
        "oscillation": "periodic motion",
        "rolling": "bodies that roll",
        "sleep": "bodies at rest that are no longer computed",
        "solver": "the method that solves contacts and joints",
        "stacking": "bodies on each other",
        "statics": "forces in equilibrium",
        "water": "buoyancy and floating bodies",
    },
    "Objects": {
        "actuators": "forces and torques on bodies, thrusters",
        "break": "joints that break under load",
        "chains": "chains of bodies, and ground made of chains of edges",
        "figures": "people, animals and machines drawn with textures",
        "gears": "gears, racks, ratchets and pulleys",
        "joints": "joints between bodies",
        "kinematic": "bodies that move as prescribed",
        "limits": "joints with limits",
        "mechanisms": "linkages, cranks and escapements",
        "motors": "joints that are driven",
        "pendulums": "pendulums, single and coupled",
        "ropes": "ropes and cables",
        "sensors": "shapes that detect bodies and do not collide",
        "shapes": "polygons, curves, holes, rounded, concave and compound shapes",
        "springs": "springs and dampers",
        "vehicles": "cars, trains, motorbikes",
    },
    "Run": {
        "animations": "set-points over time",
        "controls": "keys and what they do",
        "destroying": "bodies that are broken into pieces",
        "events": "actions when something happens",
        "groups": "bodies that are named together",
        "include": "a scene of several files",
        "inputs": "a recorded player",
        "mouse": "bodies that are dragged",
        "outcome": "a run that is won or lost",
        "probes": "rays, overlaps and velocities that expressions read",
        "prototypes": "parts that are used several times",
        "random": "values drawn at random",
        "spawners": "bodies that are born during the run",
        "state": "variables of a run",
        "units": "other units than metres and seconds",
    },
    "Picture": {
        "annotations": "texts, vectors, dimensions and plots",
        "camera": "a view that moves or zooms",
        "compare": "several variants side by side",
        "layers": "images behind and in front of the bodies",
        "minimap": "a small picture of the whole scene",
        "overlays": "contacts, forces and other drawings over the bodies",
        "particles": "sparks, smoke and flames",
        "slow motion": "a run that is shown slower",
        "textures": "images on bodies",
    },
}
"""The meaning of each tag, by the kind of tag."""
KIND_OF = {tag: kind for kind, tags in TAGS.items() for tag in tags}
"""The kind of each tag."""


def kind_of(tag: str) -> str:
    """The kind of a tag; that of a tag outside the vocabulary is ``Other``."""
    return KIND_OF.get(tag, "Other")


def tag_warnings(tags: Sequence[str], text: str, file: str) -> list[Problem]:
    """A warning for each of a scene's tags that is outside the vocabulary or listed twice.

    ``text`` is that of its file, whose tags may have been replaced by an override.
    """
    try:
        tree = Reader().read(text, file) if tags else None
    except SceneError:
        tree = None
    written = tree.get("tags") if isinstance(tree, Map) else None
    is_written = isinstance(written, Seq) and list(written) == list(tags)
    found = []
    for i, tag in enumerate(tags):
        message = _fault(tag, tags[:i])
        if message:
            mark = locate(tree, ("tags", i))[0] if is_written else None
            line, column = (mark.line, mark.column) if mark is not None else (0, 0)
            found.append(Problem(file, line, column, f"tags[{i}]", message, "unknown-tag"))
    return found


def _fault(tag: str, before: Sequence[str]) -> str:
    if tag in before:
        return f"the tag `{tag}` is listed twice"
    if tag in KIND_OF:
        return ""
    plain = re.sub(r"[\s_-]+", " ", tag.strip().lower())
    near = plain if plain in KIND_OF else nearest_word(plain, tuple(KIND_OF))
    hint = f" (did you mean `{near}`?)" if near else ""
    return f"the vocabulary has no tag `{tag}`{hint}; a tag of your own is allowed"
