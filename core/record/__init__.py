# SPDX-License-Identifier: MIT
"""rigid2d.core.record: outputs of a run: traces, tables, snapshots, expectations."""

from __future__ import annotations

from .atomic import atomic_file
from .channels import Channel, resolve_channels
from .csv import CsvWriter, write_csv
from .differences import Difference, InputChange, compare_snapshots
from .expect import Checker, Result
from .frame import ContactPoints, Frame
from .recorder import Event, Recorder
from .snapshot import (
    Checkpoint,
    Snapshot,
    read_snapshot,
    write_snapshot,
)
from .trace import Trace, frames_of_trace, read_npz, write_npz

__all__ = [
    "Channel",
    "Checker",
    "Checkpoint",
    "ContactPoints",
    "CsvWriter",
    "Difference",
    "Event",
    "Frame",
    "InputChange",
    "Recorder",
    "Result",
    "Snapshot",
    "Trace",
    "atomic_file",
    "compare_snapshots",
    "frames_of_trace",
    "read_npz",
    "read_snapshot",
    "resolve_channels",
    "write_csv",
    "write_npz",
    "write_snapshot",
]
