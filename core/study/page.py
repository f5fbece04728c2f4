# SPDX-License-Identifier: MIT
"""The page of a study: one HTML file that needs only the files beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from .plan import StudyPlan
from .plots import StudyPlot
from .results import Results
from .storing import PAGE, RUNS, Store

ROWS = 1_000
"""Of the table, that the page shows; all are in the Parquet file."""
FAILURES = 100
MOVIES = 60
_LONGEST = 300
"""Characters of a message that the page shows."""

# Whatever a scene says is a text here; and should it ever be more, the browser lets it do nothing.
_POLICY = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'"
_STYLE = """
body {font: 15px/1.5 system-ui, sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem}
table {border-collapse: collapse; font-variant-numeric: tabular-nums}
td, th {padding: .15rem .7rem; text-align: right; white-space: nowrap}
td.text {text-align: left; white-space: normal}
thead th {position: sticky; top: 0; background: Canvas}
tr:nth-child(even) {background: color-mix(in srgb, CanvasText 5%, Canvas)}
.wide {overflow-x: auto} .bad td {color: #b00020}
.plots, .movies {display: flex; flex-wrap: wrap; gap: 1rem} figure {margin: 0}
img {max-width: 100%; height: auto} pre {overflow-x: auto; padding: 1rem; border: 1px solid #8884}
:root {color-scheme: light dark} .plots img {background: white}
"""


def write_page(results: Results, plan: StudyPlan, plots: Sequence[StudyPlot]) -> None:
    """Write ``index.html`` into the study's folder."""
    Store.write(results.path / PAGE, page(results, plan, plots).encode())


def page(results: Results, plan: StudyPlan, plots: Sequence[StudyPlot]) -> str:
    """The whole page."""
    title = escape(plan.scene.name or plan.scene.path)
    description = escape(plan.scene.description)
    count, failures = len(results), results.failures
    runs = f"{count:,} run{'' if count == 1 else 's'}"
    failed = f"{failures:,} failed" if failures else "all ok"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{title}: study</title>
<link rel="icon" href="data:,">
<style>{_STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<p>{description}</p>
<p>{runs}, {failed}. <a href="results.parquet">results.parquet</a> has the whole table,
<a href="study.json">study.json</a> the plan.</p>
{_plots(plots)}
<h2>Columns</h2>
{_summary(results)}
{_failures(results)}
{_movies(results)}
<h2>Runs</h2>
{_table(results)}
<h2>Scene</h2>
<pre>{escape(plan.scene.text)}</pre>
</body>
</html>
"""


def _plots(plots: Sequence[StudyPlot]) -> str:
    figures = "".join(
        f'<figure><img src="{quote(plot.file)}" alt="{escape(plot.name)}"></figure>'
        for plot in plots
    )
    return f'<div class="plots">{figures}</div>' if figures else ""


def _summary(results: Results) -> str:
    """Statistics of each column of numbers."""
    rows = []
    for name in (*results.parameters, *results.collected):
        values = results[name]
        what = "varied" if name in results.parameters else "collected"
        if values.dtype == object:
            known = [each for each in values.tolist() if each is not None]
            told = f'<td class="text" colspan="4">{len(set(known))} different values</td>'
            missing = len(values) - len(known)
        else:
            numbers = values.astype(np.float64)
            numbers = numbers[np.isfinite(numbers)]
            missing = len(values) - len(numbers)
            shown = (
                [math.fsum(numbers) / len(numbers), numbers.std(), numbers.min(), numbers.max()]
                if len(numbers)
                else [None] * 4
            )
            told = "".join(f"<td>{_cell(each)}</td>" for each in shown)
        rows.append(
            f'<tr><td class="text">{escape(name)}</td><td class="text">{what}</td>{told}'
            f"<td>{missing or ''}</td></tr>"
        )
    head = "".join(
        f"<th>{each}</th>" for each in ("", "", "mean", "deviation", "min", "max", "no value")
    )
    return f'<div class="wide"><table><tr>{head}</tr>{"".join(rows)}</table></div>'


def _failures(results: Results) -> str:
    if not results.failures:
        return ""
    rows = "".join(_row(row, results) for row in results.failed(FAILURES))
    more = f" The first {FAILURES} of them:" if results.failures > FAILURES else ""
    return (
        f"<h2>Failures</h2><p>{results.failures:,} runs.{more}</p>"
        f'<div class="wide"><table>{_head(results)}{rows}</table></div>'
    )


def _movies(results: Results) -> str:
    found = sorted((results.path / RUNS).glob("*/run.gif"))
    if not found:
        return ""
    figures = "".join(
        f'<figure><img loading="lazy" src="{quote(str(Path(RUNS, file.parent.name, file.name)))}" '
        f'alt="run {escape(file.parent.name)}"><figcaption>{escape(file.parent.name)}'
        "</figcaption></figure>"
        for file in found[:MOVIES]
    )
    more = f"<p>The first {MOVIES} of {len(found)}.</p>" if len(found) > MOVIES else ""
    return f'<h2>Movies</h2>{more}<div class="movies">{figures}</div>'


def _table(results: Results) -> str:
    rows = "".join(_row(row, results) for row in results.rows(ROWS))
    more = f"<p>The first {ROWS:,} of {len(results):,}.</p>" if len(results) > ROWS else ""
    return f'{more}<div class="wide"><table>{_head(results)}{rows}</table></div>'


def _head(results: Results) -> str:
    return (
        "<thead><tr>"
        + "".join(f"<th>{escape(each)}</th>" for each in results.columns)
        + "</tr></thead>"
    )


def _row(row: dict[str, Any], results: Results) -> str:
    cells = "".join(
        f'<td class="text">{_cell(row[name])}</td>'
        if isinstance(row[name], str)
        else f"<td>{_cell(row[name])}</td>"
        for name in results.columns
    )
    return f"<tr{'' if row['status'] == 'ok' else ' class=bad'}>{cells}</tr>"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.6g}"
    text = str(value)
    return escape(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}...")
