# SPDX-License-Identifier: MIT
"""Picture settings of a scene as plain data, as in ``model.py``."""

from __future__ import annotations

from dataclasses import field
from math import ceil
from typing import Any, Literal

from ..frozen import frozen

Point = tuple[float, float]

PIXEL = 0.01
"""How many ``length_unit`` a pixel of an image in the world is long that does not say it."""

OVERLAYS = (
    "contacts",
    "normals",
    "depths",
    "joints",
    "limits",
    "errors",
    "joint_names",
    "parts",
    "velocities",
    "forces",
    "body_forces",
    "aabbs",
    "probes",
    "trails",
    "names",
    "grid",
    "time",
    "energy",
)
"""The names that a scene's ``render.overlays`` may hold."""


@frozen
class InnerScene:
    """A scene as the picture of a body: ``fps`` pictures for a second of its own time.

    They begin at the time ``start`` of the scene and last for ``duration``, both in seconds of its
    own; ``speed`` of these go by in a second of the scene that has the body. ``size`` is that of a
    picture in pixels.
    """

    file: str
    size: tuple[int, int]
    start: float
    duration: float
    fps: float
    speed: float = 1.0
    scene: Any = field(default=None, hash=False, repr=False)

    @property
    def count(self) -> int:
        """The number of pictures."""
        return max(1, ceil(self.duration * self.fps - 1e-9))


@frozen
class Texture:
    """A picture on a body, which turns with it and replaces the colours of its shapes.

    ``file`` is its real path; ``offset`` is where its middle is in the body, None that of the box
    round the shapes, as ``size`` None is that of the box. ``mirror`` is the axis of its own that
    goes the other way; while the expression ``mirror_while`` is true, the picture itself has its
    left side on the right. It turns with its body, or with the line from the first to the second of
    two bodies that it is ``along``. Pixels of exactly the colour ``color_key``, or of that of the
    first one where it is ``first_pixel``, are not seen. Where ``tile`` is set the picture is
    repeated over the shapes and cut off at their edges. ``clip`` are polygons in body coordinates,
    outside of which nothing of it is seen; they replace the shapes. ``z`` None is that of the body.
    A sheet has ``grid`` [columns, rows] of pictures, of which ``frame`` is shown, a number or the
    source of an expression over the state of the run, or, where it is None, ``fps`` one after the
    other. With an ``inner`` scene, whose file ``file`` is, those are its pictures.
    """

    file: str
    offset: Point | None = None
    size: Point | None = None
    angle: float = 0.0
    mirror: Literal["x", "y"] | None = None
    mirror_while: str = ""
    along: tuple[str, ...] = ()
    tint: str | None = None
    color_key: str | None = None
    tile: bool = False
    clip: tuple[tuple[Point, ...], ...] | None = None
    z: float | None = None
    grid: tuple[int, int] = (1, 1)
    fps: float = 10.0
    loop: bool = True
    frame: float | str | None = None
    inner: InnerScene | None = None


@frozen
class CameraKey:
    """The camera's view at a scene time: a rectangle, or an area of a ``width`` round a
    point or a body. ``ease`` is the way to it from the key before."""

    at: float
    rect: tuple[Point, Point] | None = None
    center: Point | None = None
    target: str | None = None
    width: float | None = None
    ease: Literal["smooth", "linear", "hold"] = "smooth"


@frozen
class Shake:
    """A camera that trembles from a scene time on, by a length that dies away."""

    at: float
    amplitude: float
    duration: float
    frequency: float = 8.0  # in Hz


@frozen
class Camera:
    """The view of the world. ``zoom`` is pixels per length unit in a picture of the scene's size,
    ``pixel_zoom`` in one of any size; ``margin`` a length.

    ``target`` is one body that is followed, ``targets`` are several. With the style ``keep_in`` it
    moves as little as keeps their outlines ``margin`` away from its edges. A camera that fits the
    run is at most ``widest`` times as wide as at the start. ``start`` is what it looks at first:
    the middle of all, the corner of all in that of the picture, or the box of the background.
    """

    mode: Literal["fit", "region", "follow", "keys"] = "fit"
    rect: tuple[Point, Point] | None = None
    target: str | None = None
    style: Literal["center", "keep_in"] = "center"
    margin: float | None = None
    zoom: float | None = None
    bounds: tuple[Point, Point] | None = None
    fit: Literal["run", "start"] = "run"
    targets: tuple[str, ...] = ()
    keys: tuple[CameraKey, ...] = ()
    shake: tuple[Shake, ...] = ()
    widest: float | None = None
    start: Literal["center", "corner", "background"] | None = None
    pixel_zoom: float | None = None


@frozen
class Background:
    """A colour, or an image file (absolute path, inside the scene's folder).

    ``pixels`` is the size of the image, and ``scale`` how long a pixel of it is in the world; None
    is not given.
    """

    color: str | None = None
    image: str | None = None
    fit: Literal["stretch", "contain", "world", "own"] = "stretch"
    scale: float | None = None
    pixels: tuple[int, int] = field(default=(0, 0), compare=False)

    def box(self, length_unit: float) -> tuple[float, float, float, float]:
        """The part of the world that the image covers in its own size, from the origin on."""
        scale = PIXEL * length_unit if self.scale is None else self.scale
        return (0.0, 0.0, scale * self.pixels[0], scale * self.pixels[1])


@frozen
class EnergyGraph:
    """The look of the overlay ``energy``. ``zero`` is the height (y) at which potentials are 0, or
    the run's ``start`` or ``lowest`` potential; ``range`` that of the axis in joule; ``scale`` a
    factor on its size."""

    zero: float | Literal["start", "lowest"] = 0.0
    corner: Literal["auto", "top_left", "top_right", "bottom_left", "bottom_right"] = "auto"
    range: tuple[float, float] | None = None
    scale: float = 1.0


@frozen
class Render:
    """The ``render`` block. ``fps`` is frames per second of the picture; in one of them ``speed``
    seconds of the run go by, times the last factor in ``time`` (scene times and factors).
    ``font`` is a file (absolute path, inside the scene's folder), whose letters are taken before
    those of the shipped font. ``poster`` is the time of the run that the gallery's poster shows."""

    size: tuple[int, int] = (640, 480)
    fps: float = 30.0
    supersample: int = 1
    background: Background | None = None  # None: the theme's
    theme: Literal["light", "dark", "blueprint"] = "light"
    font: str | None = None
    overlays: tuple[str, ...] = ()
    palette: Literal["categories", "forces", "materials", "bodies"] = "bodies"
    energy: EnergyGraph = EnergyGraph()
    speed: float = 1.0
    time: tuple[tuple[float, float], ...] = ()
    sleep_fade: bool = True
    sensors: Literal["dashed", "solid", "hidden"] = "dashed"
    poster: float | None = None


@frozen
class Annotation:
    """A text or drawing beside the bodies, shown while start <= time < until.

    ``kind`` is a type of ``core/scene/blocks/picture/annotation_types.py``. With a ``condition``,
    it is shown only in frames for which that is true.

    ``text`` is a text with values in braces, of a vector or dimension its label. It is ``at`` a
    point, goes along with ``follow`` (a body, or a point of one), or is in a ``corner``. ``size``
    is the height of letters in a picture 480 pixels high, ``font`` a file they are taken from. A
    vector is a state such as ``ball.velocity``, or has two ``expressions``, and ``scale`` length
    units per unit of its own. Beside an arrow ``show`` has its name, its value or both written, and
    it has ``components`` along an axis at an angle, or along that of a body, and across it. A
    free-body diagram is of a ``body``, and a ``scale_bar`` of one kind of vectors. The ``ends`` of
    a dimension are points or names.

    A plot has an expression for each line, or for a ``phase`` portrait x and y. Its text is the
    label of the vertical axis, ``names`` are those of the lines; a unit is None where it is that of
    the values. It is in a ``strip`` beside the picture instead of a corner, or ``share``s the place
    and horizontal axis of the one before it. ``width`` and ``height`` are in pixels of a picture
    480 pixels high. ``seconds`` is the shown time or "run"; ``range`` the ends of the vertical
    axis, "shown" those of the shown values, "typical" those of the run but for short peaks, None
    those of the run.
    """

    kind: str
    text: str = ""
    at: Point | None = None
    follow: str | None = None
    corner: str | None = None
    size: float = 13.0
    color: str | None = None
    font: str | None = None
    vector: str = ""
    expressions: tuple[str, ...] = ()
    ends: tuple[Point | str, ...] = ()
    scale: float | None = None
    show: str = ""
    components: float | str | None = None
    body: str = ""
    scale_bar: str = ""
    offset: float = 0.0
    phase: bool = False
    names: tuple[str, ...] = ()
    unit: str | None = None
    x_label: str = ""
    x_unit: str | None = None
    strip: str | None = None
    share: bool = False
    width: float | None = None
    height: float | None = None
    legend: Literal["top", "ends", "none"] = "top"
    seconds: float | Literal["run"] | None = None
    range: tuple[float, float] | Literal["shown", "typical"] | None = None
    x_range: tuple[float, float] | None = None
    start: float = 0.0
    until: float = float("inf")
    condition: str = ""


@frozen
class Emitter:
    """An emitter of particles, which are drawn without effect on the physics.

    ``places`` are bodies or points of bodies, one or two; from between two of them particles leave
    at a quarter turn, at most ``spread`` to either side, and from one to all sides. They come while
    the actuator ``gate`` acts, or always, from the time ``start`` on, when that was born which has
    them. ``colors`` are gone through during the ``life`` of each. ``count`` come together, ``rate``
    times in a time unit, or ``once``, at the start, which is at a multiple of 1 / ``rate`` then.
    """

    name: str
    places: tuple[str, ...]
    rate: float
    life: float
    gate: str = ""
    colors: tuple[str, ...] = ("yellow", "red")
    speed: float = 2.0
    spread: float = 0.2617993877991494
    size: float = 0.05
    start: float = 0.0
    count: int = 1
    once: bool = False

    @property
    def alive(self) -> float:
        """The largest number of particles at a time."""
        return self.count * (1.0 if self.once else max(1.0, self.rate * self.life))

    @property
    def owners(self) -> tuple[str, ...]:
        """The bodies of its places."""
        return tuple(place.partition(".points.")[0] for place in self.places)


@frozen
class ImageLayer:
    """An image behind (``z`` below 0) or in front of all bodies, its middle at a point of the
    world.

    ``scale`` is how long a pixel of it is. It goes by ``parallax`` times as fast as the world does
    when the camera moves, and is repeated along x, y or both.
    """

    image: str
    at: Point = (0.0, 0.0)
    scale: float = 0.01
    parallax: float = 1.0
    repeat: Literal["none", "x", "y", "both"] = "none"
    tint: str | None = None
    z: float = -1.0


@frozen
class Minimap:
    """A small picture of all in a corner; ``size`` is its width as a share of the picture's.

    Bodies of which a name or a tag is in ``also`` are on it though they are not visible.
    """

    rect: tuple[Point, Point] | None = None
    corner: str = "top_right"
    size: float = 0.25
    also: tuple[str, ...] = ()


@frozen
class Variant:
    """One of the scenes that a picture compares.

    ``scene`` is the whole of it, with what is set in this variant and without a ``compare`` of its
    own; ``color`` None is one of the theme's, by its place in the list.
    """

    name: str
    color: str | None = None
    scene: Any = None


@frozen
class Compare:
    """Several variants of one scene in one picture.

    ``columns`` is how many stand beside each other in a grid, None as many as rows; ``opacity`` is
    that of bodies that are drawn over those of other variants.
    """

    variants: tuple[Variant, ...]
    layout: Literal["row", "grid", "overlay"] = "row"
    columns: int | None = None
    camera: Literal["shared", "own"] = "shared"
    opacity: float = 0.6
