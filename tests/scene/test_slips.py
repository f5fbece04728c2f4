# SPDX-License-Identifier: MIT
"""Slips of beginners, from YAML and from habits of other engines: each is told the right word.

The slips are written out as scenes, by hand; none of them is made from the tables that messages
are made from, and these have tests of their own below.
"""

from __future__ import annotations

import re

import pytest
from rigid.core.errors import SceneError
from rigid.core.scene import loads
from rigid.core.scene.blocks.scene import SceneInput
from rigid.core.scene.building.structure import model_at, unknown_key
from rigid.core.scene.values import foreign_words
from rigid.core.scene.values.fields import Input

from tests.rows import every_row

BALL = "ball: {shape: {circle: 0.5}}"


def body(more):
    return (
        f"rigid: 1\nvars: {{mu: 0.3, n: 2}}\nbodies:\n  ball: {{shape: {{circle: 0.5}}, {more}}}\n"
    )


def bare(more):
    return f"rigid: 1\nbodies:\n  ball: {{{more}}}\n"


def shape(more):
    return f"rigid: 1\nbodies:\n  ball: {{shape: {{{more}}}}}\n"


def material(more):
    return f"rigid: 1\nmaterials: {{rubber: {{{more}}}}}\nbodies: {{{BALL}}}\n"


def joint(more, kind="revolute"):
    return (
        f"rigid: 1\nbodies: {{{BALL}, box: {{shape: {{box: [1, 1]}}, position: [2, 0]}}}}\n"
        f"joints:\n  pin: {{type: {kind}, bodies: [ball, box], {more}}}\n"
    )


def world(more):
    return f"rigid: 1\nworld: {{{more}}}\nbodies: {{{BALL}}}\n"


def top(more):
    return f"rigid: 1\nbodies: {{{BALL}}}\n{more}\n"


def motor(more):
    return joint(f"anchor: [1, 0], motor: {{{more}}}")


def formula(text):
    return body(f'angle: "={text}"')


def reading(text):
    return top(f"expect: [{{at: end, that: ={text} > 0}}]")


def event(more):
    return top(f"events: [{{when: begin, bodies: [ball], {more}}}]")


SLIPS = [
    # --- YAML
    ("rigid: 1\nbodies:\n  ball:{shape: {circle: 1}}\n", "`ball: {shape"),
    ("rigid: 1\nbodies:\n  ball: {shape: {circle:1}}\n", "`circle: 1`"),
    ("rigid: 1\nworld:{gravity: [0, -9.81]}\nbodies: {ball: {shape: {circle: 1}}}\n", "`world: {"),
    ("rigid: 1\nbodies:\n  ball:\n    shape:{circle: 1}\n", "`shape: {"),
    ("rigid: 1\nbodies:\n  ball:\n    shape: {circle: 1}\n    position:[0, 1]\n", "`position: ["),
    ("rigid: 1\nbodies:\n\tball: {shape: {circle: 1}}\n", "use spaces"),
    ("rigid: 1\nbodies:\n  ball: {shape: {circle: 1}\n", "`{` is not closed"),
    ("rigid: 1\nbodies:\n  ball: {shape: {circle: 1}, position: [0, 1}\n", "`[` is not closed"),
    ("rigid: 1\nbodies:\n  - {shape: {circle: 1}}\n", "`name: {...}`"),
    ("rigid: 1\nbodies: [{name: ball, shape: {circle: 1}}]\n", "`name: {...}`"),
    ("rigid: 1\nbodies: {ball: {shape: {circle: 1}}}\nbodies: {}\n", "given twice"),
    ("rigid: 1\nbodies: {ball: {shape: circle}}\n", "mapping"),
    ("rigid: 1\ninclude: part.yaml\nbodies: {ball: {shape: {circle: 1}}}\n", "`[part.yaml]`"),
    ("rigid: 1\nbodies: {ball: {shape: {circle: 1}}}\n---\nrigid: 1\n", "second document"),
    ("rigid: 1\nbodies: {ball: {shape: {circle: !!float 1}}}\n", "without tags"),
    ("bodies: {ball: {shape: {circle: 1}}}\n", "`rigid: 1`"),
    (body("friction: mu"), "`=mu`"),
    (body("friction: mu * 2"), "`=mu * 2`"),
    (body("angle: 3*4"), "`=3*4`"),
    (body("position: [n, 0]"), "`=n`"),
    (body("position: [=max(1, 2), 0]"), "quote"),
    (body("fixed_rotation: yes"), "true"),
    (body("position: 1, 2"), "`[1, 2]`"),
    (body("position: {x: 1, y: 2}"), "[x, y]"),
    (body("position: (1, 2)"), "[x, y]"),
    (body("position: [1, 2, 3]"), "[x, y]"),
    (body("velocity: 5"), "[x, y]"),
    (body("shpe: 1"), "`shape`"),
    (body("color: ff0000"), "#"),
    (body("tags: crate"), "`[crate]`"),
    (
        "rigid: 1\nbodies: {a: {repeat: {i: 3}, shape: {circle: 1}, position: [=3*i, 0]}}\n"
        "joints: {j: {repeat: {i: 2}, type: distance, bodies: [a[i], a[i+1]]}}\n",
        '`"a[=i]"`',
    ),
    (
        "rigid: 1\nbodies: {a: {repeat: {i: 3}, shape: {circle: 1}, position: [=3*i, 0]}}\n"
        "joints: {j: {type: distance, bodies: [a[0], a[1]]}}\n",
        '`"a[0]"`',
    ),
    (
        "rigid: 1\nbodies: {a: {repeat: {i: 3}, shape: {circle: 1}, position: [=3*i, 0]}}\n"
        'joints: {j: {repeat: {i: 2}, type: distance, bodies: ["a[i]", "a[=i+1]"]}}\n',
        "`a[=i]`",
    ),
    # --- Box2D
    (body("linearVelocity: [1, 0]"), "`velocity`"),
    (body("angularVelocity: 3"), "`angular_velocity`"),
    (body("linearDamping: 0.1"), "`linear_damping`"),
    (body("angularDamping: 0.1"), "`angular_damping`"),
    (body("fixedRotation: true"), "`fixed_rotation`"),
    (body("gravityScale: 0"), "`gravity_scale`"),
    (body("allowSleep: false"), "`sleep`"),
    (body("isBullet: true"), "`bullet`"),
    (body("bodyType: static"), "`type`"),
    (body("userData: crate"), "`tags`"),
    (body("fixtures: []"), "`shapes`"),
    (body("categoryBits: 2"), "`category`"),
    (body("maskBits: 2"), "`collision`"),
    (body("groupIndex: 2"), "`category`"),
    (body("isSensor: true"), "sensor: true"),
    (body("type: staticBody"), "`static`"),
    (body("type: dynamicBody"), "`dynamic`"),
    (body("type: kinematic_body"), "`kinematic`"),
    (bare("vertices: [[0, 0], [1, 0], [0, 1]]"), "`shape: {polygon"),
    (bare("fixture: {circle: 1}"), "`shapes`"),
    (shape("vertices: [[0, 0], [1, 0], [0, 1]]"), "`polygon"),
    (shape("edge: [[0, 0], [1, 0]]"), "`segment"),
    (shape("circle: 1, isSensor: true"), "`sensor`"),
    (shape("hx: 1, hy: 2"), "`box"),
    (joint("anchor: [1, 0], bodyA: ball"), "`bodies"),
    (joint("anchor: [1, 0], collideConnected: true"), "`collide`"),
    (joint("anchor: [1, 0], enableMotor: true"), "`motor"),
    (joint("anchor: [1, 0], motorSpeed: 3"), "`speed` in `motor: {...}`"),
    (joint("anchor: [1, 0], maxMotorTorque: 3"), "max_torque"),
    (joint("anchor: [1, 0], lowerAngle: -30"), "`limits`"),
    (joint("anchor: [1, 0], upperAngle: 30"), "`limits`"),
    (joint("anchor: [1, 0], enableLimit: true"), "`limits"),
    (joint("localAnchorA: [1, 0]"), "`anchors`"),
    (joint("anchor: [1, 0], frequencyHz: 3"), "`spring"),
    (joint("anchor: [1, 0]", "revoluteJoint"), "`revolute`"),
    (joint("length: 2", "distanceJoint"), "`distance`"),
    (joint("anchor: [1, 0], axis: [1, 0]", "wheelJoint"), "`wheel`"),
    (joint("anchor: [1, 0]", "weldJoint"), "`weld`"),
    (joint("anchor: [1, 0], axis: [1, 0]", "prismaticJoint"), "`prismatic`"),
    (world("velocityIterations: 8"), "`solver: {iterations"),
    (world("positionIterations: 3"), "`solver: {iterations"),
    (world("subStepCount: 4"), "`solver: {substeps"),
    (world("timeStep: 0.01"), "`dt`"),
    (material("restitutionCoefficient: 0.5"), "`restitution`"),
    # --- pymunk
    (body("elasticity: 0.5"), "`restitution`"),
    (body("moment: 3"), "`inertia`"),
    (body("center_of_gravity: [0, 0]"), "`center_of_mass`"),
    (body("surface_velocity: 3"), "`tangent_speed`"),
    (body("body_type: static"), "`type`"),
    (body("collision_type: 1"), "`category`"),
    (body("filter: 1"), "`category`"),
    (body("sensor: true"), "sensor: true"),
    (body("force: [0, 1]"), "`actuators`"),
    (body("torque: 3"), "`actuators`"),
    (shape("circle: 1, elasticity: 1"), "`restitution`"),
    (shape("poly: [[0, 0], [1, 0], [0, 1]]"), "`polygon"),
    (joint("anchor: [1, 0], pivot: [1, 0]"), "`anchor`"),
    (joint("a: ball"), "`bodies"),
    (joint("anchor_a: [0, 0]"), "anchors"),
    (joint("distance: 3", "distance"), "`length`"),
    (joint("rest_length: 3", "distance"), "`length`"),
    (joint("length: 2", "pin"), "`revolute`"),
    (joint("length: 2", "slide"), "`prismatic`"),
    (joint("length: 2", "dampedSpring"), "`distance`"),
    (joint("length: 2, stiffness: 30", "distance"), "`spring"),
    (joint("length: 2, damping: 30", "distance"), "`spring"),
    (world("damping: 0.9"), "`air"),
    (world("iterations: 30"), "solver"),
    # --- Unity
    (body("bounciness: 0.5"), "`restitution`"),
    (body("drag: 0.5"), "`linear_damping`"),
    (body("angularDrag: 0.5"), "`angular_damping`"),
    (body("isKinematic: true"), "`type: kinematic`"),
    (body("useGravity: false"), "`gravity_scale`"),
    (body("isTrigger: true"), "sensor: true"),
    (body("freezeRotation: true"), "`fixed_rotation`"),
    (body("isStatic: true"), "`type: static`"),
    (body("layer: 3"), "`category`"),
    (body("tag: crate"), "`tags`"),
    (body("rotation: 45"), "`angle`"),
    (body("localScale: [1, 1]"), "`shape"),
    (body("collider: {circle: 1}"), "`shapes`"),
    (body("sprite: a.png"), "`texture`"),
    (body("sortingOrder: 3"), "`z`"),
    (body("centerOfMass: [0, 0]"), "`center_of_mass`"),
    (body("collisionDetection: continuous"), "`bullet`"),
    (body("enabled: true"), "`spawners`"),
    (top("gameObjects: {}"), "`bodies`"),
    (top("prefabs: {}"), "`prototypes`"),
    (top("physics: {gravity: [0, 0]}"), "`world`"),
    (top("triggers: []"), "`events`"),
    (joint("anchor: [1, 0], connectedBody: box"), "`bodies`"),
    (joint("anchor: [1, 0], breakForce: 30"), "break"),
    (joint("anchor: [1, 0], useLimits: true"), "`limits"),
    (joint("anchor: [1, 0]", "hinge"), "`revolute`"),
    (joint("anchor: [1, 0]", "fixed"), "`weld`"),
    (joint("anchor: [1, 0], axis: [1, 0]", "slider"), "`prismatic`"),
    (joint("length: 1", "spring"), "`distance`"),
    (world("fixedTimestep: 0.02"), "`dt`"),
    # --- Matter.js
    (body("frictionAir: 0.1"), "`linear_damping`"),
    (body("label: crate"), "`tags`"),
    (body("render: {fillStyle: red}"), "`texture`"),
    (body("fillStyle: red"), "`color`"),
    (body("strokeStyle: red"), "`outline`"),
    (body("angularSpeed: 3"), "`angular_velocity`"),
    (body("collisionFilter: 3"), "`category`"),
    (body("parts: []"), "`shapes`"),
    (body("plugin: x"), "`tags`"),
    (bare("rectangle: [2, 1]"), "`shape: {box"),
    (bare("polygon: [[0, 0], [1, 0], [0, 1]]"), "`shape: {polygon"),
    (bare("width: 2, height: 1"), "`shape: {box"),
    (shape("rectangle: [2, 1]"), "`box"),
    (shape("width: 2, height: 1"), "`box"),
    (shape("box: [1, 1], chamfer: 0.1"), "`radius`"),
    (shape("trapezoid: 3"), "`polygon"),
    (top("constraints: {}"), "joints"),
    (top("engine: {}"), "`world`"),
    (joint("pointA: [0, 0]"), "`anchors`"),
    (joint("length: 2, k: 0.1", "distance"), "`spring"),
    (world("enableSleeping: true"), "`sleep`"),
    (world("constraintIterations: 3"), "`solver: {iterations"),
    (top("mouse: {}"), "`inputs`"),
    # --- MJCF
    (top("worldbody: {}"), "`bodies`"),
    (top("option: {timestep: 0.01}"), "`world`"),
    (top("actuator: {}"), "`actuators`"),
    (top("equality: {}"), "`joints`"),
    (top("default: {}"), "`defaults`"),
    (top("asset: {}"), "`materials`"),
    (top("sensor: {}"), "`record`"),
    (body("pos: [0, 1]"), "`position`"),
    (body("euler: 30"), "`angle`"),
    (body("geom: {circle: 1}"), "`shapes`"),
    (body("inertial: {}"), "`center_of_mass`"),
    (body("contype: 1"), "`category`"),
    (body("conaffinity: 1"), "`collision`"),
    (body("gravcomp: 1"), "`gravity_scale`"),
    (body("site: [0, 0]"), "`points`"),
    (bare("sphere: 0.5"), "`shape: {circle"),
    (shape("sphere: 0.5"), "`circle"),
    (shape("size: [1, 1]"), "`box"),
    (shape("circle: 1, mass: 3"), "`density`"),
    (joint("anchor: [1, 0], range: [-30, 30]"), "`limits`"),
    (joint("anchor: [1, 0], pos: [1, 0]"), "`anchor`"),
    (motor("kp: 30, position: 0"), "`spring"),
    (world("timestep: 0.01"), "`dt`"),
    # --- everyday words
    (body("bounce: 0.5"), "`restitution`"),
    (material("bounce: 0.5"), "`restitution`"),
    (material("grip: 0.5"), "`friction`"),
    (material("mu: 0.5"), "`friction`"),
    (material("colour: red"), "`color`"),
    (bare("circle: 0.5, weight: 3"), "`mass`"),
    (bare("circle: 0.5"), "`shape: {circle"),
    (bare("box: [1, 1]"), "`shape: {box"),
    (bare("radius: 1"), "`shape: {circle"),
    (body("weight: 3"), "`mass`"),
    (body("speed: 3"), "`velocity`"),
    (body("spin: 3"), "`angular_velocity`"),
    (body("static: true"), "`type: static`"),
    (body("fixed: true"), "`type: static`"),
    (body("x: 3"), "`position: [x, y]`"),
    (body("orientation: 3"), "`angle`"),
    (body("alpha: 0.5"), "`color"),
    (body("hidden: true"), "`visible: false`"),
    (body("image: a.png"), "`texture`"),
    (body("count: 5"), "`repeat: {i: n}`"),
    (body("name: ball"), "key in `bodies`"),
    (body("hinge: x"), "`joints`"),
    (body("type: fixed"), "`static`"),
    (body("type: moving"), "`dynamic`"),
    (world("g: 9.81"), "`gravity: [0, -9.81]`"),
    (world("gravity: -9.81"), "[x, y]"),
    (world("fps: 60"), "`dt: =1/60`"),
    (world("seconds: 5"), "`duration`"),
    (world("rng: 5"), "`seed`"),
    (world("water: {}"), "`pools`"),
    (world("walls: true"), "`bounds`"),
    (top("gravity: [0, -9.81]"), "world"),
    (top("objects: {}"), "`bodies`"),
    (top("settings: {}"), "`world`"),
    (top("tests: []"), "`expect`"),
    (top("assert: []"), "`expect`"),
    (top("parameters: {}"), "`vars`"),
    (top("variables: {}"), "`vars`"),
    (top("import: [a.yaml]"), "`include`"),
    (top("title: Ball"), "`name`"),
    (top("keyboard: {}"), "`controls`"),
    (top("seed: 3"), "`world: {seed"),
    (top("text: []"), "`annotations`"),
    (top("render: {width: 640, height: 480}"), "`size: [width, height]`"),
    (top("render: {framerate: 30}"), "`fps`"),
    (top("render: {theme: black}"), "`dark`"),
    (top("camera: {follow: ball}"), "`target`"),
    (top("expect: [{at: end, condition: =ball.y > 0}]"), "`that`"),
    (top("expect: [{t: 1, that: =ball.y > 0}]"), "`at`"),
    (top("expect: [{finally: =ball.y > 0}]"), "`eventually`"),
    (event("action: [{log: a}]"), "`do`"),
    (event("then: [{log: a}]"), "`do`"),
    (motor("omega: 3"), "`speed`"),
    (motor("rpm: 3"), "`speed: '30 rpm'`"),
    (joint("anchor: [1, 0], limit: [0, 3]"), "`limits`"),
    (joint("objects: [ball, box]"), "`bodies`"),
    (joint("length: 2", "rope"), "`distance`"),
    (joint("length: 2", "rod"), "`distance`"),
    (joint("anchor: [1, 0]", "glue"), "`weld`"),
    # --- expressions
    (formula("rad(30)"), "radians"),
    (formula("radians(30)"), "radians"),
    (formula("deg(3)"), "radians"),
    (formula("pow(2, 3)"), "`a ** b`"),
    (formula("rand()"), "`uniform(0, 1)`"),
    (formula("random()"), "`uniform(0, 1)`"),
    (formula("gauss(0, 1)"), "`normal(mean, deviation)`"),
    (formula("arcsin(1)"), "`asin`"),
    (formula("arctan2(1, 2)"), "`atan2`"),
    (formula("ln(2)"), "`log`"),
    (formula("int(2.5)"), "`floor`"),
    (formula("sqr(2)"), "`sqrt`"),
    (formula("mod(5, 2)"), "`a % b`"),
    (formula("select(1, 2, 3)"), "`a if condition else b`"),
    (formula("length(1, 2)"), "`hypot(x, y)`"),
    (formula("mix(1, 2, 0.5)"), "`lerp`"),
    (formula("constrain(1, 2, 3)"), "`clamp`"),
    (formula("PI * 2"), "`pi`"),
    (reading("ball.position.y"), "`ball.y`"),
    (reading("ball.pos.x"), "`ball.x`"),
    (reading("ball.velocity.x"), "`ball.vx`"),
    (reading("ball.rotation"), "`ball.angle`"),
    (reading("ball.spin"), "`ball.omega`"),
    (reading("ball.weight"), "`ball.mass`"),
    (reading("ball.position"), "`x` and `y`"),
    (reading("boll.y"), "`ball`"),
]


def test_there_are_two_hundred_slips_and_no_two_are_the_same():
    assert len({text for text, _ in SLIPS}) == len(SLIPS) >= 200


@every_row(("text", "word"), SLIPS, ids=range(len(SLIPS)))
def test_a_slip_is_told_the_right_word_and_where(text, word):
    with pytest.raises(SceneError) as told:
        loads(text, path="s.yaml")
    messages = [str(each) for each in told.value.problems]
    assert any(word in each for each in messages), messages
    assert all(re.match(r"s\.yaml:\d+:\d+: ", each) for each in messages), messages


# ---------------------------------------------------------------- the tables


def models():
    found, waiting = {}, [Input]
    loads("rigid: 1\nbodies: {a: {shape: {circle: 1}}}\n")
    while waiting:
        for each in waiting.pop().__subclasses__():
            found[each.__name__.removesuffix("Input").removesuffix("Fields")] = each
            waiting.append(each)
    return found


def keys_of(model):
    return {field.alias or name for name, field in model.model_fields.items()}


@every_row("place", foreign_words.PLACES)
def test_every_word_of_a_table_is_answered_with_what_is_there(place):
    model = models()[place]
    own = keys_of(model)
    table = foreign_words.foreign_keys(place)
    assert table
    for word, right in table.items():
        assert word not in own, f"{word} is a key"
        message = unknown_key(model, word)
        if not (word in model.hints or foreign_words.plain_word(word) in model.hints):
            assert foreign_words.advice(right.replace("@", word)) in message
        if not right.startswith("~"):
            assert right.partition(":")[0].strip() in own, f"{word}: {right} is no key of {place}"


def test_the_tables_of_values_functions_and_verbs_name_what_there_is():
    from rigid.cli.app import VERBS
    from rigid.core.scene.values.functions import FUNCTIONS

    for word, right in foreign_words.foreign_functions().items():
        assert word not in FUNCTIONS
        assert right.startswith("~") or right.partition("(")[0] in FUNCTIONS
    for word, right in foreign_words.foreign_verbs().items():
        assert word not in VERBS
        assert right.split()[0] in {*VERBS, "--version", "--help"}


def test_the_scene_has_its_table():
    assert model_at(SceneInput, ()) is SceneInput
