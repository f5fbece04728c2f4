# SPDX-License-Identifier: MIT
"""``rigid play``: a scene in the browser, with keys, dragging, sliders and rewinding."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rigid2d.core.errors import UsageError

from .. import exit_codes, options
from ..console import is_terminal, note, print_json, say, shown
from ..files import refuse_inputs

if TYPE_CHECKING:
    from rigid2d.core.play.server import PlayServer
    from rigid2d.core.play.trouble import Trouble

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(cls=options.Verb)
def play(
    scene: options.OneScene,
    port: Annotated[
        int,
        options.setting(
            "--port",
            min=0,
            max=65535,
            metavar="N",
            help="Port to listen on; picks the next free one if taken, 0 for any.",
        ),
    ] = 8360,
    opened: Annotated[
        bool, options.setting("--open/--no-open", help="Open the page in the browser.")
    ] = True,
    host: Annotated[
        str | None,
        options.setting(
            "--host",
            metavar="ADDRESS",
            help="Address of this machine to listen on, so that others in its network may play; "
            "0.0.0.0 for all. Only this machine by default.",
        ),
    ] = None,
    watch_only: Annotated[
        bool,
        options.setting("--watch-only", help="Give others an address whose pages only watch."),
    ] = False,
    paused: options.Paused = False,
    speed: options.Speed = 1.0,
    mute: options.Mute = False,
    save_inputs: Annotated[
        str | None,
        options.writes(
            "--save-inputs",
            metavar="F",
            ending=".yaml",
            help="File to record the played inputs to, at the end and on request from the page.",
        ),
    ] = None,
    overrides: options.Overrides = None,
    inputs: options.Inputs = None,
    threads: options.Threads = 1,
    lanes: options.Lanes = 0,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Play a scene in the browser: keys, dragging, pause, rewinding, sliders.

    The page is served to this machine only, at an address with a secret, unless --host says where
    else. Time runs from the first page on. The scene is reloaded when one of its files changes.
    Ctrl-C quits.
    """
    from rigid2d.core.play.game import Game
    from rigid2d.core.play.listening import HOST
    from rigid2d.core.play.server import PlayServer, need_server
    from rigid2d.core.play.session import Session
    from rigid2d.core.record.atomic import check_place

    if scene == "-":
        raise UsageError("-: what is played is a file, which is read again when it changes")
    if not Path(scene).is_file():
        raise UsageError(f"{scene}: there is no such file")
    need_server()
    record = None if save_inputs is None else Path(save_inputs)
    if record is not None:
        check_place(record)
        refuse_inputs([str(record)], filter(None, (scene, inputs)))
    session = Session(scene, overrides=overrides or (), inputs=inputs, threads=threads, lanes=lanes)
    if record is not None:
        refuse_inputs([str(record)], session.source.files)
    session.set_speed(speed)
    if not paused:
        session.play()
    game = Game(session, record, on_trouble=_Teller(scene, quiet), mute=mute)
    server = PlayServer(game, port, host=HOST if host is None else host, watched=watch_only)
    server.start()
    try:
        if port not in (0, server.port) and not quiet:
            note(f"rigid: port {port} is taken; it is {server.port}")
        if json:
            watching = {"watch_address": server.watch_address} if watch_only else {}
            print_json({"address": server.address, "port": server.port, **watching})
        else:
            say(f"{shown(Path(scene).name)} plays at {server.address}  (Ctrl-C ends it)")
            if watch_only:
                say(f"others watch at {server.watch_address}")
        if not (json or quiet):
            _invite(server)
        if server.is_exposed and not quiet:
            note(f"rigid: {_exposed(server, shown(Path(scene).name))}")
        if opened:
            _open(server.address)
        game.run()
    finally:
        server.stop()
        if record is not None and session.was_played:
            game.record.write()
    return exit_codes.DONE


class _Teller:
    """Tells in the terminal what is wrong with the scene, and when nothing is any more."""

    def __init__(self, scene: str, quiet: bool) -> None:
        self._scene, self._quiet = scene, quiet

    def __call__(self, trouble: Trouble | None) -> None:
        if trouble is None:
            if not self._quiet:
                note(f"rigid: {shown(self._scene)}: it plays")
        elif trouble.problems:
            from ..reporting.diagnostics import as_text

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
    return f"{scene}: {who} {what}. What is sent is not encrypted"


def _open(address: str) -> None:
    """Show the page in a browser, where there is one."""
    import webbrowser

    webbrowser.open(address)
