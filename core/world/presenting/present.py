# SPDX-License-Identifier: MIT
"""A running world as a scene that begins at its present moment."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import SceneError
from ...scene.event_model import EventRule, Spawner
from ...scene.expansion import blocks_of, text_of
from ...scene.loading import loads
from ...scene.model import Actuator, Annotation, Body, Camera, Emitter, Joint, Scene
from ...scene.script import Animation, Drag, InputEntry, TimedSetting
from ...scene.values.expression import Expression
from ..naming.named_parts import NamedParts
from ..naming.registry import Living
from ..naming.setters import is_there
from ..removals import settle
from ..script.player import SAME_STEP
from ..script.sets import joint_now
from .as_set import as_set
from .copies_now import CopyScripts
from .pending import Detaching, pending_events
from .times import event_from_now, spawner_from_now

_ENTRY = re.compile(r"(\w+)(?:\[(\d+)\]|\.([^.\[]+(?:\[[^\]]*\])?))?")


class Present(NamedTuple):
    """A scene as a text, and the omitted parts of the original."""

    text: str
    left_out: list[str]


def present(world: NamedParts) -> Present:
    """Convert a running world to a scene that begins at its present state.

    Times count from now on. References to removed objects are left out, and so are
    expectations.
    """
    settle(world)
    left_out: list[str] = []
    scene = _scene_of(world, left_out)
    if scene.expect:
        left_out.append("expect")
    blocks = blocks_of(replace(scene, expect=()))
    folder = Path(scene.path).parent if Path(scene.path).is_file() else None
    while True:
        text = text_of(scene, blocks)
        try:
            loads(text, path=scene.path, folder=folder)
        except SceneError as error:
            gone = dict.fromkeys(_take_out(blocks, each.path) for each in error.problems)
            gone.pop("", None)
            if not gone:
                raise
            left_out += gone
            for key, block in blocks.items():
                if isinstance(block, list):
                    blocks[key] = [each for each in block if each is not None]
        else:
            if "world.time" in text:
                left_out.append("the time before: `world.time` counts from here on")
            return Present(_with_comments(text, left_out), left_out)


def _with_comments(text: str, left_out: Sequence[str]) -> str:
    """The text of a scene, which says at its top what is not in it."""
    return "".join([*(f"# Left out: {each}\n" for each in left_out), text])


def _take_out(blocks: dict[str, Any], path: str) -> str:
    """Take the entry with a problem out of the blocks; its path, empty if already removed."""
    found = _ENTRY.match(path)
    block = blocks.get(found[1]) if found else None
    if found is None or not block:
        return ""
    if found[2] is not None and isinstance(block, list):
        block[int(found[2])] = None
    elif found[3] is not None and isinstance(block, dict) and found[3] in block:
        del block[found[3]]
    else:
        del blocks[found[1]]
        return found[1]
    return found[0]


# ------------------------------------------------------------ objects


def _scene_of(world: NamedParts, left_out: list[str]) -> Scene:
    scene, roster = world.roster.scene, world.roster
    step, now = world.step_count, world.step_count * scene.world.dt
    called = Names(world)
    ends = Detaching(world, called)
    copies = CopyScripts(world, called.__getitem__, left_out)
    bodies: dict[str, Body] = {}
    for name, body in Living(roster, world.native).items():
        handle = world[name]
        moves = body.kind != "static"
        bodies[called[name]] = replace(
            as_set(world, body),
            name=called[name],
            velocity=handle.velocity if moves else (0.0, 0.0),
            angular_velocity=handle.angular_velocity if moves else 0.0,
            awake=handle.awake or body.kind != "dynamic",
            piece_of="",
        )
    joints: dict[str, Joint] = {}
    drags = () if world.script is None else world.script.player.grabs
    pulling = {grab.joint for grab in drags}  # which the inputs make again
    for name, joint in roster.joints.items():
        if name not in pulling and is_there(world, name):
            joints[called[name]] = _joint(joint_now(world, joint), called)
    actuators: dict[str, Actuator] = {}
    for name in world.actuators.definitions:
        if not world.actuators.is_gone(name):
            acts = world.actuators.get(name)
            own = tuple([called[body] for body in acts.bodies])
            acts = replace(acts, name=called[name], bodies=own)
            actuators[called[name]] = _actuator(acts, now, scene.world.dt)
    groups = {
        name: tuple([called[body] for body in its if called.get(body) in bodies])
        for name, its in scene.groups.items()
    }
    left = max(1, scene.world.steps - step)
    return replace(
        scene,
        world=replace(scene.world, steps=left, gravity=world.native.gravity(), **_pools(world)),
        bodies=bodies,
        joints=joints,
        actuators=actuators,
        groups={name: its for name, its in groups.items() if its},
        state=dict(world.state),
        events=tuple(map(ends.event, _events(world, called, copies))),
        spawners=_spawners(world, now) | {each.name: each for each in copies.spawners()},
        controls={key: ends.control(each) for key, each in copies.controls(scene.controls).items()},
        animations=_animations(world, copies),
        inputs=tuple([ends.input(each) for entry in scene.inputs for each in _later(entry, now)]),
        camera=_camera(scene.camera, now),
        annotations=tuple(_annotations(scene, now)),
        render=replace(scene.render, time=tuple(_from_now(scene.render.time, now))),
        particles={each.name: each for each in _particles(world, called)},
    )


class Names(dict[str, str]):
    """The names in the new scene, by those in the world: spawned objects get some without indices.

    Names of the scene are kept.
    """

    def __init__(self, world: NamedParts) -> None:
        roster, scene = world.roster, world.roster.scene
        own = {*scene.bodies, *scene.joints, *scene.actuators, *scene.animations}
        own |= {*scene.spawners, *scene.particles, "world"}
        super().__init__({name: name for name in own})
        self._taken = {*own, *scene.prototypes, *scene.vars}
        for name in (*roster.bodies, *roster.joints, *world.actuators.definitions):
            self[name]

    def __missing__(self, name: str) -> str:
        new = re.sub(r"[\[\].,]+", "_", name).strip("_")
        while new in self._taken:
            new += "_"
        self._taken.add(new)
        self[name] = new
        return new


def _actuator(actuator: Actuator, now: float, dt: float) -> Actuator:
    """An actuator with times from now on; one whose time is over is off."""
    start, until = actuator.start - now, actuator.until - now
    edge = SAME_STEP * dt
    if until <= edge or (actuator.kind == "impulse" and start < -edge):
        return replace(actuator, start=0.0, until=math.inf, enabled=False)
    expressions = actuator.expressions
    if expressions is not None:
        x, y = (
            Expression(each).renamed(lambda name: f"(t+{now!r})" if name == "t" else name)
            for each in expressions
        )
        expressions = x, y
    return replace(actuator, start=max(0.0, start), until=until, expressions=expressions)


def _joint(joint: Joint, called: Names) -> Joint:
    return replace(
        joint,
        name=called[joint.name],
        body_a=called[joint.body_a],
        body_b=called[joint.body_b],
        links=tuple([called[each] for each in joint.links]),
    )


def _pools(world: NamedParts) -> dict[str, Any]:
    pools = []
    for i, pool in enumerate(world.roster.scene.world.pools):
        left, bottom, right, top, density, damping, drag = world.native.pool(i)
        region = (left, bottom), (right, top)
        pools.append(replace(pool, region=region, density=density, damping=damping, drag=drag))
    return {"pools": tuple(pools)} if pools else {}


# ------------------------------------------------------------ pictures


def _camera(camera: Camera, now: float) -> Camera:
    """The camera with times from now on. A move that goes on begins before the start."""
    keys = [replace(key, at=key.at - now) for key in camera.keys]
    past = [key for key in keys if key.at <= 0.0]
    shakes = [replace(each, at=each.at - now) for each in camera.shake]
    return replace(
        camera,
        keys=tuple(keys[max(0, len(past) - 1) :]),
        shake=tuple([each for each in shakes if each.at + each.duration > 0.0]),
    )


def _annotations(scene: Scene, now: float) -> Iterator[Annotation]:
    """The annotations that are shown yet."""
    for each in scene.annotations:
        if each.until > now:
            yield replace(each, start=max(0.0, each.start - now), until=each.until - now)


def _from_now(factors: Sequence[tuple[float, float]], now: float) -> Iterator[tuple[float, float]]:
    """Factors of time that hold yet."""
    for i, (at, factor) in enumerate(factors):
        if i + 1 == len(factors) or factors[i + 1][0] > now:
            yield max(0.0, at - now), factor


# ------------------------------------------------------------ the script


def _events(world: NamedParts, called: Names, copies: CopyScripts) -> Iterator[EventRule]:
    """The events that may happen yet, by times from now on."""
    scene, step = world.roster.scene, world.step_count
    reactions = None if world.script is None else world.script.reactions
    fired = set() if reactions is None else reactions.finder.turns.fired
    for i, rule in enumerate(scene.events):
        if i in fired and rule.once == "run":
            continue
        now = event_from_now(rule, step, scene.world)
        if now is not None:
            yield now
    yield from copies.events()
    yield from pending_events(world, called, copies)


def _spawners(world: NamedParts, now: float) -> dict[str, Spawner]:
    """The spawners with remaining spawns."""
    spawners = {}
    reactions = None if world.script is None else world.script.reactions
    for name, each in world.roster.scene.spawners.items():
        done = 0 if reactions is None else reactions.spawners.spawned[name]
        left = spawner_from_now(each, done, now, world.roster.scene.world.dt)
        if left is not None:
            spawners[name] = left
    return spawners


def _animations(world: NamedParts, copies: CopyScripts) -> dict[str, Animation]:
    if world.script is None:
        return {}
    found = {}
    for name, each in (*world.roster.scene.animations.items(), *copies.animations()):
        playing = world.script.animations.playing[name]
        found[each.name] = replace(
            each,
            start=playing.passed(world.step_count, world.roster.scene.world.dt),
            enabled=playing.begun is not None or each.kind == "manual",
        )
    return found


def _particles(world: NamedParts, called: Names) -> Iterator[Emitter]:
    """The emitters that are there, but for those of one burst, which is over."""
    scene = world.roster.scene
    for name, each in {**scene.particles, **world.roster.particles}.items():
        if not (each.once and world.step_count * scene.world.dt > each.start):
            yield replace(
                each,
                name=called[name],
                places=tuple([_place(place, called) for place in each.places]),
                gate=each.gate and called[each.gate],
                start=0.0,
            )


def _place(place: str, called: Names) -> str:
    body, points, point = place.partition(".points.")
    return f"{called[body]}{points}{point}"


def _later(entry: InputEntry, now: float) -> list[InputEntry]:
    """The remaining part of an input."""
    if isinstance(entry, TimedSetting):
        return [replace(entry, at=entry.at - now)] if entry.at >= now else []
    if not entry.until > now:
        return []
    start, until = max(0.0, entry.start - now), entry.until - now
    if not isinstance(entry, Drag):
        return [replace(entry, start=start, until=until)]
    before = [each for each in entry.path if each[0] <= now][-1:]
    after = [each for each in entry.path if each[0] > now]
    path = tuple([(max(0.0, at - now), x, y) for at, x, y in (*before, *after)])
    return [replace(entry, start=start, until=until, path=path)]
