# SPDX-License-Identifier: MIT
"""Peaks: the highest force and torque of each joint over a run, for choosing ``break`` values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..arguments import checked, one_of, optional, texts, whole
from ..errors import UsageError, unknown_name
from ..scene.blocks.joints.bars import find_bar
from ..scene.limits import STEPS
from ..scene.model import Record, Scene
from ..scene.values.names import wholes
from .recorder import Recorder

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Peak:
    """The highest magnitude of something, and the step after which it was read; 0: the start."""

    value: float
    step: int


@dataclass(frozen=True, slots=True)
class JointPeaks:
    """The highest loads of a joint.

    ``push_pull`` is that of the bars among its two bodies, None when neither is one. ``broke`` is
    the step in which the joint broke or was removed, None when it held.
    """

    joint: str
    force: Peak
    torque: Peak
    push_pull: Peak | None
    broke: int | None


class PeakRecorder(Recorder):
    """A recorder that keeps the peaks of joints, and nothing of the steps between.

    Args:
        scene: the scene that runs.
        joints: names of joints, or of generators of joints; none for all.
        steps: how many steps the run has; the scene's own number by default.

    Raises UsageError for a name that the scene does not have, and for a scene without joints.
    """

    @checked(scene=one_of(Scene), joints=texts, steps=optional(whole(0, STEPS)))
    def __init__(
        self, scene: Scene, joints: Sequence[str] = (), *, steps: int | None = None
    ) -> None:
        self.joints = _named(scene, joints)
        bars = {name for name, body in scene.bodies.items() if find_bar(body) is not None}
        self._bars = {
            name: [body for body in _ends(scene, name) if body in bars] for name in self.joints
        }
        channels = [f"{name}.{what}" for name in self.joints for what in ("force", "torque")]
        channels += [f"{body}.push_pull" for held in self._bars.values() for body in held]
        record = Record(channels=tuple(dict.fromkeys(channels)))
        super().__init__(replace(scene, record=record), steps=steps, trace=True, check=False)
        count = len(self.channel_names)
        self._highest = np.zeros(count)
        self._when = np.zeros(count, np.int64)

    def add(self, steps: Int64, times: Float64, values: Float64) -> None:
        """Take a block: ``steps``, ``times`` [rows] and ``values`` [rows, channels]."""
        if not len(steps):
            return
        sizes = np.abs(values)
        rows = sizes.argmax(axis=0)
        highest = sizes[rows, np.arange(sizes.shape[1])]
        higher = highest > self._highest
        self._highest = np.where(higher, highest, self._highest)
        self._when = np.where(higher, steps[rows], self._when)

    @property
    def peaks(self) -> list[JointPeaks]:
        """The peaks of the run so far, in the order of the given names or of the scene."""
        column = {name: i for i, name in enumerate(self.channel_names)}
        broke = {event.a: event.step for event in self.events if event.kind == "joint_broken"}

        def peak(channel: str) -> Peak:
            i = column[channel]
            return Peak(float(self._highest[i]), int(self._when[i]))

        found = []
        for name in self.joints:
            bars = [peak(f"{body}.push_pull") for body in self._bars[name]]
            found.append(
                JointPeaks(
                    joint=name,
                    force=peak(f"{name}.force"),
                    torque=peak(f"{name}.torque"),
                    push_pull=max(bars, key=lambda each: each.value) if bars else None,
                    broke=broke.get(name),
                )
            )
        return found


@checked(scene=one_of(Scene))
def unbreakable(scene: Scene) -> Scene:
    """The scene with joints that never break."""
    never = float("inf")
    joints = {
        name: replace(
            joint,
            break_force=never,
            break_torque=never,
            break_push_pull=never,
            break_push=never,
            break_pull=never,
        )
        for name, joint in scene.joints.items()
    }
    return replace(scene, joints=joints)


def _ends(scene: Scene, joint: str) -> tuple[str, str]:
    return scene.joints[joint].body_a, scene.joints[joint].body_b


def _named(scene: Scene, names: Sequence[str]) -> list[str]:
    """Return the joints of the names, each once; the name of a generator selects all its joints."""
    if not scene.joints:
        raise UsageError(f"{scene.path}: the scene has no joints")
    if not names:
        return list(scene.joints)
    made = wholes(scene.joints)
    found: dict[str, None] = {}
    for name in names:
        group = [name] if name in scene.joints else made.get(name)
        if group is None:
            raise unknown_name("joint", name, dict.fromkeys([*scene.joints, *made]))
        found.update(dict.fromkeys(group))
    return list(found)
