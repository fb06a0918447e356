"""Where the address of a function leads to.

Gap: MiniStack gives a Function URL of AWS's own domain, which nothing on this machine answers; it serves it as a path
below its own address too. AWS: who opens the Function URL of a stack's output reaches the function.
It can go when the test "the address of a function leads nowhere without its patch" fails.
"""

import os
from typing import Any

from ministack.services.cloudformation import provisioners
from ministack.services import lambda_svc

from patches import needs, replace_function


def _here(function_url: str) -> str:
    address = f"http://{os.environ['BIND_HOST']}:{os.environ['GATEWAY_PORT']}"
    return f"{address}/_aws/lambda-url/{lambda_svc._function_url_id(function_url)}/"


def apply() -> None:
    needs(lambda_svc, "_function_url_id")

    def make(attributes: Any) -> Any:
        def patched(config: Any) -> Any:
            given = attributes(config)
            return {**given, "FunctionUrl": _here(given["FunctionUrl"])}

        return patched

    replace_function(provisioners, "_lambda_url_attributes", make)
