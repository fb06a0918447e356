"""What a Distributed Map leaves behind: the result of the state, and the files of its ResultWriter.

AWS writes PREFIX/<id of the Map Run>/manifest.json, which names one file or more for each status:
{"DestinationBucket", "MapRunArn", "ResultFiles": {"FAILED": [], "PENDING": [], "SUCCEEDED": [{"Key", "Size"}]}}.
Here there is always one file a status, SUCCEEDED_0.json, and none where there is no child.
"""

import json
from typing import Any

from ministack.services import s3, stepfunctions

_EXTENSIONS = {"JSON": "json", "JSONL": "jsonl"}


def compact(value: Any) -> str:
    """JSON as AWS writes it, without blanks."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _details(child: dict[str, Any]) -> dict[str, Any]:
    """A child execution as AWS exports it with the transformation NONE. Input and output are JSON in a string."""
    status = child["status"]
    row = {
        "ExecutionArn": child["executionArn"],
        "Input": child["input"],
        "InputDetails": {"Included": True},
        "Name": child["name"],
        "StateMachineArn": child["stateMachineArn"],
        "Status": status,
    }
    if status == "PENDING":
        return row
    row |= {"RedriveCount": 0, "StartDate": child["startDate"], "StopDate": child["stopDate"]}
    if status == "FAILED":
        return row | {
            "Cause": child["cause"],
            "Error": child["error"],
            "RedriveStatus": "REDRIVABLE",
            "RedriveStatusReason": "Execution is FAILED and is redrivable",
        }
    return row | {
        "Output": child["output"],
        "OutputDetails": {"Included": True},
        "RedriveStatus": "NOT_REDRIVABLE",
        "RedriveStatusReason": f"Execution is {status} and cannot be redriven",
    }


def _rows(children: list[dict[str, Any]], transformation: str) -> list[Any]:
    rows: list[Any] = []
    for child in children:
        # A child that did not succeed is reported whole, whatever the transformation.
        if transformation == "NONE" or child["status"] != "SUCCEEDED":
            rows.append(_details(child))
            continue
        output = json.loads(child["output"])
        rows.extend(output if transformation == "FLATTEN" and isinstance(output, list) else [output])
    return rows


def in_memory(children: list[dict[str, Any]], writer: dict[str, Any] | None) -> list[Any]:
    config = (writer or {}).get("WriterConfig") or {}
    return _rows(children, config.get("Transformation", "COMPACT"))


def _put(bucket: str, key: str, text: str) -> int:
    data = text.encode()
    status, _headers, body = s3._put_object(bucket, key, data, {})
    if status != 200:
        raise stepfunctions._ExecutionError(
            "States.ResultWriterFailed", f"Could not write s3://{bucket}/{key}: {body!r}"
        )
    return len(data)


def write_to_s3(map_run_arn: str, children: list[dict[str, Any]], writer: dict[str, Any]) -> dict[str, Any]:
    """`writer` with its expressions evaluated."""
    bucket, prefix = writer["Arguments"]["Bucket"], writer["Arguments"].get("Prefix", "")
    config = writer.get("WriterConfig") or {}
    output_type = config.get("OutputType", "JSON")
    folder = "/".join([*([prefix.rstrip("/")] if prefix else []), map_run_arn.rsplit(":", 1)[-1]])
    files: dict[str, list[dict[str, Any]]] = {"FAILED": [], "PENDING": [], "SUCCEEDED": []}
    for status, listed in files.items():
        rows = _rows([child for child in children if child["status"] == status], config.get("Transformation", "NONE"))
        if not rows:
            continue
        lines = "\n".join(compact(row) for row in rows) if output_type == "JSONL" else compact(rows)
        key = f"{folder}/{status}_0.{_EXTENSIONS[output_type]}"
        listed.append({"Key": key, "Size": _put(bucket, key, lines)})
    manifest = {"DestinationBucket": bucket, "MapRunArn": map_run_arn, "ResultFiles": files}
    _put(bucket, f"{folder}/manifest.json", compact(manifest))
    return {
        "MapRunArn": map_run_arn,
        "ResultWriterDetails": {"Bucket": bucket, "Key": f"{folder}/manifest.json"},
    }
