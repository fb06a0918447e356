"""What AWS refuses and its service models do not say. Each limit names its source; all were read 2026-11-26."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

import regex

KIB = 1024
Parameters = dict[str, Any]


def size(value: Any) -> int:
    return len(value) if isinstance(value, bytes) else len(str(value).encode())


def over(what: str, count: float, most: float) -> Iterator[str]:
    if count > most:
        yield f"{what}: {count:,}, and at most {most:,} are taken"


# Amazon CloudWatch API Reference, GetMetricData and MetricDataQuery.
def get_metric_data(asked: Parameters) -> Iterator[str]:
    queries = asked.get("MetricDataQueries", [])
    yield from over("MetricDataQueries", len(queries), 500)
    yield from over("MaxDatapoints", asked.get("MaxDatapoints", 0), 100_800)
    ids = [one.get("Id", "") for one in queries]
    if len(set(ids)) < len(ids):
        yield "MetricDataQueries: an Id is there twice"
    for one in ids:
        if not regex.fullmatch(r"[a-z][a-zA-Z0-9_]*", one):
            yield f"MetricDataQueries: the Id {one} is not a small letter and letters, digits, underscores"
    if any(("MetricStat" in one) == ("Expression" in one) for one in queries):
        yield "MetricDataQueries: each has either MetricStat or Expression"
    start, end = asked.get("StartTime"), asked.get("EndTime")
    if start is None or end is None:
        return
    if start >= end:
        yield f"StartTime {start} is not before EndTime {end}"
    # Points of 60 s are kept for 15 days, of 300 s for 63: older ones are asked in multiples of what is kept.
    days = (end - start).total_seconds() / 86_400
    least = 60 if days <= 15 else 300 if days <= 63 else 3600
    for one in queries:
        period = one.get("MetricStat", {}).get("Period", least)
        if period % least != 0 and period not in ((1, 5, 10, 20, 30) if least == 60 else ()):
            yield f"Period {period} of a window of {days:.0f} days: a multiple of {least} is taken"


# Amazon CloudWatch API Reference, PutDashboard; User Guide, "CloudWatch service quotas".
def put_dashboard(asked: Parameters) -> Iterator[str]:
    if not regex.fullmatch(r"[A-Za-z0-9_-]{1,255}", asked.get("DashboardName", "")):
        yield f"DashboardName {asked.get('DashboardName')}: letters, digits, - and _ are taken, at most 255"
    try:
        widgets = json.loads(asked.get("DashboardBody", "")).get("widgets", [])
    except ValueError:
        yield "DashboardBody is no JSON"
        return
    yield from over("widgets of the dashboard", len(widgets), 500)
    metrics = [len(one.get("properties", {}).get("metrics", [])) for one in widgets]
    yield from over("metrics of a widget", max(metrics, default=0), 500)
    yield from over("metrics of the dashboard", sum(metrics), 2500)


# Amazon EC2 API Reference, DescribeInstances, DescribeVolumes ("Filters", "MaxResults"); API requests, "Filter".
def describe_ec2(asked: Parameters) -> Iterator[str]:
    for name, values in asked.items():
        if name.endswith("Ids"):
            yield from over(name, len(values), 1000)
            if "MaxResults" in asked:
                yield f"MaxResults and {name} are not taken in one call"
    filters = asked.get("Filters", [])
    yield from over("Filters", len(filters), 50)
    yield from over("values of all filters", sum(len(one.get("Values", [])) for one in filters), 200)


# Amazon EC2 API Reference, RunInstances; User Guide, "Tag restrictions", "User data", "Ensuring idempotency".
def run_instances(asked: Parameters) -> Iterator[str]:
    data = asked.get("UserData", "")
    yield from over("bytes of UserData", len(base64.b64decode(data)) if data else 0, 16 * KIB)
    token = asked.get("ClientToken", "")
    if len(token) > 64 or not token.isascii():
        yield "ClientToken: at most 64 characters of ASCII are taken"
    for specification in asked.get("TagSpecifications", []):
        yield from tags(specification.get("Tags", []))
    for device in asked.get("BlockDeviceMappings", []):
        ebs = device.get("Ebs", {})
        if "Iops" in ebs and ebs.get("VolumeType") not in ("gp3", "io1", "io2"):
            yield f"Iops of a volume of type {ebs.get('VolumeType')}: InvalidParameterCombination"
        if "Throughput" in ebs and ebs.get("VolumeType") != "gp3":
            yield f"Throughput of a volume of type {ebs.get('VolumeType')}: InvalidParameterCombination"


def tags(given: list[Parameters]) -> Iterator[str]:
    yield from over("tags", len(given), 50)
    keys = [one.get("Key", "") for one in given]
    if len(set(keys)) < len(keys):
        yield "a key of a tag is there twice"
    for one in given:
        yield from over("characters of a tag's key", len(one.get("Key", "")), 128)
        yield from over("characters of a tag's value", len(one.get("Value", "")), 256)
        if one.get("Key", "").lower().startswith("aws:"):
            yield f"the key {one['Key']} of a tag is AWS's own"


# Amazon S3 User Guide, "Naming Amazon S3 objects", "Uploading objects", "Working with object metadata"; DeleteObjects.
def s3(asked: Parameters) -> Iterator[str]:
    yield from over("bytes of Key", size(asked.get("Key", "")), 1024)
    yield from over("bytes of Metadata", sum(size(k) + size(v) for k, v in asked.get("Metadata", {}).items()), 2 * KIB)
    yield from over("ContentLength", asked.get("ContentLength", 0), 5 * KIB**3)
    yield from over("objects to delete", len(asked.get("Delete", {}).get("Objects", [])), 1000)


# Amazon SNS API Reference, Publish.
def publish(asked: Parameters) -> Iterator[str]:
    attributes = asked.get("MessageAttributes", {})
    yield from over("bytes of the message", size(asked.get("Message", "")) + attributes_bytes(attributes), 256 * KIB)
    subject = asked.get("Subject")
    if subject is not None and not regex.fullmatch(r"[^\W_\s][\x20-\x7e]{0,98}|[\x21-\x7e][\x20-\x7e]{0,98}", subject):
        yield "Subject: less than 100 printable characters of ASCII are taken, no space first"
    if ("TopicArn" in asked) + ("TargetArn" in asked) + ("PhoneNumber" in asked) != 1:
        yield "one of TopicArn, TargetArn and PhoneNumber is taken"


def attributes_bytes(attributes: Parameters) -> int:
    return sum(size(name) + sum(size(part) for part in one.values()) for name, one in attributes.items())


# Amazon SQS API Reference, SendMessage, ChangeMessageVisibility; Developer Guide, "Message quotas": 1 MiB since 2025-08.
def sqs(asked: Parameters) -> Iterator[str]:
    attributes = asked.get("MessageAttributes", {})
    yield from over("bytes of the message", size(asked.get("MessageBody", "")) + attributes_bytes(attributes), KIB**2)
    yield from over("attributes of the message", len(attributes), 10)
    yield from over("DelaySeconds", asked.get("DelaySeconds", 0), 900)
    yield from over("VisibilityTimeout", asked.get("VisibilityTimeout", 0), 43_200)
    if "MessageBody" in asked and asked["MessageBody"] == "":
        yield "MessageBody is empty"


# Amazon DynamoDB Developer Guide, "Quotas in Amazon DynamoDB", "Item sizes and formats".
def dynamodb(asked: Parameters) -> Iterator[str]:
    for item in [asked[name] for name in ("Item", "Key", "ExpressionAttributeValues") if name in asked]:
        yield from over("bytes of the item", item_bytes({"M": item}), 400 * KIB)
    for name in ("ConditionExpression", "FilterExpression", "KeyConditionExpression", "ProjectionExpression", "UpdateExpression"):
        expression = asked.get(name)
        if expression is None:
            continue
        yield from over(f"bytes of {name}", size(expression), 4 * KIB)
        if expression == "":
            yield f"{name} is empty"
    yield from over("operators of an expression", sum(len(regex.findall(r"[#:]\w+", asked.get(name, ""))) for name in ("UpdateExpression", "ConditionExpression")), 300)
    keys = sum(len(one.get("Keys", [])) for one in asked.get("RequestItems", {}).values() if isinstance(one, dict))
    yield from over("keys of BatchGetItem", keys, 100)
    writes = sum(len(one) for one in asked.get("RequestItems", {}).values() if isinstance(one, list))
    yield from over("writes of BatchWriteItem", writes, 25)
    yield from over("items of a transaction", len(asked.get("TransactItems", [])), 100)
    used = " ".join(str(asked.get(name, "")) for name in asked if name.endswith("Expression"))
    for name in ("ExpressionAttributeNames", "ExpressionAttributeValues"):
        if name in asked and not asked[name]:
            yield f"{name} is empty"
        for one in asked.get(name, {}):
            if not regex.search(rf"{regex.escape(one)}\b", used):
                yield f"{name}: {one} is used by no expression"


def item_bytes(value: Parameters) -> int:
    ((kind, inner),) = value.items() if len(value) == 1 else (("M", value),)
    if kind == "M":
        return 3 + sum(size(name) + item_bytes(one) + 1 for name, one in inner.items())
    if kind == "L":
        return 3 + sum(item_bytes(one) + 1 for one in inner)
    if kind in ("SS", "NS", "BS"):
        return sum(size(one) for one in inner)
    return 1 if kind in ("BOOL", "NULL") else size(inner)


# Amazon EventBridge API Reference, PutEvents; User Guide, "Calculating PutEvents event entry size".
def put_events(asked: Parameters) -> Iterator[str]:
    entries = asked.get("Entries", [])
    yield from over("Entries", len(entries), 10)
    bytes_ = sum(14 + sum(size(one.get(part, "")) for part in ("Source", "DetailType", "Detail")) for one in entries)
    yield from over("bytes of all entries", bytes_, 256 * KIB)
    for one in entries:
        if one.get("Source", "").startswith("aws."):
            yield f"the source {one['Source']} is AWS's own"
        try:
            if not isinstance(json.loads(one.get("Detail", "")), dict):
                yield "Detail is no JSON object"
        except ValueError:
            yield "Detail is no JSON"


# AWS Step Functions Developer Guide, "Quotas": 256 KiB as UTF-8; API Reference, StartExecution (name).
def states(asked: Parameters) -> Iterator[str]:
    for name in ("input", "output"):
        yield from over(f"bytes of {name}", size(asked.get(name, "")), 256 * KIB)
        if asked.get(name) is not None:
            try:
                json.loads(asked[name])
            except ValueError:
                yield f"{name} is no JSON"
    if regex.search(r"[\s<>{}\[\]?*\"#%\\^|~`$&,;:/\x00-\x1f\x7f-\x9f]", asked.get("name", "")):
        yield "name: a space, a bracket, a wildcard or another special character is in it"


# AWS Lambda Developer Guide, "Lambda quotas": 6 MB for an answer, 1 MB for later (since 2025-10).
def invoke(asked: Parameters) -> Iterator[str]:
    most = KIB**2 if asked.get("InvocationType") == "Event" else 6 * KIB**2
    yield from over("bytes of Payload", size(asked.get("Payload", b"")), most)


# AWS Systems Manager API Reference, SendCommand; service quotas ("SSM document": 64 KB).
def send_command(asked: Parameters) -> Iterator[str]:
    if not asked.get("InstanceIds") and not asked.get("Targets"):
        yield "neither InstanceIds nor Targets are there"
    yield from over("bytes of Parameters", size(json.dumps(asked.get("Parameters", {}))), 64 * KIB)


LIMITS: dict[str, Callable[[Parameters], Iterator[str]]] = {
    "cloudwatch:GetMetricData": get_metric_data,
    "cloudwatch:PutDashboard": put_dashboard,
    "ec2:RunInstances": run_instances,
    "events:PutEvents": put_events,
    "lambda:Invoke": invoke,
    "sns:Publish": publish,
    "ssm:SendCommand": send_command,
    "dynamodb:": dynamodb,
    "ec2:Describe": describe_ec2,
    "s3:": s3,
    "sqs:": sqs,
    "states:": states,
}


def limits_of(call: str, asked: Parameters) -> Iterator[str]:
    """What of a call (`ec2:RunInstances`) is over a limit."""
    for name, limit in LIMITS.items():
        if call == name or (name.endswith((":", "Describe")) and call.startswith(name)):
            yield from limit(asked)
