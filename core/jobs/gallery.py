# SPDX-License-Identifier: MIT
"""The gallery: every scene of a folder as a short movie and a poster, and a page that shows them.

Each movie is made as GIF and as MP4 in one pass, and the smaller file is kept; on request with a
page that plays the scene. A scene is rendered again only if something that
its pictures depend on has changed; a digest of this is stored in ``gallery.json``
beside the page. Pictures are made in a hidden folder and moved to their places scene by scene, so
that finished ones are kept after an interruption.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image

from .. import arguments
from ..arguments import callback, checked, flag, list_of, one_of, optional, text, whole
from ..errors import Problem, RigidError, SceneError, SimulationError, UsageError
from ..live import find_module, program, unfit
from ..page.document import program_digest as program_of_pages
from ..reading import read_bytes
from ..record import atomic_file
from ..record.atomic import cannot_be_written, temporary_folder
from ..record.folder_lock import folder_lock
from ..record.inputs import inputs_of, refuse_inputs
from ..scene import limits, load
from ..scene.model import Scene
from .gallery_record import INDEX, MEMORY, GalleryRecord, Rendered, read_record
from .guide import Guide, read_guide
from .page import GalleryEntry, page
from .page_of_text import text_page
from .produce import produce
from .targets import Kind, Look, Target
from .workers import run_jobs

POSTER_MOMENT = 0.45
"""When a poster is taken without ``render.poster``, as a part of the run: well after the start,
before all is at rest."""
ENDINGS = (".gif", ".mp4", ".png", ".html")
"""Those of a scene's movie, poster and page that plays it."""
TEXT = ".yaml.html"
"""That of the page with its text."""
LONGEST = 20.0
"""Seconds that a movie shows at most; the checks see the whole run."""


@dataclass(frozen=True, slots=True)
class GalleryJob:
    """One scene to render. ``stem`` is where in the folder ``out``, without a suffix."""

    path: str
    stem: str
    out: str
    digest: str
    look: Look
    pages: bool = False
    live: bool = False


@dataclass
class SceneOutcome:
    """The result of one scene: rendered, unchanged, or the reason why not.

    Attributes:
        path: the scene file.
        rendered: its pictures, None when there are none.
        unchanged: whether they were up to date.
        problems: the problems that prevented loading.
        error: the reason why it could not be rendered.
        stopped: whether its simulation stopped, or its process ended.
        failed: the expectations that failed, one line each.
        notes: deviations of its pictures from the request, one line each.
    """

    path: str
    rendered: Rendered | None = None
    unchanged: bool = False
    problems: tuple[Problem, ...] = ()
    error: str = ""
    stopped: bool = False
    failed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@checked(
    scenes=list_of(arguments.path),
    root=arguments.path,
    out=arguments.path,
    title=text,
    look=optional(one_of(Look)),
    jobs=whole(),
    force=flag,
    pages=flag,
    live=flag,
    on_wait=optional(callback),
)
def gallery(
    scenes: Sequence[Path],
    root: Path,
    out: Path,
    *,
    title: str = "Gallery",
    look: Look | None = None,
    jobs: int = 0,
    force: bool = False,
    pages: bool = False,
    live: bool = False,
    on_wait: Callable[[], None] | None = None,
) -> Iterator[SceneOutcome]:
    """Render scenes and write the page; yield the result of each scene when it is complete.

    Args:
        scenes: the scene files.
        root: their folder; the themes of its README.md become the page's sections, or
            else its folders.
        out: the folder of the pictures and the page; it is created if it does not exist.
        title: the title of the page.
        look: the style of pictures, for all scenes; by default each scene's own.
        jobs: the number of scenes at a time; 0: one per core.
        force: also render unchanged scenes.
        pages: make a page for each scene that plays it, which its card opens.
        live: the page runs the scene itself, if it can run all parts of it.
        on_wait: called before waiting for another gallery in ``out``.

    Raises:
        UsageError: when a file of another program has a needed name, the folder cannot be
            written, or the engine for browsers was not built.
    """
    if live:
        find_module()
    try:
        out.mkdir(parents=True, exist_ok=True)
        with folder_lock(out, on_wait):
            record = read_record(out)
            names = _names(scenes, root)
            record.claim(_files(names.values()))
            with temporary_folder(out) as temporary:
                guide = read_guide(root)
                yield from _gallery(
                    names,
                    record,
                    temporary,
                    title,
                    look or Look(),
                    jobs,
                    force,
                    (pages or live, live),
                    guide,
                )
    except FileExistsError as error:
        raise UsageError(f"{error.filename or out}: is a file; a gallery needs a folder") from None
    except OSError as error:
        raise cannot_be_written(error.filename or out, error) from error


def _gallery(
    names: dict[Path, str],
    record: GalleryRecord,
    temporary: Path,
    title: str,
    look: Look,
    jobs: int,
    force: bool,
    pages: tuple[bool, bool],
    guide: Guide,
) -> Iterator[SceneOutcome]:
    kept: dict[str, tuple[Scene, Rendered]] = {}
    work: list[tuple[Scene, GalleryJob]] = []
    places = [record.folder / file for file in _files(names.values())]
    for path, name in names.items():
        try:
            scene = load(path)
        except SceneError as error:
            yield SceneOutcome(str(path), problems=tuple(error.problems))
            continue
        refuse_inputs(places, inputs_of(scene))
        job = GalleryJob(str(path), name, str(temporary), digest(scene, look, *pages), look, *pages)
        known = record.known(name, job.digest)
        if known is not None and not force:
            kept[name] = scene, known
            yield SceneOutcome(str(path), rendered=known, unchanged=True)
        else:
            work.append((scene, job))
    for outcome in run_jobs(render_scene, [job for _, job in work], jobs):
        scene, job = work[outcome.index]
        result = outcome.value or SceneOutcome(job.path, error=str(outcome.error), stopped=True)
        if result.rendered is not None:
            record.adopt(job.stem, result.rendered, temporary)
            kept[job.stem] = scene, result.rendered
        yield result
    ordered = {name: kept[name] for name in names.values() if name in kept}
    entries = [
        replace(_entry(scene, done, name, record.folder), theme=guide.theme(name))
        for name, (scene, done) in sorted(ordered.items(), key=lambda each: guide.key(each[0]))
    ]
    record.write({each.text_page: _bytes(text_page(each)) for each in entries})
    record.keep_only(
        {name: replace(rendered, text=name + TEXT) for name, (_, rendered) in ordered.items()}
    )
    with atomic_file(record.folder / INDEX) as file:
        file.write(_bytes(page(entries, title, guide.cover)))


def _bytes(page: str) -> bytes:
    return page.encode(errors="backslashreplace")


# ---------------------------------------------------------------- one scene


def render_scene(job: GalleryJob) -> SceneOutcome:
    """Render one scene; runs in a worker process."""
    outcome = SceneOutcome(job.path)
    try:
        scene = load(job.path)
        outcome.rendered, outcome.failed = _render(scene, job)
        outcome.notes = _notes(outcome.rendered)
    except SceneError as error:
        outcome.problems = tuple(error.problems)
    except SimulationError as error:
        outcome.error, outcome.stopped = f"the simulation stopped: {error}", True
    except RigidError as error:
        outcome.error = str(error)
    except OSError as error:  # such as a disk that is full
        outcome.error = str(cannot_be_written(error.filename or job.stem, error))
    return outcome


def _render(scene: Scene, job: GalleryJob) -> tuple[Rendered, tuple[str, ...]]:
    stem = Path(job.out) / job.stem
    stem.parent.mkdir(parents=True, exist_ok=True)
    gif, mp4, poster, page = (stem.with_name(stem.name + end) for end in ENDINGS)
    small: list[tuple[Kind, Path]] = [("mp4", mp4), ("png", poster)]
    targets = [Target("gif", gif), *(Target(kind, path, small=True) for kind, path in small)]
    report = produce(
        scene,
        [*targets, *([Target("html", page)] if job.pages else [])],
        at=_poster_time(scene),
        look=replace(job.look, live="inline") if job.live and not unfit(scene) else job.look,
        longest=LONGEST * scene.units.time_per_second,
    )
    larger, smaller = sorted((gif, mp4), key=lambda path: -path.stat().st_size)
    larger.unlink()
    results = [*report.results, *(each for some in report.variants for each in some.results)]
    held = sum(result.passed for result in results)
    fps = job.look.fps or scene.render.fps
    rendered = Rendered(
        digest=job.digest,
        movie=smaller.relative_to(job.out).as_posix(),
        poster=poster.relative_to(job.out).as_posix(),
        size=job.look.size or scene.render.size,
        paper=_corner_color(poster),
        seconds=round(report.frames / fps, 2),
        bytes=smaller.stat().st_size,
        checks=(held, len(results)),
        page=page.relative_to(job.out).as_posix() if job.pages else "",
    )
    return rendered, tuple(str(result) for result in results if not result.passed)


def _poster_time(scene: Scene) -> float:
    chosen = scene.render.poster
    return POSTER_MOMENT * scene.world.steps * scene.world.dt if chosen is None else chosen


def _notes(rendered: Rendered) -> tuple[str, ...]:
    if not rendered.movie.endswith(".mp4"):
        return ()
    from ..render.encoders.video import size_note

    note = size_note(rendered.movie, rendered.size)
    return (note,) if note else ()


def _corner_color(picture: Path) -> str:
    """The colour of a picture's upper left pixel, with which the page fills up beside it."""
    with Image.open(picture) as image:
        red, green, blue = image.convert("RGB").getpixel((0, 0))  # type: ignore[misc]
    return f"#{red:02x}{green:02x}{blue:02x}"


# ---------------------------------------------------------------- what has changed


def digest(scene: Scene, look: Look, pages: bool = False, live: bool = False) -> str:
    """A digest of a scene's values, its look and the program, on which its pictures depend."""
    seen = hashlib.sha256(program_digest().encode())
    folder = os.path.dirname(os.path.realpath(scene.path)) + os.sep  # noqa: PTH120
    for field in fields(scene):
        if field.name not in ("path", "text", "files", "basis", "identity", "compare"):
            told = repr(_plain(getattr(scene, field.name), scene)).replace(folder, "")
            seen.update(f"{field.name}={told}\n".encode())
    if scene.compare is not None:
        seen.update(repr(replace(scene.compare, variants=())).encode())
        for variant in scene.compare.variants:
            seen.update(f"{variant.name} {variant.color} {digest(variant.scene, look)}".encode())
    seen.update(f"{look!r} {POSTER_MOMENT} {LONGEST}".encode())
    if pages:
        seen.update(f"{scene.text}{program_of_pages()}".encode())
    if live:
        seen.update(b"".join((find_module(), program().encode())))
    for file in scene.files:
        try:
            seen.update(read_bytes(file, limits.IMAGE_BYTES))
        except OSError as error:
            raise UsageError(f"{file}: cannot be read: {error.strerror}") from None
    return seen.hexdigest()[:32]


def _plain(value: Any, scene: Scene) -> Any:
    """``value`` without absolute paths, which differ from one checkout to the next."""
    if value is scene.expect:
        return [{**asdict(entry), "file": "", "line": 0} for entry in scene.expect]
    if value is scene.render and scene.render.background is not None:
        return {**asdict(scene.render), "background": scene.render.background.fit}
    return value


@cache
def program_digest() -> str:
    """A digest of this package's source files, Python and C++, in a fixed order."""
    root = Path(__file__).parent.parent
    seen = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in (".py", ".h", ".cpp") and path.is_file():
            seen.update(path.relative_to(root).as_posix().encode())
            seen.update(path.read_bytes())
    return seen.hexdigest()


# ---------------------------------------------------------------- names and the page


def _names(scenes: Sequence[Path], root: Path) -> dict[Path, str]:
    """Return the paths of each scene's pictures in the gallery, without a suffix."""
    names: dict[Path, str] = {}
    for path in scenes:
        inside = path.resolve().is_relative_to(root.resolve())
        relative = path.resolve().relative_to(root.resolve()) if inside else Path(path.name)
        name = (relative.parent / relative.stem).as_posix()
        # a.yaml beside a.yml, or a.yaml.yaml, whose page would be that with the text of a.yaml
        while name in names.values() or (name + ".html").endswith(TEXT):
            name += "_"
        names[path] = name
    return names


def _files(stems: Iterable[str]) -> list[str]:
    """All files that a gallery may write, relative to its folder."""
    return [INDEX, MEMORY, *(stem + end for stem in stems for end in (*ENDINGS, TEXT))]


def _entry(scene: Scene, rendered: Rendered, name: str, out: Path) -> GalleryEntry:
    group = name.rpartition("/")[0]
    return GalleryEntry(
        name=scene.name or name.rpartition("/")[2].replace("_", " "),
        description=scene.description,
        tags=scene.tags,
        group=group,
        stem=name,
        text_page=name + TEXT,
        source=Path(os.path.relpath(scene.path, out)).as_posix(),
        text=scene.text,
        movie=rendered.movie,
        poster=rendered.poster,
        size=rendered.size,
        paper=rendered.paper,
        bodies=len(scene.bodies),
        joints=len(scene.joints),
        seconds=rendered.seconds,
        bytes=rendered.bytes,
        checks=rendered.checks,
        play=rendered.page,
    )
