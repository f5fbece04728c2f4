# SPDX-License-Identifier: MIT
"""Loads a scene file into a checked Scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import arguments
from ..arguments import checked, optional
from ..errors import Problem, SceneError, UsageError
from ..nearest import one_allowance
from . import limits
from .basis import basis_of
from .collector import paused_collector
from .given import Loader, read_given, read_text
from .hashing import identified
from .model import Scene
from .text.marks import Map, Mark, Seq, fail
from .text.problems import find
from .text.yaml_reader import Reader, decode
from .values.kinds import show

if TYPE_CHECKING:
    from .study_model import Axis

COMPILED = ".rigid"
"""The end of the names of compiled scenes."""


@checked(
    path=arguments.named,
    overrides=arguments.texts,
    assets=optional(arguments.named),
    inputs=optional(arguments.named),
)
def load(
    path: str | Path,
    overrides: Sequence[str] = (),
    *,
    assets: str | Path | None = None,
    inputs: str | Path | None = None,
) -> Scene:
    """Load a scene file, or a compiled scene, whose name ends in ``.rigid``.

    ``overrides`` are ``PATH=VALUE`` texts, such as ``vars.n=7``, applied before anything is
    checked. ``assets`` is a second folder for the files that the scene names, ``inputs`` a file
    with another recorded player than the scene's own. Raises SceneError with every problem found.
    """
    file = Path(path)
    if file.suffix == COMPILED:
        from .text.compiled import read_compiled

        text = read_compiled(path, overrides)
        return _load(text, str(path), None, file.parent, overrides, assets, inputs)
    text = read_text(
        file, str(path), "name a scene file in it", "; `loads` takes the text of a scene"
    )
    return _load(text, str(path), file, file.parent, overrides, assets, inputs)


def _scene_text(value: Any, name: str) -> str | bytes:
    """The text of a scene, or its bytes."""
    if isinstance(value, Mapping):
        raise UsageError(
            f"{name} should be the text of a scene, not a mapping; JSON is a text of scenes too: "
            "loads(json.dumps(scene))"
        )
    found: str | bytes = arguments.one_of(str, bytes)(value, name)
    return found


@checked(
    text=_scene_text,
    path=arguments.text,
    overrides=arguments.texts,
    folder=optional(arguments.named),
    assets=optional(arguments.named),
    inputs=optional(arguments.named),
)
def loads(
    text: str | bytes,
    *,
    path: str = "<string>",
    overrides: Sequence[str] = (),
    folder: str | Path | None = None,
    assets: str | Path | None = None,
    inputs: str | Path | None = None,
) -> Scene:
    """Load a scene from a text, or its bytes in UTF-8.

    ``path`` is its name in errors, ``folder`` the folder of its files; the rest is as for ``load``.
    """
    text = decode(text, path) if isinstance(text, bytes) else text
    own = None if folder is None else Path(folder)
    return _load(text, path, None, own, overrides, assets, inputs)


@dataclass(frozen=True, slots=True)
class Rereading:
    """Reads the text of a scene again, with more overrides. It can be pickled."""

    text: str
    shown: str
    file: Path | None
    folder: Path | None
    overrides: tuple[str, ...]
    assets: str | Path | None
    inputs: str | Path | None

    def __call__(self, more: Sequence[str] = ()) -> Scene:
        return _load(
            self.text,
            self.shown,
            self.file,
            self.folder,
            (*self.overrides, *more),
            self.assets,
            self.inputs,
        )


def rereading(scene: Scene) -> Rereading | None:
    """Return the function that reads a scene again; None where its text is unknown."""
    basis = basis_of(scene)
    found = None if basis is None else basis.again
    return found if isinstance(found, Rereading) else None


def reseeded(scene: Scene, seed: int) -> Scene:
    """The same scene with another ``world.seed``. Raises UsageError if its text is unknown."""
    basis = basis_of(scene)
    if basis is None or basis.again is None:
        raise UsageError(f"{scene.path}: it came from another process, without its text")
    found: Scene = basis.again((f"world.seed={seed}",))
    return found


def with_seed(scene: Scene, seed: int) -> Scene:
    """The same scene with another ``world.seed``, of which nothing depends on it before it runs."""
    world = replace(scene.world, seed=seed)
    basis = basis_of(scene)
    if basis is not None:
        basis = replace(basis, context=basis.context.with_seed(seed), world=world)
    return identified(replace(scene, world=world, basis=basis))


@paused_collector()
def _load(
    text: str,
    shown: str,
    file: Path | None,
    folder: Path | None,
    overrides: Sequence[str],
    assets: str | Path | None,
    inputs: str | Path | None,
) -> Scene:
    player = () if inputs is None else (str(inputs),)
    given, tree = read_given(
        text,
        shown,
        file,
        folder,
        overrides,
        assets,
        player,
        study_problems=_study_problems,
    )
    if inputs is not None:
        _put_inputs(tree, inputs, given.sources.reader)

    again = Rereading(text, shown, file, folder, tuple(overrides), assets, inputs)
    with one_allowance():
        changed = tree.copy()
        try:
            scene = given.scene(changed)
        except SceneError as error:
            from .compared import of_variants_alone

            more = of_variants_alone(error.problems, changed, tree, given)
            if not more:
                raise
            raise SceneError([*error.problems, *more][: limits.PROBLEMS]) from None
        basis = basis_of(scene)
        assert basis is not None
        scene = replace(scene, basis=replace(basis, again=again))
        if scene.compare is None:
            return scene
        from .compared import with_scenes

        entries = find(changed, ("compare", "variants"))
        return replace(scene, compare=with_scenes(scene, scene.compare, entries, tree, given))


def _put_inputs(tree: Map, file: str | Path, reader: Reader) -> None:
    """Use the recorded player of another file: a list, or a scene's ``inputs``."""
    shown = str(file)
    form = "a file of inputs is a list such as `- {key: up, from: 0.5, to: 1.2}`"
    text = read_text(Path(file), shown, "name a file of inputs in it")
    given = reader.read(text, shown, form=form)
    at = Mark(shown, 1, 1)
    if isinstance(given, Map):
        for key in given:
            if key not in ("rigid", "inputs"):
                message = f"a file of inputs has a list, or `inputs: [...]`, and no {show(key)}"
                raise fail(given.keys_at[key], "unknown-key", message, str(key))
        at = given.values_at.get("inputs", at)
        given = given.get("inputs")
    if not isinstance(given, Seq):
        raise fail(at, "wrong-type", f"{form}, not {show(given)}")
    tree.put("inputs", given, at, at)


def _study_problems(loader: Loader, axes: Sequence[Axis]) -> list[Problem]:
    from .variants import varied_problems  # which few scenes need

    return varied_problems(loader, axes)
