# SPDX-License-Identifier: MIT
"""Builds the entries of a section: one object each, or many by a generator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from ..values.broken import Broken
from ..values.fields import Input, RepeatedInput
from ..values.quantity import Written
from .generators import FAILED_TURNS, Turns, entries, name_problem, number_of_columns, one
from .scope import Scope

Template = TypeVar("Template", bound=RepeatedInput)
Made = TypeVar("Made", covariant=True)
Item = TypeVar("Item")
T = TypeVar("T")


class TemplatePlan(Protocol[Made]):
    """A template: parts that all its objects share are built once."""

    def build(self, name: str, scope: Scope) -> Made:
        """Build the object of one turn; its problems are reported, and the scope has failed."""


class Builder(Generic[Template, Item]):
    """Builds objects from templates; one for each section of a scene, since its limits are common.

    Subclasses define the kind of objects, and the building of one from a template.
    """

    what: str
    """The word for one entry."""
    many: str
    unique: str = "objects"
    """The word for entries whose names are unique."""
    most: int
    """How many there may be."""
    inherited: int = 0
    """The values that each has from the defaults."""

    def __init__(self, turns: Turns, own: Mapping[str, Template]) -> None:
        self.turns = turns
        self.own = own  # those that an override made different from their generator's others
        self.made: MutableMapping[str, Item] = {}
        self._wholes: set[str] = set()  # the parts of names before points

    def plan(self, template: Template, scope: Scope) -> TemplatePlan[Item]:
        """The builder of one template's objects."""
        raise NotImplementedError

    def unknown(self, name: str) -> Item:
        """The placeholder for an object with problems, of which only the name is known."""
        raise NotImplementedError

    def other(self, name: str) -> str:
        """The other owner of a name, where names must differ; empty if there is none."""
        raise NotImplementedError

    def spend(self, plan: TemplatePlan[Item], template: Template, scope: Scope, turns: int) -> None:
        """Count the values of so many objects of a template; Stop at their limit."""
        values = self.inherited
        if template.repeat is not None:
            values += number_of_values(template) - number_of_columns(template, scope)
        scope.budget.make(max(0, values) * turns, scope)

    def count(self, item: Item, scope: Scope) -> None:
        """Count an object against limits other than their number."""

    def add(self, name: str, template: Template, scope: Scope) -> None:
        """The objects of one entry of the section; problems go to the report."""
        problem = name_problem(name, self.what) or self._taken(name) or self._unclear(name)
        if problem:
            scope.report.add_invalid_name(scope.path, problem)
        if isinstance(template, Broken):
            self.made[name] = self.unknown(name)
            return
        if template.overrides is not None and template.repeat is None:
            message = "`overrides` are of single copies, and without `repeat` there are none"
            scope.fail("missing-key", message, "overrides")
        plan = self.plan(template, scope)
        most = self.most - len(self.made)
        what = f"{self.most} {self.many}"
        failed = 0
        spend = partial(self.spend, plan, template, scope)
        for entry in entries(template, name, scope, self.turns, most, what, spend):
            full, inner = entry.name, entry.scope
            if entry.on_trial:
                plan.build(name, inner)
                return
            if full in self.made or (not problem and self.other(full)):
                scope.fail("invalid-name", f"there are two {self.unique} with the name `{full}`")
                return
            if failed >= FAILED_TURNS:
                self.made[full] = self.unknown(full)
                continue
            its = plan
            if full in self.own:
                inner = inner.at(scope.path[0], full)
                its = self.plan(self.own[full], inner)
            item = self.made[full] = its.build(full, inner)
            failed += inner.failed
            self.count(item, scope)

    def _unclear(self, name: str) -> str:
        """The ambiguity of a name of several parts; empty if there is none."""
        wholes = [name[:at] for at, character in enumerate(name) if character == "."]
        self._wholes.update(wholes)
        for whole in wholes:
            if whole in self.made or self.other(whole):
                return f"`{name}` would be a quantity of `{whole}`; choose another name"
        if name in self._wholes:
            return f"what has a name that begins with `{name}.` would be a quantity of it"
        return ""

    def _taken(self, name: str) -> str:
        """The conflict of an entry's name with another object; empty if there is none."""
        other = self.other(name)
        return (
            f"there is a {other} `{name}` too; {one(self.what)} needs a name of its own"
            if other
            else ""
        )


class Shared:
    """Makes those parts of a template's objects that do not vary in the first turn only."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope  # of the turn
        self._fixed: dict[str, bool] = {}
        self._parts: dict[str, Any] = {}

    def get(self, field: str) -> Any:
        """A field of the template as it was read."""
        raise NotImplementedError

    def keeps(self, *parts: str) -> bool:
        """Whether all these parts are the same in all turns."""
        return self._parts.keys() >= {*parts}

    def once(self, part: str, fields: tuple[str, ...], make: Callable[[], T], instead: T) -> T:
        """Return the result of ``make``, shared by all turns with the same ``fields``.

        A result with a problem is not shared: each turn fails again.
        """
        if part in self._parts:
            return self._parts[part]  # type: ignore[no-any-return]
        scope = self.scope
        before, scope.failed = scope.failed, False
        result = scope.attempt(make, instead)
        if not scope.failed and part not in self._fixed:
            self._fixed[part] = not any(varies(self.get(field)) for field in fields)
        if not scope.failed and self._fixed[part]:
            self._parts[part] = result
        scope.failed = scope.failed or before
        return result


def number_of_values(value: Any) -> int:
    """Number of values that a template, or a part of it, gives to each object.

    A list shared by all objects counts as one value.
    """
    if isinstance(value, Written):
        return number_of_values(value.value)
    if isinstance(value, Input):
        fields = value.model_fields_set - {"repeat", "overrides"}
        return sum(number_of_values(getattr(value, field)) for field in fields)
    if isinstance(value, dict):
        return sum(map(number_of_values, value.values()))
    if isinstance(value, (tuple, list)) and (varies(value) or not _is_plain(value)):
        return sum(map(number_of_values, value))
    return 0 if value is None else 1


def _is_plain(values: Sequence[Any]) -> bool:
    """Whether a list holds nothing that has keys."""
    return not any(
        isinstance(each, (Input, dict)) or (isinstance(each, (tuple, list)) and not _is_plain(each))
        for each in values
    )


def varies(value: Any) -> bool:
    """Return whether a value, or a part of it, may differ between indices."""
    if value is None or isinstance(value, (bool, int, float)):
        return False
    if isinstance(value, Written):
        return varies(value.value)
    if isinstance(value, str):
        return value.lstrip().startswith("=")
    if isinstance(value, (tuple, list)):
        return any(varies(item) for item in value)
    if isinstance(value, dict):
        return any(varies(item) for item in value.values())
    if isinstance(value, Input):
        return any(varies(getattr(value, field)) for field in type(value).model_fields)
    if is_dataclass(value):
        return any(varies(getattr(value, field.name)) for field in fields(value))
    return True
