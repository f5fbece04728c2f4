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
    about,
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
    length: Annotated[str, OneOf(("m", "cm", "px"))] = about("m (default), cm or px.", "m")
    time: Annotated[str, OneOf(("s", "ms"))] = about("s (default) or ms.", "s")
    angle: Annotated[str, OneOf(("deg", "rad"))] = about("deg (default) or rad.", "deg")
    y: Annotated[str, OneOf(("up", "down"))] = about(
        "Where +y points on the screen: up (default) or down.", "up"
    )


class SolverInput(Input):
    form: ClassVar[str] = "`{type: sequential_impulse}`"
    type: Annotated[str, OneOf(get_args(SolverKind))] = about(
        "soft_step (default), sequential_impulse, or one of the textbook solvers.", "soft_step"
    )
    joints: Annotated[str | None, OneOf(("auto", "direct", "iterative"))] = about(
        "auto (default), direct or iterative: how joints that hang together are solved."
    )
    substeps: Annotated[Value, Quantity(low=1, high=64, whole=True)] = about(
        "soft_step: parts of a step (default 4)."
    )
    iterations: Annotated[Value, Quantity(low=1, high=1000, whole=True)] = about(
        "All but soft_step: rounds over all constraints (default 10; 15, 100, 20)."
    )
    warm_start: TruthField = about(
        "sequential_impulse, pgs: begin with last step's impulses (default true)."
    )
    position_correction: TruthField = about(
        "All but soft_step, verlet: push overlaps apart (default true)."
    )
    correction_rate: Fraction = about("Part of an overlap removed a step (default 0.2; 0.8, 1).")
    allowed_penetration: Distance = about("Overlap left alone (default 0.01 length_unit).")
    friction_limit: Annotated[str | None, OneOf(("normal_impulse", "gravity"))] = about(
        "normal_impulse (default) or gravity."
    )
    clamp: Annotated[str | None, OneOf(("accumulated", "each", "none"))] = about(
        "sequential_impulse: accumulated (default), each or none."
    )
    external_force: Annotated[str | None, OneOf(("before", "between", "after"))] = about(
        "sequential_impulse: before, between (default) or after."
    )
    tangent: Annotated[str | None, OneOf(("friction_impulse", "none"))] = about(
        "iterative_impulse: friction_impulse (default) or none."
    )
    grouping: Annotated[str | None, OneOf(("global", "pair", "contact"))] = about(
        "pgs_matrix: global (default), pair or contact."
    )
    stiffness: Fraction = about(
        "verlet: how much of a change of shape a step takes back (default 1)."
    )
    contacts: Annotated[str | None, OneOf(("native", "document"))] = about(
        "Textbook solvers: the engine's (native, default) or the document's functions."
    )


class AirInput(Input):
    form: ClassVar[str] = "`{linear_damping: 0.1}`"
    linear_damping: Rate = about("Decay of velocities (default 0).")
    angular_damping: Rate = about("Decay of angular velocities (default 0).")


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
    ] = about("Acceleration of free fall (default 9.81 m/s^2 downwards on the screen).")
    dt: Duration = about("Length of a step (default 1/60 s).")
    duration: Duration = about("Length of the run (default 8 s); or give `steps`.")
    steps: Annotated[Value, Quantity(low=1, whole=True)] = about("Number of steps of the run.")
    seed: Annotated[Value, Quantity(low=0, high=2**53, whole=True)] = about(
        "Seed of the random functions of expressions (default 0)."
    )
    sleep: TruthField = about("Whether bodies at rest stop being simulated (default true).")
    length_unit: Annotated[Value, Quantity(above=0.0, low=1e-6, high=1e6)] = about(
        "How many length units a metre-sized thing has (1, or 100 for px and cm)."
    )
    solver: SolverInput | None = about("Which solver steps the scene.")
    air: AirInput | None = about("Damping of all bodies that do not say their own.")
    bounds: Rectangle = about("Bodies that leave these two corners are removed (default: none).")
    on_error: Annotated[str | None, OneOf(("stop", "warn"))] = about(
        "stop (default) or warn when a body's state is not finite or runs away."
    )


class DefaultsInput(Input):
    material: Annotated[Any, Custom(_check_default_material, _MATERIAL_SCHEMA)] = about(
        "A material's name for bodies without one, or fields that materials lack."
    )
    body: BodyFields | None = about("Fields for all bodies that do not say them.")
    joint: JointFields | None = about("Fields for all joints that do not say them.")


_CATEGORY_PAIRS = ListOf(
    Tuple(Name("the name of a category"), 2, "two categories [a, b]"),
    "a list of pairs of categories [[a, b], ...]",
    most=limits.CATEGORIES * limits.CATEGORIES,
)
_MIXING = OneOf(("min", "max", "mean", "product", "geometric_mean"))


class CollisionInput(Input):
    categories: Annotated[
        Any, ListOf(Name("the name of a category"), "a list of names", most=limits.CATEGORIES)
    ] = about("The names of the categories (default: those in use).")
    ignore: Annotated[Any, _CATEGORY_PAIRS] = about(
        "Pairs of categories that do not touch; all others do."
    )
    collide: Annotated[Any, _CATEGORY_PAIRS] = about(
        "Pairs of categories that touch; no others do."
    )
    pairs_ignore: Annotated[
        Any,
        ListOf(
            Tuple(Name("the name of a body"), 2, "two bodies [a, b]"),
            "a list of pairs of bodies [[a, b], ...]",
            most=limits.PAIRS,
        ),
    ] = about("Pairs of single bodies that do not touch.")
    friction_mixing: Annotated[str | None, _MIXING] = about(
        "How two frictions mix (default geometric_mean)."
    )
    restitution_mixing: Annotated[str | None, _MIXING] = about(
        "How two restitutions mix (default max)."
    )


class CameraInput(Input):
    mode: Annotated[str, OneOf(("fit", "region", "follow"))] = about(
        "fit (default), region or follow.", "fit"
    )
    fit: Annotated[str | None, OneOf(("run", "start"))] = about(
        "fit: run (default), all that moves in the run; start, all there is at the start."
    )
    rect: Rectangle = about("region: two corners.")
    target: Annotated[Any, Name("the name of a body")] = about("follow: the body.")
    style: Annotated[str | None, OneOf(("center", "keep_in"))] = about(
        "follow: center (default) or keep_in."
    )
    margin: Distance = about("fit, follow: space around, a length.")
    zoom: Positive = about("follow: pixels per length unit.")
    bounds: Rectangle = about("follow: two corners that the view stays inside.")


class BackgroundInput(Input):
    color: Colour = about("A colour.")
    image: Annotated[str | None, Text("the name of an image file")] = about(
        "An image file in the scene's folder."
    )
    fit: Annotated[str | None, OneOf(("stretch", "contain", "world"))] = about(
        "stretch (default), contain or world."
    )


def _check_zero(value: Any, context: Context) -> Any:
    if value in ("start", "lowest"):
        return value
    if isinstance(value, str) and value.strip().isalpha():
        raise Wrong("unknown-word", f"must be a height, `start` or `lowest`, not {show(value)}")
    return Quantity((units.LENGTH,)).check(value, context)


_ZERO_SCHEMA = {"anyOf": [{"enum": ["start", "lowest"]}, Quantity((units.LENGTH,)).schema()]}
_CORNERS = ("auto", "top_left", "top_right", "bottom_left", "bottom_right")


class EnergyInput(Input):
    zero: Annotated[Any, Custom(_check_zero, _ZERO_SCHEMA)] = about(
        "The height (y) where potential energies are 0 (default 0), or start, or lowest."
    )
    corner: Annotated[str | None, OneOf(_CORNERS)] = about(
        "auto (default), top_left, top_right, bottom_left or bottom_right."
    )
    range: Annotated[Any, Tuple(Quantity(), 2, "two energies in joule [least, greatest]")] = about(
        "The axis, in joule: [least, greatest] (default: what there is in the run)."
    )
    scale: Annotated[Value, Quantity(low=limits.GRAPH_SCALE[0], high=limits.GRAPH_SCALE[1])] = (
        about("Drawn larger by this factor (default 1).")
    )


_SIDE = Quantity(low=limits.FRAME_SIDE[0], high=limits.FRAME_SIDE[1], whole=True)


class RenderInput(Input):
    size: Annotated[Any, Tuple(_SIDE, 2, "a size in pixels [width, height]")] = about(
        "Pixels [width, height] (default [640, 480])."
    )
    fps: Annotated[
        Value, Quantity((units.NUMBER, units.FREQUENCY), low=limits.LEAST_FPS, high=limits.FPS)
    ] = about("Frames per second (default 30).")
    supersample: Annotated[Value, Quantity(low=1, high=limits.SUPERSAMPLE, whole=True)] = about(
        "Drawn larger by this factor and averaged, 1 to 4 (default 1)."
    )
    background: Annotated[BackgroundInput, BeforeValidator(_as_background)] | None = about(
        "A colour, or an image (default: the theme's)."
    )
    theme: Annotated[str | None, OneOf(("light", "dark", "blueprint"))] = about(
        "light (default), dark or blueprint."
    )
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
    ] = about("What is drawn besides the bodies.")
    palette: Annotated[str | None, OneOf(("categories", "forces", "materials", "bodies"))] = about(
        "What colours tell apart: bodies (default), categories, materials, forces."
    )
    energy: EnergyInput | None = about("How the overlay energy looks.")


class RecordInput(Input):
    every: Annotated[Value, Quantity(low=1, high=limits.STEPS, whole=True)] = about(
        "Keep each n-th step (default 1)."
    )
    channels: Words = about(
        "What to keep: bodies, joints or single quantities (default: all bodies)."
    )


class ExpectInput(Input):
    hints: ClassVar[dict[str, str]] = {
        "joint": "what a joint does is asked for by expressions: `that: =hinge.angle < 1`",
    }
    at: Annotated[Any, Custom(_check_at, _AT_SCHEMA)] = about("When: a time, or end (default).")
    that: Annotated[Any, Custom(_check_state, EXPRESSION_SCHEMA)] = about("Holds at that time.")
    always: Annotated[Any, Custom(_check_state, EXPRESSION_SCHEMA)] = about("Holds at every step.")
    eventually: Annotated[Any, Custom(_check_state, EXPRESSION_SCHEMA)] = about(
        "Holds at some step."
    )
    body: Annotated[str | None, Name("the name of a body")] = about(
        "The body whose state is compared."
    )
    position: PointField = about("Its expected position.")
    angle: Angle = about("Its expected angle.")
    velocity: VelocityField = about("Its expected velocity.")
    angular_velocity: AngularSpeed = about("Its expected angular velocity.")
    tolerance: NotNegative = about(
        "Allowed difference of each (default 0.01 length units, or 0.01 rad)."
    )


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
    rigid: Annotated[Any, Custom(_check_version, {"const": 1})] = about(
        "The format's version, always 1."
    )  # the loader asks for it
    name: Annotated[str | None, Text("a text")] = about("A title, shown in the gallery.")
    description: Annotated[str | None, Text("a text")] = about("What the scene shows.")
    tags: Words = about("Words to find the scene by.")
    include: Annotated[Any, ListOf(Text("a file name"), "a list of files", 0, limits.INCLUDES)] = (
        about("Scene files that are merged first; definitions here win over theirs.")
    )
    units: Annotated[Any, Custom(_pass, _UNITS_SCHEMA)] = about(
        "si (default), screen, or the long form."
    )
    vars: dict[str, Annotated[Any, Custom(_pass, _VAR_SCHEMA)]] | None = about(
        "Numbers with names, for expressions; `--set vars.n=7` overrides one."
    )
    world: WorldInput | None = about("Gravity, time step, duration, solver and the like.")
    materials: dict[str, MaterialInput] | None = about("Materials by name.")
    defaults: DefaultsInput | None = about(
        "What materials, bodies and joints get when they do not say."
    )
    collision: CollisionInput | None = about("Who may touch whom, and how two materials mix.")
    bodies: dict[str, BodyInput] | None = about("Bodies by name.")
    joints: dict[str, JointInput] | None = about("Joints by name.")
    actuators: dict[str, ActuatorInput] | None = about("Forces on bodies, by name.")
    camera: CameraInput | None = about("What part of the world a picture shows.")
    render: RenderInput | None = about("How a picture looks.")
    record: RecordInput | None = about("What a trace keeps.")
    expect: list[ExpectInput] | None = about("What must hold during or after a run.")


class FragmentInput(Input):
    """What is added to a running world."""

    later: ClassVar[tuple[str, ...]] = ("prototypes", "instances")
    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(
            ("vars", "materials", "defaults", "units", "world", "collision"),
            "those of the scene hold for what is added",
        ),
    }
    bodies: dict[str, BodyInput] | None = about(
        "Bodies by name, which are added to a running world."
    )
    joints: dict[str, JointInput] | None = about(
        "Joints by name, between these and bodies that are there."
    )
    actuators: dict[str, ActuatorInput] | None = about(
        "Actuators by name, of these and of bodies that are there."
    )
