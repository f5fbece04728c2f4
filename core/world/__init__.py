# SPDX-License-Identifier: MIT
"""rigid2d.core.world: a running scene."""

from __future__ import annotations

from .batches.batch import Batch
from .bodies import Bodies
from .event_queue import EventQueue
from .keys import Keys
from .naming.actuator_handle import ActuatorHandle
from .naming.handles import BodyHandle, JointHandle
from .queries import Contact, Query, RayHit
from .running import check_snapshot, frame_times, run, run_variants, simulate, take_snapshot
from .world import World, build

__all__ = [
    "ActuatorHandle",
    "Batch",
    "Bodies",
    "BodyHandle",
    "Contact",
    "EventQueue",
    "JointHandle",
    "Keys",
    "Query",
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
