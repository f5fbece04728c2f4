# SPDX-License-Identifier: MIT
"""A top-level block of a scene: one row of the table in ``blocks/table.py``.

Checking, building, writing back and hashing go through that table, so that a new block is its own
file, a line of the table, and what it becomes in ``model.py``. The file is imported once a scene
has the block.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ...nearest import nearest_word
from ..model import Scene
from ..text.files import Folders
from ..text.marks import Map
from ..text.problems import Report
from ..values.broken import BROKEN
from ..values.context import Compiler, Context
from ..values.fields import Input
from ..values.kinds import nearest
from .drawings import Drawings
from .generators import Turns
from .images import Fonts, Images, Sounds
from .scope import Budget, Scope
from .structure import validate
from .variants import Variants

if TYPE_CHECKING:
    from ..study_model import Axis

M = TypeVar("M", bound=Input)
PLACED = ("joints", "actuators", "animations", "controls", "events", "spawners", "particles")
"""Parts of instances besides bodies."""


def _known(values: Collection[Any]) -> Collection[Any]:
    """The value, or None if it has a problem."""
    return () if values is BROKEN else values


class NoPrototypes:
    """A stub for scenes without prototypes, which then import no prototype builder."""

    trees: Mapping[str, Any] = {}

    def keys(self) -> tuple[str, ...]:
        return ()

    def forget(self) -> None:
        """Do nothing: nothing was built."""


@dataclass(eq=False, repr=False)
class BuildContext:
    """The state of building a scene block by block: shared data and finished blocks.

    Attributes:
        head: the fields of the Scene that no block makes.
        folders: where the files that a scene names may be.
        own: entries that an override made different from their generator's others, by section.
        doubtful: whether the text itself is not as it should be.
        partial: whether a file that is included cannot be read.
        given: all that is written, checked.
        made: what blocks have become, by their keys.
        materials: those of the scene, and what a body without one is made of.
        prototype_builder: builds the prototypes.
        placed: what instances have besides bodies, by section and name.
        pairs: of bodies of instances that do not touch.
        totals: how many shapes there are so far.
        prefix: what the names of a part's objects begin with in the scene, for random numbers.
        open: the prototypes in which this one is, by name and as they are written.
        is_part: whether this is a prototype, not a scene.
        is_trial: whether it is made for the mistakes in it alone.
        objects_only: whether what objects do with time is left out.
        born: what copies of a part are made of that are born while the scene runs.
        height: how many prototypes lie inside each other here, this one counted.
        fields: the values of the objects of a part, by their identity, for those who copy them.
        shapes: what the shapes of a part became, by identity, scale and mirror, for the same.
        images: the images that the scene names.
        drawings: the drawings that the scene names.
        fonts: the fonts that the scene names.
        sounds: the sound files that it names.
        variants: the prototypes that are spawned.
        foreign: the tags of others that events of prototypes name, and where.
        kept: what is the same in many scenes, of which this is one.
        varied: the axes of the study that could be read, also where the study has problems.
        studied: whether the study will be run, so that it must give the number of runs.
    """

    context: Context
    report: Report
    head: dict[str, Any]
    folders: Folders
    own: Mapping[str, Map]
    doubtful: bool
    partial: bool
    compiler: Compiler
    budget: Budget = field(default_factory=Budget)
    turns: Turns = field(default_factory=Turns)
    given: Any = None
    made: dict[str, Any] = field(default_factory=dict)
    materials: Any = None
    prototype_builder: Any = field(default_factory=NoPrototypes)
    placed: dict[str, dict[str, Any]] = field(
        default_factory=lambda: {section: {} for section in PLACED}
    )
    pairs: list[tuple[str, str]] = field(default_factory=list)
    totals: Any = None
    prefix: str = ""
    open: tuple[tuple[str, Any], ...] = ()
    is_part: bool = False
    is_trial: bool = False
    objects_only: bool = False
    born: Any = None
    height: int = 0
    copiers: dict[tuple[int | str, ...], Callable[..., Any]] = field(default_factory=dict)
    shapes: dict[tuple[int, float, str | None], tuple[Any, ...]] = field(default_factory=dict)
    images: Any = None
    drawings: Any = None
    fonts: Any = None
    sounds: Any = None
    variants: Variants = field(default_factory=Variants)
    foreign: list[tuple[str, Scope, tuple[int | str, ...]]] = field(default_factory=list)
    kept: Any = None
    varied: tuple[Axis, ...] = ()
    studied: bool = False

    def __post_init__(self) -> None:
        if self.images is None:
            self.images = Images(self.folders)
        if self.drawings is None:
            self.drawings = Drawings(self.folders)
        if self.fonts is None:
            self.fonts = Fonts(self.folders)
        if self.sounds is None:
            self.sounds = Sounds(self.folders)

    def scope(self, *path: int | str) -> Scope:
        """The scope of a block or of one of its entries."""
        label = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path)[1:]
        return Scope(self.context, self.report, self.budget, path, self.prefix + label)

    def own_entries(self, section: str, model: type[M]) -> dict[str, M]:
        """The entries of a section that an override made different from their generator's."""
        return {
            name: validate(model, entry, self.context, self.report, (section, name))
            for name, entry in self.own[section].items()
        }

    def check_own_are_used(self, section: str) -> None:
        """Report overrides of entries that no generator makes."""
        made = self.made[section]
        for name in self.own[section]:
            if name not in made and not self.report.may_have(section, name):
                self.report.add(
                    (section, name),
                    "override",
                    f"there is no `{section}.{name}` to set; {nearest(name, made, what=section)}",
                )

    def sizes(self) -> dict[str, int]:
        """Number of objects by kind; an actuator counts once for each body."""
        bodies, joints = self.made["bodies"].values(), self.made["joints"]
        actuators = self.made["actuators"].values()
        acting = sum(1 if each is BROKEN else len(each.bodies) for each in actuators)
        shapes = [shape for each in bodies for shape in _known(each.shapes) if shape is not BROKEN]
        return {
            "bodies": len(bodies),
            "joints": len(joints),
            "actuators": acting,
            "shapes": len(shapes),
            "points of shapes": sum(
                len(_known(ring))
                for shape in shapes
                for ring in (shape.points, *_known(shape.holes))
            ),
            "events": len(self.made["events"]),
            "spawners": len(self.made["spawners"]),
            "objects of instances": 1
            + len(bodies)
            + sum(len(_known(each.points)) + len(_known(each.tags)) for each in bodies)
            + 3 * len(joints)
            + acting
            + len(self.made["spawners"])
            + 2 * len(self.made.get("particles", ()))
            + sum(4 + 4 * len(rule.actions) for rule in self.made["events"])
            + sum(0 if each is BROKEN else each.size for each in self.made["controls"].values()),
            "pairs": len(self.pairs),
            "bodies that events name": sum(
                len(who.bodies) for rule in self.made["events"] for who in rule.who
            ),
            "keys of tracks": sum(
                len(track.times)
                for each in self.made["animations"].values()
                for track in (() if each is BROKEN else each.tracks)
            ),
        }

    @property
    def scene(self) -> Scene:
        """The scene built so far; other blocks have their defaults."""
        fields = Scene.__dataclass_fields__
        made = {key: value for key, value in self.made.items() if key in fields}
        return Scene(**self.head, **made)


def _nothing(scene: Scene) -> Any:
    return None


def _no_parts(scene: Scene) -> tuple[object, ...]:
    return ()


def _no_pieces(scene: Scene) -> Iterator[bytes]:
    return iter(())


class BlockSpec(NamedTuple):
    """The functions of a block, in a module of its own.

    Attributes:
        given: what may be written: an input model, or names or a list of such.
        build: makes what it becomes of what is given (None where nothing is); it may stop.
        write: what ``rigid expand`` writes of a scene; nothing where that is empty.
        hash_parts: what the hash takes of it together with other blocks that are made once.
        hash_pieces: what the hash takes of each of its entries; nothing where it has none.
    """

    given: Any
    build: Callable[[Any, BuildContext], Any]
    write: Callable[[Scene], Any] = _nothing
    hash_parts: Callable[[Scene], tuple[object, ...]] = _no_parts
    hash_pieces: Callable[[Scene], Iterator[bytes]] = _no_pieces


class Block(NamedTuple):
    """A top-level block, as it is known before its module is imported.

    Attributes:
        key: its key in a file; also the field of the Scene that it becomes, if there is one.
        about: its description in one line.
        load: imports its module.
        needs: the keys of the blocks that are built before.
        always: whether it is built where nothing is written of it.
        along: the keys of blocks with which it is built even so.
        named: whether it has entries with names that others refer to.
        repeated: whether its entries may be generators.
        grows: whether it is a list that grows when files are merged.
        physical: whether the motion of bodies depends on it.
        unseen: fields, of it or of its entries, of which motion knows nothing all the same.
        unmoving: whether neither motion nor what is done in a run knows of it.
        independent: whether it is nothing where nothing of it is written, and leaves nothing for
            others; so are those that are unmoving.
        common: whether the variants that a scene compares must share it.
        of_run: whether a file that is used as a prototype keeps it for a run of its own.
        example: one for editors, as YAML.
    """

    key: str
    about: str
    load: Callable[[], BlockSpec]
    needs: tuple[str, ...] = ()
    always: bool = False
    along: tuple[str, ...] = ()
    named: bool = False
    repeated: bool = False
    grows: bool = False
    physical: bool = False
    unseen: tuple[str, ...] = ()
    unmoving: bool = False
    independent: bool = False
    common: bool = False
    of_run: bool = False
    example: str = ""

    @property
    def spec(self) -> BlockSpec:
        """The functions in its module."""
        return self.load()

    def build(self, build_context: BuildContext) -> Any:
        """Build the block in a checked scene; may raise Stop."""
        given = getattr(build_context.given, self.key)
        if self._is_built(given, build_context):
            return self.spec.build(given, build_context)
        return self.nothing()

    def _is_built(self, given: Any, build_context: BuildContext) -> bool:
        if self.always or given is not None or build_context.own.get(self.key):
            return True
        # The rest may be in a file that cannot be read; and parts are passed on to instances.
        if build_context.partial or build_context.is_part:
            return True
        return any(getattr(build_context.given, key) is not None for key in self.along)

    def nothing(self) -> Any:
        """Its value if nothing is written of it, unless it is built always."""
        field = Scene.__dataclass_fields__.get(self.key)
        if field is None:
            return {} if self.named else None
        return field.default if field.default_factory is MISSING else field.default_factory()

    def write(self, scene: Scene) -> Any:
        """Its output in ``rigid expand``."""
        return self.spec.write(scene)

    def hash_parts(self, scene: Scene) -> tuple[object, ...]:
        """Its part in the hash, together with other blocks."""
        return self.spec.hash_parts(scene) if self.physical and self.always else ()

    def hash_pieces(self, scene: Scene) -> Iterator[bytes]:
        """The part of each of its entries in the hash."""
        has_any = self.physical and getattr(scene, self.key, None)
        return self.spec.hash_pieces(scene) if has_any else iter(())


def in_order(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks in the order in which they are built: each after those that it needs."""
    waiting, done = list(blocks), set[str]()
    there = {block.key for block in blocks}
    while waiting:
        block = next(each for each in waiting if done.issuperset(there.intersection(each.needs)))
        waiting.remove(block)
        done.add(block.key)
        yield block


def unread_sections(tree: Map, blocks: Sequence[Block], keys: tuple[str, ...]) -> set[str]:
    """The sections with names that an unknown top-level key may mean."""
    named = [block.key for block in blocks if block.named and block.physical]
    unread: set[str] = set()
    for key in tree:
        if key in keys:
            continue
        near = nearest_word(key, keys)
        if near:
            unread |= {near} if near not in tree else set()
        elif isinstance(tree[key], Map):
            unread |= {section for section in ("vars", *named) if section not in tree}
    return unread
