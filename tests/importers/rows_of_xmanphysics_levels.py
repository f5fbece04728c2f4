# SPDX-License-Identifier: MIT
"""What the page says of levels of xmanphysics, row by row, in the same table as its scenes."""

from __future__ import annotations

import json
import math

import pytest
from PIL import Image

from tests.importers.documented import only
from tests.importers.given import xman
from tests.importers.rows_of_xmanphysics import (
    BOX,
    ROWS,
    WALL,
    level,
)

DRIVEN = {"R1": [50, 0], "R2": [50, 0], "LimitIsEnabled": True, "UpperAngle": 90, "Motor": 2}
CRATE = {**BOX, "MassData": {"Type": 1, "Density": 0.5}}


def linked(kind, **fields):
    given = {"$type": f"A.{kind}JointExportData, A", "BodyIndex1": 0, "BodyIndex2": 1}
    return {**given, **fields}


def item_of(scene, folder=None, **fields):
    """One item as the simulator gets it, of the folder where pictures are."""
    given = {"PhysicLevelItems": [{"LevelItemId": 4, "PhysicSceneData": scene, **fields}]}
    return xman(folder=folder, **given)


def animated(columns, mask=None, scene=None, **fields):
    """An item with an animation; each column has the values of a joint or thruster."""
    if scene is None:
        scene = {"Bodies": [WALL, BOX], "Joints": [linked("Revolute", **DRIVEN)]}
    count = len(columns[0])
    frames = [
        {"Time": i / (count - 1), "Values": [column[i] for column in columns]} for i in range(count)
    ]
    mask = [True] * len(columns) if mask is None else mask
    animation = {"Frames": frames, "DurrationInSeconds": 2, "Type": 0, "PropertyIsAnimated": mask}
    return item_of(scene, AnimationData=[{**animation, **fields}])


def tracks_of(made):
    return {path: keys for a in made.scene().animations.values() for path, keys in tracks(a)}


def tracks(animation):
    return [
        (track.path, [list(key) for key in zip(track.times, track.values, strict=True)])
        for track in animation.tracks
    ]


def picture(folder, name="crate.png", size=(30, 40)):
    Image.new("RGB", size, "brown").save(folder / name)
    return name


@ROWS.shows(
    "`Prototyps`: `PrototypItems` with `Id`, `PhysicSceneData`, an object or a text of JSON"
)
def _():
    items = [
        {"LevelItemId": i, "PrototypId": 1, "SizeFactor": s} for i, s in ((1, 1), (2, 2), (3, 2))
    ]
    made = level(items, {"Bodies": [BOX]}, {"Bodies": [CRATE]})
    assert made.text.count("use: prototype_1_2") == 2
    text = level(items, {"Bodies": [BOX]}, json.dumps({"Bodies": [CRATE]}))
    assert text.text == made.text
    assert [body.name for body in made.scene().bodies.values()] == [
        f"item_{i}.rectangle_0" for i in (1, 2, 3)
    ]
    return made


@ROWS.shows("`PhysicSceneForAnimationNull` of a prototype")
def _():
    begun = {"Bodies": [{**BOX, "Center": [7, 8], "CollisionCategory": 3}]}
    drawn = {"Bodies": [{**BOX, "CollisionCategory": 0}]}
    prototype = {"Id": 0, "PhysicSceneData": drawn, "PhysicSceneForAnimationNull": begun}
    items = [{"LevelItemId": 1, "PrototypId": 0, "Position": [7 - 20, 8 - 10]}]
    made = xman(Prototyps={"PrototypItems": [prototype]}, LevelItems=items)
    assert only(made.scene().bodies).position == (7.0, 8.0)
    return made


@ROWS.shows(
    "`LevelItems`: `LevelItemId`, `PrototypId`, `Position`, `AngleInDegree`, `SizeFactor`, "
    "`LocalPivot`"
)
def _():
    fast = {**CRATE, "Velocity": [1, 0]}
    joint = linked(
        "Distance", R1=[0, 0], R2=[20, 0], LimitIsEnabled=True, MinLength=5, MaxLength=90
    )
    placed = {"Position": [500, 400], "AngleInDegree": 90, "SizeFactor": 0.5, "LocalPivot": [1, 1]}
    scene = {"Bodies": [{**WALL, "Size": [8, 8], "Center": [100, 50]}, fast], "Joints": [joint]}
    made = level([{"LevelItemId": 3, "PrototypId": 0, **placed}], scene)
    body = made.scene().bodies["item_3.rectangle_1"]
    # From the lower right corner of the box its centre is 20 px left and 10 px up.
    assert body.position == pytest.approx((500 + 5, 400 - 10))
    assert (body.angle, body.velocity) == (pytest.approx(math.pi / 2), pytest.approx((1, 0)))
    assert max(body.shapes[0].points) == (10.0, 5.0)
    rod = only(made.scene().joints)
    assert (rod.anchor_b, rod.min_length, rod.max_length) == ((10.0, 0.0), 2.5, 45.0)
    return made


@ROWS.shows("`LevelItemsExport` of a prototype that is a group")
def _():
    pile = [{"PrototypId": 0, "Position": [0, y], "LocalPivot": [0, 0]} for y in (0, -20)]
    prototypes = [
        {"Id": 0, "PhysicSceneData": {"Bodies": [CRATE]}},
        {"Id": 1, "LevelItemsExport": pile},
        {"Id": 2, "LevelItemsExport": [{"PrototypId": 1, "Position": [9, 9]}]},
    ]
    placed = {"PrototypId": 2, "Position": [500, 400], "SizeFactor": 0.5, "LocalPivot": [0.5, 1]}
    items = [{"LevelItemId": 3, **placed}]
    made = xman(Prototyps={"PrototypItems": prototypes}, LevelItems=items)
    lower, upper = made.scene().bodies.values()
    assert (lower.position, upper.position) == ((500.0, 395.0), (500.0, 385.0))
    assert [lower.name, upper.name] == ["item_3_0_0.rectangle_0", "item_3_0_1.rectangle_0"]
    return made


def square(x, half):
    return [[x - half, -half], [x + half, -half], [x + half, half], [x - half, half]]


@ROWS.shows("`LevelItems` with `Points`, `Friction`, `Restiution`, `CollisionCategory`")
def _():
    fields = {"Friction": 0.25, "Restiution": 0.75, "CollisionCategory": 0}
    halves = [(0, 400), (0, 300), (200, 50)]
    items = [
        {"LevelItemId": i, "Points": square(x, half), **fields}
        for i, (x, half) in enumerate(halves)
    ]
    made = level(items)
    land, hole, island = made.scene().bodies.values()
    assert (land.shapes[0].kind, hole.shapes[0].kind) == ("chain", "chain")
    assert land.shapes[0].side != hole.shapes[0].side
    assert (island.shapes[0].kind, island.position) == ("polygon", (200.0, 0.0))
    material = land.shapes[0].material
    assert (land.kind, material.friction, material.restitution) == ("static", 0.25, 0.75)
    return made


@ROWS.shows("`LevelItems` with a `PolygonLevelItemId`: lawn")
def _():
    item = {"LevelItemId": 1, "PrototypId": 0}
    return level([item, {"LevelItemId": 2, "PolygonLevelItemId": 1}], {"Bodies": [BOX]})


@ROWS.shows("`PhysicLevelItems`: `PhysicSceneData` of each, an object or a text of JSON")
def _():
    inner = {"Bodies": [WALL, BOX]}
    items = [{"PhysicSceneData": inner}, {"PhysicSceneData": json.dumps(inner)}]
    made = xman(PhysicLevelItems=items)
    names = ["item_1_rectangle_0", "item_1_rectangle_1", "item_2_rectangle_2", "item_2_rectangle_3"]
    assert list(made.scene().bodies) == names
    return made


@ROWS.shows("an item without a `PhysicSceneData`")
def _():
    return xman(PhysicLevelItems=[{"PhysicSceneData": {"Bodies": [BOX]}}, {"LevelItemId": 2}])


@ROWS.shows(
    "`AnimationData`: `Frames` with `Time` and `Values`, `DurrationInSeconds`, `Type`, "
    "`StartTime`, `PropertyIsAnimated`"
)
def _():
    kinds = [animated([[0, 1, 0]], Type=i).scene().animations for i in (0, 1, 2)]
    assert [only(each).kind for each in kinds] == ["once", "loop", "manual"]
    assert animated([[0, 1]], mask=[False]).losses
    made = animated([[0, 0.5, 1]], StartTime=0.25)
    animation = only(made.scene().animations)
    assert (animation.duration, animation.start) == (2000.0, 0.25)
    assert [time for time, _ in only(tracks_of(made))] == [0.0, 0.5, 1.0]
    return made


@ROWS.shows("values of a hinge or slide whose `Motor` is 2")
def _():
    slide = linked("Prismatic", R1=[50, 0], Motor=2, MaxMotorForce=9)
    moved = animated([[0, 2]], scene={"Bodies": [WALL, BOX], "Joints": [slide]})
    assert tracks_of(moved) == {"prismatic_0.motor.position": [[0, 0], [1, 100]]}
    made = animated([[0, 1]])
    turned = only(tracks_of(made))
    assert [value for _, value in turned] == pytest.approx([0, math.pi / 2])
    return made


@ROWS.shows("values of a distance joint")
def _():
    made = animated([[40, 60]], scene={"Bodies": [WALL, BOX], "Joints": [linked("Distance")]})
    assert tracks_of(made) == {"distance_0.motor.position": [[0, 40], [1, 60]]}
    assert only(made.scene().joints).motor.max_force == math.inf
    return made


@ROWS.shows("values of a rope")
def _():
    rope = linked("Distance", JointIsRope=True)
    made = animated([[40, 60]], scene={"Bodies": [WALL, BOX], "Joints": [rope]})
    assert not only(made.scene().joints).rope
    assert tracks_of(made) == {"distance_0.motor.position": [[0, 40], [1, 60]]}
    return made


@ROWS.shows("values of a thruster")
def _():
    jet = {"BodyIndex": 0, "ForceDirection": [0, 1], "ForceLength": 1}
    made = animated([[False, True]], scene={"Bodies": [BOX], "Thrusters": [jet]})
    assert tracks_of(made) == {"thruster_0.enabled": [[0, False], [1, True]]}
    return made


@ROWS.shows("values of other joints, where they change")
def _():
    weld = {"Bodies": [WALL, BOX], "Joints": [linked("Revolute", **DRIVEN), linked("Weld")]}
    assert animated([[0, 1], [200, 200]], scene=weld).losses == ()
    made = animated([[0, 1], [200, 300]], scene=weld)
    assert len(tracks_of(made)) == 1
    return made


@ROWS.shows("values that an animation before moves")
def _():
    scene = {"Bodies": [WALL, BOX], "Joints": [linked("Revolute", **DRIVEN)]}
    frames = [{"Time": 0, "Values": [0]}, {"Time": 1, "Values": [1]}]
    animation = {"Frames": frames, "Type": 0, "PropertyIsAnimated": [True]}
    made = item_of(scene, AnimationData=[animation, animation])
    assert len(made.scene().animations) == 1
    return made


@ROWS.shows("a loop that does not end as it begins, and jumps")
def _():
    made = animated([[0, 1]], Type=1)
    assert [time for time, _ in only(tracks_of(made))] == [0.0, 0.99, 1.0]
    return made


@ROWS.shows("`KeyboardMappings`, `KeyboardMappingTables`: `Key`, `HandlerId`")
def _():
    # Hinges without limits come first, then thrusters, motors, and animations back and forth.
    free = linked("Revolute", R1=[50, 0], MotorSpeed=0.01, MaxMotorTorque=3)
    scene = {
        "Bodies": [WALL, BOX],
        "Joints": [linked("Revolute", **DRIVEN), free],
        "Thrusters": [{"BodyIndex": 1, "ForceLength": 1}],
        "Motors": [{"BodyIndex": 1, "RotaryForce": 1}],
    }
    frames = [{"Time": 0, "Values": [0, 0, False]}, {"Time": 1, "Values": [1, 0, False]}]
    animation = {"Frames": frames, "Type": 2, "PropertyIsAnimated": [True, False, False]}
    keys = [{"Key": key, "HandlerId": i} for i, key in enumerate((44, 24, "Space", 23, 25))]
    made = item_of(scene, AnimationData=[animation], KeyboardMappings=keys)
    for line in (
        "up: thruster_0",
        "space: rotary_motor_1",
        "left: item_1_animation_0.backward",
        "right: item_1_animation_0.forward",
        "a: {set: {revolute_1.motor.max_torque: 3}, on_release: {revolute_1.motor.max_torque: 0}}",
    ):
        assert f"  {line}\n" in made.text
    prototype = {"Id": 0, "PhysicSceneData": scene, "AnimationData": [{"AnimationData": animation}]}
    tables = [{"LevelItemId": 7, "Entries": keys}]
    items = [{"LevelItemId": i, "PrototypId": 0} for i in (7, 8)]
    given = {"Prototyps": {"PrototypItems": [prototype]}, "LevelItems": items}
    placed = xman(**given, KeyboardMappingTables=tables)
    assert "  right: item_7.animation_0.forward\n" in placed.text
    assert "item_8." not in placed.text
    assert placed.losses == ()
    return made


@ROWS.shows("a `Key` that has no name here")
def _():
    jet = {"BodyIndex": 0, "ForceLength": 1}
    keys = [{"Key": 171, "HandlerId": 0}]
    return item_of({"Bodies": [BOX], "Thrusters": [jet]}, KeyboardMappings=keys)


@ROWS.shows(
    "`TextureData`: `TextureFile`, `DeltaX`, `DeltaY`, `Width`, `Height`, `DeltaAngle`, "
    "`ColorFactor`, `ZValue`"
)
def _(folder):
    given = {"TextureFile": f".\\{picture(folder)}", "DeltaX": 1, "DeltaY": 2, "Width": 50}
    given |= {"Height": 60, "DeltaAngle": 90, "ColorFactor": "255, 128, 0", "ZValue": 3}
    made = item_of({"Bodies": [BOX]}, folder, TextureData={"Textures": [given]})
    body = only(made.scene().bodies)
    texture = body.texture
    assert (texture.offset, texture.size, body.z) == ((1.0, 2.0), (50.0, 60.0), 3)
    assert (texture.angle, texture.tint) == (pytest.approx(math.pi / 2), "#ff8000ff")
    return made


@ROWS.shows("`IsInvisible`")
def _():
    made = item_of({"Bodies": [BOX]}, TextureData={"Textures": [{"IsInvisible": True}]})
    assert not only(made.scene().bodies).visible
    return made


@ROWS.shows("`MakeFirstPixelTransparent`")
def _(folder):
    given = {"TextureFile": picture(folder), "MakeFirstPixelTransparent": True}
    made = item_of({"Bodies": [BOX]}, folder, TextureData={"Textures": [given]})
    assert only(made.scene().bodies).texture is not None
    return made


@ROWS.shows("a picture that is not in the folder of the scene")
def _(folder):
    for name in ("none.png", "../crate.png", "C:\\crate.png"):
        given = {"TextureFile": name}
        made = item_of({"Bodies": [BOX]}, folder / "inner", TextureData={"Textures": [given]})
        assert made.losses
    picture(folder)
    given = {"TextureFile": "crate.png"}
    made = item_of({"Bodies": [BOX]}, TextureData={"Textures": [given]})  # nobody says the folder
    assert only(made.scene().bodies).texture is None
    return made


@ROWS.shows("`BackgroundImage`, `BackgroundImageMode`")
def _(folder):
    scene, item = {"Bodies": [BOX]}, {"LevelItemId": 1, "PrototypId": 0}
    fields = {"BackgroundImage": picture(folder), "folder": folder}
    fits = [
        level([item], scene, BackgroundImageMode=mode, **fields).scene().render.background.fit
        for mode in (0, 1)
    ]
    assert fits == ["stretch", "contain"]
    (layer,) = level([item], scene, BackgroundImageMode=2, **fields).scene().layers
    assert (layer.at, layer.scale) == ((15.0, 20.0), 1.0)
    items = [{"PhysicSceneData": scene}]
    image = {"FileName": fields["BackgroundImage"], "Mode": 1}
    made = xman(PhysicLevelItems=items, BackgroundImage=image, folder=folder)
    assert made.scene().render.background.fit == "contain"
    return made


@ROWS.shows("`ForegroundImage`, on the ground (`BackgroundImage` in its holes)")
def _(folder):
    items = [{"LevelItemId": i, "Points": square(x, 50)} for i, x in ((1, 0), (2, 200))]
    made = level(items, ForegroundImage=picture(folder), folder=folder)
    left, right = made.scene().bodies.values()
    assert left.texture.size == right.texture.size == (300.0, 100.0)
    assert (left.texture.offset, right.texture.offset) == ((100.0, 0.0), (-100.0, 0.0))
    return made


@ROWS.shows("`BackgroundItems`, and prototypes with a `TextureFile`")
def _(folder):
    tree = {"TextureFile": picture(folder), "ZValue": -2}
    placed = {"Position": [700, 400], "SizeFactor": 2, "LocalPivot": [0.5, 1]}
    items = [{"LevelItemId": 1, "PrototypId": 1, **placed}, {"LevelItemId": 2, "PrototypId": 0}]
    made = level(items, {"Bodies": [BOX]}, tree, folder=folder)
    (layer,) = made.scene().layers
    assert (layer.at, layer.scale, layer.z) == ((700.0, 360.0), 2.0, -2)
    given = {**tree, "Center": [700, 360], "Width": 60, "Height": 80}
    simulated = xman(
        PhysicLevelItems=[{"PhysicSceneData": {"Bodies": [BOX]}}],
        BackgroundItems=[given],
        folder=folder,
    )
    assert simulated.scene().layers == made.scene().layers
    return made


@ROWS.shows("a background that is turned")
def _(folder):
    tree = {"TextureFile": picture(folder)}
    items = [{"LevelItemId": 1, "PrototypId": 1, "AngleInDegree": 30}, {"PrototypId": 0}]
    return level(items, {"Bodies": [BOX]}, tree, folder=folder)


@ROWS.shows("`TagdataEntries` of bodies: `TagType`, `TagId`, `Names`, `Color`, `AnchorPoints`")
def _():
    tag = {"TagType": 2, "TagId": 1, "Names": ["leg"], "Color": 3, "AnchorPoints": [[0, 10]]}
    made = item_of({"Bodies": [WALL, BOX]}, TagdataEntries=[tag])
    body = made.scene().bodies["item_1_rectangle_1"]
    assert (set(body.tags), body.points) == ({"leg", "color_3"}, {"anchor_0": (0.0, 10.0)})
    return made


@ROWS.shows("`TagdataEntries` of other things, `TagData`")
def _():
    tags = {"Tags": [{"Id": "crate", "Name": "box"}]}
    assert level([{"PrototypId": 0}], {"Bodies": [BOX]}, TagData=tags).losses
    return item_of({"Bodies": [BOX]}, TagdataEntries=[{"TagType": 3, "TagId": 0, "Names": ["a"]}])


@ROWS.shows(
    "`CameraTrackedLevelItemId`, `CameraTrackerData`: `Mode`, `CameraZoom`, "
    "`DistanceToScreenBorder`, `MaxBorder`"
)
def _():
    tracker = {"Mode": 1, "CameraZoom": 1.5, "MaxBorder": "0, 0, 900, 500"}
    items = [{"LevelItemId": i, "PrototypId": 0} for i in (3, 5)]
    fields = {"CameraTrackedLevelItemId": 5, "CameraTrackerData": tracker}
    camera = level(items, {"Bodies": [BOX]}, **fields).scene().camera
    assert (camera.mode, camera.style) == ("follow", "center")
    assert camera.target == "item_5.rectangle_0"
    assert (camera.zoom, camera.bounds) == (1.5, ((0.0, 0.0), (900.0, 500.0)))
    tracker |= {"Mode": 0, "DistanceToScreenBorder": 40}
    made = level(items, {"Bodies": [BOX]}, **fields)
    assert (made.scene().camera.style, made.scene().camera.margin) == ("keep_in", 40.0)
    two = level(items, {"Bodies": [BOX, {**BOX, "Center": [0, 0]}]}, **fields)
    assert len(two.scene().camera.targets) == 2
    return made


@ROWS.shows("`UseCameraAutoZoom`, where it follows nothing")
def _():
    fields = {"UseCameraAutoZoom": True, "CameraTrackedLevelItemId": -1, "CameraTrackerData": {}}
    made = level([{"PrototypId": 0}], {"Bodies": [BOX]}, **fields)
    assert (made.scene().camera.mode, made.scene().camera.fit) == ("fit", "start")
    return made
