# SPDX-License-Identifier: MIT
"""Levels of Kinetix as JSON: polygons, circles, hinges and thrusters, with the task of each level.

Green has to meet blue and must not meet red. A level has a fixed number of places for objects, of
which only the active ones are read. Lengths are metres, angles radians.
"""

from __future__ import annotations

import math
from itertools import combinations

from ..scene.model import Point
from .drafts import geometry
from .drafts.draft import Draft, Entry
from .drafts.finishing import finish
from .drafts.places import Value
from .drafts.result import Import
from .kinetix_touching import LONGEST, Figure, touching

ROLES = ("", "green", "blue", "red")
_COLORS = {"": "#8d99ae", "green": "#2a9d8f", "blue": "#277da1", "red": "#e63946"}
_STATIC = "#495057"
_FIXED = 1e-9
SIDE = 5.0
"""A level is this wide and high, from the origin on."""


class _Level:
    """A level on its way to a scene.

    Attributes:
        bodies: names of the bodies by their numbers, of polygons first.
        figures: the outlines of the bodies that have a role, by the role; None for one that is
            neither a circle nor a box.
        angles: the angles of the bodies at the start.
        inertia: one by the moments of inertia of the bodies, 0 for fixed ones.
        kinds: which bodies they collide with, by name.
        act: the actions of the task.
        tied: the objects that one action moves there.
    """

    def __init__(self, value: Value) -> None:
        self.draft = Draft(value.source, "kinetix", units={"angle": "rad"})
        self.value = value
        self.state = value.need("env_state")
        self.numbers = value.get("env_params")
        self.polygons = self.state.items("polygon")
        self.circles = self.state.items("circle")
        self.bodies: dict[int, str] = {}
        self.kinds: dict[str, int] = {}
        self.figures: dict[str, list[Figure | None]] = {role: [] for role in ROLES}
        self.angles: dict[int, float] = {}
        self.inertia: dict[int, float] = {}
        self.act: Entry = {}
        self.tied: dict[str, list[str]] = {}

    def number(self, name: str, usual: float) -> float:
        """A number of the level's physics."""
        return usual if self.numbers is None else _number(self.numbers, name, usual)

    def free_name(self, word: str) -> str:
        """A name that no body has yet: the word, or the word with a number."""
        name, k = word, 1
        while name in self.draft.bodies:
            k += 1
            name = f"{word}_{k}"
        return name


def read(value: Value) -> Import:
    """The scene of a level."""
    level = _Level(value)
    draft = level.draft
    _world(level)
    for number, body in enumerate([*level.polygons, *level.circles]):
        if body.truth("active"):
            _add_body(level, number, body, number < len(level.polygons))
    for number, joint in enumerate(level.state.items("joint")):
        if joint.truth("active"):
            _add_joint(level, number, joint)
    for number, thruster in enumerate(level.state.items("thruster")):
        if thruster.truth("active"):
            _add_thruster(level, number, thruster)
    _collision(level)
    for binding, names in level.tied.items():
        if len(names) > 1:
            draft.head.append(f"{binding} moves {', '.join(names)} there; here each has its action")
    draft.fields["camera"] = {"mode": "region", "rect": [[0.0, 0.0], [SIDE, SIDE]]}
    draft.fields["render"] = {"size": [500, 500], "background": "#f8f9fa"}
    if level.act and level.figures["green"]:
        draft.fields["task"] = _task(level)
    else:
        draft.head.append("there is nothing green or nothing to act with, and so no task")
    return finish(draft)


def _number(value: Value, name: str, usual: float = 0.0) -> float:
    return _short(value.number(name, default=usual))


def _short(number: float) -> float:
    """A number of 32 bits in as few digits as mean it."""
    return float(f"{number:.7g}")


def _world(level: _Level) -> None:
    dt = level.number("dt", 1 / 60)
    rate = round(1 / dt) if dt > 0 else 0
    exact = rate > 0 and abs(1 / dt - rate) < 1e-4
    steps = level.number("max_timesteps", 256.0)
    level.draft.world = {
        "gravity": list(_pair(level.state, "gravity", (0.0, -9.81))),
        "dt": f"=1/{rate}" if exact else dt,
        "duration": f"={steps:g}*{_repeat(level)}/{rate}" if exact else steps * _repeat(level) * dt,
        "sleep": False,
    }
    level.draft.collision = {}


def _repeat(level: _Level) -> int:
    static = level.value.get("static_env_params")
    return 1 if static is None else max(1, static.whole("frame_skip", default=1))


def _pair(value: Value, name: str, usual: Point = (0.0, 0.0)) -> Point:
    """A vector, written as an object with the keys 0 and 1 or as a list."""
    found = value.get(name)
    if found is None:
        return usual
    return _as_pair(found)


def _as_pair(found: Value) -> Point:
    if isinstance(found.data, list):
        parts = found.items()
        if len(parts) != 2:
            raise found.fail("wrong-type", "must be two numbers")
        return _short(parts[0].as_number()), _short(parts[1].as_number())
    return _short(found.need("0").as_number()), _short(found.need("1").as_number())


def _corners(body: Value) -> list[Point]:
    count = body.whole("n_vertices")
    held = body.need("vertices")
    if isinstance(held.data, list):
        corners = [_as_pair(each) for each in held.items()][:count]
    else:
        corners = [_as_pair(held.need(str(k))) for k in range(count)]
    if len(corners) < 3:
        raise held.fail("out-of-range", f"a polygon has at least 3 corners, not {len(corners)}")
    return corners


# ---------------------------------------------------------------- bodies


def _add_body(level: _Level, number: int, body: Value, is_polygon: bool) -> None:
    role = body.whole("role")
    if not 0 <= role < len(ROLES):
        raise body.need("role").fail("out-of-range", f"is 0 to 3, not {role}")
    inverse = _number(body, "inverse_mass")
    turning = _number(body, "inverse_inertia")
    fixed = inverse < _FIXED
    corners = _corners(body) if is_polygon else []
    shape = geometry.polygon_shape(corners) if is_polygon else {"circle": _number(body, "radius")}
    place = _pair(body, "position")
    entry: Entry = {"type": "static"} if fixed else {}
    entry["shape"] = shape
    entry["position"] = list(place)
    angle = _number(body, "rotation")
    if angle:
        entry["angle"] = angle
    base = level.number("base_friction", 0.4)
    entry["friction"] = round(base * math.sqrt(2.0) * max(0.0, _number(body, "friction")), 6)
    bounce = _number(body, "restitution")
    if bounce:
        entry["restitution"] = min(max(bounce, 0.0), 1.0)
    if not fixed:
        if _pair(body, "velocity") != (0.0, 0.0):
            entry["velocity"] = list(_pair(body, "velocity"))
        if _number(body, "angular_velocity"):
            entry["angular_velocity"] = _number(body, "angular_velocity")
        entry["mass"] = _short(1.0 / inverse)
        if turning >= _FIXED:
            entry["inertia"] = _short(1.0 / turning)
        else:
            entry["fixed_rotation"] = True
        if is_polygon and "offset" not in shape:
            entry["center_of_mass"] = [0.0, 0.0]
    entry["color"] = _STATIC if fixed and not role else _COLORS[ROLES[role]]
    word = ROLES[role] or ("wall" if fixed else ("block" if is_polygon else "ball"))
    if role:
        entry["tags"] = [ROLES[role]]
    name = level.draft.add(level.draft.bodies, level.free_name(word), entry, body)
    level.bodies[number] = name
    level.kinds[name] = body.whole("collision_mode", default=1)
    level.angles[number] = angle
    level.inertia[number] = 0.0 if fixed else turning
    if role:
        level.figures[ROLES[role]].append(_figure(name, shape, place, angle, fixed))


def _figure(name: str, shape: Entry, place: Point, angle: float, fixed: bool) -> Figure | None:
    """The shape of a body for tests of contact; None for other polygons."""
    if "circle" in shape:
        return Figure(name, None, float(shape["circle"]), place if fixed else None)
    if "box" not in shape or ("offset" in shape and not fixed):
        return None
    x, y = geometry.turned(shape.get("offset", (0.0, 0.0)), angle)
    width, height = shape["box"]
    middle = (place[0] + x, place[1] + y) if fixed else None
    return Figure(name, (width / 2, height / 2), 0.0, middle)


def _body(level: _Level, owner: Value, key: str) -> int:
    number = owner.whole(key)
    if number not in level.bodies:
        raise owner.need(key).fail("unknown-name", f"no active body has the number {number}")
    return number


# ---------------------------------------------------------------- joints, thrusters


def _add_joint(level: _Level, number: int, joint: Value) -> None:
    a, b = _body(level, joint, "a_index"), _body(level, joint, "b_index")
    entry: Entry = {"bodies": [level.bodies[a], level.bodies[b]]}
    anchors = [_pair(joint, "a_relative_pos"), _pair(joint, "b_relative_pos")]
    turned = level.angles[b] - level.angles[a] - _number(joint, "rotation")
    if joint.truth("is_fixed_joint"):
        entry["type"] = "weld"
        if abs(turned) > 1e-3:
            level.draft.lose(joint, "it turns its bodies at the start; here they stay as they are")
    else:
        entry["type"] = "revolute"
        if joint.truth("motor_has_joint_limits"):
            low, high = _number(joint, "min_rotation"), _number(joint, "max_rotation")
            entry["limits"] = [_short(low - turned), _short(high - turned)]
    entry["anchors"] = [list(each) for each in anchors]
    name = level.draft.add(level.draft.joints, f"joint_{number}", entry, joint)
    if entry["type"] == "revolute" and joint.truth("motor_on"):
        _add_motor(level, name, entry, joint, (a, b))


def _add_motor(
    level: _Level, name: str, entry: Entry, joint: Value, bodies: tuple[int, int]
) -> None:
    """A motor that is off until it is used: its strength is that there far from its speed."""
    turning = sum(level.inertia[each] for each in bodies)
    speed = _number(joint, "motor_speed") * level.number("base_motor_speed", 6.0)
    power = _number(joint, "motor_power") * level.number("base_motor_power", 900.0)
    if not turning or not speed:
        return
    strength = _short(max(0.0, power / turning))
    entry["motor"] = {"speed": speed, "max_torque": strength, "enabled": False}
    level.act[f"{name}.motor.enabled"] = {"choices": [False, True]}
    level.act[f"{name}.motor.speed"] = {"choices": [speed, -speed]}
    binding = f"the motor action {joint.whole('motor_binding')}"
    level.tied.setdefault(binding, []).append(name)


def _add_thruster(level: _Level, number: int, thruster: Value) -> None:
    body = _body(level, thruster, "object_index")
    force = _number(thruster, "power") * level.number("base_thruster_power", 10.0)
    direction = geometry.turned((force, 0.0), _number(thruster, "rotation"))
    entry: Entry = {
        "type": "thruster",
        "body": level.bodies[body],
        "at": list(_pair(thruster, "relative_position")),
        "force": [_short(each) for each in direction],
        "enabled": False,
    }
    name = level.draft.add(level.draft.actuators, f"thruster_{number}", entry, thruster)
    level.act[f"{name}.enabled"] = {"choices": [False, True]}
    binding = f"the thruster action {thruster.whole('thruster_binding')}"
    level.tied.setdefault(binding, []).append(name)


def _collision(level: _Level) -> None:
    """Bodies that are jointed, also by others, pass through each other, and so do those of kind 0
    and kinds 0 and 1."""
    cluster: dict[str, str] = {name: name for name in level.bodies.values()}

    def top(name: str) -> str:
        while cluster[name] != name:
            name = cluster[name]
        return name

    for entry in level.draft.joints.values():
        first, second = map(top, entry["bodies"])
        cluster[second] = first
    groups: dict[tuple[str, int], str] = {}
    for name in level.bodies.values():
        members = sum(top(each) == top(name) for each in cluster)
        key = (top(name) if members > 1 else "", level.kinds[name] if level.kinds[name] == 0 else 1)
        key = (key[0], 2 if level.kinds[name] == 2 else key[1])
        plain = not key[0] and key[1]
        if plain and key[1] == 1:
            key = ("", 1)
        groups.setdefault(key, "default" if key == ("", 1) else f"group_{len(groups)}")
        if groups[key] != "default":
            level.draft.bodies[name]["category"] = groups[key]
    ignore = [
        [groups[a], groups[b]]
        for a, b in [*combinations(groups, 2), *((each, each) for each in groups)]
        if (a[0] and a[0] == b[0]) or (2 not in (a[1], b[1]) and a[1] * b[1] == 0)
    ]
    if ignore:
        names = dict.fromkeys(["default", *groups.values()])
        level.draft.collision = {"categories": list(names), "ignore": ignore}
    else:
        for entry in level.draft.bodies.values():
            entry.pop("category", None)


# ---------------------------------------------------------------- the task


def _task(level: _Level) -> Entry:
    draft = level.draft
    moving = [name for name in level.bodies.values() if "mass" in draft.bodies[name]]
    readings = ("x", "y", "angle", "vx", "vy", "omega")
    task: Entry = {
        "observe": [f"{name}.{each}" for name in moving for each in readings],
        "act": level.act,
        **_aim(level),
        "steps": int(level.number("max_timesteps", 256.0)),
    }
    scale = level.number("dense_reward_scale", 0.1)
    green, blue = (_tagged(level, role) for role in ("green", "blue"))
    if scale and blue:
        pairs = [f"hypot({a}.x - {b}.x, {a}.y - {b}.y)" for a in green for b in blue]
        task["progress"] = f"=-{scale:g}*({' + '.join(pairs)})"
    if _repeat(level) > 1:
        task["repeat"] = _repeat(level)
    return task


def _tagged(level: _Level, role: str) -> list[str]:
    return [name for name, body in level.draft.bodies.items() if body.get("tags") == [role]]


def _aim(level: _Level) -> Entry:
    """The reward and the end: 1 where green meets blue, -1 where it meets red."""
    green, blue, red = (level.figures[role] for role in ROLES[1:])
    known = [[each for each in role if each is not None] for role in (green, blue, red)]
    won, lost = touching(known[0], known[1]), touching(known[0], known[2])
    parts = [each for each in (won, lost) if each]
    reward = _reward(won, lost)
    if None not in (*green, *blue, *red) and len(reward) <= LONGEST:
        return {"reward": reward, **({"done": f"={' or '.join(parts)}"} if parts else {})}
    level.draft.fields["state"] = {"blue": 0, "red": 0}
    level.draft.fields["events"] = [
        {"when": "collision", "tags": ["green", role], "do": [{"set": {f"state.{role}": 1}}]}
        for role in ("blue", "red")
        if level.figures[role]
    ]
    level.draft.fields["outcome"] = {
        "win": "=state.blue > 0 and state.red == 0",
        "lose": "=state.red > 0",
    }
    return {"reward": "=state.blue*(1 - state.red) - state.red"}


def _reward(won: str, lost: str) -> str:
    if won and lost:
        return f"=-1 if {lost} else 1 if {won} else 0"
    if won or lost:
        return f"={1 if won else -1} if {won or lost} else 0"
    return "=0"
