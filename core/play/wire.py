# SPDX-License-Identifier: MIT
"""The messages to a page: the look of a scene, once, and then each moment as bytes.

``live_source.js`` of the page reads them. A moment is six doubles (time, the view, energies),
twelve whole numbers (which stage it is of, the step, and how many of each there are), then the
arrays, those of wider numbers first, so that the page looks at them where they lie, and texts of
annotations as JSON. A mouse whose target was moved is sent as its joint's row and the target; the
page itself then draws its joint.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..page.backdrop import backdrop, layers
from ..page.codes import Blob
from ..page.film import Cast, shifts
from ..page.notes import annotations_of, corners_of, formula_looks, note_looks
from ..page.replay import Style, described, minimap
from ..page.sights import sight_numbers
from ..page.sketch import Magnification, add_sketch, orders
from ..page.sparks import emitters, places_now
from ..page.trails import Trails
from ..record.frame import Frame
from ..render.canvas.sheets import Sprite
from ..render.marks.plots import Sample
from ..render.minimap import on_map
from ..render.objects.particles import Particles
from ..render.renderer import line_unit
from ..scene.model import Body, Scene
from ..scene.readings import trailed
from ..view.boxes import Box
from ..view.camera import Camera, View
from ..view.strips import insets_of
from .traces import traced

HEAD = struct.Struct("<6d12I")
NO_CONTACTS = 0xFFFFFFFF
SPARE = 200
"""So many that have left may still have rows, besides as many as are there."""


_LOOKS = ("joints", "actuators", "render", "camera", "layers", "groups", "materials")
"""Fields of a scene that decide its look, besides its bodies."""


@dataclass(frozen=True, slots=True)
class _Looks:
    """The looks of all drawn objects in the format of a page, their numbers by kind, and the number
    of bodies that are ever drawn."""

    data: dict[str, Any]
    arrays: str
    sprites: Mapping[int, Sprite]
    counts: tuple[int, int, int]
    drawn: int


class Stage:
    """The display of one world: the rows of its objects, their looks, and the camera.

    Attributes:
        number: which it is; pages draw moments of the stage that they know.
    """

    def __init__(
        self,
        number: int,
        scene: Scene,
        first: Frame,
        seen: Box | None = None,
        before: Stage | None = None,
        *,
        bare: bool = False,
    ) -> None:
        """``before`` is the stage of another version of the scene, which may look alike; with
        ``bare`` pages can hide the images on bodies."""
        self.number = self._world = number
        self._scene = scene
        self._seen = seen
        self._bare = bare
        render = scene.render
        self.style = Style(render.size, render.overlays, render.theme, render.fps)
        self._inner = insets_of(scene, render.size, line_unit(render.size)).inner(render.size)
        self._camera = Camera(scene, self._inner, first, seen)
        self._first = self._camera.view(first)
        self._drawn = Magnification(self._first.scale, line_unit(render.size))
        self._cast = Cast(scene, [first])
        self._annotations = annotations_of(scene, render.size)
        self._corners = corners_of(self._annotations, first, self._first)
        self._plotted_last: Sample | None = None
        self._trails = Trails(scene, render.overlays, self._drawn)
        self._particles = Particles(scene)
        self._minimap = minimap(scene, first, self._inner)
        alike = before is not None and before.looks_as(scene, self._drawn)
        reused = before._looks if before is not None and alike else None
        self._looks: _Looks = reused or self._make_looks()
        self.message = self._describe()

    def looks_as(self, scene: Scene, drawn: Magnification) -> bool:
        """Whether the scene would be drawn as this one is, with those who came since."""
        mine = self._cast.scene
        same = all(getattr(mine, part) == getattr(scene, part) for part in _LOOKS)
        same = same and mine.world.pools == scene.world.pools and mine.units == scene.units
        return same and drawn == self._drawn and _look_alike(mine.bodies, scene.bodies)

    @property
    def sprites(self) -> Mapping[int, Sprite]:
        """The items whose picture changes."""
        return self._looks.sprites

    @property
    def trailed(self) -> list[int]:
        """The rows of the scene's own bodies that have a trail."""
        names = [*self._scene.bodies]
        return [names.index(name) for name in trailed(self._scene)]

    @property
    def near(self) -> float:
        """How near to others a position is that a trail leaves out."""
        return self._trails.near

    @property
    def scales(self) -> dict[str, float]:
        """Length units per unit of the vectors of annotations, by their kinds."""
        return self._annotations.scales

    def pieces(self) -> list[list[str | tuple[str, str]]]:
        """The pieces of the texts of all annotations."""
        return self._annotations.pieces()

    def orders(self) -> list[tuple[float, float]]:
        """The place of each drawn item in painter's order."""
        return orders(on_map(self._cast.scene), self._drawn, self._scene.bodies)

    def _make_looks(self) -> _Looks:
        """The looks of all objects with a row."""
        blob = Blob()
        scene = self._cast.scene
        shown = on_map(scene)
        sketch = add_sketch(blob, shown, self._drawn, self._scene.bodies, bare=self._bare)
        size = self._inner
        data = {
            "colors": sketch.colors,
            "images": sketch.images,
            "aims": sketch.aims,
            "backdrop": backdrop(scene, self._first, size),
            "layers": layers(scene, self._first, size),
            "arrays": blob.table,
        }
        counts = len(scene.bodies), len(scene.joints), len(scene.actuators)
        return _Looks(data, blob.text(), sketch.sprites, counts, self._cast.drawn)

    def _describe(self) -> dict[str, Any]:
        """The data that a page needs before the first moment."""
        data = described(self._cast.scene, self.style, self._drawn)
        self._sparkling = len(self._particles.looks)
        data |= {
            "contacts": True,
            "probes": bool(self._scene.probes),
            "emitters": emitters(self._particles.looks),
            "minimap": self._minimap,
            "notes": note_looks(self._scene, self._corners),
            "traced": traced(self._cast.scene),
            "formulas": formula_looks(self._annotations.lettering),
            **self._looks.data,
        }
        which = {"type": "stage", "number": self.number, "world": self._world}
        return which | {"data": data, "arrays": self._looks.arrays}

    def take_in(self, number: int, frame: Frame, *, now: bool = True) -> bool:
        """Give rows to new members; returns whether pages need a new stage, which has ``number``.

        Removed ones keep a row for a while: another one's looks would be drawn there. New ones
        are not shown before pages know of them, which can wait unless it is ``now``.
        """
        there = frame.scene or self._scene
        self._particles.meet(there)
        if not self._cast.knows(frame):
            known = _count(self._cast.scene)
            crowded = known > 2 * _count(there) + SPARE
            now = now or crowded
            self._cast = Cast(self._scene if crowded else self._cast.scene, [frame])
            if crowded:
                self._looks = replace(self._looks, counts=(-1, -1, -1))
        scene = self._cast.scene
        counts = len(scene.bodies), len(scene.joints), len(scene.actuators)
        if counts == self._looks.counts and self._cast.drawn == self._looks.drawn:
            return False
        only_hands = self._only_hands_came(frame, counts)
        if not now and not only_hands:
            return False
        self.number = number
        self._looks = replace(self._looks, counts=counts) if only_hands else self._make_looks()
        self.message = self._describe()
        return True

    def _only_hands_came(self, frame: Frame, counts: tuple[int, int, int]) -> bool:
        """Whether all new objects are joints of dragging, which pages draw themselves."""
        bodies, joints, actuators = self._looks.counts
        rows = self._cast.joints(frame)
        pulling = {int(rows[row]) for row in frame.targets}
        others_stay = (bodies, actuators) == (counts[0], counts[2])
        others_stay = others_stay and self._cast.drawn == self._looks.drawn
        return others_stay and pulling.issuperset(range(joints, counts[1]))

    def moment(
        self,
        frame: Frame,
        loads: NDArray[np.float64] | None = None,
        traces: Sequence[tuple[float, ...]] = (),
    ) -> bytes:
        """A frame as bytes; ``loads`` are those of its joints since the last one, ``traces`` other
        forces."""
        cast, scene = self._cast, self._cast.scene
        bodies, joints = len(scene.bodies), len(scene.joints)
        rows, joint_rows = cast.bodies(frame), cast.joints(frame)
        pose, velocity = np.zeros((bodies, 3)), np.zeros((bodies, 3), np.float32)
        pose[rows], velocity[rows] = np.nan_to_num(frame.pose), frame.velocity
        state, whole = np.zeros(bodies, np.uint8), np.zeros(joints, np.uint8)
        state[rows] = cast.state(frame)
        whole[joint_rows] = ~frame.joint_broken
        force = np.zeros((joints, 3), np.float32)
        force[joint_rows] = frame.joint_force
        targets = [(joint_rows[row], *target) for row, target in frame.targets.items()]
        targets = [each for each in targets if whole[each[0]]]
        whole[[each[0] for each in targets]] = 0
        acting = np.zeros(len(scene.actuators), np.uint8)
        if frame.acting is not None:
            acting[cast.actuators(frame)] = frame.acting
        n, m, k = self._looks.counts
        pose, velocity, state = pose[:n], velocity[:n], state[:n]
        whole, force, acting = whole[:m], force[:m], acting[:k]
        targets = [each for each in targets if each[0] < m]
        sprites = [(item, sprite.picture(frame)) for item, sprite in self._looks.sprites.items()]
        count, touching = self._contacts(frame)
        flying = self._particles.follow(frame.scene or self._scene, frame)
        told = self._sparkling  # pages know so many looks, of which more come with who is born
        sparks = places_now(self._particles.looks[:told], flying[:told], frame.time)
        values = self._plotted(frame)
        view = self._camera.view(frame)
        head = HEAD.pack(
            *(frame.time, view.scale, view.shift_x, view.shift_y, *frame.energy),
            *(self.number, frame.step, n, m, k, count),
            *(len(sprites), len(sparks), len(values), len(targets)),
            *(0 if loads is None else m, len(traces)),
        )
        shown = np.array(sprites, "<i4").reshape(-1, 2)
        places = np.array(targets, "<f8"), np.array(values, "<f8"), shifts(scene, frame)
        wide = (pose.astype("<f8"), *places, np.array(traces, "<f8"), self._trailed(frame, n))
        borne = np.zeros((joints if loads is not None else 0, 4), "<f4")
        if loads is not None:
            borne[joint_rows] = loads
        narrow = (velocity.astype("<f4"), force.astype("<f4"), borne[:m], *touching, shown)
        arrays = (*wide, *narrow, sparks.astype("<f4"), *self._sights(frame))
        bytes_ = [each.tobytes() for each in (*arrays, state, whole, acting)]
        return b"".join((head, *bytes_, self._notes(frame, view)))

    def _trailed(self, frame: Frame, known: int) -> NDArray[Any]:
        """New positions of trails: how many, and of each the row of its body, time, x and y."""
        found = [(row, *place) for row, place in self._trails.follow(frame, self._cast)]
        places = np.array([each for each in found if each[0] < known], "<f8")
        return np.concatenate([np.array([len(places)], "<f8"), places.reshape(-1)])

    def _sights(self, frame: Frame) -> list[NDArray[Any]]:
        """The findings of probes, and before them how many numbers there are."""
        if not self._scene.probes:
            return []
        found = np.array(sight_numbers(frame.sights), "<f4")
        return [np.array([len(found)], "<u4"), found]

    def _plotted(self, frame: Frame) -> list[float]:
        """The lines of all plots, and then time and lines of each peak since the moment before."""
        lines = self._annotations.plotted(frame)
        peaks = self._annotations.passed(self._plotted_last, frame)
        self._plotted_last = (frame.time, *lines)
        return [*lines, *(number for peak in peaks for number in peak)]

    def _notes(self, frame: Frame, view: View) -> bytes:
        """Annotations: [row, text, [x, y, ...], colour, whether thin] of each part."""
        if not self._scene.annotations:
            return b""
        notes = [
            [
                note.row,
                note.part.text,
                [each for place in note.part.points for each in place],
                note.part.tone,
                note.part.thin,
            ]
            for note in self._annotations.notes(frame, view)
        ]
        return as_text(notes).encode()

    def _contacts(self, frame: Frame) -> tuple[int, list[NDArray[Any]]]:
        touching = frame.contacts
        if touching is None:
            return NO_CONTACTS, []
        forces = np.stack([touching.normal_force, touching.tangent_force], axis=1)
        wide = [touching.point, touching.normal, forces]
        bodies = np.where(
            touching.bodies >= 0, self._cast.bodies(frame)[touching.bodies], touching.bodies
        )
        bodies[bodies >= self._looks.counts[0]] = -1
        narrow = [*wide, touching.separation]
        return len(touching.point), [*(each.astype("<f4") for each in narrow), bodies.astype("<i4")]


def as_text(message: Any) -> str:
    """A message as JSON, with null for every number that JSON cannot hold."""
    try:
        return json.dumps(message, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(message))


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _finite(inner) for key, inner in value.items()}
    return [_finite(each) for each in value] if isinstance(value, (list, tuple)) else value


def _count(scene: Scene) -> int:
    return len(scene.bodies) + len(scene.joints) + len(scene.actuators)


def _look_alike(bodies: Mapping[str, Body], others: Mapping[str, Body]) -> bool:
    """Whether bodies differ in nothing but their places and speeds, with which no look changes."""
    if [*bodies] != [*others]:
        return False
    return all(
        body == replace(other, position=body.position, velocity=body.velocity)
        for body, other in zip(bodies.values(), others.values(), strict=True)
    )
