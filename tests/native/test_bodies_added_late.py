# SPDX-License-Identifier: MIT
"""Bodies that come while mechanisms are at work."""

from __future__ import annotations


def test_bodies_that_come_late_lie_under_what_a_joint_holds(bench):
    """Light balls, added between two steps without any joint of their own, below a heavy beam on a
    hinge: the same as when the hinge is set anew, which looks at all joints again."""
    hashes = []
    for again in (False, True, False):
        b = bench(gravity=(0, -9.81))
        ground = b.body(0, -1, kind=0)
        b.box(ground, 100, 2)
        beam = b.body(20, 0.5, mass=1000, inertia=1000 * 40**2 / 12)
        b.box(beam, 40, 0.2)
        hinge = b.joint("revolute", 0, beam, (0, 0.5))
        b.run(1 / 30)
        for i in range(200):
            ball = b.body(0.5 + 0.19 * i, 0.1, mass=0.01, inertia=1e-5)
            b.ball(ball, 0.08)
        if again:
            b.world.set_spring(hinge, 0, 0, 0)
        b.run(0.5)
        assert b.finite()
        hashes.append(b.world.state_hash())
    assert hashes[0] == hashes[1] == hashes[2]
