# SPDX-License-Identifier: MIT
"""Random scenes whose scripts do much: each part of a script with each other, in a few seconds.

Every entry is on a line of its own, so that lines can be left out.
"""

from __future__ import annotations

import json
import random
from functools import partial
from typing import Any

Entry = dict[str, Any]
BALLS = ("'ball[0]'", "'ball[1]'", "'ball[2]'")

PROTOTYPES: dict[str, Entry] = {
    "drop": {"bodies": {"dot": {"shape": {"circle": 0.2}, "tags": ["drop"]}}},
    "chip": {
        "vars": {"size": 0.2},
        "bodies": {"core": {"shape": {"circle": "=size"}, "tags": ["chip", "drop"]}},
        "particles": {"glow": {"from": "core", "rate": 9, "life": 0.3}},
    },
    "duo": {
        "vars": {"size": 0.2},
        "bodies": {
            "one": {"shape": {"circle": "=size"}, "tags": ["duo"], "velocity": [0, 1]},
            "two": {"shape": {"box": ["=2*size", 0.1]}, "position": [0.6, 0], "tags": ["old"]},
        },
        "joints": {"pin": {"type": "revolute", "bodies": ["one", "two"], "anchor": [0.3, 0]}},
    },
    "probe": {
        "bodies": {
            "hull": {"shape": {"box": [0.5, 0.3]}, "tags": ["hot"]},
            "wheel": {"shape": {"circle": 0.2}, "position": [0.6, 0], "mass": 0.4},
        },
        "joints": {"axle": {"type": "revolute", "bodies": ["hull", "wheel"], "anchor": [0.6, 0]}},
        "actuators": {
            "jet": {"type": "thruster", "body": "hull", "force": [6, 0], "until": 0.5},
            "spin": {
                "type": "rotary_motor",
                "bodies": ["wheel"],
                "speed": -90,
                "max_torque": 2,
                "start": 0.2,
            },
            "well": {"type": "field", "body": "wheel", "field": ["=-3*x + sin(t)", 2]},
        },
    },
    "beast": {
        "bodies": {
            "trunk": {
                "shape": {"box": [1, 0.5]},
                "tags": ["beast"],
                "points": {"nose": [0.8, 0.2]},
            },
            "head": {
                "shape": {"circle": 0.2},
                "position": [1, 0.4],
                "tags": ["drop"],
                "points": {"tip": [0.2, 0]},
            },
        },
        "joints": {
            "neck": {
                "type": "revolute",
                "bodies": ["trunk", "head"],
                "anchor": [0.7, 0.3],
                "limits": [-80, 70],
                "motor": {"position": 10, "max_torque": 4},
                "break": {"force": 60},
            },
        },
        "animations": {
            "wave": {
                "type": "loop",
                "loop": "ping_pong",
                "duration": 0.6,
                "tracks": {"neck.motor.position": [[0, -20], [1, 50]]},
            },
        },
        "spawners": {
            "few": {
                "use": "drop",
                "every": 0.3,
                "at": "trunk.points.nose",
                "alive": 2,
                "lifetime": 0.4,
            }
        },
        "controls": {},
        "events": [
            {"when": "joint_broken", "joint": "neck", "do": [{"add": {"state.a": 1}}]},
            {
                "when": "time",
                "at": 0.1,
                "every": 0.21,
                "do": [
                    {"add": {"trunk.velocity.y": 1, "state.b": "=neck.angle"}},
                    {"reach": {"tip": "head.points.tip", "joints": ["neck"], "target": [1.2, 0.8]}},
                ],
            },
            {
                "when": "collision",
                "tags": ["beast", "hard"],
                "cooldown": 0.2,
                "do": [
                    {
                        "attach": {
                            "name": "tie",
                            "joint": {
                                "type": "weld",
                                "bodies": ["trunk", "head"],
                                "anchor": [0.5, 0.2],
                            },
                        }
                    },
                    {"spawn": {"use": "chip", "at": "$point", "lifetime": 0.3}},
                ],
            },
            {
                "when": "leave",
                "body": "trunk",
                "region": [[-2, -2], [2, 2]],
                "do": [{"detach": "tie"}, {"stop": "wave"}, {"add": {"state.c": "=trunk.x"}}],
            },
            {"when": "=trunk.y < 1", "do": [{"add": {"state.a": 1}}, {"log": "low"}]},
            {
                "when": "time",
                "at": 0.9,
                "do": [{"destroy": {"body": "head", "count": 3}}, {"delete": "trunk"}],
            },
        ],
    },
}
BODIES: dict[str, Entry] = {
    "ground": {
        "type": "static",
        "shape": {"box": [30, 1]},
        "position": [0, -0.5],
        "tags": ["hard"],
    },
    "gate": {"type": "static", "shape": {"box": [9, 0.3], "sensor": True}, "position": [0, 2]},
    "ball": {
        "repeat": {"i": 3},
        "shape": {"circle": 0.4},
        "position": ["=-4 + 3*i", "=1 + i"],
        "tags": ["ball"],
        "points": {"rim": [0.4, 0]},
    },
    "lift": {
        "type": "kinematic",
        "shape": {"box": [1, 0.2]},
        "position": [-7, 2],
        "angular_velocity": 20,
        "points": {"edge": [0.5, 0.1]},
    },
    "arm": {"shape": {"box": [2, 0.2]}, "position": [9, 3], "tags": ["old"]},
    "slab": {
        "shape": {"box": [1.5, 0.6], "holes": [[[-0.3, -0.2], [0.3, -0.2], [0, 0.2]]]},
        "position": [5, 3],
        "tags": ["old", "ball"],
    },
    "cart": {"shape": {"box": [1, 0.4]}, "position": [-9, 1], "velocity": [2, 0], "tags": ["hot"]},
}
JOINTS: dict[str, Entry] = {
    "hinge": {
        "type": "revolute",
        "bodies": ["world", "arm"],
        "anchor": [8, 3],
        "motor": {"position": 10, "max_torque": 50},
        "limits": [-170, 170],
    },
    "rope": {
        "type": "distance",
        "bodies": ["ball[0]", "world"],
        "anchors": [[0, 0], [-4, 6]],
        "min_length": 0.1,
        "max_length": 6,
        "break": {"force": 90},
    },
    "coil": {
        "type": "distance",
        "bodies": ["ball[1]", "world"],
        "anchors": [[0, 0], [0, 7]],
        "spring": {"frequency": 2},
    },
}
ACTUATORS: dict[str, Entry] = {
    "jet": {"type": "thruster", "body": "arm", "force": [0, 2], "enabled": False},
    "spin": {
        "type": "rotary_motor",
        "body": "ball[2]",
        "speed": 90,
        "max_torque": 3,
        "start": 0.2,
        "until": 0.9,
    },
    "heat": {"type": "field", "tags": ["hot"], "field": ["=-x", "=9 - y + 0.1*vx"], "start": 0.1},
    "turn": {
        "type": "rotary_motor",
        "tags": ["drop"],
        "speed": 50,
        "max_torque": 0.5,
        "until": 1.1,
    },
    "wind": {"type": "force", "tags": ["ball"], "force": [0.5, 0]},
}
ANIMATIONS: dict[str, Entry] = {
    "ride": {
        "type": "loop",
        "loop": "ping_pong",
        "duration": 0.9,
        "tracks": {"lift.position": [[0, [-7, 2]], [0.5, [-7, 3]], [1, [-6, 3]]]},
    },
    "once": {
        "type": "once",
        "duration": 0.4,
        "enabled": False,
        "curve": "cubic",
        "tracks": {
            "rope.max_length": [[0, 6], [0.6, 3], [1, 5]],
            "world.gravity": [[0, [0, -9]], [1, [1, -8]]],
        },
    },
    "lean": {
        "type": "manual",
        "duration": 0.4,
        "return_to": 0,
        "tracks": {"hinge.motor.position": [[0, 10], [1, 40]]},
    },
}
PROBES: dict[str, Entry] = {
    "eye": {"ray": [[-9, 0.3], ["=9 + state.a/100", 0.4]], "ignore": ["tags.hard"]},
    "zone": {"shape": {"box": [4, 3]}, "frame": "lift", "only": ["tags.ball", "tags.drop"]},
    "nose": {"velocity_of": "cart", "at": [0.5, 0]},
}
TIES: tuple[Entry, ...] = (
    {
        "type": "distance",
        "bodies": ["arm", "world"],
        "anchors": [[0.5, 0], [9, 6]],
        "max_length": 4,
    },
    {"type": "weld", "bodies": ["slab", "ground"], "anchor": [5, 1]},
    {"type": "distance", "bodies": ["cart", "ball[0]"], "spring": {"frequency": 2}},
    {"type": "revolute", "bodies": ["cart", "lift"], "anchor": [-8, 2], "break": {"force": 200}},
    {"type": "mouse", "body": "arm", "anchor": [9, 3], "target": [9, 5], "max_force": 30},
)


DRAWN = ("uniform(0, 2)", "normal(0, 1)", "choice(1, 2, 3)")


def a_script(choose: random.Random) -> bytes:
    """The text of a scene."""
    return "".join(_Scene(choose).lines()).encode()


class _Scene:
    def __init__(self, choose: random.Random) -> None:
        self.choose, self.pick = choose, choose.choice
        self.prototypes = self._some(PROTOTYPES, 3)
        self.probes = self._some(PROBES, 1)

    def _some(self, known: dict[str, Entry], least: int) -> dict[str, Entry]:
        names = self.choose.sample([*known], self.choose.randint(least, len(known)))
        found = [name for name in known if name in names]
        if {"beast", "probe", "duo"} & {*found} and known is PROTOTYPES:
            found = [name for name in known if name in {*found, "drop", "chip"}]
        return {name: known[name] for name in found}

    def lines(self) -> list[str]:
        choose = self.choose
        solver = self.pick(["soft_step"] * 6 + ["sequential_impulse"] * 2 + ["pgs_matrix"])
        world = {
            "dt": self.pick([0.01, 0.02, 0.02]),
            "seed": choose.randrange(1000),
            "duration": 20,
            "bounds": [[-16, -9], [16, 30]],
            "solver": {"type": solver},
        }
        keys = {
            "up": {"hold": "jet", "do": self._do(), "every": 0.1},
            "left": "lean.forward",
            "right": {"set": {"hinge.motor.max_torque": 9}, "on_release": {"do": self._do()}},
        }
        inputs: list[Entry] = [
            {"key": self.pick([*keys]), "from": i / 4 + 0.1, "to": i / 4 + 0.3} for i in range(3)
        ]
        inputs += [
            {"at": 0.5, "set": {"jet.force": [0, 9]}, "do": self._do()},
            {
                "drag": "ball[2]",
                "from": 0.4,
                "to": 0.9,
                "path": [[0.4, 2, 5], [0.8, 4, 6]],
                "max_force": 90,
            },
        ]
        events = [self._event() for _ in range(choose.randint(2, 9))]
        events.append(
            {
                "when": "time",
                "at": 0.3,
                "every": 0.5,
                "do": [{"attach": {"name": "tie", "joint": self.pick(TIES)}}],
            }
        )
        sensors = [] if solver == "pgs_matrix" else ["gate"]
        bodies = {name: each for name, each in BODIES.items() if name in sensors or name != "gate"}
        lines = ["rigid: 1\n", f"world: {json.dumps(world)}\n", "state: {a: 0, b: 0, c: 1}\n"]
        for key, entries in (
            ("prototypes", self.prototypes),
            ("bodies", bodies),
            ("joints", JOINTS),
            ("actuators", ACTUATORS),
            ("animations", ANIMATIONS),
            ("probes", self.probes),
            ("spawners", {f"s{i}": self._spawner() for i in range(choose.randrange(4))}),
            ("controls", keys),
            ("events", events),
            ("inputs", choose.sample(inputs, choose.randrange(5))),
        ):
            if entries:
                lines.append(f"{key}:\n")
            for each in entries:
                head = f"{each}: " if isinstance(entries, dict) else "- "
                value = entries[each] if isinstance(entries, dict) else each
                lines.append(f"  {head}{json.dumps(value)}\n")
        if choose.random() < 0.2:
            lines.append(f"outcome: {json.dumps({'win': f'={self._known()} > 30'})}\n")
        return lines

    # ------------------------------------------------------------ values

    def _known(self) -> str:
        """A number that is not at random."""
        return self._number(drawn=())

    def _number(self, *more: str, drawn: tuple[str, ...] = DRAWN) -> str:
        known = [
            "state.a",
            "state.b",
            "ball[0].x",
            "ball[1].vy",
            "arm.angle",
            "tags.ball.count",
            "tags.drop.count",
            "tags.old.max.y",
            "tags.ball.min.x",
            "hinge.angle",
            "world.time",
            "rope.length",
            *drawn,
            "tags.old.area",
            "slab.top",
            "lift.points.edge.y",
            *more,
            *more,
        ]
        if "eye" in self.probes:
            known += ["eye.hit", "eye.distance"]
        if "zone" in self.probes:
            known += ["zone.count", "zone.tags.drop"]
        if "nose" in self.probes:
            known += ["nose.speed"]
        form = self.pick(
            [
                "{0}",
                "{0}",
                "abs({0}) + 0.1",
                "{0} - {1}/3",
                "sin({0})*2",
                "min({0}, 3)",
                "(1 if {0} > {1} else 2)",
            ]
        )
        return form.format(self.pick(known), self.pick(known))

    def _value(self, *more: str) -> Any:
        return self.pick([1, 0.5, f"={self._number(*more)}"])

    def _place(self, owners: tuple[str, ...] = ()) -> Any:
        places: list[Any] = [
            [0, 4],
            ["=uniform(-5, 5)", 5],
            [f"=min(9, {self._number()})", 3],
            "lift.points.edge",
            "cart",
            *owners,
        ]
        return self.pick(places)

    def _born(self) -> Entry:
        use = self.pick([*self.prototypes])
        found: Entry = {"use": use}
        has_vars = "vars" in self.prototypes[use]
        if has_vars and self.choose.random() < 0.5:
            found["vars"] = {"size": self.pick([0.15, "=uniform(0.1, 0.3)", "=0.1 + 0.01*state.a"])}
        for key, values in (
            ("lifetime", (0.4, "=uniform(0.1, 0.9)")),
            ("scale", (1.3, 0.7)),
            ("mirror", ("x", "y")),
            ("angle", (30, "=uniform(-90, 90)")),
            ("frame", ("lift",)),
            ("if_free", (True,)),
            ("velocity", ([1, 2], ["=normal(0, 1)", 1])),
            ("pivot", ("center", "bottom_left")),
        ):
            if self.choose.random() < 0.25:
                found[key] = self.pick(values)
        if found.get("if_free"):
            found["max_tries"] = 3
        return found

    def _spawner(self) -> Entry:
        found = {**self._born(), "every": self.pick([0.05, 0.13, 0.31]), "at": self._place()}
        for key, values in (
            ("max", (3, 8)),
            ("alive", (2, 5)),
            ("until", (0.8,)),
            ("from", (0.2,)),
            ("if", (f"={self._known()} > 0",)),
        ):
            if self.choose.random() < 0.3:
                found[key] = self.pick(values)
        return found

    # ------------------------------------------------------------ events

    def _event(self) -> Entry:
        one, two = self.pick(["ball", "drop", "old"]), self.pick(["hard", "old", "ball"])
        pairs = self.pick(
            [
                {"tags": [one, two]},
                {"tags": [one]},
                {"bodies": ["arm", "ground"]},
                {"bodies": ["cart"]},
            ]
        )
        form = self.pick(
            ["collision"] * 3
            + ["time"] * 3
            + ["condition"] * 2
            + [
                "touch_end",
                "sensor_enter",
                "sensor_leave",
                "leave",
                "deleted",
                "joint",
                "start",
                "stop",
            ]
        )
        owners: tuple[str, ...] = ()
        if form in ("collision", "touch_end", "sensor_enter", "sensor_leave"):
            found = {"when": form, **pairs}
            if form.startswith("sensor"):
                found["tags"] = found.get("tags", ["ball"])[:1]
                found.pop("bodies", None)
            owners = ("$a",) if len(next(iter(pairs.values()))) == 1 else ("$a", "$b")
            if self.choose.random() < 0.3:
                found["once_per"] = "pair"
        elif form == "time":
            found = {"when": "time", "at": self.pick([0.1, 0.33, 0.7])}
            if self.choose.random() < 0.6:
                found["every"] = self.pick([0.11, 0.3])
        elif form == "condition":
            found = {"when": f"={self._known()} > {self._known()}"}
        elif form == "leave":
            found = {"when": "leave", "tags": [one], "region": [[-4, -1], [4, 4]]}
            owners = ("$a",)
        elif form == "deleted":
            found = {
                "when": "deleted",
                **self.pick([{"tags": [one]}, {"joint": "rope"}, {"body": "slab"}]),
            }
        elif form == "joint":
            found = {"when": "joint_broken", "joint": "rope"}
        else:
            found = {"when": f"actuator_{form}", "actuator": "spin"}
        for key, values in (
            ("after", (0.1,)),
            ("cooldown", (0.2,)),
            ("if", (f"={self._known()} > 0",)),
            ("unless", (f"={self._known()} > 5",)),
        ):
            if key == "cooldown" and "once_per" in found:
                continue
            if self.choose.random() < 0.15 and not (key == "unless" and "after" not in found):
                found[key] = self.pick(values)
        found["do"] = self._do(owners, form)
        return found

    def _do(self, owners: tuple[str, ...] = (), form: str = "") -> list[Entry]:
        return [self._action(owners, form) for _ in range(self.pick([1, 1, 2, 3]))]

    def _action(self, owners: tuple[str, ...], form: str) -> Entry:
        pick, of_event = self.pick, tuple(f"{each}.vx" for each in owners)
        body = pick(["ball[0]", "ball[1]", "arm", "cart", "slab", *owners * 4])
        many = pick([body, "tags.drop", "tags.old", "ball"])
        touch = ("$impulse", "$normal.y") if form == "collision" else ()
        value = partial(self._value, *of_event, *touch)
        ends: list[Entry] = [
            {"delete": many},
            {
                "destroy": {
                    "body": body,
                    "count": pick([2, 4]),
                    **pick(
                        [
                            {},
                            {"method": "voronoi"},
                            {"tags": ["drop"]},
                            {"lifetime": 0.3},
                            {"kick": {"radial": 1, "random": 1, "spin": 40}},
                        ]
                    ),
                }
            },
        ]
        return pick(
            [
                {"add": {pick(["state.a", "state.b"]): value()}},
                {"add": {"state.a": 1, "state.b": value()}},
                {"set": {"state.c": value()}},
                {"set": {f"{body}.velocity": [value(), 2]}},
                {"add": {f"{body}.velocity.y": value()}},
                {
                    "set": pick(
                        [
                            {f"{body}.linear_damping": 0.3},
                            {"coil.spring.frequency": 3},
                            {"rope.max_length": 4},
                            {"hinge.motor.position": value()},
                            {"hinge.limits": [-90, 120]},
                            {"jet.enabled": True},
                            {"spin.speed": 40},
                            {"world.gravity": [value(), -9]},
                            {f"{body}.gravity_scale": 0.5},
                            {"arm.type": "kinematic"},
                            {f"{body}.visible": False},
                        ]
                    )
                },
                {
                    "impulse": {
                        "body": body,
                        "impulse": [value(), 1],
                        **pick([{}, {"at": body}, {"at": "cart"}]),
                    }
                },
                {"explode": {"at": self._place(owners), "radius": 4, "impulse": pick([0.5, -0.3])}},
                {
                    "move": {
                        "what": many,
                        **pick([{"by": [0.1, value()]}, {"to": [0, 5], "angle": 20}]),
                    }
                },
                {"spawn": {**self._born(), "at": self._place(owners)}},
                {"spawn": {**self._born(), "at": self._place(owners)}},
                {
                    "copy": {
                        "what": pick([body, "tags.old"]),
                        "by": [1, 2],
                        "name": "twin",
                        "angle": 9,
                    }
                },
                {"attach": {"name": "tie", "joint": pick(TIES)}},
                {"detach": pick(["tie", "rope", "coil"])},
                {"play": pick(["ride", "once"])},
                {"stop": pick(["ride", "once"])},
                {"log": pick(["seen", "{state.a}"])},
                {"sound": "tick"},
                {"reach": {"tip": "arm", "joints": ["hinge"], "target": [9, 4]}},
                pick(ends),
                pick(ends),
            ]
        )
