# SPDX-License-Identifier: MIT
"""What is added to a running world and removed from it: names, traces, frames, events, states."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rigid2d.core
from rigid2d.core import _native
from rigid2d.core.errors import SceneError, UnknownNameError, UsageError
from rigid2d.core.record import Recorder, Trace, frames_of_trace
from rigid2d.core.render import Renderer, Survey
from rigid2d.core.scene.model import Scene
from rigid2d.core.world import World, build, run, simulate

SCENES = Path(__file__).parents[2] / "scenes"
LANES = _native.lanes_supported()
TEXT = """
rigid: 1
vars: {size: 0.3}
world: {duration: 1, dt: 0.01, bounds: [[-5, -3], [5, 9]]}
materials: {ice: {friction: 0}}
defaults: {body: {restitution: 0.25}}
bodies:
  floor: {type: static, shape: {box: [6, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.5}, position: [0, 1]}
actuators: {jet: {type: thruster, body: ball, force: [0, 0.1]}}
"""


@pytest.fixture
def scene() -> Scene:
    return rigid2d.core.loads(TEXT)


@pytest.fixture
def world(scene: Scene) -> World:
    return build(scene)


def ball(name: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    return {"bodies": {name: {"shape": {"circle": 0.2}, "position": [x, y]} | more}}


def live(world: World) -> None:
    """Pairs on a rod come, every second one with a jet, and old ones go."""
    step = world.step_count
    if step % 7 == 0:
        pair = ball(f"a[{step}]", step % 5 - 2, 3)
        pair["bodies"] |= ball(f"b[{step}]", step % 5 - 2, 3.6, material="ice")["bodies"]
        pair["joints"] = {f"rod[{step}]": {"type": "distance", "bodies": [*pair["bodies"]]}}
        if step % 2:
            jet = {"type": "thruster", "body": f"b[{step}]", "force": [0.5, 0]}
            pair["actuators"] = {f"jet[{step}]": jet}
        world.add(pair)
    if step % 7 == 3 and len(world) > 12:
        world.remove(next(name for name in world if name.startswith("a[")))


# ---------------------------------------------------------------- adding


def test_the_scene_says_what_is_not_said(world: World) -> None:
    added = world.add("bodies: {new: {shape: {circle: =size}, position: [1, 2], material: ice}}")
    body = added["new"].definition
    assert body.shapes[0].radius == 0.3
    assert body.shapes[0].material.friction == 0
    assert body.shapes[0].material.restitution == 0.25


def test_what_is_added_falls_as_if_it_had_been_there(scene: Scene) -> None:
    """A ball that is added before the first step has the bits of one that the scene has."""
    late, early = build(scene), build(rigid2d.core.loads(TEXT.replace("actuators", "# ")))
    late.remove("jet")
    fragment = ball("new", 2, 3)
    late.add(fragment)
    new = "  new: {shape: {circle: 0.2}, position: [2, 3]}\n"
    early = build(rigid2d.core.loads(TEXT.replace("actuators: ", f"{new}# ")))
    late.step(80)
    early.step(80)
    assert late["new"].position == early["new"].position
    assert late.state_hash() == early.state_hash()


def test_a_joint_may_hold_what_is_there_already_where_it_is_now(world: World) -> None:
    world.step(20)
    fallen = world["ball"].y
    rod = {"type": "distance", "bodies": ["ball", "new"]}
    world.add(ball("new", 0, 3) | {"joints": {"rod": rod}})
    assert world.joint("rod").length == pytest.approx(3 - fallen, abs=1e-6)
    world.step(60)
    assert world.joint("rod").length == pytest.approx(3 - fallen, abs=1e-3)


def test_an_actuator_that_is_added_acts_from_the_next_step_on(world: World) -> None:
    world.add({"actuators": {"blow": {"type": "impulse", "body": "ball", "impulse": [3, 0]}}})
    world.step()
    assert world["ball"].velocity[0] == pytest.approx(3 / world["ball"].mass, rel=1e-4)


def test_what_is_added_can_be_asked_for(world: World) -> None:
    world.add(ball("new", 2, 3))
    assert world.query.overlap_point((2, 3)) == ["new"]
    hit = world.query.ray_cast((2, 8), (2, 0))
    assert hit is not None
    assert hit.body == "new"
    world.set("new.velocity", (0, 1))
    assert world.bodies.vy[world["new"].row] == 1.0


@pytest.mark.parametrize(
    ("fragment", "says"),
    [
        ("bodies: {ball: {shape: {circle: 1}}}", "two bodies with the name `ball`"),
        ("bodies: {jet: {shape: {circle: 1}}}", "needs a new name"),
        ("bodies: {old: {shape: {circle: 1}}}", "needs a new name"),
        ("bodies:\n  new: {shape: {circel: 1}}", "here:2:17: bodies.new.shape.circel"),
        ("joints: {j: {type: weld, bodies: [bal, floor]}}", "did you mean `ball`"),
        ("joints: {j: {type: weld, bodies: [ball, old]}}", "there is no body `old`"),
        ("bodies: {n: {shape: {circle: 1}, category: far}}", "not in `collision.categories`"),
        ("world: {dt: 1}", "those of the scene hold"),
        ("[1, 2]", "not a list"),
        ("{}", "adds nothing"),
        ({"bodies": {"n": {"shape": {"circle": {1: 2}}}}}, "keys must be texts"),
        ({"bodies": {"good": {"shape": {"circle": 1}}, "bad": {}}}, "has no shape"),
    ],
)
def test_a_fragment_with_a_mistake_changes_nothing(world: World, fragment: Any, says: str) -> None:
    world.add(ball("old", 2, 3))
    world.remove("old")
    world.step(5)
    before = world.save()
    with pytest.raises(SceneError, match=says.replace("[", "\\[")):
        world.add(fragment, path="here")
    assert world.save() == before


# ---------------------------------------------------------------- removing


def test_with_a_body_go_its_joints_and_what_acts_on_nothing_else(world: World) -> None:
    fragment = ball("a", 2, 3)
    fragment["joints"] = {"rod": {"type": "distance", "bodies": ["a", "ball"]}}
    push = {"type": "force", "force": [1, 0]}
    fragment["actuators"] = {"one": push | {"body": "a"}, "two": push | {"bodies": ["a", "ball"]}}
    world.add(fragment)
    assert sorted(world.remove("a")) == ["a", "one", "rod"]
    assert [*world.scene.joints] == []
    assert [*world.scene.actuators] == ["jet", "two"]
    world.step(10)


def test_a_joint_or_an_actuator_goes_alone(world: World) -> None:
    weld = {"type": "weld", "bodies": ["world", "ball"]}
    world.add({"joints": {"glue": weld}})
    world.step(10)
    assert world["ball"].y == pytest.approx(1, abs=1e-3)
    assert world.remove("glue") == ["glue"]
    assert world.remove("jet") == ["jet"]
    world.step(20)
    assert world["ball"].y < 0.9
    with pytest.raises(UsageError, match="removed"):
        world.actuator("jet").set("force", (0, 5))
    with pytest.raises(UnknownNameError, match="any more"):
        world.joint("glue")


def test_a_handle_of_what_was_removed_says_so_whoever_has_its_place_now(world: World) -> None:
    first = world.add(ball("first", 2, 3))["first"]
    world.remove("first")
    second = world.add(ball("second", 1, 5))["second"]
    assert second.row == 2
    assert not first.alive
    for read in (lambda: first.position, lambda: first.definition, first.remove):
        with pytest.raises(UsageError, match="body 'first' was removed"):
            read()
    with pytest.raises(UsageError, match="removed"):
        first.velocity = (1, 1)
    assert second.position == (1, 5)


def test_handles_of_forks_and_of_the_dead_are_not_those_asked_for_before(world: World) -> None:
    world.add("bodies: {guest: {shape: {circle: 0.1}, position: [1, 4]}}")
    asked = world["guest"]
    assert world["guest"] is asked is world.bodies["guest"]
    fork = world.fork()
    assert fork["guest"].world is fork
    fork["guest"].position = 2, 4
    assert (asked.x, fork["guest"].x) == (1, 2)
    state = world.save()
    world.remove("guest")
    with pytest.raises(UnknownNameError):
        world["guest"]
    assert not world.handles
    world.restore(state)
    assert world["guest"].x == 1


def test_a_name_is_never_given_again(world: World) -> None:
    for number in (3, 4, 1, 2):
        world.add(ball(f"drop[{number}]", 2, 3))
        world.remove(f"drop[{number}]")
    for number in (1, 2, 3, 4):
        with pytest.raises(SceneError, match="needs a new name"):
            world.add(ball(f"drop[{number}]", 2, 3))
    world.add(ball("drop[5]", 2, 3))
    assert world.roster.used.save() == [["drop[", "]", [1, 6]]]


def test_what_leaves_the_bounds_is_gone_by_name_too(world: World) -> None:
    handle = world.add(ball("stray", 4.5, 3, velocity=[60, 0]))["stray"]
    world.step(20)
    assert "stray" not in world
    assert [(event.kind, event.a) for event in world.events.take()] == [("left_bounds", "stray")]
    with pytest.raises(UsageError, match="removed"):
        _ = handle.position


def test_births_and_deaths_are_told_when_asked_for(world: World) -> None:
    world.events.enable_contacts()
    world.events.enable_births()
    world.add(ball("new", 2, 0.2))
    world.step(3)
    world.remove("new")
    told = [(event.kind, event.a, event.b) for event in world.events.take() if event.a != "ball"]
    assert told == [
        ("body_added", "new", ""),
        ("contact_begin", "floor", "new"),
        ("contact_end", "floor", "new"),
        ("body_removed", "new", ""),
    ]


# ---------------------------------------------------------------- bits


@pytest.mark.parametrize(("threads", "lanes"), [(2, LANES[0]), (4, LANES[-1]), (1, LANES[1])])
def test_births_have_the_same_bits_for_all_threads_and_lanes(
    scene: Scene, threads: int, lanes: int
) -> None:
    states = []
    for world in (build(scene), build(scene, threads=threads, lanes=lanes)):
        for _ in range(120):
            live(world)
            world.step()
        states.append(world.save())
    assert states[0] == states[1]


def test_a_world_saved_among_births_goes_on_as_it_would_have(scene: Scene) -> None:
    world = build(scene)
    for _ in range(60):
        live(world)
        world.step()
    fork, other = world.fork(), build(scene, threads=2)
    other.restore(world.save())
    assert [*other] == [*world]
    for each in (world, fork, other):
        for _ in range(60):
            live(each)
            each.step()
    assert world.save() == fork.save() == other.save()


def test_a_state_whose_names_are_no_parts_is_refused(world: World) -> None:
    from hashlib import sha256

    world.add(ball("new", 2, 3))
    line, header, native = world.save()[:-32].split(b"\n", 2)
    broken = json.loads(header)
    broken["added"]["bodies"][0][0] = {"Body": {"nonsense": 1}}
    body = line + b"\n" + json.dumps(broken, sort_keys=True).encode() + b"\n" + native
    before = world.save()
    with pytest.raises(UsageError, match="no part of a scene"):
        world.restore(body + sha256(body).digest())
    assert world.save() == before


# ---------------------------------------------------------------- what a run leaves


def test_cells_are_nan_before_birth_and_after_death(scene: Scene) -> None:
    def act(world: World) -> None:
        if world.step_count == 10:
            world.add(ball("new", 2, 4))
        if world.step_count == 30:
            world.remove("new")

    trace = simulate(scene, before_step=act)
    there = np.isfinite(trace["new"].x)
    assert there.tolist() == [10 < step <= 30 for step in trace.steps]
    assert np.isfinite(trace["ball"].x).all()
    assert trace.born["new"][0] == 11
    assert trace.removed["new"] == 31


def test_what_left_the_bounds_within_a_block_of_steps_is_nan_from_there_on(scene: Scene) -> None:
    def act(world: World) -> None:
        if world.step_count == 5:
            world.add(ball("new", 4, 4, velocity=[20, 0]))

    trace = simulate(scene, before_step=act)
    x = trace["new"].x
    assert np.nanmax(x) <= 5
    assert np.isnan(x[trace.removed["new"] :]).all()
    assert np.isfinite(x[6 : trace.removed["new"]]).all()


def test_a_trace_with_births_is_read_back_as_it_was(scene: Scene, tmp_path: Path) -> None:
    trace = simulate(scene, before_step=live)
    trace.save(str(tmp_path / "a.npz"))
    again = Trace.load(str(tmp_path / "a.npz"))
    assert again.channels == trace.channels
    assert np.array_equal(again.values, trace.values, equal_nan=True)
    assert {n: s for n, (s, _) in again.born.items()} == {n: s for n, (s, _) in trace.born.items()}


@pytest.mark.parametrize("layout", ["wide", "long"])
def test_a_table_grows_columns(scene: Scene, tmp_path: Path, layout: str) -> None:
    path = tmp_path / "a.csv"
    recorder = Recorder(scene, csv=path, csv_layout=layout, trace=True)
    trace = simulate(scene, recorder=recorder, before_step=live)
    lines = path.read_text().splitlines()
    if layout == "long":
        assert any(line.split(",")[1] == "a[7]" for line in lines)
        return
    assert lines[0].count('"a[') == 0
    assert lines[0].split(",") == ["t", *trace.channels]
    cells = np.array([[float(cell) for cell in line.split(",")[1:]] for line in lines[1:]])
    assert np.array_equal(cells, trace.values, equal_nan=True)


def test_frames_have_who_was_there(scene: Scene) -> None:
    def act(world: World) -> None:
        if world.step_count == 20:
            world.add(ball("new", 2, 4))
        if world.step_count == 60:
            world.remove("new")

    frames = list(run(scene, fps=50, before_step=act))
    assert all(frame.scene is not None for frame in frames)
    there = ["new" in frame.scene.bodies for frame in frames if frame.scene is not None]
    assert there == [10 < i <= 30 for i in range(len(frames))]
    assert all(len(frame.pose) == 2 + new for frame, new in zip(frames, there, strict=True))


def test_a_frame_between_two_steps_has_the_newborn_on_its_way(scene: Scene) -> None:
    def act(world: World) -> None:
        if world.step_count == 20:
            world.add(ball("new", 2, 4, velocity=[0.1, 0], gravity_scale=0))

    (frame,) = run(scene, times=[0.205], before_step=act)
    assert frame.pose[2, 0] == pytest.approx(2 + 0.1 * 0.005)


def test_a_picture_shows_who_was_there_and_nobody_after(scene: Scene) -> None:
    def act(world: World) -> None:
        if world.step_count == 20:
            world.add(ball("new", 2, 0.8, color="#ff0000", gravity_scale=0))
        if world.step_count == 60:
            world.remove("new")

    renderer = Renderer(scene, size=(160, 120))
    red = []
    for frame in run(scene, fps=10, before_step=act):
        image = renderer.draw(frame).astype(int)
        red.append(bool(((image[..., 0] > 200) & (image[..., 1] < 40)).any()))
    assert red == [frame in (3, 4, 5, 6) for frame in range(10)]


def test_what_the_bounds_removed_does_not_come_back_in_replay(scene: Scene) -> None:
    def act(world: World) -> None:
        if world.step_count == 5:
            world.add(ball("new", 4, 4, velocity=[20, 0]))

    recorder = Recorder(scene, trace=True)
    frames = list(run(scene, recorder=recorder, before_step=act))
    survey = Survey(scene, frames)
    renderer = Renderer(scene, size=(160, 120), survey=survey, overlays=["names", "trails"])
    end = recorder.trace.removed["new"]
    for frame in frames_of_trace(scene, recorder.trace):
        assert frame.scene is not None
        assert ("new" in frame.scene.bodies) == (6 <= frame.step < end)
        assert np.isfinite(frame.pose).all()
        renderer.draw(frame)


def test_what_was_taken_out_for_its_state_does_not_come_back_in_replay() -> None:
    scene = rigid2d.core.loads(
        "rigid: 1\nworld: {on_error: warn, duration: 0.5, gravity: [0, 0]}\n"
        "bodies:\n  fast: {shape: {circle: 0.1}, velocity: [9e6, 0]}\n"
        "  slow: {shape: {circle: 0.1}, position: [0, 5]}"
    )

    def act(world: World) -> None:
        if world.step_count == 3:
            world["fast"].velocity = (9e7, 0)

    recorder = Recorder(scene, trace=True)
    shown = [bool(frame.alive[0]) for frame in run(scene, recorder=recorder, before_step=act)]
    assert not shown[-1]
    replay = [bool(frame.alive[0]) for frame in frames_of_trace(scene, recorder.trace)]
    assert replay == [step < recorder.trace.removed["fast"] for step in recorder.trace.steps]
    assert not replay[-1]


def test_the_many_that_come_and_go_leave_nothing_behind(scene: Scene) -> None:
    world = build(scene)

    def round_of(first: int) -> int:
        for number in range(first, first + 40):
            world.add(ball(f"drop[{number}]", number % 5 - 2, 4))
            world.step()
        for name in [name for name in world if name.startswith("drop")]:
            world.remove(name)
        return len(world.save())

    size = round_of(0)
    for first in range(40, 240, 40):
        assert round_of(first) <= size + 2000
    assert len(world.roster.bodies) == 2
    assert world.native.body_count <= 3 + 40


def test_a_loop_that_comes_and_goes_leaves_the_bead_in_another_loop_alone() -> None:
    """Where chains cross themselves is known by places in a list, which move up."""
    scene = rigid2d.core.load(SCENES / "shapes" / "loop.yaml")
    (track,) = (body for body in scene.bodies.values() if body.shapes[0].kind == "chain")
    alone, world, other = build(scene), build(scene), build(scene)
    chain = {"chain": track.shapes[0].points, "side": track.shapes[0].side}
    more = {"type": "static", "shape": chain, "position": [40, 0]}
    world.add({"bodies": {"first": more}})
    other.add({"bodies": {"second": more}})
    for step in range(scene.world.steps // 2):
        for each in (alone, world, other):
            each.step()
        if step == 60:
            world.add({"bodies": {"third": more | {"position": [80, 0]}}})
            world.remove("first")
    for name in scene.bodies:
        assert alone[name].position == world[name].position == other[name].position
    again = build(scene)
    again.restore(world.save())
    again.step(30)
    world.step(30)
    assert again.save() == world.save()
