"""Where the address of a function leads to, and who the function hears that it was called by.

Gaps: MiniStack gives a Function URL of AWS's own domain, which nothing on this machine answers; it serves it as a path
below its own address too. Of who signed a call the function hears nothing.
AWS: who opens the Function URL of a stack's output reaches the function. With AuthType AWS_IAM the event has
requestContext.authorizer.iam, and requestContext.accountId is the caller's. (Lambda developer guide, "Request payload format",
read 2026-11-28.)
It can go when the tests "leads nowhere without its patch" and "does not hear who calls, without its patch" fail.
"""

import os
from typing import Any

from ministack.core import iam_evaluator, router
from ministack.services import lambda_svc
from ministack.services.cloudformation import provisioners

from patches import needs, replace_function


def _here(function_url: str) -> str:
    address = f"http://{os.environ['BIND_HOST']}:{os.environ['GATEWAY_PORT']}"
    return f"{address}/_aws/lambda-url/{lambda_svc._function_url_id(function_url)}/"


def _attributes(attributes: Any) -> Any:
    def patched(config: Any) -> Any:
        given = attributes(config)
        return {**given, "FunctionUrl": _here(given["FunctionUrl"])}

    return patched


def _caller(headers: dict[str, str], query_params: dict[str, Any]) -> dict[str, Any] | None:
    key = router.extract_access_key_id(headers, query_params)
    caller = iam_evaluator.resolve_caller_identity(key)
    if caller is None:
        return None
    return {
        "accessKey": caller["accessKey"],
        "accountId": caller["accountId"],
        "callerId": caller["userId"],
        "cognitoIdentity": None,
        "principalOrgId": caller["principalOrgId"],
        "userArn": caller["userArn"],
        "userId": caller["userId"],
    }


def _event(build_event: Any) -> Any:
    def patched(
        url_id: str,
        account_id: str,
        region: str,
        method: str,
        path: str,
        headers: dict[str, str],
        body: bytes,
        query_params: dict[str, Any],
        source_ip: str = "127.0.0.1",
        anonymous: bool = False,
        trace_root: str = "",
    ) -> dict[str, Any]:
        event: dict[str, Any] = build_event(
            url_id, account_id, region, method, path, headers, body, query_params, source_ip, anonymous, trace_root
        )
        caller = None if anonymous else _caller(headers, query_params)
        if caller is not None:
            event["requestContext"].update(accountId=caller["accountId"], authorizer={"iam": caller})
        return event

    return patched


def apply() -> None:
    needs(lambda_svc, "_function_url_id")
    needs(iam_evaluator, "resolve_caller_identity")
    needs(router, "extract_access_key_id")
    replace_function(provisioners, "_lambda_url_attributes", _attributes)
    replace_function(lambda_svc, "_build_function_url_event", _event)
