# SPDX-License-Identifier: MIT
"""The block ``compare``: several variants of one scene in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.scope import Scope
from ...model import Compare, Variant
from ...values.broken import BROKEN
from ...values.context import Context, Wrong
from ...values.fields import Colour, Fraction, Input, Value, about
from ...values.kinds import Custom, OneOf, Text, show
from ...values.quantity import Quantity
from ..script.expect import ExpectInput
from ..table import BLOCKS

COMMON = (
    *("rigid", "name", "description", "tags", "include", "units"),
    *(block.key for block in BLOCKS if block.common),
)
"""Values that the variants of a scene must share, so that one picture can show them."""
LASTING = ("duration", "steps")


def _check_settings(value: Any, context: Context) -> Any:
    if not isinstance(value, dict):
        message = f"must be a mapping of paths and values, such as {{vars.n: 7}}, not {show(value)}"
        raise Wrong("wrong-type", message)
    for path in value:
        first, _, rest = str(path).partition(".")
        if first in COMMON:
            message = f"`{first}` is common to all variants; set what moves, such as vars.n"
            raise Wrong("conflicting-keys", message, (path,))
        if first == "world" and rest in LASTING:
            message = "all variants run as long as the scene itself; set it there"
            raise Wrong("conflicting-keys", message, (path,))
    return value


class VariantInput(Input):
    form: ClassVar[str] = "`{name: soft, set: {vars.stiffness: 10}}`"
    needed: ClassVar[tuple[str, ...]] = ("name",)
    name: Annotated[str | None, Text("a name")] = about("Its title in the picture.")
    set: Annotated[Any, Custom(_check_settings, {"type": "object"})] = about(
        "Its differences: paths and values as --set has them (default: nothing)."
    )
    color: Colour = about("Its colour in an overlay (default: one of the theme's).")
    expect: list[ExpectInput] | None = about("Expectations of this variant (default: nothing).")


class CompareInput(Input):
    form: ClassVar[str] = "`{variants: [{name: soft, set: {vars.stiffness: 10}}, ...]}`"
    needed: ClassVar[tuple[str, ...]] = ("variants",)
    variants: list[VariantInput] | None = about("The variants, in the order of the picture.")
    layout: Annotated[str | None, OneOf(("row", "grid", "overlay"))] = about(
        "Side by side (default), in rows and columns, or over each other."
    )
    columns: Annotated[Value, Quantity(low=1, high=limits.VARIANTS, whole=True)] = about(
        "How many stand beside each other in a grid (default: as many as there are rows)."
    )
    camera: Annotated[str | None, OneOf(("shared", "own"))] = about(
        "shared (default): all are seen alike; own: the camera of each goes its own way."
    )
    opacity: Fraction = about("Of the bodies in an overlay, 0 to 1 (default 0.6).")


def _build(given: CompareInput | None, build_context: BuildContext) -> Compare | None:
    """The comparison, as yet without the scenes of its variants; Stop after a problem."""
    if given is None or given is BROKEN:
        return None
    scope = build_context.scope("compare")
    scope.need(given)
    names = ("layout", "columns", "camera", "opacity")
    values = {
        name: scope.known(getattr(given, name), name)
        for name in names
        if getattr(given, name) is not None
    }
    layout = values.get("layout", "row")
    if "columns" in values and layout in ("row", "overlay"):
        scope.fail("conflicting-keys", "`columns` goes with `layout: grid`", "columns")
    if layout == "overlay" and values.get("camera") == "own":
        scope.fail("conflicting-keys", "variants over each other share one camera", "camera")
    if layout in ("row", "grid") and "opacity" in values:
        scope.fail("conflicting-keys", "`opacity` goes with `layout: overlay`", "opacity")
    variants = _variants(given.variants, scope)
    scope.stop_if_failed()
    if "columns" in values:
        values["columns"] = int(values["columns"])
    return Compare(variants, **values)


def _variants(given: Sequence[VariantInput] | None, scope: Scope) -> tuple[Variant, ...]:
    if given is None or given is BROKEN:
        scope.failed = True
        return ()
    if not 1 <= len(given) <= limits.VARIANTS:
        message = f"{len(given)} variants; there are 1 to {limits.VARIANTS}"
        raise scope.fail("limit", message, "variants")
    made: list[Variant] = []
    for i, each in enumerate(given):
        if each is BROKEN:
            scope.failed = True
            continue
        variant = scope.attempt(_variant, None, each, i, scope)
        if variant is not None:
            made.append(variant)
    names = [variant.name for variant in made]
    for i, name in enumerate(names):
        if name in names[:i]:
            message = f"there is a variant `{name}` already"
            scope.fail("invalid-name", message, "variants", i, "name")
    return tuple(made)


def _variant(given: VariantInput, i: int, scope: Scope) -> Variant:
    at = ("variants", i)
    scope.need(given, *at)
    name = str(scope.resolve(given.name, *at, "name")).strip()
    if not name or len(name) > limits.NAME_LENGTH:
        message = f"the name of a variant has 1 to {limits.NAME_LENGTH} characters"
        raise scope.fail("invalid-name", message, *at, "name")
    return Variant(name, scope.resolve(given.color, *at, "color"))


COMPARE = BlockSpec(
    CompareInput | None,
    _build,
)
