# SPDX-License-Identifier: MIT
"""The kinds of fields that the input models share, by name."""

import re
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, cast

from pydantic import BaseModel, ConfigDict, Field

from . import units
from .context import Context, Wrong
from .kinds import EXPRESSION_SCHEMA, Color, Custom, ListOf, Text, Tuple, show
from .names import Name, NameTemplate, WordColor, index_text
from .quantity import Deferred, Flag, Quantity
from .words import TableName

Value = float | Deferred | None
Truth = bool | Deferred | None
Pair = tuple[float | Deferred, float | Deferred] | None
Pairs = tuple[tuple[float | Deferred, float | Deferred], ...] | None
Reference = str | NameTemplate | None

LENGTH = Quantity((units.LENGTH,))
POINT = Tuple(LENGTH, 2, "a point [x, y]")

Number = Annotated[Value, Quantity()]
Positive = Annotated[Value, Quantity(above=0.0)]
NotNegative = Annotated[Value, Quantity(low=0.0)]
Fraction = Annotated[Value, Quantity(low=0.0, high=1.0)]
Whole = Annotated[Value, Quantity(low=0.0, whole=True)]
Length = Annotated[Value, LENGTH]
Size = Annotated[Value, Quantity((units.LENGTH,), above=0.0)]
Distance = Annotated[Value, Quantity((units.LENGTH,), low=0.0)]
Angle = Annotated[Value, Quantity((units.ANGLE,))]
AngularSpeed = Annotated[Value, Quantity((units.ANGULAR_SPEED,))]
_UNMOVED = "a body that nothing moves is `type: static`"
Mass = Annotated[Value, Quantity((units.MASS,), above=0.0, instead=_UNMOVED, too_low=_UNMOVED)]
Inertia = Annotated[Value, Quantity((units.INERTIA,), above=0.0)]
Time = Annotated[Value, Quantity((units.TIME,), low=0.0)]
Duration = Annotated[Value, Quantity((units.TIME,), above=0.0)]
Rate = Annotated[Value, Quantity((units.FREQUENCY,), low=0.0, per_time=True)]
Density = Annotated[Value, Quantity((units.DENSITY,), above=0.0)]
Force = Annotated[Value, Quantity((units.FORCE,), low=0.0, infinite=True)]
Torque = Annotated[Value, Quantity((units.TORQUE,), low=0.0, infinite=True)]
WITHOUT_SPRING = "what has no spring is rigid"
PointField = Annotated[Pair, POINT]
VelocityField = Annotated[Pair, Tuple(Quantity((units.SPEED,)), 2, "a velocity [x, y]")]
Rectangle = Annotated[Any, Tuple(POINT, 2, "two corners [[x1, y1], [x2, y2]]")]
Colour = Annotated[str | None, Color()]
ColourField = Annotated[Any, WordColor()]
Words = Annotated[tuple[str, ...] | None, ListOf(Text("a word"), "a list of words")]
TruthField = Annotated[Truth, Flag()]


CategoryName = Annotated[Any, Name("the name of a category", computed=True)]
MaterialName = Annotated[Any, Name("the name of a material", computed=True)]


@dataclass(frozen=True)
class About:
    """A field's description in one line, and the types of the object that have it, if not all.

    It is where pydantic would let it change the JSON Schema, which ``schema.py`` does itself.
    """

    text: str
    of: tuple[str, ...] = ()

    def __call__(self, schema: Any) -> None:
        """Leave the JSON Schema as it is."""


def about(text: str, default: Any = None, *, alias: str = "", of: tuple[str, ...] = ()) -> Any:
    """A field of a model and its description; ``alias`` is its key if Python has no such name."""
    said = About(text, of)
    if alias:
        return Field(default=default, alias=alias, json_schema_extra=said)
    return Field(default=default, json_schema_extra=said)


class Input(BaseModel):
    """Base of the models: no unknown keys. ``hints`` name the right place of foreign
    keys, ``form`` is an example. ``needed`` are keys without a default, which are required
    when an object is built from the model."""

    model_config = ConfigDict(extra="forbid", defer_build=True, populate_by_name=False)
    hints: ClassVar[dict[str, str]] = {}
    form: ClassVar[str] = ""
    needed: ClassVar[tuple[str, ...]] = ()


def said_of(model: type[Input]) -> dict[str, About]:
    """Descriptions of a model's fields, by their keys."""
    return {
        field.alias or name: cast(About, field.json_schema_extra)
        for name, field in model.model_fields.items()
    }


def of_types(model: type[Input]) -> dict[str, tuple[str, ...]]:
    """The fields that only some types of an object have, and which."""
    return {key: said.of for key, said in said_of(model).items() if said.of}


TABLE = ".csv"
"""The end of the names of tables."""
_OTHER_FILE = re.compile(r"[\w ./-]+\.(?:txt|tsv|dat|json|xlsx?|ods|ya?ml|parquet)", re.IGNORECASE)


def _check_repeat(value: Any, context: Context) -> Any:
    if isinstance(value, list):
        return ListOf(Quantity(), "a count or a list of numbers").check(value, context)
    if isinstance(value, str) and value.lower().endswith(TABLE) and not value.startswith("="):
        return TableName(value)
    try:
        return Quantity(low=0.0, whole=True).check(value, context)
    except Wrong as wrong:
        if isinstance(value, str) and _OTHER_FILE.fullmatch(value):
            hint = "; a table is a file whose name ends in .csv"
            wrong.findings = [each._replace(message=each.message + hint) for each in wrong.findings]
        raise


_REPEAT = Custom(
    _check_repeat,
    {
        "anyOf": [
            {"type": "integer", "minimum": 0},
            EXPRESSION_SCHEMA,
            {"type": "array", "items": Quantity().schema()},
            {"type": "string", "pattern": r"\.[cC][sS][vV]$", "description": "a CSV file"},
        ]
    },
)


def copy_index(key: str) -> str | None:
    """The index of one copy as names have it, `3` or `0,2`; None for a text that is none."""
    try:
        return ",".join(index_text(float(part)) for part in key.split(","))
    except (ValueError, OverflowError):
        return None


def _check_overrides(value: Any, context: Context) -> Any:
    """Fields of single copies as they are written; they are checked with those of all."""
    form = "the index of a copy and its own fields, such as `{3: {color: red}}`"
    if not isinstance(value, dict):
        raise Wrong("wrong-type", f"must be {form}, not {show(value)}")
    wrong = Wrong()
    for key, fields in value.items():
        if copy_index(key) is None:
            message = f'{show(key)} is no index of a copy; write 3, or "0,2" for two indices'
            wrong.add("invalid-name", message, (key,))
        elif not isinstance(fields, dict):
            wrong.add("wrong-type", f"must be the fields of one copy, not {show(fields)}", (key,))
        else:
            for name in RepeatedInput.model_fields:
                if name in fields:
                    message = f"`{name}` is of the generator, and no field of one copy"
                    wrong.add("conflicting-keys", message, (key, name))
    if wrong.findings:
        raise wrong
    return value


_OVERRIDES = Custom(
    _check_overrides,
    {
        "type": "object",
        "additionalProperties": {"type": "object"},
        "description": "fields by the index of a copy",
    },
)


class RepeatedInput(Input):
    repeat: dict[str, Annotated[Any, _REPEAT]] | None = about(
        "Makes many of this entry: {i: 10}, {i: [0, 2, 4]} or {i: table.csv}, one index or more."
    )
    when: TruthField = about(
        "An expression of the indices; only the turns where it is true are made."
    )
    overrides: Annotated[Any, _OVERRIDES] = about(
        "Fields of single copies, by their indices, in place of those of all: {3: {color: red}}."
    )
