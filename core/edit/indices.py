# SPDX-License-Identifier: MIT
"""The values of a generator's entry for one of its copies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..scene.values.expression import Expression, ExpressionError
from .text.draft import Draft
from .text.expressions import is_expression
from .text.nodes import Path
from .text.style import rounded
from .text.texts import Refused

RANDOM = re.compile(r"\b(?:uniform|normal|randint|choice)\s*\(")
"""Functions of expressions that draw random numbers."""


def worked_out(draft: Draft, value: Any, indices: Mapping[str, float], path: Path) -> Any:
    """Plain data with the values of the indices in its expressions."""
    if isinstance(value, dict):
        if "count" in value and ("x" in value or "y" in value):
            indices = {k: v for k, v in indices.items() if k != "i"}
        return {k: worked_out(draft, v, indices, (*path, k)) for k, v in value.items()}
    if isinstance(value, list):
        return [worked_out(draft, v, indices, (*path, i)) for i, v in enumerate(value)]
    if not isinstance(value, str):
        return value
    if is_expression(value):
        return _one_value(draft, value, indices)
    return re.sub(r"\[(=[^\]]*)\]", lambda m: f"[{_in_brackets(draft, m[1], indices)}]", value)


def _in_brackets(draft: Draft, text: str, indices: Mapping[str, float]) -> str:
    parts = []
    for each in text.split(",="):
        source = each if each.startswith("=") else f"={each}"
        parts.append(str(_one_value(draft, source, indices)))
    return ",".join(parts)


def _one_value(draft: Draft, text: str, indices: Mapping[str, float]) -> Any:
    try:
        expression = Expression(text.strip())
    except ExpressionError:
        raise Refused(f"{text} cannot be worked out") from None
    if not any(name in indices for name in expression.names):
        return text
    known = {**draft.scene.vars, **indices}
    if all(name in known for name in expression.names):
        try:
            result = expression.evaluate(known)
        except ExpressionError as error:
            raise Refused(f"{text} cannot be worked out: {error.message}") from None
        return result if isinstance(result, bool) else rounded(float(result), 9)
    return "=" + expression.renamed(
        lambda name: _as_text(indices[name]) if name in indices else name
    )


def _as_text(number: float) -> str:
    text = str(int(number)) if number.is_integer() else repr(number)
    return f"({text})" if number < 0 else text
