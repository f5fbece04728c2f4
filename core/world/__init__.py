# SPDX-License-Identifier: MIT
"""rigid.core.world: a running scene."""

from __future__ import annotations

from .batches.batch import Batch
from .naming.actuator_handle import ActuatorHandle
from .naming.handles import BodyHandle, JointHandle
from .queries import Contact, RayHit
from .running import check_snapshot, frame_times, run, run_variants, simulate, take_snapshot
from .world import World, build

__all__ = [
    "ActuatorHandle",
    "Batch",
    "BodyHandle",
    "Contact",
    "JointHandle",
    "RayHit",
    "World",
    "build",
    "check_snapshot",
    "frame_times",
    "run",
    "run_variants",
    "simulate",
    "take_snapshot",
]
