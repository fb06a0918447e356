"""A role in another account than the caller's: who may assume it, and whose its credentials are.

Gaps: MiniStack looks at a role's trust policy under AUTH alone, knows no account that is suspended or closed, and lets a chained
session last as long as any; the key of a session does not say its account.
AWS: a role that is not there, or does not trust the caller, is AccessDenied with who asked for what; a chained session lasts an
hour at most; the account is part of an access key id. (IAM user guide, "I can't assume a role" and "Roles terms and concepts";
STS API reference, GetAccessKeyInfo, read 2026-11-27.)
How AWS refuses a role of an account that is suspended or closed is not documented: here as one that is not there.
Without AUTH nobody knows the caller's role: what a trust policy says of it (aws:PrincipalArn) counts as met then.
It can go when the test "another external id is no matter, without its patch" fails.
"""

import contextvars
import json
import secrets
from typing import Any
from urllib.parse import parse_qs

from ministack import app
from ministack.core import iam_evaluator
from ministack.core.responses import get_account_id, get_region
from ministack.services import iam, sts

from patches import needs, organizations, replace_function

_BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_CHAINED_SECONDS = 3_600

# Of the role that this call assumes.
_assumed: contextvars.ContextVar[str | None] = contextvars.ContextVar("assumed", default=None)


def _session_key(make: Any) -> Any:
    """With the account in it, as local/account-of-key.ts reads it."""

    def patched() -> str:
        account = _assumed.get()
        if account is None:
            key: str = make()
            return key
        bits = 1 << 49 | int(account) << 9 | secrets.randbits(9)
        digits = [_BASE32[bits >> shift & 31] for shift in range(45, -1, -5)]
        return "ASIA" + "".join([*digits, *(secrets.choice(_BASE32) for _ in range(6))])

    return patched


def _without_principal(document: dict[str, Any]) -> dict[str, Any]:
    statements = document.get("Statement", [])
    return {
        **document,
        "Statement": [
            {
                **statement,
                "Condition": {
                    operator: {key: value for key, value in keys.items() if key.lower() != "aws:principalarn"}
                    for operator, keys in statement.get("Condition", {}).items()
                },
            }
            for statement in ([statements] if isinstance(statements, dict) else statements)
        ],
    }


def _trusts(role: dict[str, Any], caller: dict[str, Any], asked: dict[str, str]) -> bool:
    written = role.get("AssumeRolePolicyDocument", "{}")
    document = json.loads(written) if isinstance(written, str) else written
    context = iam_evaluator.EvalContext(
        principal_arn=caller["userArn"],
        principal_type=caller["principalType"],
        principal_account=caller["accountId"],
        action="sts:AssumeRole",
        resource_arn=asked["RoleArn"],
        region=get_region(),
        service_context={
            "sts:externalid": asked.get("ExternalId"),
            "sts:rolesessionname": asked.get("RoleSessionName"),
        },
        principal_keys=caller.get("principalKeys", {}),
    )
    trusted = document if app.AUTH else _without_principal(document)
    return iam_evaluator.evaluate_trust_policy(trusted, caller["userArn"], context)


def _refused(asked: dict[str, str], account: str, caller: dict[str, Any]) -> Any:
    role_arn = asked["RoleArn"]
    if organizations.account_record(account).get("_IsThrottled"):
        return sts._error(400, "Throttling", "Rate exceeded", ns="sts")
    role = iam._roles.get_scoped(account, None, role_arn.rsplit("/", 1)[-1])
    is_there = role is not None and role["Arn"] == role_arn and organizations.is_usable(account)
    if not (is_there and _trusts(role, caller, asked)):
        message = f"User: {caller['userArn']} is not authorized to perform: sts:AssumeRole on resource: {role_arn}"
        return sts._error(403, "AccessDenied", message, ns="sts")
    if caller["isTemporary"] and int(asked.get("DurationSeconds", 0)) > _CHAINED_SECONDS:
        message = "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining"
        return sts._error(400, "ValidationError", message, ns="sts")
    return None


def _handle(handle: Any) -> Any:
    async def patched(method: Any, path: Any, headers: Any, body: Any, query_params: Any) -> Any:
        asked = {name: values[0] for name, values in parse_qs((body or b"").decode("utf-8", "replace")).items()}
        parts = asked.get("RoleArn", "").split(":")
        if asked.get("Action") == "AssumeRole" and len(parts) == 6:
            _assumed.set(parts[4])
            if parts[4] != get_account_id():
                caller = sts._caller_identity(headers, query_params)
                if isinstance(caller, iam_evaluator.CredentialResolutionError):
                    return sts._credential_error_response(caller)
                if refused := _refused(asked, parts[4], caller):
                    return refused
        return await handle(method, path, headers, body, query_params)

    return patched


def apply() -> None:
    needs(iam, "_roles")
    needs(sts, "_caller_identity", "_credential_error_response", "_error")
    needs(iam_evaluator, "evaluate_trust_policy", "EvalContext", "CredentialResolutionError")
    replace_function(sts, "_gen_session_access_key", _session_key)
    replace_function(sts, "handle_request", _handle)
