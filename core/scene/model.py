# SPDX-License-Identifier: MIT
"""The Scene: a scene file after reading, expanding and checking.

Everything here is plain data in the scene's own length, time and mass units, with every default
filled in, every expression evaluated, every generator unrolled and every angle in radians,
positive from +x towards +y. Nothing here knows physics or pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from ..errors import Problem
from ..frozen import frozen
from .object_model import (
    ENGINE as ENGINE,
)
from .object_model import (
    WORLD as WORLD,
)
from .object_model import (
    Actuator as Actuator,
)
from .object_model import (
    ActuatorKind as ActuatorKind,
)
from .object_model import (
    Body as Body,
)
from .object_model import (
    BodyKind as BodyKind,
)
from .object_model import (
    Collision as Collision,
)
from .object_model import (
    Expectation as Expectation,
)
from .object_model import (
    Joint as Joint,
)
from .object_model import (
    Material as Material,
)
from .object_model import (
    Mixing as Mixing,
)
from .object_model import (
    Motor as Motor,
)
from .object_model import (
    Record as Record,
)
from .object_model import (
    Shape as Shape,
)
from .object_model import (
    ShapeKind as ShapeKind,
)
from .object_model import (
    Solver as Solver,
)
from .object_model import (
    SolverKind as SolverKind,
)
from .object_model import (
    Spring as Spring,
)
from .object_model import (
    Trail as Trail,
)
from .object_model import (
    Units as Units,
)
from .object_model import (
    World as World,
)
from .picture_model import (
    OVERLAYS as OVERLAYS,
)
from .picture_model import (
    PIXEL as PIXEL,
)
from .picture_model import (
    Annotation as Annotation,
)
from .picture_model import (
    Background as Background,
)
from .picture_model import (
    Camera as Camera,
)
from .picture_model import (
    CameraKey as CameraKey,
)
from .picture_model import (
    Compare as Compare,
)
from .picture_model import (
    Emitter as Emitter,
)
from .picture_model import (
    EnergyGraph as EnergyGraph,
)
from .picture_model import (
    ImageLayer as ImageLayer,
)
from .picture_model import (
    InnerScene as InnerScene,
)
from .picture_model import (
    Minimap as Minimap,
)
from .picture_model import (
    Point as Point,
)
from .picture_model import (
    Render as Render,
)
from .picture_model import (
    Shake as Shake,
)
from .picture_model import (
    Texture as Texture,
)
from .picture_model import (
    Variant as Variant,
)
from .surroundings_model import POOLS as POOLS
from .surroundings_model import Pool as Pool

if TYPE_CHECKING:
    from .event_model import EventRule, Outcome, Prototype, Spawner
    from .probe_model import Probe
    from .script import Animation, Control, InputEntry
    from .study_model import Study
    from .task_model import Task


@frozen
class Scene:
    """A checked scene.

    ``ranges`` are the ranges of vars, for sliders.
    ``body_tags`` are those that bodies have or may get, ``readings`` the state names whose values
    its pictures need. ``files`` are the included files, by their real paths; ``warnings`` have the
    places of what is doubtful in it; ``basis`` is used to read additions to a running world;
    ``identity`` is the hash of the scene as it was read, which scenes made from it keep.
    """

    path: str
    name: str
    description: str
    tags: tuple[str, ...]
    text: str
    units: Units
    vars: Mapping[str, float]
    world: World
    materials: Mapping[str, Material] = field(default_factory=dict)
    collision: Collision = Collision()
    bodies: Mapping[str, Body] = field(default_factory=dict)
    joints: Mapping[str, Joint] = field(default_factory=dict)
    camera: Camera = field(default_factory=Camera)
    render: Render = field(default_factory=Render)
    record: Record = Record()
    expect: tuple[Expectation, ...] = ()
    actuators: Mapping[str, Actuator] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    layers: tuple[ImageLayer, ...] = ()
    minimap: Minimap | None = None
    annotations: tuple[Annotation, ...] = ()
    particles: Mapping[str, Emitter] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    body_tags: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    animations: Mapping[str, Animation] = field(default_factory=dict)
    controls: Mapping[str, Control] = field(default_factory=dict)
    inputs: tuple[InputEntry, ...] = ()
    prototypes: Mapping[str, Prototype] = field(default_factory=dict)  # that are spawned
    state: Mapping[str, float] = field(default_factory=dict)
    events: tuple[EventRule, ...] = ()
    spawners: Mapping[str, Spawner] = field(default_factory=dict)
    outcome: Outcome | None = None
    probes: Mapping[str, Probe] = field(default_factory=dict)
    task: Task | None = None
    compare: Compare | None = None
    study: Study | None = None
    warnings: tuple[Problem, ...] = field(default=(), compare=False, repr=False)
    basis: object | None = field(default=None, compare=False, repr=False)
    identity: object = field(default="", compare=False, repr=False)

    @property
    def hash(self) -> str:
        """The hash of all inputs of the physics, without camera, render and expect.

        64 hexadecimal digits of the scene as it was read, computed when they are first asked for.
        """
        return str(self.identity)

    def _repr_html_(self) -> str:
        """The output in a notebook: the scene's picture at the start."""
        from ..viewers import view

        html: str = view("notebook of a scene", self)
        return html

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its controls, and of those of spawned copies."""
        born = (key for each in self.prototypes.values() for key in each.controls)
        return tuple(dict.fromkeys([*self.controls, *born]))

    @property
    def has_player(self) -> bool:
        """Whether a player takes part, by keys or by recorded inputs: a run of it is a game."""
        return bool(self.keys or self.inputs)

    @property
    def is_scripted(self) -> bool:
        """Whether the scene has a script besides its physics."""
        return bool(self.animations or self.controls or self.inputs or self.state or self.reacts)

    @property
    def decides(self) -> bool:
        """Whether the scene has a block whose expressions decide what is done in a run."""
        parts = (self.events, self.spawners, self.controls, self.inputs, self.outcome, self.probes)
        return any(parts) or bool(self.prototypes)

    @property
    def reacts(self) -> bool:
        """Whether anything but physics may change the scene while it runs."""
        done = any(each.all_actions for each in self.controls.values())
        done = done or any(getattr(each, "actions", ()) for each in self.inputs)
        return bool(done or self.events or self.spawners or self.outcome)
