# SPDX-License-Identifier: MIT
"""Messages of pages and programs to an editor, and its answers.

A message says what was done with the mouse, never text: `Editor.do` takes it as plain data
(JSON) and returns an answer as plain data. Every edit has these fields besides its own:

| field | meaning |
|---|---|
| `edit` | the kind, see the table below |
| `version` | the version of the document that the sender has seen; None: the present one |
| `choices` | answers to questions of an earlier `ask`, by their `key`: `{"expression": "constant"}` |
| `gesture` | a word: edits in succession with the same word are undone as one (arrow keys, a slider) |
| `step` | the grid's step or the size of a pixel: lengths are written no finer than this |
| `in_prototype` | a prototype that is edited alone: names in the message are its own, and the coordinates too |

**Objects** are named by path: `bodies.crate`, `bodies.crate[3]` (of a generator), `bodies.car.wheel` (of the instance `car`),
`instances.car`, `joints.knee`, `actuators.jet`, `prototypes.car`, `materials.wood`, `vars.n`, `annotations[2]`, `layers[0]`,
`events[1]`, `animations.walk`, `groups.tower`, `camera`, `render`, `world`, ...
**Coordinates** are the scene's (its length unit, its direction of y); **angles** are in degrees from +x towards +y, in all
messages, whatever unit the file has. Only the `value` of `set` and `add` is as a file says it.

| `edit` | own fields | does |
|---|---|---|
| `move` | `what`, `by: [dx, dy]` or `to: [x, y]` (origin of the first) | positions of bodies, instances, annotations, layers, joints (anchors), groups |
| `turn` | `what`, `by`, `about: [x, y]` (None: each about its origin) | angles, and positions round `about` |
| `scale` | `what`, `by: [sx, sy]` (body's axes), `about` (None: each from its origin) | sizes of shapes; `scale` of instances |
| `pivot` | `what` (a body or an instance), `at: [x, y]` in the world | its origin or pivot goes there, nothing visible moves |
| `duplicate` | `what`, `by: [dx, dy]`, `count` | copies with new names, joints among them too; `names` of the answer has them |
| `mirror` | `what`, `axis: "x"/"y"`, `at` (coordinate; None: middle of the objects) | reflects objects, shapes, joints among them |
| `align` | `what`, `to: left/center/right/top/middle/bottom` | by their boxes |
| `distribute` | `what`, `along: "x"/"y"` | equal distances of middles |
| `delete` | `what` | entries; asks `dependents` (`delete` or `keep`) if joints or others need them |
| `rename` | `what` (one), `to` | the entry and all references; also `categories.limb` and `tags.coin`, which are words without an entry |
| `add` | `section`, `name` (None: made up), `value`, `near` (name in whose style and words) | an entry of any section; lists too |
| `draw` | `kind: box/circle/capsule/bar/polygon/chain`, `points` (world), `radius` (of a bar: half its width), `type`, `simplify`, `fields` | a body from points of the picture |
| `join` | `type`, `bodies: [a, b]`, `at: [[x, y]]` or two points (world), `fields` | a joint |
| `set` | `path`, `value` | any property: `bodies.crate.color`, `world.gravity[1]`, `joints.knee.motor.speed`, `vars.n` |
| `unset` | `path` | a property, which has its default then |
| `vertices` | `what` (one body), `shape`, `do: move/insert/delete/round/simplify`, `index`, `to` (world), `radius` | points of polygons and chains |
| `split` | `what` (one body), `line: [[x, y], [x, y]]` | a body into two along a line |
| `combine` | `what` (two bodies), `how: union/difference/intersection` | outlines of the first and the second in the first |
| `anchor` | `what` (one joint), `end: 0/1/None`, `to: [x, y]` (world) | the anchor in the form that the file has |
| `joint` | `what`, `limits: [deg or length, ...]`, `axis: [x, y]` (world), `length`, `motor`, `spring` | handles of joints |
| `texture` | `what` (one body), `file`, `move: [dx, dy]` (world), `turn`, `scale: [sx, sy]`, `mirror: "x"/"y"`, `fields` | its texture |
| `keyframe` | `animation`, `do: set/move/delete`, `track`, `at`, `to`, `value` | keys of tracks, times from 0 to 1 |
| `prototype` | `what` (bodies and more), `name` | makes a prototype of objects, and an instance in their place |
| `instance` | `use`, `at`, `angle`, `name`, `file` | an instance of a prototype of the scene, or of a file |
| `unroll` | `what` (a generator or an instance) | its objects one by one |
| `group` | `what`, `name` | a group of bodies |
| `collide` | `a`, `b` (categories), `value: true/false` | a check box of the collision matrix |
| `reorder` | `what` (one), `to` (index among its neighbours) | the order of entries, such as of layers |
| `take_pose` | `poses: {body: [x, y, deg]}` | positions and angles as they are now in a run |
| `text` | `file`, `text` | the text pane: a whole text |
| `undo`, `redo` | | texts as they were |

**Answers** are one of

    {"done": true, "version": 8, "what": "Move crate", "undo": "Move crate", "redo": null,
     "files": {"scene.yaml": {"text": "...", "changed": [[120, 134, "[0.3, 4]"]]}}, "names": ["bodies.crate_2"], "notes": ["..."]}
    {"ask": [{"key": "expression", "about": "bodies.crate.position[0]", "question": "...",
              "options": [{"value": "constant", "text": "=1.5 + i becomes =1.8 + i"}, ...]}], "version": 7}
    {"refused": "...", "version": 7, "at": {"file": "scene.yaml", "line": 3, "column": 5, "path": "..."} or null,
     "differs": ["bodies.crate.position is [1, 2] now; it was [0, 2]"]}

`changed` has splices of the text of `version - 1`: characters from `start` to `end` become `text`. `names` are the paths of objects
that the edit made or renamed, to be selected. Nothing is written when an answer asks or refuses. Keys of questions and their options:

| `key` | asked when | options |
|---|---|---|
| `expression` | a value is an expression | `constant` (its constant term, or a factor), `number` (a number instead), `var` (the var that it names) |
| `generated` | an object comes of a generator | `generator` (all of them), `copy` (this one, by `overrides`), `unroll` (entries one by one), `when` (left out, to delete it), `skip` (not in `take_pose`) |
| `instance` | an object comes of an instance | `instance` (the whole instance), `prototype` (all instances of it) |
| `shared` | a value has an anchor (`&a`) or is an alias (`*a`) | `all` (where it is said), `here` (a value of its own) |
| `included` | another file says it | `there` (written into that file), `here` (said in this file instead) |
| `material` | a material or `defaults` give the value | `there` (for all that have it), `here` (overridden for this one) |
| `dependents` | joints and more need what is deleted | `delete` (with them), `keep` (only what can stay; refused if the scene needs them) |
"""  # noqa: E501

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, TypeAdapter, ValidationError

from ..errors import UsageError

Point = tuple[FiniteFloat, FiniteFloat]
Names = Annotated[list[str], Field(min_length=1)]


class Message(BaseModel):
    """Fields of all edits."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    version: int | None = None
    choices: dict[str, str] = {}
    gesture: str | None = None
    step: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    in_prototype: str | None = None


class Move(Message):
    edit: Literal["move"]
    what: Names
    by: Point | None = None
    to: Point | None = None


class Turn(Message):
    edit: Literal["turn"]
    what: Names
    by: FiniteFloat
    about: Point | None = None


class Scale(Message):
    edit: Literal["scale"]
    what: Names
    by: Point
    about: Point | None = None


class Pivot(Message):
    edit: Literal["pivot"]
    what: Names
    at: Point


class Duplicate(Message):
    edit: Literal["duplicate"]
    what: Names
    by: Point = (0.0, 0.0)
    count: Annotated[int, Field(ge=1, le=1000)] = 1


class Mirror(Message):
    edit: Literal["mirror"]
    what: Names
    axis: Literal["x", "y"] = "x"
    at: FiniteFloat | None = None


class Align(Message):
    edit: Literal["align"]
    what: Names
    to: Literal["left", "center", "right", "top", "middle", "bottom"]


class Distribute(Message):
    edit: Literal["distribute"]
    what: Names
    along: Literal["x", "y"]


class Delete(Message):
    edit: Literal["delete"]
    what: Names


class Rename(Message):
    edit: Literal["rename"]
    what: Names
    to: str


class Add(Message):
    edit: Literal["add"]
    section: str
    value: Any
    name: str | None = None
    near: str | None = None


class Draw(Message):
    edit: Literal["draw"]
    kind: Literal["box", "circle", "capsule", "bar", "polygon", "chain"]
    points: list[Point]
    radius: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    type: Literal["static", "kinematic", "dynamic"] = "dynamic"
    simplify: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    name: str | None = None
    fields: dict[str, Any] = {}


class Join(Message):
    edit: Literal["join"]
    type: str
    bodies: tuple[str, str]
    at: Annotated[list[Point], Field(min_length=1, max_length=2)]
    name: str | None = None
    fields: dict[str, Any] = {}


class Set(Message):
    edit: Literal["set"]
    path: str
    value: Any


class Unset(Message):
    edit: Literal["unset"]
    path: str


class Vertices(Message):
    edit: Literal["vertices"]
    what: Names
    do: Literal["move", "insert", "delete", "round", "simplify"]
    shape: Annotated[int, Field(ge=0)] = 0
    index: Annotated[int, Field(ge=0)] | None = None
    to: Point | None = None
    radius: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


class Split(Message):
    edit: Literal["split"]
    what: Names
    line: tuple[Point, Point]


class Combine(Message):
    edit: Literal["combine"]
    what: Annotated[list[str], Field(min_length=2, max_length=2)]
    how: Literal["union", "difference", "intersection"]


class Anchor(Message):
    edit: Literal["anchor"]
    what: Names
    to: Point
    end: Literal[0, 1] | None = None


class Joint(Message):
    edit: Literal["joint"]
    what: Names
    limits: tuple[float | None, float | None] | None = None
    axis: Point | None = None
    length: FiniteFloat | None = None
    motor: dict[str, Any] | None = None
    spring: dict[str, Any] | None = None


class Texture(Message):
    edit: Literal["texture"]
    what: Names
    file: str | None = None
    move: Point | None = None
    turn: FiniteFloat | None = None
    scale: Point | None = None
    mirror: Literal["x", "y"] | None = None
    fields: dict[str, Any] = {}


class Keyframe(Message):
    edit: Literal["keyframe"]
    animation: str
    track: str
    do: Literal["set", "move", "delete"] = "set"
    at: Annotated[float, Field(ge=0, le=1)]
    to: Annotated[float, Field(ge=0, le=1)] | None = None
    value: Any = None


class MakePrototype(Message):
    edit: Literal["prototype"]
    what: Names
    name: str


class Instance(Message):
    edit: Literal["instance"]
    use: str
    at: Point = (0.0, 0.0)
    angle: FiniteFloat = 0.0
    name: str | None = None
    file: str | None = None


class Unroll(Message):
    edit: Literal["unroll"]
    what: Names


class Group(Message):
    edit: Literal["group"]
    what: Names
    name: str


class Collide(Message):
    edit: Literal["collide"]
    a: str
    b: str
    value: bool


class Reorder(Message):
    edit: Literal["reorder"]
    what: Names
    to: Annotated[int, Field(ge=0)]


class TakePose(Message):
    edit: Literal["take_pose"]
    poses: dict[str, tuple[FiniteFloat, FiniteFloat, FiniteFloat]]


class ReplaceText(Message):
    edit: Literal["text"]
    file: str
    text: str


class Undo(Message):
    edit: Literal["undo"]


class Redo(Message):
    edit: Literal["redo"]


Edit = Annotated[
    Move | Turn | Scale | Pivot | Duplicate | Mirror | Align | Distribute | Delete | Rename
    | Add | Draw | Join | Set | Unset | Vertices | Split | Combine | Anchor | Joint | Texture
    | Keyframe | MakePrototype | Instance | Unroll | Group | Collide | Reorder | TakePose
    | ReplaceText | Undo | Redo,
    Field(discriminator="edit"),
]  # fmt: skip
_ADAPTER: TypeAdapter[Any] = TypeAdapter(Edit)


def read_message(data: Any) -> Message:
    """The message of plain data, checked. Raises UsageError for one that is none."""
    try:
        found: Message = _ADAPTER.validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(each) for each in first["loc"])
        raise UsageError(f"this is no edit: {where}: {first['msg']}") from None
    return found
