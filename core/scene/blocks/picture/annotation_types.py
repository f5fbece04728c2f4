# SPDX-License-Identifier: MIT
"""The types of annotations: their fields, building and writing.

``core/render/marks/annotation_kinds.py`` draws each by a class of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from ....nearest import nearest_name
from ... import limits
from ...model import Annotation
from ...values import units
from ...values.context import Context, Wrong
from ...values.fields import (
    POINT,
    Colour,
    Input,
    Length,
    Number,
    PointField,
    Time,
    TruthField,
    Value,
    about,
)
from ...values.kinds import Custom, OneOf, Text, Tuple, show
from ...values.quantity import Quantity
from ...values.vector_names import (
    OF_BODIES,
    OF_CONTACTS,
    OF_JOINTS,
    OF_POINTS,
    SCALES,
    vector_name,
)
from .annotation_builder import AnnotationBuilder

SHOWN = ("name", "value", "both", "none")
PLACES = ("top_left", "top", "top_right", "center", "bottom_left", "bottom", "bottom_right")
AUTO = "auto"
"""The place of a plot in the corner where it hides least, which is the default."""
STRIPS = ("above", "below", "left", "right")
_SIDES = {"bottom": "below", "under": "below", "top": "above"}
LEGENDS = ("top", "ends", "none")


def _check_expression(value: Any, context: Context) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(Quantity().check(value, context))
    if not isinstance(value, str) or not value.strip():
        raise Wrong("wrong-type", f"must be an expression such as `ball.y`, not {show(value)}")
    return value.strip().removeprefix("=")


def _check_vector(value: Any, context: Context) -> Any:
    if isinstance(value, list):
        return _PAIR.check(value, context)
    if isinstance(value, str) and "." in value:
        return value.strip()
    raise Wrong(
        "wrong-type",
        "must be a vector such as `ball.velocity`, or its two parts [=..., =...], not "
        f"{show(value)}",
    )


def _check_components(value: Any, context: Context) -> Any:
    if isinstance(value, str) and not value.lstrip().startswith("=") and value[:1].isalpha():
        return value.strip()
    return _ANGLE.check(value, context)


def _check_ends(value: Any, context: Context) -> Any:
    if not isinstance(value, list) or len(value) != 2:
        message = f"must be two ends, each a point [x, y] or the name of a body, not {show(value)}"
        raise Wrong("wrong-type", message)
    return tuple(
        end.strip() if isinstance(end, str) else POINT.check(end, context) for end in value
    )


def _check_lines(value: Any, context: Context) -> Any:
    if value == "phase":
        return value
    lines = value if isinstance(value, list) else [value]
    if not 1 <= len(lines) <= limits.PLOT_LINES:
        raise Wrong("limit", f"a plot has 1 to {limits.PLOT_LINES} lines, not {len(lines)}")
    return tuple(_check_expression(line, context) for line in lines)


def _check_names(value: Any, context: Context) -> tuple[str, ...]:
    names = value if isinstance(value, list) else [value]
    return tuple(_NAME_OF_LINE.check(name, context) for name in names)


def _check_seconds(value: Any, context: Context) -> Any:
    return value if value == "run" else _DURATION.check(value, context)


def _check_range(value: Any, context: Context) -> Any:
    if value == "run":
        return None
    if value in ("shown", "typical"):
        return value
    if not isinstance(value, list):
        message = f"must be run, typical, shown or two numbers [least, greatest], not {show(value)}"
        raise Wrong("wrong-type", message)
    return _ENDS_OF_AXIS.check(value, context)


_NAME_OF_LINE = Text("the name of a line, or a list of names")
_NAMES_SCHEMA = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_DURATION = Quantity((units.TIME,), above=0.0)
_SECONDS_SCHEMA = {"anyOf": [{"enum": ["run"]}, _DURATION.schema()]}
_ENDS_OF_AXIS = Tuple(Quantity(), 2, "two numbers [least, greatest]")
_RANGE_SCHEMA = {"anyOf": [{"enum": ["run", "typical", "shown"]}, _ENDS_OF_AXIS.schema()]}
_SIDE = Quantity(low=limits.PLOT_SIDE[0], high=limits.PLOT_SIDE[1])
_ANGLE = Quantity((units.ANGLE,))
_EXPRESSION_SCHEMA = {
    "type": ["string", "number"],
    "description": "an expression over the state of the run",
}
_EXPRESSION = Custom(_check_expression, _EXPRESSION_SCHEMA)
_PAIR = Tuple(_EXPRESSION, 2, "the two parts of a vector [=..., =...]")
_VECTOR_SCHEMA = {"anyOf": [{"type": "string"}, _PAIR.schema()]}
_LINES_SCHEMA = {
    "anyOf": [{"type": "string"}, {"type": "array", "items": _EXPRESSION_SCHEMA, "minItems": 1}]
}
_ENDS_SCHEMA = {
    "type": "array",
    "items": {"anyOf": [{"type": "string"}, POINT.schema()]},
    "minItems": 2,
    "maxItems": 2,
}
_COMPONENTS_SCHEMA = {"type": ["string", "number"]}
_NAME = Annotated[str | None, Text("the name of a body, or of a point of it")]
FontName = Annotated[str | None, Text("the name of a font file")]


class AnnotationInput(Input):
    form: ClassVar[str] = '`{text: "v = {ball.speed:.1f} m/s", corner: top_left}`'
    text: Annotated[str | None, Text("a text")] = about(
        "A text, with values in braces: v = {ball.speed:.1f} m/s."
    )
    vector: Annotated[Any, Custom(_check_vector, _VECTOR_SCHEMA)] = about(
        "An arrow: ball.velocity, ball.weight, ball.normal_force, hinge.force, "
        "ball.contact.with(ramp).friction_force, or two expressions."
    )
    dimension: Annotated[Any, Custom(_check_ends, _ENDS_SCHEMA)] = about(
        "How far two ends are apart, each a point [x, y], a body or a point of a body."
    )
    plot: Annotated[Any, Custom(_check_lines, _LINES_SCHEMA)] = about(
        "A graph of expressions against time, or phase, of `y` against `x`."
    )
    free_body: Annotated[str | None, Text("the name of a body")] = about(
        "The forces on a body: its weight, those of contacts, joints and actuators."
    )
    scale_bar: Annotated[str | None, OneOf(SCALES)] = about(
        "The scale of arrows: of force, velocity, acceleration or momentum."
    )
    x: Annotated[str | None, _EXPRESSION] = about("phase: what goes to the right.")
    y: Annotated[str | None, _EXPRESSION] = about("phase: what goes up.")
    label: Annotated[str | None, Text("a text")] = about(
        "vector, dimension, scale_bar: what is written beside it, with values in braces; "
        "plot: that of the axis upwards."
    )
    names: Annotated[Any, Custom(_check_names, _NAMES_SCHEMA)] = about(
        "plot: the names of its lines (default: the expressions)."
    )
    unit: Annotated[str | None, Text("a unit")] = about(
        "plot: the unit of the axis upwards (default: that of the values, where it is known)."
    )
    x_label: Annotated[str | None, Text("a text")] = about("plot: the label of the axis across.")
    x_unit: Annotated[str | None, Text("a unit")] = about("phase: the unit of the axis across.")
    at: PointField = about("Where it is: a point of the world.")
    follow: _NAME = about("Where it is: a body that it goes along with, or a point of it.")
    corner: Annotated[str | None, OneOf((AUTO, *PLACES))] = about(
        "Where it is in the picture: top_left, top, top_right, center, bottom_left, ...; "
        "plot: auto (default), where it hides least."
    )
    strip: Annotated[str | None, OneOf(STRIPS, _SIDES)] = about(
        "plot: beside the picture instead, where it hides nothing: above, below, left, right."
    )
    share: TruthField = about("plot: below the plot before it, with the same axis of time.")
    width: Annotated[Value, _SIDE] = about(
        "plot: how wide it is, in pixels of a picture 480 pixels high (default 190)."
    )
    height: Annotated[Value, _SIDE] = about("plot: how high it is (default 112).")
    legend: Annotated[str | None, OneOf(LEGENDS)] = about(
        "plot: where the names of lines are: top (default), ends or none."
    )
    size: Annotated[Value, Quantity(low=4.0, high=400.0)] = about(
        "Height of the letters in a picture 480 pixels high (default 13)."
    )
    color: Colour = about("Its colour (default: the theme's).")
    font: FontName = about("A font file (TTF or OTF) in the scene's folder (default: render's).")
    scale: Number = about("Arrows: how many length units a unit of it is long.")
    show: Annotated[str | None, OneOf(SHOWN)] = about(
        "vector, free_body: what is written beside an arrow: name, value, both or none."
    )
    components: Annotated[Any, Custom(_check_components, _COMPONENTS_SCHEMA)] = about(
        "vector, free_body: also components along an axis at this angle, or along that of a body, "
        "and across it."
    )
    offset: Length = about("dimension: how far beside the line between its ends.")
    seconds: Annotated[Any, Custom(_check_seconds, _SECONDS_SCHEMA)] = about(
        "plot: how much time it shows, or run (default 5 s; phase: all)."
    )
    range: Annotated[Any, Custom(_check_range, _RANGE_SCHEMA)] = about(
        "plot: the axis upwards: [least, greatest], run (default), typical, which leaves out short "
        "peaks, or shown, which moves along."
    )
    x_range: Annotated[Any, _ENDS_OF_AXIS] = about("phase: the axis across.")
    from_: Time = about("From when it is shown (default: the start).", alias="from")
    until: Annotated[Value, Quantity((units.TIME,), low=0.0)] = about(
        "Until when it is shown (default: the end)."
    )
    while_: Annotated[str | None, _EXPRESSION] = about(
        "An expression over the state of the run: it is shown while that is true.", alias="while"
    )


Values = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class AnnotationSpec:
    """The definition of one type of annotations.

    Attributes:
        name: its key.
        fields: its fields, without those of all types.
        caption: the field with its text.
        build: the fields of the ``Annotation`` from its key; it refuses invalid
            combinations.
        write: the inverse: its key, and fields other than those of the ``Annotation``.
    """

    name: str
    fields: tuple[str, ...]
    caption: str = "label"
    build: Callable[[AnnotationBuilder, AnnotationInput], Values]
    write: Callable[[Annotation], Values]


def _text(builder: AnnotationBuilder, given: AnnotationInput) -> Values:
    builder.one_place(given, "at", "follow", "corner")
    if given.corner == AUTO:
        message = f"`{AUTO}` goes with plots; a text is in one of {', '.join(PLACES)}"
        raise builder.fail("conflicting-keys", message, "corner")
    return {}


def _write_text(annotation: Annotation) -> Values:
    return {"text": annotation.text}


def _vector(builder: AnnotationBuilder, given: AnnotationInput) -> Values:
    vector = given.vector
    if not isinstance(vector, str):
        builder.one_place(given, "at", "follow")
        _check_axis(builder, given)
        for i, part in enumerate(vector):
            builder.expression(part, "vector", i)
        return {"expressions": vector}
    for name in ("at", "follow"):
        if getattr(given, name) is not None:
            message = f"`{name}` goes with a vector of two expressions; this one has its place"
            raise builder.fail("conflicting-keys", message, name)
    _check_vector_name(builder, vector)
    _check_axis(builder, given)
    return {"vector": vector}


def _check_vector_name(builder: AnnotationBuilder, vector: str) -> None:
    """Stop unless the scene has a vector of this name."""
    name = vector_name(vector)
    owner, quantity, scene = name.owner, name.quantity, builder.scene
    is_joint, is_point = owner in scene.joints, ".points." in owner
    known: tuple[str, ...] = OF_JOINTS if is_joint else OF_POINTS if is_point else OF_BODIES
    if name.of_contact:
        known = OF_CONTACTS
    if quantity not in known:
        near = nearest_name(quantity, known)
        head = vector.removesuffix(quantity)
        hint = f"did you mean `{head}{near}`?" if near else f"known: {', '.join(known)}"
        if is_joint and quantity in OF_BODIES:
            hint = f"`{owner}` is no body; of a joint there is `{owner}.force`"
        builder.name(f"{owner}.{'force' if is_joint else 'vx'}", owner, "vector")
        raise builder.fail("unknown-name", f"there is no vector `{vector}`; {hint}", "vector")
    builder.name(f"{owner}.{'force' if is_joint else 'vx'}", owner, "vector")
    if not name.other:
        return
    if not (is_joint and name.other == "world"):
        builder.place(name.other, "vector")
    if name.of_contact and (is_joint or is_point):
        message = f"`{owner}` is not a body; only bodies have contacts"
        raise builder.fail("unknown-name", message, "vector")
    if not name.of_contact:
        joint = scene.joints.get(owner)
        held = () if joint is None else (joint.body_a, joint.body_b)
        if name.other not in held:
            message = f"`{owner}` is no joint that holds `{name.other}`"
            raise builder.fail("unknown-name", message, "vector")


def _check_axis(builder: AnnotationBuilder, given: AnnotationInput) -> None:
    """Stop unless the components are along an angle, or the axis of a body."""
    if isinstance(given.components, str) and given.components not in builder.scene.bodies:
        builder.place(given.components, "components")
        message = f"`{given.components}` is no body; give one, or an angle"
        raise builder.fail("unknown-name", message, "components")


def _free_body(builder: AnnotationBuilder, given: AnnotationInput) -> Values:
    assert given.free_body is not None
    builder.place(given.free_body, "free_body")
    if given.free_body not in builder.scene.bodies:
        message = f"`{given.free_body}` is no body"
        raise builder.fail("unknown-name", message, "free_body")
    _check_axis(builder, given)
    return {"body": given.free_body}


def _write_free_body(annotation: Annotation) -> Values:
    return {"free_body": annotation.body}


def _scale_bar(builder: AnnotationBuilder, given: AnnotationInput) -> Values:
    return {"scale_bar": given.scale_bar}


def _write_scale_bar(annotation: Annotation) -> Values:
    return {"scale_bar": annotation.scale_bar}


def _write_vector(annotation: Annotation) -> Values:
    parts = tuple(f"={each}" for each in annotation.expressions)
    return {"vector": annotation.vector or parts}


def _dimension(builder: AnnotationBuilder, given: AnnotationInput) -> Values:
    ends = [builder.end(end, "dimension", i) for i, end in enumerate(given.dimension)]
    return {"ends": tuple(ends)}


def _write_dimension(annotation: Annotation) -> Values:
    return {"dimension": annotation.ends}


def _plot(builder: AnnotationBuilder, given: AnnotationInput) -> Values:
    phase = given.plot == "phase"
    for name in ("x", "y"):
        if (getattr(given, name) is not None) != phase:
            message = "`plot: phase` needs `x` and `y`; a graph against time has a list"
            raise builder.fail("missing-key" if phase else "conflicting-keys", message, "plot")
    for name in ("range", "x_range"):
        ends = getattr(given, name)
        if isinstance(ends, tuple) and not ends[0] < ends[1]:
            message = "the smaller number comes first: [least, greatest]"
            raise builder.fail("out-of-range", message, name)
    if given.corner is not None and given.strip is not None:
        raise builder.fail("conflicting-keys", "where? Give one of `corner`, `strip`", "strip")
    _check_share(builder, given, phase)
    values: Values = {"share": True} if given.share else {}
    if phase:
        if given.names is not None:
            message = "a phase portrait has one line; `label` and `x_label` name its axes"
            raise builder.fail("conflicting-keys", message, "names")
        for name in ("x", "y"):
            builder.expression(getattr(given, name), name)
        return values | {"expressions": (given.x, given.y), "phase": True}
    for name in ("x_unit", "x_range"):
        if getattr(given, name) is not None:
            message = f"`{name}` goes with `plot: phase`; across is the time here"
            raise builder.fail("conflicting-keys", message, name)
    if given.names is not None and len(given.names) != len(given.plot):
        message = f"{len(given.names)} names for {len(given.plot)} lines; each line has one"
        raise builder.fail("wrong-type", message, "names")
    for i, line in enumerate(given.plot):
        builder.expression(line, "plot", i)
    return values | {"expressions": given.plot}


_NOT_SHARED = ("corner", "strip", "width", "seconds", "x_label", "from_", "until", "while_")
"""The fields that a plot has from the one whose axis it shares."""


def _check_share(builder: AnnotationBuilder, given: AnnotationInput, phase: bool) -> None:
    """Stop unless a plot that shares an axis has one before it to share it with."""
    if not given.share:
        return
    for name in _NOT_SHARED:
        if getattr(given, name) is not None:
            key = name.removesuffix("_")
            message = f"`{key}` is that of the plot before it, with which it shares its place"
            raise builder.fail("conflicting-keys", message, key)
    before = builder.before
    if phase or before is None or getattr(before, "plot", None) in (None, "phase"):
        message = "a graph against time shares the axis of such a graph just before it in the list"
        raise builder.fail("conflicting-keys", message, "share")


def _write_plot(annotation: Annotation) -> Values:
    if annotation.phase:
        x, y = annotation.expressions
        return {"plot": "phase", "x": x, "y": y}
    return {"plot": annotation.expressions}


ANNOTATION_TYPES: dict[str, AnnotationSpec] = {
    each.name: each
    for each in (
        AnnotationSpec(
            name="text",
            fields=("at", "follow", "corner"),
            caption="text",
            build=_text,
            write=_write_text,
        ),
        AnnotationSpec(
            name="vector",
            fields=("label", "at", "follow", "scale", "show", "components"),
            build=_vector,
            write=_write_vector,
        ),
        AnnotationSpec(
            name="dimension",
            fields=("label", "offset"),
            build=_dimension,
            write=_write_dimension,
        ),
        AnnotationSpec(
            name="plot",
            fields=(
                *("x", "y", "label", "names", "unit", "x_label", "x_unit", "corner", "strip"),
                *("share", "width", "height", "legend", "seconds", "range", "x_range"),
            ),
            build=_plot,
            write=_write_plot,
        ),
        AnnotationSpec(
            name="free_body",
            fields=("at", "scale", "show", "components"),
            build=_free_body,
            write=_write_free_body,
        ),
        AnnotationSpec(
            name="scale_bar",
            fields=("label", "corner", "scale"),
            build=_scale_bar,
            write=_write_scale_bar,
        ),
    )
}
"""The types of annotations by their keys, in the order of the reference."""
