"""Types of the native extension: geometry, the engine and the rasterizer."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]
Float32 = NDArray[np.float32]
Int32 = NDArray[np.int32]
Bool = NDArray[np.bool_]
UInt8 = NDArray[np.uint8]

# ---------------------------------------------------------------- geometry

def decompose_polygon(points: Float64) -> list[Float64]:
    """Cut a simple polygon [n, 2] into few convex ones without slivers, each counter-clockwise.

    Either winding is accepted. A part has at most 64 corners, all of them among ``points``; those
    on straight lines are left out. ValueError: fewer than 3 or more than 10000 points, points that
    are not finite or are repeated, edges that cross, touch or fold back, no area."""

def clashing_edges(points: Float64) -> tuple[int, int] | None:
    """Two edges of a polygon [n, 2] that cross, touch or fold back, by the points at which they
    begin, or None. ValueError: fewer than 3 or more than 10000 points, or ones not finite."""

def near_points(points: Float64, near: float) -> tuple[int, int] | None:
    """The first two points [n, 2] whose coordinates are no further apart than ``near``. ValueError
    as for ``clashing_edges``."""

def polygon_mass(
    points: Float64, radius: float, density: float
) -> tuple[float, float, float, float]:
    """(mass, centre x, centre y, inertia about the centre) of a polygon whose counter-clockwise
    core [n, 2] is rounded by ``radius``; the core must be convex unless that is 0."""

# The functions below take a shape as its kind (see SHAPE_COLUMNS), its points [n, 2] and its
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

BODY_COLUMNS: Final[tuple[str, ...]]
"""x y angle vx vy omega mass inertia center_x center_y linear_damping angular_damping
gravity_scale kind fixed_rotation bullet sleep awake collide.

``mass``, ``inertia``, ``center_*``: NaN means from the shapes. ``kind``: 0 static, 1 kinematic,
2 dynamic. The rest are 0 or 1. ``vx vy`` are the velocity of the centre of mass."""

SHAPE_COLUMNS: Final[tuple[str, ...]]
"""body kind first_point point_count radius density friction restitution rolling_resistance
tangent_speed sensor category.

``kind``: 0 circle, 1 capsule, 2 segment, 3 polygon (convex, counter-clockwise, at most 64),
4 chain segment (4 points: ghost, p1, p2, ghost; solid from the left of p1 -> p2)."""

JOINT_COLUMNS: Final[tuple[str, ...]]
"""kind body_a body_b anchor_ax anchor_ay anchor_bx anchor_by axis_x axis_y reference_angle collide
break_force break_torque spring_kind spring_1 spring_2 has_limits lower upper motor_kind
motor_target motor_max motor_spring_kind motor_spring_1 motor_spring_2 length min_length max_length
limit_spring_kind limit_spring_1 limit_spring_2 target_x target_y break_push_pull.

``kind``: 0 revolute, 1 distance, 2 weld, 3 prismatic, 4 wheel, 5 mouse, 6 rotary_motor,
7 axial_friction; the last three act against the world, body 0. Anchors are in body coordinates
(from the body's origin). ``axis``: in A's coordinates, for axial_friction in B's. Limits and motor
positions are angles (revolute) or translations along the axis (prismatic, wheel), 0 where the
anchors coincide; a wheel's motor turns B. ``motor_max`` is a torque, or the force of a prismatic
joint, a mouse or an axial friction. ``target``: the mouse, in the world.
``limit_spring``: limits that give. ``break_push_pull``: see the channel body_push_pull.
``spring_kind``: 0 rigid, 1 frequency and damping ratio, 2 stiffness and damping.
``motor_kind``: 0 none, 1 speed, 2 position. ``body_a`` or ``body_b`` may be 0, the world body.
Distance joints: ``length`` the rest length; a rod has min = max = length; a rope min 0; inf
allowed."""

CHANNELS: Final[dict[str, int]]
"""Channel codes for ``World.run``: body_x body_y body_angle body_vx body_vy body_speed body_omega
body_kinetic_energy body_contacts body_asleep body_point_x body_point_y body_point_vx body_point_vy
body_point_speed joint_force joint_torque joint_angle joint_length joint_translation joint_broken
world_time world_energy world_momentum world_momentum_x world_momentum_y world_angular_momentum
world_contacts world_bodies body_mass body_force body_push_pull joint_speed joint_motor_force.
``body_push_pull`` of a bar (see ``set_bars``): positive pushed together, negative pulled apart.
The index beside the code is a body, a joint, a registered point, or 0."""

FORCE_COLUMNS: Final[tuple[str, ...]]
"""kind body at_x at_y x y torque start until.

``kind``: 0 thruster (x y in body axes), 1 force (world axes), 2 impulse (world axes, once, at time
``start``). ``at`` is in body coordinates, NaN means the centre of mass. Forces act while
start <= time < until."""

RUNAWAY_DISTANCE: Final[float]
"""A body that is so many typical lengths away from the origin stops a run."""

RUNAWAY_SPEED: Final[float]
"""A body that is so fast, in typical lengths or radians a second, stops a run."""

EVENT_KINDS: Final[tuple[str, ...]]
"""left_bounds (body), joint_broken (joint), contact_begin (body, body), contact_end (body, body),
sensor_begin (sensor's body, visitor), sensor_end (sensor's body, visitor), not_finite (body),
runaway (body)."""

StepError = tuple[str, int, int, tuple[float, float, float, float, float]]
"""kind, body, step, and the body's x, y, vx, vy and omega then."""

class World:
    """The engine. Body 0 is ``world``, a static body without shapes, made by the constructor."""

    def __init__(
        self,
        *,
        gravity: tuple[float, float] = ...,
        dt: float = ...,
        solver: str = "soft_step",
        substeps: int = 4,
        joint_solver: str = "auto",
        iterations: int = 10,
        warm_start: bool = True,
        position_correction: bool = True,
        correction_rate: float = 0.2,
        allowed_penetration: float = 0.01,
        gravity_friction: bool = False,
        length_unit: float = 1.0,
        time_per_second: float = 1.0,
        sleep: bool = True,
        friction_mixing: str = "geometric_mean",
        restitution_mixing: str = "max",
        bounds: tuple[float, float, float, float] | None = None,
        freeze_on_error: bool = False,
        max_pairs: int = 1_000_000,
        threads: int = 1,
        lanes: int = 0,
    ) -> None: ...
    def add_bodies(self, parameters: Float64) -> int:
        """Add bodies [n, len(BODY_COLUMNS)]; the index of the first."""
    def add_shapes(self, parameters: Float64, points: Float64) -> int:
        """Add shapes [n, len(SHAPE_COLUMNS)] whose points are rows of ``points`` [m, 2];
        index of the first."""
    def add_joints(self, parameters: Float64) -> int:
        """Add joints [n, len(JOINT_COLUMNS)]; the index of the first."""
    def add_points(self, bodies: Int32, points: Float64) -> int:
        """Register named points (body index [n], body coordinates [n, 2]) for the
        body_point_* channels."""
    def add_forces(self, parameters: Float64) -> int:
        """Add thrusters, forces and impulses [n, len(FORCE_COLUMNS)]; the index of the first."""
    def set_force(self, index: int, x: float, y: float, torque: float, enabled: bool) -> None: ...
    def set_bars(self, parameters: Float64) -> None:
        """Slender bodies [n, 5]: body, and its left and right end in body coordinates."""
    def set_spring(self, joint: int, kind: int, first: float, second: float) -> None: ...
    def set_limits(self, joint: int, lower: float, upper: float) -> None: ...
    def set_joint_target(self, joint: int, x: float, y: float) -> None:
        """Move a mouse's target, in world coordinates."""
    def set_collision_matrix(self, matrix: Bool) -> None:
        """Which shape categories collide, [n, n], symmetric, n <= 64."""
    def ignore_pairs(self, bodies: Int32) -> None:
        """Pairs of bodies [n, 2] that never touch."""
    def finish(self) -> None:
        """Compute masses from shapes and check. Called by the first step if need be."""
    def remove_body(self, body: int) -> None:
        """Take a body, its shapes and joints out of the world. Its index stays unused."""
    def remove_joint(self, joint: int) -> None: ...
    def step(self, steps: int = 1) -> int:
        """Step; returns how many steps were done (fewer after an error, see ``error``)."""
    def run(self, steps: int, every: int, channels: Int32, out: Float64) -> int:
        """Step and record. ``channels`` [c, 2] holds (code, index). After each ``every``-th
        step (counted
        by ``step_count``) a row is written to ``out`` [rows, c]. Returns the steps done."""
    def sample(self, channels: Int32) -> Float64:
        """The channels' values now, [c]."""
    @property
    def error(self) -> StepError | None:
        """The error that stopped the world: kind 'not_finite', 'runaway' or 'crowded' (more than
        ``max_pairs`` pairs of shapes may touch; the body is one that has the most about it)."""
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
    # zero-copy, read-only views, valid until bodies are added; indexed by body
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
    def center_of_mass(self, body: int) -> tuple[float, float]:
        """In body coordinates."""
    def set_pose(self, body: int, x: float, y: float, angle: float) -> None: ...
    def set_velocity(self, body: int, vx: float, vy: float, omega: float) -> None: ...
    def apply_force(self, body: int, fx: float, fy: float, px: float, py: float) -> None:
        """A force at a world point, during the next step only."""
    def apply_torque(self, body: int, torque: float) -> None: ...
    def apply_impulse(self, body: int, jx: float, jy: float, px: float, py: float) -> None: ...
    def apply_angular_impulse(self, body: int, impulse: float) -> None: ...
    def set_awake(self, body: int, awake: bool) -> None: ...
    def set_motor(self, joint: int, target: float, maximum: float) -> None: ...
    def contacts(self) -> tuple[Int32, Float64]:
        """Touching points in a fixed order: shapes and bodies [n, 4] (body a, body b, shape
        a, shape b)
        and values [n, 9]: point x y, normal x y (from a to b), separation, normal impulse and
        tangent impulse of the last step, normal force, tangent force."""
    def joint_state(self) -> Float64:
        """[joints, 9]: force x, force y (on body b), torque, angle, length, translation, broken,
        speed (of the angle, length or translation), motor force or torque."""
    def take_events(self) -> Int32:
        """Events since the last call [n, 4]: step, kind, a, b."""
    def enable_contact_events(self, enabled: bool) -> None: ...
    def ray_cast(
        self,
        origin: tuple[float, float],
        translation: tuple[float, float],
        category_mask: int = ...,
    ) -> tuple[int, int, float, float, float, float, float] | None:
        """The nearest hit: body, shape, fraction, point x, y, normal x, y."""
    def overlap_box(
        self, lower: tuple[float, float], upper: tuple[float, float], category_mask: int = ...
    ) -> Int32:
        """Shapes [n, 2] (body, shape) that overlap a box."""
    def overlap_circle(
        self, center: tuple[float, float], radius: float, category_mask: int = ...
    ) -> Int32: ...
    def overlap_point(self, point: tuple[float, float], category_mask: int = ...) -> Int32: ...
    def energy(self) -> tuple[float, float]:
        """Kinetic and potential (gravity) energy of the dynamic bodies."""
    def state_hash(self) -> int:
        """A 64-bit hash of every body's exact position, angle and velocity."""
    def statistics(self) -> dict[str, float]:
        """Counts (contacts, colors, islands, awake) and milliseconds of the last step's stages."""

def lanes_supported() -> Sequence[int]:
    """The lane widths this processor can run, narrowest first, such as [1, 4, 8, 16]."""

# ---------------------------------------------------------------- rasterizer

ITEM_COLUMNS: Final[tuple[str, ...]]
"""kind first_point point_count radius outline fill stroke a b c.

Lengths are pixels. ``radius`` is that of a circle, of a polygon's corners, or half a line's width.
``outline`` is the width of the outline, inside the edge. Colours are numbers 0xRRGGBBAA."""

ITEM_KINDS: Final[dict[str, int]]
"""What an item draws, and what its columns a, b, c are:
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
    """

    def __init__(self, width: int, height: int, colors: UInt8) -> None: ...
    def add(self, image: UInt8) -> bytes:
        """The image descriptor and data of what changed in image [h, w, 3]; empty if
        nothing did."""
    @property
    def palette(self) -> bytes:
        """The entries so far, three bytes each."""
