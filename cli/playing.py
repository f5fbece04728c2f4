# SPDX-License-Identifier: MIT
"""Serving the page of a scene that is played or edited."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rigid2d.core.errors import UsageError

from .console import is_terminal, note, print_json, say, shown
from .files import refuse_inputs

if TYPE_CHECKING:
    from rigid2d.core.editing.desk import SceneDesk
    from rigid2d.core.play.server import PlayServer
    from rigid2d.core.play.session import Session
    from rigid2d.core.play.trouble import Trouble


@dataclass(frozen=True, slots=True)
class Serving:
    """How a page is served.

    Attributes:
        port: where it listens, or the next free port.
        opened: whether the browser is opened.
        host: the address of this machine for others; None for this machine only.
        watch_only: whether there is a second address, whose pages only watch.
        mute: whether no page hears a sound.
        record: a file to record what was played to.
        opens_tools: whether pages begin with the tools that change the scene.
        quiet, json: what is printed.
    """

    port: int = 8360
    opened: bool = True
    host: str | None = None
    watch_only: bool = False
    mute: bool = False
    record: Path | None = None
    opens_tools: bool = False
    quiet: bool = False
    json: bool = False


def session_of(
    scene: str,
    serving: Serving,
    *,
    overrides: Sequence[str] | None,
    inputs: str | None,
    threads: int,
    lanes: int,
) -> Session:
    """The session of a scene's file, after the checks of what is served and written."""
    from rigid2d.core.play.server import need_server
    from rigid2d.core.play.session import Session
    from rigid2d.core.record.atomic import check_place

    if scene == "-":
        raise UsageError("-: what is played is a file, which is read again when it changes")
    if not Path(scene).is_file():
        raise UsageError(f"{scene}: there is no such file")
    need_server()
    record = serving.record
    if record is not None:
        check_place(record)
        refuse_inputs([str(record)], filter(None, (scene, inputs)))
    session = Session(scene, overrides=overrides or (), inputs=inputs, threads=threads, lanes=lanes)
    if record is not None:
        refuse_inputs([str(record)], session.source.files)
    return session


class _Others:
    """Further scenes that pages open to edit them, each with a server of its own.

    Attributes:
        recent: the files that were edited lately.
    """

    def __init__(self, templates: Mapping[str, str], mute: bool) -> None:
        from rigid2d.core.editing.recent import RecentFiles, state_folder

        self.recent = RecentFiles(state_folder())
        self._templates, self._mute = templates, mute
        self._servers: dict[Path, PlayServer] = {}

    def desk(self, session: Session) -> SceneDesk:
        """The desk of a scene whose pages may open others."""
        from rigid2d.core.editing.desk import SceneDesk

        return SceneDesk(session, self._templates, self.recent, self.open)

    def open(self, path: Path) -> str:
        """Serve the tools for a file; their address."""
        from rigid2d.core.play.game import Game
        from rigid2d.core.play.server import PlayServer
        from rigid2d.core.play.session import Session

        if path not in self._servers:
            session = Session(path)
            game = Game(session, mute=self._mute, desk=self.desk(session))
            server = self._servers[path] = PlayServer(game, 0, opens_tools=True)
            server.start()
            threading.Thread(target=game.run, daemon=True).start()
            self.recent.remember(path)
        return self._servers[path].address

    def stop(self) -> None:
        for server in self._servers.values():
            server.stop()


def serve(scene: str, session: Session, serving: Serving, templates: Mapping[str, str]) -> None:
    """Serve the page of a session until an interrupt ends it."""
    from rigid2d.core.play.game import Game
    from rigid2d.core.play.listening import HOST
    from rigid2d.core.play.server import PlayServer

    record, json, quiet = serving.record, serving.json, serving.quiet
    host = HOST if serving.host is None else serving.host
    others = _Others(templates, serving.mute)
    if serving.opens_tools:
        others.recent.remember(session.source.path)
    game = Game(
        session,
        record,
        on_trouble=_Teller(scene, quiet),
        mute=serving.mute,
        desk=others.desk(session),
    )
    server = PlayServer(
        game, serving.port, host=host, watched=serving.watch_only, opens_tools=serving.opens_tools
    )
    server.start()
    try:
        if serving.port not in (0, server.port) and not quiet:
            note(f"rigid: port {serving.port} is taken; it is {server.port}")
        if json:
            watching = {"watch_address": server.watch_address} if serving.watch_only else {}
            print_json({"address": server.address, "port": server.port, **watching})
        else:
            does = "is edited" if serving.opens_tools else "plays"
            say(f"{shown(Path(scene).name)} {does} at {server.address}  (Ctrl-C ends it)")
            if serving.watch_only:
                say(f"others watch at {server.watch_address}")
        if not (json or quiet):
            _invite(server)
        if server.is_exposed and not quiet:
            note(f"rigid: {_exposed(server, shown(Path(scene).name))}")
        if serving.opened:
            _open(server.address)
        game.run()
    finally:
        server.stop()
        others.stop()
        if record is not None and session.was_played:
            game.record.write()


class _Teller:
    """Tells in the terminal what is wrong with the scene, and when nothing is any more."""

    def __init__(self, scene: str, quiet: bool) -> None:
        self._scene, self._quiet = scene, quiet

    def __call__(self, trouble: Trouble | None) -> None:
        if trouble is None:
            if not self._quiet:
                note(f"rigid: {shown(self._scene)}: it plays")
        elif trouble.problems:
            from .reporting.diagnostics import as_text

            note(as_text(trouble.problems, sys.stderr))
        else:
            note(f"rigid: {shown(trouble.message)}")


def _invite(server: PlayServer) -> None:
    """Show the address for others as a code that phones read."""
    from rigid2d.core.play import qr

    code = qr.qr_code(server.watch_address or server.address) if server.is_exposed else None
    if code is not None and is_terminal(sys.stdout):
        print(qr.shown(code), flush=True)


def _exposed(server: PlayServer, scene: str) -> str:
    """The note on what other machines in the network can do now."""
    plays = (
        "plays: its keys, the mouse, time and sliders, and it sees the scene's text; only pages on "
        "this machine write files"
    )
    watches = "watches, and sees the scene's text"
    who = f"whoever reaches {server.host} and has the address"
    what = f"{watches}; with the first address one {plays}" if server.watch_address else plays
    return f"{scene}: {who} {what}. The connection is not encrypted"


def _open(address: str) -> None:
    """Show the page in a browser, where there is one."""
    import webbrowser

    webbrowser.open(address)
