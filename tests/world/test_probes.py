# SPDX-License-Identifier: MIT
"""Probes: rays, overlaps and velocities that expressions of a run read."""

from __future__ import annotations

from math import sqrt

import pytest
from rigid2d.core import Batch, Recorder, SceneError, SimulationError, build, run
from rigid2d.core.record.channels import resolve_channels
from rigid2d.core.render import Renderer
from rigid2d.core.scene import expand, loads
from rigid2d.core.scene.model import Scene
from rigid2d.core.world.moments import ChannelReader

from tests.rows import every_row

SCENE = """
rigid: 1
world: {gravity: [0, 0], duration: 1}
collision: {categories: [default, glass]}
state: {reach: 10, seen: 0}
prototypes:
  drop: {bodies: {ball: {shape: {circle: 0.5}, tags: [drop]}}}
bodies:
  car: {shapes: [{box: [2, 2]}, {box: [1, 1], offset: [1.5, 0]}], angular_velocity: 90}
  pane: {type: static, shape: {box: [1, 4]}, position: [5, 0], category: glass, tags: [thin]}
  peg: {repeat: {i: 2}, type: static, shape: {box: [1, 1]}, position: [=7+2*i, 0], tags: [peg]}
  gate: {type: static, shape: {circle: 1, sensor: true}, position: [3, 0]}
  far: {type: static, shape: {polygon: [[0, 0], [2, 0], [2, 2]]}, position: [0, 10]}
groups: {pegs: [peg]}
probes:
  eye: {ray: [[0, 0], [=state.reach, 0]], frame: car}
  past: {ray: [[0, 0], [20, 0]], ignore: [car, tags.thin]}
  solid: {ray: [[0, 0], [20, 0]], ignore: car, categories: [default]}
  last: {ray: [[0, 0], [20, 0]], only: 'peg[1]'}
  own: {ray: [[4, 0], [0, 0]], frame: car, ignore: []}
  zone: {shape: {box: [4, 1]}, at: [7, 2], angle: 90}
  ring: {shape: {capsule: [[-1, 0], [1, 0]], radius: 0.5}, at: [1, 12], angle: =world.time}
  rim: {velocity_of: car, at: [1, 0]}
  still: {velocity_of: car, at: [0, 5], frame: world}
events:
  - {when: =eye.tags.drop > 0, do: [{set: {state.seen: =eye.distance}}]}
  - when: time
    at: 0.1
    do: [{spawn: {use: drop, at: [=3*cos(car.angle), =3*sin(car.angle)]}}]
  - {when: time, at: 0.5, do: [{delete: tags.drop}, {delete: 'peg[1]'}]}
"""


def read(scene: Scene, steps: int, *names: str) -> list[float]:
    world = build(scene)
    world.step(steps)
    return [*ChannelReader(world, resolve_channels(world.scene, names)).read(world)]


@every_row(
    ("names", "wanted"),
    [
        (("eye.hit", "eye.distance", "eye.x", "eye.y"), [1, 4.5, 4.5, 0]),
        (("eye.normal_x", "eye.normal_y", "eye.bodies.pane", "eye.bodies.peg"), [-1, 0, 1, 0]),
        (("past", "past.bodies.peg", "past.groups.pegs", "past.tags.peg"), [1, 6.5, 1, 1, 1]),
        (("solid.distance", "last.distance", "last.hit"), [6.5, 8.5, 1]),
        (("own.distance", "own.bodies.car"), [2, 1]),
        (("zone", "zone.tags.peg", "zone.groups.pegs", "zone.x", "zone.y"), [1, 1, 1, 7, 2]),
        (("ring.count", "ring.hit", "ring.bodies.far"), [1, 1, 1]),
    ],
)
def test_probes_at_the_start(names: tuple[str, ...], wanted: list[float]) -> None:
    assert read(loads(SCENE), 0, *names) == pytest.approx(wanted, abs=1e-5)


def test_the_velocity_of_a_point_is_that_about_the_centre_of_mass() -> None:
    scene = loads(SCENE)
    world = build(scene)
    x, _ = world["car"].center_of_mass
    spin = world["car"].angular_velocity
    vx, vy, speed = read(scene, 0, "rim", "still.speed")
    assert (vx, vy) == pytest.approx((0.0, spin * (1.0 - x)), abs=1e-6)
    assert speed == pytest.approx(spin * sqrt(25.0 + x * x))


def test_births_and_removals_are_seen_at_once_and_states_go_on() -> None:
    scene = loads(SCENE)
    world = build(scene)
    world.step(7)
    other = build(scene)
    other.restore(world.save())
    for each in (world, other, other.fork()):
        each.step(1)
        assert each.state["seen"] == pytest.approx(2.5, abs=5e-3)
    assert read(scene, 8, "eye.distance", "eye.hit") == pytest.approx([2.5, 1], abs=0.02)
    assert read(scene, 40, "last.hit", "last.distance", "eye.tags.drop") == [0, 20, 0]


def test_a_probe_of_a_body_that_is_gone_reads_nothing() -> None:
    text = SCENE.replace("{delete: tags.drop}", "{delete: car}")
    assert read(loads(text), 40, "eye", "eye.x", "rim", "zone") == [0, 0, 0, 0, 0, 1]


def test_hits_of_a_ray_have_the_order_of_distance_and_then_of_the_shapes() -> None:
    twins = "bodies:\n  a: {shape: {circle: 1}, position: [5, 0]}\n"
    twins += "  b: {shape: {circle: 1}, position: [5, 0]}\n"
    text = f"rigid: 1\n{twins}probes: {{eye: {{ray: [[0, 0], [9, 0]]}}}}"
    native = build(loads(text)).native
    hits = native.ray_hits((0.0, 0.0), (9.0, 0.0))
    assert [hit[0] for hit in hits] == [1, 2]
    assert hits[0][2] == hits[1][2] == pytest.approx(4 / 9)
    assert native.ray_cast((0.0, 0.0), (9.0, 0.0)) == hits[0]
    assert read(loads(text), 0, "eye.bodies.a", "eye.bodies.b") == [1, 0]


def test_a_record_an_expanded_scene_and_a_batch_read_the_same() -> None:
    scene = loads(SCENE + "record: {channels: [eye, zone, eye.tags.drop, state]}")
    again = loads(expand(scene))
    assert again.probes == scene.probes
    rows = []
    for each in (scene, again):
        recorder = Recorder(each, trace=True)
        assert [*run(each, recorder=recorder, times=())] == []
        rows.append(recorder.trace.values)
    assert (rows[0] == rows[1]).all()
    batch = Batch(scene, 2)
    batch.step(30)
    names = ["eye.hit", "eye.distance", "zone.count", "eye.tags.drop"]
    assert (batch.read(names) == rows[0][30, :4]).all()


def test_an_overlay_draws_what_they_find() -> None:
    scene = loads(SCENE + "camera: {mode: region, rect: [[-3, -6], [12, 14]]}")
    frame = build(scene).frame()
    assert [each.bodies for each in frame.sights[:2]] == [("pane",), ("peg[0]",)]
    plain, drawn = (
        Renderer(scene, overlays=names).draw(frame).astype(int) for names in ((), ("probes",))
    )
    red = (drawn - plain)[..., 1] < -60
    assert 50 < red.sum() < 5000
    assert not red[:30].any()  # nothing is above what they look at


@every_row(
    ("probe", "message"),
    [
        ("{ray: [[1, 1], [1, 1]]}", "no length"),
        ("{ray: [[0, 0], [1, 1]], shape: {circle: 1}}", "two questions"),
        ("{at: [0, 0]}", "one of `ray`, `shape` and `velocity_of`"),
        ("{ray: [[0, 0], [1, 1]], frame: cra}", "did you mean `car`"),
        ("{ray: [[0, 0], [1, 1]], at: [0, 0]}", "`at` goes with `shape` and `velocity_of`"),
        ("{ray: [[0, 0], [1, 1]], ignore: tags.thick}", "did you mean `thin`"),
        ("{ray: [[0, 0], [1, 1]], only: pge}", "there is no body `pge`"),
        ("{ray: [[0, 0], [1, 1]], categories: [glas]}", "did you mean `glass`"),
        ("{ray: [[0, 0], [=eye.x, 1]]}", "cannot depend on probes"),
        ("{ray: [[0, 0], ['=uniform(0, 1)', 1]]}", "no random numbers"),
        ("{ray: [[0, 0], [=cart.x, 1]]}", "there is no body or joint `cart`; did you mean `car`"),
        ("{shape: {half_space: {}}}", "has no end"),
        ("{shape: {circle: 1, friction: 1}}", "it has no `friction`"),
        ("{ray: [[0, 0], [1, 1]], on: car}", "`frame`"),
    ],
)
def test_mistakes_in_probes(probe: str, message: str) -> None:
    with pytest.raises(SceneError) as caught:
        loads(SCENE.replace("probes:\n", f"probes:\n  bad: {probe}\n"))
    assert message in str(caught.value)
    assert "probes.bad" in str(caught.value)


@every_row(
    ("name", "message"),
    [
        ("eye.distanc", "did you mean `eye.distance`"),
        ("eye.count", "`eye` has no `count`"),
        ("eye.normal.x", "normal_x"),
        ("rim.hit", "`rim` has no `hit`"),
        ("eye.bodies", "needs a name"),
        ("eye.tags.thinn", "did you mean `thin`"),
        ("eys.hit", "did you mean `eye`"),
    ],
)
def test_mistakes_in_names_of_probes(name: str, message: str) -> None:
    with pytest.raises(SceneError) as caught:
        loads(f"{SCENE}expect: [{{always: ={name} > 0}}]")
    assert message in str(caught.value)


def test_names_of_probes_are_their_own() -> None:
    with pytest.raises(SceneError, match="there is a body `car` too"):
        loads(SCENE.replace("  past:", "  car:"))
    with pytest.raises(SceneError, match="camera"):
        loads(SCENE.replace("  past:", "  camera:"))


def test_a_point_without_a_value_stops_the_run_with_its_place() -> None:
    world = build(loads(SCENE.replace("=state.reach", "=1 / (world.time - 0.05)")))
    with pytest.raises(SimulationError, match=r"probes\.eye\.ray\[1\]\[0\]: .*\(step 3"):
        world.step(5)


@every_row("solver", ["soft_step", "sequential_impulse", "pgs_jrow"])
def test_each_solver_has_probes(solver: str) -> None:
    scene = loads(
        f"rigid: 1\nworld: {{solver: {{type: {solver}}}, duration: 0.2}}\n"
        "bodies: {ball: {shape: {circle: 0.5}, position: [0, 3]}, "
        "floor: {type: static, shape: {box: [9, 1]}}}\n"
        "probes: {down: {ray: [[0, 0], [0, -9]], frame: ball}, rim: {velocity_of: ball}}"
    )
    distance, vy = read(scene, 12, "down.distance", "rim.vy")
    assert distance == pytest.approx(2.5 - 9.81 * 0.02, abs=0.03)
    assert vy == pytest.approx(-1.962, abs=1e-3)
