"""What aws:PrincipalArn is of a session of a role.

Gap: MiniStack takes the ARN of the session, so that a condition on a role never holds.
AWS: the request context has the ARN of the role, not that of the session. (IAM user guide, "AWS global condition context keys",
aws:PrincipalArn, read 2026-11-27.)
It can go when the test "a condition on a role never holds for its sessions, without its patch" fails.
"""

from typing import Any

from ministack.core import iam_evaluator
from ministack.services import iam

from patches import needs, replace_function


def _resolve(resolve: Any) -> Any:
    def patched(key: str, ctx: Any) -> Any:
        value = resolve(key, ctx)
        if key.lower() != "aws:principalarn" or ":assumed-role/" not in str(value):
            return value
        account, resource = value.split(":", 5)[4:]
        role = iam._roles.get_scoped(account, None, resource.split("/")[1])
        return value if role is None else role["Arn"]

    return patched


def apply() -> None:
    needs(iam, "_roles")
    replace_function(iam_evaluator, "_resolve_condition_key", _resolve)
