# SPDX-License-Identifier: MIT
"""Sockets of ``rigid play``: whatever bytes come, who has the address goes on playing.

A case is a connection a line, as a JSON text of the bytes that are sent (latin-1), in which
``{token}``, ``{host}`` and ``{port}`` stand for those of the server.
"""

from __future__ import annotations

import importlib.util
import json
import random
import re
import select
import socket
import struct
import time
from pathlib import Path

from rigid2d.core.play.game import Game
from rigid2d.core.play.listening import HOST
from rigid2d.core.play.server import PlayServer
from rigid2d.core.play.session import Session

from .files import changed
from .playing import SCENE, a_request

FILE = "sockets.yaml"
RECORD = "sockets-record.yaml"
PATIENCE = 20.0  # seconds that an answer may take on a busy machine
PIECE = 1 << 16
TEXT, CLOSE, PING = 1, 8, 9
UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    "Sec-WebSocket-Version": "13",
}
RIGHTFUL = {"Host": "{host}:{port}", "Origin": "http://{host}:{port}"}
STRANGE = {
    "Host": ["evil.example", "{host}", "localhost:{port}", "{host}:{port}, x", "", "\x00"],
    "Origin": ["null", "http://evil.example", "https://{host}:{port}", "", "file://"],
    "Connection": ["keep-alive", "Upgrade, Upgrade", ""],
    "Sec-WebSocket-Key": ["", "x", "A" * 5000],
    "Sec-WebSocket-Version": ["8", "", "13, 8", "9" * 400],
    "Content-Length": ["5", "-1", "9" * 30],
    "Transfer-Encoding": ["chunked"],
    "Sec-WebSocket-Extensions": ["permessage-deflate", ";;;"],
    "X": ["a" * 9000, "\u00e9", "a\r\n b"],
}
PATHS = [
    *("/{token}/", "/{token}", "/{token}/live", "/{token}/live?a=b", "/", "/live", "//live"),
    *("/{token}/../live", "/x{token}/live", "/{token}/%6cive", "*", "http://{host}/{token}/live"),
    *("/\x00", "/" + "a" * 9000, "", "/{token}\u00e9/live"),
]


def conversation(choose: random.Random) -> bytes:
    """What several connections send."""
    lines = [_connection(choose) for _ in range(choose.choice([1, 2, 4]))]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def _connection(choose: random.Random) -> str:
    sent = _head(choose) + b"".join(_frame(choose) for _ in range(choose.choice([0, 1, 3, 9])))
    if choose.random() < 0.3:
        new = choose.choice([[0], [255], [13, 10], [*b"9" * 30], [choose.randrange(256)]])
        place, length = choose.random(), choose.choice([0, 1, 8, 100])
        sent = changed(sent, choose.choice(["put", "cut", "end", "twice"]), place, length, new)
    return sent.decode("latin-1")


def _head(choose: random.Random) -> bytes:
    """A request; most would open a socket."""
    path, headers = "/{token}/live", {**RIGHTFUL, **UPGRADE}
    if choose.random() < 0.3:
        path = choose.choice(PATHS)
    if choose.random() < 0.3:
        name = choose.choice([*STRANGE])
        headers[name] = choose.choice(STRANGE[name])
    if choose.random() < 0.2:
        headers.pop(choose.choice([*headers]))
    method = choose.choice(["GET"] * 9 + ["POST", "get", "", "GET GET", "\x16\x03\x01"])
    version = choose.choice(["HTTP/1.1"] * 9 + ["HTTP/1.0", "HTTP/2", "", "HTTP/9.9"])
    lines = [f"{method} {path} {version}", *(f"{name}: {what}" for name, what in headers.items())]
    if choose.random() < 0.1:
        lines.insert(1, choose.choice(["Host: evil.example", ":", "a" * 300, " folded", "X: y"]))
    if choose.random() < 0.05:
        lines += ["X: y"] * 300
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")


def _frame(choose: random.Random) -> bytes:
    """A piece of what is said in a socket, as the protocol has it, or nearly."""
    kinds = [TEXT] * 12 + [0, 2, CLOSE, PING, 10, 3, 15]
    said = a_request(choose).encode("utf-8", "surrogatepass")
    if choose.random() < 0.2:
        said = choose.choice([b"", b"\xff\xfe", b"{}", b"[" * 4096, b"x" * 70_000, said * 2])
    first = choose.choice(kinds) | (0x80 if choose.random() < 0.9 else 0)
    first |= choose.choice([0] * 15 + [0x40])
    claimed = len(said)
    if choose.random() < 0.05:
        claimed = choose.choice([0, 126, 1 << 20, (1 << 63) - 1, 1 << 63])
    if claimed < 126:
        length, more = claimed, b""
    elif claimed < 1 << 16:
        length, more = 126, struct.pack("!H", claimed)
    else:
        length, more = 127, struct.pack("!Q", claimed)
    if choose.random() < 0.05:
        return bytes([first, length]) + more + said  # without a mask, which none may be
    mask = bytes(choose.randrange(256) for _ in range(4))
    hidden = bytes(byte ^ mask[i % 4] for i, byte in enumerate(said))
    return bytes([first, length | 0x80]) + more + mask + hidden


def check_conversation(case: bytes) -> None:
    """Who has not the address gets nothing, and afterwards a page is served as ever."""
    if importlib.util.find_spec("websockets") is None:
        return
    Path(FILE).write_text(SCENE)
    before = {*Path().iterdir()}
    now = [0.0]

    def clock() -> float:
        now[0] += 1e-4
        return now[0]

    game = Game(Session(FILE, clock=clock), Path(RECORD), clock=clock)
    server = PlayServer(game, port=0)
    server.start()
    try:
        sent = [_filled(server, json.loads(line)) for line in case.splitlines()]
        for said, answer in zip(sent, _answers(server, sent), strict=True):
            _check_answer(server, said, answer)
        _check_goes_on(server)
    finally:
        server.stop()
    assert not server._thread.is_alive(), "the server does not end"
    assert {*Path().iterdir()} - before <= {Path(RECORD)}, "another file"


def _filled(server: PlayServer, text: str) -> bytes:
    token = server.address.rstrip("/").rpartition("/")[2]
    for name, value in (("token", token), ("host", HOST), ("port", str(server.port))):
        text = text.replace(f"{{{name}}}", value)
    return text.encode("latin-1")


def _answers(server: PlayServer, sent: list[bytes]) -> list[bytes]:
    """What each connection hears until it is closed; all are open at once."""
    open_ones = [socket.create_connection((HOST, server.port)) for _ in sent]
    heard = dict.fromkeys(open_ones, b"")
    left = dict(zip(open_ones, sent, strict=True))
    until, waiting = time.monotonic() + PATIENCE, {*open_ones}
    for each in open_ones:
        each.setblocking(False)
    while waiting:
        assert time.monotonic() < until, "a connection is neither answered nor closed"
        reading, writing, _ = select.select(waiting, waiting & left.keys(), [], 0.001)
        server.game.tick()
        for each in writing:
            try:
                left[each] = left[each][each.send(left[each][:PIECE]) :]
                if not left[each]:
                    del left[each]
                    each.shutdown(socket.SHUT_WR)  # there is no more to come
            except OSError:
                left.pop(each, None)
        for each in reading:
            try:
                data = each.recv(PIECE)
            except OSError:
                data = b""
            heard[each] += data
            if not data:
                waiting.remove(each)
                each.close()
    return [*heard.values()]


def _check_answer(server: PlayServer, said: bytes, answer: bytes) -> None:
    # Who talks before the answer to the handshake gets a pong of the protocol before it.
    found = re.search(rb"HTTP/1\.1 (\d+) ", answer)
    status = found.group(1) if found else b""
    assert status != b"500", f"a fault of the server: {answer[:500]!r}"
    if status in (b"200", b"101"):
        path = said.split(b"\r\n")[0].split(b" ")[1]
        hosts = [f"{name}:{server.port}".encode() for name in (HOST, "localhost")]
        assert any(host in said for host in hosts), "another name of the server was good"
        assert server.address.rpartition(str(server.port))[2].encode()[:-1] in path, "no token"


def _check_goes_on(server: PlayServer) -> None:
    """A page that does as it should is told the stage."""
    lines = [f"{name}: {value}" for name, value in {**RIGHTFUL, **UPGRADE}.items()]
    good = "\r\n".join(["GET /{token}/live HTTP/1.1", *lines, "", ""])
    page = socket.create_connection((HOST, server.port))
    with page:
        page.setblocking(False)
        page.sendall(_filled(server, good))
        until, heard = time.monotonic() + PATIENCE, b""
        while b'"stage"' not in heard:
            assert time.monotonic() < until, f"no stage for a good page: {heard[:500]!r}"
            server.game.tick()
            if select.select([page], [], [], 0.001)[0]:
                data = page.recv(PIECE)
                assert data, f"a good page is sent away: {heard[:500]!r}"
                heard += data
