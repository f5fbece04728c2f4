# SPDX-License-Identifier: MIT
"""Words of other engines and of everyday life, and what they are called here.

The tables are data: a line is `words -> right`, where `right` is a key, a form to write, or a
sentence that begins with `~`. An `@` in it stands for the word itself. Messages about unknown keys,
words, functions and readings are made from them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

_SURFACE = """
bounce bounciness elasticity elastic cor e bouncyness restitution_coefficient -> restitution
mu friction_coefficient static_friction dynamic_friction kinetic_friction grip -> friction
fill fill_color fill_style colour background_color paint tint -> color
stroke stroke_color stroke_style border border_color edge_color -> outline
roll_resistance rolling_friction roll_friction -> rolling_resistance
surface_velocity surface_speed conveyor conveyor_speed belt_speed -> tangent_speed
rho specific_weight -> density
"""
_KEYS = {
    "Body": _SURFACE
    + """
rotation rot theta orientation heading direction angle_deg euler axisangle rotate -> angle
pos location translation coordinates coords center origin xy place -> position
x y -> position: [x, y]
vel linear_velocity linearvelocity speed linvel v initial_velocity -> velocity
spin omega w angvel ang_vel angular_speed rotation_speed rotational_velocity -> angular_velocity
weight m -> mass
moment moment_of_inertia rotational_inertia i -> inertia
com cog centroid center_of_gravity centre_of_mass local_center inertial -> center_of_mass
circle box polygon capsule segment chain -> shape: {@: ...}
rectangle rect square -> shape: {box: [width, height]}
width height w_h -> shape: {box: [width, height]}
size dimensions extents half_extents scale local_scale hx hy -> shape: {box: [width, height]}
radius diameter ball disc disk sphere -> shape: {circle: radius}
vertices verts hull corners path -> shape: {polygon: [[x, y], ...]}
fixture fixtures collider colliders geom geoms parts colliders2d -> shapes
body_type kind rigidbody -> type
is_static isstatic static fixed immovable anchored frozen pinned -> type: static
is_kinematic kinematic -> type: kinematic
dynamic movable -> type: dynamic
is_sensor issensor sensor is_trigger istrigger trigger -> shape: {..., sensor: true}
freeze_rotation lock_rotation rotation_locked no_rotation -> fixed_rotation
linear_drag drag friction_air frictionair air_resistance -> linear_damping
damping -> linear_damping
angular_drag rotational_drag -> angular_damping
gravity use_gravity gravity_factor gravcomp -> gravity_scale
is_bullet continuous ccd collision_detection -> bullet
allow_sleep can_sleep sleeping sleep_mode -> sleep
active start_awake -> awake
layer group group_index collision_type category_bits contype -> category
filter collision_filter collision_group -> category
mask mask_bits conaffinity collision_mask ->  ~who meets whom is said in `collision`, by categories
tag labels label classes -> tags
image sprite picture img render -> texture
opacity alpha -> color: '#rrggbbaa'
hidden invisible -> visible: false
z_index zindex z_order depth sorting_order -> z
force constant_force -> \
~what pushes a body is one of the `actuators`, such as `{type: force, body: ..., force: [x, y]}`
torque -> \
~what turns a body is one of the `actuators`, such as `{type: torque, body: ..., torque: 5}`
impulse -> ~a blow is one of the `actuators`, such as `{type: impulse, body: ..., impulse: [x, y]}`
joint joints hinge -> ~`joints` is a block of its own beside `bodies`
enabled disabled simulated -> ~what comes later is born by `spawners`; an event's `delete` takes out
name id -> ~a body's name is its key in `bodies`: `name: {...}`
user_data userdata plugin -> tags
anchor anchors sites site -> points
count copies number instances n -> repeat: {i: n}
trace tracer -> trail
""",
    "Shape": _SURFACE
    + """
rectangle rect square -> box: [width, height]
width height size extents -> box: [width, height]
half_extents hx hy half_size half_width -> box: [width, height]
sphere disc disk ball round -> circle: radius
vertices verts points hull convex poly corners triangle trapezoid -> polygon: [[x, y], ...]
line edge -> segment: [[x, y], [x, y]]
pill stadium -> capsule
polyline linestrip edges chain_shape path -> chain
closed is_loop -> loop
position pos center centre translation local_position -> offset
rotation rot theta orientation -> angle
is_sensor is_trigger trigger -> sensor
rounding corner_radius skin border_radius fillet chamfer -> radius
hexagon pentagon ngon regular -> regular_polygon: {sides: 6, radius: 1}
mass weight -> ~a shape has a `density`; the `mass` is the body's
type kind -> ~a shape is named by its key: `{circle: 0.5}`, `{box: [2, 1]}`
""",
    "Material": _SURFACE,
    "Joint": """
kind joint_type -> type
objects links between connects connected_bodies body1 body2 -> bodies
bodya bodyb object_a object_b parent child -> bodies
connected_body -> bodies
pivot point hinge_point location pos position_of_joint -> anchor
pivots anchor1 anchor2 local_anchor_a local_anchor_b point_a point_b pointa pointb -> anchors
distance rest -> length
range limit angle_limits lower_angle upper_angle lower_limit upper_limit lower_translation -> limits
collide_connected collideconnected enable_collision collide_bodies -> collide
motor_torque max_motor_torque maxmotortorque -> motor: {speed: ..., max_torque: ...}
max_motor_force -> motor: {speed: ..., max_force: ...}
motorspeed enable_motor2 rate actuator -> motor: {speed: ...}
breakable break_distance breaking_force break_at strength -> break: {force: ...}
frequency_hz frequencyhz hertz spring_constant k -> spring: {frequency: ..., damping_ratio: ...}
enable_limit use_limits enablelimit -> limits: [low, high]
enable_spring -> spring: {frequency: ..., damping_ratio: ...}
local_axis axis_a local_axis_a slide_axis groove -> axis
max_distance max_len -> max_length
min_distance min_len -> min_length
""",
    "World": """
g gravity_y gravityy -> gravity: [0, -9.81]
step_size steps_size fixed_timestep fixed_delta_time delta delta_time -> dt
fps hz frame_rate -> ~the length of a step is `dt`: 1/60 is written `dt: =1/60`
time seconds length run_time end_time t_end simulation_time total_time until -> duration
allow_sleep sleeping enable_sleep enablesleeping sleep_threshold -> sleep
velocity_iterations position_iterations velocityiterations iteration constraint_iterations -> \
solver: {iterations: ...}
sub_steps sub_step_count substep_count -> solver: {substeps: ...}
drag wind damping air_density fluid medium -> air: {linear_damping: ...}
random_seed rng_seed randomseed rng -> seed
size box borders walls limits extent -> bounds
scale pixels_per_meter ppm -> ~lengths have a unit by `units: {length: ...}`
water liquid buoyancy -> pools
""",
    "Scene": """
objects entities rigid_bodies rigidbodies things geoms worldbody -> bodies
actors shapes gameobjects nodes -> bodies
constraints2 hinges connections links equality -> joints
actuator thrusters motor -> actuators
settings simulation config physics option physicsworld engine -> world
tests test asserts assertions checks expectations expected assert -> expect
parameters params variables constants defs let define -> vars
templates prefabs prefab blueprints classes archetypes -> prototypes
imports import includes require -> include
keys keyboard input_map key_bindings controller -> controls
triggers callbacks on handlers scripts -> events
title -> name
filters collision_filter layers_matrix contact collisions -> collision
default -> defaults
material asset -> materials
view viewport window -> camera
display rendering renderer visual output -> render
version format schema -> rigid: 1
units_system unit -> units
seed timestep -> world: {@: ...}
particle_systems emitters -> particles
texts labels hud text -> annotations
goal win objective -> outcome
recording log sensors sensor -> record
mouse pointer cursor -> ~`rigid play` pulls bodies; a recorded pull is one of the `inputs`
sky background -> render: {background: ...}
walls ground floor -> bodies: {@: {type: static, ...}}
""",
    "Motor": """
motor_speed angular_velocity omega rate -> speed
rpm -> speed: '30 rpm'
max_motor_torque maxmotortorque max_motor_torque_nm torque_limit -> max_torque
max_motor_force force_limit -> max_force
angle_target target_angle setpoint target_position -> position
kp k gain -> spring: {frequency: ..., damping_ratio: ...}
on active enable -> enabled
""",
    "Spring": """
frequency_hz freq hz natural_frequency omega -> frequency
damping_coefficient zeta -> damping_ratio
spring_constant ks -> stiffness
rest natural_length -> ~the length at rest is `length` of the joint
""",
    "Render": """
width height resolution dimensions -> size: [width, height]
frame_rate framerate frames_per_second rate -> fps
colors style skin -> theme
antialias antialiasing msaa samples -> supersample
debug show draw debug_draw -> overlays
slow_motion time_scale playback_speed -> speed
""",
    "Camera": """
center position look_at focus -> rect: [left, bottom, right, top]
zoom_level scale size -> zoom
follow lookat track -> target
type kind -> mode
padding border -> margin
""",
    "Event": """
on collision contact begin_contact on_collision between -> when
actions2 action run call script effect then_do -> do
condition where only_if -> if
objects pair -> bodies
time t -> at
interval period repeat_every -> every
key on_key -> ~what keys do is said in `controls`
threshold impulse force -> min_impulse
""",
    "Control": """
action on_press actions key_down run -> do
actuator motor force -> hold
interval repeat rate -> every
on_key_up key_up -> on_release
value -> set
""",
    "Actuator": """
kind -> type
target object on -> body
targets -> bodies
magnitude value strength amount -> force
active on is_on -> enabled
from begin -> start
""",
    "Expect": """
assert check condition expression expr is -> that
time t when step -> at
finally ever sometime once -> eventually
invariant throughout each_step -> always
object -> body
eps epsilon tol precision atol accuracy delta -> tolerance
pos -> position
""",
    "Spawner": """
prefab template object what -> use
position pos where location -> at
number max_count total amount -> max
rotation -> angle
speed -> velocity
frequency each -> every
""",
    "Collision": """
groups layers names -> categories
ignore_pairs exclude no_collide -> ignore
friction_mix friction_combine mix_friction -> friction_mixing
restitution_mix bounce_combine mix_restitution -> restitution_mixing
""",
}
_VALUES = """
fixed immovable ground scenery staticbody static_body anchored -> static
moving rigid movable dynamicbody dynamic_body free -> dynamic
animated scripted driven kinematicbody kinematic_body platform -> kinematic
hinge pin pivot revolutejoint hingejoint2d ball_joint rotary -> revolute
rod rope string stick spring distancejoint dampedspring slidejoint cable link -> distance
fixed rigid glue weldjoint fixedjoint2d lock bolt -> weld
slider slide prismaticjoint linear groove piston sliderjoint2d translational -> prismatic
suspension wheeljoint axle wheeljoint2d line -> wheel
gears gearjoint -> gear
rack_and_pinion pinion -> rack
mousejoint drag targetjoint2d grab -> mouse
thrust rocket jet engine booster -> thruster
black night -> dark
white day -> light
"""
_FUNCTIONS = """
rad radians deg2rad to_radians deg degrees rad2deg to_degrees -> \
~angles are not converted by functions: `sin` takes radians (`x*pi/180`), \
keys such as `angle` degrees
pow power -> ~a power is written `a ** b`
rand random rnd randf math_random -> uniform(0, 1)
gauss gaussian randn randnorm -> normal(mean, deviation)
random_range rand_range -> uniform(a, b)
randi random_int irand -> randint(a, b)
pick sample random_choice -> choice(a, b, ...)
arcsin -> asin
arccos -> acos
arctan -> atan
arctan2 -> atan2
square sq -> ~a square is written `a ** 2`
root square_root -> sqrt
length magnitude norm dist distance -> hypot(x, y)
ln -> log
int trunc truncate -> floor
ceiling -> ceil
mod fmod -> ~a remainder is written `a % b`
mix interpolate -> lerp
limit constrain saturate -> clamp
absolute fabs -> abs
iif ifelse where select cond -> ~a choice is written `a if condition else b`
sum sigma -> ~a sum is written out: `a + b`
range -> ~many things come from `repeat: {i: n}`
"""
_READINGS = """
pos.x position.x px xpos pos_x -> x
pos.y position.y py ypos pos_y -> y
position pos location -> ~it has two parts: `x` and `y`
vel.x velocity.x v.x xvel speed_x -> vx
vel.y velocity.y v.y yvel speed_y -> vy
velocity vel v -> ~it has two parts, `vx` and `vy`; their length is `speed`
rotation rot theta orientation -> angle
spin angular_velocity w -> omega
weight -> mass
"""
_VERBS = """
render draw movie gif video export -> run SCENE --gif FILE
simulate sim execute start go -> run SCENE
check lint verify -> validate SCENE
tests pytest assert -> test SCENE
view preview open live game gui -> play SCENE
init create template make -> new FILE
convert load -> import FILE
graph chart -> plot SCENE CHANNEL
watchdog serve -> watch SCENE --gif FILE
benchmark time profile perf -> bench
describe show_info stats inspect -> info SCENE
sweep grid scan batch -> study SCENE --out DIR/
diff -> snapshot diff OLD NEW
record -> snapshot record SCENE
version -> --version
help -> --help
"""
PLACES = tuple(_KEYS)
"""The names of input models, without `Input` or `Fields` at their ends, that have words."""


def _lines(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        words, _, right = line.partition("->")
        for word in words.split():
            found.setdefault(word, right.strip())
    return found


@cache
def foreign_keys(place: str) -> Mapping[str, str]:
    """Foreign words for the keys of an input model, by the words."""
    return _lines(_KEYS.get(place, ""))


@cache
def foreign_values() -> Mapping[str, tuple[str, ...]]:
    """What words for values may mean; which of these it is depends on the place."""
    found: dict[str, tuple[str, ...]] = {}
    for line in filter(None, map(str.strip, _VALUES.splitlines())):
        words, _, right = line.partition("->")
        for word in words.split():
            found[word] = (*found.get(word, ()), right.strip())
    return found


def meanings_of(value: str) -> tuple[str, ...]:
    """The names that this format has for a foreign word of a value."""
    plain, known = plain_word(value), foreign_values()
    return known.get(plain) or known.get(plain.replace("_", "")) or ()


@cache
def foreign_functions() -> Mapping[str, str]:
    return _lines(_FUNCTIONS)


@cache
def foreign_readings() -> Mapping[str, str]:
    return _lines(_READINGS)


@cache
def foreign_verbs() -> Mapping[str, str]:
    return _lines(_VERBS)


def plain_word(word: str) -> str:
    """A word as the tables have it: `maxMotorTorque` and `max-motor-torque` are one word."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word)
    return snake.replace("-", "_").replace(" ", "_").lower()


def look_up(word: str, table: Mapping[str, str]) -> str:
    """What a word is called here, or nothing."""
    plain = plain_word(word)
    right = table.get(plain) or table.get(plain.replace("_", "")) or ""
    return right.replace("@", plain)


def advice(right: str) -> str:
    """The end of a message that says what is right."""
    return right[1:] if right.startswith("~") else f"write `{right}`"
