# SPDX-License-Identifier: MIT
"""The block ``annotations``: texts and drawings beside the bodies, and names in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ....nearest import nearest_name
from ... import limits
from ...building.block import BlockSpec
from ...building.scope import Scope
from ...building.writing import differences
from ...model import Annotation, Scene
from ...values.broken import BROKEN, Stop
from ...values.expression import Expression, state_problem, state_problems, truth_problems
from ...values.expression_parts import ExpressionError
from ...values.text_template import TextTemplate
from .annotation_models import AnnotationInput

_KINDS = ("text", "vector", "dimension", "plot")
_OF_KINDS = {
    "x": ("plot",),
    "y": ("plot",),
    "label": ("vector", "dimension"),
    "at": ("text", "vector"),
    "follow": ("text", "vector"),
    "corner": ("text", "plot"),
    "scale": ("vector",),
    "offset": ("dimension",),
    "seconds": ("plot",),
    "range": ("plot",),
}
_PLAIN = ("at", "corner", "size", "color", "scale", "offset", "seconds", "range", "until")


def build_annotations(
    given: Sequence[AnnotationInput] | None, scene: Scene, scope: Scope
) -> tuple[Annotation, ...]:
    """The annotations of a scene whose bodies and joints are known; Stop after a problem."""
    entries = () if given is None or given is BROKEN else given
    if len(entries) > limits.ANNOTATIONS:
        message = f"{len(entries)} annotations; the limit is {limits.ANNOTATIONS}"
        raise scope.fail("limit", message)
    made = []
    for i, entry in enumerate(entries):
        one = scope.attempt(_Builder(entry, i, scene, scope).build, None)
        made += [] if one is None else [one]
    scope.stop_if_failed()
    return tuple(made)


class _Builder:
    """One annotation."""

    def __init__(self, given: AnnotationInput, index: int, scene: Scene, scope: Scope) -> None:
        self.given, self.index, self.scene, self.scope = given, index, scene, scope

    def build(self) -> Annotation:
        given = self.given
        said = self.scope.values_of(given, self.index)
        kinds = [kind for kind in _KINDS if getattr(given, kind) is not None]
        if len(kinds) != 1:
            message = f"an annotation is one of {', '.join(_KINDS)}"
            raise self._fail("conflicting-keys" if kinds else "missing-key", message)
        (kind,) = kinds
        for name, of in _OF_KINDS.items():
            if getattr(given, name) is not None and kind not in of:
                self._fail("conflicting-keys", f"`{name}` goes with {' and '.join(of)}", name)
                raise Stop
        values: dict[str, Any] = {name: said[name] for name in _PLAIN if name in said}
        if "from_" in said:
            values["start"] = said["from_"]
        if not values.get("start", 0.0) < values.get("until", math.inf):
            raise self._fail("out-of-range", "`until` must be after `from`", "until")
        if given.while_ is not None:
            self._expression(given.while_, "while", truth=True)
            values["condition"] = given.while_
        if given.follow is not None:
            values["follow"] = self._place(given.follow, "follow")
        label = given.text if kind == "text" else given.label
        if label is not None:
            values["text"] = self._template(label, "text" if kind == "text" else "label")
        return Annotation(kind, **{**values, **getattr(self, f"_{kind}")()})  # type: ignore[arg-type]

    def _fail(self, kind: Any, message: str, *at: int | str) -> Stop:
        return self.scope.fail(kind, message, self.index, *at)

    # ------------------------------------------------------------ kinds

    def _text(self) -> dict[str, Any]:
        self._one_place("at", "follow", "corner")
        return {}

    def _vector(self) -> dict[str, Any]:
        vector = self.given.vector
        if not isinstance(vector, str):
            self._one_place("at", "follow")
            for i, part in enumerate(vector):
                self._expression(part, "vector", i)
            return {"expressions": vector}
        for name in ("at", "follow"):
            if getattr(self.given, name) is not None:
                message = f"`{name}` goes with a vector of two expressions; this one has its place"
                raise self._fail("conflicting-keys", message, name)
        owner, _, quantity = vector.rpartition(".")
        if quantity not in ("velocity", "force"):
            near = nearest_name(quantity, ("velocity", "force"))
            hint = f"did you mean `{owner}.{near}`?" if near else "known: velocity, force"
            raise self._fail("unknown-name", f"there is no vector `{vector}`; {hint}", "vector")
        self._name(f"{owner}.{'vx' if quantity == 'velocity' else 'force'}", owner, "vector")
        return {"vector": vector}

    def _dimension(self) -> dict[str, Any]:
        ends = []
        for i, end in enumerate(self.given.dimension):
            if isinstance(end, str):
                ends.append(self._place(end, "dimension", i))
            else:
                ends.append(self.scope.resolve(end, self.index, "dimension", i))
        return {"ends": tuple(ends)}

    def _plot(self) -> dict[str, Any]:
        given = self.given
        phase = given.plot == "phase"
        for name in ("x", "y"):
            if (getattr(given, name) is not None) != phase:
                message = "`plot: phase` needs `x` and `y`; a graph against time has a list"
                raise self._fail("missing-key" if phase else "conflicting-keys", message, "plot")
        if given.range is not None and not given.range[0] < given.range[1]:
            message = "the smaller number comes first: [least, greatest]"
            raise self._fail("out-of-range", message, "range")
        if phase:
            for name in ("x", "y"):
                self._expression(getattr(given, name), name)
            return {"expressions": (given.x, given.y), "phase": True}
        for i, line in enumerate(given.plot):
            self._expression(line, "plot", i)
        return {"expressions": given.plot}

    # ------------------------------------------------------------ names

    def _one_place(self, *names: str) -> None:
        there = [name for name in names if getattr(self.given, name) is not None]
        if len(there) != 1:
            listed = ", ".join(f"`{name}`" for name in names)
            kind = "conflicting-keys" if there else "missing-key"
            raise self._fail(kind, f"where? Give one of {listed}")

    def _place(self, name: str, *at: int | str) -> str:
        """The name of a body or of a point of a body."""
        self._name(f"{name}.vx", name, *at)
        return name

    def _name(self, channel: str, shown: str, *at: int | str) -> None:
        problem = state_problem(channel, self.scene, or_var=False)
        if not problem:
            return
        owner = shown.partition(".")[0]
        there = owner in self.scene.bodies or owner in self.scene.joints
        if not there and any(self.scope.report.may_have(s, owner) for s in ("bodies", "joints")):
            raise Stop
        if there and channel.endswith(".vx") and ".points." not in shown:
            problem = f"`{shown}` is no body and no point of one"
        raise self._fail("unknown-name", problem, *at)

    def _expression(self, source: str, *at: int | str, truth: bool = False) -> None:
        """Stop unless a text is an expression over the state of the run, true or false if asked."""
        try:
            expression = Expression(source)
            problems = state_problems(expression, self.scene)
            if truth and not problems:
                problems = truth_problems(expression, self.scene)
        except ExpressionError as error:
            problems = [error]
        self._tell(problems, *at)

    def _template(self, text: str, *at: int | str) -> str:
        try:
            fields = TextTemplate(text).fields
        except ExpressionError as error:
            self._tell([error], *at)
            raise Stop from None
        for field in fields:
            problems = state_problems(field.expression, self.scene)
            self._tell(problems, *at, shift=field.offset + 1)
        return text

    def _tell(self, problems: Sequence[ExpressionError], *at: int | str, shift: int = 0) -> None:
        report, path = self.scope.report, (*self.scope.path, self.index, *at)
        for problem in problems:
            owner = problem.name.partition(".")[0]
            if owner and any(report.may_have(s, owner) for s in ("bodies", "joints", "vars")):
                continue
            kind: Any = "unknown-name" if problem.name else "expression"
            report.add(path, kind, problem.message, problem.offset + shift, None, owner)
        if problems:
            raise Stop


def _write(annotation: Annotation) -> dict[str, Any]:
    kind = annotation.kind
    value: Any = annotation.text
    texts = {"label": annotation.text} if annotation.text and kind != "text" else {}
    if kind == "vector":
        value = annotation.vector or tuple(f"={each}" for each in annotation.expressions)
    elif kind == "dimension":
        value = annotation.ends
    elif annotation.phase:
        value, (x, y) = "phase", annotation.expressions
        texts |= {"x": x, "y": y}
    elif kind == "plot":
        value = annotation.expressions
    names = ("at", "follow", "corner", "size", "color", "scale", "offset", "seconds", "range")
    fields = differences(annotation, Annotation(kind), (*names, "until"))
    if annotation.start:
        fields["from"] = annotation.start
    if annotation.condition:
        fields["while"] = f"={annotation.condition}"
    return {kind: value, **texts, **fields}


ANNOTATIONS = BlockSpec(
    list[AnnotationInput] | None,
    lambda given, build_context: build_annotations(
        given, build_context.scene, build_context.scope("annotations")
    ),
    write=lambda scene: [_write(annotation) for annotation in scene.annotations],
)
