# SPDX-License-Identifier: MIT
"""The ``animations`` block: set-points over time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from ...building.block import BlockSpec, BuildContext
from ...building.generators import name_problem
from ...building.scope import Scope
from ...model import Scene
from ...script import Animation, Track
from ...script import Value as Settable
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Context, Wrong
from ...values.fields import Duration, Fraction, Input, TruthField, Value, about
from ...values.kinds import Custom, OneOf, nearest, show
from ...values.quantity import Quantity
from .coordinates import split_axis
from .settable import MOVES, Setting, checked_value, known_setting, scene_so_far

EASINGS = ("linear", "smooth", "hold")
LOOPS = ("repeat", "ping_pong")
CURVES = ("straight", "cubic")
_LOOP_WORDS = {
    **dict.fromkeys(("true", "restart", "again"), "repeat"),
    **dict.fromkeys(("pingpong", "bounce", "mirror", "alternate", "yoyo", "reverse"), "ping_pong"),
}
_CURVE_WORDS = {
    **dict.fromkeys(("linear", "line", "lines", "none"), "straight"),
    **dict.fromkeys(("spline", "smooth", "hermite", "catmull_rom", "bezier", "curved"), "cubic"),
}
"""Names of loops and curves in other programs, and the names here."""
_TIME = Quantity(low=0.0, high=1.0)
_FORM = "a list of [time, value], such as `[[0, 0], [1, 45]]`"
_TRACK_KEYS = ("keys", "easing", "curve")


def _as_written(value: Any, context: Context) -> Any:
    return value


_KEYS_SCHEMA = {
    "type": "array",
    "minItems": 1,
    "items": {"type": "array", "items": {}, "minItems": 2, "maxItems": 2},
}
_TRACK_SCHEMA = {
    "anyOf": [
        _KEYS_SCHEMA,
        {
            "type": "object",
            "properties": {
                "keys": _KEYS_SCHEMA,
                "easing": {"type": "string", "enum": list(EASINGS)},
                "curve": {"type": "string", "enum": list(CURVES)},
            },
            "required": ["keys"],
            "additionalProperties": False,
        },
    ]
}


class AnimationInput(Input):
    form: ClassVar[str] = (
        "`{type: loop, duration: 2, tracks: {arm.motor.position: [[0, 0], [0.5, 45], [1, 0]]}}`"
    )
    hints: ClassVar[dict[str, str]] = {
        "keys": "they stand in `tracks: {...}`, by what they set",
        "time": "how long it takes is `duration`",
        "speed": "how long it takes is `duration`",
        "repeat": "it is `type: loop`",
    }
    needed: ClassVar[tuple[str, ...]] = ("type", "tracks")
    type: Annotated[str | None, OneOf(("once", "loop", "manual"))] = about(
        "`once` plays by time and stays at its end, `loop` repeats, `manual` moves while a key of "
        "`controls` is held."
    )
    duration: Duration = about("How long it takes from 0 to 1; or give `steps`.")
    steps: Annotated[Value, Quantity(low=1, whole=True)] = about(
        "How many steps of the run it takes from 0 to 1."
    )
    start: Annotated[Value, Quantity(low=0.0, high=2.0)] = about(
        "Where it begins, 0 to 1 (0); of ping_pong up to 2, above 1 on the way back."
    )
    return_to: Fraction = about("Where it goes when no key moves it (it stays).", of=("manual",))
    enabled: TruthField = about("Whether it plays from the beginning (true).", of=("once", "loop"))
    loop: Annotated[str | None, OneOf(LOOPS, _LOOP_WORDS)] = about(
        "How a loop continues at its end: `repeat` (the default) from its beginning, `ping_pong` "
        "backwards.",
        of=("loop",),
    )
    easing: Annotated[str | None, OneOf(EASINGS)] = about(
        "How numbers go from key to key: `linear` (the default), `smooth` or `hold`."
    )
    curve: Annotated[str | None, OneOf(CURVES, _CURVE_WORDS)] = about(
        "Which line goes through the keys: `straight` (the default) from one to the next, or "
        "`cubic`, which has no corner."
    )
    tracks: dict[str, Annotated[Any, Custom(_as_written, _TRACK_SCHEMA)]] | None = about(
        "Its values, by paths such as `knee.motor.position`: lists of [time, value], times from "
        "0 to 1; or `{keys: [...], easing: smooth}`."
    )


class AnimationBuilder:
    """Builds the animations of a scene and its instances; no value is set by two of them."""

    def __init__(self, scene: Scene, placed: Mapping[str, Animation]) -> None:
        self.scene = scene
        self.made: dict[str, Animation] = dict(placed)
        self._setters = {  # the animation that sets a path
            track.path: name
            for name, each in placed.items()
            for track in (() if each is BROKEN else each.tracks)
        }

    def add(self, name: str, given: AnimationInput, scope: Scope) -> None:
        """One entry of the block; its problems are reported."""
        problem = name_problem(name, "animation")
        if name in self.made:
            problem = f"an instance has an animation `{name}`; choose another name"
        if problem:
            scope.report.add_invalid_name(scope.path, problem)
        self.made[name] = BROKEN
        if given is not BROKEN:
            self.made[name] = scope.attempt(self._build, BROKEN, name, given, scope)

    def _build(self, name: str, given: AnimationInput, scope: Scope) -> Animation:
        scope.attempt(scope.need, None, given)
        kind = given.type
        values = {
            field: scope.known(getattr(given, field), field)
            for field in ("duration", "start", "return_to", "enabled")
        }
        values["duration"] = scope.attempt(self._duration, BROKEN, given, values, scope)
        if is_read(kind):
            self._check_kind(kind, given, scope)
        if kind == "loop" and given.loop == "ping_pong":
            kind = "ping_pong"
        easing = _pace({"easing": given.easing, "curve": given.curve}, "linear", scope)
        tracks: list[Track] = []
        for path, written in ({} if not is_read(given.tracks) else given.tracks or {}).items():
            track = scope.attempt(self._track, None, name, path, written, kind, easing, scope)
            if track is not None:
                tracks.append(track)
        if is_read(given.tracks) and given.tracks is not None and not given.tracks:
            scope.fail("missing-key", "it sets nothing; give it at least one track", "tracks")
        start = values["start"]
        if kind != "ping_pong" and is_read(start) and start is not None and start > 1.0:
            message = "must be at most 1; above is the way back of `loop: ping_pong`"
            scope.fail("out-of-range", message, "start")
        scope.stop_if_failed()
        return Animation(
            name=name,
            kind=kind,  # type: ignore[arg-type]
            duration=values["duration"],
            tracks=tuple(tracks),
            start=values["start"] or 0.0,
            return_to=values["return_to"],
            enabled=True if values["enabled"] is None else values["enabled"],
        )

    def _duration(self, given: AnimationInput, values: Mapping[str, Any], scope: Scope) -> float:
        """The duration, which may be given in steps."""
        duration, steps = values["duration"], scope.known(given.steps, "steps")
        if given.steps is None and given.duration is None:
            if scope.report.may_mean(scope.path, object):
                raise Stop
            message = "`duration` is missing: how long it takes; or give its `steps`"
            raise scope.fail("missing-key", message)
        if given.steps is not None and given.duration is not None:
            message = "`duration` and `steps` are both given; keep one"
            raise scope.fail("conflicting-keys", message, "steps")
        if self.scene.world is BROKEN:
            raise Stop
        long: float = duration if steps is None or steps is BROKEN else steps * self.scene.world.dt
        return long

    def _check_kind(self, kind: Any, given: AnimationInput, scope: Scope) -> None:
        for field, kinds in (
            ("return_to", ("manual",)),
            ("enabled", ("once", "loop")),
            ("loop", ("loop",)),
        ):
            if kind is not None and kind not in kinds and is_read(getattr(given, field)):
                only = " and ".join(kinds)
                scope.fail(
                    "conflicting-keys",
                    f"`{field}` belongs to the type {only}, not to {kind}",
                    field,
                )

    # ------------------------------------------------------------ tracks

    def _track(
        self, name: str, path: str, written: Any, kind: Any, easing: Any, scope: Scope
    ) -> Track:
        at: tuple[int | str, ...] = ("tracks", path)
        setting = known_setting(path, self.scene, scope, *at)
        if setting is not None and split_axis(setting.name)[1] is not None:
            message = f"a track sets both coordinates: `{path[:-2]}: [[0, [x, y]], ...]`"
            scope.report.add_key((*scope.path, *at), "unsupported", message)
            scope.failed = True
            setting = None
        if setting is not None:
            self._check_owner(name, path, setting, scope)
        keys = written
        if isinstance(written, Mapping):
            easing = self._own_pace(written, easing, scope, *at)
            keys, at = written.get("keys"), (*at, "keys")
            if keys is None:
                raise scope.fail("missing-key", f"`keys` is missing: {_FORM}", "tracks", path)
        if not isinstance(keys, list):
            raise scope.fail("wrong-type", f"must be {_FORM}, not {show(keys)}", *at)
        if not keys:
            raise scope.fail("missing-key", "has no key; give it at least one", *at)
        times: list[float] = []
        values: list[Settable] = []
        for i, key in enumerate(keys):
            scope.attempt(self._key, None, i, key, setting, times, values, scope, *at)
        scope.stop_if_failed()
        if kind == "loop" and easing != "hold" and _moves(values[0]) and values[0] != values[-1]:
            raise scope.fail(
                "out-of-range",
                f"a loop ends with the value it begins with, or it would jerk: "
                f"{_show(_said(keys[-1], values[-1]))} is not {_show(_said(keys[0], values[0]))}; "
                "end it with the first value, or have it go back by `loop: ping_pong`",
                *at,
                len(keys) - 1,
                1,
            )
        return Track(path, tuple(times), tuple(values), easing)

    def _own_pace(
        self, written: Mapping[str, Any], easing: Any, scope: Scope, *at: int | str
    ) -> Any:
        for key in written:
            if key not in _TRACK_KEYS:
                scope.failed = True
                scope.report.add_key(
                    (*scope.path, *at, key),
                    "unknown-key",
                    f"unknown key {show(key)}; {nearest(key, _TRACK_KEYS)}",
                )
        own: dict[str, Any] = {}
        for key, words in (("easing", EASINGS), ("curve", CURVES)):
            if written.get(key) is None:
                continue
            try:
                own[key] = OneOf(words).check(written[key], scope.context)
            except Wrong as wrong:
                scope.failed = True
                scope.report.add_wrong((*scope.path, *at, key), wrong)
        return _pace(own, easing, scope, *at)

    def _check_owner(self, name: str, path: str, setting: Setting, scope: Scope) -> None:
        """Check that a track may set this value, and that no other track does."""
        other = self._setters.setdefault(path, name)
        if other != name:
            scope.fail(
                "conflicting-keys",
                f"`{path}` is set by the animation `{other}` too; one of them can set it",
                "tracks",
                path,
            )
        if setting.section != "bodies" or setting.name not in MOVES:
            return
        body = self.scene.bodies[setting.owner]
        if is_read(body.kind) and body.kind != "kinematic":
            scope.fail(
                "impossible-motion",
                f"only a kinematic body is moved by a track; `{setting.owner}` is {body.kind}",
                "tracks",
                path,
            )

    def _key(
        self,
        i: int,
        key: Any,
        setting: Setting | None,
        times: list[float],
        values: list[Settable],
        scope: Scope,
        *at: int | str,
    ) -> None:
        if not isinstance(key, list) or len(key) != 2:
            raise scope.fail("wrong-type", f"must be [time, value], not {show(key)}", *at, i)
        try:
            time = scope.known(_TIME.check(key[0], scope.context), *at, i, 0)
        except Wrong as wrong:
            scope.report.add_wrong((*scope.path, *at, i, 0), wrong)
            time = BROKEN
            scope.failed = True
        value = BROKEN if setting is None else checked_value(setting, key[1], scope, *at, i, 1)
        if time is BROKEN or value is BROKEN:
            raise Stop
        if isinstance(value, float) and not math.isfinite(value):
            raise scope.fail("out-of-range", "must be a finite number", *at, i, 1)
        if times and time <= times[-1]:
            raise scope.fail(
                "out-of-range", f"times ascend: {time:g} comes after {times[-1]:g}", *at, i, 0
            )
        times.append(time)
        values.append(value)


def _pace(said: Mapping[str, Any], other: Any, scope: Scope, *at: int | str) -> Any:
    """The interpolation of a track between keys, by its file, or else that of ``other``."""
    easing, curve = said.get("easing"), said.get("curve")
    if curve == "cubic" and easing in ("smooth", "hold"):
        scope.fail(
            "conflicting-keys",
            f"a cubic curve has its own way between keys; it is not `easing: {easing}` too",
            *at,
            "curve",
        )
    if curve == "cubic":
        return "cubic"
    if curve == "straight" and easing is None:
        return "linear" if other == "cubic" else other
    return other if easing is None else easing


def _moves(value: Settable) -> bool:
    """Return whether its values are interpolated."""
    return isinstance(value, tuple) or (isinstance(value, float) and not isinstance(value, bool))


def _said(key: Any, value: Settable) -> Settable:
    """The written value of a key, if it is a number: its angle in degrees."""
    return float(key[1]) if type(key[1]) in (int, float) else value


def _show(value: Settable) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(f"{each:g}" for each in value) + "]"
    return f"{value:g}" if isinstance(value, float) else show(value)


def _written(animation: Animation) -> dict[str, Any]:
    """An animation as a scene file has it."""
    is_mirrored = animation.kind == "ping_pong"
    values: dict[str, Any] = {
        "type": "loop" if is_mirrored else animation.kind,
        "duration": animation.duration,
    }
    if is_mirrored:
        values["loop"] = "ping_pong"
    if animation.start:
        values["start"] = animation.start
    if animation.return_to is not None:
        values["return_to"] = animation.return_to
    if not animation.enabled:
        values["enabled"] = False
    values["tracks"] = {track.path: _written_track(track) for track in animation.tracks}
    return values


def _written_track(track: Track) -> Any:
    keys = list(zip(track.times, track.values, strict=True))
    if track.easing == "cubic":
        return {"keys": keys, "curve": "cubic"}
    return keys if track.easing == "linear" else {"keys": keys, "easing": track.easing}


def _build(
    given: Mapping[str, AnimationInput] | None, build_context: BuildContext
) -> dict[str, Animation]:
    placed = build_context.placed["animations"]
    if not given:
        return placed
    animations = AnimationBuilder(scene_so_far(build_context), placed)
    for name, animation in given.items():
        animations.add(name, animation, build_context.scope("animations", name))
    return animations.made


def _pieces(scene: Scene) -> Iterator[bytes]:
    return (repr(animation).encode() for animation in scene.animations.values())


ANIMATIONS = BlockSpec(
    dict[str, AnimationInput] | None,
    _build,
    write=lambda scene: {name: _written(each) for name, each in scene.animations.items()},
    hash_pieces=_pieces,
)
