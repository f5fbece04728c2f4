# SPDX-License-Identifier: MIT
"""Answers what the tools of a page ask for: edits of the scene's files, and what these need.

The page sends what was done (``ask: edit``); texts are changed by ``core/edit`` alone. Everything
else here reads: the schema for forms, the outlines of a body, pictures of prototypes, templates,
files of other programs that are dropped on the page, and the scene in other forms to keep.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..edit.document import Document
from ..errors import UsageError
from ..play.session import Session
from ..scene.schema import json_schema
from .exporting import exported
from .importing import imported, units_of
from .outline import outline, value_of
from .outlines import outlines
from .pictures import image_of, picture_of, prototypes_of
from .recent import RecentFiles

IMAGES = frozenset((".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".svg"))
MOST_IMAGES = 300
"""Number of image files that are offered."""


class SceneDesk:
    """The desk of a played scene.

    Args:
        session: what is played; its scene is the one that is edited.
        templates: texts of scenes to start from, by name.
        recent: the files that were edited lately, of which this becomes one.
        opens: serves the tools for another file; their address.
    """

    def __init__(
        self,
        session: Session,
        templates: Mapping[str, str] | None = None,
        recent: RecentFiles | None = None,
        opens: Callable[[Path], str] | None = None,
    ) -> None:
        self._session = session
        self._recent = recent or RecentFiles(None)
        self._opens = opens
        self._is_remembered = False
        self._templates = dict(templates or {})
        source = session.source
        self.document = Document(source.path, overrides=source.overrides)
        self._undo: str | None = None
        self._redo: str | None = None
        self._told = 0
        self._last: dict[str, Any] = {}
        self._asks: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
            "hello": self._hello,
            "edit": self._edit,
            "outlines": self._outlines,
            "picture": self._picture,
            "template": self._template,
            "import": self._import,
            "export": self._export,
            "rehearse": self._rehearse,
            "images": self._images,
            "image": self._image,
            "names": self._names,
            "recent": self._recent_files,
            "open": self._open,
        }

    # ------------------------------------------------------------ of the game

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request. Raises a RigidError for one that cannot be honoured."""
        ask = asked.get("ask")
        if not isinstance(ask, str) or ask not in self._asks:
            raise UsageError(f"a desk is asked for one of: {', '.join(self._asks)}")
        return self._asks[ask](asked)

    def look(self) -> bool:
        """Take in what other programs wrote; whether pages have to be told of anything."""
        answer = self.document.look()
        if answer is not None:
            self._undo, self._redo = answer["undo"], answer["redo"]
        return self.document.version != self._told

    def state(self) -> dict[str, Any]:
        """The state that pages show: the text, its tree and where its entries are."""
        version, texts = self.document.version, self.document.texts
        if version != self._last.get("version"):
            file = self.document.files.main
            tree, lines = outline(texts[file])
            self._last = {
                "type": "desk",
                "version": version,
                "file": file,
                "text": texts[file],
                "tree": tree,
                "lines": lines,
                "others": [name for name in texts if name != file],
            }
        self._told = version
        return self._last | {"undo": self._undo, "redo": self._redo}

    # ------------------------------------------------------------ what is asked

    def _hello(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        self.document.prepare()
        return {"schema": json_schema(), "templates": [*self._templates]}

    def _edit(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        edit = asked.get("edit")
        if not isinstance(edit, dict):
            raise UsageError("an edit says what was done: {edit: move, ...}")
        edit = dict(edit)
        if "text" in edit and edit.get("edit") in ("set", "add"):
            edit["value"] = value_of(str(edit.pop("text")))
        return self._do(edit)

    def _do(self, edit: Mapping[str, Any]) -> dict[str, Any]:
        session = self._session
        if session.scene is not None and session.trouble is None:
            self.document.take(session.scene)
        answer = self.document.do(edit)
        if "undo" in answer:
            self._undo, self._redo = answer["undo"], answer["redo"]
            self._remember()
        return {key: value for key, value in answer.items() if key != "files"}

    def _remember(self) -> None:
        if not self._is_remembered:
            self._is_remembered = True
            self._recent.remember(self._session.source.path)

    def _recent_files(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The files that were edited lately, without this one."""
        if self._opens is None:
            return {"files": []}
        own = self._session.source.path.resolve()
        paths = [each for each in self._recent.paths() if each != own]
        return {
            "files": [
                {"path": str(each), "name": each.name, "folder": str(each.parent)} for each in paths
            ]
        }

    def _open(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Serve the tools for one of these files, and for no other one."""
        path = Path(str(asked.get("path")))
        if self._opens is None or path not in self._recent.paths():
            raise UsageError(f"{path}: is none of the files that were edited lately")
        return {"address": self._opens(path)}

    def _outlines(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        scene, name = self._session.scene, str(asked.get("body"))
        body = None if scene is None else scene.bodies.get(name)
        return {"outlines": [] if body is None else outlines(body, self.document.points(name))}

    def _picture(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        return picture_of(self._session, str(asked.get("prototype")), str(asked.get("theme", "")))

    def _template(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        name = str(asked.get("name"))
        if name not in self._templates:
            raise UsageError(f"there is no template {name}; there are {', '.join(self._templates)}")
        file = self.document.files.main
        return self._do({"edit": "text", "file": file, "text": self._templates[name]})

    def _import(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """A dropped file becomes a prototype with an instance; an empty scene becomes the file."""
        found = imported(str(asked.get("name", "")), str(asked.get("data", "")))
        file = self.document.files.main
        tree = outline(self.document.texts[file])[0]
        bodies = (tree.get("bodies") or {}).values()
        if len(bodies) < 2 and not tree.get("instances"):  # nothing but the ground
            whole = self._do({"edit": "text", "file": file, "text": found.text})
            return whole | {"notes": found.losses}
        name = _free(found.name, tree.get("prototypes") or {})
        fields = found.instance(units_of(tree))
        edits: list[dict[str, Any]] = [
            {"edit": "add", "section": "materials", "name": word, "value": value}
            for word, value in found.materials.items()
            if word not in (tree.get("materials") or {})
        ]
        edits.append(
            {"edit": "add", "section": "prototypes", "name": name, "value": found.prototype}
        )
        at = asked.get("at") or [0, 0]
        edits.append({"edit": "add", "section": "instances", "name": name,
                      "value": {"use": name, "at": at, **fields}})  # fmt: skip
        answer: dict[str, Any] = {}
        for edit in edits:
            answer = self._do(edit | {"gesture": f"import {name}"})
            if not answer.get("done"):
                break
        return answer | {"notes": [*answer.get("notes", []), *found.losses]}

    def _export(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        options = asked.get("options")
        seconds = float(asked.get("seconds") or 0.0)
        given = options if isinstance(options, dict) else None
        return exported(self._session, str(asked.get("form")), seconds, given)

    def _images(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Image files of the scene's folder and of those in it, for textures and layers."""
        folder = self.document.files.folder
        found = (each for pattern in ("*", "*/*") for each in folder.glob(pattern))
        names = [each.relative_to(folder).as_posix() for each in found if _is_image(each)]
        return {"images": sorted(names)[:MOST_IMAGES]}

    def _image(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """One of these images, as an address that holds it, and its size."""
        name = str(asked.get("name"))
        if name not in self._images({})["images"]:
            raise UsageError(f"there is no image {name} in the folder of the scene")
        return image_of(self.document.files.folder / name, name)

    def _names(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The category of each body, the bodies of each tag, and prototypes of included files."""
        scene = self._session.scene
        bodies = {} if scene is None else scene.bodies
        tags: dict[str, list[str]] = {}
        for name, body in bodies.items():
            for tag in body.tags:
                tags.setdefault(tag, []).append(name)
        own, _ = outline(self._session.source.text)
        known = prototypes_of(self._session)
        return {
            "categories": {name: body.category for name, body in bodies.items()},
            "tags": tags,
            "included": [name for name in known if name not in (own.get("prototypes") or {})],
        }

    def _rehearse(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Play from the start with bodies held in their places, also without gravity."""
        session = self._session
        scene = session.scene
        if scene is None or session.trouble is not None:
            raise UsageError("the scene has mistakes; mend these first")
        held = [name for name in asked.get("held") or [] if name in scene.bodies]
        sets: dict[str, Any] = {f"{name}.type": "static" for name in held}
        if asked.get("weightless") is True:
            sets["world.gravity"] = (0.0, 0.0)
        session.restart()
        if sets:
            session.set_now(sets)
        session.play()
        return {"held": held}


def _is_image(path: Path) -> bool:
    return path.suffix.lower() in IMAGES and not path.name.startswith(".")


def _free(name: str, known: Mapping[str, Any]) -> str:
    """A name that is not taken."""
    number, free = 1, name
    while free in known:
        number += 1
        free = f"{name}_{number}"
    return free
