# SPDX-License-Identifier: MIT
"""Whether a passive world keeps the laws, measured from outside in double precision.

energy    kinetic energy, that of weights and that of springs together never rise above the start by
          more than a fiftieth of what was there and came down (see `_energy`)
motion    nor do kinetic energy and that of weights alone rise above all that there was
momentum  is kept where nothing outside acts, and so is
spin      angular momentum about the centre of mass; and that centre goes straight on,
centre    or falls as what nothing touches
escape    nothing is beyond a wall by more than its own size
stop      the run goes on, and all numbers are finite
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from rigid2d.core import Scene, build, loads
from rigid2d.core.record import resolve_channels

from .elastic import Motion, elastic_energy

Numbers = NDArray[np.float64]
LAWS = ("energy", "motion", "momentum", "spin", "centre", "escape", "stop")
GAIN = 0.02  # of the energy that was there and came down
LOSS = 1e-4  # of the sums of the sizes of all momenta
MOMENTS = 150  # that are looked at in a run, or a few more
STATE = ("x", "y", "angle", "vx", "vy", "omega")
FASTEST = 0.5  # h w of springs whose forces are those at the start of a substep
STOPPED = 0.5  # steps at the mean speed that fast bodies may wait at what they hit, in a run
# What floats and tolerances may do at least: a speed, and a fall (resting_depth and the slop).
LEAST_SPEED, LEAST_FALL = 1e-3, 2e-3
SLOW = 0.01  # m/s; the momentum of islands in which nothing is faster is not restored


@dataclass(frozen=True, slots=True)
class Finding:
    """By how much a law is broken.

    Attributes:
        share: of what is allowed; above 1 it is broken.
        said: the figure in words.
    """

    law: str
    share: float
    said: str

    @property
    def broken(self) -> bool:
        return not self.share <= 1


@dataclass(frozen=True, slots=True)
class Course:
    """A run: its moments, [moments], and what moves in it, [moments, bodies]."""

    scene: Scene
    times: Numbers
    mass: Numbers
    inertia: Numbers
    x: Numbers  # centres of mass
    y: Numbers
    vx: Numbers
    vy: Numbers
    omega: Numbers
    motions: dict[str, Motion]
    error: str


def judge(text: str | bytes) -> list[Finding]:
    """All laws that can be judged in a world; SceneError where it is none."""
    return judge_scene(loads(text, path="world.yaml"))


def judge_scene(scene: Scene) -> list[Finding]:
    """The same for one that is loaded."""
    course = follow(scene)
    if course.error:
        return [Finding("stop", math.inf, course.error)]
    with np.errstate(all="ignore"):
        return [*_energy(course), *_momentum(course), *_escape(course), Finding("stop", 0.0, "")]


def follow(scene: Scene) -> Course:
    """Run a world, and look at it some 150 times and at the start."""
    world = build(scene)
    moving = [name for name, body in scene.bodies.items() if body.kind == "dynamic"]
    codes = world.roster.channel_codes(
        resolve_channels(scene, [f"{name}.{each}" for name in moving for each in STATE])
    )
    steps = scene.world.steps
    every = max(1, steps // MOMENTS)
    rows = np.full((steps // every, len(codes)), np.nan)
    start = world.native.sample(codes)
    handles = [world[name] for name in moving]
    mass = np.array([handle.mass for handle in handles], float)
    inertia = np.array([handle.inertia for handle in handles], float)
    local = [_local(handle.position, handle.angle, handle.center_of_mass) for handle in handles]
    done = world.native.run(steps, every, codes, rows)
    table = np.vstack([start[None, :], rows[: done // every]]).reshape(-1, len(moving), len(STATE))
    error = world.native.error
    said = "" if error is None else f"{error[0]} after {error[2]} steps"
    if not said and not np.isfinite(table).all():
        said = "not finite"
    x, y, angle, vx, vy, omega = np.moveaxis(table, 2, 0)
    cosine, sine = np.cos(angle), np.sin(angle)
    lx, ly = np.array(local, float).reshape(-1, 2).T
    x, y = x + cosine * lx - sine * ly, y + sine * lx + cosine * ly
    times = np.arange(len(table)) * every * scene.world.dt
    motions = {"world": _still(0.0, 0.0, 0.0)}
    for name, body in scene.bodies.items():
        motions[name] = _still(*body.position, body.angle)
    for i, name in enumerate(moving):
        turning = 0.0 if scene.bodies[name].fixed_rotation else 1 / inertia[i]
        motions[name] = Motion(x[:, i], y[:, i], angle[:, i], 1 / mass[i], turning, local[i])
    return Course(scene, times, mass, inertia, x, y, vx, vy, omega, motions, said)


def _local(
    origin: tuple[float, float], angle: float, center: tuple[float, float]
) -> tuple[float, float]:
    """The centre of mass in the body's coordinates."""
    dx, dy = center[0] - origin[0], center[1] - origin[1]
    cosine, sine = math.cos(angle), math.sin(angle)
    return cosine * dx + sine * dy, cosine * dy - sine * dx


def _still(x: float, y: float, angle: float) -> Motion:
    return Motion(np.array([x]), np.array([y]), np.array([angle]), 0.0, 0.0, (0.0, 0.0))


# ---------------------------------------------------------------- the laws


def account(course: Course) -> tuple[Numbers, Numbers, Numbers]:
    """The energy of motion and weights, that of springs, and that of weights alone, [moments]."""
    gx, gy = course.scene.world.gravity
    squares = course.mass * (course.vx**2 + course.vy**2) + course.inertia * course.omega**2
    weights = -(course.mass * (gx * course.x + gy * course.y)).sum(1)
    springs = _elastic(course, course.motions)
    return squares.sum(1) / 2 + weights, springs, weights


def behind(course: Course) -> tuple[Numbers, Numbers]:
    """Minus h F v / 2 of the springs and of the weights, [moments]; see `_energy`."""
    gx, gy = course.scene.world.gravity
    h, soft = _substep(course.scene), course.scene.world.solver.kind == "soft_step"
    weights = -h / 2 * (course.mass * (gx * course.vx + gy * course.vy)).sum(1)
    if not soft:
        return np.zeros_like(weights), weights
    moment = 1e-4 * h
    before, after = (_elastic(course, _gone_on(course, t), FASTEST / h) for t in (-moment, moment))
    return h / 2 * (after - before) / (2 * moment), weights


def _substep(scene: Scene) -> float:
    """The time that a solver goes on at once."""
    solver, dt = scene.world.solver, scene.world.dt
    return dt / solver.substeps if solver.kind == "soft_step" else dt


def _elastic(course: Course, motions: Mapping[str, Motion], fastest: float = math.inf) -> Numbers:
    """What all springs hold, [moments]."""
    sum_of_all = np.zeros(len(course.times))
    for joint in course.scene.joints.values():
        sum_of_all = sum_of_all + elastic_energy(joint, motions, course.motions, fastest)
    return sum_of_all


def _gone_on(course: Course, time: float) -> dict[str, Motion]:
    """Where bodies are a time later at the velocities that they have."""
    motions = dict(course.motions)
    moving = [name for name, body in course.scene.bodies.items() if body.kind == "dynamic"]
    for i, name in enumerate(moving):
        one = motions[name]
        motions[name] = replace(
            one,
            x=one.x + time * course.vx[:, i],
            y=one.y + time * course.vy[:, i],
            angle=one.angle + time * course.omega[:, i],
        )
    return motions


def _energy(course: Course) -> Iterator[Finding]:
    """Energy in two counts, K + U and K + U + h F v / 2, in both of which it must not rise.

    A substep changes velocities by the forces F at its start, and then moves bodies by the new
    velocities: v' = v + h F / m, x' = x + h v'. So K' - K = h F (v + v') / 2, and for a spring with
    F = -k x, U' - U = -h v' (F + F') / 2. The sum of both is h (F v - F' v') / 2: kept is
    K + U + h F v / 2, while K + U swings by h F v / 2, up to h w / 2 of all energy, and comes back.
    Bodies that fly freely or bounce keep K + U. At the turning points of a spring, where F v = 0,
    both counts are the same, so that a gain that stays shows in both. Motion alone is judged by the
    same two counts less the energy of springs: K itself may exceed all energy by (h w)^2 / 4, where
    K + h F v / 2 does not.
    """
    motion, springs, weights = account(course)
    late_springs, late_weights = behind(course)
    weight = math.hypot(*course.scene.world.gravity)
    least = float(course.mass.sum()) * (LEAST_SPEED**2 + weight * LEAST_FALL)
    start, late_start = motion[0] + springs[0], late_springs[0] + late_weights[0]
    there = start - weights[0] + max(0.0, float((weights[0] - weights).max())) + least
    blur = max(0.0, _blur(course) - float(springs[0]))
    for law, now, late in (
        ("energy", motion + springs, late_springs + late_weights),
        ("motion", motion, late_springs + late_weights),
    ):
        gained = np.minimum(now - start, now - late - (start - late_start))
        when = int(np.argmax(gained))
        said = f"{gained[when]:.3g} J of {there:.3g} J gained after {course.times[when]:.4g} s"
        yield Finding(law, max(0.0, float(gained[when] / (there * GAIN + blur))), said)


def _blur(course: Course) -> float:
    """What springs hold when floats put each body half a unit in the last place off.

    Anchors that lie on each other in the file are that far apart in the engine: 1.4e-7 m in a
    weld of 583 Hz at 40 kg are 5e-6 J.
    """
    motions = dict(course.motions)
    for name, one in course.motions.items():
        off = 2.0**-24 * max(abs(one.x[0]), abs(one.y[0]), *map(abs, one.center))
        turned = 2.0**-24 * abs(one.angle[0])
        motions[name] = replace(
            one, x=one.x[:1] + off, y=one.y[:1] + off, angle=one.angle[:1] + turned
        )
    start = {
        name: replace(one, x=one.x[:1], y=one.y[:1], angle=one.angle[:1])
        for name, one in course.motions.items()
    }
    springs = 0.0
    for joint in course.scene.joints.values():
        for moved in (joint.body_a, joint.body_b):
            mixed = {**start, moved: motions[moved]}
            springs += float(elastic_energy(joint, mixed, start)[0])
    return springs


def _momentum(course: Course) -> Iterator[Finding]:
    scene = course.scene
    if not is_closed(scene):
        return
    mass, t = course.mass, course.times
    gx, gy = scene.world.gravity
    whole = mass.sum()
    px = (mass * course.vx).sum(1) - whole * gx * t
    py = (mass * course.vy).sum(1) - whole * gy * t
    size = (mass * np.hypot(course.vx, course.vy)).sum(1)
    lost = np.hypot(px - px[0], py - py[0])
    # Velocities are floats: weight is added in each substep with up to half a unit in the last
    # place, to the same side as long as a speed changes little.
    rounded = t / _substep(scene) * 2.0**-24 if math.hypot(gx, gy) else 0 * t
    yield _lost("momentum", lost, size * (1 + rounded / LOSS), whole * SLOW, t)
    x, y = ((each * mass).sum(1, keepdims=True) / whole for each in (course.x, course.y))
    yield _strayed(course, x[:, 0], y[:, 0], size / whole)
    vx, vy = ((each * mass).sum(1, keepdims=True) / whole for each in (course.vx, course.vy))
    waited = _waited(course, x[:, 0], y[:, 0], vx[:, 0], vy[:, 0])
    x, y, vx, vy = course.x - x, course.y - y, course.vx - vx, course.vy - vy
    angular = (mass * (x * vy - y * vx) + course.inertia * course.omega).sum(1)
    size = (mass * np.hypot(x, y) * np.hypot(course.vx, course.vy)).sum(1)
    size = size + (course.inertia * abs(course.omega)).sum(1)
    least = float((np.sqrt(mass * course.inertia)).sum()) * SLOW
    lost = np.minimum(abs(angular - angular[0]), abs(angular + waited - angular[0]))
    lost = np.maximum(lost - _fallen(course, vx, vy), 0)
    yield _lost("spin", lost, size, least, t)


def _waited(course: Course, x: Numbers, y: Numbers, vx: Numbers, vy: Numbers) -> Numbers:
    """M (the way that the common centre is behind) x V, [moments].

    A bullet waits for the rest of a step at what it hits, and so does a body that a blow throws at
    another one. That changes no velocity and, as sum(m r x v) about a fixed point shows, no angular
    momentum; about the centre, which is then behind, it changes by this. 0 where nothing waits.
    """
    if not _may_wait(course.scene):
        return np.zeros_like(x)
    gx, gy = course.scene.world.gravity
    t = course.times
    dx = np.diff(x - vx[0] * t - gx * t * t / 2, prepend=x[0])
    dy = np.diff(y - vy[0] * t - gy * t * t / 2, prepend=y[0])
    return course.mass.sum() * np.cumsum(dx * vy - dy * vx)


def _fallen(course: Course, vx: Numbers, vy: Numbers) -> Numbers:
    """How much spin weight may give what touches, [moments].

    What a contact or a joint holds in the air falls a h t / 2 too far (see `_strayed`), and what
    flies beside it does not. Past the common centre at a speed v, each metre is m v of spin.
    """
    gx, gy = course.scene.world.gravity
    weight, h = math.hypot(gx, gy), _substep(course.scene)
    if not weight:
        return np.zeros_like(course.times)
    dt = np.diff(course.times)[:, None]
    pulled = np.hypot(np.diff(course.vx, axis=0) - gx * dt, np.diff(course.vy, axis=0) - gy * dt)
    speed = np.hypot(course.vx, course.vy)[1:]
    touches = pulled > 1e-4 * weight * dt + 2.0**-22 * speed
    past = course.mass * abs(vx * gy - vy * gx)[1:] / weight * touches
    return np.concatenate([[0.0], np.cumsum((past * dt).sum(1) * 0.55 * weight * h)])


def _may_wait(scene: Scene) -> bool:
    """Whether there are bullets, or bodies without joints, which blows may throw at others."""
    tied = {name for joint in scene.joints.values() for name in (joint.body_a, joint.body_b)}
    return any(body.bullet or name not in tied for name, body in scene.bodies.items())


def _lost(law: str, lost: Numbers, size: Numbers, least: float, times: Numbers) -> Finding:
    """The worst loss, each beside the largest sum so far."""
    share = lost / (np.maximum.accumulate(size) + least) / LOSS
    when = int(np.argmax(share))
    said = f"off by {share[when] * LOSS:.3g} of the sum after {times[when]:.4g} s"
    return Finding(law, float(share[when]), said)


def _strayed(course: Course, x: Numbers, y: Numbers, speed: Numbers) -> Finding:
    """How far the common centre of mass is from where its velocity at the start takes it.

    What a joint or a contact holds falls a h t / 2 too far (see `World` in the reference), and
    bullets and what blows throw are stopped for the rest of a step by what they hit.
    """
    scene, mass, t = course.scene, course.mass, course.times
    whole, dt = mass.sum(), scene.world.dt
    gx, gy = scene.world.gravity
    dx = x - x[0] - (mass * course.vx[0]).sum() / whole * t - gx * t * t / 2
    dy = y - y[0] - (mass * course.vy[0]).sum() / whole * t - gy * t * t / 2
    fastest = np.maximum.accumulate(speed)
    steps = STOPPED if _may_wait(scene) else 0
    allowed = LOSS * (fastest * t + 1) + fastest * steps * dt + 0.55 * math.hypot(gx, gy) * t * dt
    share = np.hypot(dx, dy) / allowed
    when = int(np.argmax(share))
    said = f"off by {math.hypot(dx[when], dy[when]):.3g} m after {t[when]:.4g} s"
    return Finding("centre", float(share[when]), said)


def is_closed(scene: Scene) -> bool:
    """Whether nothing outside acts but weight, so that momentum is kept."""
    fixed = any(body.kind != "dynamic" or body.fixed_rotation for body in scene.bodies.values())
    held = any(
        "world" in (joint.body_a, joint.body_b) or joint.kind == "pulley"
        for joint in scene.joints.values()
    )
    return not (fixed or held or scene.actuators or scene.world.sleep)


def _escape(course: Course) -> Iterator[Finding]:
    """How far centres are beyond the inner faces of walls, in radii of the bodies."""
    scene = course.scene
    floor, ceiling, left, right = (
        _face(scene, name) for name in ("floor", "ceiling", "left", "right")
    )
    moving = [body for body in scene.bodies.values() if body.kind == "dynamic"]
    sizes = np.array([_size(body) for body in moving])
    beyond = np.full_like(course.x, -np.inf)
    if floor is not None:
        # What has gone over an end of a floor falls past it.
        over = np.maximum.accumulate(abs(course.x), 0) > _half_width(scene)
        beyond = np.where(over, -np.inf, floor - course.y)
    if ceiling is not None and left is not None and right is not None and floor is not None:
        beyond = np.max(
            [floor - course.y, course.y - ceiling, left - course.x, course.x - right], 0
        )
    if floor is None:
        return
    share = beyond / sizes
    when, who = np.unravel_index(np.argmax(share), share.shape)
    said = f"{moving[who].name} {beyond[when, who]:.3g} m deep after {course.times[when]:.4g} s"
    yield Finding("escape", float(max(share[when, who], 0.0)), said)


def _face(scene: Scene, name: str) -> float | None:
    """Where the inner face of a wall is, across it."""
    wall = scene.bodies.get(name)
    if wall is None or wall.kind != "static":
        return None
    i = 1 if name in ("floor", "ceiling") else 0
    ends = [wall.position[i] + point[i] for shape in wall.shapes for point in shape.points]
    return max(ends) if name in ("floor", "left") else min(ends)


def _half_width(scene: Scene) -> float:
    floor = scene.bodies["floor"]
    return max(abs(point[0]) for shape in floor.shapes for point in shape.points)


def _size(body: object) -> float:
    shapes = body.shapes  # type: ignore[attr-defined]
    return max(max(math.hypot(*p) for p in s.points) + s.radius for s in shapes)
