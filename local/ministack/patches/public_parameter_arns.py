"""Who may read a public parameter, where IAM is enforced.

Gap: to MiniStack the parameters that AWS publishes belong to the account that asks: a policy that names them as AWS does
allows nothing.
AWS: their ARNs name no account. (Systems Manager user guide, "Working with public parameters", read 2026-11-22.)
It can go when test/resilience/campaign-permissions.test.ts passes without it.
"""

import re
from typing import Any

from ministack.core import iam_actions

from patches import replace_function

_PUBLISHED = re.compile(r"^(arn:aws:ssm:[^:]*):\d{12}:(?=parameter/aws/)")


def _extract(extract: Any) -> Any:
    def patched(
        service: str,
        method: str,
        path: str,
        headers: Any,
        body: bytes,
        query_params: Any,
        region: str,
        account_id: str,
    ) -> str:
        arn: str = extract(service, method, path, headers, body, query_params, region, account_id)
        return _PUBLISHED.sub(r"\1::", arn)

    return patched


def apply() -> None:
    replace_function(iam_actions, "extract_resource_arn", _extract)
