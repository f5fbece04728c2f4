# SPDX-License-Identifier: MIT
"""The block ``task``: the scene as a task for reinforcement learning."""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...event_model import Formula, Live
from ...model import Scene
from ...task_model import Task, TaskAction
from ...text.problems import locate, show_suffix
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Context, Wrong
from ...values.fields import Input, TruthField, about
from ...values.kinds import EXPRESSION_SCHEMA, Custom, Kind, Tuple, nearest, show
from ...values.quantity import Deferred, Flag, Quantity
from ..script.expect import check_condition
from ..script.live import LiveReader
from ..settings.settable import SETTINGS_SCHEMA, check_settings, find_setting, scene_so_far

KEYS, NO_KEY, CHOICES = "keys", "none", "choices"
VALUE, LOW, HIGH = _OBSERVED_KEYS = "value", "low", "high"
_AXES = ("x", "y")
_NUMBER = Quantity()
_NOT_SET = ("awake", "gravity_scale", "linear_damping", "angular_damping", "category", "target")
_NOT_SET_EITHER = (
    *("friction", "restitution", "rolling_resistance", "tangent_speed", "limits"),
    *("type", "collide", "visible"),
)


def _as_written(value: Any, context: Context) -> Any:
    return value


def _check_done(value: Any, context: Context) -> str:
    """As a condition; ``false`` is never, and ``true`` after each step."""
    if isinstance(value, bool):
        return "=1 > 0" if value else ""
    return check_condition(value, context)


def _check_formula(value: Any, context: Context) -> str:
    """A number, or an expression whose names are looked at when all are known."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(float(value))
    if not isinstance(value, str) or not value.strip():
        raise Wrong("wrong-type", f"must be an expression such as `=ball.x`, not {show(value)}")
    context.compile(value.strip())
    return value.strip()


_FORMULA_SCHEMA = {"anyOf": [{"type": "number"}, {"type": "string"}]}
_ACT_SCHEMA = {"type": "object", "minProperties": 1}
_NUMBER_SCHEMA = {"anyOf": [{"type": "number"}, EXPRESSION_SCHEMA]}
_OBSERVED_SCHEMA = {
    "type": "object",
    "properties": {"value": {"type": "string"}, "low": _NUMBER_SCHEMA, "high": _NUMBER_SCHEMA},
    "required": ["value"],
    "additionalProperties": False,
}
_OBSERVE_SCHEMA = {
    "type": "array",
    "items": {"anyOf": [{"type": "string"}, _OBSERVED_SCHEMA]},
    "minItems": 1,
}
_DONE_SCHEMA = {"anyOf": [{"type": "boolean"}, EXPRESSION_SCHEMA]}

FormulaField = Annotated[Any, Custom(_check_formula, _FORMULA_SCHEMA)]
Condition = Annotated[Any, Custom(_check_done, _DONE_SCHEMA)]


def _count(most: int) -> Quantity:
    return Quantity(low=1.0, high=float(most), whole=True)


class TaskInput(Input):
    form: ClassVar[str] = "`{observe: [cart.x], act: {push.force.x: [-10, 10]}, reward: 1}`"
    needed: ClassVar[tuple[str, ...]] = ("observe", "act", "reward")
    hints: ClassVar[dict[str, str]] = {
        "observation": "it is `observe`",
        "actions": "it is `act`",
        "terminated": "it is `done`",
        "truncated": "it is `steps`: after how many an episode is cut off",
        "frame_skip": "it is `repeat`",
        "reset": "it is `start`",
    }
    observe: Annotated[Any, Custom(_as_written, _OBSERVE_SCHEMA)] = about(
        "Observations: names such as `cart.x`, or expressions of the state, each possibly with "
        "bounds: `{value: cart.x, low: -5, high: 5}`."
    )
    act: Annotated[Any, Custom(_as_written, _ACT_SCHEMA)] = about(
        "Actions: `{push.force.x: [-10, 10]}`, `{push.force.x: {choices: [-10, 10]}}` "
        "or `{keys: [none, left, right]}`."
    )
    normalize: TruthField = about(
        "Whether learners give numbers from -1 to 1 for the ranges of `act` (false)."
    )
    reward: FormulaField = about("The reward of a step.")
    progress: FormulaField = about("A quantity whose increase in a step is added to the reward.")
    done: Condition = about("When an episode ends by what happened; `false` is never.")
    steps: Annotated[Any, _count(limits.STEPS)] = about(
        "After how many of its steps an episode is cut off (never)."
    )
    repeat: Annotated[Any, _count(limits.TASK_REPEAT)] = about(
        "How many steps of the world make one of the task (1)."
    )
    start: Annotated[Any, Custom(check_settings, SETTINGS_SCHEMA)] = about(
        "Settings at the start of an episode; their random numbers are drawn anew each time."
    )
    layouts: Annotated[Any, _count(limits.LAYOUTS)] = about(
        "How many different scenes the random numbers of the rest make (one for each seed)."
    )


_Seen = tuple[str, tuple[float, float]]
_Decided = tuple[tuple[TaskAction, ...], tuple[tuple[str, ...], ...]]


class _Tasks:
    """Builds the task of a scene."""

    def __init__(self, build_context: BuildContext) -> None:
        self.scene = scene_so_far(build_context)
        self.scope = build_context.scope("task")
        self.context = build_context.context
        self.is_misnamed = False  # an action's name, with which another place may be right

    def build(self, given: TaskInput, drew: bool, draws: bool) -> Task:
        """``drew``: whether the rest of the scene drew random numbers; ``draws``: or will."""
        scope = self.scope
        scope.need(given)
        nothing: _Decided = ((), ())
        unseen: tuple[_Seen, ...] = ()
        plain: dict[str, Live] = {}
        act, keys = scope.attempt(lambda: self._act(given.act), nothing)
        observe = scope.attempt(lambda: self._observed(given.observe), unseen)
        # As they are written: the problem of one of them is reported once.
        written = given.act if isinstance(given.act, dict) else {}
        given_names = tuple(f"${path}" for path in written if path != KEYS)
        reward = self._formula(given.reward, "reward", given_names)
        progress = self._formula(given.progress, "progress")
        done = ""
        if is_read(given.done) and given.done:
            reader = LiveReader(self.scene, scope)
            done = scope.attempt(lambda: reader.condition(given.done, "done"), "")
        start = scope.attempt(lambda: self._start(given.start), plain)
        numbers = [scope.known(getattr(given, key), key) for key in ("steps", "repeat", "layouts")]
        if given.layouts is not None and not draws:
            message = "the scene has no random numbers but those of `start`: there is one layout"
            scope.fail("conflicting-keys", message, "layouts")
        normalize = bool(scope.known(given.normalize, "normalize"))
        if normalize and not any(action.low < action.high for action in act) and not scope.failed:
            message = "the actions are choices; there are no ranges to normalize"
            scope.fail("conflicting-keys", message, "normalize")
        scope.stop_if_failed()
        steps, repeat, layouts = (int(number or 0) for number in numbers)
        return Task(
            tuple(source for source, _ in observe),
            reward,
            act,
            keys,
            progress,
            done,
            steps,
            repeat or 1,
            start,
            drew,
            layouts,
            tuple(bounds for _, bounds in observe),
            normalize,
            self._places(given, len(observe)),
        )

    def _places(self, given: TaskInput, observed: int) -> dict[str, str]:
        """The places of what has a value after each step, for errors of a run."""
        written: list[tuple[str, tuple[int | str, ...]]]
        written = [(f"observe[{i}]", ("observe", i)) for i in range(observed)]
        written += [
            (key, (key,))
            for key in ("reward", "progress", "done")
            if getattr(given, key) is not None
        ]
        report, found = self.scope.report, {}
        for name, at in written:
            mark, _ = locate(report.tree, (*self.scope.path, *at))
            found[name] = f"{mark.file or report.file}:{mark.line}:{mark.column}"
        return found

    # ------------------------------------------------------------ what is seen and wanted

    def _observed(self, given: Any) -> tuple[_Seen, ...]:
        if not isinstance(given, list) or not given:
            message = f"must be a list of names such as `cart.x`, not {show(given)}"
            raise self.scope.fail("wrong-type", message, "observe")
        if len(given) > limits.OBSERVED:
            message = f"{len(given)} are observed; the limit is {limits.OBSERVED}"
            raise self.scope.fail("limit", message, "observe")
        return tuple(self._one_observed(each, i) for i, each in enumerate(given))

    def _one_observed(self, each: Any, i: int) -> _Seen:
        if isinstance(each, dict):
            return self._bounded(each, i)
        if isinstance(each, (int, float)) or each is None:
            message = f"must be a name such as `cart.x`, or an expression, not {show(each)}"
            raise self.scope.fail("wrong-type", message, "observe", i)
        return self._formula(each, ("observe", i)), (-math.inf, math.inf)

    def _bounded(self, given: dict[str, Any], i: int) -> _Seen:
        """An observation with its bounds, which are in the units of the observed numbers."""
        for key in given:
            if key not in _OBSERVED_KEYS:
                message = f"an observation has {', '.join(_OBSERVED_KEYS)}, and no {show(key)}"
                raise self.scope.fail("unknown-key", message, "observe", i)
        if not isinstance(given.get(VALUE), str):
            message = "an observation has a `value` such as `cart.x`, or an expression"
            raise self.scope.fail("missing-key", message, "observe", i)
        infinite = {LOW: -math.inf, HIGH: math.inf}
        low, high = (
            self._checked(_NUMBER, given[key], ("observe", i, key)) if key in given else otherwise
            for key, otherwise in infinite.items()
        )
        if not low < high:
            raise self.scope.fail("out-of-range", "`low` comes before `high`", "observe", i)
        return self._formula(given[VALUE], ("observe", i, VALUE)), (float(low), float(high))

    def _formula(
        self, given: Any, at: str | tuple[int | str, ...], names: tuple[str, ...] = ()
    ) -> str:
        """The text of an expression over the state; its problems are reported, but for names of
        actions where an action is misnamed."""
        place = (at,) if isinstance(at, str) else at
        if not is_read(given):
            return ""
        scope = self.scope
        try:
            text = _check_formula(given, self.context)
            expression = self.context.compile(text)
        except Wrong as wrong:
            scope.failed = True
            scope.report.add_wrong((*scope.path, *place), wrong)
            return ""
        if expression.seeded:
            scope.fail("expression", "random numbers of an episode are drawn in `start`", *place)
        if names and self.is_misnamed:
            names = (*names, *(name for name in expression.names if name.startswith("$")))
        reader = LiveReader(self.scene, scope, names)
        scope.attempt(lambda: reader.check_names(expression, *place), None)
        return expression.source

    # ------------------------------------------------------------ what is done

    def _act(self, given: Any) -> _Decided:
        if not isinstance(given, dict) or not given:
            message = (
                f"must be what is set, such as `{{push.force.x: [-10, 10]}}`, not {show(given)}"
            )
            raise self.scope.fail("wrong-type", message, "act")
        if KEYS in given:
            if len(given) > 1:
                message = "keys are chosen alone; what else is decided on is set by their controls"
                raise self.scope.fail("conflicting-keys", message, "act", KEYS)
            return (), self._keys(given[KEYS])
        if len(given) > limits.TASK_ACTIONS:
            message = f"{len(given)} actions; the limit is {limits.TASK_ACTIONS}"
            raise self.scope.fail("limit", message, "act")
        made = [
            self.scope.attempt(self._action, None, path, value) for path, value in given.items()
        ]
        self.scope.stop_if_failed()
        act = tuple(action for action in made if action is not None)
        if len({bool(action.choices) for action in act}) > 1:
            message = "some of it are ranges and some choices; write all of it in one of the ways"
            raise self.scope.fail("conflicting-keys", message, "act")
        return act, ()

    def _action(self, path: str, value: Any) -> TaskAction:
        at = ("act", path)
        kind = self.scope.attempt(self._component, None, path, at)
        if kind is None:
            self.is_misnamed = True
            raise Stop
        if isinstance(value, dict):
            for key in value:
                if key != CHOICES:
                    message = f"an action has `choices`, and no {show(key)}"
                    raise self.scope.fail("unknown-key", message, *at)
            return TaskAction(path, choices=self._choices(value.get(CHOICES), kind, at))
        if isinstance(kind, Flag):
            message = "it is true or false: write `{choices: [false, true]}`"
            raise self.scope.fail("wrong-type", message, *at)
        low, high = self._checked(Tuple(kind, 2, "two numbers [lowest, highest]"), value, at)
        if not low < high:
            raise self.scope.fail("out-of-range", "the lowest comes before the highest", *at)
        return TaskAction(path, low, high)

    def _choices(self, given: Any, kind: Kind, at: tuple[int | str, ...]) -> tuple[Any, ...]:
        if not isinstance(given, list) or not 2 <= len(given) <= limits.CHOICES:
            message = f"must be a list of 2 to {limits.CHOICES} values, not {_listed(given)}"
            raise self.scope.fail("wrong-type", message, *at, CHOICES)
        return tuple(self._checked(kind, each, (*at, CHOICES, i)) for i, each in enumerate(given))

    def _keys(self, given: Any) -> tuple[tuple[str, ...], ...]:
        at = ("act", KEYS)
        if not isinstance(given, list) or not 2 <= len(given) <= limits.CHOICES:
            form = f"a list of 2 to {limits.CHOICES}, such as `[none, left, right]`"
            message = f"must be {form}, not {_listed(given)}"
            raise self.scope.fail("wrong-type", message, *at)
        made = []
        for i, each in enumerate(given):
            held = each if isinstance(each, list) else [] if each == NO_KEY else [each]
            made.append(tuple(self._key(key, (*at, i)) for key in held))
        return tuple(made)

    def _key(self, key: Any, at: tuple[int | str, ...]) -> str:
        known = self.scene.controls
        if isinstance(key, str) and key in known:
            if known[key] is BROKEN:
                raise Stop
            return key
        if self.scope.report.may_have("controls", str(key)):
            raise Stop
        message = f"no control has the key {show(key)}; {nearest(str(key), known, NO_KEY)}"
        raise self.scope.fail("unknown-name", message, *at, missing=f"key {key}")

    # ------------------------------------------------------------ what an episode begins with

    def _start(self, given: Any) -> dict[str, Live]:
        made: dict[str, Live] = {}
        if not is_read(given):
            return made
        names: list[str] = []
        for path, value in given.items():
            at = ("start", path)
            if path.startswith("$"):
                if not path[1:].isidentifier():
                    message = f"{show(path)} is no name; write it like `$angle`"
                    self.scope.report.add_key(self.scope.path + at, "invalid-name", message)
                    self.scope.failed = True
                    continue
                made[path] = self._live(_NUMBER, value, at, names)
                names.append(path)
                continue
            kind = self.scope.attempt(self._component, None, path, at, whole=True)
            if kind is not None:
                made[path] = self._live(kind, value, at, names)
        self.scope.stop_if_failed()
        return made

    def _live(self, kind: Kind, value: Any, at: tuple[int | str, ...], names: list[str]) -> Live:
        try:
            checked = kind.check(value, self.context)
        except Wrong as wrong:
            self.scope.report.add_wrong(self.scope.path + at, wrong)
            self.scope.failed = True
            return 0.0
        live: Live = self._drawn(checked, at, names)
        return live

    def _drawn(self, value: Any, at: tuple[int | str, ...], names: list[str]) -> Any:
        """A value with a formula where it is drawn for each episode."""
        if isinstance(value, tuple):
            return tuple(self._drawn(each, (*at, i), names) for i, each in enumerate(value))
        if not isinstance(value, Deferred):
            return value
        expression, quantity, context = value.expression, value.quantity, self.context
        for name in sorted(expression.names, key=expression.offset):
            if name in names or name in context.values:
                continue
            known = [*names, *context.values]
            why = "an episode has no state before it begins" if "." in name else "there is no such"
            self.scope.report.add(
                self.scope.path + at,
                "unknown-name",
                f"`{name}`: {why}; {nearest(name, known)}",
                expression.offset(name),
            )
            self.scope.failed = True
        factor = 1.0 if quantity.per_time else context.to_model(1.0, quantity.dimensions[0])
        source = expression.source
        return Formula(
            source if factor == 1.0 else f"({source})*{factor!r}",
            self.scope.label + show_suffix(at),
            -quantity.largest if quantity.low is None else quantity.low,
            quantity.largest if quantity.high is None else quantity.high,
        )

    # ------------------------------------------------------------ settings

    def _component(self, path: str, at: tuple[int | str, ...], *, whole: bool = False) -> Kind:
        """The kind of a setting of one number or, if ``whole``, also of two; or Stop."""
        owner, _, axis = path.rpartition(".")
        try:
            if axis in _AXES and owner:
                kind = find_setting(owner, self.scene, self.scope).kind
                if isinstance(kind, Tuple):
                    self._refuse_others(owner)
                    return kind.item
            kind = find_setting(path, self.scene, self.scope).kind
            self._refuse_others(path)
            if isinstance(kind, Tuple) and not whole:
                message = f"`{path}` is two numbers; write `{path}.x` or `{path}.y`"
                raise Wrong("missing-key", message)
            return kind
        except Wrong as wrong:
            for finding in wrong.findings:
                self.scope.report.add_key(self.scope.path + at, finding.kind, finding.message)
            self.scope.failed = True
            raise Stop from None

    def _refuse_others(self, path: str) -> None:
        """Wrong for settings by which worlds of a batch cannot differ."""
        setting = find_setting(path, self.scene, self.scope)
        body = setting.section == "bodies"
        refused = setting.name in _NOT_SET or (body and setting.name in _NOT_SET_EITHER)
        refused |= setting.section in ("world", "pools", "materials") or setting.name == "limits"
        if setting.section == "actuators":
            refused |= self.scene.actuators[setting.owner].kind in ("impulse", "field")
        if refused:
            message = (
                f"a task does not set `{path}`; it sets places and velocities of bodies, motors, "
                "and what thrusters, forces, torques and tyres do"
            )
            raise Wrong("unsupported", message)

    def _checked(self, kind: Kind, value: Any, at: tuple[int | str, ...]) -> Any:
        try:
            return self.scope.resolve(kind.check(value, self.context), *at)
        except Wrong as wrong:
            self.scope.report.add_wrong(self.scope.path + at, wrong)
            self.scope.failed = True
            raise Stop from None


def _listed(given: Any) -> str:
    return f"one of {len(given)}" if isinstance(given, list) else show(given)


def _build(given: TaskInput | None, build_context: BuildContext) -> Task | None:
    if given is None or given is BROKEN:
        return None
    compiler = build_context.compiler
    # Before `start` is read, whose numbers make no other scene.
    return _Tasks(build_context).build(given, compiler.drew, compiler.draws)


def _write(scene: Scene) -> dict[str, Any]:
    task = scene.task
    if task is None:
        return {}
    act: dict[str, Any] = {each.path: _written_action(each) for each in task.act}
    if task.keys:
        act = {KEYS: [list(keys) for keys in task.keys]}
    values: dict[str, Any] = {
        "observe": [
            _written_observed(*each) for each in zip(task.observe, task.bounds, strict=True)
        ],
        "act": act,
        "reward": f"={task.reward}",
    }
    values |= {key: f"={getattr(task, key)}" for key in ("progress", "done") if getattr(task, key)}
    values |= {"steps": task.steps} if task.steps else {}
    values["repeat"] = task.repeat
    values |= {"normalize": True} if task.normalize else {}
    if task.start:
        values["start"] = {path: _written(value) for path, value in task.start.items()}
    return values


def _written_observed(source: str, bounds: tuple[float, float]) -> Any:
    written = {LOW: bounds[0], HIGH: bounds[1]}
    finite = {key: number for key, number in written.items() if math.isfinite(number)}
    return {VALUE: f"={source}", **finite} if finite else f"={source}"


def _written_action(action: TaskAction) -> Any:
    return {CHOICES: list(action.choices)} if action.choices else [action.low, action.high]


def _written(value: Any) -> Any:
    if isinstance(value, Formula):
        return f"={value.source}"
    return [_written(each) for each in value] if isinstance(value, tuple) else value


TASK = BlockSpec(
    TaskInput | None,
    _build,
    write=_write,
)
