# SPDX-License-Identifier: MIT
"""Frames of a world's present moment, for pictures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..record.channels import resolve_channels
from ..record.frame import ContactPoints, Frame
from ..scene.blocks.settings.settable import TYPES
from ..scene.surroundings_model import POOLS, surface_of
from .aggregates import energy_sum
from .building.engines import as_textbook
from .building.rows import columns
from .moments import ChannelReader
from .naming.parts import WorldParts
from .naming.registry import Lineup
from .naming.settings import pool_number
from .removals import lineup as lineup_of

Float64 = NDArray[np.float64]


def take_frame(world: WorldParts, want_contacts: bool, time: float | None) -> Frame:
    """Return this moment as a frame; ``time`` is its time."""
    native, lineup = world.native, lineup_of(world)
    textbook = as_textbook(native)
    slots = lineup.slots
    joints = native.joint_state()[lineup.joint_slots]
    velocity = np.stack([native.vx[slots], native.vy[slots], native.omega[slots]], axis=1)
    row = {name: i for i, name in enumerate(lineup.scene.joints)} if world.targets else {}
    return Frame(
        time=world.time if time is None else time,
        step=world.step_count,
        pose=poses(world, lineup),
        velocity=velocity.astype(np.float64),
        center=lineup.centers,
        alive=native.alive[slots].astype(np.bool_),
        awake=native.awake[slots].astype(np.bool_) | _stilled(native, lineup),
        joint_broken=joints["broken"],
        joint_force=columns(joints, "force_x", "force_y", "torque"),
        contacts=_contact_points(world, lineup) if want_contacts else None,
        energy=(native.energy()[0], energy_sum(world, "stored_energy")),
        push_pull=push_pulls(world, lineup),
        acting=np.array(world.actuators.acting(world.step_count), dtype=np.bool_),
        targets={row[name]: target for name, target in world.targets.items()},
        corners={} if textbook is None else textbook.corners(lineup.rows),
        scene=lineup.scene,
        values=_readings(world),
        visible=dict(world.roster.visible),
        levels=pool_levels(world),
        sights=world.probes.sights(),
    )


def looks_of(world: WorldParts) -> dict[str, bool | float]:
    """Return the shown differences to the scene, by the paths of settings."""
    looks: dict[str, bool | float] = {}
    looks |= {f"{name}.visible": shown for name, shown in world.roster.visible.items()}
    levels = pool_levels(world)
    return looks | {f"{POOLS}{name}.level": level for name, level in levels.items()}


def _stilled(native: _native.World, lineup: Lineup) -> NDArray[np.bool_]:
    """[bodies] whether a body was dynamic at first and is not now, which is not sleep."""
    types = np.frombuffer(native.body_types(), np.uint8)[lineup.slots]
    stilled: NDArray[np.bool_] = lineup.dynamic & (types != TYPES.index("dynamic"))
    return stilled


def pool_levels(world: WorldParts) -> dict[str, float]:
    """Return the positions of moved surfaces of pools."""
    about = world.roster.scene.world
    if not about.pools or surface_of(about.gravity) is None:
        return {}
    now = {pool.name: pool_number(world, pool.name, "level") for pool in about.pools}
    return {
        pool.name: now[pool.name]
        for pool in about.pools
        if now[pool.name] != pool.level(about.gravity)
    }


def _readings(world: WorldParts) -> dict[str, float]:
    """The values of the state names that pictures need."""
    scene = world.roster.scene
    if not scene.readings:
        return {}
    reader = ChannelReader(world, resolve_channels(scene, scene.readings))
    return dict(zip(scene.readings, reader.read(world).tolist(), strict=True))


def poses(world: WorldParts, lineup: Lineup) -> Float64:
    """[bodies, 3] x, y and angle of every body's origin."""
    slots, native = lineup.slots, world.native
    return np.stack([native.x[slots], native.y[slots], native.angle[slots]], axis=1)


def push_pulls(world: WorldParts, lineup: Lineup) -> Float64:
    """[bodies] how hard bars are pushed together (above 0) or pulled apart; 0 for others."""
    forces = np.zeros(len(lineup.slots))
    if len(lineup.bars):
        channels = np.ascontiguousarray(lineup.bars[:, :2])
        forces[lineup.bars[:, 2]] = world.native.sample(channels)
    return forces


def _contact_points(world: WorldParts, lineup: Lineup) -> ContactPoints:
    rows = world.native.contacts()
    return ContactPoints(
        bodies=lineup.rows[columns(rows, "body_a", "body_b")],
        point=columns(rows, "x", "y"),
        normal=columns(rows, "normal_x", "normal_y"),
        normal_force=rows["normal_force"],
        tangent_force=rows["tangent_force"],
        separation=rows["separation"],
    )
