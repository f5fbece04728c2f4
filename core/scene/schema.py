# SPDX-License-Identifier: MIT
"""The JSON Schema of scene files, made from the models that check them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic.json_schema import models_json_schema

from ..arguments import checked
from .blocks.bodies.materials import MaterialInput
from .blocks.bodies.models import TrailInput
from .blocks.bodies.shape_types import SHAPE_TYPES
from .blocks.prototypes.instances import InstanceInput
from .blocks.prototypes.models import PrototypeInput
from .blocks.scene import SceneInput
from .blocks.script.controls import HOLD_SCHEMA
from .blocks.variables import UnitsInput, VarInput
from .examples import Examples
from .values.fields import Input, said_of

# The dialect that the editors' YAML language servers know best.
DIALECT = "http://json-schema.org/draft-07/schema#"


@checked()
def json_schema() -> dict[str, Any]:
    """The schema as plain data. Numbers may be expressions or texts with units throughout."""
    models = [
        (model, "validation")
        for model in (SceneInput, UnitsInput, VarInput, MaterialInput, PrototypeInput)
    ]
    _, schema = models_json_schema(models)  # type: ignore[arg-type]
    definitions: dict[str, Any] = schema["$defs"]
    known = {model.__name__: said_of(model) for model in _all(Input)}
    for name, definition in definitions.items():
        definition.pop("title", None)
        definition.pop("description", None)
        for key, field in definition.get("properties", {}).items():
            _tidy(field)
            field["description"] = known[name][key].text
    definitions["ShapeInput"]["oneOf"] = [{"required": [kind]} for kind in SHAPE_TYPES]
    required: list[type[Input]] = [TrailInput, InstanceInput, VarInput]
    required += [each.model for each in SHAPE_TYPES.values() if each.model is not None]
    for model in required:
        definitions[model.__name__]["required"] = list(model.needed)
    fields = [definitions["RenderInput"]["properties"]["background"]]
    fields += [definitions[each]["properties"]["texture"] for each in ("BodyFields", "BodyInput")]
    fields.append(definitions["ActionInput"]["properties"]["sound"])
    for field in fields:  # which have a short form
        field["anyOf"] = [{"type": "string"}, {"$ref": field.pop("$ref")}]
    release = definitions["ControlInput"]["properties"]["on_release"]
    plain = {"type": "object", "not": {"anyOf": [{"required": ["set"]}, {"required": ["do"]}]}}
    release["anyOf"] = [plain, {"$ref": release.pop("$ref")}]
    for block, key in (("CameraInput", "keys"), ("RenderInput", "time")):
        pairs = definitions[block]["properties"][key]
        entry = definitions[pairs["items"]["$ref"].rpartition("/")[2]]["properties"]
        rest = entry["speed"] if key == "time" else pairs["items"]
        items = {"anyOf": [*entry["at"]["anyOf"], rest]}
        pair = {"type": "array", "items": items, "minItems": 2, "maxItems": 2}
        pairs["items"] = {"anyOf": [pair, pairs["items"]]}
    listed = definitions["AxisInput"]["properties"]["values"]
    said = definitions["CollectInput"]["properties"]
    for key, short in (("vary", [listed]), ("collect", [said["end"], said["word"]])):
        entries = definitions["StudyInput"]["properties"][key]
        entries["additionalProperties"] = {"anyOf": [*short, entries["additionalProperties"]]}
    forms = {
        model.__name__: model.form.partition("`")[2].partition("`")[0].replace(", ...", "")
        for model in _all(Input)
        if model.form
    }
    Examples(definitions, forms).give()
    scene = definitions.pop("SceneInput")
    for holder in (scene, definitions["PrototypeInput"]):
        control = holder["properties"]["controls"]["additionalProperties"]
        control["anyOf"] = [*HOLD_SCHEMA["anyOf"], {"$ref": control.pop("$ref")}]
    return {
        "$schema": DIALECT,
        "title": "rigid scene, format 1",
        **_references(scene),
        "required": ["rigid"],
        "$defs": {name: _references(value) for name, value in sorted(definitions.items())},
    }


def _all(base: type[Input]) -> Iterator[type[Input]]:
    """The models that inherit from one."""
    for model in base.__subclasses__():
        yield model
        yield from _all(model)


def _tidy(field: dict[str, Any]) -> None:
    """Leave out titles and the null of an omitted field."""
    field.pop("title", None)
    if "default" in field and field["default"] is None:
        del field["default"]
    choices = field.get("anyOf")
    if choices is not None:
        choices[:] = [choice for choice in choices if choice != {"type": "null"}]
        if len(choices) == 1:
            field.pop("anyOf")
            field.update(choices[0])


def _references(value: Any) -> Any:
    """Turn the placeholders of kinds that refer to a model into references."""
    if isinstance(value, dict):
        if set(value) == {"model"}:
            return {"$ref": f"#/$defs/{value['model']}"}
        return {key: _references(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_references(item) for item in value]
    return value
