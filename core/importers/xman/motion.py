# SPDX-License-Identifier: MIT
"""Animations and keys in the levels of document 000's editor (part 7).

The values of a frame are those of the joints in their order and then of the thrusters: the length
of a distance joint, the `MotorPosition` of a hinge, slide or wheel, the stiffness of a weld, and
whether a thruster is on. `PropertyIsAnimated` marks those that an animation sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..drafts.draft import Draft, Entry
from ..drafts.places import Value
from .joints import speed_motor
from .values import ConvertedJoint, XmanBodies, kind_of

_TYPES = {"OneTime": "once", "AutoLoop": "loop", "Manually": "manual"}
_SECOND = 1000.0  # in milliseconds
_NAMED_KEYS = {
    "back": 2, "tab": 3, "enter": 6, "escape": 13, "space": 18, "pageup": 19, "pagedown": 20,
    "end": 21, "home": 22, "left": 23, "up": 24, "right": 25, "down": 26, "insert": 31,
    "delete": 32, "shift": 116, "control": 118, "alt": 120,
}  # fmt: skip
"""Windows' numbers of keys (System.Windows.Input.Key). 34 to 43 are 0 to 9, 44 to 69 A to Z."""
_FIRST_DIGIT, _FIRST_LETTER, _FIRST_PAD = 34, 44, 74
_KEYS = {
    **{number: name for name, number in _NAMED_KEYS.items()},
    **{_FIRST_DIGIT + i: f"digit_{i}" for i in range(10)},
    **{_FIRST_LETTER + i: chr(ord("a") + i) for i in range(26)},
    **{_FIRST_PAD + i: f"pad_{i}" for i in range(10)},
    117: "shift",
    119: "control",
    121: "alt",
}


# ---------------------------------------------------------------- animations


def add_animations(
    bodies: XmanBodies, given: Sequence[Value], prefix: str
) -> list[tuple[str, str]]:
    """The animations of one scene; their names and types, in the order of the file."""
    made: list[tuple[str, str]] = []
    taken: set[int] = set()
    for number, each in enumerate(given):
        value = each.get("AnimationData") or each
        kind = _type(value)
        tracks = _tracks(bodies, value, taken, kind)
        if not tracks:
            bodies.draft.lose(value, "an animation that moves nothing here is left out")
            made.append(("", kind))
            continue
        seconds = value.number("DurrationInSeconds", "DurationInSeconds", default=1.0)
        entry: Entry = {"type": kind, "duration": max(seconds * _SECOND, 1.0)}
        start = min(max(value.number("StartTime"), 0.0), 1.0)
        if start:
            entry["start"] = start
        name = f"{prefix}animation_{number}"
        entry["tracks"] = tracks
        made.append((bodies.draft.add(bodies.draft.animations, name, entry, value), kind))
    return made


def _type(value: Value) -> str:
    given = value.get("Type")
    if given is not None and isinstance(given.data, str) and given.data in _TYPES:
        return _TYPES[given.data]
    number = value.whole("Type")
    if not 0 <= number < len(_TYPES):
        raise value.need("Type").fail("out-of-range", f"must be 0, 1 or 2 ({', '.join(_TYPES)})")
    return list(_TYPES.values())[number]


def _tracks(bodies: XmanBodies, value: Value, taken: set[int], kind: str) -> Entry:
    frames = sorted(value.items("Frames"), key=lambda frame: frame.number("Time"))
    mask = [flag.data is True for flag in value.items("PropertyIsAnimated")]
    tracks: Entry = {}
    for index, animated in enumerate(mask):
        if not animated or not frames:
            continue
        if index in taken:
            message = f"the values {index} are moved by an animation before this one"
            bodies.draft.lose(value, message)
            continue
        taken.add(index)
        keys = _keys(frames, index)
        path = _path(bodies, index, value, keys)
        if path:
            tracks[path] = _closed(bodies.draft, value, keys) if kind == "loop" else keys
    return tracks


def _keys(frames: list[Value], index: int) -> list[list[Any]]:
    """`[time, value]` of one column; of frames at one time the last counts."""
    keys: dict[float, Any] = {}
    for frame in frames:
        values = frame.items("Values")
        if index >= len(values):
            raise frame.fail("missing-key", f"no value {index}; there are {len(values)}")
        held = values[index]
        value = held.data if isinstance(held.data, bool) else held.as_number()
        keys[min(max(frame.number("Time"), 0.0), 1.0)] = value
    return [[time, value] for time, value in keys.items()]


def _closed(draft: Draft, value: Value, keys: list[list[Any]]) -> list[list[Any]]:
    """Return the keys of a loop, closed by a return to its first value where it would jump."""
    first, last = keys[0][1], keys[-1][1]
    if isinstance(first, bool) or first == last:
        return keys
    draft.lose(value, "a loop that jumps at its end goes back to its begin in a hundredth of it")
    if keys[-1][0] > 0.99:
        keys[-1][0] = max(0.99, keys[-2][0] if len(keys) > 1 else 0.0)
    return [*keys, [1.0, first]]


def _path(bodies: XmanBodies, index: int, value: Value, keys: list[list[Any]]) -> str:
    """The settings of a column, with converted values; empty if there are none."""
    if index < len(bodies.joints):
        joint = bodies.joints[index]
        return "" if joint is None else _path_of_joint(bodies, joint, value, keys)
    index -= len(bodies.joints)
    if index >= len(bodies.thrusters):
        bodies.draft.lose(value, f"no joint or thruster has the values {index}")
        return ""
    for key in keys:
        key[1] = bool(key[1])
    return f"{bodies.thrusters[index]}.enabled"


def _path_of_joint(
    bodies: XmanBodies, joint: ConvertedJoint, value: Value, keys: list[list[Any]]
) -> str:
    kind, draft = kind_of(joint.value), bodies.draft
    if any(isinstance(key[1], bool) for key in keys):
        raise value.fail("wrong-type", f"the values of {joint.name} must be numbers")
    if kind == "DistanceJointExportData":
        _drive_length(joint, [key[1] for key in keys])
    elif "position" not in joint.entry.get("motor", {}):
        if len({key[1] for key in keys}) > 1:
            what = {"WeldJointExportData": "a stiffness", "WheelJointExportData": "a suspension"}
            name = what.get(kind, "a joint whose motor goes to no position")
            draft.lose(value, f"{name} that is animated stays as it is ({joint.name})", joint.name)
        return ""
    for key in keys:
        key[1] = joint.scale * key[1] + joint.offset
    return f"{joint.name}.motor.position"


def _drive_length(joint: ConvertedJoint, lengths: list[float]) -> None:
    """Give a distance joint with an animated length a motor."""
    entry = joint.entry
    motor: Entry = {"position": entry.pop("length", lengths[0])}
    if "rope" in entry:
        motor["position"] = entry["max_length"]
        entry["max_length"] = max(entry["max_length"], *lengths)
    if "spring" in entry:
        motor["spring"] = entry.pop("spring")
    entry["motor"] = motor


# ---------------------------------------------------------------- keys


def add_keys(
    draft: Draft,
    bodies: XmanBodies,
    animations: Sequence[tuple[str, str]],
    given: Sequence[Value],
    owner: str = "",
) -> None:
    """The controls of one scene; ``owner`` is its instance and a dot.

    An entry counts the hinges without limits, the thrusters, the motors, and each manual animation
    backward and forward.
    """
    hinges = [j for j in bodies.joints if j is not None and _is_free_hinge(j)]
    actuators = [*bodies.thrusters, *bodies.motors]
    moved = [name for name, kind in animations if kind == "manual"]
    moves = [f"{name}.{way}" if name else "" for name in moved for way in ("backward", "forward")]
    for entry in given:
        key = _key(entry)
        number = entry.whole("HandlerId", default=-1)
        count = len(hinges) + len(actuators) + len(moves)
        if not 0 <= number < count:
            message = f"there is no handler {number}; they are 0 to {count - 1}"
            raise (entry.get("HandlerId") or entry).fail("unknown-name", message)
        if not key:
            draft.lose(entry, "a key that has no name here")
        elif number < len(hinges):
            _spin(draft, entry, key, hinges[number], owner)
        elif held := [*actuators, *moves][number - len(hinges)]:
            holds = draft.controls.setdefault(key, {}).setdefault("hold", [])
            if f"{owner}{held}" not in holds:
                holds.append(f"{owner}{held}")
        else:
            draft.lose(entry, "the key of an animation that is left out")


def _is_free_hinge(joint: ConvertedJoint) -> bool:
    limited = joint.value.truth("LimitIsEnabled")
    return kind_of(joint.value) == "RevoluteJointExportData" and not limited


def _key(entry: Value) -> str:
    given = entry.get("Key")
    if given is not None and isinstance(given.data, str):
        name = given.data.lower()
        return name if name.isidentifier() else ""
    return _KEYS.get(entry.whole("Key", default=-1), "")


def _spin(draft: Draft, entry: Value, key: str, joint: ConvertedJoint, owner: str) -> None:
    """While the key is held a hinge turns with its `MotorSpeed`; then nothing turns it."""
    motor = joint.entry.get("motor")
    if motor is not None and "speed" not in motor:
        draft.lose(entry, f"a key that turns {joint.name}, whose motor goes to a position")
        return
    full = speed_motor(joint.value)
    if motor is None:
        joint.entry["motor"] = {**full, "max_torque": 0.0}
    path = f"{owner}{joint.name}.motor.max_torque"
    control = draft.controls.setdefault(key, {})
    control.setdefault("set", {})[path] = full.get("max_torque", float("inf"))
    control.setdefault("on_release", {})[path] = 0.0


def finish_controls(draft: Draft) -> None:
    """A key that holds actuators and does no more is their name alone, or their names."""
    for key, control in draft.controls.items():
        if set(control) == {"hold"}:
            held = control["hold"]
            draft.controls[key] = held[0] if len(held) == 1 else held
