# SPDX-License-Identifier: MIT
"""Generators over the rows of CSV files."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import expand, limits, load, loads, model
from rigid2d.core.scene.variants import read_study

from tests.rows import every_row

ROUND = "shape: {circle: 0.1}"
AT = f"{ROUND}, position: [=x, =y]"


def scene(folder: Path, rows: str | bytes, body: str = AT, *, more: str = "") -> model.Scene:
    """A scene whose bodies are the rows of a table; ``body`` may begin with its `repeat`."""
    data = rows if isinstance(rows, bytes) else rows.encode()
    (folder / "t.csv").write_bytes(data)
    repeat = "" if body.startswith("repeat") else "repeat: {i: t.csv}, "
    file = folder / "s.yaml"
    file.write_text(f"rigid: 1\nbodies:\n  box: {{{repeat}{body}}}\n{more}", encoding="utf-8")
    return load(file)


def problems(folder: Path, rows: str | bytes, body: str = AT, *, more: str = "") -> list[str]:
    with pytest.raises(SceneError) as caught:
        scene(folder, rows, body, more=more)
    return [str(each).replace(f"{folder}/", "") for each in caught.value.problems]


@every_row(
    "rows",
    [
        "x,y\n1,2\n3,4.5\n",
        "\ufeffx,y\r\n1,2\r\n3,4.5\r\n",
        "x,y\r1,2\r3,4.5",
        "\n x , y \n\n 1, 2\n+3 ,45e-1 \n\n",
        'x,y\n"1","2"\n"3",4.5\n',
        'note,y,x\n"a, ""b""\nc",2,1\n,4.5,3\n',
    ],
    ids=["plain", "mark", "old", "spaces", "quoted", "lines"],
)
def test_each_row_makes_a_body(rows: str, tmp_path: Path) -> None:
    made = scene(tmp_path, rows).bodies
    assert {name: body.position for name, body in made.items()} == {
        "box[0]": (1.0, 2.0),
        "box[1]": (3.0, 4.5),
    }


def test_a_long_table_gives_the_bodies_of_a_short_one(tmp_path: Path) -> None:
    rows = [f"{i},{i / 3},{('red', 'gold')[i % 2]},{i + 1},{('a', 'b')[i % 2]}" for i in range(12)]
    body = "shape: {box: [=s, 2]}, position: [=x, =y], color: =tint, angle: =x, material: =stuff"
    more = "materials: {a: {density: 2}, b: {friction: 0.1}}\n"
    head = "x,y,tint,s,stuff"
    whole = scene(tmp_path, "\n".join([head, *rows]), body, more=more).bodies
    few = [
        scene(tmp_path, f"{head}\n{row}", body, more=more).bodies["box[0]"] for row in rows
    ]  # of so few that nothing is worked out in columns
    assert [[b.position, b.angle, b.color, b.shapes] for b in whole.values()] == [
        [b.position, b.angle, b.color, b.shapes] for b in few
    ]


def test_a_table_is_combined_with_other_indices(tmp_path: Path) -> None:
    body = f"repeat: {{j: [5, 7], i: t.csv, k: =n}}, when: =on, {ROUND}, position: [=x + k, =j]"
    made = scene(tmp_path, "x,n,on\n10,2,true\n20,9,false\n30,1,true\n", body).bodies
    assert [(name, body.position) for name, body in made.items()] == [
        ("box[5,0,0]", (10.0, 5.0)),
        ("box[5,0,1]", (11.0, 5.0)),
        ("box[5,2,0]", (30.0, 5.0)),
        ("box[7,0,0]", (10.0, 7.0)),
        ("box[7,0,1]", (11.0, 7.0)),
        ("box[7,2,0]", (30.0, 7.0)),
    ]


def test_joints_actuators_and_instances_take_their_turns_from_tables(tmp_path: Path) -> None:
    (tmp_path / "links.csv").write_text("a,b,at\nworld,box[0],0.5\nbox[0],box[1],2\n")
    (tmp_path / "lamps.csv").write_text("place,tint,on\n7,gold,true\n9,red,false\n")
    more = """
joints: {pin: {repeat: {i: links.csv}, type: revolute, bodies: [=a, =b], anchor: [=at, 0]}}
actuators: {lift: {repeat: {i: links.csv}, type: force, body: =b, force: [0, =at]}}
prototypes: {lamp: {bodies: {bulb: {repeat: {i: t.csv}, shape: {circle: 0.1}, position: [=x, =y]}}}}
instances: {lamp: {use: lamp, repeat: {i: lamps.csv}, when: =on, at: [=place, 4], color: =tint}}
"""
    made = scene(tmp_path, "x,y\n0,1\n1,2\n", more=more)
    assert [(each.body_a, each.body_b) for each in made.joints.values()] == [
        ("world", "box[0]"),
        ("box[0]", "box[1]"),
    ]
    assert [each.bodies for each in made.actuators.values()] == [("box[0]",), ("box[1]",)]
    assert made.bodies["lamp[0].bulb[1]"].position == (8.0, 6.0)
    assert made.bodies["lamp[0].bulb[1]"].shapes[0].material.color == "gold"
    assert "lamp[1].bulb[0]" not in made.bodies
    assert sorted(Path(file).name for file in made.files) == ["lamps.csv", "links.csv", "t.csv"]


def test_what_is_expanded_needs_no_table(tmp_path: Path) -> None:
    made = scene(tmp_path, "x,y,tint\n1,2,red\n", f"{AT}, color: =tint")
    again = loads(expand(made))
    assert again.hash == made.hash
    assert not again.files


def test_a_table_is_beside_the_file_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "t.csv").write_text("x,y\n7,8\n")
    (tmp_path / "parts" / "part.yaml").write_text(f"bodies: {{p: {{repeat: {{i: t.csv}}, {AT}}}}}")
    made = scene(tmp_path, "x,y\n1,2\n", more="include: [parts/part.yaml]\n")
    assert made.bodies["p[0]"].position == (7.0, 8.0)
    assert made.bodies["box[0]"].position == (1.0, 2.0)


def test_variants_of_a_scene_keep_its_table_where_there_is_no_file(tmp_path: Path) -> None:
    more = "vars: {turn: 0}\nstudy: {vary: {vars.turn: [0, 90]}}\n"
    scene(tmp_path, "x,y\n1,2\n", f"{AT}, angle: =turn", more=more)
    plan = read_study(tmp_path / "s.yaml")[0]
    before = plan.digest
    (tmp_path / "t.csv").unlink()
    copied = pickle.loads(pickle.dumps(plan))
    assert copied.scene({"vars.turn": 90.0}).bodies["box[0]"].position == (1.0, 2.0)
    (tmp_path / "t.csv").write_text("x,y\n1,3\n")
    assert read_study(tmp_path / "s.yaml")[0].digest != before


WRONG: dict[str, tuple[str | bytes, str, str]] = {
    "empty": ("\n\n", AT, "t.csv:1:1: bodies.box.repeat.i: the table is empty"),
    "short row": ("x,y\n1,2\n3\n", AT, "t.csv:3:1: bodies.box.repeat.i: this row has 1 cell, but"),
    "long row": ("x,y\n1,2,3\n", AT, "t.csv:2:5: bodies.box.repeat.i: this row has 3 cells, but"),
    "twice": ("x,y,x\n", AT, "t.csv:1:5: bodies.box.repeat.i: there are two columns `x`"),
    "no name": ("x,,y\n", AT, "t.csv:1:3: bodies.box.repeat.i: this column has no name"),
    "no header": ("1,x\n", AT, "t.csv:1:1: bodies.box.repeat.i: `1` is no name; the first row"),
    "spaces": ("x,Part No\n", AT, "use letters, digits and _, such as `Part_No`"),
    "function": ("x,sin\n", AT, "t.csv:1:3: bodies.box.repeat.i: `sin` is a word of expressions"),
    "var": ("x,n\n", AT, "t.csv:1:3: bodies.box.repeat.i: the column `n` has the name of a var"),
    "index": (
        "x,i\n",
        AT,
        "t.csv:1:3: bodies.box.repeat.i: the column `i` has the name of an index",
    ),
    "semicolons": ("x;y\n1;2\n", AT, "the columns of a table are separated by commas"),
    "no number": (
        "x,y\n1,2\n3,two\n",
        AT,
        "t.csv:3:3: bodies.box.position[1]: `two` is not a number, but `=y` needs one in each row",
    ),
    "after a cell of lines": (
        'note,x,y\n"a\nb",1,2\nc,3, "4,5"\n',
        AT,
        "t.csv:4:6: bodies.box.position[1]: `4,5` is not a number",
    ),
    "decimal comma": ('x,y\n1,"1,5"\n', AT, "a decimal point is a point: `1.5`"),
    "empty cell": ("x,y\n1,\n", AT, "t.csv:2:3: bodies.box.position[1]: this cell is empty"),
    "endless": ("x,y\n1,inf\n", AT, "t.csv:2:3: bodies.box.position[1]: `inf` is not a number"),
    "no column": (
        "x\n1\n",
        AT,
        "no var or index `y`, and no such column in `t.csv`; known: n, i, x",
    ),
    "colour": (
        "x,tint\n1,red\n2,tomatoe\n",
        f"{ROUND}, color: =tint",
        "t.csv:3:3: bodies.box.color: `tomatoe` is not a colour; did you mean `tomato`?",
    ),
    "number": ("x\n1\n", f"{ROUND}, color: =x", "`x` is 1, but this must be a colour"),
    "material": ("m\nlead\n", f"{ROUND}, material: =m", "there is no material `lead`"),
    "sum of words": ("m\nred\n", f"{ROUND}, color: =m + m", "must be a colour, not `=m + m`"),
    "index of words": ("m\nred\n", f"{ROUND}, material: 'a[=m]'", "`red` is not a number"),
    "open quote": ('x,y\n1,"2\n', AT, 'a cell that begins with `"` has no `"` at its end'),
    "odd quote": ('x,y\n"1"2,3\n', AT, "t.csv:2:1: bodies.box.repeat.i: the quotes of this cell"),
    "latin": (b"x,y\n1,\xe4\n", AT, "t.csv:2:3: bodies.box.repeat.i: the table is not UTF-8 text"),
    "utf-16": ("\ufeffx\n1".encode("utf-16-le"), AT, "this is UTF-16; save the table as CSV"),
    "outside": ("", f"repeat: {{i: ../t.csv}}, {AT}", "`../t.csv` leads out of the scene's folder"),
    "absolute": (
        "",
        f"repeat: {{i: /t.csv}}, {AT}",
        "must be a path relative to the scene's folder",
    ),
    "nowhere": (
        "",
        f"repeat: {{i: no.csv}}, {AT}",
        "s.yaml:3:21: bodies.box.repeat.i: there is no",
    ),
    "other file": (
        "",
        f"repeat: {{i: t.tsv}}, {ROUND}",
        "a table is a file whose name ends in .csv",
    ),
}


@every_row("wrong", WRONG)
def test_a_mistake_in_a_table_is_named_with_its_place(wrong: str, tmp_path: Path) -> None:
    rows, body, message = WRONG[wrong]
    (found,) = problems(tmp_path, rows, body, more="vars: {n: 1}\n")
    assert message in found


def test_a_column_with_a_word_is_reported_once(tmp_path: Path) -> None:
    rows = "x,y\n" + "1,2\n" * 50 + "a,b\n" + "c,d\n" * 50
    assert len(problems(tmp_path, rows)) == 2


@every_row(
    ("limit", "most"),
    [("TABLE_BYTES", 10), ("ALL_TABLE_BYTES", 10), ("TABLE_ROWS", 2), ("TABLE_COLUMNS", 1)],
    ids=["bytes", "all", "rows", "columns"],
)
def test_a_table_has_limits(
    limit: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, limit, most)
    (found,) = problems(tmp_path, "x,y\n1,2\n3,4\n5,6\n")
    assert "limit" in found


def test_columns_do_not_count_as_values_of_the_generator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "NODES", 100)
    body = "shape: {box: [=w, =h]}, position: [=x, =y]"
    assert len(scene(tmp_path, "x,y,w,h\n" + "1,2,3,4\n" * 40, body).bodies) == 40
