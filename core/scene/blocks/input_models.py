"""The input models of a whole scene file: they check it, and the JSON Schema comes from them.

A field that is not given is None; the defaults of the format are those of ``model.py``.
"""

from typing import Annotated, Any, ClassVar, get_args

from pydantic import BeforeValidator

from .. import limits
from ..model import SolverKind
from ..values import units
from ..values.context import Context, Wrong
from ..values.fields import (
    Angle,
    AngularSpeed,
    Colour,
    Distance,
    Duration,
    Fraction,
    Input,
    NotNegative,
    Pair,
    PointField,
    Positive,
    Rate,
    Rectangle,
    TruthField,
    Value,
    VelocityField,
    Words,
)
from ..values.kinds import EXPRESSION_SCHEMA, Custom, ListOf, OneOf, Text, Tuple, show
from ..values.names import Name
from ..values.quantity import Quantity
from .actuator_models import ActuatorInput
from .body_models import BodyFields, BodyInput, MaterialInput
from .joint_models import JointFields, JointInput

FORMAT_VERSION = 1


def _pass(value: Any, context: Context) -> Any:
    return value


def _check_version(value: Any, context: Context) -> Any:
    if value == FORMAT_VERSION and not isinstance(value, bool):
        return value
    raise Wrong("unsupported", f"the format's version must be 1 (`rigid: 1`), not {show(value)}")


def _as_background(value: Any) -> Any:
    return {"color": value} if isinstance(value, str) else value


def _check_at(value: Any, context: Context) -> Any:
    if value == "end":
        return value
    return Quantity((units.TIME,), low=0.0).check(value, context)


def _check_state(value: Any, context: Context) -> str:
    if not isinstance(value, str) or not value.strip().startswith("="):
        raise Wrong("wrong-type", f"must be an expression such as `=ball.y > 0`, not {show(value)}")
    context.compile(value.strip())
    return value.strip()


def _check_default_material(value: Any, context: Context) -> Any:
    if isinstance(value, dict):
        return value
    return Name("the name of a material, or a mapping of what materials do not say").check(
        value, context
    )


_AT_SCHEMA = {"anyOf": [{"const": "end"}, Quantity((units.TIME,), low=0.0).schema()]}
_UNITS_SCHEMA = {"anyOf": [{"enum": ["si", "screen"]}, {"model": "UnitsInput"}]}
_MATERIAL_SCHEMA = {"anyOf": [{"type": "string"}, {"model": "MaterialInput"}]}
_VAR_SCHEMA = {"type": ["number", "boolean", "string"]}


class UnitsInput(Input):
    length: Annotated[str, OneOf(("m", "cm", "px"))] = "m"
    time: Annotated[str, OneOf(("s", "ms"))] = "s"
    angle: Annotated[str, OneOf(("deg", "rad"))] = "deg"
    y: Annotated[str, OneOf(("up", "down"))] = "up"


class SolverInput(Input):
    form: ClassVar[str] = "`{type: sequential_impulse}`"
    type: Annotated[str, OneOf(get_args(SolverKind))] = "soft_step"
    joints: Annotated[str | None, OneOf(("auto", "direct", "iterative"))] = None
    substeps: Annotated[Value, Quantity(low=1, high=64, whole=True)] = None
    iterations: Annotated[Value, Quantity(low=1, high=1000, whole=True)] = None
    warm_start: TruthField = None
    position_correction: TruthField = None
    correction_rate: Fraction = None
    allowed_penetration: Distance = None
    friction_limit: Annotated[str | None, OneOf(("normal_impulse", "gravity"))] = None
    clamp: Annotated[str | None, OneOf(("accumulated", "each", "none"))] = None
    external_force: Annotated[str | None, OneOf(("before", "between", "after"))] = None
    tangent: Annotated[str | None, OneOf(("friction_impulse", "none"))] = None
    grouping: Annotated[str | None, OneOf(("global", "pair", "contact"))] = None
    stiffness: Fraction = None
    contacts: Annotated[str | None, OneOf(("native", "document"))] = None


class AirInput(Input):
    form: ClassVar[str] = "`{linear_damping: 0.1}`"
    linear_damping: Rate = None
    angular_damping: Rate = None


_IN_SOLVER = "it belongs in `solver: {...}`"
_IN_AIR = "it belongs in `air: {...}`"
_STEP = "the length of a step is `dt`"


class WorldInput(Input):
    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("substeps", "iterations", "warm_start", "joints"), _IN_SOLVER),
        **dict.fromkeys(("linear_damping", "angular_damping"), _IN_AIR),
        **dict.fromkeys(("timestep", "time_step", "step"), _STEP),
    }
    gravity: Annotated[
        Pair, Tuple(Quantity((units.ACCELERATION,)), 2, "an acceleration [x, y]")
    ] = None
    dt: Duration = None
    duration: Duration = None
    steps: Annotated[Value, Quantity(low=1, whole=True)] = None
    seed: Annotated[Value, Quantity(low=0, high=2**53, whole=True)] = None
    sleep: TruthField = None
    length_unit: Annotated[Value, Quantity(above=0.0, low=1e-6, high=1e6)] = None
    solver: SolverInput | None = None
    air: AirInput | None = None
    bounds: Rectangle = None
    on_error: Annotated[str | None, OneOf(("stop", "warn"))] = None


class DefaultsInput(Input):
    material: Annotated[Any, Custom(_check_default_material, _MATERIAL_SCHEMA)] = None
    body: BodyFields | None = None
    joint: JointFields | None = None


_CATEGORY_PAIRS = ListOf(
    Tuple(Name("the name of a category"), 2, "two categories [a, b]"),
    "a list of pairs of categories [[a, b], ...]",
    most=limits.CATEGORIES * limits.CATEGORIES,
)
_MIXING = OneOf(("min", "max", "mean", "product", "geometric_mean"))


class CollisionInput(Input):
    categories: Annotated[
        Any, ListOf(Name("the name of a category"), "a list of names", most=limits.CATEGORIES)
    ] = None
    ignore: Annotated[Any, _CATEGORY_PAIRS] = None
    collide: Annotated[Any, _CATEGORY_PAIRS] = None
    pairs_ignore: Annotated[
        Any,
        ListOf(
            Tuple(Name("the name of a body"), 2, "two bodies [a, b]"),
            "a list of pairs of bodies [[a, b], ...]",
            most=limits.PAIRS,
        ),
    ] = None
    friction_mixing: Annotated[str | None, _MIXING] = None
    restitution_mixing: Annotated[str | None, _MIXING] = None


class CameraInput(Input):
    mode: Annotated[str, OneOf(("fit", "region", "follow"))] = "fit"
    fit: Annotated[str | None, OneOf(("run", "start"))] = None
    rect: Rectangle = None
    target: Annotated[Any, Name("the name of a body")] = None
    style: Annotated[str | None, OneOf(("center", "keep_in"))] = None
    margin: Distance = None
    zoom: Positive = None
    bounds: Rectangle = None


class BackgroundInput(Input):
    color: Colour = None
    image: Annotated[str | None, Text("the name of an image file")] = None
    fit: Annotated[str | None, OneOf(("stretch", "contain", "world"))] = None


def _check_zero(value: Any, context: Context) -> Any:
    if value in ("start", "lowest"):
        return value
    if isinstance(value, str) and value.strip().isalpha():
        raise Wrong("unknown-word", f"must be a height, `start` or `lowest`, not {show(value)}")
    return Quantity((units.LENGTH,)).check(value, context)


_ZERO_SCHEMA = {"anyOf": [{"enum": ["start", "lowest"]}, Quantity((units.LENGTH,)).schema()]}
_CORNERS = ("auto", "top_left", "top_right", "bottom_left", "bottom_right")


class EnergyInput(Input):
    zero: Annotated[Any, Custom(_check_zero, _ZERO_SCHEMA)] = None
    corner: Annotated[str | None, OneOf(_CORNERS)] = None
    range: Annotated[Any, Tuple(Quantity(), 2, "two energies in joule [least, greatest]")] = None
    scale: Annotated[Value, Quantity(low=limits.GRAPH_SCALE[0], high=limits.GRAPH_SCALE[1])] = None


_SIDE = Quantity(low=limits.FRAME_SIDE[0], high=limits.FRAME_SIDE[1], whole=True)


class RenderInput(Input):
    size: Annotated[Any, Tuple(_SIDE, 2, "a size in pixels [width, height]")] = None
    fps: Annotated[
        Value, Quantity((units.NUMBER, units.FREQUENCY), low=limits.LEAST_FPS, high=limits.FPS)
    ] = None
    supersample: Annotated[Value, Quantity(low=1, high=limits.SUPERSAMPLE, whole=True)] = None
    background: Annotated[BackgroundInput, BeforeValidator(_as_background)] | None = None
    theme: Annotated[str | None, OneOf(("light", "dark", "blueprint"))] = None
    overlays: Annotated[
        tuple[str, ...] | None,
        ListOf(
            OneOf(
                (
                    "contacts",
                    "normals",
                    "joints",
                    "velocities",
                    "forces",
                    "aabbs",
                    "trails",
                    "names",
                    "grid",
                    "time",
                    "energy",
                )
            ),
            "a list of overlays",
        ),
    ] = None
    palette: Annotated[str | None, OneOf(("categories", "forces", "materials", "bodies"))] = None
    energy: EnergyInput | None = None


class RecordInput(Input):
    every: Annotated[Value, Quantity(low=1, high=limits.STEPS, whole=True)] = None
    channels: Words = None


class ExpectInput(Input):
    hints: ClassVar[dict[str, str]] = {
        "joint": "what a joint does is asked for by expressions: `that: =hinge.angle < 1`",
    }
    at: Annotated[Any, Custom(_check_at, _AT_SCHEMA)] = None
    that: Annotated[Any, Custom(_check_state, EXPRESSION_SCHEMA)] = None
    always: Annotated[Any, Custom(_check_state, EXPRESSION_SCHEMA)] = None
    eventually: Annotated[Any, Custom(_check_state, EXPRESSION_SCHEMA)] = None
    body: Annotated[str | None, Name("the name of a body")] = None
    position: PointField = None
    angle: Angle = None
    velocity: VelocityField = None
    angular_velocity: AngularSpeed = None
    tolerance: NotNegative = None


class SceneInput(Input):
    """The whole file. ``vars``, ``units`` and ``include`` are read before the rest is checked."""

    later: ClassVar[tuple[str, ...]] = (
        "prototypes",
        "instances",
        "animations",
        "controls",
        "inputs",
        "events",
    )
    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("gravity", "dt", "duration", "solver"), "it belongs in `world: {...}`"),
        **dict.fromkeys(("overlays", "size", "fps", "theme"), "it belongs in `render: {...}`"),
        "constraints": "they are `joints`",
        "forces": "they are `actuators`",
        "motors": "a joint has a `motor: {...}`; what turns a body by itself is one of `actuators`",
    }
    rigid: Annotated[Any, Custom(_check_version, {"const": 1})] = None  # the loader asks for it
    name: Annotated[str | None, Text("a text")] = None
    description: Annotated[str | None, Text("a text")] = None
    tags: Words = None
    include: Annotated[Any, ListOf(Text("a file name"), "a list of files", 0, limits.INCLUDES)] = (
        None
    )
    units: Annotated[Any, Custom(_pass, _UNITS_SCHEMA)] = None
    vars: dict[str, Annotated[Any, Custom(_pass, _VAR_SCHEMA)]] | None = None
    world: WorldInput | None = None
    materials: dict[str, MaterialInput] | None = None
    defaults: DefaultsInput | None = None
    collision: CollisionInput | None = None
    bodies: dict[str, BodyInput] | None = None
    joints: dict[str, JointInput] | None = None
    actuators: dict[str, ActuatorInput] | None = None
    camera: CameraInput | None = None
    render: RenderInput | None = None
    record: RecordInput | None = None
    expect: list[ExpectInput] | None = None


class FragmentInput(Input):
    """What is added to a running world."""

    later: ClassVar[tuple[str, ...]] = ("prototypes", "instances")
    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(
            ("vars", "materials", "defaults", "units", "world", "collision"),
            "those of the scene hold for what is added",
        ),
    }
    bodies: dict[str, BodyInput] | None = None
    joints: dict[str, JointInput] | None = None
    actuators: dict[str, ActuatorInput] | None = None
