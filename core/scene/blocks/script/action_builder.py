# SPDX-License-Identifier: MIT
"""Checks the names, places and values of an action, for the functions that build it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...action_model import TAGGED
from ...building.block import BuildContext
from ...building.scope import Scope
from ...event_model import Live
from ...text.problems import show_suffix
from ...values.broken import Stop
from ...values.context import Wrong
from ...values.expression import NO_EVENT
from ...values.kinds import Kind, Tuple, nearest
from ...values.names import missing_body, wholes
from ...values.quantity import Quantity
from ..settings.coordinates import added_kind, check_addable, split_axis
from ..settings.settable import BODY, checked_value, find_setting, known_setting, read_only
from .live import LiveReader
from .spawns import Spawns, known_tags

_NUMBER = Quantity()


class ActionBuilder:
    """Checks the names, places and values of one action."""

    def __init__(
        self,
        build_context: BuildContext,
        scene: Any,
        scope: Scope,
        names: Sequence[str],
        at: tuple[Any, ...],
    ) -> None:
        self.build_context, self.scene, self.scope, self.at = build_context, scene, scope, at
        self.names = names
        self.reader = LiveReader(scene, scope, names)
        self.path = scope.label + show_suffix(at)

    # ------------------------------------------------------------ values

    def setting(self, path: str, value: Any, at: tuple[Any, ...]) -> Any:
        if path.startswith("$"):
            owner, _, name = path.partition(".")
            return self.reader.read(self._of_event(owner, name, at), value, *at)
        if path.startswith("state."):
            self._variable(path.removeprefix("state."), at)
            return self.reader.read(_NUMBER, value, *at)
        setting = known_setting(path, self.scene, self.scope, *at)
        if setting is None:
            raise Stop
        if isinstance(value, str) and not value.lstrip().startswith("="):
            return checked_value(setting, value, self.scope, *at)
        return self.reader.read(setting.kind, value, *at)

    def _of_event(self, owner: str, name: str, at: tuple[Any, ...]) -> Kind:
        """The kind of value of a setting of the event's body."""
        self.event_name(owner, at)
        whole, axis = split_axis(name)
        if whole not in BODY:
            message = f"`{name}` of a body cannot be set; {nearest(name, tuple(BODY))}"
            message = read_only(owner, name) or message
            self.scope.report.add_key((*self.scope.path, *at), "unknown-name", message)
            self.scope.failed = True
            raise Stop
        kind = BODY[whole]
        return kind.item if isinstance(kind, Tuple) and axis is not None else kind

    def added(self, path: str, value: Any, at: tuple[Any, ...]) -> Any:
        """Increments of a state variable, or of a value of a body, joint or actuator."""
        owner, dot, name = path.partition(".")
        if not dot or (owner == "state" and name in self.scene.state):
            self._variable(path.removeprefix("state."), at)
            return self.reader.read(_NUMBER, value, *at)
        try:
            if path.startswith("$"):
                kind, section = self._of_event(owner, name, at), "bodies"
                check_addable(section, path, name)
            else:
                setting = find_setting(path, self.scene, self.scope)
                kind, section = setting.kind, setting.section
                check_addable(section, path, setting.name)
        except Wrong as wrong:
            for finding in wrong.findings:
                place = (*self.scope.path, *at)
                self.scope.report.add_key(place, finding.kind, finding.message)
            self.scope.failed = True
            raise Stop from None
        return self.reader.read(added_kind(kind), value, *at)

    def _variable(self, name: str, at: tuple[Any, ...]) -> None:
        if name in self.scene.state:
            return
        self.scope.failed = True
        if not self.scope.report.may_have("state", name):
            hint = nearest(name, self.scene.state, what="state")
            message = f"there is no state variable `{name}`; {hint}"
            self.scope.report.add_key((*self.scope.path, *at), "unknown-name", message)
        raise Stop

    # ------------------------------------------------------------ names

    def event_name(self, name: str, at: tuple[Any, ...]) -> None:
        """Stop unless the event has a body of that name."""
        known = [each for each in ("$a", "$b") if f"{each}.x" in self.names]
        if name not in known:
            hint = nearest(name, known) if known else NO_EVENT
            message = f"there is no `{name}` here; {hint}"
            raise self.scope.fail("unknown-name", message, *at)

    def body(self, name: str, at: tuple[Any, ...]) -> str:
        if name.startswith("$"):
            self.event_name(name, at)
        elif name not in self.scene.bodies:
            if self.scope.report.may_have("bodies", name):
                raise Stop
            message = missing_body(name, self.scene.bodies, self.scope.report.tree)
            if name in ("a", "b") and f"${name}.x" in self.names:
                message = f"there is no body `{name}`; did you mean `${name}`, that of the event?"
            elif self.scope.report.of_part and "did you mean" not in message:
                message += "; a prototype knows its own objects only"
            raise self.scope.fail("unknown-name", message, *at, missing=name)
        return name

    def bodies(self, name: str, at: tuple[Any, ...]) -> str:
        """A body, or a name of several: a group, a generator, an instance, a tag."""
        if name.startswith(TAGGED):
            tag, known = name.removeprefix(TAGGED), known_tags(self.build_context)
            if tag in known or not self.scope.report.is_whole("bodies"):
                return name
            message = f"no body has the tag `{tag}`; {nearest(tag, known, what='tags')}"
            raise self.scope.fail("unknown-name", message, *at, missing=f"tag {tag}")
        if name not in self.scene.groups and name not in wholes(self.scene.bodies):
            self.body(name, at)
        return name

    def known(self, section: str, what: str, name: str, at: tuple[Any, ...]) -> Any:
        objects = getattr(self.scene, section)
        if name not in objects:
            if self.scope.report.may_have(section, name):
                raise Stop
            message = f"there is no {what} `{name}`; {nearest(name, objects, what=section)}"
            raise self.scope.fail("unknown-name", message, *at, missing=name)
        return objects[name]

    def place(self, written: Any, at: tuple[Any, ...]) -> Live:
        """A point, or the name of a body, of a point of one, or of the event's."""
        return Spawns(self.build_context, self.reader).place(written, *at)

    def live(self, kind: Kind, written: Any, at: tuple[Any, ...]) -> Live:
        """A value that may have expressions of the run."""
        return self.reader.read(kind, written, *at)
