# SPDX-License-Identifier: MIT
"""Words of other engines for values, functions, readings and verbs, and forms of first names.

The tables are data: a line is `words -> right`, where `right` is a key, a form to write, or a
sentence that begins with `~`. An `@` in it is replaced by the word itself. Messages about unknown
keys, words, functions and readings are made from them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

_FIRST = {
    "tags": "give a body `tags: [@]`",
    "vars": "write `vars: {@: 1}`",
    "state": "write `state: {@: 0}`",
    "joints": "write `joints: {@: {type: ..., bodies: [a, b]}}`",
    "actuators": "write `actuators: {@: {type: ..., body: ...}}`",
    "actuators or animations": "write `actuators: {@: {type: ..., body: ...}}`",
    "prototypes": "write `prototypes: {@: {bodies: ...}}`",
    "categories": "write `collision: {categories: [@]}`",
    "pools": "write `pools: {@: ...}`",
    "points": "give the body `points: {@: [x, y]}`",
    "animations": "write `animations: {@: {type: loop, duration: 2, tracks: ...}}`",
}
"""How the first of a kind of names is written in a scene that has none; ``@`` is the name."""
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
connect equality ball -> revolute
tendon constraint -> distance
rack_and_pinion pinion -> rack
mousejoint drag targetjoint2d grab -> mouse
pgs projected_gauss_seidel -> pgs_matrix
si impulse impulses sequential box2d classic -> sequential_impulse
soft tgs tgs_soft xpbd default newton cg rk4 euler -> soft_step
pbd position_based -> verlet
pivotjoint dampedrotaryspring rotarylimitjoint -> revolute
springjoint2d pinjoint ropejoint distancejoint2d chainjoint -> distance
groovejoint sliderjoint -> prismatic
oncollisionenter2d oncollisionenter collisionstart begincontact begin_contact contact hit \
touch touching touch_start touch_begin -> collision
oncollisionexit2d oncollisionexit collisionend endcontact end_contact separate -> touch_end
ontriggerenter2d ontriggerenter trigger trigger_enter -> sensor_enter
ontriggerexit2d ontriggerexit trigger_exit trigger_leave -> sensor_leave
joint_break onjointbreak2d -> joint_broken
timer tick interval update -> time
out_of_bounds exit -> leave
destroyed removed died -> deleted
ease ease_in_out ease_in ease_out smoothstep sine -> smooth
step constant -> hold
thrust rocket jet engine booster -> thruster
add_force constant_force2d constantforce2d push -> force
wind area_effector2d areaeffector2d point_effector2d pointeffector2d attractor magnet -> field
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
range -> ~many entries come from `repeat: {i: n}`
sign sgn signum -> ~a sign is written `1 if x > 0 else -1`
cbrt -> ~a root is a power, `a ** (1/3)`
sec csc cot sinh cosh tanh -> ~it is written with `sin`, `cos`, `tan` or `exp`
"""
_READINGS = """
pos.x position.x px xpos pos_x transform.position.x -> x
pos.y position.y py ypos pos_y transform.position.y -> y
linear_velocity.x linearvelocity.x -> vx
linear_velocity.y linearvelocity.y -> vy
qpos -> ~a place is `x`, `y` and `angle`
qvel -> ~a motion is `vx`, `vy` and `omega`
position pos location -> ~it has two parts: `x` and `y`
vel.x velocity.x v.x xvel speed_x -> vx
vel.y velocity.y v.y yvel speed_y -> vy
velocity vel v -> ~it has two parts, `vx` and `vy`; their length is `speed`
rotation rot theta orientation -> angle
position[0] pos[0] -> x
position[1] pos[1] -> y
velocity[0] vel[0] -> vx
velocity[1] vel[1] -> vy
spin angular_velocity w -> omega
weight -> mass
"""
_NAMES = """
t time now clock sim_time seconds elapsed -> world.time
energy -> world.energy
total total_energy energy.total -> world.total_energy
kinetic kinetic_energy energy.kinetic ke -> world.kinetic_energy
potential potential_energy energy.potential pe -> world.stored_energy
momentum -> world.momentum
angular_momentum -> world.angular_momentum
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


def table_of(text: str) -> dict[str, str]:
    """The lines of a text as words and what is right in their place."""
    found: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        words, _, right = line.partition("->")
        for word in words.split():
            found.setdefault(word, right.strip())
    return found


@cache
def foreign_values() -> Mapping[str, tuple[str, ...]]:
    """Possible meanings of foreign values; which one it is depends on the place."""
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
    return table_of(_FUNCTIONS)


@cache
def foreign_readings() -> Mapping[str, str]:
    return table_of(_READINGS)


@cache
def foreign_names() -> Mapping[str, str]:
    return table_of(_NAMES)


@cache
def foreign_verbs() -> Mapping[str, str]:
    return table_of(_VERBS)


def plain_word(word: str) -> str:
    """A word as the tables have it: `maxMotorTorque` and `max-motor-torque` are one word."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word)
    return snake.replace("-", "_").replace(" ", "_").lower()


def look_up(word: str, table: Mapping[str, str]) -> str:
    """The name of a word here, or nothing."""
    plain = plain_word(word)
    right = table.get(plain) or table.get(plain.replace("_", "")) or ""
    return right.replace("@", plain)


def advice(right: str) -> str:
    """The end of a message that says what is right."""
    return right[1:] if right.startswith("~") else f"write `{right}`"


def first_of(what: str, name: object) -> str:
    """The end of a message on a name of a kind of which a scene or a body has none."""
    form = _FIRST.get(what, "").replace("@", str(name) if str(name).isidentifier() else "name")
    owner = "it" if what == "points" else "the scene"
    return f"{owner} has no {what} yet" + (f": {form}" if form else "")
