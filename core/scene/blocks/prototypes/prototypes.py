# SPDX-License-Identifier: MIT
"""The block ``prototypes``: parts of a scene, built once and placed many times.

A prototype is read like a scene, in its own coordinates, by the same blocks. Instances
with equal values of its vars share the built parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from ....errors import SceneError
from ... import limits
from ...building.block import PLACED, BlockSpec, BuildContext, in_order
from ...building.generators import Turns, name_problem
from ...building.scope import Budget
from ...building.structure import validate
from ...building.variants import Variants
from ...event_model import Prototype
from ...model import Scene
from ...text.marks import Map
from ...text.overrides import with_copies
from ...text.problems import PartReport, Path, Report
from ...values.broken import BROKEN, Stop, Unclear, is_read
from ...values.context import Context
from ...values.kinds import show
from ..bodies.collision import read_pairs
from ..script.spawns import spawned_of
from ..table import BY_KEY
from ..variables import Vars, read_units
from .instances import Instance
from .models import TREES, PrototypeFileInput, PrototypeInput
from .trees import counted, is_file, local, marked

OF_TIME = ("animations", "controls", "events", "spawners")
OF_FILES = ("materials", "defaults", "prototypes")
"""Blocks that only a prototype from a file has for itself."""
_OBJECTS = tuple(BY_KEY[key] for key in ("bodies", "joints", "actuators", *OF_TIME, "particles"))
_PARTS = (*(BY_KEY[key] for key in (*OF_FILES, "instances")), *_OBJECTS)


class PrototypeBuilder:
    """Builds the prototypes of one file.

    Attributes:
        trees: the text of each, by name.
    """

    def __init__(self, trees: Mapping[str, Any], build_context: BuildContext) -> None:
        self.trees = trees
        self.build_context = build_context
        self._built: dict[Any, BuildContext] = {}
        self._sizes: dict[str, tuple[int, bool]] = {}
        self._lock = Lock()

    def __deepcopy__(self, memo: object) -> PrototypeBuilder:
        """Copies of a scene share its prototype builder, which depends only on the text."""
        return self

    @contextmanager
    def visit(self) -> Iterator[None]:
        """Build during a run: failed and long unused builds are dropped."""
        with self._lock:
            before = len(self._built)
            try:
                yield
            except SceneError:
                self._keep([*self._built][:before])
                raise
            if len(self._built) > limits.PROTOTYPES_KEPT:
                self._keep([*self._built][-limits.PROTOTYPES_KEPT :])

    def forget(self) -> None:
        """Drop all built parts."""
        self._keep(())

    def _keep(self, keys: Iterable[Any]) -> None:
        self._built = {key: self._built[key] for key in keys}

    def vars_of(self, name: str) -> Mapping[str, Any] | None:
        """The vars of a prototype as written; None if they cannot be read."""
        tree = self.trees[name]
        given = tree.get("vars", {}) if isinstance(tree, Map) else None
        return given if isinstance(given, dict) else None

    def try_out(self) -> None:
        """Build each as written, so that its problems are reported without any instance."""
        for name, tree in self.trees.items():
            problem = name_problem(name, "prototype")
            if problem:
                self.build_context.report.add_invalid_name(("prototypes", name), problem)
            if tree is BROKEN:  # its file cannot be read
                continue
            if not isinstance(tree, Map):
                message = f"must be a mapping of keys and values, not {show(tree)}"
                self.build_context.report.add(("prototypes", name), "wrong-type", message)
                continue
            try:
                self._build(_Order(name), self.build_context, ("prototypes", name))
            except Stop:
                continue

    def objects(
        self, name: str, values: Mapping[str, Any] | None = None, where: str = ""
    ) -> BuildContext:
        """The bodies, joints and actuators of a prototype with these vars; Stop where none are.

        ``where`` names the owner of these vars.
        """
        order = _Order(name, values or {}, where=where, objects_only=True)
        return self._build(order, self.build_context, ("prototypes", name))

    def whole(self, name: str, values: Mapping[str, Any], where: str) -> BuildContext:
        """Build a prototype with its animations, controls, events, spawners and particles."""
        return self._build(
            _Order(name, values, where=where), self.build_context, ("prototypes", name)
        )

    def says_when(self, name: str) -> bool:
        """Return whether a prototype has animations, controls, events, spawners or particles."""
        return any(key in self.trees[name] for key in OF_TIME)

    def born(self, use: str, values: Mapping[str, Any], name: str) -> Prototype:
        """The prototype spawned with these vars; SceneError if it cannot be built."""
        report = Report("")
        build_context = replace(
            self.build_context,
            report=report,
            budget=Budget(),
            turns=Turns(),
            totals=None,
            height=0,
            variants=Variants(running=True),
            foreign=[],
        )
        order = _Order(use, values, full=name, where=f"`{name}`")
        with self.visit():
            with suppress(Stop):
                parts = self._build(order, build_context, ("prototypes", use))
            report.stop_if_failed()
            if parts.born is None:
                parts.born = spawned_of(parts, use)
            born: Prototype = parts.born
            return born

    def keys(self) -> Iterator[str]:
        """Return the keys of the controls of prototypes, as written."""
        for name, tree in self.trees.items():
            if isinstance(tree, Map):
                with suppress(Stop):
                    yield from self.whole(name, {}, "").made.get("controls", ())

    def build(self, instance: Instance, outer: BuildContext, name: str, line: int) -> BuildContext:
        """The parts of an instance in the prototype's coordinates; Stop where there are none."""
        order = _Order(
            instance.use,
            instance.vars,
            instance.color,
            instance.material,
            outer.prefix + name,
            f"`{name}`, line {line}",
        )
        return self._build(order, outer, instance.scope.path)

    def _build(self, order: _Order, outer: BuildContext, path: Path) -> BuildContext:
        tree = self.trees[order.use]
        if not isinstance(tree, Map):
            raise Stop
        self._check_circle(order.use, outer, path)
        if outer.objects_only and not order.objects_only:
            order = replace(order, objects_only=True)
        size, seeded = self._size(order.use)
        begin = f"{order.full.removeprefix(outer.prefix)}."
        own = any(name.startswith(begin) for each in outer.own.values() for name in each)
        values = tuple(sorted((name, repr(value)) for name, value in order.values.items()))
        alone = order.full if seeded or (order.full and own) else ""
        whole = (order.use, values, order.color, order.material, alone)
        key: tuple[Any, ...] = whole
        built = self._built.get(whole)
        if order.objects_only and (built is None or "events" not in built.made):
            key = (*whole, "objects")
            built = self._built.get(key)
        self._check_depth(1 if built is None else built.height, outer, path)
        if built is None:
            outer.budget.read(size, outer.report, path)
            built = self._built[key] = self._new(order, tree, outer)
            self._fill(built, tree, order, outer)
            made = sum(len(built.made[key]) for key in ("bodies", "joints", "actuators"))
            outer.budget.build(made, outer.report, path)
        outer.height = max(outer.height, built.height + 1)
        return built

    def _check_circle(self, use: str, outer: BuildContext, path: Path) -> None:
        """Stop if a prototype contains itself."""
        names = [name for name, _ in outer.open]
        inside = [tree is self.trees[use] for _, tree in outer.open]
        if True in inside:
            way = " -> ".join([*names[inside.index(True) :], use])
            message = f"prototypes are inside each other in a circle: {way}"
            outer.report.add((*path, "use"), "impossible-shape", message)
            raise Stop

    def _check_depth(self, height: int, outer: BuildContext, path: Path) -> None:
        """Stop if prototypes are nested too deep."""
        if len(outer.open) + height > limits.PROTOTYPE_DEPTH:
            message = (
                f"prototypes lie more than {limits.PROTOTYPE_DEPTH} deep in each other; that is "
                "the limit"
            )
            outer.report.add((*path, "use"), "limit", message)
            raise Stop

    def _new(self, order: _Order, tree: Map, outer: BuildContext) -> BuildContext:
        """The context of one prototype, with its own names, where nothing is built yet."""
        base, whole = self.build_context, is_file(tree)
        begin = f"{order.full.removeprefix(outer.prefix)}."
        own = {section: local(entries, begin) for section, entries in outer.own.items()}
        own = with_copies(tree, own)
        prefix = "" if whole else f"prototypes.{order.use}"
        label = f"{order.full or f'prototypes.{order.use}'}."
        report = PartReport(outer.report, marked(tree, own), prefix, label, order.where)
        context = self._context(order, tree, report, outer)
        return replace(
            outer,
            context=context,
            head={**outer.head, "vars": context.values},
            report=report,
            own=own,
            made={
                **{key: base.made[key] for key in ("world", "defaults", "materials", "state")},
                "camera": BROKEN,  # that of the scene, which is not known yet
            },
            materials=base.materials,
            prototype_builder=self,
            placed={section: {} for section in PLACED},
            pairs=[],
            totals=None,
            prefix=label,
            open=(*outer.open, (order.use, tree)),
            is_part=True,
            kept=None,
            is_trial=not order.full,
            objects_only=order.objects_only,
            born=None,
            height=1,
            copiers={},
            shapes={},
        )

    def _context(
        self, order: _Order, tree: Map, report: PartReport, outer: BuildContext
    ) -> Context:
        """Return the prototype's own vars; within the scene's file they precede the scene's."""
        units = outer.context.units
        if "units" in tree and read_units(tree, report) != units:
            message = "the file of a prototype must have the units of the scene"
            report.add(("units",), "conflicting-keys", message)
        outside = {} if is_file(tree) else self.build_context.context.values
        if isinstance(outside, Unclear):
            report.add_unread(("vars",))
        inner, found = Map(tree.at), tree.get("vars")
        given = found if isinstance(found, Map) else Map(tree.at)
        for key, value in given.items():
            if key not in order.values:
                inner.put(key, value, given.keys_at[key], given.values_at[key])
        known = {key: value for key, value in outside.items() if key not in inner}
        holder = Map(tree.at)
        holder.put("vars", inner, tree.at, tree.at)
        variables = Vars(holder, units, report, outer.compiler, {**known, **order.values})
        variables.seed = outer.context.seed
        values = variables.check_all()
        around = outer.context
        return Context(units, around.converter, values, around.seed, outer.compiler, around.folders)

    def _fill(self, parts: BuildContext, tree: Map, order: _Order, outer: BuildContext) -> None:
        """Build the blocks of a prototype."""
        report, whole = parts.report, is_file(tree)
        given = validate(
            PrototypeFileInput if whole else PrototypeInput, tree, parts.context, report, ()
        )
        if given is BROKEN:
            report.add_unread(("bodies",))
            raise Stop
        parts.given = given
        blocks = [block for block in _PARTS if whole or block.key not in OF_FILES]
        if order.objects_only:
            blocks = [block for block in blocks if block.key not in OF_TIME]
            parts.made |= {key: {} for key in OF_TIME}
        for block in blocks:
            if getattr(given, block.key) is BROKEN:
                report.add_unread((block.key,))
                setattr(given, block.key, {} if block.named else None)
        for entries in (given.bodies, given.instances):
            _give(entries or {}, order)
        for block in in_order(blocks):
            try:
                parts.made[block.key] = block.build(parts)
            except Stop:
                parts.made[block.key] = {}
            if block.key == "materials" and order.material is not None:
                # A material named by an instance is one of the scene around the instance.
                material = outer.materials.named[order.material]
                parts.materials.named[order.material] = material
        collision: Any = getattr(given, "collision", None)
        if is_read(collision):
            parts.pairs += read_pairs(collision, parts)

    def _size(self, name: str) -> tuple[int, bool]:
        """Number of values of a prototype, and whether it draws random numbers."""
        if name not in self._sizes:
            self._sizes[name] = counted(self.trees[name])
        return self._sizes[name]


@dataclass(frozen=True)
class _Order:
    """A build request: a prototype, its vars, and its instance (none in a trial).

    ``objects_only`` leaves out animations, controls, events, spawners and particles.
    """

    use: str
    values: Mapping[str, Any] = field(default_factory=dict)
    color: str | None = None
    material: str | None = None
    full: str = ""
    where: str = ""
    objects_only: bool = False


def _give(entries: Mapping[str, Any], order: _Order) -> None:
    """Let bodies, and instances inside, have the colour and the material if they say none."""
    for entry in entries.values():
        if entry is BROKEN:
            continue
        if order.color is not None and entry.color is None:
            entry.color = order.color
        if order.material is not None and entry.material is None:
            entry.material = order.material


def _build_block(
    given: Mapping[str, Any] | None, build_context: BuildContext
) -> dict[str, Prototype]:
    """Create the builder, without built prototypes; spawns add theirs."""
    build_context.prototype_builder = PrototypeBuilder(given or {}, build_context)
    if not build_context.is_part:
        build_context.variants.reserved = build_context.prototype_builder.trees
        build_context.variants.taken = {
            *(build_context.given.bodies or ()),
            *(build_context.given.instances or ()),
        }
    if build_context.is_trial or not build_context.is_part:
        build_context.prototype_builder.try_out()
    return {}


def _alone(scene: Scene) -> Iterator[tuple[str, Scene]]:
    """The spawned prototypes, each as a scene of its own."""
    for name, one in scene.prototypes.items():
        objects = {block.key: getattr(one, block.key) for block in _OBJECTS}
        yield name, replace(scene, **objects)


def _write(scene: Scene) -> dict[str, Any]:
    return {
        name: {block.key: written for block in _OBJECTS if (written := block.write(alone))}
        for name, alone in _alone(scene)
    }


def _pieces(scene: Scene) -> Iterator[bytes]:
    for name, alone in _alone(scene):
        yield name.encode()
        for block in _OBJECTS:
            yield from block.hash_pieces(alone)


PROTOTYPES = BlockSpec(
    TREES,
    _build_block,
    write=_write,
    hash_pieces=_pieces,
)
