import math, pytest
from tests.native.conftest import *
def test_it(bench):
    b = bench(solver="sequential_impulse", dt=1/240)
    most, arm, joints = 1000.0, 0, []
    for i in range(8):
        body = b.body(i + 0.5, 0, mass=1, inertia=1 / 12)
        joints.append(b.joint("revolute", arm, body, (i, 0), has_limits=1, lower=-1, upper=0,
                              motor_kind=2, motor_max=most, motor_spring_kind=2,
                              motor_spring_1=1e7))
        arm = body
    for i in range(8):
        x = sum(math.cos(0.01 * (k + 1)) for k in range(i)) + 0.5 * math.cos(0.01 * (i + 1))
        y = sum(math.sin(0.01 * (k + 1)) for k in range(i)) + 0.5 * math.sin(0.01 * (i + 1))
        b.world.set_pose(i + 1, x, y, 0.01 * (i + 1))
    kinetic = b.watch(1, lambda: b.world.energy()[0])
    print("MAX", kinetic[:10], kinetic.max())
