# SPDX-License-Identifier: MIT
"""The renderer: frames of a scene in, pictures out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .. import _native, arguments
from ..arguments import callback, checked, one_of, optional, real, text, texts, whole
from ..errors import UsageError, unknown_name
from ..record.frame import Frame, Shown, check_frame
from ..scene.limits import FPS, LEAST_FPS
from ..scene.model import OVERLAYS, Scene
from ..view.camera import NO_ROOM, Camera, View
from ..view.fit import adrift, fits_run
from ..view.strips import insets_of
from ..view.survey import Survey
from .canvas.colors import Color, over, parse_color
from .canvas.display import Items, join
from .canvas.text import Lettering, font_of
from .canvas.textures import Textures
from .canvas.theme import THEMES, muted, shape_looks, theme_of
from .marks.annotations import wants_contacts
from .marks.overlays import OF_CONTACTS, Overlays
from .marks.plot_room import plot_room
from .minimap import MinimapPicture
from .objects.background import BackgroundPainter
from .objects.drawing import PoseDrawing
from .objects.layers import Layers
from .objects.particles import Particles
from .objects.pen import Painter
from .objects.pools import pool_color

Float64 = NDArray[np.float64]
UInt8 = NDArray[np.uint8]

LARGEST = 8192
"""Pictures are at most this many pixels wide and high."""


class Renderer:
    """Draws the frames of one scene, in the order of time.

    Args:
        scene: what is drawn; its ``render`` and ``camera`` blocks say how.
        size: width and height in pixels, instead of the scene's.
        overlays: names of ``OVERLAYS``, instead of the scene's.
        theme: ``light``, ``dark`` or ``blueprint``, instead of the scene's.
        fps: frames per second, instead of the scene's.
        supersample: draw so many times larger and average, instead of the scene's.
        survey: what the frames of the run show, found ahead, so that ``fit`` shows all that moves.
            Without it ``fit`` shows all that is there in the first frame.
        tint: the colour of all bodies that are not static, instead of the scene's.
        painters: functions that draw bodies in place of their shapes and pictures, by their names;
            each is called for every frame with a ``Pen``.

    Raises:
        UsageError: for a name or size that cannot be drawn.
    """

    @checked(
        scene=one_of(Scene),
        size=optional(arguments.size),
        overlays=optional(texts),
        theme=optional(text),
        fps=optional(real),
        supersample=optional(whole(None)),
        survey=optional(one_of(Survey)),
        tint=optional(text),
        painters=optional(one_of(dict)),
    )
    def __init__(
        self,
        scene: Scene,
        *,
        size: tuple[int, int] | None = None,
        overlays: Sequence[str] | None = None,
        theme: str | None = None,
        fps: float | None = None,
        supersample: int | None = None,
        survey: Survey | None = None,
        tint: str | None = None,
        painters: Mapping[str, Painter] | None = None,
    ) -> None:
        for name, painter in (painters or {}).items():
            if name not in scene.bodies:
                raise unknown_name("body", name, scene.bodies)
            callback(painter, f"painters[{name!r}]")
        self._painters = painters
        render = scene.render
        self.scene = scene
        self.size = render.size if size is None else size
        self.fps = render.fps if fps is None else fps
        self.overlays = tuple(render.overlays if overlays is None else overlays)
        # Without anything fixed in sight only a grid shows that the picture falls along.
        if scene.camera.mode == "fit" and adrift(scene) and "grid" not in self.overlays:
            self.overlays = ("grid", *self.overlays)
        name = render.theme if theme is None else theme
        self._factor = render.supersample if supersample is None else supersample
        _check(self.size, self.fps, self.overlays, name, self._factor)
        self.theme = theme_of(scene, name)
        if tint is not None:
            self.theme = replace(self.theme, tint=parse_color(tint))
        self._whole = (self.size[0] * self._factor, self.size[1] * self._factor)
        self._unit = line_unit(self._whole)
        self._insets = insets_of(scene, self._whole, self._unit, self._factor)
        self._canvas = self._insets.inner(self._whole)
        self._lettering = Lettering(font_of(scene.render.font))
        self._textures = Textures(scene, self._lettering)
        self._survey = survey
        self._camera: Camera | None = None
        self._drawing: PoseDrawing | None = None
        self._scale = 0.0  # at which that is drawn
        self._background: BackgroundPainter | None = None
        self._overlays: Overlays | None = None
        self._layers: Layers | None = None
        self._particles = Particles(scene)
        self.shows_particles = True  # which pictures laid over each other do not
        self.shows_as_set = True  # bodies, by what was set: they have their own, of which some hide
        self._shown = Shown()
        self._minimap: MinimapPicture | None = None
        self._drawn = self._now = scene
        self._given: Scene | None = None  # what `_now` was made from

    @property
    def wants_contacts(self) -> bool:
        """Whether frames should come with their contacts."""
        shown = any(name in OF_CONTACTS for name in self.overlays)
        return shown or wants_contacts(self.scene)

    @checked()
    def colors(self) -> list[Color]:
        """The colours that large areas have, for a palette: of paper, bodies and water."""
        looks = [look for row in shape_looks(self.scene, self.theme) for look in row]
        own = [color for look in looks for color in (look.fill, look.outline)]
        asleep = [muted(look.fill, self.theme) for look in looks]
        paper = self.theme.paper
        pools = [pool for pool in self.scene.world.pools if pool.visible]
        water = [over(pool_color(pool, self.theme), paper) for pool in pools]
        seen = dict.fromkeys([paper, *own, self.theme.ink, *asleep, *water])
        return [color for color in seen if color[3] == 255]

    @checked(frame=one_of(Frame), view=optional(one_of(View)))
    def draw(self, frame: Frame, view: View | None = None) -> UInt8:
        """The picture of one frame, [height, width, 3].

        ``view`` is where another camera looks, instead of the scene's own.
        """
        view = self._prepare(frame, view)
        assert self._background is not None
        image = self._background.canvas()
        lists = self._lists(frame, view)
        self._rasterize(image, [self._background.items(view), *lists])
        if self._minimap is not None:
            self._minimap.paint(image, self._drawn, frame, view)
        return self._shrunk(self._framed(image, frame, self.theme.paper))

    @checked(frame=one_of(Frame), view=optional(one_of(View)))
    def draw_clear(self, frame: Frame, view: View | None = None) -> UInt8:
        """The same on nothing: [height, width, 4] with opacity, without background and minimap.

        Colours are not multiplied by the opacity.
        """
        view = self._prepare(frame, view)
        width, height = self._canvas
        lists = self._lists(frame, view)
        on: list[UInt8] = []
        for paper in (0, 255):
            image = np.full((height, width, 3), paper, np.uint8)
            self._rasterize(image, lists)
            on.append(self._shrunk(self._framed(image, frame, (paper, paper, paper, 255))))
        return matted(*on)

    @checked(frame=one_of(Frame))
    def look(self, frame: Frame) -> View:
        """The view of the camera at a frame, which is later than the frames before."""
        check_frame(frame, self.scene)
        if self._camera is None:
            survey = self._survey if fits_run(self.scene) else None
            seen = survey.box() if survey is not None else None
            room = NO_ROOM
            if survey is not None and seen is not None:
                drawn = (self._canvas, self._unit, self.overlays)
                room = plot_room(self.scene, *drawn, survey, seen)
            self._camera = Camera(self.scene, self._canvas, frame, seen, room)
        return self._camera.view(frame)

    def _prepare(self, frame: Frame, given: View | None) -> View:
        """Have all that draws a frame, and the view of it."""
        check_frame(frame, self.scene)
        now = self._shown.of(self._scene_of(frame), self._visible(frame))
        view = self.look(frame) if given is None else given
        if self._drawing is None or now is not self._drawn or view.scale != self._scale:
            self._drawing = PoseDrawing(
                now,
                self.theme,
                view.scale,
                self._unit,
                self._textures,
                self.scene.bodies,
                self._painters,
            )
            if self._overlays is not None and now is not self._drawn:
                self._overlays.follow(now)
            self._drawn, self._scale = now, view.scale
        if self._overlays is None:
            self._background = BackgroundPainter(
                self.scene, self.theme, self._canvas, view, self._lettering, self._factor
            )
            self._overlays = Overlays(
                self.scene,
                self.theme,
                self.overlays,
                self._canvas,
                self._unit,
                self._lettering,
                self._survey,
            )
            if now is not self.scene:
                self._overlays.follow(now)
            self._add_images(frame, view)
        return view

    def _add_images(self, first: Frame, view: View) -> None:
        """The layers and the minimap, once the camera looks at the first frame."""
        scene = self.scene
        if scene.layers:
            self._layers = Layers(scene, self._canvas, view, self._textures)
        if scene.minimap is not None and self._overlays is not None:
            self._minimap = MinimapPicture(
                scene,
                scene.minimap,
                self.theme,
                self._canvas,
                self._unit,
                first,
                self._textures,
                self._lettering,
                self._overlays.corners(first),
            )
            self._overlays.reserved.append(self._minimap.box)

    def _scene_of(self, frame: Frame) -> Scene:
        """The scene of a frame, with additions.

        The same object as long as nothing is added or removed.
        """
        given, scene = frame.scene, self.scene
        if given is None or not _adds(given, scene):
            return scene
        if self._given is not given:
            self._given = given
            self._now = replace(
                scene,
                bodies={**given.bodies, **scene.bodies},
                joints={**given.joints, **scene.joints},
                actuators={**given.actuators, **scene.actuators},
                particles={**given.particles, **scene.particles},
            )
        return self._now

    def _visible(self, frame: Frame) -> Mapping[str, bool]:
        """Settings of bodies: whether they are drawn."""
        visible = frame.visible
        if self.shows_as_set or not visible:
            return visible
        return {name: shown for name, shown in visible.items() if not shown}

    def _lists(self, frame: Frame, view: View) -> list[tuple[Float64, Float64]]:
        """The display lists of a frame from back to front, but for the background."""
        assert self._drawing is not None
        assert self._overlays is not None
        below, above = self._overlays.items(frame, view)
        bodies = self._drawing.place(frame, view)
        if self.shows_particles and (self._drawn.particles or self._particles.looks):
            sparks = Items()
            self._particles.add(sparks, self._drawn, frame, view)
            below = join([below, sparks.arrays()])
        if not self._layers:
            return [below, bodies, above]
        behind, before = self._layers.items(view)
        return [behind, below, bodies, before, above]

    def _rasterize(self, image: UInt8, lists: list[tuple[Float64, Float64]]) -> None:
        items, points = join(lists)
        _native.rasterize(image, items, points, *self._lettering.pictures())

    def _framed(self, image: UInt8, frame: Frame, paper: Color) -> UInt8:
        """A picture of the world with the strips beside it."""
        if not self._insets:
            return image
        assert self._overlays is not None
        (width, height), insets = self._whole, self._insets
        whole = np.empty((height, width, 3), np.uint8)
        whole[:] = paper[:3]
        self._rasterize(whole, [self._overlays.strips(frame, self._whole, insets)])
        whole[insets.top : height - insets.bottom, insets.left : width - insets.right] = image
        return whole

    def _shrunk(self, image: UInt8) -> UInt8:
        """A canvas in the size of the picture."""
        if self._factor == 1:
            return image
        small = np.empty((self.size[1], self.size[0], 3), np.uint8)
        _native.shrink_image(image, small, self._factor)
        return small


def matted(on_black: UInt8, on_white: UInt8) -> UInt8:
    """A picture from its drawings on black and on white, with opacity [h, w, 4].

    On black a colour c of opacity a is a c, on white a c + (1 - a) 255 (Porter and Duff, 1984).
    """
    apart = on_white - on_black  # never below 0
    opacity = 255 - np.maximum(np.maximum(apart[..., 0], apart[..., 1]), apart[..., 2])
    picture: UInt8 = np.zeros((*opacity.shape, 4), np.uint8)
    drawn = opacity > 0
    whole = opacity[drawn].astype(np.int32)[:, None]
    colors = (255 * on_black[drawn].astype(np.int32) + whole // 2) // whole
    picture[drawn, :3] = np.minimum(colors, 255)
    picture[..., 3] = opacity
    return picture


def _adds(given: Scene, scene: Scene) -> bool:
    """Whether a scene has more objects than another one, which it began as."""
    more = ((given.bodies, scene.bodies), (given.joints, scene.joints))
    return any(len(a) > len(b) for a, b in (*more, (given.actuators, scene.actuators)))


def line_unit(size: tuple[int, int]) -> float:
    """Scale of lines and letters, relative to a picture 480 pixels high."""
    return min(max(min(size) / 480.0, 0.6), 12.0)


def _check(
    size: tuple[int, int], fps: float, overlays: Sequence[str], theme: str, factor: int
) -> None:
    if not all(16 <= side <= LARGEST for side in size):
        raise UsageError(
            f"a picture of {size[0]}x{size[1]} cannot be made; "
            f"width and height are 16 to {LARGEST} pixels"
        )
    if not LEAST_FPS <= fps <= FPS:
        raise UsageError(
            f"fps {fps:g} cannot be; it is above 0 and at most {FPS}, and at least {LEAST_FPS}"
        )
    for name in overlays:
        if name not in OVERLAYS:
            raise UsageError(f"there is no overlay {name!r}; there are {', '.join(OVERLAYS)}")
    if theme not in THEMES:
        raise UsageError(f"there is no theme {theme!r}; there are {', '.join(THEMES)}")
    if not 1 <= factor <= 8 or factor * max(size) > 2 * LARGEST:
        raise UsageError(
            f"supersample {factor} cannot be; it is 1 to 8, and size times it at most {2 * LARGEST}"
        )
