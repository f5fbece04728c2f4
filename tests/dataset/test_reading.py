# SPDX-License-Identifier: MIT
"""Data sets read back: all formats alike, and by other people's tools."""

from __future__ import annotations

import io
import json
import multiprocessing
import pickle
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rigid2d.core.dataset as dataset
from PIL import Image
from rigid2d.core import UsageError
from rigid2d.core.errors import UnknownNameError

from tests.search import tries

FORMATS = ["folder", "webdataset", "parquet"]
SMALL: dict[str, Any] = {"runs": 5, "size": (32, 24), "fps": 5, "shard_size": 2}


def made(scene: Path, out: Path, form: str, **more: Any) -> dataset.Dataset:
    if form == "parquet":
        pytest.importorskip("pyarrow")
    return dataset.make(scene, out, format=form, **{**SMALL, **more})


# ---------------------------------------------------------------- with rigid


@pytest.mark.parametrize("form", ["webdataset", "parquet"])
def test_all_formats_give_the_same_runs(form: str, scene: Path, tmp_path: Path) -> None:
    one = made(scene, tmp_path / "folder", "folder")
    made(scene, tmp_path / form, form)
    other = dataset.open(tmp_path / form)
    for a, b in zip(one, other, strict=True):
        assert (a.number, a.split, a.parameters) == (b.number, b.split, b.parameters)
        assert a.events == b.events
        assert (a.bodies, a.joints) == (b.bodies, b.joints)
        np.testing.assert_array_equal(a.frames, b.frames)
        np.testing.assert_array_equal(a.masks, b.masks)
        assert list(a.arrays) == list(b.arrays)
        for name in a.arrays:
            assert a[name].dtype == b[name].dtype
            np.testing.assert_array_equal(a[name], b[name])


def test_a_run_is_a_mapping_of_its_arrays(tmp_path: Path) -> None:
    text = "{rigid: 1, world: {duration: 0.2}, bodies: {ball: {shape: {circle: 1}}}}"
    out = tmp_path / "out"
    (run,) = dataset.make("x.yaml", out, runs=1, fps=10, what=["state"], source=text)
    assert list(run) == list(run.keys()) == list(run.arrays)
    assert "pose" in run
    assert "poses" not in run
    assert dict(run)["pose"] is run["pose"]
    assert repr(run) == "Run(0, 'train': 2 frames)"
    with pytest.raises(UnknownNameError, match="no array of the data set named 0; known: step,"):
        run[0]  # type: ignore[index]


def test_bodies_and_joints_are_described(tmp_path: Path) -> None:
    text = """{rigid: 1, world: {duration: 0.2}, bodies: {
      crate: {shape: {box: [2, 1], friction: 0.3, restitution: 0.25}, mass: 4, color: red}},
      joints: {hinge: {type: revolute, bodies: [world, crate], anchor: [0, 0],
      limits: [-1, 1]}}}"""
    out = tmp_path / "out"
    found = dataset.make("x.yaml", out, runs=1, what=["state"], source=text, license="cc0-1.0")
    run = found[0]
    (crate,), (hinge,) = run.bodies, run.joints
    (shape,) = crate["shapes"]
    assert (crate["mass"], crate["color"], shape["size"]) == (4.0, "red", [2.0, 1.0])
    assert (shape["friction"], shape["restitution"]) == (0.3, 0.25)
    assert hinge["bodies"] == [0, 1]
    assert hinge["limits"] == pytest.approx([-np.pi / 180, np.pi / 180])
    assert run["mass"].tolist() == [4.0]
    assert run["friction"].tolist() == [0.3]
    assert 'license: "cc0-1.0"' in (out / "README.md").read_text()


@pytest.mark.parametrize("form", FORMATS)
def test_a_video_has_the_frames(form: str, scene: Path, tmp_path: Path) -> None:
    still = made(scene, tmp_path / "still", "folder", runs=1, size=(64, 48))
    moving = made(scene, tmp_path / "moving", form, runs=1, size=(64, 48), video=True)
    assert moving[0].frames.shape == still[0].frames.shape
    apart = np.abs(moving[0].frames.astype(int) - still[0].frames)
    assert apart.mean() < 6.0
    np.testing.assert_array_equal(moving[0].masks, still[0].masks)


def test_runs_are_found_by_number_and_by_split(scene: Path, tmp_path: Path) -> None:
    found = made(scene, tmp_path / "out", "webdataset", splits=(0.6, 0.4))
    assert found.numbered(3).number == 3
    assert [run.split for run in found.split("val")] == ["val"] * 2
    assert len(found.split("val")) == 2
    with pytest.raises(UnknownNameError, match="no run 9"):
        found.numbered(9)
    with pytest.raises(UnknownNameError, match="did you mean 'val'"):
        found.split("vall")
    with pytest.raises(UnknownNameError, match="did you mean 'pose'"):
        found[0]["poses"]


def with_failures(found: dataset.Dataset, failed: set[int]) -> dataset.Dataset:
    """The data set, opened again as if some of its runs had failed."""
    lines = [
        json.dumps({**each, "status": "stopped"} if each["run"] in failed else each)
        for each in found.runs
    ]
    (found.path / "runs.jsonl").write_text("\n".join(lines))
    return dataset.open(found.path)


def test_a_data_set_is_a_sequence_also_where_runs_failed(scene: Path, tmp_path: Path) -> None:
    found = with_failures(made(scene, tmp_path / "out", "folder"), {0, 3})
    numbers = [1, 2, 4]
    assert (len(found), found.failures) == (3, 2)
    assert [found[i].number for i in range(len(found))] == numbers
    assert [run.number for run in found] == numbers
    assert (found[-1].number, found[np.int64(1)].number) == (4, 2)
    assert [run.number for run in reversed(found)] == numbers[::-1]
    for part in (slice(1, None), slice(None, None, 2), slice(5, 9), slice(None, None, -1)):
        assert [run.number for run in found[part]] == numbers[part]
    assert found[1:][0].number == 2
    assert sorted(run.number for run in found.shuffled(3)) == numbers
    for place in (3, -4):
        with pytest.raises(IndexError, match="it has 3 runs"):
            found[place]
    with pytest.raises(UsageError, match="whole numbers and slices"):
        found["train"]  # type: ignore[call-overload]
    with pytest.raises(KeyError, match="no run 3"):
        found.numbered(3)


def poses(found: dataset.Dataset, places: list[int]) -> list[tuple[int, float]]:
    return [(found[place].number, float(found[place]["pose"].sum())) for place in places]


@pytest.mark.parametrize(
    ("form", "method"),
    [("webdataset", "spawn"), *((form, "fork") for form in FORMATS)][: tries(2, 4)],
)
def test_processes_read_the_same_runs(form: str, method: str, scene: Path, tmp_path: Path) -> None:
    found = made(scene, tmp_path / "out", form)
    places = [4, 0, 3, 1, 2]
    expected = poses(found, places)  # and everything that is kept between reads is there
    with multiprocessing.get_context(method).Pool(2) as pool:
        parts = pool.starmap(poses, [(found, places)] * 4, chunksize=1)
    assert parts == [expected] * 4


@pytest.mark.parametrize("form", FORMATS)
def test_a_data_set_and_its_runs_pickle(form: str, scene: Path, tmp_path: Path) -> None:
    found = made(scene, tmp_path / "out", form)
    run = found[3]
    again, copied = pickle.loads(pickle.dumps((found[1:], run)))
    assert poses(again, [2]) == poses(found, [3])
    np.testing.assert_array_equal(copied.frames, run.frames)


def test_threads_read_the_same_runs(scene: Path, tmp_path: Path) -> None:
    found = made(scene, tmp_path / "out", "webdataset")
    places = [4, 0, 3, 1, 2] * 4
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda _: poses(found, places), range(4)))
    assert parts == [poses(found, places)] * 4


def test_workers_share_the_runs(scene: Path, tmp_path: Path) -> None:
    loader = pytest.importorskip("torch.utils.data").DataLoader
    found = made(scene, tmp_path / "out", "webdataset")
    for order in (found, found.shuffled(1)):
        got = loader(order, 2, shuffle=True, num_workers=2, collate_fn=lambda runs: runs)
        assert sorted(run.number for runs in got for run in runs) == [0, 1, 2, 3, 4]


def test_shards_have_names_and_addresses(scene: Path, tmp_path: Path) -> None:
    found = made(scene, tmp_path / "out", "webdataset", splits=(0.6, 0.4))
    assert found.shards("val") == [str(tmp_path / "out" / "val-000000.tar")]
    assert found.shards(base="https://host/set/") == [
        f"https://host/set/{name}.tar" for name in ("train-000000", "train-000001", "val-000000")
    ]


def test_what_was_not_asked_for_is_not_there(scene: Path, tmp_path: Path) -> None:
    run = made(scene, tmp_path / "out", "folder", what=["state"])[0]
    with pytest.raises(UsageError, match="no frames"):
        _ = run.frames
    with pytest.raises(UsageError, match="no masks"):
        _ = run.masks


def test_a_folder_without_a_data_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no data set"):
        dataset.open(tmp_path)
    (tmp_path / "dataset.json").write_text('{"complete": false}')
    with pytest.raises(UsageError, match="is not done"):
        dataset.open(tmp_path)
    (tmp_path / "dataset.json").write_text("[1]")
    with pytest.raises(UsageError, match="holds no data set"):
        dataset.open(tmp_path)


@pytest.mark.parametrize("form", FORMATS)
def test_a_damaged_shard_is_told_of(form: str, scene: Path, tmp_path: Path) -> None:
    found = made(scene, tmp_path / "out", form)
    for shard in (tmp_path / "out").glob("train-000000*"):
        if shard.is_dir():
            (shard / "000000" / "arrays.npz").write_bytes(b"nothing")
        else:
            shard.write_bytes(b"nothing of the kind")
    with pytest.raises(UsageError, match="cannot be read"):
        _ = found[0]
    assert found[3].number == 3


# ---------------------------------------------------------------- without rigid


def test_a_folder_is_read_by_pillow_numpy_and_json(scene: Path, tmp_path: Path) -> None:
    found = made(scene, tmp_path / "out", "folder")
    folder = tmp_path / "out" / "train-000001" / "000003"
    told = json.loads((folder / "run.json").read_text())
    assert told["parameters"] == found[3].parameters
    assert [body["number"] for body in told["bodies"]] == [1, 2, 3]
    with np.load(folder / "arrays.npz", allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["pose"], found[3]["pose"])
    picture, mask = Image.open(folder / "frame.00002.png"), Image.open(folder / "mask.00002.png")
    assert (picture.mode, picture.size) == ("RGB", (32, 24))
    assert mask.mode.startswith("I")
    np.testing.assert_array_equal(np.asarray(picture), found[3].frames[2])
    np.testing.assert_array_equal(np.asarray(mask), found[3].masks[2])


@pytest.mark.parametrize("form", ["folder", "parquet"])
def test_values_of_vars_are_stored_also_of_drawn_ones(
    scene: Path, tmp_path: Path, form: str
) -> None:
    found = made(scene, tmp_path / "out", form)
    for run in found:
        assert [*run.vars] == ["height", "push"]
        assert run.vars["height"] == run.parameters["vars.height"]
        assert run["velocity"][0, 1, 0] == pytest.approx(run.vars["push"], rel=1e-6)
    drawn = [run.vars["push"] for run in found]
    assert len({*drawn}) == len(drawn)
    told = [json.loads(line) for line in (tmp_path / "out/runs.jsonl").read_text().splitlines()]
    assert [each["vars"]["push"] for each in told] == drawn
    if form == "parquet":
        shards = [str(each) for each in sorted((tmp_path / "out").glob("*.parquet"))]
        table = pytest.importorskip("pyarrow.dataset").dataset(shards)
        files = table.to_table(columns=["run", "vars.push"]).to_pydict()
        assert dict(zip(files["run"], files["vars.push"], strict=True)) == dict(enumerate(drawn))


def test_a_tar_archive_is_as_webdataset_wants_it(scene: Path, tmp_path: Path) -> None:
    found = made(scene, tmp_path / "out", "webdataset")
    with tarfile.open(tmp_path / "out" / "train-000000.tar") as archive:
        names = archive.getnames()
        keys = list(dict.fromkeys(name.partition(".")[0] for name in names))
        assert keys == ["000000", "000001"]
        assert names == sorted(names, key=lambda name: keys.index(name.partition(".")[0]))
        member = archive.extractfile("000001.frame.00002.png")
        assert member is not None
        picture = np.asarray(Image.open(io.BytesIO(member.read())))
    np.testing.assert_array_equal(picture, found[1].frames[2])


def test_webdataset_reads_the_shards(scene: Path, tmp_path: Path) -> None:
    webdataset = pytest.importorskip("webdataset")
    found = made(scene, tmp_path / "out", "webdataset")
    shards = sorted(map(str, (tmp_path / "out").glob("*.tar")))
    samples = list(webdataset.WebDataset(shards, shardshuffle=False).decode("rgb8"))
    assert [sample["__key__"] for sample in samples] == [f"{run:06d}" for run in range(5)]
    for sample, run in zip(samples, found, strict=True):
        assert sample["run.json"]["parameters"] == run.parameters
        np.testing.assert_array_equal(sample["frame.00001.png"], run.frames[1])
        np.testing.assert_array_equal(sample["arrays.npz"]["pose"], run["pose"])


def test_pyarrow_reads_the_tables(scene: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    found = made(scene, tmp_path / "out", "parquet")
    table = parquet.read_table(tmp_path / "out" / "train-000001.parquet")
    assert table["run"].to_pylist() == [2, 3]
    assert table["vars.height"].to_pylist() == [
        found[run].parameters["vars.height"] for run in (2, 3)
    ]
    assert table["pose"].to_pylist()[1] == found[3]["pose"].tolist()
    picture = Image.open(io.BytesIO(table["frame"].to_pylist()[1][4]))
    np.testing.assert_array_equal(np.asarray(picture), found[3].frames[4])


# ---------------------------------------------------------------- COCO


def annotated(scene: Path, out: Path) -> tuple[dataset.Dataset, dict[str, Any]]:
    found = made(scene, out, "folder", coco=True)
    told = json.loads((out / "annotations" / "instances_train.json").read_text())
    return found, told


def test_annotations_have_the_form_that_coco_asks_for(scene: Path, tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    found, told = annotated(scene, tmp_path / "out")
    number = {"type": "integer", "minimum": 1}
    schema = {
        "type": "object",
        "required": ["info", "licenses", "images", "annotations", "categories"],
        "properties": {
            "images": {
                "items": {
                    "required": ["id", "width", "height", "file_name"],
                    "properties": {"id": number, "width": number, "height": number},
                }
            },
            "annotations": {
                "items": {
                    "required": [
                        *("id", "image_id", "category_id", "bbox", "area", "iscrowd"),
                        "segmentation",
                    ],
                    "properties": {
                        "id": number,
                        "image_id": number,
                        "category_id": number,
                        "bbox": {"type": "array", "minItems": 4, "maxItems": 4},
                        "iscrowd": {"enum": [0, 1]},
                        "segmentation": {"required": ["size", "counts"]},
                    },
                }
            },
            "categories": {"items": {"required": ["id", "name", "supercategory"]}},
        },
    }
    jsonschema.validate(told, schema)
    assert [each["name"] for each in told["categories"]] == ["body", "crate", "floor"]
    assert len({each["id"] for each in told["annotations"]}) == len(told["annotations"])
    assert len(told["images"]) == sum(map(len, found))
    for image in told["images"]:
        assert Image.open(tmp_path / "out" / image["file_name"]).size == (32, 24)


def decoded(text: str, size: list[int]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The pixels of packed run lengths (``rleFrString`` of COCO's ``maskApi.c``)."""
    counts: list[int] = []
    place = 0
    while place < len(text):
        value, shift, more = 0, 0, True
        while more:
            bits = ord(text[place]) - 48
            value |= (bits & 31) << shift
            more = bool(bits & 32)
            place, shift = place + 1, shift + 5
            if not more and bits & 16:
                value |= -1 << shift
        counts.append(value + (counts[-2] if len(counts) > 2 else 0))
    flat = np.repeat(np.arange(len(counts)) % 2 == 1, counts)
    return flat.reshape(size[1], size[0]).T


def test_annotations_are_the_pixels_of_the_masks(scene: Path, tmp_path: Path) -> None:
    found, told = annotated(scene, tmp_path / "out")
    images = {image["id"]: image for image in told["images"]}
    names = {each["id"]: each["name"] for each in told["categories"]}
    runs = {run.number: run for run in found}
    seen = set()
    for each in told["annotations"]:
        image = images[each["image_id"]]
        run = runs[image["run"]]
        shown = decoded(each["segmentation"]["counts"], each["segmentation"]["size"])
        (number,) = np.unique(run.masks[image["frame"]][shown])
        np.testing.assert_array_equal(shown, run.masks[image["frame"]] == number)
        body = run.bodies[number - 1]
        assert names[each["category_id"]] == (body["tags"] or ["body"])[0]
        left, top, right, bottom = run["mask_box"][image["frame"], number - 1].tolist()
        assert each["bbox"] == [left, top, right - left, bottom - top]
        seen.add((image["run"], image["frame"], number))
    expected = {
        (run.number, frame, number)
        for run in found
        for frame, mask in enumerate(run.masks)
        for number in set(np.unique(mask).tolist()) - {0}
    }
    assert seen == expected


def test_pycocotools_reads_the_annotations(
    scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    coco = pytest.importorskip("pycocotools.coco")
    found, _ = annotated(scene, tmp_path / "out")
    index = coco.COCO(tmp_path / "out" / "annotations" / "instances_train.json")
    capsys.readouterr()
    for number in index.getAnnIds():
        (each,) = index.loadAnns(number)
        (image,) = index.loadImgs(each["image_id"])
        shown = index.annToMask(each).astype(bool)
        mask = found[image["run"]].masks[image["frame"]]
        assert shown.sum() == each["area"]
        assert len(np.unique(mask[shown])) == 1
