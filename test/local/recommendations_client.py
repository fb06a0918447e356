"""Asks with botocore, AWS's own client, and holds what comes back against AWS's own model of the service: a line of JSON with the
arguments of `answer` in, a line of JSON with what it was answered out.
"""

import copy
import functools
import json
import sys
from pathlib import Path
from typing import Any

import botocore.session
from botocore.config import Config
from botocore.exceptions import ClientError

sys.path.insert(0, str(Path(__file__).parents[2] / "local" / "requests"))
from validate import strangers  # noqa: E402


def client_of(service: str, url: str, account: str, region: str) -> Any:
    session = botocore.session.get_session()
    loader = session.get_component("data_loader")
    load = loader.load_service_model

    def in_json(name: str, kind: str, *others: Any, **named: Any) -> Any:
        model = copy.deepcopy(load(name, kind, *others, **named))
        if kind == "service-2":
            # Of the protocols that the service speaks, the one that the stand-in has.
            assert "json" in model["metadata"]["protocols"]
            model["metadata"].update(protocol="json", protocols=["json"])
        return model

    loader.load_service_model = in_json
    return session.create_client(
        service,
        region_name=region,
        endpoint_url=url,
        aws_access_key_id=account,
        aws_secret_access_key="test",
        config=Config(retries={"max_attempts": 0}),
    )


@functools.cache
def kept(service: str, url: str, account: str, region: str) -> Any:
    return client_of(service, url, account, region)


def answer(url: str, account: str, service: str, operation: str, parameters: dict[str, Any], region: str) -> dict[str, Any]:
    client = kept(service, url, account, region)
    model = client.meta.service_model.operation_model(operation)
    unknown: list[str] = []
    pages: list[Any] = []

    def look(response_dict: dict[str, Any], **_: Any) -> None:
        if response_dict["status_code"] == 200:
            unknown.extend(strangers(model.output_shape, json.loads(response_dict["body"])))

    event = f"before-parse.{service}.{operation}"
    client.meta.events.register(event, look, unique_id="look")
    call = getattr(client, botocore.xform_name(operation))
    asked = dict(parameters)
    error = None
    try:
        while True:
            page = call(**asked)
            page.pop("ResponseMetadata")
            pages.append(page)
            if "nextToken" not in page:
                break
            asked["nextToken"] = page["nextToken"]
    except ClientError as failed:
        told = failed.response["Error"]
        error = {"code": told["Code"], "message": told["Message"], "class": type(failed).__name__}
    finally:
        client.meta.events.unregister(event, unique_id="look")
    return {"pages": pages, "unknown": unknown, "error": error}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(**json.loads(line)), default=str), flush=True)
