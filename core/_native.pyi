# SPDX-License-Identifier: MIT
"""Types of the native extension: geometry, the engine and the rasterizer."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]
Float32 = NDArray[np.float32]
Int32 = NDArray[np.int32]
Bool = NDArray[np.bool_]
Int64 = NDArray[np.int64]
UInt8 = NDArray[np.uint8]
UInt16 = NDArray[np.uint16]

source_digest: Final[str]
"""64 hexadecimal digits: the digest of the sources of this module."""

# ---------------------------------------------------------------- geometry

def decompose_polygon(points: Float64, holes: Sequence[Float64] = ()) -> list[Float64]:
    """Cut a simple polygon [n, 2] into few convex ones, each counter-clockwise: without holes and
    up to some hundred corners, into the fewest that diagonals can make.

    Either winding is accepted. A part has at most 64 corners, all of them among ``points`` and
    those of the holes; those on straight lines are left out. ValueError: fewer than 3 or more than
    10000 points, points that are not finite or are repeated, edges that cross, touch or fold back,
    no area; a misplaced hole."""

def misplaced_hole(
    points: Float64 | memoryview[float], holes: Sequence[Float64 | memoryview[float]]
) -> tuple[int, str] | None:
    """The first hole that is not inside a polygon, or meets it or another hole, and why; or None.
    ValueError as for ``decompose_polygon``, but nothing is checked of a ring alone."""

def clashing_edges(points: Float64 | memoryview[float]) -> tuple[int, int] | None:
    """Two edges of a polygon [n, 2] that cross, touch or fold back, by the points at which they
    begin, or None. ValueError: fewer than 3 or more than 10000 points, or ones not finite."""

def near_points(points: Float64 | memoryview[float], near: float) -> tuple[int, int] | None:
    """The first two points [n, 2] whose coordinates are no further apart than ``near``. ValueError
    as for ``clashing_edges``."""

def polygon_mass(
    points: Float64, radius: float, density: float
) -> tuple[float, float, float, float]:
    """(mass, centre x, centre y, inertia about the centre) of a polygon whose counter-clockwise
    core [n, 2] is rounded by ``radius``; the core must be convex unless that is 0."""

def cut_shapes(
    outlines: Sequence[Sequence[tuple[float, float]]],
    densities: Sequence[float],
    picture: Sequence[Sequence[tuple[float, float]]],
    boxes: bool,
    count: int,
    seed: int,
    path: str,
    exact: dict[int, Any],
    holes: Sequence[Sequence[Sequence[tuple[float, float]]]] = (),
) -> tuple[list[tuple[Any, ...]], int]:
    """The pieces of outlines, which are counter-clockwise, and how many slivers were dropped. A
    piece has its parts (the number of an outline, points and holes), its weight, centre and
    inertia, and the polygons of ``picture`` that go with it. ``holes`` are those of each outline,
    clockwise."""

# The functions below take a shape as its kind (one of SHAPE_KINDS), its points [n, 2] and its
# radius, and a pose (x, y, angle) of B's frame in A's. They raise ValueError for arrays of
# another shape, numbers that are not finite or beyond 1e9, and a wrong count of points.

def shape_mass(
    kind: int, points: Float64, radius: float, density: float
) -> tuple[float, float, float, float]:
    """(mass, centre x, centre y, inertia about the centre). Segments have mass 0."""

def collide(
    kind_a: int,
    points_a: Float64,
    radius_a: float,
    kind_b: int,
    points_b: Float64,
    radius_b: float,
    pose_b_in_a: tuple[float, float, float],
    speculative: float,
) -> tuple[tuple[float, float], list[tuple[float, float, float, int]]]:
    """The unit normal from A to B, and up to two points (x, y, separation, id), in A's frame."""

def shape_ray_cast(
    kind: int,
    points: Float64,
    radius: float,
    origin: tuple[float, float],
    translation: tuple[float, float],
) -> tuple[float, float, float] | None:
    """(fraction, normal x, normal y) where a ray enters a shape. None when it starts inside."""

def shape_contains(
    kind: int, points: Float64, radius: float, point: tuple[float, float]
) -> bool: ...
def shapes_overlap(
    kind_a: int,
    points_a: Float64,
    radius_a: float,
    kind_b: int,
    points_b: Float64,
    radius_b: float,
    pose_b_in_a: tuple[float, float, float],
) -> bool:
    """Whether two shapes share a point."""

def shape_distance(
    kind_a: int,
    points_a: Float64,
    radius_a: float,
    kind_b: int,
    points_b: Float64,
    radius_b: float,
    pose_b_in_a: tuple[float, float, float],
) -> tuple[float, tuple[float, float], tuple[float, float]]:
    """The distance, 0 for shapes that overlap, and the nearest points on A and B."""

# ---------------------------------------------------------------- engine

Rows = NDArray[np.void]

BODY: Final[np.dtype[np.void]]
"""The fields of a body that a world takes. Body 0 is the world; the first one added is 1."""

SHAPE: Final[np.dtype[np.void]]
"""The fields of a shape that a world takes; its points are in an array [m, 2], in body axes.

A polygon is convex, counter-clockwise, and has at most 64 corners. A chain segment has 4 points:
ghost, p1, p2, ghost, and is solid from the left of p1 -> p2. A polygon part has three for each
corner: the corners, then the outline's point before and after each."""

JOINT: Final[np.dtype[np.void]]
"""The fields of a joint that a world takes. ``body_a`` of a mouse, a rotary motor and an axial
friction is the world. Distance joints: a rod has ``min_length`` = ``max_length``, a rope a
``min_length`` of 0."""

FORCE: Final[np.dtype[np.void]]
"""The fields of a thruster, a force or an impulse that a world takes."""

BAR: Final[np.dtype[np.void]]
"""A slender body and its two ends: what the channel ``body.push_pull`` is read along."""

POINT: Final[np.dtype[np.void]]
"""A named point of a body, for the channels ``point.*``."""

JOINT_STATE: Final[np.dtype[np.void]]
"""The readings of a joint after a step."""

CONTACT: Final[np.dtype[np.void]]
"""A touching point after a step."""

OBSERVED_BODY: Final[np.dtype[np.void]]
OBSERVED_CONTACT: Final[np.dtype[np.void]]
OBSERVED_ROW: Final[np.dtype[np.void]]
OBSERVED_JOINT: Final[np.dtype[np.void]]
"""Rows of an observed step: bodies, contact points, rows and sums of joints, after each stage of
each substep."""

ROWS: Final[dict[str, dict[str, tuple[float, str, str]]]]
"""The fields of these dtypes by name: default, unit, meaning."""

BODY_KINDS: Final[dict[str, int]]
SHAPE_KINDS: Final[dict[str, int]]
JOINT_KINDS: Final[dict[str, int]]
MOTOR_KINDS: Final[dict[str, int]]
MOTOR_SIDES: Final[dict[str, int]]
SPRING_KINDS: Final[dict[str, int]]
FORCE_KINDS: Final[dict[str, int]]
EVENT_KINDS: Final[dict[str, int]]
"""Codes by name. Of events, ``a`` is the body (the sensor's body, the joint that broke) and ``b``
the other one, or -1."""

STAGES: Final[tuple[str, ...]]
ROW_PARTS: Final[tuple[str, ...]]
ROW_MODES: Final[tuple[str, ...]]
"""Names of codes in observed steps."""

CHANNELS: Final[dict[str, tuple[int, str]]]
"""The quantities that can be recorded, by owner and quantity (``body.x``): its code, and its unit.
The index beside the code is a body, a joint, a registered point, or 0 for the world.
``body.push_pull`` of a bar: positive pushed together, negative pulled apart."""

ATTRACTION_EXACT: Final[int]
"""So many bodies attract each other pair by pair; more of them by cells."""

WORLD_SETTINGS: Final[
    dict[str, tuple[float | bool | str | None, tuple[float | bool | str, ...], str]]
]
"""The settings of a world, by name: the default, the least and largest value or the names of a
choice, and the meaning."""

RUNAWAY_DISTANCE: Final[float]
"""A body that is so many typical lengths away from the origin stops a run."""

RUNAWAY_SPEED: Final[float]
"""A body that is so fast, in typical lengths or radians a second, stops a run."""

LINEAR_SLOP: Final[float]
"""So many typical lengths shapes may be in each other."""

EventRow = tuple[int, int, int, int]
"""Something that happened: its step, its kind (``EVENT_KINDS``), the id of the body or joint that
it is about, and that of the second body, -1 where there is none."""

RayHitRow = tuple[int, int, float, float, float, float, float]
"""Body, shape, fraction, point x, y, normal x, y."""
StepError = tuple[str, int, int, tuple[float, float, float, float, float]]
"""kind, body, step, and the body's x, y, vx, vy and omega then."""

class World:
    """The engine. Body 0 is ``world``, a static body without shapes, made by the constructor.

    Bodies and joints have slots, which are rows of arrays, and ids: the slot, and above its 32 bits
    how often the slot was given back before. As long as nothing was removed, an id is the slot.
    Calls take ids, rows of BODY and its like slots.
    """

    def __init__(
        self,
        *,
        solver: str = "soft_step",
        gravity: tuple[float, float] = ...,
        pools: Sequence[tuple[float, ...]] = ...,
        lanes: int = 0,
        **settings: float | bool | str | tuple[float, float, float, float] | None,
    ) -> None:
        """``settings`` are those of ``WORLD_SETTINGS``.

        ValueError for a value that one cannot have, TypeError for one of another type and for a
        name that is none.
        """
    def add_bodies(self, rows: Rows) -> int:
        """Add bodies [n] of BODY; the index of the first."""
    def add_shapes(self, rows: Rows, points: Float64) -> int:
        """Add shapes [n] of SHAPE whose points are rows of ``points`` [m, 2]; the index of the
        first."""
    def add_joints(self, rows: Rows) -> int:
        """Add joints [n] of JOINT; the index of the first."""
    def add_points(self, rows: Rows) -> int:
        """Register named points [n] of POINT; the index of the first."""
    def add_forces(self, rows: Rows) -> int:
        """Add thrusters, forces and impulses [n] of FORCE; the index of the first."""
    def set_force(self, index: int, x: float, y: float, torque: float, enabled: bool) -> None: ...
    def force_state(self, index: int) -> tuple[float, float, float, bool]:
        """The values last set by ``set_force``."""
    def set_bars(self, rows: Rows) -> None:
        """Slender bodies [n] of BAR."""
    def set_spring(self, joint: int, kind: int, first: float, second: float) -> None: ...
    def set_limits(self, joint: int, lower: float, upper: float) -> None: ...
    def set_joint_target(self, joint: int, x: float, y: float) -> None:
        """Move a mouse's target, in world coordinates."""
    def set_collision_matrix(self, matrix: Bool) -> None:
        """Set which pairs of shape categories collide, [n, n], symmetric, n <= 64."""
    def ignore_pairs(self, bodies: Int32) -> None:
        """Pairs of bodies [n, 2] that never touch."""
    def finish(self) -> None:
        """Compute masses from shapes and check. Called by the first step if need be."""
    def next_bodies(self, count: int) -> list[int]:
        """The slots that the bodies of the next ``add_fragment`` take."""
    def next_joints(self, count: int) -> list[int]: ...
    def add_fragment(
        self,
        bodies: Rows,
        shapes: Rows,
        corners: Float64,
        joints: Rows,
        forces: Rows,
        bars: Rows,
        points: Rows,
    ) -> dict[str, list[int]]:
        """Add rows of BODY, SHAPE (with their points), JOINT, FORCE, BAR and POINT, which speak of
        new bodies by ``next_bodies``, into slots that are free; all, or nothing where a row is
        wrong. The ids of ``bodies`` and ``joints``, the slots of ``forces`` and ``points``."""
    def add_copies(
        self,
        mould: Mould,
        motions: list[tuple[float, float, float, float, float]],
        joints: Rows | None,
        forces: Rows | None,
    ) -> dict[str, list[int]]:
        """Add copies of a mould as ``add_fragment`` does; ``motions`` are x, y, angle, vx and vy of
        the bodies of one copy after another, ``joints`` and ``forces`` theirs, or both None."""
    def keep_slots(self) -> None:
        """Reserve the slots of all present objects, also after their removal."""
    def remove_body(self, body: int) -> None:
        """Take a body, its shapes, joints, forces and points out of the world."""
    def remove_joint(self, joint: int) -> None: ...
    def break_joint(self, joint: int) -> None:
        """Mark a joint as broken; it keeps its number."""
    def remove_force(self, index: int) -> None: ...
    def has_body(self, body: int) -> bool:
        """Whether the body with this id exists."""
    def has_joint(self, joint: int) -> bool: ...
    @property
    def removals(self) -> int:
        """The number of bodies and joints removed so far."""
    def step(self, steps: int = 1) -> int:
        """Step; returns how many steps were done (fewer after an error, see ``error``)."""
    def advance(self, steps: int, removals: int) -> int | None:
        """Step; None where all steps were done and nothing else is to be noted: there is no
        error, and ``removals`` is as given. Otherwise the number of steps done."""
    def run(self, steps: int, every: int, channels: Int32, out: Float64) -> int:
        """Step and record. ``channels`` [c, 2] holds (code, index). After each ``every``-th
        step (counted
        by ``step_count``) a row is written to ``out`` [rows, c]. Returns the steps done."""
    def sample(self, channels: Int32) -> Float64:
        """The channels' values now, [c]."""
    @property
    def error(self) -> StepError | None:
        """The error that stopped the world: kind 'not_finite', 'runaway' or 'crowded' (there are
        more than ``max_pairs`` pairs of shapes that each have more than 64 others about them; the
        body is the first of those that have the most)."""
    def find_overlaps(self, depth: float) -> list[tuple[int, int, float]]:
        """Bodies that are in each other by more than ``depth``, of those that may touch: both in
        their order, and how deep."""
    def take_errors(self) -> list[StepError]:
        """Those of the bodies that were taken out for theirs since the last call
        (``freeze_on_error``)."""
    @property
    def step_count(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def body_count(self) -> int: ...
    @property
    def joint_count(self) -> int: ...
    # zero-copy, read-only views, valid until bodies are added; indexed by slot
    @property
    def x(self) -> Float64: ...
    @property
    def y(self) -> Float64: ...
    @property
    def angle(self) -> Float64: ...
    @property
    def vx(self) -> Float32: ...
    @property
    def vy(self) -> Float32: ...
    @property
    def omega(self) -> Float32: ...
    @property
    def mass(self) -> Float32: ...
    @property
    def inertia(self) -> Float32: ...
    @property
    def awake(self) -> UInt8: ...
    @property
    def alive(self) -> UInt8: ...
    def center_of_mass(self, slot: int) -> tuple[float, float]:
        """In body coordinates."""
    def read_body(self, body: int, number: int) -> float | None:
        """The x, y, angle, vx, vy, omega, mass or inertia (``number`` 0 to 7) of the body with an
        id; None if it was removed."""
    def set_pose(self, body: int, x: float, y: float, angle: float) -> None: ...
    def set_velocity(self, body: int, vx: float, vy: float, omega: float) -> None: ...
    def apply_force(
        self, body: int, fx: float, fy: float, px: float | None = ..., py: float | None = ...
    ) -> None:
        """A force at a world point, during the next step only."""
    def apply_torque(self, body: int, torque: float) -> None: ...
    def apply_impulse(
        self, body: int, jx: float, jy: float, px: float | None = ..., py: float | None = ...
    ) -> None: ...
    def apply_angular_impulse(self, body: int, impulse: float) -> None: ...
    def set_awake(self, body: int, awake: bool) -> None: ...
    def set_body(self, body: int, what: str, value: float) -> None:
        """A number of a body, or of all its shapes, by its name in a scene.

        `category` is a row, `type` one of BODY_KINDS, `collide` 0 or 1.
        """
    def body_type(self, slot: int) -> int:
        """A value of BODY_KINDS."""
    def body_types(self) -> bytes:
        """That of each slot."""
    def collides(self, slot: int) -> bool: ...
    def gravity(self) -> tuple[float, float]: ...
    def body_settings(
        self, slot: int
    ) -> tuple[float, float, float, list[tuple[float, float, float, float, int]]]:
        """The present values that ``set_body`` sets: gravity scale, linear and angular damping, and
        of each shape friction, restitution, rolling resistance, tangent speed and the row of its
        category."""
    def set_gravity(self, x: float, y: float) -> None: ...
    def pool(self, pool: int) -> tuple[float, float, float, float, float, float, float]:
        """Left, bottom, right, top, density, damping and drag."""
    def set_pool(
        self,
        pool: int,
        left: float,
        bottom: float,
        right: float,
        top: float,
        density: float,
        damping: float,
        drag: float,
    ) -> None:
        """Set all parameters of a pool. ValueError if its sides are in the wrong order."""
    def set_motor(self, joint: int, target: float, maximum: float) -> None: ...
    def motor_state(self, joint: int) -> tuple[float, float]:
        """The values last set by ``set_motor``."""
    def contacts(self) -> Rows:
        """Touching points [n] of CONTACT, in a fixed order."""
    def joint_state(self) -> Rows:
        """[joints] of JOINT_STATE."""
    def take_events(self) -> list[EventRow]:
        """Events since the last call, in order."""
    def enable_contact_events(self, enabled: bool) -> None: ...
    def ray_cast(
        self,
        origin: tuple[float, float],
        translation: tuple[float, float],
        category_mask: int = ...,
    ) -> RayHitRow | None:
        """The nearest hit."""
    def ray_hits(
        self,
        origin: tuple[float, float],
        translation: tuple[float, float],
        category_mask: int = ...,
    ) -> list[RayHitRow]:
        """All hits, by distance, at equal distances the shape with the lower number first."""
    def overlap_box(
        self, lower: tuple[float, float], upper: tuple[float, float], category_mask: int = ...
    ) -> Int32:
        """Shapes [n, 2] (body, shape) that overlap a box."""
    def overlap_circle(
        self, center: tuple[float, float], radius: float, category_mask: int = ...
    ) -> Int32: ...
    def overlap_point(self, point: tuple[float, float], category_mask: int = ...) -> Int32: ...
    def overlap_convex(
        self,
        points: Float64,
        radius: float,
        place: tuple[float, float],
        category_mask: int = ...,
    ) -> Int32:
        """Shapes [n, 2] (body, shape), no sensors, that overlap a convex one, as ``is_taken``."""
    def is_taken(self, points: Float64, radius: float, place: tuple[float, float]) -> bool:
        """Whether a convex shape, given by corners [n, 2] about a place, counter-clockwise, and
        swollen by a radius, overlaps one that is there and no sensor."""
    def save(self) -> bytes:
        """Serialize the state that determines all later steps; equal states give equal bytes."""
    def restore(self, state: bytes) -> None:
        """Restore a saved state. ValueError if no world with these settings has saved it;
        the world is then as it was."""
    def fork(self) -> World:
        """A second world in the same state."""
    def energy(self) -> tuple[float, float]:
        """Kinetic and potential (gravity) energy of the dynamic bodies."""
    def state_hash(self) -> int:
        """A 64-bit hash of every body's exact position, angle and velocity."""
    def statistics(self) -> dict[str, float]:
        """Counts (contacts, colors, islands, awake) and milliseconds of the last step's stages.

        Of worlds of fewer than 64 bodies one step in 16 is timed; theirs are those of that one.
        Stages of the solver are there while they are measured."""
    def observe_step(self, only: int = -1, substeps: int = 0) -> dict[str, Any]:
        """Take one step, and return the solver's numbers after each stage of each substep: arrays
        of ``bodies``, ``contacts``, ``rows`` and ``joints``; ``h`` and ``substeps``; the softness
        (bias rate, mass scale, impulse scale) of a ``contact``, a ``static_contact`` and a
        ``joint``; how often it was solved (``solutions``); and whom the solver left out, with the
        reason (``left_out``). ``only`` limits it to the contacts and joints of a body. With another
        number of ``substeps`` a copy of the world takes the step."""
    def why_alone(self) -> str | None:
        """Why the world is not stepped beside others of a batch; None where it may be."""
    def measure_stages(self, measures: bool) -> None:
        """Time each stage of the solver, in every step."""

SETTINGS: Final[dict[str, int]]
"""The quantities of a body that ``Batch.write`` sets (x y angle vx vy omega; force_x force_y torque
of the next step, at the centre of mass; type, one of BODY_KINDS, and collide), of a joint
(motor_target motor_maximum), of a force (source_x and so on), of the world (gravity_x gravity_y,
of body 0) or of a pool (pool_left and so on)."""

class Mould:
    """One copy of what is added again and again, checked once. Rows speak of its bodies by 0, 1 and
    so on."""

    def __init__(
        self, *, bodies: Rows, shapes: Rows, corners: Float64, bars: Rows, points: Rows
    ) -> None: ...

class Batch:
    """Many worlds of one scene, each with the bits of the same world alone."""

    def __init__(self, first: World, count: int, threads: int = 1) -> None:
        """``count`` worlds in the state that ``first`` has now."""
    def __len__(self) -> int: ...
    def step(self, steps: int = 1) -> None:
        """A world that stopped on an error stays as it is."""
    def read(self, channels: Int32, out: Float64) -> None:
        """Fill ``out`` [worlds, channels] with ``channels`` [channels, 2]: code and index."""
    def write(self, worlds: Int32, settings: Int32, values: Float64) -> None:
        """Set ``settings`` [settings, 3] (code, index, and whether it is set at once
        with the one in front of it) of ``worlds`` to ``values`` [worlds,
        settings]."""
    def reset(self, worlds: Int64) -> None:
        """Some worlds as they began."""
    def replace(self, index: int, by: World) -> None:
        """One world anew, in the state of another; ValueError where that has not as many bodies,
        joints, forces and points, or other lanes, or cannot be solved side by side as they are."""
    def fork(self, index: int) -> World: ...
    def act(
        self, settings: Int32, values: Float64, steps: int, channels: Int32, out: Float64
    ) -> bool:
        """Write settings of all worlds, step, and read channels, each as the function of its own
        does; whether a world may have stopped."""
    @property
    def stopped(self) -> bool:
        """Whether a world has stopped on an error."""
    def errors(self) -> list[tuple[int, StepError]]:
        """The worlds that have stopped, and why."""

def attraction_of(points: Sequence[Sequence[float]], softening: float) -> list[list[float]]:
    """The pulls of points [x, y, mass] on each other for a strength of 1, by cells."""

def attraction_potential(points: Sequence[Sequence[float]], softening: float) -> float:
    """The sum of m M / sqrt(r^2 + softening^2) over each two points, by cells."""

def lanes_supported() -> Sequence[int]:
    """The lane widths this processor can run, narrowest first, such as [1, 4, 8, 16]."""

# ---------------------------------------------------------------- rasterizer

ITEM_COLUMNS: Final[tuple[str, ...]]
"""kind first_point point_count radius outline fill stroke a b c.

Lengths are pixels. ``radius`` is that of a circle, of a polygon's corners, or half a line's width.
``outline`` is the width of the outline, inside the edge. Colours are numbers 0xRRGGBBAA."""

ITEM_KINDS: Final[dict[str, int]]
"""The kinds of items, with the meanings of their columns a, b, c:
polygon (any simple one), circle, path and loop (dashes: on, off), fade (a path that fades towards
its
first point), arrow (head's length, half its width), arc (radius, start, sweep), coil (turns,
amplitude), rope (length, direction it hangs in), hatch (spacing, length, side +1 or -1 of the
path),
picture (index; at its top left corner), quad (index; top left, top right, bottom left corners)."""

def rasterize(
    image: UInt8, items: Float64, points: Float64, picture_bytes: UInt8, picture_table: Int32
) -> None:
    """Draw items [n, 10] with points [m, 2] (pixels, y down) into image [h, w, 3], in order.

    Pictures lie in ``picture_bytes``; their table [k, 4] holds offset, width, height and channels
    (1: a mask painted in the item's fill, 4: red green blue alpha). An item with a number that
    is not
    finite, or whose points are not in ``points``, is left out. The same bytes on every machine."""

NUMBER_COLUMNS: Final[tuple[str, ...]]
"""kind first_point point_count radius number.

``kind`` is polygon, circle, path or loop of ``ITEM_KINDS``; ``radius`` is in pixels; ``number`` is
what its pixels get, 0 to 65535."""

def fill_numbers(image: UInt16, shapes: Float64, points: Float64) -> None:
    """Write the number of each of shapes [n, 5] with points [m, 2] (pixels, y down) into the pixels
    of image [h, w] whose middle lies in it, in order: the last one stays, and no edge is blended.

    A path holds all that is no further than its radius from its lines, a polygon what it winds
    round (with its left and upper edges) and what is so near to its edges. A shape with a number
    that is not finite, or whose points are not in ``points``, is left out. The same on every
    machine."""

def place_points(
    points: Float64,
    owners: Int32,
    poses: Float64,
    view: tuple[float, float, float, float],
    out: Float64,
) -> None:
    """From body coordinates [n, 2] to pixels ``out`` [n, 2]: turned and moved by row
    ``owners[i]`` of
    poses [b, 3] (as it is when negative), then x * view[0] + view[1], y * view[2] + view[3]."""

def shrink_image(large: UInt8, small: UInt8, factor: int) -> None:
    """Fill small [h, w, 3] with the means of factor x factor pixels of large."""

class GifFrames:
    """Frames as the image blocks of a GIF, in one palette of up to 256 colours for all of them.

    ``colors`` [k, 3] get entries of their own; others join as they are met. Entry 0 is transparent.
    A frame that is ``alone`` leaves no entries to later ones.
    """

    def __init__(self, width: int, height: int, colors: UInt8, alone: bool = False) -> None: ...
    def add(self, image: UInt8) -> bytes:
        """The image descriptor and data of what changed in image [h, w, 3]; empty if
        nothing did."""
    @property
    def palette(self) -> bytes:
        """The entries so far, three bytes each."""

# ---------------------------------------------------------------- compiled scenes

COMPILED_LAYOUT: int
"""A hash of the fields of rows and settings of compiled scenes."""

SWITCH: np.dtype[np.void]

def read_container(bytes: bytes) -> list[tuple[str, bytes]]:
    """The sections of a compiled scene. Raises ValueError for other bytes."""

class CompiledWorld:
    """A compiled scene that runs as in a page. Raises ValueError for bytes that are none."""

    def __init__(self, bytes: bytes, lanes: int = 0) -> None: ...
    def step(self, steps: int = 1) -> int:
        """Number of steps done; fewer where the engine stopped on an error. Raises RuntimeError
        where the script cannot go on."""
    @property
    def step_count(self) -> int: ...
    def state_hash(self) -> int: ...
    @property
    def error(self) -> StepError | None: ...
    def sample(self, channels: Int32) -> Float64: ...
    def read(self) -> list[float]:
        """The values of the scene's readings; not a number where there is none."""
    def grab(
        self,
        number: int,
        body: int,
        point: tuple[float, float],
        target: tuple[float, float],
        force: float,
    ) -> None:
        """Pull a dynamic body by a point in its coordinates, from the next step on."""
    def drag(self, number: int, target: tuple[float, float]) -> None: ...
    def drop(self, number: int) -> None: ...
    def find_dynamic(self, point: tuple[float, float], reach: float) -> list[int]:
        """The dynamic bodies at a point, or at most ``reach`` from it."""
    def save(self) -> bytes: ...
    def restore(self, state: bytes) -> None: ...

# ---------------------------------------------------------------- random numbers

def hash_texts(texts: list[str], head: str, tail: str) -> NDArray[np.uint64]:
    """[texts] the hash of each text between ``head`` and ``tail``, as ``seeded`` has it."""

def hash_rows(numbers: Int64, tail: str) -> NDArray[np.uint64]:
    """[rows] the first eight bytes of a BLAKE2b hash, of each row of numbers [rows, columns] as a
    text: in decimal, with ``|`` between them, and the tail behind them."""

# ---------------------------------------------------------------- expressions over rows

OPERATIONS: dict[str, int]
"""The codes of operations, by name (``core/native/expressions/program.h``)."""

class RowProgram:
    """Instructions [count, 5]: an operation, its register, and three operands. ``exact`` are
    functions by operation, for numbers of which the native ones are not sure; they return None
    where there is no value."""

    def __init__(
        self,
        codes: Int32,
        constants: Sequence[float],
        exact: Mapping[int, Callable[..., float | None]],
    ) -> None: ...
    def run(
        self,
        first: Float64,
        second: Float64,
        results: Float64,
        singles: Float32,
        low: Float32 | None = None,
        high: Float32 | None = None,
    ) -> int:
        """Fill the results [rows, results], and ``singles`` with the first of them, each clipped
        to its bounds, if there are any; return the place of the first result that is not finite,
        row by row, -1 where all are."""

class ScriptProgram:
    """The program of a scene's script, read and checked (``core/native/script/program.h``)."""

    def __init__(self, bytes: bytes) -> None:
        """ValueError for bytes that are no program."""

class ScriptRunner:
    """Runs a program beside the steps of its world. ``exact`` is as that of a RowProgram."""

    def __init__(
        self, program: ScriptProgram, exact: Mapping[int, Callable[..., float | None]]
    ) -> None: ...
    def begin(self, world: World) -> None:
        """Begin a run without Python, of a program that leaves nothing to it, in a world before
        its first step. ValueError for another program."""
    def save(self) -> bytes:
        """The state of a run without Python."""
    def restore(self, bytes: bytes) -> None:
        """Bring a run without Python into a saved state. ValueError for other bytes."""
    def set_view(self, view: Callable[[int, int, list[float]], float], moves: bool) -> None:
        """Read the camera by a function of the place of a number in ``CAMERA_STATES``, -1 to move
        it at the end of a step; of the step, and of x, y, the angle and 1 where it is there of each
        of the scene's bodies. ``moves`` is whether it is moved."""
    def set_engine(self, engine: object, channels: list[int]) -> None:
        """Have a world stepped by Python: ``run`` stops for the steps. The engine is a ``Textbook``
        (``core/world/building/engines.py``), which reads ``channels``."""
    def set_steps(self, steps: int, events: list[EventRow]) -> None:
        """Say how many steps Python has made, and the events of the last ones."""
    def put(self, state: Mapping[str, Any]) -> None:
        """Take over a state (``core/world/script/native_state.py``)."""
    def put_objects(self, objects: Mapping[str, Any]) -> None:
        """Take over the motors and actuators alone."""
    def put_inputs(self, inputs: Mapping[str, Any]) -> None:
        """Take over the inputs that are to come alone."""
    def take(self) -> dict[str, Any]:
        """The present state."""
    def take_changes(self) -> tuple[list[Any], list[Any], list[Any]]:
        """Motors, actuators and springs that were set since the last call."""
    def clear_log(self) -> None: ...
    def run(
        self,
        world: World,
        end: int,
        every: int,
        channels: Int32,
        out: Float64,
        variables: Int32,
        stops_at_changes: bool = False,
        stops_at_steps: bool = False,
    ) -> tuple[int, int, int, int]:
        """Step up to a step at most; return why it has stopped, the event and the action at which
        it has, and the number of filled rows. ``every`` 0 fills none. ``stops_at_changes`` ends
        with a step in which something was born or removed; ``stops_at_steps`` ends before steps,
        which the caller makes."""
    def finish_step(self, world: World, is_from_host: bool) -> None:
        """Let the next ``run`` begin with what follows the last step, which the caller has made."""
    def begin_inputs(self, world: World) -> None:
        """Begin the inputs before a step of which the caller executes some."""
    def execute(self, world: World, kind: int, what: int) -> None:
        """Execute an input: press (0) or release (1) a key of this place, ask for actions (2), or
        set values of a place of the program (3)."""
    def end_inputs(self, world: World) -> None:
        """Execute what follows the inputs before a step."""
    def give(self, bytes: bytes) -> None:
        """Give the original that a birth asks for. ValueError for other bytes."""
    def consent(self) -> None:
        """Consent to the births that ask for it."""
    def give_joint(self, joint: int) -> None:
        """Give the id of the joint that was attached, -1 where a body of it is not there."""
    def take_copies(
        self, bodies: list[tuple[int, bytes, list[int], str, bytes]], name: int, births: int
    ) -> None:
        """Take notice of bodies that were copied: their ids, forms, tags, names, and bytes of those
        that may break; the place of the name that they are born of; the number of all births."""
    def extend(self, program: ScriptProgram, spawn: int) -> None:
        """Take a program that goes on behind the present one, and give its birth ``spawn`` to the
        host's request; none for -1. Raises ValueError for the program of another scene."""
    def put_bodies(self, bodies: Mapping[str, Any]) -> None:
        """Take the tags, forms and outlines of what was born, after it was extended."""
    def drop_actuators(self) -> list[int]:
        """Forget actuators of what was born that are gone; return their places, the last first."""
    def resume(self, reason: int, turn: int, action: int) -> None:
        """Let the next ``run`` go on in the step at which it has stopped, at this place."""

    @property
    def request(self) -> tuple[int, int, list[float], list[int]] | None:
        """What Python does where ``run`` has stopped, if it goes on then. The task: copies of
        bodies (0), the original of a birth (1), the consent to births with particles (2), or a
        joint that is attached (3); the place of the birth or of the joint; place, target, angle
        and velocity of the copies, the vars of the birth, the number of births, or that of joints
        of its name; the ids of the bodies."""
    @property
    def log(self) -> list[tuple[int, int, int, int, float, float]]:
        """What happened since it was cleared: step, kind, two ids or a text, and a
        volume or a place."""
    @property
    def births(
        self,
    ) -> list[tuple[int, int, list[float], list[int], list[int], list[int]]]:
        """Births since the log was cleared: the birth in the program, its number under its name,
        the pose, and the ids of bodies and joints and the slots of points."""
    @property
    def joined(self) -> list[tuple[int, int, int, list[int], list[float]]]:
        """The joints of the log that actions attached: the place of each among attached joints, the
        number of those of its name before it, its id, those of its bodies, and its anchors, its
        reference angle, its axis and its length."""
    @property
    def broken(
        self,
    ) -> list[tuple[int, int, int, bool, list[float], list[int], list[tuple[int, int, int]]]]:
        """Broken bodies since the log was cleared: the destruction in the program, the id, the
        type, whether it collides, x, y, angle, vx, vy, omega, mass, inertia and the centre of
        mass, and the ids of its pieces."""
    @property
    def logged(self) -> int: ...
    @property
    def prepared(self) -> int:
        """The step that was prepared last."""
    @property
    def found(self) -> tuple[int, int]:
        """The number of rows of the log, since the beginning, from which events were found, and of
        all rows."""
    @property
    def kept(self) -> list[dict[int, float]]:
        """The last numbers of the bodies of an event by channel, where it removes them."""
    @property
    def births_now(self) -> tuple[int, int]:
        """The births of a step so far, and the bodies for which a place was looked for."""
    @property
    def whose(self) -> int:
        """The serial number of the copy whose script has failed; -1 for the scene."""
    @property
    def due(self) -> list[tuple[Any, bool]]:
        """The events of the step at which it has stopped."""
    @property
    def failure(self) -> tuple[int, int, list[float]] | None:
        """Why the last ``run``, or a key, could not be executed: a fault
        (``core/world/script/native_failures.py``), its place, and numbers."""
    @property
    def variables(self) -> list[float]: ...
    @property
    def ending(self) -> tuple[int, int]: ...
    @property
    def steps_made(self) -> int:
        """The number of steps that it has made."""

class Scripts:
    """Threads that run the scripts of many worlds."""

    def __init__(self, threads: int) -> None: ...
    def run(
        self, runners: Sequence[ScriptRunner], worlds: Sequence[World], ends: Sequence[int]
    ) -> list[tuple[int, int, int, int]]:
        """Step each up to a step at most; the place of each that has stopped before, and why and
        where, as ``ScriptRunner.run``."""

def are_within(rows: Float64, low: Float64, high: Float64) -> bool:
    """Whether the numbers [rows, columns] lie between the bounds of their columns; NaN does not."""
