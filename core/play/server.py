# SPDX-License-Identifier: MIT
"""The server of a game: one page, and a socket for each that is open.

It listens on 127.0.0.1 only, unless another address was asked for. A request must name the server
as its host, contain a token in its address and, to open a socket, come from the server's own page;
all other requests are refused. No file is served: a page contains everything that it needs. There
may be a second token, whose pages only watch; and pages on other machines write no files.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
import threading
from collections.abc import Callable
from hmac import compare_digest
from http import HTTPStatus
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..page.document import document
from .game import Game
from .listening import ANY, HOST, is_here, listening_socket, own_address, resolved
from .outbox import Outbox
from .requests import TO_FILES, TO_WATCH, read_request

if TYPE_CHECKING:
    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

PORT = 8360
MOST_PAGES = 32
MOST_CONNECTIONS = 200
LONGEST_REQUEST = 4096
"""Bytes of what a page may send at once."""
LONGEST_EDIT = 12 * 1024 * 1024
"""Likewise of a page on this machine that may change the scene: a file that is dropped on it."""
PATIENCE = 5.0
"""Seconds that a connection has to send its request."""
SILENCE = 20.0
"""Seconds without a sign from a page, after which it is asked for one, and as many that it has to
give it."""
STUCK = 20.0
"""Seconds that a page has to take in what it is sent."""
GOING_AWAY = 1001
TOO_LONG = 1009
EDITOR = (
    *(
        "icons",
        "geometry",
        "grid",
        "marks",
        "tools",
        "joint_handles",
        "value_handles",
        "select",
        "draw",
    ),
    *(
        "vertices",
        "join",
        "forces",
        "sheet",
        "texture",
        "form",
        "text",
        "objects",
        "timeline",
        "blocks",
    ),
    *("files", "tour", "dialogs", "bar", "hands", "inside", "mending", "editor"),
)
"""The files of the page's tools, in order."""
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
TOKEN_BYTES = 16
ONLY_WATCHES = "this page only watches: its address has no hands"
NO_FILES = "only a page on the machine that plays writes files"


class PlayServer:
    """Serves the pages of a game in a thread of its own.

    Attributes:
        port: where it listens.
        host: the address or name by which its pages are reached.
        address: of the page, with the token.
        watch_address: of pages that only watch; empty where there are none.
    """

    def __init__(
        self,
        game: Game,
        port: int = PORT,
        token: str = "",
        *,
        host: str = HOST,
        watched: bool = False,
        opens_tools: bool = False,
    ) -> None:
        """``host`` is where it listens; ``watched`` makes an address for those who only watch; with
        ``opens_tools`` pages begin with the tools that change the scene."""
        self.game = game
        self.opens_tools = opens_tools
        self._token = token or secrets.token_urlsafe(TOKEN_BYTES)
        self._watch_token = secrets.token_urlsafe(TOKEN_BYTES) if watched else ""
        self._socket = listening_socket(port, host)
        self.port: int = self._socket.getsockname()[1]
        self.host = own_address() if resolved(host) == ANY else host
        self._names = {HOST, "localhost", self.host}
        self._pages: dict[str, Outbox] = {}
        self._connections = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended: asyncio.Event | None = None
        self._begun = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rigid play", daemon=True)

    @property
    def address(self) -> str:
        return f"http://{self.host}:{self.port}/{self._token}/"

    @property
    def watch_address(self) -> str:
        token = self._watch_token
        return f"http://{self.host}:{self.port}/{token}/" if token else ""

    @property
    def is_exposed(self) -> bool:
        """Whether other machines reach it."""
        return not is_here(resolved(self.host))

    # ------------------------------------------------------------ its thread

    def start(self) -> None:
        """Serve from now on."""
        self._thread.start()
        self._begun.wait()

    def stop(self) -> None:
        """Announce the end to the pages, and end; pages that do not listen are not waited for."""
        if self._loop is not None and self._ended is not None:
            with contextlib.suppress(RuntimeError):  # it has ended already
                self._loop.call_soon_threadsafe(self._ended.set)
            self._thread.join(timeout=0.2)

    def _run(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(self._serve())

    async def _serve(self) -> None:
        from websockets.asyncio.server import serve

        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        self._loop.set_exception_handler(lambda loop, context: None)
        logger = logging.getLogger("rigid.play")
        logger.addHandler(logging.NullHandler())
        logger.propagate = False
        async with serve(
            self._talk,
            sock=self._socket,
            process_request=self._answer,
            max_size=LONGEST_EDIT if self.game.desk is not None else LONGEST_REQUEST,
            max_queue=64,
            open_timeout=PATIENCE,
            close_timeout=PATIENCE,
            ping_interval=SILENCE,
            ping_timeout=SILENCE,
            compression=None,
            server_header=None,
            logger=logger,
        ) as server:
            self._server: Server = server
            self._begun.set()
            await self._ended.wait()
            for outbox in self._pages.values():
                outbox.close()
            server.close(code=GOING_AWAY)

    # ------------------------------------------------------------ requests

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """The HTTP response to a request that gets no socket."""
        if len(self._server.connections) > MOST_CONNECTIONS:
            return self._refuse(connection, HTTPStatus.SERVICE_UNAVAILABLE, "too many connections")
        hosts = request.headers.get_all("Host")
        names = [f"{name}:{self.port}" for name in (*self._names, connection.local_address[0])]
        if len(hosts) != 1 or hosts[0] not in names:
            return self._refuse(connection, HTTPStatus.FORBIDDEN, "this is no name of the server")
        origins = request.headers.get_all("Origin")
        if origins not in ([], [f"http://{hosts[0]}"]):
            return self._refuse(connection, HTTPStatus.FORBIDDEN, "another page asks for this")
        token, slash, rest = _parts(request.path)
        watches = self._watch_token != "" and _same(token, self._watch_token)
        if not (watches or _same(token, self._token)):
            message = "the address has no token, or an old one; `rigid play` prints the right one"
            return self._refuse(connection, HTTPStatus.FORBIDDEN, message)
        if getattr(request, "method", "GET") != "GET":  # other versions take no other method
            return self._refuse(
                connection, HTTPStatus.METHOD_NOT_ALLOWED, "the page is got, and nothing else"
            )
        if rest == "live":
            if not origins:
                return self._refuse(connection, HTTPStatus.FORBIDDEN, "only the page asks for this")
            if len(self._pages) >= MOST_PAGES:
                return self._refuse(
                    connection, HTTPStatus.SERVICE_UNAVAILABLE, f"{MOST_PAGES} pages are open"
                )
            return None
        if rest or not slash:
            return self._refuse(connection, HTTPStatus.NOT_FOUND, "there is nothing here")
        edits = self.game.desk is not None and not watches and _is_own(connection)
        return self._page(connection, hosts[0], watches, edits)

    def _page(
        self, connection: ServerConnection, host: str, watches: bool, edits: bool
    ) -> Response:
        tools = [f"editor/{name}.js" for name in EDITOR] if edits else []
        nonce = secrets.token_urlsafe(TOKEN_BYTES) if edits else ""
        data: dict[str, object] = {"live": True, "watches": watches, "mute": self.game.mute}
        if edits:
            data |= {"edits": True, "opens": self.opens_tools, "nonce": nonce}
        text = document(
            "rigid edit" if self.opens_tools else "rigid play",
            data,
            {},
            program=(
                "live_source.js",
                "live_panels.js",
                "live_keys.js",
                *tools,
                "live.js",
                "live_link.js",
            ),
            connect=f"ws://{host}/",
            styles=("live.css", "editor/editor.css") if edits else ("live.css",),
            libraries=("editor/codemirror",) if edits else (),
            nonce=nonce,
        )
        return self._respond(connection, HTTPStatus.OK, text, "text/html; charset=utf-8")

    def _refuse(self, connection: ServerConnection, status: HTTPStatus, message: str) -> Response:
        return self._respond(connection, status, message + "\n", "text/plain; charset=utf-8")

    @staticmethod
    def _respond(
        connection: ServerConnection, status: HTTPStatus, text: str, kind: str
    ) -> Response:
        response = connection.respond(status, text)
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = kind
        for name, value in _HEADERS.items():
            response.headers[name] = value
        if status is HTTPStatus.METHOD_NOT_ALLOWED:
            response.headers["Allow"] = "GET"
        return response

    # ------------------------------------------------------------ pages

    async def _talk(self, connection: ServerConnection) -> None:
        """Exchange messages with one page until it closes."""
        from websockets.exceptions import ConnectionClosed

        who, outbox = secrets.token_hex(8), Outbox()
        refused = self._refused(connection)
        self._pages[who] = outbox
        self.game.join(who, _Post(asyncio.get_running_loop(), outbox))
        telling = asyncio.create_task(_tell(connection, outbox))
        try:
            async for text in connection:
                if len(text) > LONGEST_REQUEST and refused("desk"):
                    await connection.close(TOO_LONG)
                    break
                if isinstance(text, str):
                    self._ask(who, outbox, text, refused)
        except ConnectionClosed:
            pass
        finally:
            del self._pages[who]
            self.game.leave(who)
            outbox.close()
            telling.cancel()

    def _refused(self, connection: ServerConnection) -> Callable[[str], str]:
        """Why a page may not ask for something; empty where it may."""
        assert connection.request is not None
        watches = not _same(_parts(connection.request.path)[0], self._token)
        is_own = _is_own(connection)

        def refused(does: str) -> str:
            if watches and does not in TO_WATCH:
                return ONLY_WATCHES
            return "" if is_own or does not in TO_FILES else NO_FILES

        return refused

    def _ask(self, who: str, outbox: Outbox, text: str, refused: Callable[[str], str]) -> None:
        try:
            request = read_request(text)
            if why := refused(request.does):
                raise UsageError(why)
            self.game.ask(who, request)
        except UsageError as error:
            outbox.put_note(json.dumps({"type": "note", "text": str(error)}))


class _Post:
    """Passes a game's messages to the server's thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop, outbox: Outbox) -> None:
        self._loop, self._outbox = loop, outbox

    def tell_stage(self, text: str) -> None:
        self._hand(lambda: self._outbox.put_stage(text))

    def tell_status(self, text: str) -> None:
        self._hand(lambda: self._outbox.put_status(text))

    def tell_note(self, text: str) -> None:
        self._hand(lambda: self._outbox.put_note(text))

    def tell_desk(self, text: str) -> None:
        self._hand(lambda: self._outbox.put_desk(text))

    def tell_moment(self, moment: bytes) -> None:
        self._hand(lambda: self._outbox.put_moment(moment))

    def _hand(self, put: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(put)


async def _tell(connection: ServerConnection, outbox: Outbox) -> None:
    from websockets.exceptions import ConnectionClosed

    with contextlib.suppress(ConnectionClosed):
        async for message in outbox.messages():
            try:
                await asyncio.wait_for(connection.send(message), STUCK)
            except asyncio.TimeoutError:
                connection.transport.abort()  # it reads nothing, so that no farewell would arrive
                return


def _is_own(connection: ServerConnection) -> bool:
    """Whether a page is on this machine."""
    there = connection.remote_address[0]
    return there == connection.local_address[0] or is_here(there)


def _parts(path: str) -> tuple[str, str, str]:
    """The token of an address, a slash, and the rest."""
    return path.partition("?")[0].removeprefix("/").partition("/")


def _same(token: str, other: str) -> bool:
    return compare_digest(token.encode(errors="replace"), other.encode())


def need_server() -> None:
    """Raise UsageError if the server's dependencies are not installed."""
    try:
        import websockets.asyncio.server  # noqa: F401
    except ImportError:
        raise UsageError("playing needs websockets: pip install 'rigid2d[play]'") from None
