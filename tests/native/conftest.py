# SPDX-License-Identifier: MIT
"""Small worlds put together body by body, as the scene loader puts together large ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from rigid2d.core import _native

GRAVITY = 9.81


def row(title: str, **values: float) -> NDArray[np.void]:
    """One row of what the engine takes; what is not given is as the engine has it."""
    fields = {name: default for name, (default, _, _) in _native.ROWS[title].items()}
    unknown = set(values) - set(fields)
    assert not unknown, f"fields the engine does not have: {sorted(unknown)}"
    rows = np.empty(1, getattr(_native, title))
    for name, value in (fields | values).items():
        rows[name] = value
    return rows


class Bench:
    """A world, and short ways to put bodies, joints and forces into it.

    ``joint`` takes its anchors, and the turn that counts as none, from a point of the world and
    from where the bodies are. Without gravity unless it is given.
    """

    def __init__(self, **options: Any) -> None:
        options = {"gravity": (0.0, 0.0), "dt": 1 / 60, "sleep": False} | options
        self.world = _native.World(**options)
        self.dt = options["dt"]

    def body(self, x: float = 0.0, y: float = 0.0, **values: float) -> int:
        """A body without shapes: a dynamic one of mass 1 and inertia 1 unless told otherwise."""
        given: dict[str, float] = {"mass": 1, "inertia": 1, "center_x": 0, "center_y": 0}
        return self.world.add_bodies(row("BODY", **given | {"x": x, "y": y} | values))

    def shape(self, body: int, kind: int, points: Sequence[Any], **values: float) -> int:
        given = {"body": body, "kind": kind, "point_count": len(points)}
        rows = row("SHAPE", **given | values)
        return self.world.add_shapes(rows, np.array(points, dtype=np.float64))

    def ball(self, body: int, radius: float, **values: float) -> int:
        return self.shape(body, 0, [(0, 0)], radius=radius, **values)

    def box(self, body: int, width: float, height: float, **values: float) -> int:
        w, h = width / 2, height / 2
        return self.shape(body, 3, [(-w, -h), (w, -h), (w, h), (-w, h)], **values)

    def joint(
        self,
        kind: str,
        a: int,
        b: int,
        at: tuple[float, float] | None = None,
        **values: float,
    ) -> int:
        """A joint of body a (0: the world) with body b, both anchors at the world's point."""
        given: dict[str, float] = {"kind": _native.JOINT_KINDS[kind], "body_a": a, "body_b": b}
        if at is not None:
            for name, index in (("a", a), ("b", b)):
                given[f"anchor_{name}x"], given[f"anchor_{name}y"] = self.local(index, at)
        given["reference_angle"] = self.world.angle[b] - self.world.angle[a]
        return self.world.add_joints(row("JOINT", **given | values))

    def force(self, kind: int, body: int, **values: float) -> int:
        return self.world.add_forces(row("FORCE", **{"kind": kind, "body": body} | values))

    def bar(self, body: int, left: float, right: float) -> None:
        """The body is a bar along its x axis, between these."""
        self.world.set_bars(row("BAR", body=body, left_x=left, right_x=right))

    def local(self, body: int, point: tuple[float, float]) -> tuple[float, float]:
        """A point of the world in body coordinates."""
        angle, dx = self.world.angle[body], point[0] - self.world.x[body]
        dy, c, s = point[1] - self.world.y[body], math.cos(angle), math.sin(angle)
        return c * dx + s * dy, c * dy - s * dx

    def point(self, body: int, local: tuple[float, float]) -> tuple[float, float]:
        """A point of a body in the world."""
        angle = self.world.angle[body]
        c, s = math.cos(angle), math.sin(angle)
        return (
            self.world.x[body] + c * local[0] - s * local[1],
            self.world.y[body] + s * local[0] + c * local[1],
        )

    def run(self, seconds: float) -> None:
        steps = round(seconds / self.dt)
        assert self.world.step(steps) == steps

    def watch(self, seconds: float, look: Callable[[], float]) -> NDArray[np.float64]:
        """Readings now and after each step."""
        seen = [look()]
        for _ in range(round(seconds / self.dt)):
            assert self.world.step() == 1
            seen.append(look())
        return np.array(seen)

    def state(self, joint: int) -> dict[str, float]:
        rows = self.world.joint_state()
        return {name: float(rows[name][joint]) for name in rows.dtype.names}

    def channel(self, name: str, index: int) -> float:
        code, _ = _native.CHANNELS[name]
        codes = np.array([[code, index]], dtype=np.int32)
        return float(self.world.sample(codes)[0])

    def finite(self) -> bool:
        w = self.world
        joints = w.joint_state()
        arrays = (w.x, w.y, w.angle, w.vx, w.vy, w.omega, *(joints[n] for n in joints.dtype.names))
        return all(bool(np.isfinite(array).all()) for array in arrays)


@pytest.fixture
def bench() -> Callable[..., Bench]:
    """Make a bench; the options are those of the engine's world."""
    return Bench


@pytest.fixture(params=["soft_step", "sequential_impulse"])
def solver(request: pytest.FixtureRequest) -> str:
    """Each solver's name in turn."""
    return str(request.param)
