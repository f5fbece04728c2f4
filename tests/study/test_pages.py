# SPDX-License-Identifier: MIT
"""What is made of a table to look at: a page, and plots."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rigid2d.core import run_study

from tests.search import tries

Write = Callable[..., Path]
VARY = "vary: {vars.height: {from: 1, to: 4, count: 4}, vars.slope: [0, 1, 2]}"
COLLECT = "collect: {top: {max: =ball.y}, far: =ball.x}"
EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"


class Tags(HTMLParser):
    """Every tag of a page with its attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_whatever_a_scene_says_is_text_on_the_page(write: Write, tmp_path: Path) -> None:
    quoted = EVIL.replace('"', '\\"')
    file = write(
        "vary: {bodies.ball.color: [red, green], vars.height: [1, 0]}",
        "sample: zip",
        "collect: {m: =1/height}",
    )
    text = file.read_text().replace("name: A hop", f'name: "{quoted}"\ndescription: "{quoted}"')
    file.write_text(text.replace("[red, green]", f'[red, "{quoted}"]'))
    run_study(file, tmp_path / "out")
    page = Tags((tmp_path / "out/index.html").read_text())
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "img", "iframe", "object"})
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
    assert page.text.count(EVIL) >= 3


def test_a_page_asks_for_nothing_that_does_not_lie_beside_it(write: Write, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots need the extra `study`")
    out = tmp_path / "out"
    run_study(write(VARY, COLLECT), out, plots=["top:height"])
    page = Tags((out / "index.html").read_text())
    links = [a.get(k) for _, a in page.tags for k in ("src", "href") if a.get(k)]
    links = [link for link in links if not str(link).startswith("data:")]
    assert {"plots/top-height.svg", "results.parquet", "study.json"} <= {*links}
    assert all((out / str(link)).is_file() for link in links)
    (policy,) = (a["content"] for _, a in page.tags if a.get("http-equiv"))
    assert "default-src 'none'" in str(policy)


def test_failures_are_on_the_page_with_their_messages(write: Write, tmp_path: Path) -> None:
    run_study(write("vary: {bodies.ball.mass: [1, 0]}"), tmp_path / "out")
    page = Tags((tmp_path / "out/index.html").read_text())
    assert "Failures" in page.text
    assert "must be greater than 0" in page.text


def test_a_page_of_many_runs_shows_the_first_of_them(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rigid2d.core.study.page.ROWS", 3)
    run_study(write(VARY, COLLECT), tmp_path / "out")
    text = (tmp_path / "out/index.html").read_text()
    assert "The first 3 of 12." in text
    assert len(re.findall(r"<tr><td>\d+</td>", text)) == 3


@pytest.mark.parametrize(
    "plot", ["far:top:run", "status:height", "top:height", "top:height:slope"][: tries(2, 4)]
)
def test_a_plot_is_written_as_svg_and_png_and_is_the_same_again(
    write: Write, tmp_path: Path, plot: str
) -> None:
    pytest.importorskip("matplotlib", reason="plots need the extra `study`")
    file = write(VARY, COLLECT)
    for name in ("one", "two"):
        run_study(file, tmp_path / name, plots=[plot])
    stem = plot.replace(":", "-")
    for suffix in ("svg", "png"):
        one, two = (
            (tmp_path / n / "plots" / f"{stem}.{suffix}").read_bytes() for n in ("one", "two")
        )
        assert len(one) > 1000
        assert one == two


def test_a_plot_over_two_parameters_of_a_grid_is_a_heat_map(write: Write, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots need the extra `study`")
    import numpy as np
    from rigid2d.core.study.plots import _figure

    results = run_study(write(VARY, COLLECT), tmp_path / "out")
    figure = _figure(results, ["top", "vars.height", "vars.slope"], {"top": "m"})
    assert figure.axes[-1].get_ylabel() == "top (m)"
    (mesh,) = figure.axes[0].collections
    assert mesh.get_array().shape == (3, 4)
    np.testing.assert_allclose(mesh.get_array()[1], results["top"].reshape(4, 3)[:, 1])
    line = _figure(results, ["top", "vars.height"], {}).axes[0].lines[0]
    assert line.get_xdata().tolist() == [1.0, 2.0, 3.0, 4.0]
    np.testing.assert_allclose(line.get_ydata(), results["top"].reshape(4, 3).mean(axis=1))
