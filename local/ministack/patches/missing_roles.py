"""A role that is not there.

Gap: MiniStack hands out a session of any role, and simulates a role that is not there as one that may do nothing.
AWS: AssumeRole of it is AccessDenied, SimulatePrincipalPolicy NoSuchEntity. (IAM user guide, "I can't assume a role"; IAM API
reference, SimulatePrincipalPolicy, read 2026-11-26.)
It can go when the test "a role that is not there can be assumed, without its patch" fails.
"""

from typing import Any

from ministack.services import iam, sts

from patches import needs, replace_function


def _is_there(role_arn: str) -> bool:
    parts = role_arn.split(":")
    if len(parts) < 6 or not parts[5].startswith("role/"):
        return True  # no role: what is wrong with it is for others to say
    return iam._roles.get_scoped(parts[4], None, parts[5].split("/")[-1]) is not None


def apply() -> None:
    needs(iam, "_roles", "_error", "_IAM_HANDLERS", "_p")
    needs(sts, "_error")

    def assumed(arn_of: Any) -> Any:
        def patched(role_arn: Any, session_name: Any) -> Any:
            if _is_there(role_arn):
                return arn_of(role_arn, session_name)
            message = f"User is not authorized to perform: sts:AssumeRole on resource: {role_arn}"
            return None, sts._error(403, "AccessDenied", message, ns="sts")

        return patched

    def simulated(simulate: Any) -> Any:
        def patched(p: Any) -> Any:
            arn = iam._p(p, "PolicySourceArn")
            if _is_there(arn):
                return simulate(p)
            return iam._error(404, "NoSuchEntity", f"The role {arn} cannot be found.", ns="iam")

        return patched

    replace_function(sts, "_assumed_role_arn", assumed)
    replace_function(iam, "_simulate_principal_policy", simulated)
    iam._IAM_HANDLERS["SimulatePrincipalPolicy"] = iam._simulate_principal_policy
