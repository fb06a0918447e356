"""Dashboards of CloudFormation, where CloudWatch is a server of its own.

Gap: MiniStack puts a dashboard of a template into its own CloudWatch, also where AWS_ENDPOINT_URL_CLOUDWATCH says that
CloudWatch is elsewhere: what a function draws there is another dashboard, and stays when the stack goes.
AWS: there is one CloudWatch.
It can go when the test "a dashboard of a template is not in the CloudWatch of the functions without its patch" fails.
"""

import json
import os
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from ministack.core.responses import get_account_id, get_region
from ministack.services import cloudwatch

from patches import replace_function

_TIMEOUT_SECONDS = 10


def _call(endpoint: str, operation: str, body: dict[str, Any]) -> None:
    scope = f"{get_account_id()}/20260101/{get_region()}/monitoring/aws4_request"
    request = Request(
        endpoint,
        data=json.dumps(body).encode(),
        headers={
            "content-type": "application/x-amz-json-1.0",
            "x-amz-target": f"GraniteServiceVersion20100801.{operation}",
            # Signatures are not verified; the Region is read from the scope.
            "authorization": f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=none",
        },
    )
    with urlopen(request, timeout=_TIMEOUT_SECONDS):
        pass


def apply() -> None:
    endpoint = os.environ.get("AWS_ENDPOINT_URL_CLOUDWATCH")
    if not endpoint:
        return

    def make_put(_: Any) -> Any:
        def patched(name: str, body: str) -> str:
            _call(endpoint, "PutDashboard", {"DashboardName": name, "DashboardBody": body})
            return f"arn:aws:cloudwatch::{get_account_id()}:dashboard/{name}"

        return patched

    def make_delete(_: Any) -> Any:
        def patched(name: str) -> None:
            try:
                _call(endpoint, "DeleteDashboards", {"DashboardNames": [name]})
            except HTTPError as error:
                if error.code != 404:  # somebody deleted it before: so does CloudFormation see it
                    raise

        return patched

    replace_function(cloudwatch, "cloudformation_put_dashboard", make_put)
    replace_function(cloudwatch, "cloudformation_delete_dashboard", make_delete)
