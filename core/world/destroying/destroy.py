# SPDX-License-Identifier: MIT
"""Replaces a body of a running world by pieces that keep its motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import pi, sqrt

from ...errors import UsageError
from ...scene import limits
from ...scene.basis import Fragment
from ...scene.model import Body, BodyKind, Point, Shape
from ...scene.script import Destruction, Kick
from ...scene.values import seeded
from ...scene.values.portable_math import atan2, cos, sin, total
from ..failures import raise_error
from ..naming.ids import slot_of
from ..naming.parts import WorldParts
from ..naming.registry import gone
from ..removals import settle
from ..spawning import Mounts, name_copies, put_in, remove
from .cutting import squared_distance
from .pictures import seen_picture, texture_of_piece, turned_picture
from .pieces import Piece, PiecePart, cut_shapes, solid_shapes


def destroy_body(
    world: WorldParts,
    name: str,
    how: Destruction,
    count: Callable[[int], None] = lambda births: None,
) -> list[str]:
    """Replace a body by pieces, between two steps; return their names.

    The joints of the body and the actuators that act on it alone go with it. Raises UsageError
    if nothing can be broken; the world is then unchanged, as when ``count``, which is
    called with the number of pieces, raises an error.
    """
    raise_error(world)
    settle(world)
    body = _breakable(world, name)
    shapes = solid_shapes(body.shapes)
    if not shapes:
        raise UsageError(f"body {name!r} cannot be destroyed: none of its shapes has an area")
    seed = world.roster.scene.world.seed if how.seed is None else how.seed
    path = f"destroy.{name}"
    pieces, slivers = cut_shapes(shapes, how, seed, path, seen_picture(body))
    there = int(world.native.alive.sum()) - 1  # without `world`
    if there + len(pieces) > limits.BODIES:
        raise UsageError(
            f"body {name!r} cannot be destroyed: with its {len(pieces)} pieces there would be more "
            f"than {limits.BODIES:,} bodies; that is the limit"
        )
    count(len(pieces))
    motion = _Motion(_moving(world, body), body, pieces)
    bodies = _pieces_of(body, shapes, pieces, motion, how, seed)
    put_in(world, Fragment(bodies), path)
    remove(world, name)
    _warn(world, name, slivers)
    return [*bodies]


def name_pieces(
    world: WorldParts,
    name: str,
    how: Destruction,
    was: Moving,
    ids: Sequence[int],
    step: int,
    mounts: Mounts,
) -> None:
    """Give names to the pieces of a body that the native runner has broken after a step."""
    body = replace(world.roster.bodies[name], kind=was.kind, collide=was.collide)
    if was.along is not None:
        x, y = was.along
        body = turned_picture(body, atan2(y, x) - was.angle)
    body = replace(body, visible=world.roster.visible.get(name, body.visible))
    shapes = solid_shapes(body.shapes)
    seed = world.roster.scene.world.seed if how.seed is None else how.seed
    pieces, slivers = cut_shapes(shapes, how, seed, f"destroy.{name}", seen_picture(body))
    bodies = _pieces_of(body, shapes, pieces, _Motion(was, body, pieces), how, seed)
    taken: dict[str, list[int]] = {"bodies": [*ids], "joints": [], "points": []}
    name_copies(world, Fragment(bodies), taken, step, mounts)
    _warn(world, name, slivers)


def _pieces_of(
    body: Body,
    shapes: Sequence[Shape],
    pieces: Sequence[Piece],
    motion: _Motion,
    how: Destruction,
    seed: int,
) -> dict[str, Body]:
    """The pieces as bodies, by their names."""
    # Nothing else is called so: the last part of any other name begins with a letter.
    names = [f"{body.name}.{number}" for number in range(1, len(pieces) + 1)]
    path = f"destroy.{body.name}.kick"
    bodies = {}
    for number, (each, piece) in enumerate(zip(names, pieces, strict=True)):
        kick = _kick(how.kick, motion.away(piece), seed, path, 3 * number)
        made = motion.body(each, piece, shapes, kick)
        tags = made.tags if how.tags is None else how.tags
        bodies[each] = replace(made, tags=tags, collide=made.collide and how.collide)
    return bodies


def _warn(world: WorldParts, name: str, slivers: int) -> None:
    """Warn of dropped slivers."""
    if slivers:
        noun = "sliver" if slivers == 1 else "slivers"
        world.warned.append(f"body {name!r} was destroyed but for {slivers} {noun} of no weight")


def _breakable(world: WorldParts, name: str) -> Body:
    roster = world.roster
    if name not in roster.bodies:
        raise roster.unknown("body", name, roster.bodies)
    if not world.native.has_body(roster.ids[name]):
        raise gone("body", name)
    return _seen_now(world, roster.as_it_is(name, world.native))


def _seen_now(world: WorldParts, body: Body) -> Body:
    """The body with its picture, if aligned with two bodies, turned to its present angle."""
    roster, native = world.roster, world.native
    along = () if body.texture is None else body.texture.along
    if not along or not all(
        name in roster.bodies and native.has_body(roster.ids[name]) for name in along
    ):
        return body
    own, first, second = (slot_of(roster.ids[name]) for name in (body.name, *along))
    x, y = native.x[second] - native.x[first], native.y[second] - native.y[first]
    return turned_picture(body, atan2(float(y), float(x)) - float(native.angle[own]))


@dataclass(frozen=True, slots=True)
class Moving:
    """A body at the moment when it breaks: its pose and motion, its mass and inertia, the centre of
    mass in its coordinates, its type, whether it collides, and the way along which its picture is,
    None where that stays as it is in the body."""

    x: float
    y: float
    angle: float
    velocity: Point
    omega: float
    mass: float
    inertia: float
    center: Point
    kind: BodyKind
    collide: bool
    along: Point | None = None


def _moving(world: WorldParts, body: Body) -> Moving:
    slot, native = slot_of(world.roster.ids[body.name]), world.native
    return Moving(
        float(native.x[slot]),
        float(native.y[slot]),
        float(native.angle[slot]),
        (float(native.vx[slot]), float(native.vy[slot])),
        float(native.omega[slot]),
        float(native.mass[slot]),
        float(native.inertia[slot]),
        native.center_of_mass(slot),
        body.kind,
        body.collide,
    )


class _Motion:
    """Pose and motion of a body, which its pieces take over.

    A piece at r from the centre of all has the velocity v + omega x r. That is the middle of the
    pieces' masses, so that the momentum stays also where the scene says another centre of mass.
    They turn about it together: with the body's own omega, but for the share by which all pieces
    together have another inertia than it had, since cut outlines of round shapes have corners. So
    the angular momentum stays as well. An inertia given in the scene does not apply to the pieces.
    """

    def __init__(self, was: Moving, body: Body, pieces: Sequence[Piece]) -> None:
        self.definition = body
        self.x, self.y, self.angle = was.x, was.y, was.angle
        self.velocity, self.omega = was.velocity, was.omega
        self.cos, self.sin = cos(self.angle), sin(self.angle)
        self.weight = total(piece.weight for piece in pieces)
        self.mass = was.mass if body.kind == "dynamic" else self.weight
        self.center = was.center
        if body.kind == "dynamic":
            x, y = (total(p.weight * p.center[k] for p in pieces) / self.weight for k in (0, 1))
            self.center = x, y
        if body.kind == "dynamic" and body.inertia is None and body.center_of_mass is None:
            x, y = self.center
            about = total(p.inertia + p.weight * squared_distance(p.center, (x, y)) for p in pieces)
            together = about * self.mass / self.weight
            if together > 0.0:
                self.omega *= was.inertia / together

    def away(self, piece: Piece) -> Point:
        """From the centre of all to that of a piece, in the axes of the world."""
        return self._turned((piece.center[0] - self.center[0], piece.center[1] - self.center[1]))

    def _turned(self, vector: Point) -> Point:
        x, y = vector
        return self.cos * x - self.sin * y, self.sin * x + self.cos * y

    def body(self, name: str, piece: Piece, shapes: Sequence[Shape], kick: _Push) -> Body:
        """A piece as a body, whose origin is its centre of mass."""
        was = self.definition
        x, y = self._turned(piece.center)
        away = self.away(piece)
        push, spin = kick
        return replace(
            was,
            name=name,
            kind="dynamic",
            shapes=tuple(_part(shapes[part.number], part, piece.center) for part in piece.parts),
            position=(self.x + x, self.y + y),
            angle=self.angle,
            velocity=(
                self.velocity[0] - self.omega * away[1] + push[0],
                self.velocity[1] + self.omega * away[0] + push[1],
            ),
            angular_velocity=self.omega + spin,
            mass=self.mass * (piece.weight / self.weight),
            inertia=None,
            center_of_mass=None,
            fixed_rotation=False,
            awake=True,
            points={},
            trail=None,
            texture=texture_of_piece(was, piece.center, piece.seen),
            piece_of=was.piece_of or was.name,
        )


_Push = tuple[Point, float]
"""A velocity and an angular velocity."""


def _part(shape: Shape, part: PiecePart, center: Point) -> Shape:
    moved, *holes = (
        tuple([(x - center[0], y - center[1]) for x, y in ring])
        for ring in (part.points, *part.holes)
    )
    return replace(
        shape, kind="polygon", points=moved, radius=0.0, source="polygon", outer=(), holes=(*holes,)
    )


def _kick(kick: Kick, away: Point, seed: int, path: str, call: int) -> _Push:
    """Settings of a piece besides its motion, by random numbers of its own."""
    x = y = spin = 0.0
    far = sqrt(away[0] * away[0] + away[1] * away[1])
    if kick.radial and far > 0.0:
        x, y = kick.radial * (away[0] / far), kick.radial * (away[1] / far)
    if kick.random:
        turn = seeded.uniform(seed, path, call, 0.0, 2.0 * pi)
        speed = seeded.uniform(seed, path, call + 1, 0.0, kick.random)
        x, y = x + speed * cos(turn), y + speed * sin(turn)
    if kick.spin:
        spin = seeded.uniform(seed, path, call + 2, -kick.spin, kick.spin)
    return (x, y), spin
