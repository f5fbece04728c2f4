# SPDX-License-Identifier: MIT
"""Expressions in the texts of scenes: their constant terms and factors, and the vars in them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from .style import number, written_decimals

_LOOSE = (ast.IfExp, ast.BoolOp, ast.Compare)


def is_expression(value: object) -> bool:
    return isinstance(value, str) and value.lstrip().startswith("=")


def _parsed(body: str) -> ast.expr | None:
    try:
        return ast.parse(body.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None


def _split(source: str) -> tuple[str, str]:
    """The text before the expression, with its `=`, and the expression."""
    match = re.match(r"\s*=\s*", source)
    head = match[0] if match else ""
    return head, source[len(head) :].rstrip()


def _terms(node: ast.expr, sign: int = 1) -> Iterator[tuple[ast.expr, int]]:
    """The terms of a sum and their signs."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield from _terms(node.left, sign)
        yield from _terms(node.right, sign if isinstance(node.op, ast.Add) else -sign)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield from _terms(node.operand, -sign)
    else:
        yield node, sign


def _is_number(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, (int, float))
        and not isinstance(node.value, bool)
    )


def _is_outer(body: str, node: ast.expr) -> bool:
    """Whether a term is in no parentheses of the expression."""
    return body[: node.col_offset].count("(") == body[: node.col_offset].count(")")


def with_constant(source: str, add: float, decimals: int) -> str | None:
    """The expression with another constant term, so that its value is greater by ``add``."""
    head, body = _split(source)
    root = _parsed(body)
    if root is None or not body.isascii():
        return None
    for term, sign in reversed([*_terms(root)]):
        if _is_number(term) and _is_outer(body, term):
            return head + _constant_changed(body, term, sign, add, decimals)
    if isinstance(root, _LOOSE):
        body = f"({body})"
    text = number(abs(add), decimals)
    if text == "0":
        return source
    return f"{head}{body} {'+' if add > 0 else '-'} {text}"


def _constant_changed(body: str, term: ast.expr, sign: int, add: float, decimals: int) -> str:
    start, end = term.col_offset, term.end_col_offset or term.col_offset
    old = body[start:end]
    value = sign * float(ast.literal_eval(term)) + add
    text = number(abs(value), max(decimals, written_decimals(old)), old)
    before = body[:start].rstrip()
    rest = body[end:]
    if before and before[-1] in "+-":
        if text == "0" and len(before) > 1:
            return (before[:-1].rstrip() + rest).strip()
        gap = body[len(before) : start]
        minus = value < 0 and text != "0"
        if len(before) == 1:  # the expression begins with a sign
            return ("-" if minus else "") + text + rest
        return before[:-1] + ("-" if minus else "+") + gap + text + rest
    return before + ("-" if value < 0 and text != "0" else "") + text + rest


def with_factor(source: str, times: float, decimals: int) -> str | None:
    """The expression multiplied by a number."""
    head, body = _split(source)
    root = _parsed(body)
    if root is None or not body.isascii():
        return None
    if isinstance(root, ast.BinOp) and isinstance(root.op, ast.Mult) and _is_number(root.left):
        old = body[root.left.col_offset : root.left.end_col_offset]
        if body.startswith(old):
            value = float(old) * times
            new = number(value, max(decimals, written_decimals(old)), old)
            return head + new + body[len(old) :]
    if times == -1.0 and isinstance(root, (ast.Name, ast.Call)):
        return f"{head}-{body}"
    if times == -1.0 and isinstance(root, ast.UnaryOp) and isinstance(root.operand, ast.Name):
        return f"{head}{body.lstrip('-').strip()}"
    inner = body if isinstance(root, (ast.Name, ast.Call)) else f"({body})"
    return f"{head}{number(times, 6)}*{inner}"


def changed(source: str, times: float, add: float, decimals: int) -> str | None:
    """The expression whose value is ``times`` the old one and ``add`` more."""
    if times != 1.0:
        found = with_factor(source, times, decimals)
        if found is None:
            return None
        source = found
    return with_constant(source, add, decimals) if add else source


def lone_vars(source: str) -> list[tuple[str, int]]:
    """The names that are terms of the sum by themselves, with their signs."""
    _, body = _split(source)
    root = _parsed(body)
    if root is None:
        return []
    return [(term.id, sign) for term, sign in _terms(root) if isinstance(term, ast.Name)]
