# SPDX-License-Identifier: MIT
"""Keys of other engines and everyday words for keys, with their names here.

The form of the tables is that of ``values/foreign_words.py``; there is one for each input model.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ..values.foreign_words import table_of

_SURFACE = """
bounce bounciness elasticity elastic cor e bouncyness restitution_coefficient -> restitution
mu friction_coefficient static_friction dynamic_friction kinetic_friction grip -> friction
fill fill_color fill_style colour background_color paint tint -> color
stroke wireframe stroke_color stroke_style border border_color edge_color -> outline
roll_resistance rolling_friction roll_friction -> rolling_resistance
surface_velocity surface_speed conveyor conveyor_speed belt_speed -> tangent_speed
rho specific_weight -> density
solref solimp contact_stiffness contact_softness youngs_modulus stiffness softness -> \
~the stiffness of contacts belongs to the solver: `world: {solver: {substeps: ...}}`
"""
_FILTER = """
layer group collision_type category_bits contype -> category
filter collision_filter collision_group filter_data -> category
group_index -> ~a group of -1 is a `category: x` with `collision: {ignore: [[x, x]]}`
mask mask_bits conaffinity collision_mask ->  ~who meets whom is said in `collision`, by categories
"""
_KEYS = {
    "Body": _SURFACE
    + """
rotation rot theta orientation heading direction angle_deg euler axisangle quat rotate -> angle
pos location translation transform coordinates coords center origin xy place at -> position
x y -> position: [x, y]
vx vy -> velocity: [x, y]
vel linear_velocity linearvelocity speed linvel v initial_velocity -> velocity
spin omega w angvel ang_vel angular_speed rotation_speed rotational_velocity -> angular_velocity
weight m -> mass
inverse_mass inv_mass mass_scale inertia_scale -> \
~the `mass` and the `inertia` are given themselves; what nothing moves is `type: static`
use_auto_mass auto_mass -> ~a mass comes of the `density` where no `mass` is given
interpolation interpolate extrapolate -> \
~pictures show the body between steps already; how many there are is `render: {fps: ...}`
velocity_func position_func velocity_function -> \
~forces over time are `actuators` with expressions; motions over time are `animations`
set_velocity linear_vel start_velocity -> velocity
set_position start_position -> position
shared_material physics_material physics_material2d -> material
condim -> ~a contact has one `friction`
moment moment_of_inertia rotational_inertia i -> inertia
com cog centroid center_of_gravity centre_of_mass local_center inertial -> center_of_mass
circle box polygon capsule segment chain -> shape: {@: ...}
rectangle rect square -> shape: {box: [width, height]}
width height w_h -> shape: {box: [width, height]}
size dimensions extents half_extents scale local_scale hx hy -> shape: {box: [width, height]}
radius diameter ball disc disk sphere -> shape: {circle: radius}
vertices verts hull corners path -> shape: {polygon: [[x, y], ...]}
fixture fixtures fixture_def collider colliders geom geoms parts colliders2d geometry -> shapes
box_collider box_collider2d boxcollider2d -> shape: {box: [width, height]}
circle_collider circle_collider2d circlecollider2d -> shape: {circle: radius}
polygon_collider2d polygoncollider2d -> shape: {polygon: [[x, y], ...]}
body_type kind -> type
rigidbody rigidbody2d rigid_body -> ~its fields are keys of the body itself: `mass`, `type`, ...
is_static isstatic fixed immovable anchored frozen pinned infinite_mass -> type: static
static dynamic movable moving -> \
~what moves is said by `type`: `type: static`, `type: kinematic` or `type: dynamic`
is_kinematic kinematic -> type: kinematic
is_sensor issensor sensor is_trigger istrigger trigger -> shape: {..., sensor: true}
freeze_rotation lock_rotation rotation_locked no_rotation constraints motion_locks -> fixed_rotation
linear_drag drag friction_air frictionair air_resistance -> linear_damping
damping -> linear_damping
angular_drag rotational_drag -> angular_damping
gravity use_gravity gravity_factor gravcomp affected_by_gravity -> gravity_scale
is_bullet continuous ccd collision_detection collision_detection_mode -> bullet
allow_sleep can_sleep enable_sleep sleep_mode sleep_threshold -> sleep
is_sleeping sleeping asleep -> awake: false
active is_awake start_awake -> awake
"""
    + _FILTER
    + """
one_way oneway use_one_way surface_arc -> shape: {..., one_way: [0, 1]}
tag labels label classes -> tags
image sprite picture img -> texture
render -> ~looks are keys of the body itself: `color`, `outline`, `texture`, `visible`
rgba rgb -> color: '#rrggbbaa'
opacity alpha -> color: '#rrggbbaa'
hidden invisible -> visible: false
z_index zindex z_order depth sorting_order sorting_layer order_in_layer order -> z
slop margin -> ~what is left of an overlap is `world: {solver: {allowed_penetration: ...}}`
acceleration accel -> \
~a pull on all is `world: {gravity: [x, y]}`; on one body, one of the `actuators` of type `force`
for loop range each -> repeat: {i: n}
childclass class inherit base extends parent -> \
~what many have is said in `defaults`, in a `material`, or in `prototypes`
time_scale -> ~time goes alike for all; the picture's pace is `render: {speed: ...}`
free_joint freejoint -> ~a body without joints is free
connected_to attached_to -> ~`joints` is a block of its own beside `bodies`
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
    + _FILTER
    + """
set_as_box -> ~a box has whole lengths, not half ones: `box: [width, height]`
polygon_collider2d polygoncollider2d mesh -> polygon: [[x, y], ...]
edge_collider2d edgecollider2d hfield height_field heightfield terrain -> chain: [[x, y], ...]
capsule_collider2d capsulecollider2d fromto -> capsule: [[x1, y1], [x2, y2]]
r diameter -> circle: radius
used_by_composite composite_operation -> ~the `shapes` of a body are one anyway
margin slop -> ~what is left of an overlap is `world: {solver: {allowed_penetration: ...}}`
friction_combine bounce_combine restitution_combine -> \
~how two surfaces are mixed is `collision: {friction_mixing: ..., restitution_mixing: ...}`
restitution_threshold bounce_threshold -> \
~there is no such threshold; a surface bounces by its `restitution`
enable_sensor_events enable_contact_events used_by_effector -> \
~nothing needs to be switched on: `events` are told of all contacts and sensors
rgba rgb custom_color -> color: '#rrggbbaa'
area volume -> ~an area comes of the shape; with a `density` it makes the mass
edge_radius -> radius
rectangle rect square -> box: [width, height]
width height size extents -> box: [width, height]
half_extents hx hy half_size half_width -> box: [width, height]
sphere disc disk ball round circle_collider circle_collider2d circlecollider2d -> circle: radius
box_collider box_collider2d boxcollider2d cube -> box: [width, height]
halfspace half_plane halfplane -> half_space: {normal: [x, y]}
plane floor ground -> \
~a floor is a `half_space` or a wide `box`, or a `chain` of points where it is not level
ellipse oval ellipsoid -> ~it is a `polygon`, or a circle's arc: `polygon: {arc: ...}`
cylinder -> ~from the end it is a `circle`, from the side a `box`
thickness -> ~a thick line is a `capsule` with a `radius`, half its thickness
vertices verts points hull convex poly corners triangle trapezoid -> polygon: [[x, y], ...]
line edge -> segment: [[x, y], [x, y]]
pill stadium -> capsule
polyline linestrip edges chain_shape path -> chain
closed is_loop -> loop
at position pos center centre translation local_position origin -> offset
rotation rot theta orientation -> angle
is_sensor is_trigger trigger -> sensor
rounding corner_radius skin border_radius fillet chamfer -> radius
hexagon pentagon ngon regular -> regular_polygon: {sides: 6, radius: 1}
mass weight -> ~a shape has a `density`; the `mass` is the body's
type kind -> ~a shape is named by its key: `{circle: 0.5}`, `{box: [2, 1]}`
""",
    "Material": _SURFACE
    + """
mass weight -> ~a material has a `density`; the `mass` is the body's
""",
    "Joint": """
kind joint_type -> type
objects links between connects connected_bodies body1 body2 -> bodies
bodya bodyb object_a object_b parent child -> bodies
connected_body -> bodies
pivot point hinge_point location pos position_of_joint -> anchor
pivots anchor1 anchor2 connected_anchor local_anchor_a local_anchor_b point_a point_b pointa \
pointb -> anchors
distance rest spring_length spring_len -> length
slack -> ~what may be slack is `rope: true`, or has a `min_length` and a `max_length`
range limit angle_limits lower_angle upper_angle lower_limit upper_limit lower_translation -> limits
collide_connected collideconnected enable_collision collide_bodies -> collide
motor_torque max_motor_torque maxmotortorque -> motor: {speed: ..., max_torque: ...}
max_motor_force -> motor: {speed: ..., max_force: ...}
motorspeed enable_motor2 rate actuator -> motor: {speed: ...}
breakable break_distance breaking_force break_at strength -> break: {force: ...}
spring_hertz constraint_hertz linear_hertz frequency_hz frequencyhz hertz spring_constant k \
-> spring: {frequency: ..., damping_ratio: ...}
frictionloss friction_loss friction -> \
~what brakes a joint is a motor that holds still: `motor: {speed: 0, max_torque: ...}`
target_angle springref ref qpos0 rest_angle reference_angle -> \
~angles are counted from the start; a spring's is `motor: {position: ..., spring: {...}}`
armature -> ~it is part of a body's `inertia`
solreflimit solref solimplimit solimp max_bias error_bias bias_coef erp cfm -> \
~how fast errors are taken back is `world: {solver: {correction_rate: ...}}`, in some solvers
use_motor -> motor: {speed: ...}
enable_limit use_limits limited enablelimit -> limits: [low, high]
enable_spring use_spring -> spring: {frequency: ..., damping_ratio: ...}
slide_axis groove -> axis
local_axis axis_a local_axis_a -> \
~it is `axis`, in world coordinates; only beside `anchors` in those of the first body
user_data userdata tag -> ~a joint is known by its name, its key in `joints`
auto_configure_distance auto_configure_connected_anchor -> \
~it is so already: lengths and anchors that are left out come of the positions at the start
draw_size draw_scale -> visible
max_distance max_len -> max_length
min_distance min_len -> min_length
""",
    "World": """
g gravity_y gravityy -> gravity: [0, -9.81]
step_size steps_size fixed_timestep fixed_delta_time delta delta_time -> dt
fps hz frame_rate frequency -> ~the length of a step is `dt`: 1/60 is written `dt: =1/60`
time seconds length run_time end_time t_end simulation_time total_time until -> duration
sleep_time_threshold idle_speed_threshold time_to_sleep allow_sleep sleeping enable_sleep \
enablesleeping sleep_threshold -> sleep
velocity_iterations position_iterations velocityiterations iteration constraint_iterations -> \
~write `solver: {substeps: ...}`; solvers other than soft_step have `solver: {iterations: ...}`
linear_slop collision_slop slop contact_slop baumgarte bias_factor -> \
solver: {allowed_penetration: ...}
integrator -> ~what moves bodies is said in `solver: {type: ...}`
hertz rate step_rate steps_per_second -> ~the length of a step is `dt`: 1/60 is written `dt: =1/60`
time_scale speed playback_speed -> ~the picture's pace is `render: {speed: ...}`
sub_steps sub_step_count substep_count -> solver: {substeps: ...}
drag damping air_density fluid medium friction_air -> air: {linear_damping: ...}
continuous continuous_physics enable_continuous -> \
~fast bodies never pass through what is fixed; between two that move, a body has `bullet: true`
restitution_threshold bounce_threshold velocity_threshold -> \
~there is no such threshold; a surface bounces by its `restitution`
hit_event_threshold -> ~an event has its own: `{when: collision, min_impulse: ...}`
contact_hertz joint_hertz contact_push_velocity contact_damping_ratio impratio noslip_iterations \
collision_bias collision_persistence speculative_distance cone -> \
~the solver has other numbers here: `solver: {type: ..., substeps: ...}`
workers worker_count threads thread_count num_threads -> ~it is an option: `rigid run --threads 4`
warm_starting -> solver: {warm_start: ...}
maximum_linear_speed max_linear_speed max_speed max_velocity -> \
~no speed is cut; a body beyond 1e7 m/s ends the run, as `on_error` says
viscosity -> ~a drag of the air is `air: {linear_damping: ...}`; a liquid is one of the `pools`
wind -> ~a wind is one of the `actuators`: `{type: field, tags: [...], field: [=..., =...]}`
random_seed rng_seed randomseed rng -> seed
size borders limits extent -> bounds
walls box floor ground -> ~walls are static `bodies`; `bounds` only take out what leaves
scale pixels_per_meter ppm -> ~lengths have a unit by `units: {length: ...}`
water liquid buoyancy -> pools
""",
    "Scene": """
objects entities rigid_bodies rigidbodies things geoms worldbody -> bodies
actors shapes gameobjects nodes fixtures colliders -> bodies
hinges connections links equality springs ropes tendon tendons -> joints
actuator thrusters motor -> actuators
settings simulation config run physics option physicsworld engine space -> world
mujoco -> ~a scene has its blocks at the top: `world`, `bodies`, `joints`, ...
steps num_steps step_count -> world: {steps: ...}
tests test asserts assertions checks expectations expected assert -> expect
parameters params variables constants defs let define -> vars
composites composite templates prefabs prefab blueprints classes archetypes -> prototypes
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
mouse mouse_constraint pointer cursor -> ~`rigid play` pulls bodies; a recorded pull is one of \
the `inputs`
sky background -> render: {background: ...}
keyframe keyframes tween tweens timeline -> animations
time length run_time end_time end -> world: {duration: ...}
author date license comment -> description
update loop setup main init start -> \
~a scene has no program; what happens when is said by `events`
walls ground floor -> bodies: {@: {type: static, ...}}
""",
    "Solver": """
slop linear_slop penetration_slop -> allowed_penetration
baumgarte erp error_reduction bias bias_factor contact_push_velocity -> correction_rate
solver kind method algorithm name -> type
tolerance stop_at eps -> stop_below
velocity_iterations position_iterations -> iterations
sub_steps sub_step_count substep_count -> substeps
warm_starting warmstart -> warm_start
cfm softness compliance -> ~joints are soft by their `spring`
relax relaxation sor omega -> ~it is not a number here; more `substeps` or `iterations` are stiffer
""",
    "Var": """
min max minimum maximum low high lower upper from to limits bounds -> range: [low, high]
default initial start val -> value
step increment -> ~a slider goes through the whole `range`, without steps
label title name help -> ~a slider has the name of its var
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
debug show draw debug_draw wireframes -> overlays
slow_motion time_scale playback_speed -> speed
""",
    "Annotation": """
name title caption -> label
pos location xy anchor -> at
body target attach attach_to -> follow
font_size letters -> size
colour -> color
arrow -> vector
graph chart curve -> plot
dim distance measure -> dimension
value values -> show: value
start -> from
end -> until
when condition if -> while
""",
    "Camera": """
x y center position look_at focus -> rect: [[x1, y1], [x2, y2]]
zoom_level scale size -> zoom
follow lookat track body object subject -> target
type kind -> mode
padding border -> margin
""",
    "Event": """
on collision contact begin_contact on_collision trigger type -> when
between -> bodies
actions2 action run call script effect then_do -> do
condition where only_if -> if
objects pair -> bodies
time t -> at
interval period repeat_every -> every
key on_key -> ~what keys do is said in `controls`
a b object_a object_b body_a body_b first second -> bodies
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
gear ctrlrange ctrllimited forcerange kp kv gainprm biasprm -> \
~a motor that is steered belongs to a joint: `motor: {position: ..., spring: {...}}`
mode force_mode -> type
velocity wind speed_of_air -> ~a wind is `{type: field, field: [=..., =...]}`
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
    "Action": """
instantiate create add_body new clone birth -> spawn: {use: ..., at: ...}
kill remove_body despawn erase -> delete
break shatter fracture split -> destroy
add_force apply_force addforce push force kick -> \
~a push at once is `impulse: {body: ..., impulse: [x, y]}`; a lasting one is an actuator, \
switched on by `set`
apply_impulse add_impulse apply_linear_impulse hit -> impulse: {body: ..., impulse: [x, y]}
explosion blast -> explode: {at: ..., radius: ..., impulse: ...}
connect join weld create_joint add_joint -> attach: {name: ..., joint: {...}}
disconnect remove_joint break_joint -> detach
increment increase score plus -> add: {state.score: 1}
velocity set_velocity set_linear_velocity -> set: {$a.velocity: [x, y]}
position set_position -> set: {$a.position: [x, y]}
assign change set_value set_field -> set: {state.score: 1}
set_active enable disable set_enabled -> set: {NAME.enabled: false}
wait sleep delay -> ~what comes later is an event of its own; an event waits by `after`
restart reset reload goto -> ~a run goes on to its end; in `rigid play`, `r` begins anew
teleport shift translate -> move: {what: ..., to: ...}
duplicate clone_body -> copy: {what: ..., by: ..., name: ...}
inverse_kinematics ik solve_ik follow aim -> reach: {tip: ..., target: ...}
message echo write debug say -> log
win lose game_over -> ~runs are won and lost by `outcome: {win: =..., lose: =...}`
finish quit exit done -> end: pass
start_animation animate -> play
play_sound audio -> sound
""",
    "Impulse": """
value force vector amount magnitude j -> impulse
target object who -> body
point position where -> at
""",
    "Collision": """
matrix layer_matrix collision_matrix mask masks -> ignore
groups layers names -> categories
ignore_pairs exclude no_collide -> ignore
friction_mix friction_combine mix_friction -> friction_mixing
restitution_mix bounce_combine mix_restitution -> restitution_mixing
""",
}
PLACES = tuple(_KEYS)
"""The names of input models, without `Input` or `Fields` at their ends, that have words."""


@cache
def foreign_keys(place: str) -> Mapping[str, str]:
    """Foreign words for the keys of an input model, by the words."""
    return table_of(_KEYS.get(place, ""))
