"""What tests and the demo ask of the local EC2 beside EC2's API: give it an inventory, count calls, order faults.

PUT    /_stripewise/inventory?region=R   {"Volumes": [...], "Reservations": [...]} replaces that Region's
GET    /_stripewise/counts               {"calls": {"DescribeVolumes": 3}}
POST   /_stripewise/counts/reset
POST   /_stripewise/faults               {"operation", "region"?, "with"?, "code", "status", "times"}; times -1 is for
                                         ever; with is what the call must say, such as {"InstanceType": "m5.large"}
DELETE /_stripewise/faults
GET    /_stripewise/ready
"""

import json
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs
from xml.sax.saxutils import escape

from werkzeug.wrappers import Request, Response

import inventory

Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


def _region_of(request: Request) -> str | None:
    """The Region of the SigV4 credential scope: Credential=KEY/DATE/REGION/ec2/aws4_request."""
    _, _, scope = request.headers.get("Authorization", "").partition("Credential=")
    parts = scope.split(",")[0].split("/")
    return parts[2] if len(parts) == 5 else None


def _said(request: Request) -> dict[str, str]:
    form = request.get_data(cache=True).decode() if request.method == "POST" else request.query_string.decode()
    return {name: values[0] for name, values in parse_qs(form).items()}


def _json(value: Any, status: int = 200) -> Response:
    return Response(json.dumps(value), status, content_type="application/json")


# moto takes three seconds to write its 1,395 instance types. They never change, and are alike in every Region.
_REMEMBERED = "DescribeInstanceTypes"


class Admin:
    """A WSGI application before moto's: answers the routes above, counts and breaks what passes."""

    def __init__(self, ec2: Wsgi, account: str) -> None:
        self._ec2 = ec2
        self._account = account
        self._lock = threading.Lock()
        self._calls: Counter[str] = Counter()
        self._faults: list[dict[str, Any]] = []
        self._replies: dict[bytes, Response] = {}
        self._replying = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        request = Request(environ)
        if request.path.startswith("/_stripewise/"):
            return self._administer(request)(environ, start_response)
        said = _said(request)
        operation = said.get("Action")
        environ["wsgi.input"] = BytesIO(request.get_data(cache=True))  # moto reads the body again
        if operation is not None:
            fault = self._count(operation, _region_of(request), said)
            if fault is not None:
                return _ec2_error(fault)(environ, start_response)
        if operation == _REMEMBERED:
            return self._remembered(request, environ)(environ, start_response)
        return self._ec2(environ, start_response)

    def _remembered(self, request: Request, environ: dict[str, Any]) -> Response:
        asked = request.get_data(cache=True) or request.query_string
        with self._replying:  # who asks for the same meanwhile waits for it
            reply = self._replies.get(asked)
            if reply is None:
                reply = Response.from_app(self._ec2, environ, buffered=True)
                if reply.status_code == 200:
                    self._replies[asked] = reply
        return reply

    def _count(self, operation: str, region: str | None, said: dict[str, str]) -> dict[str, Any] | None:
        with self._lock:
            self._calls[operation] += 1
            for fault in self._faults:
                is_meant = fault["with"].items() <= said.items() and fault.get("region", region) == region
                if fault["operation"] == operation and is_meant and fault["times"] != 0:
                    fault["times"] -= 1  # for ever starts at -1 and never comes to 0
                    return fault
        return None

    def _administer(self, request: Request) -> Response:
        asked = (request.method, request.path.removeprefix("/_stripewise/"))
        with self._lock:
            if asked == ("GET", "ready"):
                return _json({"ready": True})
            if asked == ("GET", "counts"):
                return _json({"calls": dict(self._calls)})
            if asked == ("POST", "counts/reset"):
                self._calls.clear()
                return _json({})
            if asked == ("DELETE", "faults"):
                self._faults.clear()
                return _json({})
            try:
                if asked == ("POST", "faults"):
                    return self._order_fault(json.loads(request.data))
                if asked == ("PUT", "inventory"):
                    return self._take_inventory(request)
            except (ValueError, KeyError, TypeError) as error:
                return _json({"error": f"{asked[1]}: {type(error).__name__}: {error}"}, 400)
        return _json({"error": f"there is no {asked[0]} {request.path}"}, 404)

    def _order_fault(self, order: dict[str, Any]) -> Response:
        self._faults.append(
            {
                "operation": str(order["operation"]),
                "code": str(order["code"]),
                "status": int(order["status"]),
                "times": int(order["times"]),
                "with": {str(name): str(value) for name, value in order.get("with", {}).items()},
                **({"region": str(order["region"])} if "region" in order else {}),
            }
        )
        return _json({})

    def _take_inventory(self, request: Request) -> Response:
        region = request.args.get("region")
        if not region:
            raise ValueError("say of which Region: ?region=us-east-1")
        told = json.loads(request.data)
        volumes, reservations = told["Volumes"], told["Reservations"]
        inventory.replace(self._account, region, volumes, reservations)
        instances = sum(len(reservation["Instances"]) for reservation in reservations)
        return _json({"region": region, "volumes": len(volumes), "instances": instances})


def _ec2_error(fault: dict[str, Any]) -> Response:
    code = escape(fault["code"])
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<Response><Errors><Error><Code>{code}</Code><Message>{code}: ordered by a test of the local EC2"
        f"</Message></Error></Errors><RequestID>{uuid.uuid4()}</RequestID></Response>"
    )
    return Response(body, fault["status"], content_type="text/xml;charset=UTF-8")
