# SPDX-License-Identifier: MIT
"""Several variants of one scene in one picture: side by side, in a grid, or over each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .. import _native, arguments
from ..arguments import checked, list_of, one_of, optional, real, text, texts
from ..errors import UsageError
from ..record.frame import Frame
from ..scene.model import Annotation, Compare, Scene
from ..view.camera import View
from ..view.survey import SharedSurvey, Survey
from .canvas.colors import Color, parse_color
from .canvas.display import Items
from .canvas.text import Lettering, font_of
from .canvas.theme import Theme
from .marks.overlays import OF_ALL
from .renderer import Renderer, line_unit

UInt8 = NDArray[np.uint8]

LEAST_PANEL = 32
"""No variant gets fewer pixels in width or height."""
TITLE = 22.0
"""Height of the line of a title at picture size ``unit`` 1,"""
LETTERS = 14.0
"""how high its letters,"""
LEAST_LETTERS = 8.0
"""and how small those become before a name is cut off."""
GAP = 2.0
"""The gap between two pictures."""


class VariantsRenderer:
    """Draws the variants of a scene that has a ``compare`` block, moment by moment.

    The scene's camera and picture settings apply to all of them.

    Args:
        scene: the scene.
        size: the size of the whole picture. This, ``overlays``, ``theme`` and ``fps`` are as for
            ``Renderer``.
        surveys: those of the runs of the variants, in their order.

    Raises:
        UsageError: for a scene without variants, and as ``Renderer`` does.
    """

    @checked(
        scene=one_of(Scene),
        size=optional(arguments.size),
        overlays=optional(texts),
        theme=optional(text),
        fps=optional(real),
        surveys=optional(list_of(one_of(Survey))),
    )
    def __init__(
        self,
        scene: Scene,
        *,
        size: tuple[int, int] | None = None,
        overlays: Sequence[str] | None = None,
        theme: str | None = None,
        fps: float | None = None,
        surveys: Sequence[Survey] | None = None,
    ) -> None:
        compare = compared(scene)
        whole = Renderer(scene, size=size, overlays=overlays, theme=theme, fps=fps)
        self.scene, self.size, self.fps = scene, whole.size, whole.fps
        self.overlays = whole.overlays
        self._theme, self._named = whole.theme, theme
        self._unit = line_unit(self.size)
        self._lettering = Lettering(font_of(scene.render.font))
        self._shared = compare.camera == "shared"
        seen: list[Survey | None] = [None] * len(compare.variants)
        if surveys:
            seen = [SharedSurvey(surveys)] * len(seen) if self._shared else [*surveys]
        self._over = compare.layout == "overlay"
        self._opacity = compare.opacity
        self._paper: UInt8 = np.empty((self.size[1], self.size[0], 3), np.uint8)
        self._paper[:] = self._theme.paper[:3]
        if self._over:
            self._lay_over(compare, seen)
        else:
            self._lay_out(compare, seen)

    def _renderer(
        self,
        scene: Scene,
        size: tuple[int, int],
        survey: Survey | None,
        overlays: Sequence[str],
        tint: str | None = None,
    ) -> Renderer:
        return Renderer(
            scene,
            size=size,
            overlays=overlays,
            theme=self._named,
            fps=self.fps,
            survey=survey,
            tint=tint,
        )

    @checked()
    def colors(self) -> list[Color]:
        """The colours that large areas have, for a palette."""
        drawn = [self._base, *self._movers] if self._over else self._panels
        found = [color for each in drawn for color in each.colors()]
        return list(dict.fromkeys(found))

    @checked(frames=list_of(one_of(Frame)))
    def draw(self, frames: Sequence[Frame]) -> UInt8:
        """The picture of one moment, of which each variant has a frame: [height, width, 3]."""
        if len(frames) != len(compared(self.scene).variants):
            raise UsageError(f"{len(frames)} frames; each variant has one of a moment")
        view = self._panels[0].look(frames[0]) if self._shared else None
        image = self._paper.copy()
        if self._over:
            self._draw_over(image, frames, view)
            return image
        for panel, (x, y), frame in zip(self._panels, self._corners, frames, strict=True):
            drawn = panel.draw(frame, view)
            image[y : y + drawn.shape[0], x : x + drawn.shape[1]] = drawn
        return image

    # ------------------------------------------------------------ beside each other

    def _lay_out(self, compare: Compare, surveys: Sequence[Survey | None]) -> None:
        """Give each variant its place and its title."""
        count = len(compare.variants)
        columns = count if compare.layout == "row" else compare.columns
        columns = min(columns or math.ceil(math.sqrt(count)), count)
        rows = -(-count // columns)
        gap, title = max(int(GAP * self._unit + 0.5), 1), int(TITLE * self._unit + 0.5)
        wide = (self.size[0] - gap * (columns - 1)) // columns
        high = (self.size[1] - gap * (rows - 1)) // rows - title
        if min(wide, high) < LEAST_PANEL:
            raise UsageError(
                f"{columns}x{rows} variants leave each a picture of {wide}x{max(high, 0)} pixels; "
                f"it has at least {LEAST_PANEL}x{LEAST_PANEL}: make the picture larger"
            )
        self._corners: list[tuple[int, int]] = []
        items = Items()
        for i, variant in enumerate(compare.variants):
            x, y = i % columns * (wide + gap), i // columns * (high + title + gap)
            self._corners.append((x, y + title))
            name, size = self._fitted(variant.name, wide - 2.0 * gap)
            at = (x + 0.5 * wide, y + 0.5 * (title - size))
            self._lettering.add(items, name, at, self._theme.ink, size, 0.5)
            if i % columns:
                self._paper[y : y + high + title, x - gap : x] = self._theme.axis[:3]
            if i // columns:
                self._paper[y - gap : y, : self.size[0]] = self._theme.axis[:3]
        _native.rasterize(self._paper, *items.arrays(), *self._lettering.pictures())
        self._panels = [
            self._renderer(variant.scene, (wide, high), survey, self.overlays)
            for variant, survey in zip(compare.variants, surveys, strict=True)
        ]

    def _fitted(self, name: str, wide: float) -> tuple[str, float]:
        """A title and the size of its letters: smaller where it is long, cut where that is not
        enough."""
        least, size = LEAST_LETTERS, LETTERS * self._unit
        while size > least and self._lettering.width(name, size) > wide:
            size = max(size - 1.0, least)
        shown = name
        while len(shown) > 1 and self._lettering.width(shown, size) > wide:
            name = name[:-1]
            shown = f"{name}..."
            if not name:
                break
        return shown, size

    # ------------------------------------------------------------ over each other

    def _lay_over(self, compare: Compare, surveys: Sequence[Survey | None]) -> None:
        """Fixed bodies are drawn once, moving ones in the colour of their variant."""
        tints = tints_of(compare, self._theme)
        top = self._write_legend(compare, tints)
        size = (self.size[0], self.size[1] - top)
        if min(size) < LEAST_PANEL:
            raise UsageError(f"the picture is too small for {len(tints)} variants; make it larger")
        self._corners = [(0, top)]
        first = compare.variants[0].scene
        once = [name for name in self.overlays if name in OF_ALL]
        each = [name for name in self.overlays if name not in OF_ALL]
        self._panels = [self._renderer(first, size, surveys[0], self.overlays)]
        self._base = self._renderer(_fixed(first), size, surveys[0], once)
        self._movers = [
            self._renderer(_moving(variant.scene, first), size, None, each, tint)
            for variant, tint in zip(compare.variants, tints, strict=True)
        ]
        self._notes = []
        if first.annotations:
            self._notes = [self._renderer(_written(first), size, surveys[0], ())]
        for renderer in (self._base, *self._movers, *self._notes):
            renderer.shows_particles = renderer.shows_as_set = False

    def _write_legend(self, compare: Compare, tints: Sequence[str]) -> int:
        """The names in their colours, in as many lines as they need; how high these are."""
        line, size = TITLE * self._unit, LETTERS * self._unit
        edge, space = 0.4 * line, 0.5 * size
        items = Items()
        x, y = edge, 0.0
        for variant, tint in zip(compare.variants, tints, strict=True):
            name, letters = self._fitted(variant.name, self.size[0] - 2.0 * edge - size - space)
            wide = size + space + self._lettering.width(name, letters)
            if x > edge and x + wide > self.size[0] - edge:
                x, y = edge, y + line
            color = _opaque(tint)
            middle = y + 0.5 * line
            items.add("circle", [(x + 0.5 * size, middle)], color, radius=0.4 * size)
            at = (x + size + 0.5 * space, y + 0.5 * (line - letters))
            self._lettering.add(items, name, at, self._theme.ink, letters)
            x += wide + 1.5 * size
        _native.rasterize(self._paper, *items.arrays(), *self._lettering.pictures())
        return int(y + line + 0.5)

    def _draw_over(self, image: UInt8, frames: Sequence[Frame], view: View | None) -> None:
        (_, top), base = self._corners[0], self._base.draw(frames[0], view)
        mixed = base.astype(np.float64)
        movers = zip(self._movers, frames, [self._opacity] * len(frames), strict=True)
        for above, frame, opacity in (*movers, *((each, frames[0], 1.0) for each in self._notes)):
            drawn = above.draw_clear(frame, view)
            there = drawn[..., 3] > 0
            colors = drawn[there].astype(np.float64)
            below = mixed[there]
            share = colors[:, 3:] * (opacity / 255.0)
            mixed[there] = below + (colors[:, :3] - below) * share
        image[top:] = np.floor(mixed + 0.5).astype(np.uint8)


def compared(scene: Scene) -> Compare:
    """The comparison of a scene; UsageError where it has none."""
    if scene.compare is None:
        raise UsageError("the scene has no `compare` block, and so no variants")
    return scene.compare


def tints_of(compare: Compare, theme: Theme) -> list[str]:
    """The colours of variants over each other: their own, or those of the theme's bodies."""
    palette = theme.bodies
    return [
        variant.color or _hex(palette[i % len(palette)])
        for i, variant in enumerate(compare.variants)
    ]


def _opaque(color: str) -> Color:
    return (*parse_color(color)[:3], 255)


def _hex(color: Color) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color[:3])


def _fixed(scene: Scene) -> Scene:
    """The fixed bodies of a scene."""
    hidden = {name: replace(joint, visible=False) for name, joint in scene.joints.items()}
    bodies = {
        body.name: body if body.kind == "static" else replace(body, visible=False, trail=None)
        for body in scene.bodies.values()
    }
    return replace(scene, bodies=bodies, joints=hidden, annotations=_rooms(scene))


def _written(scene: Scene) -> Scene:
    """The annotations of a scene alone."""
    bodies = {name: replace(body, visible=False, trail=None) for name, body in scene.bodies.items()}
    joints = {name: replace(joint, visible=False) for name, joint in scene.joints.items()}
    world = replace(scene.world, pools=())
    camera = replace(scene.camera, mode="region", rect=None)  # the view is that of all
    return replace(
        scene,
        bodies=bodies,
        joints=joints,
        world=world,
        camera=camera,
        layers=(),
        minimap=None,
    )


def _rooms(scene: Scene) -> tuple[Annotation, ...]:
    """Empty plots, which take their room beside each picture; ``_written`` has what is there."""
    return tuple(
        replace(each, expressions=("0",), names=(), text="", phase=False, start=math.inf)
        for each in scene.annotations
        if each.kind == "plot"
    )


def _moving(scene: Scene, first: Scene) -> Scene:
    """The scene without the fixed bodies that it shares with the first one."""
    bodies = {
        body.name: replace(body, visible=False)
        if body.kind == "static" and first.bodies.get(body.name) == body
        else replace(body, texture=None)
        for body in scene.bodies.values()
    }
    still = replace(scene.camera, mode="region", rect=None)  # the view is that of all
    pools = tuple(pool for pool in scene.world.pools if pool not in first.world.pools)
    world = replace(scene.world, pools=pools)
    return replace(
        scene,
        world=world,
        bodies=bodies,
        camera=still,
        layers=(),
        minimap=None,
        annotations=_rooms(first),
    )
