"""Documents of Systems Manager: made by CloudFormation, read through GetDocument and DescribeDocument.

Gap: MiniStack does not know AWS::SSM::Document, refuses a template that has one, and has no operation for documents.
AWS: makes it, under a name of its own where none is given; an update with UpdateMethod NewVersion adds a version and
makes it the default one. (CloudFormation template reference, AWS::SSM::Document, read 2026-11-22.)
Patched are create, update by NewVersion of the content alone, delete, the two reads, and the state that is saved. Any other update would be a
replacement: it fails, and so do the other operations on documents, as before.
It can go when the test "a document cannot be deployed without its patch" fails.
"""

import hashlib
import json
import time
from typing import Any

from ministack.core.responses import (
    AccountRegionScopedDict,
    error_response_json,
    get_account_id,
    json_response,
)
from ministack.services import ssm
from ministack.services.cloudformation import provisioners

from patches import CannotPatch, needs, replace_function

TYPE = "AWS::SSM::Document"
# Documents differ in these for good: another value would need another document.
SAME_IN_ALL_VERSIONS = ("Name", "DocumentType", "DocumentFormat", "TargetType")

_documents = AccountRegionScopedDict()


class _Refused(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Document:
    def __init__(self, name: str, props: dict[str, Any]) -> None:
        self.name = name
        self.type = props.get("DocumentType", "Command")
        self.format = props.get("DocumentFormat", "JSON")
        self.target_type = props.get("TargetType")
        self.contents: list[str] = []
        self.created: list[float] = []
        self.add(props)

    def add(self, props: dict[str, Any]) -> None:
        content = props["Content"]
        self.contents.append(content if isinstance(content, str) else json.dumps(content))
        self.created.append(time.time())

    def number(self, asked: str | None) -> int:
        """From 1. CloudFormation makes each new version the default one, so the last is both."""
        last = len(self.contents)
        if asked in (None, "", "$DEFAULT", "$LATEST"):
            return last
        if asked.isdigit() and 1 <= int(asked) <= last:
            return int(asked)
        raise _Refused("InvalidDocumentVersion", f"The document {self.name} has no version {asked}.")

    def version(self, number: int) -> dict[str, Any]:
        return {
            "Name": self.name,
            "CreatedDate": self.created[number - 1],
            "DocumentVersion": str(number),
            "Status": "Active",
            "DocumentType": self.type,
            "DocumentFormat": self.format,
        }


def _found(data: dict[str, Any]) -> _Document:
    name = data.get("Name", "")
    # As an ARN too: arn:aws:ssm:us-east-1:111122223333:document/NAME
    document = _documents.get(name.split("/")[-1] if name.startswith("arn:") else name)
    if document is None:
        raise _Refused("InvalidDocument", f"Document with name {name} does not exist.")
    return document


def _get_document(data: dict[str, Any]) -> dict[str, Any]:
    document = _found(data)
    number = document.number(data.get("DocumentVersion"))
    return document.version(number) | {"Content": document.contents[number - 1]}


def _describe_document(data: dict[str, Any]) -> dict[str, Any]:
    document = _found(data)
    number = document.number(data.get("DocumentVersion"))
    last = str(len(document.contents))
    described = document.version(number) | {
        "LatestVersion": last,
        "DefaultVersion": last,
        "Owner": get_account_id(),
        "Hash": hashlib.sha256(document.contents[number - 1].encode()).hexdigest(),
        "HashType": "Sha256",
    }
    if document.target_type is not None:
        described["TargetType"] = document.target_type
    return {"Document": described}


OPERATIONS = {"AmazonSSM.GetDocument": _get_document, "AmazonSSM.DescribeDocument": _describe_document}


def _create(logical_id: str, props: dict[str, Any], stack_name: str) -> tuple[str, dict[str, Any]]:
    name = props.get("Name") or provisioners._physical_name(stack_name, logical_id)
    if name in _documents:
        raise ValueError(f"Document with same name {name} already exists")
    _documents[name] = _Document(name, props)
    return name, {}


def _update(
    physical_id: str, old_props: dict[str, Any], new_props: dict[str, Any], stack_name: str
) -> tuple[str, dict[str, Any]]:
    changed = [key for key in SAME_IN_ALL_VERSIONS if old_props.get(key) != new_props.get(key)]
    if new_props.get("UpdateMethod") != "NewVersion" or changed:
        raise ValueError(f"the local AWS updates an {TYPE} by UpdateMethod NewVersion alone, and of it the Content")
    # Where other properties alone have changed, AWS has no new version either.
    if old_props["Content"] != new_props["Content"]:
        _documents[physical_id].add(new_props)
    return physical_id, {}


def _delete(physical_id: str, props: dict[str, Any]) -> None:
    _documents.pop(physical_id, None)


def apply() -> None:
    needs(provisioners, "_RESOURCE_HANDLERS", "_physical_name")
    if TYPE in provisioners._RESOURCE_HANDLERS:
        raise CannotPatch(f"MiniStack knows {TYPE} by itself")
    provisioners._RESOURCE_HANDLERS[TYPE] = {"create": _create, "update": _update, "delete": _delete}

    def make(handle_request: Any) -> Any:
        async def patched(
            method: str, path: str, headers: dict[str, str], body: bytes, query_params: dict[str, Any]
        ) -> Any:
            operation = OPERATIONS.get(headers.get("x-amz-target", ""))
            if operation is None:
                return await handle_request(method, path, headers, body, query_params)
            try:
                return json_response(operation(json.loads(body or "{}")))
            except _Refused as refused:
                return error_response_json(refused.code, str(refused), 400)

        return patched

    replace_function(ssm, "handle_request", make)

    def make_reset(reset: Any) -> Any:
        def patched() -> None:
            reset()
            _documents.clear()

        return patched

    replace_function(ssm, "reset", make_reset)

    def make_get_state(get_state: Any) -> Any:
        def patched() -> dict[str, Any]:
            documents = AccountRegionScopedDict()
            documents._data.update({key: vars(document) for key, document in _documents._data.items()})
            return get_state() | {"documents": documents}

        return patched

    replace_function(ssm, "get_state", make_get_state)

    def make_load(load_persisted_state: Any) -> Any:
        def patched(data: Any) -> None:
            load_persisted_state(data)
            saved = data.get("documents")
            for key, state in saved._data.items() if saved is not None else ():
                document = _Document.__new__(_Document)
                vars(document).update(state)
                _documents._data[key] = document

        return patched

    replace_function(ssm, "load_persisted_state", make_load)
