"""Volumes and instances as the AWS CLI prints them, told again by DescribeVolumes and DescribeInstances.

moto cannot hold what a real account has: a volume on two instances, an attachment without an instance (of a
service such as Fargate), a type it has never heard of, the state "creating". So the documents are kept as they
came, for each account and Region, and moto's own serializer writes them as EC2's XML. What clients create through the API
afterwards is moto's and listed behind them; the other operations do not know the documents.
"""

import base64
import fnmatch
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from moto.core.responses import ActionResult
from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models import ec2_backends
from moto.ec2.responses.elastic_block_store import ElasticBlockStore
from moto.ec2.responses.instances import InstanceResponse

Document = dict[str, Any]


@dataclass
class Inventory:
    volumes: list[Document] = field(default_factory=list)
    reservations: list[Document] = field(default_factory=list)


# By account and Region.
_inventories: dict[tuple[str, str], Inventory] = {}


def _is_empty(account: str, region: str) -> bool:
    """Whether moto has nothing there yet: to begin takes 200 ms and 5 MB, which a hundred accounts need not. Of a Region that is
    none moto says so itself."""
    regions = ec2_backends[account]
    return region in regions.regions and region not in regions.keys()


def replace(account: str, region: str, volumes: list[Document], reservations: list[Document]) -> None:
    """Everything in that Region of the account is forgotten, moto's own volumes and instances too."""
    if not _is_empty(account, region):
        backend = ec2_backends[account][region]
        backend.volumes.clear()
        backend.attachments.clear()
        backend.reservations.clear()
    for document in (*volumes, *reservations):
        _read_times(document)
    _inventories[(account, region)] = Inventory(volumes, reservations)


def volume(account: str, region: str, volume_id: str) -> Document | None:
    known = _inventories.get((account, region), Inventory()).volumes
    return next((document for document in known if document["VolumeId"] == volume_id), None)


def _read_times(document: Any) -> None:
    """moto would read a time each time it tells it, which is a quarter of the work for a fleet of thousands."""
    for key, value in document.items():
        if isinstance(value, str) and key in ("AttachTime", "CreateTime", "LaunchTime"):
            document[key] = datetime.fromisoformat(value)
        elif isinstance(value, list):
            for part in value:
                if isinstance(part, dict):
                    _read_times(part)


def _tags(document: Document) -> list[Document]:
    return document.get("Tags", [])


_VOLUME_FILTERS: dict[str, Callable[[Document], Iterable[Any]]] = {
    "volume-id": lambda volume: [volume["VolumeId"]],
    "volume-type": lambda volume: [volume["VolumeType"]],
    "status": lambda volume: [volume["State"]],
    "size": lambda volume: [volume["Size"]],
    "encrypted": lambda volume: [str(volume.get("Encrypted", False)).lower()],
    "availability-zone": lambda volume: [volume["AvailabilityZone"]],
    "multi-attach-enabled": lambda volume: [str(volume.get("MultiAttachEnabled", False)).lower()],
    "attachment.instance-id": lambda volume: [a.get("InstanceId") for a in volume.get("Attachments", [])],
    "attachment.status": lambda volume: [a.get("State") for a in volume.get("Attachments", [])],
}

_INSTANCE_FILTERS: dict[str, Callable[[Document], Iterable[Any]]] = {
    "instance-id": lambda instance: [instance["InstanceId"]],
    "instance-type": lambda instance: [instance["InstanceType"]],
    "instance-state-name": lambda instance: [instance["State"]["Name"]],
    "availability-zone": lambda instance: [instance["Placement"]["AvailabilityZone"]],
}


def _matches(document: Document, known: dict[str, Callable[[Document], Iterable[Any]]], filters: Document) -> bool:
    """EC2: every filter must hold; a filter holds when one value of the resource is like one of its values."""
    for name, patterns in filters.items():
        if name.startswith("tag:"):
            values: Iterable[Any] = [tag["Value"] for tag in _tags(document) if tag["Key"] == name[4:]]
        elif name == "tag-key":
            values = [tag["Key"] for tag in _tags(document)]
        elif name in known:
            values = known[name](document)
        else:
            raise EC2ClientError("InvalidParameterValue", f"The filter '{name}' is not known to this local EC2")
        if not any(fnmatch.fnmatchcase(str(value), pattern) for value in values for pattern in patterns):
            return False
    return True


def _token(start: int) -> str:
    return base64.urlsafe_b64encode(f"from {start}".encode()).decode()


def _start(token: str) -> int:
    try:
        text = base64.urlsafe_b64decode(token).decode()
    except ValueError:
        text = ""
    if not re.fullmatch(r"from \d+", text):
        raise EC2ClientError("InvalidNextToken", "The specified NextToken is not valid.")
    return int(text[5:])


def _page(things: list[Any], max_results: Any, token: str | None, most: int) -> tuple[list[Any], str | None]:
    """AWS documents 5 and `most` as the bounds of MaxResults; what is outside is refused rather than corrected,
    so that what works here works there."""
    start = _start(token) if token else 0
    if max_results is None:
        return things[start:], None
    size = int(max_results)
    if not 5 <= size <= most:
        raise EC2ClientError(
            "InvalidParameterValue",
            f"Value ( {size} ) for parameter maxResults is invalid. Expecting a value from 5 to {most}.",
        )
    end = start + size
    return things[start:end], _token(end) if end < len(things) else None


def _refuse_ids_with_max_results(ids: list[str], max_results: Any, parameter: str) -> None:
    if ids and max_results is not None:
        raise EC2ClientError(
            "InvalidParameterCombination",
            f"The parameter {parameter} cannot be used with the parameter maxResults",
        )


def _describe_volumes(self: ElasticBlockStore) -> ActionResult:
    self.error_on_dryrun()
    filters, ids = self._filters_from_querystring(), self._get_param("VolumeIds", [])
    max_results = self._get_param("MaxResults")
    _refuse_ids_with_max_results(ids, max_results, "volumesSet")
    known = [
        volume
        for volume in _inventories.get((self.current_account, self.region), Inventory()).volumes
        if (not ids or volume["VolumeId"] in ids) and _matches(volume, _VOLUME_FILTERS, filters)
    ]
    found = {volume["VolumeId"] for volume in known}
    others = [volume_id for volume_id in ids if volume_id not in found]
    # An id that moto does not know either is refused by moto, in EC2's words.
    is_asked = others or (not ids and not _is_empty(self.current_account, self.region))
    of_moto = self.ec2_backend.describe_volumes(others, filters) if is_asked else []
    page, token = _page([*known, *of_moto], max_results, self._get_param("NextToken"), 500)
    return ActionResult({"Volumes": page, "NextToken": token})


def _describe_instances(self: InstanceResponse) -> ActionResult:
    self.error_on_dryrun()
    filters, ids = self._filters_from_querystring(), self._get_param("InstanceIds", [])
    max_results = self._get_param("MaxResults")
    _refuse_ids_with_max_results(ids, max_results, "instancesSet")
    known: list[Any] = []
    found: set[str] = set()
    for reservation in _inventories.get((self.current_account, self.region), Inventory()).reservations:
        instances = [
            instance
            for instance in reservation["Instances"]
            if (not ids or instance["InstanceId"] in ids) and _matches(instance, _INSTANCE_FILTERS, filters)
        ]
        if instances:
            known.append({**reservation, "Instances": instances})
            found.update(instance["InstanceId"] for instance in instances)
    others = [instance_id for instance_id in ids if instance_id not in found]
    if others:
        of_moto = self.ec2_backend.get_reservations_by_instance_ids(others, filters=filters)
    else:
        is_asked = not ids and not _is_empty(self.current_account, self.region)
        of_moto = self.ec2_backend.describe_instances(filters=filters) if is_asked else []
    # A page is counted in reservations: one is never torn in two.
    page, token = _page([*known, *of_moto], max_results, self._get_param("NextToken"), 1000)
    return ActionResult({"Reservations": page, "NextToken": token})


def install() -> None:
    for owner, name, patched in (
        (ElasticBlockStore, "describe_volumes", _describe_volumes),
        (InstanceResponse, "describe_instances", _describe_instances),
    ):
        if name not in vars(owner):
            raise SystemExit(f"moto has no {owner.__name__}.{name} any more: local/ec2/inventory.py must follow")
        setattr(owner, name, patched)
