"""
validate.py DIRECTORY...: reads what record.cjs wrote, takes each request back to the parameters that the program gave, by moto's parsers
of AWS's protocols, and holds them against botocore's service model and the limits of limits.py. It prints one JSON object a line: first of
each kind of request, with how many there were and what it is about, then of what would be refused.
"""

from __future__ import annotations

import datetime
import functools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import regex
from botocore.loaders import Loader
from moto.core.model import OperationModel, ServiceModel, Shape
from moto.core.parse import PROTOCOL_PARSERS
from moto.core.request import Request, determine_request_protocol
from moto.core.routing import PROTOCOL_ROUTERS, RestRouter, SQSJSONRouter

from limits import limits_of

# The names of botocore's models, where signatures have others.
MODELS = {"monitoring": "cloudwatch", "states": "stepfunctions", "servicequotas": "service-quotas", "elasticmapreduce": "emr"}
# What policies call a service, where signatures have another name.
PREFIXES = {"monitoring": "cloudwatch"}
# Longer texts and lists are of no use to who asks what a request is about.
MOST_SHOWN = 200
MOST_LISTED = 60


@functools.cache
def model_of(service: str) -> ServiceModel:
    name = MODELS.get(service, service)
    return ServiceModel(Loader().load_service_model(name, "service-2"), name)


@functools.cache
def router_of(service: str, protocol: str) -> Any:
    model = model_of(service)
    # Without moto's own implementation of S3: buckets are in paths here.
    if service == "s3":
        return RestRouter(model)
    return (SQSJSONRouter if service == "sqs" else PROTOCOL_ROUTERS[protocol])(model)


def parsed(line: dict[str, Any]) -> tuple[OperationModel, dict[str, Any]]:
    """The operation and its parameters, by the names of the model."""
    headers = {name: ", ".join(map(str, value)) if isinstance(value, list) else str(value) for name, value in line["headers"].items()}
    # The length is of what was sent; a body that was not written has none.
    headers.pop("content-length", None)
    url = f"http://aws{line['path']}"
    request = Request.from_primitives(line["method"], url, headers, line["body"].encode())
    service = line["service"]
    model = model_of(service)
    protocol = determine_request_protocol(model, request.content_type)
    operation, uri_parameters = router_of(service, protocol).match(request)
    # A form is read once: what it holds is the body of the query protocol.
    values = request.values
    parameters = PROTOCOL_PARSERS[protocol](operation).parse(
        {
            "method": request.method,
            "values": values,
            "headers": request.headers,
            "body": line["body"].encode(),
            "url_path": request.path,
            "url_params": uri_parameters,
        }
    )
    if service == "s3" and "ContentLength" in operation.input_shape.members:
        parameters["ContentLength"] = line["bodyBytes"]
    return operation, parameters


def strangers(shape: Shape, value: Any, path: str = "") -> Iterator[str]:
    """Members of a JSON body that the model does not know: parsers leave them out."""
    if shape.type_name == "structure" and isinstance(value, dict):
        for name, inner in value.items():
            if name in shape.members:
                yield from strangers(shape.members[name], inner, f"{path}.{name}")
            elif not getattr(shape, "is_document_type", False):
                yield f"{path}.{name}: there is no such parameter"
    elif shape.type_name == "list" and isinstance(value, list):
        for inner in value:
            yield from strangers(shape.member, inner, f"{path}[]")
    elif shape.type_name == "map" and isinstance(value, dict):
        for inner in value.values():
            yield from strangers(shape.value, inner, f"{path}.*")


TYPES = {
    "string": str,
    "integer": int,
    "long": int,
    "float": (int, float),
    "double": (int, float),
    "boolean": bool,
    "timestamp": datetime.datetime,
    "blob": (bytes, str),
    "list": list,
    "map": dict,
    "structure": dict,
}


def within(path: str, what: str, count: float, shape: Shape) -> Iterator[str]:
    if "min" in shape.metadata and count < shape.metadata["min"]:
        yield f"{path}: {what} {count}, and at least {shape.metadata['min']} is taken"
    if "max" in shape.metadata and count > shape.metadata["max"]:
        yield f"{path}: {what} {count}, and at most {shape.metadata['max']} is taken"


@functools.cache
def compiled(pattern: str) -> regex.Pattern[str] | None:
    try:
        return regex.compile(pattern)
    except regex.error:
        # Of another dialect: what it means is not known.
        return None


def refusals(shape: Shape, value: Any, path: str = "") -> Iterator[str]:
    """What the model does not take: required, type, enum, pattern, length, range."""
    kind = shape.type_name
    if not isinstance(value, TYPES[kind]) or (isinstance(value, bool) and kind != "boolean"):
        yield f"{path}: {type(value).__name__}, and {kind} is taken"
        return
    if kind == "structure":
        for name in shape.required_members:
            if value.get(name) is None:
                yield f"{path}.{name} is missing"
        if getattr(shape, "is_tagged_union", False) and len(value) != 1:
            yield f"{path}: one of {', '.join(shape.members)} is taken, and {len(value)} are there"
        for name, inner in value.items():
            if inner is not None:
                yield from refusals(shape.members[name], inner, f"{path}.{name}")
    elif kind == "list":
        yield from within(path, "members", len(value), shape)
        for inner in value:
            yield from refusals(shape.member, inner, f"{path}[]")
    elif kind == "map":
        yield from within(path, "members", len(value), shape)
        for name, inner in value.items():
            yield from refusals(shape.key, name, f"{path} (key)")
            yield from refusals(shape.value, inner, f"{path}.{name}")
    elif kind in ("string", "blob"):
        yield from within(path, "length", len(value), shape)
        if kind == "string":
            yield from of_text(shape, value, path)
    elif kind in ("integer", "long", "float", "double"):
        yield from within(path, "is", value, shape)


def of_text(shape: Shape, value: str, path: str) -> Iterator[str]:
    choices = shape.metadata.get("enum", [])
    if choices and value not in choices:
        yield f"{path}: {value[:80]!r} is none of {', '.join(choices[:8])}{' ...' if len(choices) > 8 else ''}"
    pattern = shape.metadata.get("pattern")
    if pattern is not None:
        form = compiled(pattern)
        if form is not None and form.fullmatch(value) is None:
            yield f"{path}: {value[:80]!r} does not match {pattern}"


def shown(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: shown(inner) for name, inner in list(value.items())[:MOST_LISTED]}
    if isinstance(value, list):
        return [shown(inner) for inner in value[:MOST_LISTED]]
    if isinstance(value, (bytes, datetime.datetime)):
        return None
    return value[:MOST_SHOWN] if isinstance(value, str) else value


def validated(line: dict[str, Any]) -> tuple[str, dict[str, Any], list[str]]:
    """The call (`s3:PutObject`), what it is about, and why AWS would refuse it."""
    prefix = PREFIXES.get(line["service"], line["service"])
    try:
        operation, parameters = parsed(line)
    except Exception as error:  # noqa: BLE001 - whatever it is, AWS could not read it either, or it was not checked: both are said.
        return f"{prefix}:?", {}, [f"{line['method']} {line['path'][:120]}: not understood: {type(error).__name__}: {error}"]
    call = f"{prefix}:{operation.name}"
    shape = operation.input_shape
    if shape is None:
        return call, {}, []
    why = [*refusals(shape, parameters), *limits_of(call, parameters)]
    if str(line["headers"].get("content-type", "")).startswith("application/x-amz-json"):
        why += strangers(shape, json.loads(line["body"] or "{}"))
    return call, parameters, why


def main(directories: list[str]) -> None:
    kinds: dict[str, dict[str, Any]] = {}
    refused: dict[str, dict[str, Any]] = {}
    for file in sorted(file for directory in directories for file in Path(directory).glob("*.jsonl")):
        with file.open(encoding="utf-8") as lines:
            for text in lines:
                line = json.loads(text)
                call, parameters, why = validated(line)
                of = {"by": line["by"], "call": call, "region": line["region"]}
                about = {**of, "parameters": shown(parameters)}
                # What a policy of EC2 and Systems Manager looks at is in the form itself.
                if len(line["body"]) < 8_192 and line["service"] in ("ec2", "ssm"):
                    about["text"] = line["body"]
                kind = kinds.setdefault(json.dumps(about, sort_keys=True), {**about, "count": 0})
                kind["count"] += 1
                for reason in why:
                    one = refused.setdefault(f"{line['by']} {call} {reason}", {**of, "refused": reason, "count": 0})
                    one["count"] += 1
    for one in [*kinds.values(), *refused.values()]:
        print(json.dumps(one))


if __name__ == "__main__":
    main(sys.argv[1:])
