# SPDX-License-Identifier: MIT
"""Expressions of scene files: ``=`` texts over numbers, and those over the state of a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, get_args

from ...nearest import may_search, nearest_name
from .. import limits
from ..model import ENGINE, SolverKind
from .broken import Stop, is_read
from .expression_parser import NO_LISTS, Parser
from .expression_parts import PATH, SEED, ExpressionError, Part, sides
from .foreign_words import first_of, foreign_names, look_up
from .state_words import (
    ACTUATOR_STATES,
    ALL_STATES,
    BODY_STATES,
    BOX_STATES,
    CAMERA,
    CAMERA_STATES,
    EACH_STATES,
    GROUPS,
    JOINT_STATES,
    MOTION_STATES,
    OVER_ALL,
    POINT_STATES,
    SOLVER_STATES,
    STATE,
    TAG_STATES,
    TAGS,
    WORLD_STATES,
)

if TYPE_CHECKING:
    from ..model import Scene

__all__ = [
    "Expression",
    "ExpressionError",
    "StateExpression",
    "compile_expression",
    "compile_state",
    "state_names",
]


class Expression:
    """A compiled expression.

    Attributes:
        source: its text, without the ``=``.
        names: the names whose values it needs.
        seeded: whether it draws random numbers, and so needs a seed and a path.
        work: its cost in simple operations.
        symbols: the number of its numbers, names and operators.
    """

    __slots__ = (
        "_offsets",
        "_places",
        "_root",
        "_run",
        "_shift",
        "_text",
        "names",
        "seeded",
        "source",
        "symbols",
        "work",
    )

    def __init__(self, source: str) -> None:
        body = source[1:] if source.startswith("=") else source
        self._shift = len(source) - len(body)
        try:
            parser = Parser(body)
        except ExpressionError as error:
            raise ExpressionError(error.message, error.offset + self._shift) from None
        self.source = body.strip()
        self.names = frozenset(parser.names)
        self._offsets = parser.names
        self._places = parser.places
        self.seeded = parser.calls > 0
        self.work = parser.work
        self.symbols = len(parser.tokens)
        self._text = body
        self._root = parser.root
        self._run = parser.root.run

    @property
    def root(self) -> Part:
        """The whole of it as a piece."""
        return self._root

    def offset(self, name: str) -> int:
        """Return the first place of a name in the source (with its ``=``)."""
        return self._offsets[name] + self._shift

    def renamed(self, rename: Callable[[str], str]) -> str:
        """The source, without its ``=``, with other texts for its names."""
        pieces, end = [], 0
        for name, (start, stop) in self._places:
            pieces += [self._text[end:start], rename(name)]
            end = stop
        return "".join([*pieces, self._text[end:]]).strip()

    def numbers(self) -> list[tuple[str, int]]:
        """The pieces because of which the value is a number, not true or false; and where."""
        return [(self._text[start:end], start + self._shift) for start, end in self._root.numbers]

    def check_known(self, values: Mapping[str, Any]) -> None:
        """Raise ExpressionError if there is no value, for any values of other names."""
        try:
            self._root.known(values)
        except ExpressionError as error:
            raise ExpressionError(error.message, error.offset + self._shift) from None

    def evaluate(self, values: Mapping[str, Any], *, seed: int = 0, path: str = "") -> Any:
        """The value, a finite float or a bool.

        ``values`` holds a number for each of ``names``; ``seed`` and ``path`` are for the seeded
        functions. Raises ExpressionError where there is no value: a name without one, a division
        by zero, a result that is not finite.
        """
        if self.seeded:
            values = {**values, SEED: seed, PATH: path}
        try:
            result = self._run(values)
        except ExpressionError as error:
            raise ExpressionError(error.message, error.offset + self._shift) from None
        except KeyError as error:
            name = str(error.args[0])
            raise ExpressionError(f"unknown name `{name}`", self._offsets.get(name, 0)) from None
        if not math.isfinite(result):
            raise ExpressionError("the result is not a finite number")
        return result

    def sides(self, values: Mapping[str, Any], known: Iterable[str]) -> Mapping[str, float]:
        """The numbers that it compares where it is false, but for names that are ``known``."""
        return sides(self._root, self._text, values, known)

    def evaluate_all(self, rows: Iterable[Mapping[str, Any]]) -> list[Any]:
        """The values for many sets of ``values``, of an expression that is not seeded."""
        results = list(map(self._run, rows))
        if not all(map(math.isfinite, results)):
            raise ExpressionError("a result is not a finite number")
        return results


def compile_expression(source: str) -> Expression:
    """Compile an expression, with or without its ``=``; raise ExpressionError for a problem."""
    return Expression(source)


NO_EVENT = "such names are those of events that are about bodies"
_PIECE_SHOWN = 40  # characters of an expression


class StateExpression:
    """An expression over the state of a run, checked against a scene.

    Attributes:
        source: its text, without the ``=``.
        channels: the state names in it (``ball.x``, ``world.energy``), in the order of their use.
    """

    __slots__ = ("_constants", "_expression", "channels", "source")

    def __init__(self, expression: Expression, channels: tuple[str, ...], scene: Scene) -> None:
        self._expression = expression
        self._constants = {
            name: scene.vars[name] for name in expression.names if name in scene.vars
        }
        self.channels = channels
        self.source = expression.source

    def evaluate(self, values: Mapping[str, float]) -> Any:
        """The value for one moment; ``values`` holds a number for each of ``channels``."""
        if self._constants:
            values = {**self._constants, **values}
        return self._expression.evaluate(values)

    def sides(self, values: Mapping[str, float]) -> Mapping[str, float]:
        """The numbers that it compares where it does not hold, by their texts."""
        return self._expression.sides({**self._constants, **values}, self.channels)


def compile_state(source: str, scene: Scene) -> StateExpression:
    """Compile an expression over the state; ExpressionError names a missing object."""
    expression = Expression(source)
    for problem in state_problems(expression, scene):
        raise problem
    channels = tuple(name for name in _in_order(expression) if not _is_var(name, scene))
    return StateExpression(expression, channels, scene)


def state_problems(expression: Expression, scene: Scene) -> list[ExpressionError]:
    """Problems of an expression as an expression over the state of a scene."""
    problems = []
    if expression.seeded:
        problems.append(ExpressionError("random numbers have no place in an expectation"))
    for name in _in_order(expression):
        problem = "" if _is_var(name, scene) else state_problem(name, scene)
        if problem:
            problems.append(ExpressionError(problem, expression.offset(name), name))
    try:
        expression.check_known(_constants(expression, scene))
    except ExpressionError as error:
        problems.append(error)
    return problems


def live_problems(
    expression: Expression, scene: Scene, given: Iterable[str]
) -> list[ExpressionError]:
    """Return all reasons why an expression cannot be evaluated during a run.

    ``given`` are the names of an event, which begin with ``$``.
    """
    known = tuple(given)
    problems = []
    for name in _in_order(expression):
        problem = "" if _is_var(name, scene) else _live_problem(name, scene, known)
        if problem:
            problems.append(ExpressionError(problem, expression.offset(name), name))
    return problems


def _live_problem(name: str, scene: Scene, given: tuple[str, ...]) -> str:
    if not name.startswith("$"):
        return state_problem(name, scene)
    if name in given:
        return ""
    near = nearest_name(name, given)
    if not given:
        return f"there is no `{name}` here; {NO_EVENT}"
    hint = f"did you mean `{near}`?" if near else f"it has {', '.join(given)}"
    return f"there is no `{name}` here; {hint}"


def reads_run(expression: Expression, scene: Scene) -> bool:
    """Whether an expression has names of the state of a run in it."""
    return any(not _is_var(name, scene) for name in expression.names)


def truth_problems(expression: Expression, scene: Scene) -> list[ExpressionError]:
    """The numbers in an expression over the state of a scene that should be true or false."""
    constants = _constants(expression, scene)
    problems = []
    for piece, offset in expression.numbers():
        unknown = piece in expression.names and piece not in constants and "." not in piece
        unknown = unknown and not piece.startswith("$")
        if unknown or isinstance(constants.get(piece), bool):
            continue
        such = f", such as `{piece} > 0`" if len(piece) <= _PIECE_SHOWN else ""
        shown = f"`{piece}`" if such else f"`{piece[:_PIECE_SHOWN]}...`"
        message = f"{shown} is a number, but true or false is needed; compare it{such}"
        problems.append(ExpressionError(message, offset))
    return problems


def _constants(expression: Expression, scene: Scene) -> dict[str, Any]:
    """The vars of an expression that have a value."""
    found = {name: scene.vars[name] for name in expression.names if _is_var(name, scene)}
    return {name: value for name, value in found.items() if is_read(value)}


def _in_order(expression: Expression) -> list[str]:
    return sorted(expression.names, key=expression.offset)


def _is_var(name: str, scene: Scene) -> bool:
    return "." not in name and name in scene.vars


def state_problem(name: str, scene: Scene, *, or_var: bool = True) -> str:
    """The reason why ``name`` is no state of the scene; empty for a state.

    ``or_var``: whether a name without a quantity may be a var.
    """
    owner, rest = split_state(name, scene)
    if owner == "world":
        return unless_known(rest, WORLD_STATES, "world", name)
    if owner == "solver" and "solver" not in scene.bodies and "solver" not in scene.joints:
        solver = scene.world.solver
        is_known = is_read(solver) and is_read(solver.kind)
        if is_known and not solver.is_textbook:
            kinds = ", ".join(each for each in get_args(SolverKind) if each not in ENGINE)
            return (
                f"`{name}` is told by the textbook solvers; the solver's type is {solver.kind}, "
                f"not one of {kinds}"
            )
        return unless_known(rest, SOLVER_STATES, "solver", name)
    if owner == STATE and rest and owner not in scene.bodies and owner not in scene.joints:
        if not scene.state:
            return f"there is no `{name}`; {first_of('state', rest)}"
        return unless_known(rest, tuple(scene.state), STATE, name)
    if owner in scene.bodies:
        if rest.startswith("points."):
            return _point_problem(name, owner, rest, scene)
        return unless_known(rest, (*BODY_STATES, *BOX_STATES), owner, name)
    if owner in scene.joints:
        return unless_known(rest, JOINT_STATES, owner, name)
    if owner in scene.actuators:
        return unless_known(rest, ACTUATOR_STATES, owner, name)
    if owner in scene.probes or owner == CAMERA:
        from .asked_names import camera_problem, probe_problem

        if owner in scene.probes:
            return probe_problem(name, owner, rest, scene)
        return camera_problem(rest, name, scene)
    for section, gathered in ((TAGS, scene.body_tags), (GROUPS, scene.groups)):
        if owner == section or owner.startswith(f"{section}."):
            return _tag_problem(section, gathered, owner, rest)
    born = born_problem(name, scene)
    if born:
        return born
    if "[" in name and name.partition("[")[0] in scene.vars and not rest:
        return one_number(name)
    or_var = or_var and not rest
    names = [scene.bodies, scene.joints, scene.probes, *([scene.vars] if or_var else [])]
    known: list[str] = []
    if may_search(20 * sum(map(len, names))):
        known = ["world", *(name for each in names for name in each)]
    generated = [each for each in known if each.startswith(f"{owner}[")]
    if generated:
        return f"`{owner}` stands for {len(generated)}; write which one, such as `{generated[0]}`"
    what = "var, body or joint" if or_var else "body or joint"
    what = what.replace(" or joint", ", joint or probe") if scene.probes else what
    near = look_up(name, foreign_names()) or nearest_name(owner, known[:20_000])
    hint = f"; did you mean `{near}`?" if near else ""
    return f"there is no {what} `{owner}`{hint}"


def one_number(name: str) -> str:
    """The message on a part of a var."""
    return f"`{name}`: `{name.partition('[')[0]}` is one number; {NO_LISTS}"


def is_born_later(group: str) -> str:
    """Return the sentence for a reference to an object that is spawned during the run."""
    return (
        f"`{group}[...]` is born while the scene runs, and this speaks of what is there at the "
        "start; events reach what is born by its `tags`, `tags.NAME.count` counts it"
    )


def born_problem(name: str, scene: Scene) -> str:
    """The message on an object that does not exist at the start, but is spawned later."""
    from ..births_model import births_of  # when a name is not known

    group, bracket, _ = name.partition("[")
    try:
        if not bracket or all(group != spawn.name for spawn in births_of(scene)):
            return ""
    except Stop:  # it is not known what is born
        return ""
    return is_born_later(group)


def split_state(name: str, scene: Scene) -> tuple[str, str]:
    """Return the body or joint at the start of a state name, and the rest; names contain points.

    Without such a start, all but the last part may be meant as one, if names have parts.
    """
    owners = (scene.bodies, scene.joints, scene.actuators, scene.probes)
    if any(name in objects for objects in owners):
        return name, ""
    at, most = name.find("."), limits.EXPRESSION_LENGTH
    while at >= 0:
        if any(name[:at] in objects for objects in owners):
            return name[:at], name[at + 1 :]
        at = name.find(".", at + 1, most)
    owner, _, rest = name.partition(".")
    if owner in (TAGS, GROUPS):
        owner, _, rest = name.rpartition(".")
        stem, _, over = owner.rpartition(".")
        if over in OVER_ALL and "." in stem:
            return stem, f"{over}.{rest}"
        return owner, rest
    stem = owner.partition("[")[0]
    inside = (f"{stem}.", f"{stem}[")
    if "." in rest and any("." in each and each.startswith(inside) for each in scene.bodies):
        owner, _, rest = name.rpartition(".")
    return owner, rest


def unless_known(rest: str, known: tuple[str, ...], owner: str, name: str) -> str:
    """Why ``rest`` is none of the known readings of an owner; empty where it is one."""
    if rest in known:
        return ""
    from .unknown_readings import unless_known as reason

    return reason(rest, known, owner, name)


def _point_problem(name: str, owner: str, rest: str, scene: Scene) -> str:
    _, _, rest = rest.partition(".")
    point, _, quantity = rest.partition(".")
    points = scene.bodies[owner].points
    if point not in points:
        known = f"it has {', '.join(points)}" if points else first_of("points", point)
        return f"the body `{owner}` has no point `{point}`; {known}"
    return unless_known(quantity, POINT_STATES, f"{owner}.points.{point}", name)


def _tag_problem(section: str, known: Iterable[str], owner: str, rest: str) -> str:
    """The reason why a name is no aggregate of a tag or a group."""
    name = owner.removeprefix(section).removeprefix(".")
    one = "tag" if section == TAGS else "group"
    if not name:
        such = "piece" if section == TAGS else "cars"
        return f"`{owner}.{rest}` needs a {one} and a quantity, such as `{section}.{such}.mass`"
    if name not in known:
        stem = name[: limits.EXPRESSION_LENGTH].rpartition(".")[0]
        while stem and stem not in known:
            stem = stem.rpartition(".")[0]
        if stem:
            return _gathered_problem(f"{section}.{stem}", f"{name[len(stem) + 1 :]}.{rest}")
        near = nearest_name(name, known)
        hint = f"did you mean `{section}.{near}.{rest}`?" if near else "give it to some"
        if section == TAGS:
            return f"no body has the tag `{name}`; {hint}"
        return f"there is no group `{name}`" + (f"; {hint}" if near else "")
    return _gathered_problem(owner, rest)


_OVER_WORDS = {
    **dict.fromkeys(("maximum", "most", "highest", "largest", "greatest", "fastest"), "max"),
    **dict.fromkeys(("minimum", "least", "lowest", "smallest", "slowest"), "min"),
    **dict.fromkeys(("average", "avg", "median"), "mean"),
    "total": "sum",
}
"""Foreign words for aggregates of many bodies."""
_PAIRS = dict.fromkeys(("center", "centre", "centroid", "com", "center_of_mass"), "center")
"""Aggregates with two parts, by their possible names."""


def _gathered_problem(owner: str, rest: str) -> str:
    """The reason why an existing tag or group has no aggregate of this name."""
    if rest in ALL_STATES:
        return ""
    if rest in EACH_STATES:
        return (
            f"`{owner}.{rest}` is a number of each body; write `{owner}.max.{rest}`, or `min`, "
            "`mean` or `sum`"
        )
    over, dot, state = rest.partition(".")
    if dot and over in OVER_ALL:
        return unless_known(state, EACH_STATES, f"{owner}.{over}", f"{owner}.{rest}")
    meant = f"{_OVER_WORDS.get(over, nearest_name(over, OVER_ALL))}.{state}"
    part = f"{_PAIRS.get(over, over)}_{state}"
    for right in (meant, part):
        if dot and right in ALL_STATES:
            return f"`{owner}` has no `{rest}`; did you mean `{owner}.{right}`?"
    if rest in _PAIRS:
        both = f"`{_PAIRS[rest]}_x` and `{_PAIRS[rest]}_y`"
        return f"`{owner}` has no `{rest}`; it has two parts: {both}"
    plain = (*TAG_STATES, *MOTION_STATES, *(f"{each}.speed" for each in OVER_ALL))
    return unless_known(rest, plain, owner, f"{owner}.{rest}")


def state_names(scene: Scene) -> tuple[str, ...]:
    """Every state name of a scene: of the world, then the bodies with their points, then joints."""
    names = [f"world.{quantity}" for quantity in WORLD_STATES]
    if scene.world.solver.is_textbook:
        names += [f"solver.{quantity}" for quantity in SOLVER_STATES]
    names += [f"{STATE}.{variable}" for variable in scene.state]
    from .asked_names import camera_problem, probe_readings

    if not camera_problem("x", "camera.x", scene):
        names += [f"{CAMERA}.{quantity}" for quantity in CAMERA_STATES]
    for body in scene.bodies.values():
        names += [f"{body.name}.{quantity}" for quantity in (*BODY_STATES, *BOX_STATES)]
        for point in body.points:
            names += [f"{body.name}.points.{point}.{quantity}" for quantity in POINT_STATES]
    for joint in scene.joints:
        names += [f"{joint}.{quantity}" for quantity in JOINT_STATES]
    for actuator in scene.actuators:
        names += [f"{actuator}.{quantity}" for quantity in ACTUATOR_STATES]
    for probe in scene.probes.values():
        names += [f"{probe.name}.{quantity}" for quantity in probe_readings(probe)]
    return tuple(names)
