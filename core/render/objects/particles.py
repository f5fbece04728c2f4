# SPDX-License-Identifier: MIT
"""Particles: sparks and flames that start at places of bodies, move and fade.

The k-th particle of an emitter, or burst of several, starts at the time k / rate. The direction of
each is a function of the scene's seed, the emitter's name and its number only; its place, and
whether the actuator acts, follow from the two frames around its time. So the pictures of a run have
the same particles at any frame rate. Before the first frame a body is assumed to have moved as in
that frame.

The emitters of spawned copies are in the scenes of their frames. Since there may be many such
copies, those with equal looks are drawn together, by their age.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil, floor, pi, sqrt

from ...record.frame import Frame
from ...scene.model import Emitter, Point, Scene
from ...scene.values import seeded
from ...scene.values.portable_math import cos, sin
from ...view.camera import View
from ..canvas.colors import Color, fade, mix, parse_color
from ..canvas.display import Items

SAME = 1e-6
"""A time this close to that of a particle, as a part of the time between two, is that time."""
SMALLEST = 0.5
"""A particle is drawn at least with this radius, in pixels."""


@dataclass(frozen=True, slots=True)
class _EmitterPlace:
    """The place and the motion of an emitter at a moment, in the world."""

    time: float
    acts: bool
    ends: tuple[Point, ...]
    velocities: tuple[Point, ...]

    def back_to(self, time: float) -> _EmitterPlace:
        """Return its earlier place, for its present motion."""
        ago = self.time - time
        ends = tuple(
            (x - ago * vx, y - ago * vy)
            for (x, y), (vx, vy) in zip(self.ends, self.velocities, strict=True)
        )
        return _EmitterPlace(time, self.acts, ends, self.velocities)

    def towards(self, later: _EmitterPlace, time: float) -> _EmitterPlace:
        """Return its place between two moments; it acts as at the first of them."""
        part = (time - self.time) / (later.time - self.time)
        return _EmitterPlace(
            time,
            self.acts,
            _between_all(self.ends, later.ends, part),
            _between_all(self.velocities, later.velocities, part),
        )


@dataclass(frozen=True, slots=True)
class Particle:
    """The particle of a number, where it began, and its velocity."""

    number: int
    start: Point
    velocity: Point


@dataclass(frozen=True, slots=True)
class ParticleLook:
    """How particles look, and how many come: all of an emitter that pictures of them need."""

    rate: float
    life: float
    size: float
    colors: tuple[Color, ...]
    count: int = 1

    def time(self, number: int) -> float:
        """When the particle of a number comes."""
        return (number // self.count) / self.rate


class Particles:
    """All particles of a scene's pictures, from frame to frame.

    Attributes:
        looks: the looks of the scene's own emitters, in their order, then those of spawned copies.
    """

    def __init__(self, scene: Scene) -> None:
        self._seed = scene.world.seed
        self._own = len(scene.particles)
        self._emitting = {
            each.name: _Emitting(self._seed, each, row)
            for row, each in enumerate(scene.particles.values())
        }
        self.looks = [_look(each) for each in scene.particles.values()]
        self._rows: dict[ParticleLook, int] = {}  # of what was born
        self._met: Scene | None = None
        self._now: _Now | None = None
        self._time = 0.0

    def meet(self, scene: Scene) -> None:
        """Take note of those that were born, in the scene of a frame."""
        if scene is self._met:
            return
        self._met = scene
        for name, emitter in scene.particles.items():
            if name not in self._emitting:
                look = _look(emitter)
                row = self._rows.setdefault(look, len(self.looks))
                if row == len(self.looks):
                    self.looks.append(look)
                self._emitting[name] = _Emitting(self._seed, emitter, row)

    def follow(self, scene: Scene, frame: Frame) -> list[Sequence[Particle]]:
        """Take note of this frame, of this scene; by look those that are there, oldest first."""
        if frame.time < self._time:
            self._emitting = dict(islice(self._emitting.items(), self._own))
            self._met = None
        self._time = frame.time
        self.meet(scene)
        if self._emitting and (self._now is None or self._now.scene is not scene):
            self._now = _Now(scene)
        for emitting in self._emitting.values():
            assert self._now is not None
            emitting.follow(self._now, frame)
        there = self._by_look(lambda emitting: emitting.there)
        for name, emitting in [*self._emitting.items()][self._own :]:
            if not emitting.there and name not in scene.particles:
                del self._emitting[name]
        return there

    def came(self) -> list[Sequence[Particle]]:
        """By look those that came with the last frame."""
        return self._by_look(lambda emitting: emitting.came)

    def _by_look(self, of: Callable[[_Emitting], Sequence[Particle]]) -> list[Sequence[Particle]]:
        found: list[Sequence[Particle]] = [()] * len(self.looks)
        merged: dict[int, list[Particle]] = {}
        for emitting in self._emitting.values():
            if emitting.row < self._own:
                found[emitting.row] = of(emitting)
            else:
                merged.setdefault(emitting.row, []).extend(of(emitting))
        for row, particles in merged.items():
            found[row] = sorted(particles, key=lambda each: each.number)
        return found

    def add(self, items: Items, scene: Scene, frame: Frame, view: View) -> None:
        """Take note of this frame, of this scene, and draw, the oldest below."""
        for look, particles in zip(self.looks, self.follow(scene, frame), strict=True):
            for particle in particles:
                (x, y), (vx, vy) = particle.start, particle.velocity
                far = max(0.0, frame.time - look.time(particle.number))
                age = min(1.0, far / look.life)
                radius = max(SMALLEST, (1.0 - 0.7 * age) * look.size * view.scale)
                center = view.pixel(x + far * vx, y + far * vy)
                items.add("circle", [center], _color(look.colors, age), radius=radius)


def _look(emitter: Emitter) -> ParticleLook:
    colors = tuple([parse_color(each) for each in emitter.colors])
    return ParticleLook(emitter.rate, emitter.life, emitter.size, colors, emitter.count)


class _Now:
    """Rows of objects in the frames of a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.bodies = {name: row for row, name in enumerate(scene.bodies)}
        self.actuators = {name: row for row, name in enumerate(scene.actuators)}


class _Emitting:
    """One emitter, and its particles: their numbers, where they began, and their velocities."""

    def __init__(self, seed: int, emitter: Emitter, row: int) -> None:
        self.emitter, self.row = emitter, row
        self._seed = seed
        self._owners = [place.partition(".points.")[::2] for place in emitter.places]
        self._last: _EmitterPlace | None = None
        self._time = -1.0  # of the last frame
        self._first = ceil(emitter.start * emitter.rate - SAME)
        self._next = self._first  # the number of the burst that comes next
        self.there: deque[Particle] = deque()
        self.came: list[Particle] = []

    # ------------------------------------------------------------ coming

    def follow(self, moment: _Now, frame: Frame) -> None:
        """Let those come whose time is since the last frame, and those go whose life is over."""
        emitter, now, last = self.emitter, self._place(moment, frame), self._last
        if frame.time < self._time:
            last, self._next = None, self._first
            self.there.clear()
        self.came = []
        self._last, self._time = now, frame.time
        oldest = floor((frame.time - emitter.life) * emitter.rate + SAME) + 1
        count = emitter.count
        while self.there and self.there[0].number // count < oldest:
            self.there.popleft()
        behind = floor(frame.time * emitter.rate + SAME) + 1
        bursts = range(max(oldest, self._next), behind)
        for burst in bursts if not emitter.once or self._next == self._first else ():
            if now is None or (emitter.once and burst > self._first):
                break
            time = burst / emitter.rate
            place = now.back_to(time) if last is None else last.towards(now, time)
            if place.acts:
                numbers = range(burst * count, (burst + 1) * count)
                self.came += [Particle(each, *self._shoot(each, place)) for each in numbers]
        self.there.extend(self.came)
        self._next = max(behind, self._first)

    def _place(self, moment: _Now, frame: Frame) -> _EmitterPlace | None:
        """Its place in a frame; None if its body was removed."""
        rows, scene = moment.bodies, moment.scene
        ends, velocities = [], []
        for owner, point in self._owners:
            row = rows.get(owner)
            if row is None or not frame.alive[row]:
                return None
            x, y, angle = frame.pose[row].tolist()
            vx, vy, omega = frame.velocity[row].tolist()
            c, s = cos(angle), sin(angle)
            px, py = scene.bodies[owner].points[point] if point else frame.center[row].tolist()
            cx, cy = (px - frame.center[row][0], py - frame.center[row][1])
            ends.append((x + c * px - s * py, y + s * px + c * py))
            velocities.append(
                (float(vx - omega * (s * cx + c * cy)), float(vy + omega * (c * cx - s * cy)))
            )
        return _EmitterPlace(frame.time, self._acts(moment, frame), tuple(ends), tuple(velocities))

    def _acts(self, moment: _Now, frame: Frame) -> bool:
        """Whether its actuator acts, as the frame says or else as the scene does."""
        gate = self.emitter.gate
        if not gate:
            return True
        if gate not in moment.actuators:
            return False
        if frame.acting is not None:
            return bool(frame.acting[moment.actuators[gate]])
        actuator = moment.scene.actuators[gate]
        return actuator.enabled and actuator.start <= frame.time < actuator.until

    def _shoot(self, number: int, place: _EmitterPlace) -> tuple[Point, Point]:
        """Return the start of a particle, and its velocity."""
        emitter, path = self.emitter, f"particles.{self.emitter.name}"
        call = 3 * number
        spread = emitter.spread
        share = seeded.uniform(self._seed, path, call, 0.0, 1.0)
        speed = emitter.speed * seeded.uniform(self._seed, path, call + 1, 0.6, 1.0)
        start = _between(place.ends[0], place.ends[-1], share)
        velocity = _between(place.velocities[0], place.velocities[-1], share)
        along = _quarter_turned(place.ends)
        if along is None:
            along, spread = (1.0, 0.0), pi
        turn = seeded.uniform(self._seed, path, call + 2, -spread, spread)
        c, s = cos(turn), sin(turn)
        x, y = c * along[0] - s * along[1], s * along[0] + c * along[1]
        return start, (velocity[0] + speed * x, velocity[1] + speed * y)


def _color(colors: Sequence[Color], age: float) -> Color:
    """On the way through the colours, and clearer with age."""
    place = age * (len(colors) - 1)
    first = min(int(place), len(colors) - 1)
    second = min(first + 1, len(colors) - 1)
    return fade(mix(colors[first], colors[second], place - first), 1.0 - age * age)


def _quarter_turned(ends: Sequence[Point]) -> Point | None:
    """The direction a quarter turn, from +x towards +y, from that between two ends."""
    x, y = ends[-1][0] - ends[0][0], ends[-1][1] - ends[0][1]
    long = sqrt(x * x + y * y)
    return (-y / long, x / long) if long > 0.0 else None


def _between(a: Point, b: Point, part: float) -> Point:
    return a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])


def _between_all(a: Sequence[Point], b: Sequence[Point], part: float) -> tuple[Point, ...]:
    return tuple(_between(p, q, part) for p, q in zip(a, b, strict=True))
