# SPDX-License-Identifier: MIT
"""No bit hangs on a machine's library: sines, powers and logarithms are the project's own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.rows import every_row

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted(path for path in (ROOT / "core").rglob("*.py") if path.name != "portable_math.py")

# What IEEE 754 says to the last bit, or what is exact.
EXACT = {
    "sqrt",
    "floor",
    "ceil",
    "trunc",
    "isfinite",
    "isinf",
    "isnan",
    "copysign",
    "fabs",
    "frexp",
    "remainder",
}
EXACT |= {
    "fsum",
    "ldexp",
    "prod",
    "gcd",
    "lcm",
    "isqrt",
    "inf",
    "nan",
    "pi",
    "tau",
    "e",
    "comb",
    "nextafter",
}
# Functions of NumPy that go to the machine's library, or to a BLAS whose sums have no fixed order.
OTHERS = {"sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "sinh", "cosh", "tanh"}
OTHERS |= {"exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "power", "cbrt", "hypot"}
OTHERS |= {
    "deg2rad",
    "rad2deg",
    "sinc",
    "dot",
    "matmul",
    "inner",
    "vdot",
    "linalg",
    "fft",
    "random",
    "einsum",
    "tensordot",
}
# Where a power is one of whole numbers.
WHOLE = {
    "core/scene/values/units.py": {"**"},
    # The seeding of Gymnasium's own generators, whose bits NumPy promises.
    "core/environments/vector_env.py": {"np.random"},
}


# What a text without any such use lacks: names of these modules, and operators behind operands.
MAY_USE = re.compile(r"\b(math|numpy|np)\b|[\w)\]}'\"] *(\*\*|@)|^ *(\*\*|@) ", re.MULTILINE)


def foreign_mathematics(text: str) -> Iterator[str]:
    """What a module takes of `math` or NumPy that may differ from one machine to the next."""
    if not MAY_USE.search(text):
        return
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "math":
            yield from (f"math.{name.name}" for name in node.names if name.name not in EXACT)
        if isinstance(node, ast.ImportFrom) and node.module == "numpy":
            yield from (f"numpy.{name.name}" for name in node.names if name.name in OTHERS)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner, name = node.value.id, node.attr
            if (owner == "math" and name not in EXACT) or (owner == "np" and name in OTHERS):
                yield f"{owner}.{name}"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            yield "@"
        # A power of a number with a point is the C library's; 2.0**-52 is a constant.
        power = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)
        if power and not isinstance(node.left, ast.Constant):
            yield "**"


@every_row("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_takes_nothing_of_the_library_that_differs_between_machines(path: Path) -> None:
    found = set(foreign_mathematics(path.read_text(encoding="utf-8")))
    assert sorted(found - WHOLE.get(str(path.relative_to(ROOT)), set())) == []


@every_row(
    "text",
    [
        "import math\nmath.sin(1)",
        "from math import sqrt, cos",
        "import numpy as np\nnp.hypot(1, 2)",
        "import numpy as np\nnp.linalg.norm([1])",
        "a @ b",
        "(a - b) ** 2",
    ],
)
def test_such_a_use_would_be_found(text: str) -> None:
    assert list(foreign_mathematics(text))


# What the textbook solvers step worlds with. Sums of many numbers have to say their order there:
# NumPy's go by pairs or by lanes, as the machine has them, and Python's own by its version.
DECIDE = [
    *(ROOT / "core/solvers").glob("*.py"),
    *(ROOT / "core/world/textbook").glob("*.py"),
]
GROUPED = {"sum", "mean", "average", "std", "var", "nansum", "reduce", "reduceat", "trace", "norm"}


def sums_of_no_order(text: str) -> Iterator[str]:
    """Where a module adds up numbers in an order that it does not say."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and node.attr in GROUPED:
            yield f".{node.attr}"
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id == "sum":
            yield "sum"


@every_row("path", sorted(DECIDE), ids=lambda path: path.name)
def test_a_textbook_solver_adds_numbers_up_from_first_to_last(path: Path) -> None:
    assert list(sums_of_no_order(path.read_text(encoding="utf-8"))) == []


@every_row("text", ["values.sum()", "np.add.reduce(values)", "sum(values)"])
def test_a_sum_of_no_order_would_be_found(text: str) -> None:
    assert list(sums_of_no_order(text))
