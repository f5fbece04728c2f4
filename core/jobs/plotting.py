# SPDX-License-Identifier: MIT
"""Figures by matplotlib as reproducible files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..record.atomic import atomic_file

DPI = 100
ENDINGS = (".svg", ".png")
_METADATA: dict[str, dict[str, None]] = {
    "svg": {"Date": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
}
"""Metadata that would differ between days or versions."""


def need_matplotlib(missing: str, font_size: float = 8) -> Any:
    """matplotlib, drawing to files alone. Raises UsageError, saying ``missing``, where there is
    none."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise UsageError(missing) from None
    mpl.use("Agg")
    # Nothing in a file that differs from one run to the next.
    mpl.rcParams.update({"svg.hashsalt": "rigid", "svg.fonttype": "path", "font.size": font_size})
    mpl.rcParams["font.family"] = "DejaVu Sans"  # as in pictures; matplotlib comes with it
    # A text of a scene is a text, whatever it has of the signs of formulas.
    mpl.rcParams.update({"text.usetex": False, "text.parse_math": False})
    return mpl


def floored(values: Any, least: float) -> Any:
    """Values of a logarithmic axis: those that are 0 or less are drawn at ``least``, the smallest
    one above 0 in the picture."""
    import numpy as np

    return np.maximum(values, least)


def number_labels(axes: Any) -> None:
    """Label a logarithmic axis by numbers, as 1e-08: texts are no formulas here, and the usual
    labels of such an axis are."""
    from matplotlib.ticker import LogFormatter

    axes.yaxis.set_major_formatter(LogFormatter())
    axes.yaxis.set_minor_formatter(LogFormatter())


def save(figure: Any, path: str | Path) -> None:
    """Write a figure as its file's ending says, .svg or .png."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise UsageError(f"{path}: a plot or picture is a file that ends in .svg or .png")
    with atomic_file(path) as file:
        file.write(figure_bytes(figure, ending[1:]))


def figure_bytes(figure: Any, kind: str) -> bytes:
    """A figure as a file of the kind svg, png or pdf; the same figure is the same bytes."""
    stream = io.BytesIO()
    figure.savefig(stream, format=kind, metadata=_METADATA[kind], dpi=DPI)
    return stream.getvalue()
