"""Service control policies: of an organization that was put there (organizations.py), and as JSON in
STRIPEWISE_ORGANIZATION_POLICIES for every account.

Gap: MiniStack knows no service control policies: a simulation does not name them, and nothing is refused by them.
AWS: a simulation says AllowedByOrganizations of each action, and denies what they do not allow; CreateFunctionUrlConfig of
CloudFormation too is refused with "explicit deny in a service control policy". (IAM API reference, OrganizationsDecisionDetail;
IAM user guide, "Troubleshoot access denied error messages", read 2026-11-26.) Here they are asked of simulations, of calls under
AUTH and of Function URLs, which is what the product meets them with.
It can go when the test "an organization denies nothing without its patch" fails.
"""

import os
from typing import Any

from ministack.core import iam_evaluator
from ministack.core.iam_evaluator import AuthError, EvalContext, ParsedStatement, evaluate, parse_policy_document
from ministack.core.responses import error_response_json, get_account_id, get_region
from ministack.services import iam, lambda_svc

from patches import needs, organizations, replace_function

_VARIABLE = "STRIPEWISE_ORGANIZATION_POLICIES"


def _limits(account: str) -> list[list[list[ParsedStatement]]]:
    """Each must allow what is asked, and none may deny it."""
    for_all = [[os.environ[_VARIABLE]]] if _VARIABLE in os.environ else []
    levels = [*for_all, *organizations.control_policies(account)]
    return [[parse_policy_document(document) for document in level] for level in levels]


def _resolve_principal(resolve: Any) -> Any:
    def patched(access_key_id: str, account_id: str, credential: Any = None) -> Any:
        principal = resolve(access_key_id, account_id, credential)
        if not isinstance(principal, AuthError):
            principal.limits += _limits(principal.account)
        return principal

    return patched


def _is_allowed(action: str, resource: str, principal: str, context: dict[str, Any]) -> bool:
    asked = EvalContext(
        principal_arn=principal,
        principal_type="AssumedRole",
        principal_account=get_account_id(),
        action=action,
        resource_arn=resource,
        region=get_region(),
        service_context=context,
    )
    everything = parse_policy_document({"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}})
    return evaluate(asked, [everything], *_limits(asked.principal_account)).decision == "Allow"


def _results(build: Any) -> Any:
    def patched(actions: Any, resource_arn: Any, principal_arn: Any, account_id: Any, policies: Any) -> Any:
        if not _limits(account_id):
            return build(actions, resource_arn, principal_arn, account_id, policies)
        members = ""
        for action in actions:
            member = build([action], resource_arn, principal_arn, account_id, policies)
            is_allowed = _is_allowed(action, resource_arn, principal_arn, {})
            if not is_allowed:
                member = member.replace(">allowed<", ">explicitDeny<")
            detail = (
                "<OrganizationsDecisionDetail><AllowedByOrganizations>"
                f"{str(is_allowed).lower()}</AllowedByOrganizations></OrganizationsDecisionDetail></member>"
            )
            members += member.replace("</member>", detail)
        return members

    return patched


def _create_url(create: Any) -> Any:
    def patched(func_name: Any, data: Any, qualifier: Any) -> Any:
        arn = f"arn:aws:lambda:{get_region()}:{get_account_id()}:function:{func_name}"
        action, asker = "lambda:CreateFunctionUrlConfig", f"arn:aws:iam::{get_account_id()}:root"
        if _is_allowed(action, arn, asker, {"lambda:functionurlauthtype": data.get("AuthType")}):
            return create(func_name, data, qualifier)
        return error_response_json(
            "AccessDeniedException",
            f"User: {asker} is not authorized to perform: {action} on resource: {arn} "
            "with an explicit deny in a service control policy",
            403,
        )

    return patched


def apply() -> None:
    needs(lambda_svc, "_create_function_url_config")
    replace_function(iam_evaluator, "resolve_principal", _resolve_principal)
    replace_function(iam, "_build_simulate_results_real", _results)
    replace_function(lambda_svc, "_create_function_url_config", _create_url)
