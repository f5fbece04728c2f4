# SPDX-License-Identifier: MIT
"""The server, by real sockets: who gets in, what is sent, how it ends."""

from __future__ import annotations

import json
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rigid2d.core import UsageError, build, load
from rigid2d.core.play.game import Game
from rigid2d.core.play.listening import PORTS, listening_socket, own_address
from rigid2d.core.play.server import PlayServer
from rigid2d.core.play.session import Session
from rigid2d.core.play.wire import HEAD

from tests.play.conftest import SCENE
from tests.play.test_damaged_files import DAMAGES

client = pytest.importorskip("websockets.sync.client", reason="needs rigid2d[play]")
exceptions = pytest.importorskip("websockets.exceptions")

TOKEN = "a-token"


class Rig:
    """A game that is ticked by hand, with its server."""

    def __init__(self, path: Path, watched: bool = False) -> None:
        self.session = Session(path)
        self.now = 0.0
        self.game = Game(self.session, path.with_name("record.yaml"), clock=lambda: self.now)
        self.server = PlayServer(self.game, 0, TOKEN, watched=watched)
        self.server.start()
        self.origin = f"http://127.0.0.1:{self.server.port}"

    def tick(self, seconds: float = 1 / 60) -> None:
        self.now += seconds
        self.game.tick()

    def open(self, token: str = TOKEN, **options: Any) -> Any:
        given = {"origin": self.origin, "max_size": None, "open_timeout": 120, **options}
        address = f"ws://127.0.0.1:{self.server.port}/{token}/live"
        return client.connect(address, close_timeout=0.2, **given)

    def until(self, page: Any, kind: str) -> dict[str, Any]:
        """The next message of a kind; the game goes on meanwhile."""
        while True:
            self.tick()
            try:
                message = page.recv(timeout=0.02)
            except TimeoutError:
                continue
            if isinstance(message, bytes):
                if kind == "moment":
                    return {"head": HEAD.unpack(message[: HEAD.size]), "bytes": message}
                continue
            found: dict[str, Any] = json.loads(message)
            if found["type"] == kind:
                return found

    def status(self, page: Any, **wanted: Any) -> dict[str, Any]:
        """The next status that says so."""
        while True:
            found = self.until(page, "status")
            if all(found[name] == value for name, value in wanted.items()):
                return found

    def get(self, request: str) -> str:
        """What the server says to a request, as it stands."""
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=120) as raw:
            raw.sendall(request.encode())
            answer = b""
            while piece := raw.recv(65536):
                answer += piece
        return answer.decode()

    def page(self, path: str, *headers: str) -> str:
        lines = [f"GET {path} HTTP/1.1", *headers]
        if not any(each.startswith("Host") for each in headers):
            lines.append(f"Host: 127.0.0.1:{self.server.port}")
        return self.get("\r\n".join(lines) + "\r\n\r\n")


@pytest.fixture
def rig(path: Path) -> Iterator[Rig]:
    made = Rig(path)
    yield made
    made.server.stop()


def ask(page: Any, does: str, **values: Any) -> None:
    page.send(json.dumps({"do": does, **values}))


def test_time_runs_from_the_first_page_on(rig: Rig) -> None:
    rig.session.play()
    for _ in range(20):
        rig.tick()
    assert (rig.session.mode, rig.session.step) == ("playing", 0)
    with rig.open() as page:
        assert rig.status(page, mode="playing")["time"] < 0.5
        rig.until(page, "moment")
    while rig.session.step == 0:
        rig.tick()


# ---------------------------------------------------------------- who gets in


def test_the_page_is_there_with_its_token(rig: Rig) -> None:
    answer = rig.page(f"/{TOKEN}/")
    assert answer.startswith("HTTP/1.1 200")
    assert "Content-Type: text/html" in answer
    assert f"connect-src ws://127.0.0.1:{rig.server.port}/" in answer


@pytest.mark.parametrize(
    ("target", "headers", "code"),
    [
        ("/", [], 403),
        ("/another/", [], 403),
        (f"/{TOKEN}", [], 404),
        (f"/{TOKEN}/scene.yaml", [], 404),
        (f"/{TOKEN}/../scene.yaml", [], 404),
        (f"/{TOKEN}/..%2f..%2fetc/passwd", [], 404),
        (f"/../{TOKEN}/", [], 403),
        ("//", [], 403),
        (f"/{TOKEN}/", ["Host: evil.example"], 403),
        (f"/{TOKEN}/", ["Host: 127.0.0.1:1"], 403),
        (f"/{TOKEN}/", ["Host: a", "Host: b"], 403),
        (f"/{TOKEN}/", ["Origin: http://evil.example"], 403),
        (f"/{TOKEN}/", ["Origin: null"], 403),
    ],
)
def test_a_request_gets_what_it_may(rig: Rig, target: str, headers: list[str], code: int) -> None:
    answer = rig.page(target, *headers)
    assert answer.startswith(f"HTTP/1.1 {code}")
    assert "rigid: 1" not in answer


def test_pages_that_only_watch_have_an_address_of_their_own(path: Path) -> None:
    rig = Rig(path, watched=True)
    try:
        token = rig.server.watch_address.rsplit("/", 2)[1]
        assert token != TOKEN
        assert '"watches":true' in rig.page(f"/{token}/")
        assert '"watches":false' in rig.page(f"/{TOKEN}/")
        with rig.open(token=token) as page:
            for does in ("play", "restart", "save"):
                ask(page, does)
                assert "only watches" in rig.until(page, "note")["text"]
            ask(page, "want", contacts=1, loads=0)
        with rig.open() as other:  # which is told at once how it is
            assert rig.status(other)["mode"] == "paused"
    finally:
        rig.server.stop()


@pytest.mark.parametrize(
    ("there", "here", "does", "why"),
    [
        ("127.0.0.1", "127.0.0.1", "write", ""),
        ("10.0.0.4", "10.0.0.4", "save", ""),
        ("10.0.0.9", "10.0.0.4", "press", ""),
        ("10.0.0.9", "10.0.0.4", "save", "writes files"),
        ("10.0.0.9", "10.0.0.4", "write", "writes files"),
    ],
)
def test_pages_on_other_machines_play_and_write_no_files(
    rig: Rig, there: str, here: str, does: str, why: str
) -> None:
    request = SimpleNamespace(path=f"/{TOKEN}/live")
    page = SimpleNamespace(request=request, remote_address=(there, 1), local_address=(here, 2))
    assert why in rig.server._refused(page)(does)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("host", "words"),
    [("no.such.name.invalid", "no name that has one"), ("192.0.2.1", "no address of this machine")],
)
def test_a_host_that_this_machine_is_not_is_refused(host: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        listening_socket(0, host)


def test_all_addresses_are_listened_on_where_that_is_wished(path: Path) -> None:
    game = Game(Session(path))
    server = PlayServer(game, 0, TOKEN, host="0.0.0.0")
    assert server.host == own_address()
    assert server.address.startswith(f"http://{own_address()}:{server.port}/")
    assert server.is_exposed == (not own_address().startswith("127."))
    server.stop()


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
@pytest.mark.parametrize("target", [f"/{TOKEN}/", f"/{TOKEN}/live"])
def test_another_method_than_get_is_not_allowed(rig: Rig, method: str, target: str) -> None:
    host = f"Host: 127.0.0.1:{rig.server.port}"
    answer = rig.get(f"{method} {target} HTTP/1.1\r\n{host}\r\n\r\n")
    head, _, body = answer.partition("\r\n\r\n")
    if answer:  # versions of websockets that know no other method hang up
        assert head.startswith("HTTP/1.1 405")
        assert "\r\nAllow: GET" in head
        assert len(body) < 100
    assert rig.page(f"/{TOKEN}/").startswith("HTTP/1.1 200")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch, path: Path) -> Iterator[Rig]:
    for name in ("PATIENCE", "SILENCE", "STUCK"):
        monkeypatch.setattr(f"rigid2d.core.play.server.{name}", 0.3)
    made = Rig(path)
    yield made
    made.server.stop()


def connected(rig: Rig, text: str) -> socket.socket:
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.settimeout(30)
    raw.connect(("127.0.0.1", rig.server.port))
    raw.sendall(text.encode())
    return raw


def is_over(raw: socket.socket, rig: Rig) -> bool:
    """Whether the server lets go of a connection that says and reads nothing."""
    for _ in range(600):
        rig.tick()
        time.sleep(0.02)
        try:
            raw.sendall(b"")
            state = raw.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
        except OSError:
            return True
        if state != 1:  # no more ESTABLISHED
            return True
    return False


def request_for(rig: Rig, target: str, *headers: str) -> str:
    host = f"127.0.0.1:{rig.server.port}"
    return "\r\n".join([f"GET {target} HTTP/1.1", f"Host: {host}", *headers, "", ""])


@pytest.mark.skipif(not hasattr(socket, "TCP_INFO"), reason="asks Linux for the state")
@pytest.mark.parametrize("said", ["nothing", "half a line", "half a request", "slowly"])
def test_who_does_not_say_what_is_wanted_is_let_go_of(impatient: Rig, said: str) -> None:
    texts = {"nothing": "", "half a line": "GET /", "slowly": "GET /"}
    with connected(impatient, texts.get(said, f"GET /{TOKEN}/ HTTP/1.1\r\nHost: a")) as raw:
        if said == "slowly":
            with pytest.raises(OSError):  # noqa: PT012, PT011 - at some letter or other
                for _ in range(300):
                    raw.sendall(b"a")
                    time.sleep(0.05)
                raise AssertionError("every letter was waited for")
        else:
            assert is_over(raw, impatient)


@pytest.mark.skipif(not hasattr(socket, "TCP_INFO"), reason="asks Linux for the state")
@pytest.mark.parametrize("what", ["the page", "the socket"])
def test_who_reads_nothing_is_let_go_of(impatient: Rig, what: str) -> None:
    text = request_for(impatient, f"/{TOKEN}/")
    if what == "the socket":
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", key)
        origin = f"Origin: {impatient.origin}"
        text = request_for(impatient, f"/{TOKEN}/live", *upgrade, origin)
    with connected(impatient, text) as raw, impatient.open() as page:
        if what == "the socket":
            assert is_over(raw, impatient)
        # What the server has handed over for the page is the system's to deliver.
        for _ in range(600):
            if len(impatient.server._server.connections) == 1:
                break
            impatient.tick()
            time.sleep(0.02)
        assert len(impatient.server._server.connections) == 1
        impatient.status(page, watchers=1)


def test_no_damage_of_the_file_closes_a_page(rig: Rig, path: Path) -> None:
    whole = path.read_bytes()
    with rig.open() as page:
        ask(page, "var", name="g", value=3.0)
        rig.status(page)
        for damage in DAMAGES.values():
            path.write_bytes(damage)
            rig.tick(0.2)
            ask(page, "write", name="g")
            assert "scene.yaml" in rig.until(page, "note")["text"]
            path.write_bytes(whole)
            rig.tick(0.2)
        ask(page, "write", name="g")
        assert "is written into the file" in rig.until(page, "note")["text"]


@pytest.mark.parametrize(
    "request_", ["POST / HTTP/1.1\r\n\r\n", "\x00\x01\x02\r\n\r\n", "GET\r\n\r\n"]
)
def test_what_is_no_request_is_refused(rig: Rig, request_: str) -> None:
    assert "200 OK" not in rig.get(request_)
    assert rig.page(f"/{TOKEN}/").startswith("HTTP/1.1 200")


def test_a_socket_of_another_page_is_refused(rig: Rig) -> None:
    for origin in ("http://evil.example", None, f"http://localhost:{rig.server.port}"):
        with pytest.raises(exceptions.InvalidStatus), rig.open(origin=origin):
            pass


def test_a_message_that_is_too_long_ends_its_page_alone(rig: Rig) -> None:
    with rig.open() as good, rig.open() as bad:
        bad.send("x" * 100_000)
        with pytest.raises(exceptions.ConnectionClosed) as closed:
            list(iter(lambda: bad.recv(timeout=120), None))
        assert closed.value.rcvd.code == 1009
        assert rig.until(good, "status")["mode"] == "paused"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "1",
        '{"do": "fly"}',
        '{"do": ["play"]}',
        '{"do": "seek"}',
        '{"do": "seek", "time": "x"}',
        '{"do": "seek", "time": NaN}',
        '{"do": "grab", "x": 1e999, "y": 0, "reach": 0}',
        '{"do": "press", "key": 5}',
        '{"do": "var", "name": "nothing", "value": 1}',
        '{"do": "write", "name": "../../x"}',
        "[" * 3000,
    ],
)
def test_a_request_that_is_none_is_told_so_and_changes_nothing(rig: Rig, text: str) -> None:
    with rig.open() as page:
        page.send(text)
        assert rig.until(page, "note")["text"]
        assert (rig.session.step, rig.session.was_played) == (0, False)


def test_bytes_of_a_page_are_not_listened_to(rig: Rig) -> None:
    with rig.open() as page:
        page.send(b"\x00" * 100)
        ask(page, "play")
        assert rig.status(page, mode="playing")


def test_a_thousand_connections_do_not_keep_it_from_serving(rig: Rig) -> None:
    with ExitStack() as many:
        at = ("127.0.0.1", rig.server.port)
        for _ in range(1000):
            many.enter_context(socket.create_connection(at, timeout=120))
        assert rig.page(f"/{TOKEN}/")[:12] in ("HTTP/1.1 200", "HTTP/1.1 503")
    with rig.open() as page:
        assert rig.until(page, "status")


def test_more_pages_than_there_may_be_are_refused(rig: Rig) -> None:
    with ExitStack() as many:
        for _ in range(32):
            many.enter_context(rig.open())
        with pytest.raises(exceptions.InvalidStatus) as refused, rig.open():
            pass
        assert refused.value.response.status_code == 503


# ---------------------------------------------------------------- what is sent


def test_a_page_gets_the_stage_and_then_moments_of_it(rig: Rig) -> None:
    with rig.open() as page:
        stage = rig.until(page, "stage")
        assert [each["name"] for each in stage["data"]["bodies"]] == ["floor", "low", "top", "ship"]
        ask(page, "play")
        for _ in range(3):
            moment = rig.until(page, "moment")
        time, *_ = moment["head"]
        number, step, bodies, joints, actuators, *_ = moment["head"][6:]
        assert (number, bodies, joints, actuators) == (stage["number"], 4, 0, 1)
        assert time == pytest.approx(step / 60)
        x, y, angle = struct.unpack_from("<3d", moment["bytes"], HEAD.size + 3 * 3 * 8)
        assert (x, angle) == (4.0, 0.0)
        assert y == pytest.approx(0.5, abs=0.01)


def test_two_pages_see_the_same_world(rig: Rig) -> None:
    with rig.open() as one, rig.open() as two:
        ask(one, "play")
        for _ in range(20):
            rig.tick()
        ask(two, "pause")
        seen = [rig.status(page, mode="paused", watchers=2)["time"] for page in (one, two)]
        assert seen[0] == seen[1] > 0


def test_a_page_that_closes_ends_only_its_view_and_lets_its_keys_go(rig: Rig) -> None:
    with rig.open() as stays:
        with rig.open() as goes:
            ask(goes, "play")
            ask(goes, "press", key="up")
            rig.status(stays, held=["up"])
        assert rig.status(stays, held=[], watchers=1)["mode"] == "playing"


def test_keys_hands_time_and_sliders_come_from_pages(rig: Rig) -> None:
    with rig.open() as page:
        ask(page, "play")
        ask(page, "press", key="up")
        ask(page, "grab", x=0, y=1.5, reach=0)
        ask(page, "drag", x=0, y=4)
        for _ in range(40):
            rig.tick()
        ask(page, "release", key="up")
        ask(page, "drop")
        ask(page, "pause")
        rig.status(page, mode="paused", played=True)
        ask(page, "seek", time=0.25)
        assert rig.status(page, time=0.25)["end"] > 0.5
        ask(page, "var", name="g", value=5)
        slider = {"name": "g", "value": 5.0, "low": 0.0, "high": 20.0, "moved": True}
        assert rig.status(page, vars=[slider])["time"] == 0.25


def test_what_was_played_is_saved_and_replays_to_the_same_bits(rig: Rig, path: Path) -> None:
    with rig.open() as page:
        ask(page, "play")
        ask(page, "press", key="up")
        for _ in range(30):
            rig.tick()
        ask(page, "save")
        assert "record.yaml" in rig.until(page, "note")["text"]
    text = path.with_name("record.yaml").read_text(encoding="utf-8")
    steps = int(text.split()[1])
    world = build(load(path, inputs=path.with_name("record.yaml")))
    world.step(steps)
    assert f"{world.state_hash():016x}" in text


def test_mistakes_are_told_with_their_line(rig: Rig, path: Path) -> None:
    with rig.open() as page:
        path.write_text(SCENE.replace("shape: {circle", "shpe: {circle"), encoding="utf-8")
        while (found := rig.until(page, "status"))["trouble"] is None:
            rig.tick(0.1)
        (problem,) = found["trouble"]["problems"]
        assert (problem["line"], problem["column"]) == (10, 10)
        assert problem["text"].strip().startswith("ship: {shpe")
        assert "did you mean `shape`?" in problem["message"]


def test_lines_of_files_elsewhere_are_not_told(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("password: [\n", encoding="utf-8")
    folder = tmp_path / "scenes"
    folder.mkdir()
    scene = folder / "scene.yaml"
    scene.write_text("rigid: 1\ninclude: [../secret.yaml]\nbodies: {a: {shape: {circle: 1}}}\n")
    rig = Rig(scene)
    try:
        with rig.open() as page:
            told = json.dumps(rig.until(page, "status"))
            assert "trouble" in told
            assert "password" not in told
    finally:
        rig.server.stop()


# ---------------------------------------------------------------- where, and how it ends


def test_a_port_that_is_taken_gives_the_next_free_one() -> None:
    with listening_socket(0) as first:
        port = first.getsockname()[1]
        with listening_socket(port) as second:
            assert port < second.getsockname()[1] < port + PORTS


def test_it_listens_on_this_machine_alone() -> None:
    with listening_socket(0) as found:
        assert found.getsockname()[0] == "127.0.0.1"


def test_ctrl_c_ends_the_command_without_a_traceback_and_keeps_what_was_played(path: Path) -> None:
    record = path.with_name("mine.yaml")
    command = [sys.executable, "-m", "rigid2d.cli", "play", str(path), "--no-open", "--json"]
    command += ["--port", "0", "--save-inputs", str(record)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        assert it.stderr is not None
        text = ""
        while not text.rstrip().endswith("}"):
            text += it.stdout.readline()
        address = json.loads(text)["address"]
        origin = address.split("/", 3)
        live = client.connect(
            address.replace("http", "ws", 1) + "live", origin="/".join(origin[:3]), max_size=None
        )
        with live as page:
            ask(page, "press", key="up")
            while True:
                message = page.recv(timeout=120)
                if isinstance(message, str) and json.loads(message).get("played"):
                    break
            it.send_signal(signal.SIGINT)
            assert it.wait(timeout=120) == 130
        assert "Traceback" not in it.stderr.read()
    assert "{key: up" in record.read_text(encoding="utf-8")
