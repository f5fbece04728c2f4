# SPDX-License-Identifier: MIT
"""Joints of one's own, which a package registers by an entry point."""

from __future__ import annotations

import json
import math

import pytest
from rigid2d.cli.main import main
from rigid2d.core import SceneError, SimulationError, UsageError, build, loads
from rigid2d.core.jobs.explain import as_json, explain
from rigid2d.core.scene import expand
from rigid2d.core.scene.blocks.joints.own import find_constraint

SOLVERS = ["pgs_matrix", "pgs_jrow", "textbook_impulse", "constraint_correction"]
BEAD = """
rigid: 1
world: {{gravity: [0, {g}], dt: 0.01, solver: {{type: {kind}, iterations: 20}}}}
bodies:
  bead: {{shape: {{circle: 0.1}}, mass: 1, position: [1, 0], velocity: [0.3, 2]}}
joints:
  rod: {{type: custom, constraint: {name}, bodies: [world, bead], numbers: {{{numbers}}}}}
"""
MODULE = '''
import math

from rigid2d.core.solvers import Constraint, ConstraintRow, Soft


class Rope(Constraint):
    """003: a rope, which only pulls."""

    numbers = {"length": None}
    lengths = ("length",)

    def rows(self, ends):
        x, y = ends.apart
        size = math.sqrt(x * x + y * y)
        yield ends.line((x / size, y / size), size - self.length, high=0.0, name="pull")


class Turner(Constraint):
    """A motor."""

    numbers = {"speed": 3.0, "most": 100.0}

    def rows(self, ends):
        yield ends.angle(bias=self.speed, low=-self.most, high=self.most)


class Coil(Constraint):
    """A spring along x."""

    numbers = {"stiffness": 40.0}

    def rows(self, ends):
        yield ends.line((1.0, 0.0), ends.apart[0] - 2, soft=Soft(self.stiffness, 0.0))


class Short(Constraint):
    def rows(self, ends):
        yield ConstraintRow((1.0, 0.0))


class Nothing:
    pass
'''


def bead(kind="pgs_matrix", name="circle", numbers="", g=0):
    return BEAD.format(kind=kind, name=name, numbers=numbers, g=g)


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package that registers constraints, as pip puts it there."""
    (tmp_path / "my_joints.py").write_text(MODULE)
    info = tmp_path / "my_joints-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-joints\nVersion: 1.0\n")
    lines = [f"{name.lower()} = my_joints:{name}" for name in ("Rope", "Turner", "Coil", "Short")]
    lines += [
        "nothing = my_joints:Nothing",
        "lost = my_other_joints:Lost",
        "circle = my_joints:Rope",
    ]
    (info / "entry_points.txt").write_text("\n".join(["[rigid.constraints]", *lines, ""]))
    monkeypatch.syspath_prepend(tmp_path)
    find_constraint.cache_clear()
    yield
    find_constraint.cache_clear()


@pytest.mark.parametrize("kind", SOLVERS)
def test_a_particle_on_the_unit_circle_loses_what_leads_away(kind):
    """Document 003, 4.6: p_c = (-0.3, 0), so that (0, 2) is left."""
    world = build(loads(bead(kind)))
    world.step()
    assert world["bead"].velocity == pytest.approx((0, 2), abs=1e-6)
    assert world.joint("rod").force == pytest.approx((-30, 0), abs=1e-4)


@pytest.mark.parametrize("kind", SOLVERS)
def test_a_body_whose_point_is_on_the_unit_circle_keeps_its_other_motion(kind):
    """Document 003, 4.7: lambda 0.0961538, v (0.396, 2), omega 1.980769."""
    text = bead(kind).replace("position: [1, 0]", "inertia: 1, position: [0.9, -0.2]")
    text = text.replace("[0.3, 2]", "[0.3, 2], angular_velocity: 2 rad/s")
    text = text.replace("numbers: {}", "anchors: [[0, 0], [0.1, 0.2]]")
    world = build(loads(text))
    world.step()
    assert world["bead"].velocity == pytest.approx((0.3961538, 2), abs=1e-6)
    assert world["bead"].angular_velocity == pytest.approx(1.9807692, abs=1e-6)


@pytest.mark.parametrize("kind", SOLVERS)
def test_it_does_as_the_rod_that_it_is(kind):
    """Bit for bit as a distance joint of the same length."""
    own = build(loads(bead(kind, g=-9.81)))
    rod = bead(kind, g=-9.81).replace("constraint: circle, ", "").replace("custom", "distance")
    rods = build(loads(rod.replace("numbers: {}", "length: 1")))
    for world in (own, rods):
        world.step(60)
    assert own["bead"].position == rods["bead"].position
    assert own["bead"].velocity == rods["bead"].velocity


@pytest.mark.parametrize("kind", SOLVERS)
def test_an_installed_rope_only_pulls(installed, kind):
    world = build(loads(bead(kind, "rope", "length: 1.5", g=-9.81)))
    farthest, fell = 0.0, world["bead"].position[0]
    for _ in range(150):
        world.step()
        x, y = world["bead"].position
        farthest, fell = max(farthest, math.sqrt(x * x + y * y)), min(fell, x)
    assert 1.49 < farthest < 1.52
    slack = loads(bead(kind, "rope", "length: 50"))
    world = build(slack)
    world.step(10)
    assert world["bead"].velocity == pytest.approx((0.3, 2))


@pytest.mark.parametrize("kind", SOLVERS)
def test_rows_have_wanted_speeds_bounds_and_springs(installed, kind):
    world = build(loads(bead(kind, "turner", "speed: 5")))
    world.step()
    assert world["bead"].angular_velocity == pytest.approx(5, abs=1e-5)
    weak = build(loads(bead(kind, "turner", "most: 0.01")))
    weak.step()
    assert weak["bead"].angular_velocity == pytest.approx(0.01 * 0.01 / (0.5 * 0.01), rel=1e-4)
    coil = build(loads(bead(kind, "coil").replace("[0.3, 2]", "[0, 0]")))
    coil.step()
    force = 40 * 1 / (1 + 0.01 * 0.01 * 40)  # implicit
    assert coil["bead"].velocity[0] == pytest.approx(0.01 * force, rel=1e-5)


def test_explain_shows_its_rows(installed):
    text = bead(name="coil")
    tables = {each["title"]: each for each in as_json(explain(loads(text), 1))["tables"]}
    rows = tables["Constraints"]
    found = dict(zip(rows["columns"], rows["rows"][0], strict=True))
    assert found["row"] == "rod.0"
    assert found["gamma"] == pytest.approx(1 / (0.01 * 40))
    assert found["beta"] == pytest.approx(1)


def test_numbers_are_lengths_to_the_instances_of_a_prototype():
    text = """
rigid: 1
world: {gravity: [0, 0], solver: {type: pgs_jrow}}
prototypes:
  p:
    bodies: {a: {shape: {circle: 0.1}}, b: {shape: {circle: 0.1}, position: [1, 0]}}
    joints: {rod: {type: custom, constraint: circle, bodies: [a, b], numbers: {radius: =0.5*2}}}
instances: {big: {use: p, scale: 3}}
"""
    (joint,) = loads(text).joints.values()
    assert joint.numbers == {"radius": 3}


def test_it_is_written_out_saved_and_forked():
    scene = loads(bead(g=-9.81))
    assert loads(expand(scene)).joints == scene.joints
    assert loads(bead(numbers="radius: 1", g=-9.81)).hash == scene.hash
    assert loads(bead(numbers="radius: 1.1", g=-9.81)).hash != scene.hash
    world = build(scene)
    world.step(20)
    state, twin = world.save(), world.fork()
    other = build(scene)
    other.restore(state)
    for each in (world, twin, other):
        each.step(20)
    assert world.state_hash() == twin.state_hash() == other.state_hash()


def test_it_breaks():
    world = build(loads(bead(g=-9.81).replace("numbers: {}", "break: {force: 20}")))
    world.step(5)
    assert world.joint("rod").broken


@pytest.mark.parametrize(
    ("change", "path", "words"),
    [
        (("circle", "circel", 1), "joints.rod.constraint", "did you mean `circle`"),
        (("constraint: circle, ", "", 1), "joints.rod", "`constraint` is missing"),
        (("{}", "{radus: 1}", 1), "joints.rod.numbers.radus", "did you mean `radius`"),
        (("{}", "{radius: x}", 1), "joints.rod.numbers.radius", "number"),
        (("pgs_matrix, iterations: 20", "soft_step", 1), "joints.rod.type", "no constraints in"),
        (("pgs_matrix", "sequential_impulse", 1), "joints.rod.type", "pgs_matrix, pgs_jrow"),
        (("pgs_matrix", "iterative_impulse", 1), "joints.rod.type", "knows no joints"),
        (("type: custom", "type: distance", 1), "joints.rod.constraint", "custom"),
    ],
)
def test_a_mistake_is_told_at_its_place(change, path, words):
    with pytest.raises(SceneError) as caught:
        loads(bead().replace("shape: {circle: 0.1}", "shape: {box: [1, 1]}").replace(*change))
    problems = {problem.path: problem.message for problem in caught.value.problems}
    assert words in problems[path]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rope", "`length` is missing, a number of `rope`"),
        ("nothing", "is no constraint: a class that derives from rigid2d.core.solvers.Constraint"),
        ("lost", "cannot be imported from my_other_joints:Lost (ModuleNotFoundError"),
    ],
)
def test_what_a_package_registers_wrongly_is_told(installed, name, words):
    with pytest.raises(SceneError, match=r"joints\.rod") as caught:
        loads(bead(name=name))
    assert words in caught.value.problems[0].message


def test_what_is_shipped_is_not_replaced(installed):
    assert find_constraint("circle").__module__ == "rigid2d.core.solvers.circle"


def test_rows_that_are_none_stop_with_their_joint(installed, tmp_path, capsys):
    world = build(loads(bead(name="short")))
    with pytest.raises(UsageError, match=r"joints\.rod: .*`short`.*six finite numbers"):
        world.step()
    path = tmp_path / "short.yaml"
    path.write_text(bead(name="short"))
    assert main(["run", str(path), "--json"]) == 2
    assert "joints.rod" in json.dumps(capsys.readouterr().out)


@pytest.mark.parametrize("kind", ["pgs_jrow", "soft_step"])
def test_an_attached_one_is_built_and_refused_like_others(kind):
    event = "events:\n  - {when: time, at: 0.03, do: [{attach: {name: rod, joint: {"
    text = bead(kind).replace("joints:\n  rod: {", event).replace("{}}", "{radius: 1}}}}]}")
    text = text.replace(", iterations: 20", "")
    if kind == "soft_step":
        with pytest.raises(SimulationError, match="takes no constraints in Python"):
            build(loads(text)).step(10)
        return
    world = build(loads(text))
    world.step(100)
    x, y = world["bead"].position
    assert math.sqrt(x * x + y * y) == pytest.approx(1, abs=0.01)
