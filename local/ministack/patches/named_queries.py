"""Saved queries of Athena, made by CloudFormation.

Gap: MiniStack knows AWS::Athena::NamedQuery in its Athena and not in its CloudFormation, and refuses a template that has one.
AWS: makes it. Each property is one that an update replaces the query for; Ref is its id.
(CloudFormation template reference, AWS::Athena::NamedQuery, read 2026-11-27.)
It can go when the test "a saved query cannot be deployed without its patch" fails.
"""

import json
from typing import Any

from ministack.services import athena
from ministack.services.cloudformation import provisioners

from patches import CannotPatch, needs

TYPE = "AWS::Athena::NamedQuery"


def _create(logical_id: str, props: dict[str, Any], stack_name: str) -> tuple[str, dict[str, Any]]:
    _, _, body = athena._create_named_query(props)
    query_id = json.loads(body)["NamedQueryId"]
    return query_id, {"NamedQueryId": query_id}


def _delete(physical_id: str, props: dict[str, Any]) -> None:
    athena._delete_named_query({"NamedQueryId": physical_id})


def _update(
    physical_id: str, old_props: dict[str, Any], new_props: dict[str, Any], stack_name: str
) -> tuple[str, dict[str, Any]]:
    if old_props == new_props:
        return physical_id, {"NamedQueryId": physical_id}
    made = _create("", new_props, stack_name)
    _delete(physical_id, old_props)
    return made


def apply() -> None:
    needs(athena, "_create_named_query", "_delete_named_query")
    needs(provisioners, "_RESOURCE_HANDLERS")
    if TYPE in provisioners._RESOURCE_HANDLERS:
        raise CannotPatch(f"MiniStack knows {TYPE} by itself")
    provisioners._RESOURCE_HANDLERS[TYPE] = {"create": _create, "update": _update, "delete": _delete}
