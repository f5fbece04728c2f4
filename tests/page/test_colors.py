# SPDX-License-Identifier: MIT
"""Colours of pages: those of the reader's system, and letters and lines that can be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.page.pages import SMALL, page_of, settled
from tests.page.waiting import has

Show = Callable[..., Any]
PALE = SMALL + "annotations: [{text: pale, at: [0, 3], color: '#ffff66'}, {plot: [ball.y]}]\n"
WRITTEN = """() => {
  const {player} = rigid, {context, source} = {context: player.picture.context, source: player.source};
  const found = [], fill = context.fillText.bind(context);
  context.fillText = (text, ...rest) => { if (text === "pale") found.push(context.fillStyle); fill(text, ...rest); };
  player.picture.draw(source.at(0));
  context.fillText = fill;
  return [found[0], source.data.themes[player.picture.theme].paper];
}"""  # noqa: E501


def contrast(one: str, other: str) -> float:
    """As WCAG 2.2 counts it."""

    def luminance(color: str) -> float:
        parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark", "blueprint"])
def test_letters_in_a_colour_of_the_scene_are_read_in_each_theme(theme: str, show: Show) -> None:
    tab = show(page_of(PALE))
    settled(tab, f"rigid.player.setTheme('{theme}')")
    color, paper = tab.evaluate(WRITTEN)
    assert contrast(color, paper) >= 4.5
    if theme != "light":
        assert color == "#ffff66"  # which is read as it is


@pytest.mark.parametrize("theme", ["light", "dark", "blueprint"])
def test_lines_of_plots_are_read_on_their_card(theme: str, show: Show) -> None:
    tab = show(page_of(SMALL))
    settled(tab, f"rigid.player.setTheme('{theme}')")
    lines = tab.evaluate(
        "rigid.player.plots.charts[0].plot.series.slice(1).map((each) => each.stroke())"
    )
    card = tab.evaluate(
        "getComputedStyle(document.documentElement).getPropertyValue('--card').trim()"
    )
    assert all(contrast(line, card) >= 4.5 for line in lines)


def test_lines_of_plots_go_between_pixels(show: Show) -> None:
    tab = show(page_of(SMALL))
    assert tab.evaluate(
        "rigid.player.plots.charts[0].plot.series.slice(1).every(each => each.pxAlign === 0)"
    )


def test_a_page_has_the_colours_that_the_readers_system_asks_for(show: Show) -> None:
    tab = show(page_of(SMALL), color_scheme="dark")
    has(tab, "html", "data-theme", "dark")
    tab.emulate_media(color_scheme="light")
    has(tab, "html", "data-theme", "light")
    settled(tab, "rigid.player.nextTheme()")  # from here on the reader's own choice
    settled(tab, "rigid.player.nextTheme()")
    tab.emulate_media(color_scheme="dark")
    settled(tab)
    has(tab, "html", "data-theme", "blueprint")
    tab.emulate_media(color_scheme=None)


@pytest.mark.parametrize(
    ("render", "around", "picture"),
    [("theme: blueprint", "blueprint", "blueprint"), ("background: white", "dark", "light")],
)
def test_a_scene_that_chose_its_colours_keeps_them(
    render: str, around: str, picture: str, show: Show
) -> None:
    tab = show(page_of(SMALL + f"render: {{{render}}}\n"), color_scheme="dark")
    has(tab, "html", "data-theme", around)
    assert tab.evaluate("rigid.player.picture.theme") == picture


@pytest.mark.parametrize("way", ["pixels", "sheets"])
def test_many_small_bodies_look_as_each_of_them_does(way: str, show: Show) -> None:
    """Looks that are copied differ from those that are drawn by less than their edges do: those
    that are blended by the page, and those that the canvas copies."""
    tab = show(
        page_of(
            "rigid: 1\nworld: {duration: 0.02, gravity: [0, 0]}\nbodies:\n"
            "  dot: {repeat: {i: 40, j: 40}, shape: {box: [0.7, 0.4]}, position: [=i, =j],"
            " angle: =0.3*i + j}\ncamera: {mode: region, rect: [[-2, -2], [42, 42]]}\n"
        ),
        anew=True,
    )
    assert tab.evaluate("rigid.player.source.sketch.stamps.groups.size") == 1600
    assert tab.evaluate("rigid.player.source.sketch.stamps.pixels !== null")  # it has no processor
    apart, blended = tab.evaluate(
        """(way) => {
          const {picture, source} = rigid.player, {width, height} = picture.canvas;
          const {stamps} = source.sketch;
          if (way === "sheets") stamps.pixels = null;
          let runs = 0;
          const flush = stamps.pixels?.flush;
          if (flush) stamps.pixels.flush = function (brush) { runs += 1; flush.call(this, brush); };
          const still = new OffscreenCanvas(width, height);
          const read = still.getContext("2d", {willReadFrequently: true});
          const shot = () => {
            picture.draw(source.at(0));
            read.drawImage(picture.canvas, 0, 0);
            return read.getImageData(0, 0, width, height).data;
          };
          for (let frame = 0; frame < 5; frame++) shot();  // so many looks are drawn in a frame
          const copied = shot(), count = runs;
          stamps.groups.clear();
          const apart = shot().map((part, i) => Math.abs(part - copied[i]));
          return [apart.reduce((sum, part) => sum + part, 0) / apart.length, count];
        }""",
        way,
    )
    assert 0 < apart < (1.2 if way == "pixels" else 3)  # of 255
    assert (blended > 0) == (way == "pixels")
