"""An organization of accounts that somebody puts there (local/organization.ts), with the state of each, in pages.

Gaps: in MiniStack each account is the management account of an organization of its own; no account has a State; the lists know
no pages; ListRegions knows no other account than the caller's, and no Region that is off.
AWS: who is in no organization is answered AWSOrganizationsNotInUseException, a member that is no delegated administrator
AccessDeniedException; State says more than Status, which it replaces; a page of accounts or units has 20 at most, one of Regions 50.
(Organizations API reference; Organizations user guide, "Monitor the state of your AWS accounts"; Account Management API
reference, ListRegions, read 2026-11-27.) Service control policies: see organization_policies.py.
It can go when the test "accounts have no State, without its patch" fails.
"""

import base64
import json
from typing import Any

from ministack import app
from ministack.core import iam_evaluator
from ministack.core.responses import error_response_json, get_account_id, get_region, request_scope
from ministack.services import account as account_svc
from ministack.services import organizations as org

from patches import needs, replace_function

Payload = dict[str, Any]

# Account to its management account, which is its own.
_management: dict[str, str] = {}
_delegated: dict[str, set[str]] = {}

# What Status, which knows fewer states, says.
_STATUS = {"CLOSED": "SUSPENDED", "PENDING_ACTIVATION": "ACTIVE"}
_LISTS = {
    "ListAccounts": "Accounts",
    "ListAccountsForParent": "Accounts",
    "ListOrganizationalUnitsForParent": "OrganizationalUnits",
    "ListRoots": "Roots",
    "ListParents": "Parents",
}
_MOST = 20
_MOST_REGIONS = 50


def account_record(account: str) -> Payload:
    """Of a member or management account; empty for one that is in no organization."""
    record: Payload = org._accounts.get_scoped(_management.get(account, ""), None, account) or {}
    return record


def is_usable(account: str) -> bool:
    return account_record(account).get("State", "ACTIVE") in ("ACTIVE", "PENDING_CLOSURE")


def control_policies(account: str) -> list[list[str]]:
    """Documents of service control policies from the root down, a list a level; none for a management account."""
    master = _management.get(account, account)
    if master == account:
        return []
    with request_scope(master, get_region()):
        levels, target = [], account
        while True:
            attached = [policy for policy, targets in org._attachments.items() if target in targets]
            levels.append([org._policies[policy]["_Content"] for policy in attached])
            record, kind = org._target(target)
            if record is None or kind == "ROOT":
                return levels[::-1]
            target = record["_ParentId"]


def _attach_full_access(target: str) -> None:
    attached = org._attachments[org.FULL_ACCESS_POLICY_ID]
    if target not in attached:
        org._attachments[org.FULL_ACCESS_POLICY_ID] = [*attached, target]


def _unit(root: str, path: str) -> str:
    """The id of the unit that names lead to from the root (`Prod/Data`), made where it is not there."""
    parent = root
    for name in filter(None, path.split("/")):
        found = [one for one in org._ous.values() if one["_ParentId"] == parent and one["Name"] == name]
        if not found:
            org._create_organizational_unit({"ParentId": parent, "Name": name})
            found = [one for one in org._ous.values() if one["_ParentId"] == parent and one["Name"] == name]
            _attach_full_access(found[0]["Id"])
        parent = found[0]["Id"]
    return parent


def _deny(account: str, actions: list[str]) -> None:
    """By a policy of its own, in place of the one before."""
    policy = f"p-{account}"
    statement = {"Effect": "Deny", "Action": actions, "Resource": "*"}
    content = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    about = {"Id": policy, "Name": policy, "Type": "SERVICE_CONTROL_POLICY", "AwsManaged": False}
    org._policies[policy] = {**about, "_Content": content}
    org._attachments[policy] = [account] if actions else []


def _plant(master: str, payload: Payload) -> Payload:
    """Puts accounts into the organization of a management account, and replaces what is said of those that are in it."""
    org._ensure_org()
    root, org_id = next(iter(org._roots.keys())), org._orgs["self"]["Id"]
    _management[master] = master
    _delegated.setdefault(master, set()).update(payload.get("DelegatedAdministrators", []))
    units: dict[str, str] = {}
    for told in payload["Accounts"]:
        account, state, path = told["Id"], told.get("State", "ACTIVE"), told.get("Unit", "")
        units[path] = units.get(path) or _unit(root, path)
        before = org._accounts.get(account) or {}
        org._accounts[account] = {
            **before,
            "Id": account,
            "Arn": f"arn:aws:organizations::{master}:account/{org_id}/{account}",
            "Email": f"aws+{account}@example.com",
            "Name": told["Name"],
            "Status": _STATUS.get(state, state),
            "State": state,
            "JoinedMethod": "CREATED" if account != master else "INVITED",
            "JoinedTimestamp": 1_700_000_000,
            "_ParentId": units[path],
            "_DisabledRegions": told.get("DisabledRegions", []),
            "_IsThrottled": told.get("IsThrottled", False),
        }
        _management[account] = master
        _attach_full_access(account)
        _deny(account, told.get("Denied", []))
    for account in payload.get("Left", []):
        org._accounts.pop(account, None)
        _management.pop(account, None)
    return {"OrganizationId": org_id, "RootId": root, "Units": {path: units[path] for path in units if path}}


def _shortcuts(handle: Any) -> Any:
    """With `POST /_stripewise/organization?management=111122223333`: see local/organization.ts. It is no part of AWS."""

    async def patched(method: str, path: str, headers: Any, body: bytes, query_params: Any, request_id: str) -> Any:
        if (method, path) != ("POST", "/_stripewise/organization"):
            return await handle(method, path, headers, body, query_params, request_id)
        master = query_params["management"][0]
        with request_scope(master, get_region()):
            return org._json(200, _plant(master, json.loads(body)))

    return patched


def _paged(reply: Any, name: str, payload: Payload, most: int) -> Any:
    status, headers, body = reply
    if status != 200:
        return reply
    size = min(int(payload.get("MaxResults") or most), most)
    token = payload.get("NextToken")
    try:
        start = int(base64.b64decode(token)) if token else 0
    except ValueError:
        return error_response_json("InvalidInputException", "You provided an invalid NextToken.", 400)
    told = json.loads(body)
    end = start + size
    more = {"NextToken": base64.b64encode(str(end).encode()).decode()} if end < len(told[name]) else {}
    return status, headers, json.dumps({**told, name: told[name][start:end], **more}).encode()


def _of_member(name: str, operation: Any) -> Any:
    def patched(payload: Payload) -> Any:
        caller = get_account_id()
        master = _management.get(caller)
        if master is None:
            message = "Your account is not a member of an organization."
            return error_response_json("AWSOrganizationsNotInUseException", message, 400)
        is_served = caller == master or caller in _delegated[master] or name == "DescribeOrganization"
        if not is_served:
            message = "You don't have permissions to access this resource."
            return error_response_json("AccessDeniedException", message, 400)
        with request_scope(master, get_region()):
            reply = operation(payload)
        return _paged(reply, _LISTS[name], payload, _MOST) if name in _LISTS else reply

    return patched


def _regions(list_regions: Any) -> Any:
    def patched(payload: Payload) -> Any:
        caller, asked = get_account_id(), payload.get("AccountId")
        master = _management.get(caller)
        may_ask = caller == master or caller in _delegated.get(master or "", set())
        if asked is not None and (asked == master or not may_ask or _management.get(asked) != master):
            message = "User is not authorized to perform: account:ListRegions"
            return error_response_json("AccessDeniedException", message, 403)
        off = account_record(asked or caller).get("_DisabledRegions", [])
        statuses = payload.get("RegionOptStatusContains") or []
        _, headers, body = list_regions({})
        regions = [
            {**one, "RegionOptStatus": "DISABLED"} if one["RegionName"] in off else one
            for one in json.loads(body)["Regions"]
        ]
        told = [one for one in regions if not statuses or one["RegionOptStatus"] in statuses]
        return _paged((200, headers, json.dumps({"Regions": told}).encode()), "Regions", payload, _MOST_REGIONS)

    return patched


def _reset(reset: Any) -> Any:
    def patched() -> None:
        reset()
        _management.clear()
        _delegated.clear()

    return patched


def _organization_id(_: Any) -> Any:
    def patched(account_id: str) -> str | None:
        organization = org._orgs.get_scoped(_management.get(account_id, ""), None, "self")
        return organization["Id"] if organization else None

    return patched


def apply() -> None:
    needs(org, "_ensure_org", "_target", "_DISPATCH", "_orgs", "_roots", "_ous", "_accounts", "_policies", "_attachments")
    needs(account_svc, "_DISPATCH")
    for name, operation in org._DISPATCH.items():
        org._DISPATCH[name] = _of_member(name, operation)
    replace_function(app, "_handle_post_body_shortcuts", _shortcuts)
    replace_function(org, "reset", _reset)
    replace_function(iam_evaluator, "_principal_org_id", _organization_id)
    replace_function(account_svc, "_list_regions", _regions)
    account_svc._DISPATCH["/listRegions"] = account_svc._list_regions
