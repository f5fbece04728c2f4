# SPDX-License-Identifier: MIT
"""Output options are checked before anything is simulated."""

from __future__ import annotations

import os

import pytest
from rigid2d.cli.outputs import Output, plan
from rigid2d.core.errors import UsageError


def outputs(scenes, single_picture=False, **wanted):
    return plan(scenes, wanted, single_picture=single_picture).outputs


def test_one_scene_takes_files(tmp_path):
    gif, csv = str(tmp_path / "a.gif"), str(tmp_path / "b.csv")
    assert outputs(["s.yaml"], gif=gif, csv=csv) == [[Output("gif", gif), Output("csv", csv)]]


def test_a_folder_gets_files_named_after_the_scenes(tmp_path):
    made = outputs(["x/one.yaml", "y/two.yml"], gif=f"{tmp_path}/new/")
    assert [each[0].path for each in made] == [
        str(tmp_path / "new" / name) for name in ("one.gif", "two.gif")
    ]


def test_a_folder_of_pictures_is_a_sequence(tmp_path):
    assert outputs(["s.yaml"], png=str(tmp_path)) == [[Output("frames", str(tmp_path))]]


def test_a_folder_with_at_gets_one_picture(tmp_path):
    made = outputs(["s.yaml"], single_picture=True, png=str(tmp_path))
    assert made == [[Output("png", str(tmp_path / "s.png"))]]


def test_the_plan_names_folders_to_make(tmp_path):
    made = plan(["s.yaml"], {"gif": f"{tmp_path}/new/"}, single_picture=False)
    assert made.folders == [f"{tmp_path}/new/"]
    assert not (tmp_path / "new").exists()


def test_a_wrong_suffix_names_the_right_option(tmp_path):
    with pytest.raises(UsageError, match=r"should end in \.gif; did you mean --mp4\?"):
        outputs(["s.yaml"], gif=str(tmp_path / "a.mp4"))


def test_a_missing_suffix_is_not_guessed(tmp_path):
    with pytest.raises(UsageError, match=r"should end in \.gif: .*/a\.gif, or .*/a/ for a folder"):
        outputs(["s.yaml"], gif=str(tmp_path / "a"))


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(UsageError, match=r"the folder .*/no does not exist"):
        outputs(["s.yaml"], gif=str(tmp_path / "no" / "a.gif"))


def test_one_file_for_two_scenes_is_an_error(tmp_path):
    with pytest.raises(UsageError, match="one file for 2 scenes; name a folder"):
        outputs(["s.yaml", "t.yaml"], gif=str(tmp_path / "a.gif"))


def test_two_scenes_of_one_name_do_not_overwrite_each_other(tmp_path):
    with pytest.raises(UsageError, match=r"written twice.*two scenes are called s"):
        outputs(["a/s.yaml", "b/s.yaml"], gif=str(tmp_path))


def test_standard_output_takes_one_output():
    with pytest.raises(UsageError, match="standard output would be written twice"):
        outputs(["s.yaml"], csv="-", snapshot="-")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_an_error(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(UsageError, match="not writable"):
        outputs(["s.yaml"], gif=str(tmp_path / "a.gif"))


def test_a_folder_in_a_file_s_place_is_an_error(tmp_path):
    (tmp_path / "s.gif").mkdir()
    with pytest.raises(UsageError, match="is a folder"):
        outputs(["s.yaml"], gif=f"{tmp_path}/")
