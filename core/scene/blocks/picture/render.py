# SPDX-License-Identifier: MIT
"""The block ``render``: the look of pictures."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.images import Images
from ...building.scope import Scope
from ...building.writing import differences, named_file
from ...model import OVERLAYS, Background, EnergyGraph, Render, Scene
from ...values import units
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Context, Wrong
from ...values.fields import Colour, Input, Size, Time, TruthField, Value, about
from ...values.kinds import Custom, ListOf, OneOf, Text, Tuple, show
from ...values.quantity import Quantity
from .annotation_types import FontName
from .camera_models import is_pair


def _as_background(value: Any) -> Any:
    return {"color": value} if isinstance(value, str) else value


class BackgroundInput(Input):
    form: ClassVar[str] = "`{image: sky.png}`"

    color: Colour = about("A colour.")
    image: Annotated[str | None, Text("the name of an image file")] = about(
        "An image file in the scene's folder."
    )
    fit: Annotated[str | None, OneOf(("stretch", "contain", "world", "own"))] = about(
        "stretch (default) fills the picture, contain is whole in it, world is glued to the "
        "world, own is its own size."
    )
    scale: Size = about("How long a pixel of it is in the world, from the origin on (own).")


def _check_zero(value: Any, context: Context) -> Any:
    if value in ("start", "lowest"):
        return value
    if isinstance(value, str) and value.strip().isalpha():
        raise Wrong("unknown-word", f"must be a height, `start` or `lowest`, not {show(value)}")
    return Quantity((units.LENGTH,)).check(value, context)


_ZERO_SCHEMA = {"anyOf": [{"enum": ["start", "lowest"]}, Quantity((units.LENGTH,)).schema()]}
_CORNERS = ("auto", "top_left", "top_right", "bottom_left", "bottom_right")


class EnergyInput(Input):
    form: ClassVar[str] = "`{corner: top_right}`"

    zero: Annotated[Any, Custom(_check_zero, _ZERO_SCHEMA)] = about(
        "The height (y) where potential energies are 0 (default 0), or start, or lowest."
    )
    corner: Annotated[str | None, OneOf(_CORNERS)] = about(
        "auto (default), top_left, top_right, bottom_left or bottom_right."
    )
    range: Annotated[Any, Tuple(Quantity(), 2, "two energies in joule [least, greatest]")] = about(
        "The axis, in joule: [least, greatest] (default: what there is in the run)."
    )
    scale: Annotated[Value, Quantity(low=limits.GRAPH_SCALE[0], high=limits.GRAPH_SCALE[1])] = (
        about("Drawn larger by this factor (default 1).")
    )


_SPEED = Quantity(low=limits.SPEED[0], high=limits.SPEED[1])


class SpeedInput(Input):
    form: ClassVar[str] = "`[2, 0.1]`"
    needed: ClassVar[tuple[str, ...]] = ("at", "speed")
    at: Time = about("From which time of the run on.")
    speed: Annotated[Value, _SPEED] = about("How fast the picture shows the run.")


def _as_speed(value: Any) -> Any:
    """The short form, a time and a factor, in the long one."""
    return {"at": value[0], "speed": value[1]} if is_pair(value) else value


_BUILT = ("background", "energy", "font", "poster", "time")
"""The fields that are built one by one."""
_SIDE = Quantity(low=limits.FRAME_SIDE[0], high=limits.FRAME_SIDE[1], whole=True)


class RenderInput(Input):
    form: ClassVar[str] = "`{size: [640, 480], fps: 30}`"
    size: Annotated[Any, Tuple(_SIDE, 2, "a size in pixels [width, height]")] = about(
        "Pixels [width, height] (default [640, 480])."
    )
    fps: Annotated[
        Value, Quantity((units.NUMBER, units.FREQUENCY), low=limits.LEAST_FPS, high=limits.FPS)
    ] = about("Frames per second (default 30).")
    supersample: Annotated[Value, Quantity(low=1, high=limits.SUPERSAMPLE, whole=True)] = about(
        "Drawn larger by this factor and averaged, 1 to 4 (default 1)."
    )
    background: Annotated[BackgroundInput, BeforeValidator(_as_background)] | None = about(
        "A colour, or an image (default: the theme's)."
    )
    theme: Annotated[str | None, OneOf(("light", "dark", "blueprint"))] = about(
        "light (default), dark or blueprint."
    )
    font: FontName = about("A font file (TTF or OTF) in the scene's folder, for all texts.")
    overlays: Annotated[
        tuple[str, ...] | None,
        ListOf(OneOf(OVERLAYS), "a list of overlays"),
    ] = about("Drawings besides the bodies.")
    palette: Annotated[str | None, OneOf(("categories", "forces", "materials", "bodies"))] = about(
        "The groups that colours distinguish: bodies (default), categories, materials, forces."
    )
    speed: Annotated[Value, _SPEED] = about(
        "How fast the picture shows the run (default 1); below 1 is slow motion."
    )
    time: list[Annotated[SpeedInput, BeforeValidator(_as_speed)]] | None = about(
        "How fast from which time on: [[0, 1], [2, 0.1], [3, 1]]."
    )
    energy: EnergyInput | None = about("How the overlay energy looks.")
    sleep_fade: TruthField = about("Whether sleeping bodies are paler (default true).")
    sensors: Annotated[str | None, OneOf(("dashed", "solid", "hidden"))] = about(
        "How sensors look: dashed (default) and pale, solid as other shapes, or hidden."
    )
    poster: Time = about(
        "The time of the run that the gallery's poster shows (default 45 % of it)."
    )


def build_render(given: RenderInput | None, build_context: BuildContext, scope: Scope) -> Render:
    """The ``render`` block."""
    if given is None:
        return Render()
    values: dict[str, Any] = {}
    for field in fields(Render):
        value = getattr(given, field.name)
        if value is not None and field.name not in _BUILT:
            values[field.name] = scope.known(value, field.name)
    if "size" in values:
        values["size"] = scope.attempt(lambda: _size(values["size"], scope), BROKEN)
    if "supersample" in values:
        values["supersample"] = scope.attempt(lambda: int(values["supersample"]), BROKEN)
    if given.font is not None:
        values["font"] = scope.attempt(build_context.fonts.find, BROKEN, given.font, scope, "font")
    background = given.background
    if background is not None:
        images = build_context.images
        values["background"] = scope.attempt(_background, BROKEN, background, images, scope)
    if given.poster is not None:
        values["poster"] = scope.attempt(_poster, BROKEN, given, build_context, scope)
    if given.time is not None:
        values["time"] = scope.attempt(lambda: _speeds(given.time or [], scope), BROKEN)
    graph = given.energy
    if graph is not None:
        values["energy"] = scope.attempt(_energy_graph, BROKEN, graph, scope)
    return Render(**values)


def _speeds(given: list[SpeedInput], scope: Scope) -> tuple[tuple[float, float], ...]:
    """Playback speeds by their start times, which ascend."""
    speeds: list[tuple[float, float]] = []
    for i, entry in enumerate(given):
        values = scope.values_of(entry, "time", i)
        scope.need(entry, "time", i)
        if speeds and values["at"] <= speeds[-1][0]:
            raise scope.fail("out-of-range", "the times must ascend", "time", i)
        speeds.append((values["at"], values["speed"]))
    return tuple(speeds)


def _poster(given: RenderInput, build_context: BuildContext, scope: Scope) -> float:
    at = float(scope.resolve(given.poster, "poster"))
    world = build_context.scene.world
    end = world.steps * world.dt
    if at > end + 0.5 * world.dt:
        message = f"{at:.6g} is after the end of the run, {end:.6g}"
        raise scope.fail("out-of-range", message, "poster")
    return at


def _energy_graph(given: EnergyInput, scope: Scope) -> EnergyGraph:
    values = {
        field.name: scope.known(getattr(given, field.name), "energy", field.name)
        for field in fields(EnergyGraph)
        if getattr(given, field.name) is not None
    }
    least, greatest = values.get("range", (0.0, 1.0))
    if is_read(least) and is_read(greatest) and not least < greatest:
        raise scope.fail(
            "out-of-range", "the smaller energy comes first: [least, greatest]", "energy", "range"
        )
    return EnergyGraph(**values)


def _size(size: Any, scope: Scope) -> tuple[int, int]:
    w, h = (int(side) for side in size)
    if w * h > limits.FRAME_PIXELS:
        raise scope.fail(
            "limit", f"{w} x {h} are {w * h} pixels; the limit is {limits.FRAME_PIXELS}", "size"
        )
    return w, h


def _background(given: BackgroundInput, images: Images, scope: Scope) -> Background:
    if (
        given.color is None
        and given.image is None
        and scope.report.may_mean((*scope.path, "background"), str)
    ):
        raise Stop
    if (given.color is None) == (given.image is None):
        raise scope.fail(
            "missing-key", "a background is a colour or {image: file.png}", "background"
        )
    if given.image is None:
        for field in ("fit", "scale"):
            if getattr(given, field) is not None:
                message = f"`{field}` goes with `image`"
                raise scope.fail("conflicting-keys", message, "background", field)
        return Background(color=given.color)
    path = images.find(given.image, scope, "background", "image")
    scale = scope.known(given.scale, "background", "scale")
    fit: Any = given.fit or "stretch"
    return Background(image=path, fit=fit, scale=scale, pixels=images.size(path))


def _render(scene: Scene) -> dict[str, Any]:
    render = scene.render
    names = tuple(
        name for name in Render.__dataclass_fields__ if name not in ("background", "energy", "font")
    )
    values = differences(render, Render(), names)
    if render.font is not None:
        values["font"] = named_file(render.font, scene)
    graph = tuple(EnergyGraph.__dataclass_fields__)
    energy = differences(render.energy, EnergyGraph(), graph)
    if energy:
        values["energy"] = energy
    background = render.background
    if background is not None and background.color is not None:
        values["background"] = background.color
    elif background is not None and background.image is not None:
        image = named_file(background.image, scene)
        scale = {} if background.scale is None else {"scale": background.scale}
        values["background"] = {"image": image, "fit": background.fit, **scale}
    return values


RENDER = BlockSpec(
    RenderInput | None,
    lambda given, build_context: build_render(given, build_context, build_context.scope("render")),
    write=_render,
)
