# SPDX-License-Identifier: MIT
"""Fragments: bodies, joints, actuators and instances that are added to a running world.

A fragment is a piece of a scene, as a YAML text or as a mapping, and is checked as a scene is. The
scene's units, vars, materials, defaults and prototypes hold for it, and its joints and actuators
may name bodies that are in the world already, which then count as where they are now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import nullcontext
from typing import Any, TypeVar

from ..errors import UsageError
from . import limits
from .basis import Basis, Fragment
from .blocks.actuators.actuators import ActuatorBuilder
from .blocks.bodies.bodies import BodyBuilder
from .blocks.bodies.collision import check_categories
from .blocks.joints.joints import JointBuilder, links_last
from .blocks.prototypes.instances import INSTANCES
from .blocks.prototypes.prototypes import PrototypeBuilder
from .blocks.scene import FragmentInput
from .blocks.table import REPEATED
from .building.block import BuildContext
from .building.drawings import Drawings
from .building.images import Images
from .building.scope import Budget, Scope
from .building.structure import correct_keys, validate
from .building.templates import Builder
from .model import Actuator, Body, Emitter, Joint
from .text.marks import Map, Mark, Seq, fail
from .text.problems import Report
from .text.yaml_reader import Reader, decode
from .values.broken import BROKEN, Stop
from .values.context import Compiler, Context
from .values.kinds import show

Item = TypeVar("Item")
SECTIONS = ("bodies", "joints", "actuators")


class Among(MutableMapping[str, Item]):
    """New objects by name among those that are there already."""

    def __init__(self, others: Mapping[str, Item]) -> None:
        self.new: dict[str, Item] = {}
        self.others = others

    def __getitem__(self, name: str) -> Item:
        return self.new[name] if name in self.new else self.others[name]

    def __setitem__(self, name: str, item: Item) -> None:
        self.new[name] = item

    def __delitem__(self, name: str) -> None:
        del self.new[name]

    def __contains__(self, name: object) -> bool:
        return name in self.new or name in self.others

    def __iter__(self) -> Iterator[str]:
        yield from self.others
        yield from (name for name in self.new if name not in self.others)

    def __len__(self) -> int:
        return len(self.new) + len(self.others)


def read_fragment(
    given: Mapping[str, Any] | str | bytes,
    basis: Basis,
    there: Fragment,
    categories: Sequence[str],
    was: Callable[[str], bool],
    path: str = "<fragment>",
) -> Fragment:
    """Return the objects of a fragment.

    Args:
        given: the fragment; ``path`` is its name in errors.
        basis: that of the scene to which it is added.
        there: the objects of the world, in their present poses.
        categories: the collision categories that its shapes may have.
        was: whether a name was used before.

    Raises:
        SceneError: with every problem found.
    """
    reader = Reader()
    if isinstance(given, Mapping):
        tree = _tree(given, Mark(path, 1), 0)
    else:
        text = decode(given, path) if isinstance(given, bytes) else given
        tree = reader.read(text, path, form="a fragment has bodies, joints, actuators or instances")
    if not isinstance(tree, Map):
        message = (
            f"a fragment is a mapping of bodies, joints, actuators and instances, not {show(tree)}"
        )
        raise fail(Mark(path, 1, 1), "wrong-type", message)
    report = Report(path, tree)
    report.extend(reader.problems)
    report.warnings += reader.warnings
    tree = correct_keys(FragmentInput, tree, report)
    model = basis.context
    compiler = Compiler()
    folders = basis.folders
    context = Context(model.units, model.converter, model.values, model.seed, compiler, folders)
    return _Reading(basis, context, compiler, report, there, categories, was).read(tree)


class _Reading:
    """Takes one fragment's tree through the builders."""

    def __init__(
        self,
        basis: Basis,
        context: Context,
        compiler: Compiler,
        report: Report,
        there: Fragment,
        categories: Sequence[str],
        was: Callable[[str], bool],
    ) -> None:
        self.basis = basis
        self.context = context
        self.compiler = compiler
        self.report = report
        self.there = there
        self.categories = categories
        self.was = was
        self.budget = Budget()

    def read(self, tree: Map) -> Fragment:
        given = validate(FragmentInput, tree, self.context, self.report, ())
        for section in (*SECTIONS, "instances"):
            if getattr(given, section) is BROKEN:
                self.report.add_unread((section,))
                setattr(given, section, {})
        prototype_builder = self.basis.prototype_builder if given.instances else None
        with nullcontext() if prototype_builder is None else prototype_builder.visit():
            fragment = self._made(given)
            self.report.stop_if_failed()
        return fragment

    def _made(self, given: FragmentInput) -> Fragment:
        basis, there = self.basis, self.there
        defaults = basis.defaults
        bodies = Among(there.bodies)
        of_bodies, of_joints = (defaults.body, defaults.joint) if defaults else (None, None)
        images, drawings = Images(basis.folders), Drawings(basis.folders)
        of_types = defaults.of_types() if defaults else None
        builder = BodyBuilder(
            basis.world, basis.materials, of_bodies, {}, images, drawings, of_types
        )
        self._build(builder, bodies, "bodies", given.bodies)
        joints, actuators = Among(there.joints), Among(there.actuators)
        particles: Mapping[str, Emitter] = {}
        if given.instances:
            particles = self._place(given, builder, bodies, joints, actuators)
        check_categories(bodies.new, self.categories, self._scope("bodies", ""))
        made: Any = bodies
        joint_builder = JointBuilder(made, of_joints, builder.turns, {})
        ordered = dict(links_last(given.joints or {}, of_joints))
        self._build(joint_builder, joints, "joints", ordered)
        if given.actuators:
            pushers = ActuatorBuilder(bodies, joints, builder.turns, {}, {})
            self._build(pushers, actuators, "actuators", given.actuators)
        if not (bodies.new or joints.new or actuators.new) and not self.report.failed:
            message = (
                "the fragment adds nothing; give it `bodies`, `joints`, `actuators` or `instances`"
            )
            self.report.add((), "missing-key", message)
        return Fragment(bodies.new, joints.new, actuators.new, particles)

    def _place(
        self,
        given: FragmentInput,
        builder: BodyBuilder,
        bodies: Among[Body],
        joints: Among[Joint],
        actuators: Among[Actuator],
    ) -> Mapping[str, Emitter]:
        """Add instances to the existing objects; return their particles."""
        basis, placed = self.basis, Among(bodies)
        build_context = BuildContext(
            self.context,
            self.report,
            {} if basis.prototype_builder is None else basis.prototype_builder.build_context.head,
            basis.folders,
            dict.fromkeys(REPEATED, Map(self.report.tree.at)),
            doubtful=False,
            partial=False,
            compiler=self.compiler,
            budget=self.budget,
            turns=builder.turns,
            given=given,
            made={"bodies": placed},
            materials=basis.materials,
            totals=builder.totals,
            images=builder.images,
            drawings=builder.drawings,
            is_part=True,
        )
        build_context.prototype_builder = basis.prototype_builder or PrototypeBuilder(
            {}, build_context
        )
        try:
            instances = INSTANCES.build(given.instances, build_context)
        except Stop:
            return {}
        new: dict[str, tuple[Among[Any], Mapping[str, Any]]] = {
            "bodies": (bodies, placed.new),
            "joints": (joints, build_context.placed["joints"]),
            "actuators": (actuators, build_context.placed["actuators"]),
        }
        used = [name for name in instances if name not in bodies and self._is_used("", name)]
        for section, (among, objects) in new.items():
            used += [n for n in objects if n in among.new or self._is_used(section, n)]
            among.new.update(objects)
        for name in used:
            entry = name.partition("[")[0].partition(".")[0]
            self.report.add_invalid_name(("instances", entry), _used(name))
            break
        wholes = (
            ("animations", "`animations` and `controls`"),
            ("events", "`events`"),
            ("spawners", "`spawners`"),
        )
        for section, what in wholes:
            if build_context.placed[section] or (
                section == "animations" and build_context.placed["controls"]
            ):
                message = (
                    f"what is added to a running world has no {what} of its own; take a prototype "
                    "without"
                )
                self.report.add(("instances",), "unsupported", message)
        if build_context.pairs:
            message = (
                "`collision.pairs_ignore` of a prototype is not for what is added to a running "
                "world; give the shapes a `category` instead"
            )
            self.report.add(("instances",), "unsupported", message)
        return build_context.placed["particles"]

    def _build(
        self,
        builder: Builder[Any, Item],
        made: Among[Item],
        section: str,
        entries: Mapping[str, Any] | None,
    ) -> None:
        builder.made = made
        for name, entry in (entries or {}).items():
            before = len(made.new)
            builder.add(name, entry, self._scope(section, name))
            for full in list(made.new)[before:]:
                if self._is_used(section, full):
                    self.report.add_invalid_name((section, name), _used(full))
                    break

    def _is_used(self, section: str, name: str) -> bool:
        """Whether something else has, or had, the name; builders report a clash within a kind."""
        others = [getattr(self.there, each) for each in SECTIONS if each != section]
        there = any(name in each for each in others) or name in self.basis.instances
        return there or self.was(name)

    def _scope(self, section: str, name: str) -> Scope:
        return Scope(self.context, self.report, self.budget, (section, name), f"{section}.{name}")


def _used(name: str) -> str:
    return (
        f"there is, or was, something else with the name `{name}`; what is added needs a new name"
    )


_PLAIN = frozenset({type(None), bool, int, float, str})


def _tree(value: Any, at: Mark, depth: int) -> Any:
    """Plain values of Python as the reader of YAML gives them, all at one place."""
    if depth > limits.DEPTH:
        raise fail(at, "limit", f"mappings and lists lie more than {limits.DEPTH} deep")
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Mapping):
        block = Map(at)
        for key, inner in value.items():
            if not isinstance(key, str):
                raise fail(at, "wrong-type", f"keys must be texts, not {show(key)}")
            block.put(key, _tree(inner, at, depth + 1), at, at)
        return block
    if isinstance(value, (list, tuple)):
        items = Seq(at)
        for inner in value:
            items.append(_tree(inner, at, depth + 1))
            items.items_at.append(at)
        return items
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays
        return _tree(value.tolist(), at, depth + 1)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise UsageError(
        f"a fragment is made of mappings, lists, texts and numbers, not of a {type(value).__name__}"
    )
