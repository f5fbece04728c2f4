# SPDX-License-Identifier: MIT
"""The parts of a scene: its world, materials, bodies, joints, actuators, what is recorded.

Plain data in the scene's own length, time and mass units, with every default filled in and every
angle in radians, positive from +x towards +y.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..arguments import checked_fields
from ..frozen import frozen
from .picture_model import (
    OVERLAYS as OVERLAYS,
)
from .picture_model import (
    Annotation as Annotation,
)
from .picture_model import (
    Background as Background,
)
from .picture_model import (
    Camera as Camera,
)
from .picture_model import (
    CameraKey as CameraKey,
)
from .picture_model import (
    Compare as Compare,
)
from .picture_model import (
    Emitter as Emitter,
)
from .picture_model import (
    EnergyGraph as EnergyGraph,
)
from .picture_model import (
    ImageLayer as ImageLayer,
)
from .picture_model import (
    Minimap as Minimap,
)
from .picture_model import (
    Point as Point,
)
from .picture_model import (
    Render as Render,
)
from .picture_model import (
    Shake as Shake,
)
from .picture_model import (
    Texture as Texture,
)
from .picture_model import (
    Variant as Variant,
)
from .surroundings_model import POOLS as POOLS
from .surroundings_model import Pool as Pool

BodyKind = Literal["static", "kinematic", "dynamic"]
ShapeKind = Literal["circle", "capsule", "segment", "polygon", "chain", "half_space"]
ActuatorKind = Literal[
    "thruster", "rotary_motor", "axial_friction", "force", "torque", "impulse", "field"
]
SolverKind = Literal[
    "soft_step",
    "sequential_impulse",
    "iterative_impulse",
    "pgs_matrix",
    "pgs_jrow",
    "textbook_impulse",
    "constraint_correction",
    "verlet",
]
ENGINE = ("soft_step", "sequential_impulse")  # the kinds of the engine itself
Mixing = Literal["min", "max", "mean", "product", "geometric_mean"]


@frozen
class Units:
    """The scene's units and how they relate to metres, seconds and radians.

    ``time_per_second`` is how many time units make a second (1 or 1000), ``y_down`` whether +y
    points down on the screen, ``degrees`` whether plain angles in the file are degrees.
    """

    length: Literal["m", "cm", "px"] = "m"
    time: Literal["s", "ms"] = "s"
    angle: Literal["deg", "rad"] = "deg"
    y: Literal["up", "down"] = "up"

    @property
    def time_per_second(self) -> float:
        return 1000.0 if self.time == "ms" else 1.0

    @property
    def y_down(self) -> bool:
        return self.y == "down"


@frozen
class Solver:
    """The solver of the scene and its options (those of other kinds are unused).

    ``core/scene/blocks/world/solver.py`` says which options belong to which kind.
    """

    kind: SolverKind = "soft_step"
    joints: Literal["auto", "direct", "iterative"] = "auto"
    substeps: int = 4
    iterations: int = 10
    warm_start: bool = True
    position_correction: bool = True
    correction_rate: float = 0.2
    allowed_penetration: float = 0.01
    friction_limit: Literal["normal_impulse", "gravity", "weight"] = "normal_impulse"
    clamp: Literal["accumulated", "each", "none"] = "accumulated"
    external_force: Literal["before", "between", "after"] = "between"
    tangent: Literal["friction_impulse", "none"] = "friction_impulse"
    grouping: Literal["global", "pair", "contact"] = "global"
    stiffness: float = 1.0
    contacts: Literal["native", "document", "document_book", "document_deepest"] = "native"
    springs: Literal["soft", "soft_each", "force"] = "soft"
    integrator: Literal["semi_implicit_euler", "explicit_euler"] = "semi_implicit_euler"
    stop_below: float = 0.0
    impulses: bool = True
    blocks: bool = False

    @property
    def is_textbook(self) -> bool:
        """Whether it is a solver of ``core/solvers``."""
        return self.kind not in ENGINE


@frozen
class World:
    """The ``world`` block. Lengths and times in scene units; ``dt`` one step; ``steps`` in all."""

    gravity: Point = (0.0, -9.81)
    dt: float = 1.0 / 60.0
    steps: int = 480
    seed: int = 0
    sleep: bool = True
    length_unit: float = 1.0
    solver: Solver = Solver()
    linear_damping: float = 0.0
    angular_damping: float = 0.0
    bounds: tuple[Point, Point] | None = None
    on_error: Literal["stop", "warn"] = "stop"
    air_density: float = 0.0
    air_drag: float = 1.0
    attraction: float = 0.0
    softening: float = 0.0
    pools: tuple[Pool, ...] = ()


@frozen
class Material:
    """Surface and mass properties, merged from defaults, the body's material and the shape's own.

    ``density`` is mass per area. ``tangent_speed`` is the speed of a moving surface: positive
    carries a body that lies on top of it towards +x, whichever way y points.
    """

    name: str = "default"
    density: float = 1.0
    friction: float = 0.6
    restitution: float = 0.0
    rolling_resistance: float = 0.0
    tangent_speed: float = 0.0
    color: str | None = None
    outline: str | None = None


@frozen
class Shape:
    """One shape of a body, in body coordinates (offset and angle already applied).

    ``points``: circle 1 (the centre), capsule and segment 2, polygon 3 or more counter-clockwise
    (+x towards +y; convex or concave), chain 2 or more in the author's order, half_space 2 of its
    border: its free side is a quarter turn, from +x towards +y, from their way. ``radius`` is the
    circle's or capsule's radius, or the corner radius of a convex polygon: ``points`` are then
    the core, inset by ``radius``, so that the outer size is what the author wrote. ``holes`` of a
    polygon are clockwise.
    ``side`` of a chain is the side bodies collide with, as seen on the screen by someone who
    walks along the points. ``one_way`` is the direction in the body's axes towards which it is
    solid, of the length 1; None towards all.
    """

    kind: ShapeKind
    points: tuple[Point, ...]
    radius: float = 0.0
    material: Material = Material()
    sensor: bool = False
    category: str = "default"
    loop: bool = False
    side: Literal["left", "right", "both"] = "left"
    source: str = "circle"  # the key the author wrote: circle, box, polygon, regular_polygon, ...
    outer: tuple[Point, ...] = ()  # of a rounded polygon: the points before the inset
    one_way: Point | None = None
    holes: tuple[tuple[Point, ...], ...] = ()


@frozen
class Trail:
    """A fading line behind a body: how long it lasts, in scene time, and its colour."""

    length: float
    color: str | None = None


@frozen
class Body:
    """One body. ``position`` is its origin.

    ``mass``, ``inertia`` and ``center_of_mass`` come from the shapes where they are None.
    ``inertia`` is about the centre of mass. ``velocity`` is that of the centre of mass. A piece of
    a body that was destroyed is a ``piece_of`` that body, or of the one that it was a piece of.
    """

    name: str
    kind: BodyKind = "dynamic"
    shapes: tuple[Shape, ...] = ()
    position: Point = (0.0, 0.0)
    angle: float = 0.0
    velocity: Point = (0.0, 0.0)
    angular_velocity: float = 0.0
    mass: float | None = None
    inertia: float | None = None
    center_of_mass: Point | None = None
    fixed_rotation: bool = False
    linear_damping: float = 0.0  # already includes world.air when the body says nothing
    angular_damping: float = 0.0
    gravity_scale: float = 1.0
    bullet: bool = False
    sleep: bool = True
    awake: bool = True
    category: str = "default"
    tags: tuple[str, ...] = ()
    collide: bool = True
    points: Mapping[str, Point] = field(default_factory=dict)
    color: str | None = None
    outline: str | None = None
    z: float = 0.0
    visible: bool = True
    trail: Trail | None = None
    texture: Texture | None = None
    piece_of: str = field(default="", repr=False)


WORLD = Body(name="world", kind="static")
"""The frame, which every scene has."""


@checked_fields()
@dataclass(frozen=True, slots=True)
class Spring:
    """A soft joint. Exactly one pair is set. ``frequency`` is Hz / time_per_second."""

    frequency: float | None = None
    damping_ratio: float | None = None
    stiffness: float | None = None
    damping: float | None = None


@frozen
class Motor:
    """A motor by speed (rad or length per time) or to a position; limited in torque or force."""

    speed: float | None = None
    position: float | None = None
    relative: bool = False  # position is 0..1 of the limits
    max_force: float = float("inf")  # or torque, for revolute and wheel
    spring: Spring | None = None
    # Not in the text that distinguishes scenes while it has the value of older versions.
    stop_at_limits: bool = field(default=False, repr=False)
    max_speed: float = field(default=0.0, repr=False)  # to a position; 0: 3 m/s or rad/s
    enabled: bool = field(default=True, repr=False)  # from the start


@frozen
class Joint:
    """One joint between two bodies; ``world`` is the static body that always exists.

    Anchors are in each body's own coordinates. ``reference_angle`` is angle_b - angle_a at the
    start. ``limits`` of a revolute joint are radians relative to the start, those of a prismatic
    or wheel joint lengths along ``axis``, a unit vector in a's coordinates, counted from where the
    anchors coincide. A distance joint has ``length`` (rest length, of a spring also beyond the
    others), ``min_length``, ``max_length``; ``rope`` only pulls, at max_length. ``break_push`` and
    ``break_pull`` are on what pushes its ends apart and pulls them together. A mouse has body_a
    ``world``, pulls anchor_b to the world's point anchor_a, and never harder than ``max_force``;
    a ``stiff`` one holds it there. ``max_force`` of a wheel is that of its spring.

    A gear goes with two other joints, its ``links``; its bodies are their wheels and its anchors
    their hinges. Wheel a turns ``ratio`` times while b turns once the other way, as seen along the
    line between the hinges, or where these are ``coaxial`` in the world. So does a rack, between a
    hinge and a slide: b moves along ``axis``, in b's coordinates, by ``ratio`` while a turns by a
    radian. A pulley's rope, of ``length``, runs from a over its ``ground_anchors`` to b, which
    counts ``ratio`` times. A ratchet turns by teeth of ``pitch``, below 0 the negative way, and
    slips above ``slip_torque``. ``own`` are numbers that joints of its type alone have, as far as
    they are written, by the names of their fields; `core/scene/blocks/joints/types.py` lists the
    types. A custom joint is a ``constraint`` in Python with its ``numbers``.
    """

    name: str
    kind: str
    body_a: str
    body_b: str
    anchor_a: Point
    anchor_b: Point
    reference_angle: float = 0.0
    axis: Point = (1.0, 0.0)
    limits: tuple[float, float] | None = None
    limit_spring: Spring | None = None
    max_force: float = float("inf")
    motor: Motor | None = None
    spring: Spring | None = None
    rope: bool = False
    length: float = 0.0
    min_length: float | None = None
    max_length: float | None = None
    collide: bool = False
    break_force: float = float("inf")
    break_torque: float = float("inf")
    break_push_pull: float = float("inf")
    break_push: float = float("inf")
    break_pull: float = float("inf")
    stiff: bool = False
    visible: bool = True
    links: tuple[str, ...] = ()
    ratio: float = 1.0
    coaxial: bool = False
    ground_anchors: tuple[Point, Point] | None = None
    pitch: float = 0.0
    slip_torque: float = float("inf")
    own: Mapping[str, float] = field(default_factory=dict, hash=False)
    constraint: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict, hash=False)


@frozen
class Actuator:
    """A force on bodies: an engine, a field, a tyre's grip. Acts while start <= time < until.

    ``at`` and ``direction`` (a unit vector) are in body coordinates; ``at`` None is the centre of
    mass. ``force`` turns with the body for a thruster and is in world axes otherwise; for an
    impulse, which acts once at ``start``, ``force`` and ``torque`` are the linear and the angular
    impulse. A rotary motor has ``speed`` and ``max_torque``, or a ``torque``. An axial friction
    has ``friction`` (times the body's weight) or ``max_force``. A rotary motor that does not
    ``brake`` pushes up to its speed and lets what is faster be. Bodies that are not dynamic take
    no force. The force of a field is given by ``expressions`` of place, time and motion, and maybe
    the energy of a body in it by its ``potential``. What is
    born with one of the ``tags`` is acted on from its birth.
    """

    name: str
    kind: ActuatorKind
    bodies: tuple[str, ...]
    at: Point | None = None
    force: Point = (0.0, 0.0)
    torque: float = 0.0
    speed: float | None = None
    max_torque: float = float("inf")
    direction: Point = (1.0, 0.0)
    friction: float | None = None
    max_force: float = float("inf")
    enabled: bool = True
    start: float = 0.0
    until: float = float("inf")
    visible: bool = True
    brake: bool = field(default=True, repr=False)  # see Motor.stop_at_limits
    expressions: tuple[str, str] | None = field(default=None, repr=False)
    potential: str | None = field(default=None, repr=False)
    tags: tuple[str, ...] = field(default=(), repr=False)


@frozen
class Collision:
    """Collision filters. ``matrix[i][j]`` is symmetric, indexed as ``categories``."""

    categories: tuple[str, ...] = ("default",)
    matrix: tuple[tuple[bool, ...], ...] = ((True,),)
    pairs_ignore: tuple[tuple[str, str], ...] = ()
    friction_mixing: Mixing = "geometric_mean"
    restitution_mixing: Mixing = "max"


@frozen
class Record:
    """Contents of a trace: every ``every``-th step; ``channels`` None means all bodies."""

    every: int = 1
    channels: tuple[str, ...] | None = None


@frozen
class Expectation:
    """One entry of ``expect``. ``at`` is a scene time, None means the end of the run.

    kind ``at``, ``always``, ``eventually`` hold ``that``, the expression's source without ``=``.
    kind ``state`` compares ``body``'s quantities in ``values`` (position, angle, velocity,
    angular_velocity) at ``at`` within ``tolerance``. kind ``outcome`` is how the run has to end:
    win, lose, pass, or none if it runs to its last step.
    """

    kind: Literal["at", "always", "eventually", "state", "outcome"]
    at: float | None = None
    that: str = ""
    body: str = ""
    values: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    tolerance: float = 0.0
    line: int = 0
    file: str = ""
    outcome: str = ""
    column: int = 0
