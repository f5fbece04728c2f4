"""From a scene file to a checked Scene."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from errno import EFBIG
from pathlib import Path
from typing import Any, TypeVar

from .. import arguments
from ..arguments import checked, optional
from ..errors import Kind, Problem, SceneError
from ..nearest import nearest_word, one_allowance
from ..reading import read_bytes
from . import limits
from .blocks import settings
from .blocks.actuator_models import ActuatorInput
from .blocks.actuators import ActuatorBuilder
from .blocks.bodies import BodyBuilder
from .blocks.body_models import BodyInput, MaterialInput
from .blocks.collision import build_collision
from .blocks.input_models import DefaultsInput, SceneInput
from .blocks.joint_models import JointInput
from .blocks.joints import JointBuilder
from .blocks.outputs import Expectations, build_record
from .blocks.solver_options import refuse_what_it_cannot
from .blocks.variables import Vars, read_units
from .building.generators import name_problem
from .building.scope import Budget, Scope
from .building.structure import correct_keys, validate
from .collector import paused_collector
from .fragments import Basis
from .hashing import physics_hash
from .model import Camera, Collision, Record, Render, Scene
from .text.overrides import Overrides
from .text.problems import Report
from .text.sources import Sources
from .text.yaml_reader import Map, Mark, decode, fail
from .values.broken import BROKEN, Stop, is_read
from .values.context import Compiler, Context
from .values.fields import Input
from .values.kinds import nearest

NAMED = ("vars", "materials", "bodies", "joints", "actuators")
"""The sections whose entries have names that others refer to."""

M = TypeVar("M", bound=Input)


@checked(path=arguments.named, overrides=arguments.texts, assets=optional(arguments.named))
def load(
    path: str | Path, overrides: Sequence[str] = (), *, assets: str | Path | None = None
) -> Scene:
    """Load a scene file.

    ``overrides`` are ``PATH=VALUE`` texts, such as ``vars.n=7``, applied before anything is
    checked. ``assets`` is a second folder for the files that the scene names. Raises SceneError
    with every problem found.
    """
    shown = str(path)
    file = Path(path)
    try:
        if file.is_dir():
            raise fail(Mark(shown), "file", "this is a folder; name a scene file in it")
        data = read_bytes(file, limits.FILE_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        missing = isinstance(error, FileNotFoundError)
        message = "there is no such file" if missing else f"the file cannot be read: {reason}"
        if "\n" in shown:  # hardly a name
            message += "; `loads` takes the text of a scene"
        kind: Kind = "limit" if getattr(error, "errno", None) == EFBIG else "file"
        raise fail(Mark(shown), kind, message) from None
    return _load(decode(data, shown), shown, file, file.parent, overrides, assets)


@checked(
    text=arguments.one_of(str, bytes),
    path=arguments.text,
    overrides=arguments.texts,
    folder=optional(arguments.named),
    assets=optional(arguments.named),
)
def loads(
    text: str | bytes,
    *,
    path: str = "<string>",
    overrides: Sequence[str] = (),
    folder: str | Path | None = None,
    assets: str | Path | None = None,
) -> Scene:
    """Load a scene from a text, or its bytes in UTF-8.

    ``path`` is what errors call it, ``folder`` where its files are.
    """
    text = decode(text, path) if isinstance(text, bytes) else text
    return _load(text, path, None, None if folder is None else Path(folder), overrides, assets)


@paused_collector()
def _load(
    text: str,
    shown: str,
    file: Path | None,
    folder: Path | None,
    overrides: Sequence[str],
    assets: str | Path | None,
) -> Scene:
    sources = Sources([folder, None if assets is None else Path(assets)])
    tree = sources.tree(text, shown, file if file is not None else _inside(folder))
    changes = Overrides(tree, sources.reader, SceneInput.model_fields)
    problems: list[Problem] = []
    with one_allowance():
        for setting in overrides:
            try:
                changes.apply(setting)
            except SceneError as error:
                problems += error.problems
        report = Report(shown, changes.marked())
        report.extend([*sources.reader.problems, *problems])
        loader = _Loader(tree, changes.own, text, shown, sources.folders, report, sources.partial)
        return replace(loader.scene(), files=tuple(sources.files))


def _inside(folder: Path | None) -> Path | None:
    """A name in the folder, for a text that has none: includes are relative to it."""
    return None if folder is None else folder / "<string>"


def _unread_sections(tree: Map) -> set[str]:
    """The sections that an unknown key of the top level may mean."""
    unread: set[str] = set()
    for key in tree:
        if key in SceneInput.model_fields:
            continue
        near = nearest_word(key, tuple(SceneInput.model_fields))
        if key in SceneInput.later:
            unread |= {section for section in NAMED if section != "vars"}
        elif near:
            unread |= {near} if near not in tree else set()
        elif isinstance(tree[key], Map):
            unread |= {section for section in NAMED if section not in tree}
    return unread


class _Loader:
    """Takes one tree through the stages, past all mistakes, and raises those at the end."""

    def __init__(
        self,
        tree: Map,
        own: dict[str, Map],
        text: str,
        shown: str,
        folders: Sequence[Path | None],
        report: Report,
        partial: bool,
    ) -> None:
        self.partial = partial  # a file that the scene includes cannot be read
        self.tree = tree
        self.own = own
        self.text = text
        self.shown = shown
        self.folders = folders
        self.report = report
        self.doubtful = report.failed  # the text itself is not as it should be
        self.budget = Budget()
        tree = self.tree = correct_keys(SceneInput, tree, report)
        unread = _unread_sections(tree)
        if self.partial:
            unread |= {*NAMED, *(key for key in ("units", "world") if key not in tree)}
        for section in unread:
            report.add_unread((section,))
        units = read_units(tree, report)
        compiler = Compiler()
        variables = Vars(tree, units, report, compiler)
        values = variables.check_all()
        converter, seed = variables.converter, variables.seed
        self.context = Context(units, converter, values, seed, compiler)

    def scope(self, *path: int | str) -> Scope:
        label = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path)[1:]
        return Scope(self.context, self.report, self.budget, path, label)

    def scene(self) -> Scene:
        tree, report = self.tree, self.report
        given = validate(SceneInput, tree, self.context, report, ())
        if given.rigid is None:
            message = "the format's version is missing; a scene begins with `rigid: 1`"
            report.add((), "missing-key", message)
        for section in NAMED:
            if getattr(given, section) is BROKEN:
                report.add_unread((section,))
                setattr(given, section, {})
        return self.build(given)

    def build(self, given: SceneInput) -> Scene:
        context = self.context
        world = settings.build_world(given.world, context.units, self.scope("world"))
        context.seed = 0 if world.seed is BROKEN else world.seed
        if given.defaults is BROKEN or (given.defaults is None and self.partial):
            given.defaults = DefaultsInput.model_construct(
                **dict.fromkeys(DefaultsInput.model_fields, BROKEN)
            )
        materials = self._materials(given)
        body_defaults = given.defaults.body if given.defaults else None
        own_bodies = self._own("bodies", BodyInput)
        bodies = BodyBuilder(world, materials, body_defaults, own_bodies)
        for name, body in (given.bodies or {}).items():
            bodies.add(name, body, self.scope("bodies", name))
        if not bodies.made and self.report.is_whole("bodies") and not self.doubtful:
            none = "makes no bodies" if given.bodies else "has no bodies"
            self.report.add(
                ("bodies",),
                "missing-key",
                f"the scene {none}; it needs at least one under `bodies:`",
            )
        joint_defaults = given.defaults.joint if given.defaults else None
        own_joints = self._own("joints", JointInput)
        joints = JointBuilder(bodies.made, joint_defaults, bodies.turns, own_joints)
        for name, joint in (given.joints or {}).items():
            joints.add(name, joint, self.scope("joints", name))
        own_actuators = self._own("actuators", ActuatorInput)
        actuators = ActuatorBuilder(bodies.made, joints.made, bodies.turns, own_actuators)
        for name, actuator in (given.actuators or {}).items():
            actuators.add(name, actuator, self.scope("actuators", name))
        self._check_own_are_used("bodies", bodies.made)
        self._check_own_are_used("joints", joints.made)
        self._check_own_are_used("actuators", actuators.made)
        scene = Scene(
            path=self.shown,
            name=(is_read(given.name) and given.name) or Path(self.shown).stem,
            description=str(given.description).strip() if is_read(given.description) else "",
            tags=() if given.tags is BROKEN else given.tags or (),
            text=self.text,
            hash="",
            units=context.units,
            vars=dict(context.values),
            world=world,
            materials=materials.named,
            collision=Collision(),
            bodies=bodies.made,
            joints=joints.made,
            camera=Camera(),
            render=Render(),
            record=Record(),
            expect=(),
            actuators=actuators.made,
            basis=Basis(context, world, materials, given.defaults, tuple(self.folders)),
        )
        return self._finish(given, scene)

    def _own(self, section: str, model: type[M]) -> dict[str, M]:
        """The entries that an override made different from their generator's others."""
        entries = {}
        for name, entry in self.own[section].items():
            entries[name] = validate(model, entry, self.context, self.report, (section, name))
        return entries

    def _check_own_are_used(self, section: str, made: Collection[str]) -> None:
        for name in self.own[section]:
            if name not in made and not self.report.may_have(section, name):
                self.report.add(
                    (section, name),
                    "override",
                    f"there is no `{section}.{name}` to set; {nearest(name, made)}",
                )

    def _materials(self, given: SceneInput) -> Any:
        for name in given.materials or {}:
            problem = name_problem(name, "material")
            if problem:
                self.report.add_invalid_name(("materials", name), problem)
        fill = None
        raw = given.defaults.material if given.defaults else None
        if isinstance(raw, dict):
            fill = validate(MaterialInput, raw, self.context, self.report, ("defaults", "material"))
        return settings.build_materials(given, self.scope(), fill)

    def _finish(self, given: SceneInput, scene: Scene) -> Scene:
        """The blocks that refer to bodies and joints."""
        bodies = dict(scene.bodies)
        changes: dict[str, Any] = {}
        blocks: dict[str, Any] = {
            "collision": lambda s: build_collision(given.collision, bodies, s),
            "camera": lambda s: settings.build_camera(given.camera, bodies, s),
            "render": lambda s: settings.build_render(given.render, self.folders, s),
            "record": lambda s: build_record(given.record, scene, s),
        }
        for name, build in blocks.items():
            try:
                changes[name] = build(self.scope(name))
            except Stop:
                continue
        expectations = Expectations(scene, self.report, self.shown)
        for i, entry in enumerate(() if given.expect is BROKEN else given.expect or ()):
            expectations.add(entry, self.scope("expect", i))
        refuse_what_it_cannot(scene, self.report)
        self.report.stop_if_failed()
        scene = replace(scene, **changes, expect=tuple(expectations.made))
        return replace(scene, hash=physics_hash(scene))
