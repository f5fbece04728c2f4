# SPDX-License-Identifier: MIT
"""Input models of parts of actions, such as spawns, destructions and attached joints."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from ... import limits
from ...values import units
from ...values.context import Context, Wrong
from ...values.fields import POINT, Duration, Input, Positive, Size, TruthField, Value, Words, about
from ...values.kinds import Custom, OneOf, Text, Tuple, show
from ...values.names import Name
from ...values.quantity import Quantity, Written
from ..placing.pivots import PIVOT
from ..settings.settable import SETTINGS_SCHEMA, check_settings
from ..variables import GIVEN_VAR
from .live import Unchecked

VELOCITY = Tuple(Quantity((units.SPEED,)), 2, "a velocity [x, y]")
ANGLE = Quantity((units.ANGLE,))
IMPULSE = Tuple(Quantity((units.IMPULSE,)), 2, "an impulse [x, y]")
STRENGTH = Quantity((units.IMPULSE,))
VOLUME = Quantity()
LIFETIME = Quantity((units.TIME,), above=0.0)

_PLACE_SCHEMA = {"anyOf": [{"type": "string"}, POINT.schema()]}


def _as_written(value: Any, context: Context) -> Written:
    return Written(value)


def check_name(value: Any, context: Context) -> Any:
    """The name of an object, or of a body of an event."""
    if not isinstance(value, str) or not value:
        raise Wrong(
            "wrong-type", f"must be a name, or `$a` or `$b` of the event, not {show(value)}"
        )
    return value


Place = Annotated[Any, Custom(_as_written, _PLACE_SCHEMA)]
Target = Annotated[Any, Custom(check_name, {"type": "string"})]
Settings = Annotated[Any, Custom(check_settings, SETTINGS_SCHEMA)]


class ImpulseInput(Input):
    form: ClassVar[str] = "`{body: $b, impulse: [0, 5]}`"
    needed: ClassVar[tuple[str, ...]] = ("body", "impulse")
    body: Target = about("Which body is hit.")
    impulse: Annotated[Any, Unchecked(IMPULSE)] = about("How hard, in world axes.")
    at: Place = about("Where (its centre of mass).")


def as_sound(value: Any) -> Any:
    """A sound's short form, its name, in its long one."""
    return {"name": value} if isinstance(value, str) else value


class SoundInput(Input):
    form: ClassVar[str] = "`{name: knock, volume: =$impulse/5}`, or a name"
    needed: ClassVar[tuple[str, ...]] = ("name",)
    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("file", "play"), "it is `name`"),
        **dict.fromkeys(("loud", "gain"), "it is `volume`"),
    }
    name: Annotated[str | None, Text("the name of a sound, or of a file of .wav or .ogg")] = about(
        "A built-in sound, or a file of .wav or .ogg in the scene's folder."
    )
    volume: Annotated[Any, Unchecked(VOLUME)] = about(
        "How loud it is, 1 at most (1); none is heard at 0 and below."
    )


class ExplodeInput(Input):
    form: ClassVar[str] = "`{at: $point, radius: 3, impulse: 20}`"
    needed: ClassVar[tuple[str, ...]] = ("at", "radius", "impulse")
    at: Place = about("The middle.")
    radius: Size = about("How far it reaches.")
    impulse: Annotated[Any, Unchecked(STRENGTH)] = about(
        "The impulse on a body in the middle; it falls with the distance to none at the radius."
    )


class MoveInput(Input):
    form: ClassVar[str] = "`{what: tower, by: [2, 0]}` or `{what: car, to: [3, 1], angle: 90}`"
    needed: ClassVar[tuple[str, ...]] = ("what",)
    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("body", "bodies", "group", "instance"), "it is `what`"),
        **dict.fromkeys(("at", "position"), "it is `to`"),
    }
    what: Target = about(
        "A body, group, generator or instance, or `tags.rock`: all bodies with that tag."
    )
    to: Place = about("Where the origin of the first of them comes to be.")
    by: Annotated[Any, Unchecked(POINT)] = about("How far they are moved, instead of `to`.")
    angle: Annotated[Any, Unchecked(ANGLE)] = about(
        "How they are turned about the origin of the first of them (0)."
    )
    velocity: Annotated[Any, Unchecked(VELOCITY)] = about(
        "What they have then (their own, which turns with them)."
    )


class CopyInput(MoveInput):
    form: ClassVar[str] = "`{what: tower, by: [2, 0], name: twin}`"
    needed: ClassVar[tuple[str, ...]] = ("what", "name")
    name: Annotated[Any, Name("a name")] = about("The copies are called name[0], name[1] ...")


class AttachInput(Input):
    form: ClassVar[str] = "`{name: rope, joint: {type: distance, bodies: [$a, $b]}}`"
    needed: ClassVar[tuple[str, ...]] = ("name", "joint")
    name: Annotated[Any, Name("a name")] = about("The joints are called name[0], name[1] ...")
    joint: Annotated[Any, Custom(_as_written, {"type": "object"})] = about(
        "A joint as under `joints`; its bodies may be `$a` and `$b`, an anchor `$point`."
    )


_SPEED = Quantity((units.SPEED,))
_LARGEST_SPEED = Quantity((units.SPEED,), low=0.0)
_LARGEST_SPIN = Quantity((units.ANGULAR_SPEED,), low=0.0)


class KickInput(Input):
    form: ClassVar[str] = "`{radial: 2, random: 0.5, spin: 90}`"
    radial: Annotated[Value, _SPEED] = about("A speed away from the middle of the body (0).")
    random: Annotated[Value, _LARGEST_SPEED] = about(
        "The largest of a speed in a direction of its own (0)."
    )
    spin: Annotated[Value, _LARGEST_SPIN] = about(
        "The largest of an angular velocity, either way (0)."
    )


class DestroyInput(Input):
    form: ClassVar[str] = "`{body: $b, method: voronoi, count: 8}`"
    needed: ClassVar[tuple[str, ...]] = ("body",)
    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("radial", "random", "spin"), "it belongs in `kick: {...}`"),
        "pieces": "it is `count`",
    }
    body: Target = about("The body that breaks.")
    method: Annotated[str | None, OneOf(tuple(limits.PIECES))] = about(
        "boxes: a grid of count x count (default); voronoi: what is nearest to each of count sites."
    )
    count: Annotated[Value, Quantity(low=1, whole=True)] = about(
        "How many boxes in a row, at most 32, or sites, at most 1000 (3)."
    )
    seed: Annotated[Value, Quantity(low=0, high=2**53, whole=True)] = about(
        "Of the sites and kicks (default: world.seed)."
    )
    kick: KickInput | None = about("Velocities of the pieces besides the motion of the body.")
    tags: Words = about("Those of the pieces (default: those of the body).")
    collide: TruthField = about("Whether the pieces touch anything, or only look (true).")
    lifetime: Duration = about("How long after it they are taken out again (never).")


class SpawnInput(Input):
    form: ClassVar[str] = "`{use: bullet, at: ship.points.nose, velocity: [0, 40], frame: ship}`"
    hints: ClassVar[dict[str, str]] = {
        "prototype": "it is `use`",
        "position": "it is `at`",
        **dict.fromkeys(("life", "ttl", "duration", "expires"), "it is `lifetime`"),
    }
    use: Annotated[Any, Name("the name of a prototype")] = about("The prototype.")
    at: Place = about(
        "Where its origin comes to be: a point, a body, a point of a body such as "
        "`ship.points.nose`, or `$point`, `$a`, `$b` of the event ([0, 0])."
    )
    pivot: Annotated[Any, PIVOT] = about(
        "The prototype's point that comes there, about which it is turned: [x, y], or a word such "
        "as bottom_center, of the box around its bodies ([0, 0])."
    )
    angle: Annotated[Any, Unchecked(ANGLE)] = about("How it is turned (0).")
    velocity: Annotated[Any, Unchecked(VELOCITY)] = about("The velocity that it is born with.")
    frame: Target = about("The body whose coordinates and motion hold for these (the world's).")
    vars: dict[str, Annotated[Any, Unchecked(GIVEN_VAR)]] | None = about(
        "Values for the prototype's vars."
    )
    scale: Positive = about("By how much it is larger (1).")
    mirror: Annotated[str | None, OneOf(("x", "y"))] = about(
        "x or y: the coordinate that is taken to its opposite, before it is turned."
    )
    if_free: TruthField = about("Whether nothing may be where it is put (false).")
    max_tries: Annotated[Value, Quantity(low=1, high=1000, whole=True)] = about(
        "How often a place is drawn anew where it is not free (1)."
    )
    lifetime: Annotated[Any, Unchecked(LIFETIME)] = about(
        "How long after its birth it is taken out again (never)."
    )
    name: Annotated[Any, Name("a name")] = about(
        "The copies are called name[0], name[1] and so on (the prototype's name)."
    )
