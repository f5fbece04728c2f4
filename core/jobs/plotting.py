# SPDX-License-Identifier: MIT
"""Figures by matplotlib as reproducible files, in the looks of plots in pictures."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..record.atomic import atomic_file
from ..render.canvas.colors import Color
from ..render.canvas.theme import LIGHT

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
    mpl.rcParams.update(_looks(mpl))
    # A text of a scene is a text, whatever it has of the signs of formulas.
    mpl.rcParams.update({"text.usetex": False, "text.parse_math": False})
    return mpl


def _looks(mpl: Any) -> Any:
    """Paper, ink, grid and the colours of lines as plots in pictures have them."""
    paper, ink, quiet, grid = (hexed(c) for c in (LIGHT.paper, LIGHT.ink, LIGHT.quiet, LIGHT.axis))
    papers = ("figure.facecolor", "axes.facecolor", "savefig.facecolor")
    inks = ("text.color", "axes.labelcolor", "axes.titlecolor", "xtick.labelcolor")
    quiets = ("axes.edgecolor", "xtick.color", "ytick.color")
    return {
        **dict.fromkeys(papers, paper),
        **dict.fromkeys((*inks, "ytick.labelcolor"), ink),
        **dict.fromkeys(quiets, quiet),
        **{"axes.spines.top": False, "axes.spines.right": False},
        **{"axes.grid": True, "axes.axisbelow": True, "grid.color": grid, "grid.linewidth": 0.7},
        **{"axes.titlesize": "medium", "figure.titlesize": "large", "legend.frameon": False},
        **{"lines.linewidth": 1.4, "lines.solid_capstyle": "round"},
        "axes.prop_cycle": mpl.cycler(color=[hexed(color) for color in LIGHT.lines]),
    }


def hexed(color: Color) -> str:
    """A colour as matplotlib takes it."""
    return "#{:02x}{:02x}{:02x}".format(*color[:3])


LETTER = 0.62
"""Width of a letter, in the size of the font, about."""
STYLES = ("-", "--", ":", "-.")


def line_style(index: int) -> dict[str, Any]:
    """The look of the line of this number among many: colours, and then dashes with them."""
    colors = len(LIGHT.lines)
    return {"color": f"C{index % colors}", "linestyle": STYLES[index // colors % len(STYLES)]}


def fitted(text: str, inches: float, points: float) -> str:
    """A text in lines that fit into a width."""
    return textwrap.fill(text, max(int(72.0 * inches / (LETTER * points)), 8))


def legend_columns(labels: Sequence[str], inches: float, points: float) -> int:
    """The number of names that fit beside each other into a width."""
    wide = (LETTER * max(map(len, labels)) + 4.0) * points
    return max(1, min(len(labels), int(72.0 * inches / wide)))


def name_lines(axes: Any, inches: float, points: float = 7.0) -> None:
    """Name the lines of a panel above it, where names hide nothing, in rows that fit."""
    handles, labels = axes.get_legend_handles_labels()
    if not labels:
        return
    columns = legend_columns(labels, inches, points)
    legend = axes.legend(
        handles,
        [fitted(label, inches - 0.4, points) for label in labels],
        **{"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "borderaxespad": 0.2},
        **{"ncols": columns, "fontsize": points, "borderpad": 0.1},
    )
    for text in legend.get_texts():
        text.set_parse_math(False)


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
