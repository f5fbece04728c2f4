# SPDX-License-Identifier: MIT
"""The input of a scene, its text and everything beside it; and the stages that make a Scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from errno import EFBIG
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import Kind, Problem, SceneError
from ..frozen import frozen
from ..reading import read_bytes
from . import limits
from .basis import Basis
from .blocks.bodies.bodies import check_some
from .blocks.bodies.collision import check_pairs
from .blocks.table import BLOCKS, GROWING, KEYS, NAMED, OF_RUN, REPEATED, Head, model_of
from .blocks.variables import Vars, read_units
from .blocks.world.falling import check_falling
from .building.block import BuildContext, in_order, unread_sections
from .building.images import InnerScenes
from .building.scope import Budget
from .building.structure import correct_keys, validate
from .hashing import identified
from .model import Scene
from .readings import readings
from .text.files import Folders
from .text.marks import Map, Mark, fail
from .text.overrides import Overrides
from .text.problems import Report
from .text.sources import Sources
from .text.yaml_reader import decode
from .values.broken import BROKEN, Stop, is_read
from .values.context import Compiler, Context
from .values.expression import state_problem
from .values.names import written_tags

if TYPE_CHECKING:
    from .kept import Kept
    from .study_model import Axis

StudyProblems = Callable[["Loader", "Sequence[Axis]"], list[Problem]]
"""The problems of varied values: it loads the scene again, so callers above pass it in."""

_IN_ORDER = tuple(in_order(BLOCKS))


def read_text(file: Path, shown: str, instead: str, hint: str = "") -> str:
    """Return the text of a file. ``instead`` is the advice for a folder, ``hint`` that for an
    improbable name."""
    try:
        if file.is_dir():
            raise fail(Mark(shown), "file", f"this is a folder; {instead}")
        data = read_bytes(file, limits.FILE_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        missing = isinstance(error, FileNotFoundError)
        message = "there is no such file" if missing else f"the file cannot be read: {reason}"
        kind: Kind = "limit" if getattr(error, "errno", None) == EFBIG else "file"
        raise fail(Mark(shown), kind, message + (hint if "\n" in shown else "")) from None
    return decode(data, shown)


@frozen
class Given:
    """A text with all that was given beside it, of which scenes are made."""

    text: str
    shown: str
    sources: Sources
    overrides: Sequence[str]
    player: tuple[str, ...]
    study_problems: StudyProblems
    left: Budget = field(default_factory=Budget)
    """The remaining budgets of curves, expressions and prototypes of all its scenes."""

    def loader(self, tree: Map, change: Callable[[Overrides], None] | None = None) -> Loader:
        """The maker of the scene of a tree, with overrides and changes; it consumes the tree."""
        sources = self.sources
        changes = Overrides(tree, sources.reader, KEYS, NAMED, REPEATED)
        problems: list[Problem] = []
        for setting in self.overrides:
            try:
                changes.apply(setting)
            except SceneError as error:
                problems += error.problems
        if change is not None:
            change(changes)
        own = changes.all_own()
        report = Report(self.shown, changes.marked(own))
        report.extend([*sources.reader.problems, *problems])
        report.warnings += sources.reader.warnings
        text, shown, partial, nodes = self.text, self.shown, sources.partial, sources.reader.nodes
        loader = Loader(changes, own, text, shown, sources.folders, report, partial, nodes)
        loader.study_problems = self.study_problems
        return loader

    def scene(self, tree: Map, change: Callable[[Overrides], None] | None = None) -> Scene:
        """Return the scene of a tree, which is consumed, with the overrides and then the change.

        A scene and its variants share the limits of curves, expressions and prototypes.
        """
        loader = self.loader(tree, change)
        budget = loader.build_context.budget
        budget.share(self.left)
        try:
            return self.finished(loader)
        finally:
            self.left.share(budget)

    def finished(self, loader: Loader) -> Scene:
        """The scene that a loader makes, which knows all its files."""
        scene = loader.scene()
        parts = loader.build_context
        images, drawings, fonts = parts.images.paths, parts.drawings.paths, parts.fonts.paths
        named = (*images, *drawings, *fonts, *parts.sounds.paths, *parts.folders.table_paths)
        return replace(scene, files=(*self.sources.files, *self.player, *named))


def read_given(
    text: str,
    shown: str,
    file: Path | None,
    folder: Path | None,
    overrides: Sequence[str] = (),
    assets: str | Path | None = None,
    player: tuple[str, ...] = (),
    *,
    study_problems: StudyProblems,
    inner: InnerScenes | None = None,
) -> tuple[Given, Map]:
    """A text and its tree, with all that it includes. SceneError where that cannot be read.

    ``inner`` are the scenes that its bodies show, where it is one of such itself.
    """
    if inner is None:
        load = partial(_inner_scene, assets=assets, study_problems=study_problems)
        inner = InnerScenes(load, () if file is None else (file.resolve(),))
    own = (folder, None if assets is None else Path(assets))
    sources = Sources(Folders(own, inner=inner), GROWING, OF_RUN)
    tree = sources.tree(text, shown, file if file is not None else _inside(folder))
    return Given(text, shown, sources, overrides, player, study_problems), tree


def _inner_scene(
    file: Path,
    shown: str,
    inner: InnerScenes,
    *,
    assets: str | Path | None,
    study_problems: StudyProblems,
) -> Scene:
    """The scene of a file that a body shows."""
    text = read_text(file, shown, "name a scene file in it")
    given, tree = read_given(
        text, shown, file, file.parent, (), assets, study_problems=study_problems, inner=inner
    )
    return given.scene(tree)


def _inside(folder: Path | None) -> Path | None:
    """A name in the folder, for a text that has none: includes are relative to it."""
    return None if folder is None else folder / "<string>"


class Loader:
    """Processes a tree in stages, continues after mistakes, and raises them at the end.

    ``compiler`` contains compiled expressions, and ``kept`` the common parts of many scenes
    including this one; problems of a scene other than the first are raised as a
    ValidationError, or as a SceneError without some of them.
    """

    def __init__(
        self,
        changes: Overrides,
        own: Mapping[str, Map],
        text: str,
        shown: str,
        folders: Folders,
        report: Report,
        partial: bool,
        nodes: int,
        compiler: Compiler | None = None,
        kept: Kept | None = None,
    ) -> None:
        doubtful = report.failed  # the text itself is not as it should be
        tree = changes.tree
        self.changes, self.nodes = changes, nodes
        self.text = text
        self.shown = shown
        self.report = report
        self.again = kept if kept is not None and kept.given is not None else None
        if self.again is None:
            model = model_of(tree)
            tree = correct_keys(model, tree, report)
            unread = unread_sections(tree, BLOCKS, KEYS)
            if partial:
                unread |= {*NAMED, *(key for key in ("units", "world") if key not in tree)}
            for section in unread:
                report.add_unread((section,))
        self.tree = tree
        units = read_units(tree, report)
        compiler = compiler or Compiler()
        variables = Vars(tree, units, report, compiler)
        values = variables.check_all()
        self.ranges = variables.ranges
        converter, seed = variables.converter, variables.seed
        self.context = Context(units, converter, values, seed, compiler, folders)
        self.build_context = BuildContext(
            self.context, report, {}, folders, own, doubtful, partial, compiler
        )
        self.build_context.budget = Budget(nodes)
        self.build_context.kept = kept
        self.study_problems: StudyProblems = _no_problems

    def scene(self) -> Scene:
        tree, report = self.tree, self.report
        if self.again is not None:
            return self.build(self.again.checked(tree, self.context))
        given = validate(model_of(tree), tree, self.context, report, ())
        report.stop_if_hopeless()
        if given.rigid is None:
            message = "the format's version is missing; a scene begins with `rigid: 1`"
            report.add((), "missing-key", message)
        for section in NAMED:
            if getattr(given, section) is BROKEN:
                report.add_unread((section,))
                setattr(given, section, {})
        return self.build(given)

    def build(self, given: Head) -> Scene:
        """The scene, block by block."""
        build_context = self.build_context
        build_context.head = self._head(given)
        build_context.given = given
        if self.again is not None:
            self.again.recall(build_context)
        known = frozenset(build_context.made)
        for block in _IN_ORDER:
            if block.key in known:
                continue
            try:
                build_context.made[block.key] = block.build(build_context)
            except Stop:
                continue
        check_some(build_context)
        for section in REPEATED:
            build_context.check_own_are_used(section)
        scene = build_context.scene
        _check_frames(scene, self.report)
        _check_solver(scene, self.report)
        if build_context.varied:
            self.report.extend(self.study_problems(self, build_context.varied))
        self.report.stop_if_failed()
        _check_letters(scene, self.report)
        made, prototype_builder = build_context.made, build_context.prototype_builder
        prototype_builder.forget()
        build_context.folders.parsed.clear()
        basis = Basis(
            self.context,
            scene.world,
            build_context.materials,
            made["defaults"],
            build_context.folders,
            prototype_builder if prototype_builder.trees else None,
            frozenset(made["instances"]),
            build_context.compiler.drew,
            marks=self._marks(),
        )
        if prototype_builder.trees:
            from .blocks.script.spawns import spawned

            prototypes = spawned(scene, build_context.variants)
            self.report.stop_if_failed()
            if prototypes:
                scene = replace(scene, prototypes=prototypes)
                _check_solver(scene, self.report)  # which was content with all else
                self.report.stop_if_failed()
        _check_camera(scene, self.report)
        check_falling(scene, self.report)
        check_pairs(scene, self.report)
        warnings = tuple(self.report.warnings)
        scene = replace(scene, readings=readings(scene), basis=basis, warnings=warnings)
        return identified(scene)

    def _marks(self) -> dict[str, dict[str, Mark]]:
        """Return the places of the entries whose names may conflict."""
        written = {key: self.report.tree.get(key) for key in ("bodies", "instances")}
        return {key: value.values_at for key, value in written.items() if isinstance(value, Map)}

    def _head(self, given: Head) -> dict[str, Any]:
        """Parts of the scene that no block builds."""
        return {
            "path": self.shown,
            "name": (is_read(given.name) and given.name) or Path(self.shown).stem,
            "description": str(given.description).strip() if is_read(given.description) else "",
            "tags": () if given.tags is BROKEN else given.tags or (),
            "text": self.text,
            "units": self.context.units,
            "vars": dict(self.context.values),
            "ranges": dict(self.ranges),
            "body_tags": written_tags(self.tree),
        }


def _no_problems(loader: Loader, axes: Sequence[Axis]) -> list[Problem]:
    return []


def _check_solver(scene: Scene, report: Report) -> None:
    """Report parts that the solver does not support; the engine's solvers lack custom joints."""
    try:
        if not (scene.world.solver.is_textbook or _has_own_joints(scene)):
            return
    except Stop:
        return
    from .blocks.world.solver_refusals import refuse_what_it_cannot  # which few scenes need

    refuse_what_it_cannot(scene, report)


def _has_own_joints(scene: Scene) -> bool:
    parts = [scene.joints, *(each.joints for each in scene.prototypes.values() if is_read(each))]
    return any(
        is_read(joint) and joint.constraint
        for joints in parts
        if is_read(joints)
        for joint in joints.values()
    )


def _check_camera(scene: Scene, report: Report) -> None:
    """Stop where something of a prototype asks for a view that is not known while a scene runs."""
    camera = scene.camera
    of_run = camera.mode == "fit" and camera.start is None and camera.fit == "run"
    if not (of_run and scene.decides):
        return
    from .camera_names import acts_by_camera

    if acts_by_camera(scene):
        report.add(("camera",), "unknown-name", state_problem("camera.x", scene))
        report.stop_if_failed()


def _check_letters(scene: Scene, report: Report) -> None:
    """Warn of letters that no font has; imports fonts only if a text needs them."""
    if scene.annotations or scene.compare is not None or scene.render.overlays:
        from .blocks.picture.letters import check_letters

        check_letters(scene, report)


def _check_frames(scene: Scene, report: Report) -> None:
    """Report problems of pictures on bodies; imports their checks only if there are any."""
    if any(is_read(body.texture) for body in scene.bodies.values()):
        from .blocks.bodies.textures import check_textures

        check_textures(scene, report)
