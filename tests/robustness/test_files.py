# SPDX-License-Identifier: MIT
"""Where files come to lie, whole, and what is never touched."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rigid2d.core.errors import UsageError
from rigid2d.core.record import CsvWriter, atomic_file
from rigid2d.core.render import open_encoder

FILES = ["gif", "mp4", "webp", "png", "csv", "npz", "snapshot"]
"""What ``rigid run`` writes, by its options."""


def write_table(path: Path) -> None:
    with CsvWriter(path, ["ball.x"]) as table:
        table.add(np.zeros(3), np.ones((3, 1)))


def write_bytes(path: Path) -> None:
    with atomic_file(path) as file:
        file.write(b"all of it")


def picture_writer(kind: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        encoder = open_encoder(path, kind, 25.0, (48, 32))
        try:
            for shade in (0, 80, 160):
                encoder.add(np.full((32, 48, 3), shade, np.uint8))
            encoder.close()
        except BaseException:
            encoder.abort()
            raise

    return write


WRITERS = {
    "table": write_table,
    "bytes": write_bytes,
    **{kind: picture_writer(kind) for kind in ("gif", "mp4", "webp", "png")},
}


@pytest.fixture(params=WRITERS)
def write(request: pytest.FixtureRequest) -> Callable[[Path], None]:
    return WRITERS[request.param]


@pytest.fixture
def umask() -> Iterator[Callable[[int], int]]:
    before = os.umask(0o022)
    os.umask(before)
    yield os.umask
    os.umask(before)


# ---------------------------------------------------------------- names and rights


def test_nothing_is_written_through_a_link_with_a_name_that_can_be_guessed(tmp_path, write):
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    for name in (".out.partial", ".out.part", ".out.tmp"):
        (tmp_path / name).symlink_to(victim)
    write(tmp_path / "out")
    assert victim.read_bytes() == b"mine"
    assert (tmp_path / "out").stat().st_size > 0


def test_two_writers_of_one_file_do_not_meet(tmp_path):
    one = open_encoder(tmp_path / "a.gif", "gif", 25.0, (48, 32))
    two = open_encoder(tmp_path / "a.gif", "gif", 25.0, (64, 32))
    for shade in (0, 80, 160):
        one.add(np.full((32, 48, 3), shade, np.uint8))
        two.add(np.full((32, 64, 3), shade, np.uint8))
    two.close()
    one.close()
    with Image.open(tmp_path / "a.gif") as image:
        assert (image.size, image.n_frames) == ((48, 32), 3)
    assert [path.name for path in tmp_path.iterdir()] == ["a.gif"]


def test_runs_at_the_same_time_leave_one_of_their_files_whole(tmp_path, ball, begin, command):
    looks = ["64x48", "80x60", "96x64"]
    whole = set()
    for look in looks:
        command("run", ball, "--gif", tmp_path / "alone.gif", "--size", look)
        whole.add((tmp_path / "alone.gif").read_bytes())
    target = tmp_path / "shared" / "a.gif"
    target.parent.mkdir()
    running = [begin("run", ball, "--gif", target, "--size", look) for look in [*looks, looks[0]]]
    assert {process.wait(timeout=120) for process in running} == {0}
    assert target.read_bytes() in whole
    assert list(target.parent.iterdir()) == [target]


def test_a_new_file_has_the_rights_of_any_other(tmp_path, umask, write):
    umask(0o027)
    write(tmp_path / "out")
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o640


def test_a_file_that_is_replaced_keeps_its_rights(tmp_path, write):
    (tmp_path / "out").write_bytes(b"")
    (tmp_path / "out").chmod(0o600)
    write(tmp_path / "out")
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o600


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path, write, exists):
    (tmp_path / "there").mkdir()
    target = tmp_path / "there" / "file"
    if exists:
        target.write_bytes(b"old")
    (tmp_path / "link").symlink_to(Path("there") / "file")
    write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert not target.is_symlink()
    assert target.stat().st_size > 3
    assert [path.name for path in target.parent.iterdir()] == ["file"]


def test_another_name_of_a_file_that_is_replaced_keeps_the_older_one(tmp_path, write):
    (tmp_path / "out").write_bytes(b"old")
    os.link(tmp_path / "out", tmp_path / "other")
    write(tmp_path / "out")
    assert (tmp_path / "other").read_bytes() == b"old"
    assert (tmp_path / "out").stat().st_size > 3


def test_a_long_name_is_no_longer_while_it_is_written(tmp_path, write):
    path = tmp_path / ("n" * 255)
    write(path)
    assert path.stat().st_size > 0


# ---------------------------------------------------------------- devices


def test_a_pipe_gets_the_whole_file_and_stays_a_pipe(tmp_path, write):
    write(tmp_path / "plain")
    os.mkfifo(tmp_path / "pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write(tmp_path / "pipe")
    reader.join()
    assert got == [(tmp_path / "plain").read_bytes()]
    assert (tmp_path / "pipe").is_fifo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pipe", "plain"]


def test_a_device_stays_a_device(tmp_path, write):
    null = tmp_path / "null"
    try:
        os.mknod(null, 0o666 | stat.S_IFCHR, Path(os.devnull).stat().st_rdev)
        null.write_bytes(b"x")
    except OSError:
        pytest.skip("devices cannot be made here")
    write(null)
    assert null.is_char_device()
    assert list(tmp_path.iterdir()) == [null]


def test_a_socket_is_refused_and_stays(tmp_path, write):
    with socket.socket(socket.AF_UNIX) as there:
        there.bind(str(tmp_path / "socket"))
        with pytest.raises(UsageError, match="socket: is a socket"):
            write(tmp_path / "socket")
        assert (tmp_path / "socket").is_socket()


def test_a_folder_is_refused_and_stays(tmp_path, write):
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match="folder: is a folder"):
        write(tmp_path / "folder")
    assert list(tmp_path.iterdir()) == [tmp_path / "folder"]


def test_links_in_a_circle_are_refused(tmp_path, write):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(UsageError, match="a: cannot be written"):
        write(tmp_path / "a")


@pytest.mark.parametrize("kind", FILES)
def test_the_command_writes_to_a_pipe_of_any_name(tmp_path, ball, command, kind):
    command("run", ball, f"--{kind}", tmp_path / f"plain.{kind}")
    os.mkfifo(tmp_path / "pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    done = command("run", ball, f"--{kind}", tmp_path / "pipe")
    reader.join()
    assert (done.returncode, done.stderr) == (0, b"")
    assert got == [(tmp_path / f"plain.{kind}").read_bytes()]


def test_the_command_s_own_output_is_not_replaced(tmp_path, ball, command):
    command("run", ball, "--csv", tmp_path / "plain.csv", "-q")
    with (tmp_path / "out").open("wb") as out:
        out.write(b"before\n")
        out.flush()
        command("run", ball, "--csv", "/dev/stdout", "-q", stdout=out, capture_output=False)
    assert (tmp_path / "out").read_bytes() == b"before\n" + (tmp_path / "plain.csv").read_bytes()


# ---------------------------------------------------------------- what is read is kept


def name_itself(path: Path) -> Path:
    return path


def name_relatively(path: Path) -> Path:
    return Path(os.path.relpath(path))


def name_by_a_link(path: Path) -> Path:
    link = path.with_name("link" + path.suffix)
    link.symlink_to(path.name)
    return link


def name_by_a_hard_link(path: Path) -> Path:
    link = path.with_name("hard" + path.suffix)
    os.link(path, link)
    return link


NAMES = [name_itself, name_relatively, name_by_a_link, name_by_a_hard_link]


@pytest.fixture
def scene_of_parts(tmp_path: Path, ball: Path) -> Path:
    """A scene with an included file, pictures, a prototype from a file and a recorded player."""
    (tmp_path / "part.yaml").write_text("vars: {n: 1}\n")
    (tmp_path / "cart.yaml").write_text("bodies: {a: {shape: {circle: 1}, texture: wood.png}}\n")
    (tmp_path / "keys.yaml").write_text("[]\n")
    for name in ("sky", "hills", "wood"):
        Image.new("RGB", (8, 8), "red").save(tmp_path / f"{name}.png")
    ball.write_text(
        ball.read_text().replace("size: [64, 48]", "size: [64, 48], background: {image: sky.png}")
        + "include: [part.yaml]\n"
        + "prototypes: {cart: {file: cart.yaml}}\n"
        + "layers: [{image: hills.png}]\n"
    )
    return ball


@pytest.mark.parametrize(
    ("arguments", "read", "name"),
    [
        *((["expand", "SCENE", "-o"], "ball.yaml", name) for name in NAMES),
        (["expand", "SCENE", "-o"], "part.yaml", name_by_a_hard_link),
        (["test", "SCENE", "--junit"], "ball.yaml", name_by_a_link),
        (["test", "SCENE", "--junit"], "sky.png", name_relatively),
        (["snapshot", "record", "SCENE", "-o"], "part.yaml", name_by_a_link),
        (["run", "SCENE", "--png"], "sky.png", name_by_a_hard_link),
        (["run", "SCENE", "--png"], "hills.png", name_itself),
        (["run", "SCENE", "--png"], "wood.png", name_by_a_link),
        (["test", "SCENE", "--junit"], "cart.yaml", name_itself),
        (["expand", "SCENE", "--inputs", "KEYS", "-o"], "keys.yaml", name_by_a_hard_link),
    ],
)
def test_an_output_that_is_read_too_is_refused(
    tmp_path, scene_of_parts, command, arguments, read, name
):
    before = (tmp_path / read).read_bytes()
    files = {"SCENE": str(scene_of_parts), "KEYS": str(tmp_path / "keys.yaml")}
    given = [files.get(each, each) for each in arguments]
    done = command(*given, name(tmp_path / read))
    assert done.returncode == 2
    assert b"is read too" in done.stderr
    assert (tmp_path / read).read_bytes() == before


def test_a_scene_by_the_name_of_a_table_is_not_written_over(tmp_path, ball, command):
    scene = ball.rename(tmp_path / "ball.csv")
    before = scene.read_bytes()
    assert command("run", scene, "--csv", scene).returncode == 2
    assert scene.read_bytes() == before


def test_the_state_that_a_run_starts_from_stays(tmp_path, ball, command):
    state = tmp_path / "ball.state"
    command("run", ball, "--steps", "5", "--save-state", state)
    before = state.read_bytes()
    link = tmp_path / "ball.csv"
    os.link(state, link)
    done = command("run", ball, "--from-state", state, "--csv", link)
    assert (done.returncode, link.read_bytes()) == (2, before)
    assert b"is read too" in done.stderr
    done = command("run", ball, "--steps", "9", "--from-state", state, "--save-state", state)
    assert (done.returncode, state.read_bytes()) == (2, before)
    later = tmp_path / "later.state"
    done = command("run", ball, "--steps", "9", "--from-state", state, "--save-state", later)
    assert (done.returncode, later.exists()) == (0, True)


def test_a_stored_snapshot_is_not_drawn_over(tmp_path, ball, command):
    command("snapshot", "record", ball)
    stored = (tmp_path / "ball.snapshot").rename(tmp_path / "ball.png")
    before = stored.read_bytes()
    done = command("snapshot", "diff", stored, stored, "--scene", ball, "--picture", stored)
    assert (done.returncode, stored.read_bytes()) == (2, before)


# ---------------------------------------------------------------- folders of frames


def test_a_user_s_picture_beside_the_frames_stays(tmp_path, ball, command):
    (tmp_path / "out").mkdir()
    notes = tmp_path / "out" / "frame-1-notes.png"
    notes.write_bytes(b"mine")
    assert command("run", ball, "--png", f"{tmp_path}/out/").returncode == 0
    assert command("run", ball, "--png", f"{tmp_path}/out/", "--fps", "2").returncode == 0
    assert notes.read_bytes() == b"mine"
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "frame-00000.png",
        "frame-1-notes.png",
    }


@pytest.mark.parametrize("number", [0, 70_000])
def test_a_user_s_picture_by_the_name_of_a_frame_is_an_error(tmp_path, ball, command, number):
    (tmp_path / "out").mkdir()
    mine = tmp_path / "out" / f"frame-{number:05d}.png"
    Image.new("RGB", (4, 4)).save(mine)
    before = mine.read_bytes()
    done = command("run", ball, "--png", f"{tmp_path}/out/")
    assert done.returncode == 2
    assert b"is not a frame that rigid made" in done.stderr
    assert [path.read_bytes() for path in (tmp_path / "out").iterdir()] == [before]


def test_runs_into_one_folder_at_the_same_time_leave_the_frames_of_one(tmp_path, ball, begin):
    out = tmp_path / "out"
    looks = {"64x48": "30", "80x60": "12", "96x64": "50"}
    running = [
        begin("run", ball, "--png", f"{out}/", "--size", size, "--fps", fps)
        for size, fps in looks.items()
    ]
    assert {process.wait(timeout=120) for process in running} == {0}
    sizes = {Image.open(path).size for path in out.iterdir()}
    assert (sizes, len(list(out.iterdir()))) in [
        ({(64, 48)}, 15),
        ({(80, 60)}, 6),
        ({(96, 64)}, 25),
    ]


# ---------------------------------------------------------------- galleries


@pytest.fixture
def scenes(tmp_path: Path, ball: Path) -> Path:
    folder = tmp_path / "scenes"
    folder.mkdir()
    shutil.move(ball, folder / "sky.yaml")
    return folder


@pytest.mark.parametrize("name", ["sky.png", "sky.mp4", "sky.gif", "index.html", "gallery.json"])
def test_a_gallery_among_the_scenes_keeps_what_is_the_user_s(scenes, command, name):
    (scenes / name).write_bytes(b"{}")
    before = {path.name: path.read_bytes() for path in scenes.iterdir()}
    done = command("gallery", scenes, "--out", scenes)
    assert done.returncode == 2
    assert str(scenes / name).encode() in done.stderr
    assert {path.name: path.read_bytes() for path in scenes.iterdir()} == before


def test_a_gallery_replaces_what_it_has_made(scenes, command):
    assert command("gallery", scenes, "--out", scenes).returncode == 0
    scene = scenes / "sky.yaml"
    scene.write_text(scene.read_text().replace("[0, 2]", "[0, 1]"))
    before = (scenes / "sky.png").read_bytes()
    assert command("gallery", scenes, "--out", scenes).returncode == 0
    assert (scenes / "sky.png").read_bytes() != before


def test_what_a_killed_gallery_began_is_no_stranger_to_the_next(scenes, command):
    from rigid2d.core.jobs.gallery_record import GalleryRecord

    out = scenes.parent / "out"
    out.mkdir()
    GalleryRecord(out, unfinished={"sky.png"}).store()
    (out / "sky.png").write_bytes(b"begun")
    assert command("gallery", scenes, "--out", out).returncode == 0
    assert (out / "sky.png").read_bytes() != b"begun"


def test_a_link_in_a_picture_s_place_is_not_followed(scenes, command):
    out = scenes.parent / "out"
    assert command("gallery", scenes, "--out", out).returncode == 0
    victim = scenes.parent / "victim"
    victim.write_bytes(b"mine")
    (out / "sky.png").unlink()
    (out / "sky.png").symlink_to(victim)
    assert command("gallery", scenes, "--out", out, "--force").returncode == 2
    assert victim.read_bytes() == b"mine"


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "[]",
        "{}",
        '{"scenes": 3}',
        '{"scenes": {"sky": 5}}',
        '{"scenes": {"sky": {"digest": 1}}}',
        '{"scenes": {}, "unfinished": ["../victim"]}',
        '{"scenes": {}, "unfinished": 5}',
        "[" * 100_000,
    ],
)
def test_a_record_that_is_none_is_an_error(scenes, command, stored):
    out = scenes.parent / "out"
    out.mkdir()
    (out / "gallery.json").write_text(stored)
    done = command("gallery", scenes, "--out", out)
    assert done.returncode == 2
    assert b"gallery.json: is not the record of a gallery" in done.stderr
    assert (out / "gallery.json").read_text() == stored


def test_galleries_in_one_folder_at_the_same_time_are_both_right(scenes, begin, command):
    for name in ("a", "b", "c"):
        shutil.copy(scenes / "sky.yaml", scenes / f"{name}.yaml")
    out = scenes.parent / "out"
    running = [begin("gallery", scenes, "-o", out, "-j", "1") for _ in range(3)]
    messages = [process.communicate(timeout=120)[1] for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert sum("another gallery is at work in" in text for text in messages) >= 1
    assert sum("4 scenes, 4 unchanged" in text for text in messages) == 2
    files = sorted(path.name for path in out.iterdir())
    assert len(files) == 14
    assert command("gallery", scenes, "-o", out, "--json").returncode == 0
