# SPDX-License-Identifier: MIT
"""A scene that is edited in a browser, by mouse and keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml
from rigid2d.core.editing.desk import SceneDesk

from tests.page.chromium import Tabs
from tests.play.played import STAIRS, Play

Point = tuple[float, float]
RESET = """(() => {
    const {editor, picture, link} = p;
    document.querySelectorAll("dialog[open]").forEach((each) => each.close());
    document.querySelectorAll(".tour").forEach((each) => each.remove());
    Object.assign(editor, {inside: null, remembered: {}, kept: null, wasHome: false, cross: null});
    for (const each of [editor.hidden, editor.locked, editor.objects.pictures]) each.clear();
    editor.objects.palette.replaceChildren();
    editor.text.isTyped = false;
    editor.files.close();
    editor.choose("select");
    editor.select([]);
    p.chooseTab("tab-form");
    [picture.free, picture.followed] = [null, -1];
    link.ask({do: "pause"});
    link.ask({do: "restart"});
    editor.ask({ask: "hello"});
    return true;
})()"""


class Edit(Play):
    """A page whose tools are open. Every action waits until the picture shows what it made."""

    def __init__(
        self, tabs: Tabs, path: Path, size: tuple[int, int] = (1280, 860), **options: Any
    ) -> None:
        super().__init__(tabs, path, size, edits=True, **options)
        self.wait("p.editor?.schema && p.editor.desk && p.editor.kept && p.picture.lastView")

    def begin(self, text: str) -> None:
        """Show another text in the same page, with nothing selected and nothing to undo."""
        self.path.write_text(text, encoding="utf-8")
        desk = SceneDesk(self.game.session, {"stairs": STAIRS})
        version = desk.document.version = self.game.desk.document.version + 2
        self.game.desk = desk
        self.say(RESET)
        wanted = json.dumps(text)
        self.wait(f"p.editor.desk.text === {wanted} && p.source.data.text === {wanted}")
        self.wait(f"p.editor.desk.version >= {version}")
        self.wait("!p.editor.desk.undo && p.time === 0 && !p.playing")
        self.wait("p.picture.source === p.source && p.editor.kept && p.picture.lastView")

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def tree(self) -> Any:
        return yaml.safe_load(self.text)

    def version(self) -> int:
        return int(self.say("p.editor.desk.version"))

    def done(self, before: int) -> None:
        """Wait for an edit since a version, and for its picture."""
        self.wait(f"p.editor.desk.version > {before}")
        self.wait("p.source.data.text === p.editor.desk.text && p.picture.source === p.source")

    def tool(self, key: str) -> None:
        self.tab.keyboard.press(key)

    def click(self, *places: Point) -> None:
        for place in places:
            self.tab.mouse.click(*self.pixel(*place))

    def drag(self, start: Point, end: Point) -> None:
        mouse = self.tab.mouse
        mouse.move(*self.pixel(*start))
        mouse.down()
        mouse.move(*self.pixel(*end), steps=4)
        mouse.up()

    def makes(self, *places: Point) -> None:
        """Drag between two places, or click at several, which makes one edit."""
        before = self.version()
        if len(places) == 2:
            self.drag(*places)
        else:
            self.click(*places)
        self.done(before)

    def press(self, keys: str) -> None:
        """Press keys that make one edit."""
        before = self.version()
        self.tab.keyboard.press(keys)
        self.done(before)

    def pull(self, part: str, across: float, down: float) -> str:
        """Drag a handle by pixels; the line of what is waited for meanwhile."""
        x, y = self.say(
            "(() => { const picture = document.getElementById('picture');"
            " const {left, top} = picture.getBoundingClientRect();"
            " const found = p.editor.tool.handles().find("
            f"(each) => (each.part ?? each.kind) === '{part}');"
            " return [found.at[0] + left, found.at[1] + top]; })()"
        )
        before, mouse = self.version(), self.tab.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + across, y + down, steps=4)
        said = self.tab.inner_text("#tool-status")
        mouse.up()
        self.done(before)
        return str(said)

    def types(self, path: str, value: str) -> None:
        """Type a value into a field of a form."""
        before = self.version()
        self.tab.fill(f"[data-path='{path}']", value)
        self.tab.keyboard.press("Enter")
        self.done(before)

    def block(self, name: str) -> None:
        """Show a block of the scene beside the picture."""
        self.tab.click("#tab-blocks")
        self.tab.select_option("#block", name)

    def undo_all(self) -> int:
        """Undo everything; how many steps that were."""
        steps = 0
        while self.say("Boolean(p.editor.desk.undo)"):
            self.press("Control+z")
            steps += 1
        return steps
