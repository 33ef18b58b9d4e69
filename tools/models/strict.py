"""Checks requests and answers against the types of the official SDKs, more strictly than the SDKs do.

An SDK describes a request by typed dictionaries. pydantic, left to itself, lets through fields that those do not have, reads the elements
of an `Iterable` only when somebody asks for them, and turns "40" into 40. Here a field that the types do not have is an error at any depth,
every element is read, and nothing is converted.
"""
import functools
import json

import pydantic
from pydantic_core import SchemaValidator, ValidationError


class NotOfType(Exception):
    """What is wrong with a request or an answer, field by field."""


def request(typed_dictionary, body):
    """Reads the bytes of a request, which must be just what the typed dictionary says. Raises `NotOfType`."""
    try:
        return _validator(typed_dictionary).validate_json(body, strict=True)
    except ValidationError as problem:
        raise NotOfType(_text(problem)) from None


def answer(model, values):
    """The JSON of an answer, built by the SDK's own model: a value of another type, or one that the model lacks, raises `NotOfType`."""
    try:
        made = model.model_validate_json(json.dumps(values), strict=True)
    except ValidationError as problem:
        raise NotOfType(f"{model.__name__}: {_text(problem)}") from None
    _forbid_extras(made, model.__name__)
    return made.model_dump_json(by_alias=True, exclude_unset=True)


@functools.cache
def _validator(typed_dictionary):
    return SchemaValidator(_tightened(pydantic.TypeAdapter(typed_dictionary).core_schema))


def _tightened(schema):
    """A core schema whose typed dictionaries forbid what they do not have, and whose iterables are read at once."""
    if isinstance(schema, (list, tuple)):
        return type(schema)(_tightened(part) for part in schema)
    if not isinstance(schema, dict):
        return schema
    tight = {name: value if name == "metadata" else _tightened(value) for name, value in schema.items()}
    if tight.get("type") == "typed-dict":
        tight["extra_behavior"] = "forbid"
    elif tight.get("type") == "generator":
        tight = {"type": "list", **{name: tight[name] for name in ("items_schema", "ref") if name in tight}}
    return tight


def _forbid_extras(value, path):
    if isinstance(value, pydantic.BaseModel):
        if value.model_extra:
            raise NotOfType(f"{path} has no {', '.join(value.model_extra)}")
        for name in value.model_fields_set:
            _forbid_extras(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, list):
        for place, element in enumerate(value):
            _forbid_extras(element, f"{path}[{place}]")


def _text(problem):
    """The errors in one line. Of a union, those of the variants that were not meant are left out: the ones that another `type` or `role`
    would have, or that expect no object at all."""
    errors = problem.errors(include_url=False, include_input=False)
    others = [error["loc"][:-1] for error in errors if error["type"] == "literal_error" and error["loc"][-1] in ("type", "role")]
    lines = []
    for error in errors:
        if not any(error["loc"][:len(other)] == other for other in others):
            # Names of variants are classes of the SDK; the fields are what stands in the request.
            path = ".".join(str(part) for part in error["loc"] if not any(letter in str(part) for letter in "[ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
            lines.append((len(error["loc"]), f"{path}: {error['msg']}"))
    deepest = [line for _, line in sorted(lines, key=lambda line: -line[0])]
    return "; ".join(dict.fromkeys(deepest[:3])) or str(problem).splitlines()[0]
