# SPDX-License-Identifier: MIT
"""Every scene of the repository loads, says what it shows, keeps its word and can be drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from rigid2d.core import World, load
from rigid2d.core.record import Frame, Recorder
from rigid2d.core.render import Renderer
from rigid2d.core.world import build, run, simulate
from rigid2d.core.world.driver import Driver
from rigid2d.core.world.overlaps import overlap_warnings

from tests.rows import every_row
from tests.scenes import IS_SOURCE_DISTRIBUTION, NAMES, ROOT, SCENES, loaded
from tests.search import tries

# What is done to each scene's physics to see that its expectations notice: Mars instead of
# the Earth, or, where there is no gravity to change, other surfaces or another speed.
ELSEWHERE = {
    "basics/air_drag.yaml": "world.air.drag=0.7",
    "basics/force_fields.yaml": "vars.k=5",
    "basics/orbits.yaml": "world.attraction.strength=0.9",
    "living/geyser.yaml": "spawners.balloons.alive=9",
    "collisions/billiards.yaml": "materials.ivory.density=0.02",
    "collisions/cube_against_wall.yaml": "materials.rubber.restitution=0.5",
    "collisions/thin_walls.yaml": "materials.lead.restitution=0.5",
    "games/asteroids.yaml": "bodies.ship.mass=0.5",
    "games/car_drifter.yaml": "vars.grip=900",
    "joints/breaking_bridge.yaml": "world.gravity=[0, 0]",
    "joints/dials.yaml": "actuators.hand.torque=4",
    "machines/ferry.yaml": "vars.reach=3",
    "machines/harbour.yaml": "world.pools.basin.density=3",
    "machines/gear_train.yaml": "joints.drive.motor.speed=50",
    "living/lock.yaml": "world.pools.canal.density=1",
    "machines/mixer.yaml": "world.gravity=[0, 0]",
    "machines/jansen_walker.yaml": "joints.axle.motor.speed=-100",
    "machines/reaching_arm.yaml": "vars.period=4",
    "machines/radial_engine.yaml": "vars.speed=170",
    "machines/sensor_gate.yaml": "materials.glass.rolling_resistance=0.05",
    "shapes/gears.yaml": "joints.motor.motor.speed=30",
    "solvers/ball_row.yaml": "materials.ivory.restitution=0.5",
    "solvers/clamp.yaml": "world.solver.clamp=each",
    "solvers/cube_against_wall.yaml": "materials.rubber.restitution=0.5",
    "solvers/cube_row.yaml": "materials.ivory.restitution=0.5",
    "solvers/deepest_corner.yaml": "world.solver.contacts=document_deepest",
    "solvers/explicit_euler.yaml": "world.solver.integrator=explicit_euler",
    "solvers/external_force.yaml": "world.solver.external_force=before",
    "solvers/four_piles.yaml": "world.gravity=[0.001, 0]",
    "solvers/friction_limits.yaml": "world.solver.friction_limit=gravity",
    "solvers/heavy_and_light.yaml": "materials.ivory.restitution=0.5",
    "solvers/newtons_cradle.yaml": "world.solver.grouping=global",
    "solvers/positions_alone.yaml": "world.solver.impulses=false",
    "solvers/shaken_slider.yaml": "world.solver.blocks=false",
    "solvers/spring_energy.yaml": "world.solver.springs=soft_each",
    "solvers/spring_integrators.yaml": "world.solver.springs=soft",
    "solvers/springs.yaml": "joints.one.spring.frequency=1.2 Hz",
    "solvers/two_balls_bar.yaml": "world.solver.grouping=pair",
    "solvers/warm_start.yaml": "world.solver.warm_start=false",
    "solvers/welded_arm.yaml": "world.solver.iterations=30",
    "solvers/wobbling_cube.yaml": "world.solver.allowed_penetration=0.1",
    "stacking/pyramid.yaml": "materials.box.friction=0",
    "tasks/car_racing.yaml": "vars.grip=1500",
    "tasks/push_t.yaml": "bodies.tee.mass=20",
}
LOOKS = 40  # at the expectations in the course of a run with wrong physics
MARS = "world.gravity=[0, -3.7]"
ON = 200  # steps that a world goes on after it was saved
BY_HAND = 24  # of a solver in Python, each of which takes a hundred times as long
TEXTBOOK = (
    "iterative_impulse",
    "pgs_matrix",
    "pgs_jrow",
    "textbook_impulse",
    "constraint_correction",
    "verlet",
)
# What bursts: how many steps it is run until it is saved, and after how many more it has not yet.
RUNS_AWAY = {"solvers/spring_integrators.yaml": (BY_HAND, 16)}

all_scenes = every_row("path", SCENES, ids=NAMES)  # where a scene takes milliseconds


def name_of(path: Path) -> str:
    return path.relative_to(ROOT / "scenes").as_posix()


def saved_after(path: Path) -> int:
    """After how many steps of its run a scene is saved."""
    before, _ = RUNS_AWAY.get(name_of(path), (loaded(path).world.steps * 2 // 5, 0))
    return before


def steps_on(path: Path) -> int:
    """Number of steps after that."""
    on = tries(BY_HAND, ON) if loaded(path).world.solver.kind in TEXTBOOK else ON
    return RUNS_AWAY.get(name_of(path), (0, on))[1]


@dataclass(frozen=True)
class WholeRun:
    """Results of one run of a scene from start to end."""

    path: Path
    overlaps: list[str]
    first: Frame
    state: bytes
    twin: World  # from where it was saved on
    broken: list[str]  # expectations that do not hold, each with what was found instead


@pytest.fixture(scope="module", params=SCENES, ids=NAMES)
def whole(request: pytest.FixtureRequest) -> WholeRun:
    """The run of a scene, which was saved after two fifths of its steps."""
    path: Path = request.param
    scene = loaded(path)
    recorder = Recorder(scene, check=True)
    recorder.begin(scene, scene.world.steps)
    world = build(scene)
    overlaps = overlap_warnings(world)
    frames = Driver(world, scene.world.steps, recorder, None, None).frames(
        [0.0, saved_after(path) * scene.world.dt], want_contacts=False
    )
    first, _ = next(frames), next(frames)
    state, twin = world.save(), world.fork()
    assert [*frames] == []
    broken = [str(result) for result in recorder.results if not result.passed]
    return WholeRun(path, overlaps, first, state, twin, broken)


def is_noticed(path: Path, override: str) -> bool:
    """Whether an expectation does not hold with other physics; the run ends with the first."""
    scene = load(path, [override])
    recorder = Recorder(scene, check=True)
    times = [k / LOOKS * scene.world.steps * scene.world.dt for k in range(1, LOOKS)]
    for frame in run(scene, times=times, recorder=recorder):
        for result in recorder.results:
            entry = result.expectation
            decided = entry.kind == "always" if entry.at is None else entry.at < frame.time
            if decided and not result.passed and result.step > 0:
                return True
    return any(not result.passed for result in recorder.results)


def test_there_are_scenes_enough_for_a_gallery() -> None:
    assert len(SCENES) >= 30


@all_scenes
def test_a_scene_has_a_name_a_description_tags_and_expectations(path: Path) -> None:
    scene = loaded(path)
    assert scene.name
    assert scene.name != path.stem
    assert len(scene.description.split()) >= 10
    assert scene.tags
    assert scene.expect


def test_a_scene_begins_without_overlaps_and_keeps_its_word(whole: WholeRun) -> None:
    assert whole.overlaps == []
    assert whole.broken == []


def test_a_scene_goes_on_from_where_it_was_saved(whole: WholeRun) -> None:
    if NAMES.index(name_of(whole.path)) % tries(3, 1):
        return
    other = World(loaded(whole.path), threads=2, lanes=4)
    other.restore(whole.state)
    assert other.save() == whole.state
    for _ in range(4):
        whole.twin.step(steps_on(whole.path) // 4)
        other.step(steps_on(whole.path) // 4)
        assert whole.twin.state_hash() == other.state_hash()


def test_the_first_frame_shows_something(whole: WholeRun) -> None:
    scene = loaded(whole.path)
    image = Renderer(scene).draw(whole.first)
    width, height = scene.render.size
    assert image.shape == (height, width, 3)
    colors = image.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    assert len(np.unique(colors[::3, ::3])) > 10 or len(np.unique(colors)) > 10


@pytest.mark.parametrize("path", SCENES[:: tries(4, 1)], ids=NAMES[:: tries(4, 1)])
def test_expectations_notice_wrong_physics(path: Path) -> None:
    assert is_noticed(path, ELSEWHERE.get(name_of(path), MARS))


def test_the_list_of_scenes_names_each_of_them() -> None:
    listed = re.findall(r"\]\(([\w/]+\.yaml)\)", (ROOT / "scenes/README.md").read_text("utf-8"))
    assert sorted(listed) == NAMES


def test_hello_is_shorter_than_ten_lines() -> None:
    text = (ROOT / "scenes/basics/hello.yaml").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 10


def test_a_run_of_a_scene_can_be_read_as_arrays() -> None:
    trace = simulate(load(ROOT / "scenes/basics/hello.yaml"))
    assert trace["ball"].y.shape == trace.t.shape


@pytest.mark.skipif(IS_SOURCE_DISTRIBUTION, reason="the gallery is left out of the sources")
@all_scenes
def test_the_gallery_shows_the_scene(path: Path) -> None:
    name = path.relative_to(ROOT / "scenes").with_suffix("")
    page = (ROOT / "renders/index.html").read_text(encoding="utf-8")
    movies = [ROOT / "renders" / f"{name}{suffix}" for suffix in (".gif", ".mp4")]
    assert sum(movie.is_file() for movie in movies) == 1
    assert (ROOT / "renders" / f"{name}.png").is_file()
    assert f"{name.as_posix()}.png" in page
