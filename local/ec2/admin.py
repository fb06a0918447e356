"""Which account a call is of, and what tests and the demo ask of the local EC2 beside EC2's API: give it an inventory, count calls,
order faults and how modifications of volumes go.

PUT    /_stripewise/inventory?region=R[&account=A]   {"Volumes": [...], "Reservations": [...]} replaces that Region's
GET    /_stripewise/counts[?account=A]               {"calls": {"DescribeVolumes": 3}}, of all accounts or of one
POST   /_stripewise/counts/reset
POST   /_stripewise/faults               {"operation", "region"?, "account"?, "with"?, "code", "status", "times", "message"?, "after"?};
                                         operation "*" is any, times -1 for ever; with is what the call must say, such as
                                         {"InstanceType": "m5.large"}; after: true is an answer that is lost, of a call that was
                                         obeyed, and without a status (0) the connection ends without one
DELETE /_stripewise/faults
PUT    /_stripewise/clock                {"now": "2026-11-28T12:00:00Z"} of modifications of volumes; it stands until it is set again
PUT    /_stripewise/modifications[?volume=V]   {"modifyingSeconds"?, "optimizingSeconds"?, "fails"?} of those that begin from now on
GET    /_stripewise/modifications        [{"account", "region", "VolumeId", ...}]: all that began, whoever heard of them
GET    /_stripewise/ready
"""

import json
import re
import socket
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs
from xml.sax.saxutils import escape

from werkzeug.wrappers import Request, Response

import inventory
import modifications

Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


_BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def _account_of(key: str) -> str | None:
    """As local/account-of-key.ts."""
    if re.fullmatch(r"\d{12}", key):
        return key
    if not re.fullmatch(r"(AKIA|ASIA)[A-Z2-7]{16}", key):
        return None
    bits = 0
    for digit in key[4:14]:
        bits = bits << 5 | _BASE32.index(digit)
    return f"{bits >> 9 & (1 << 40) - 1:012d}" if bits >> 49 else None


def _scope_of(request: Request) -> tuple[str | None, str | None]:
    """Account and Region of the SigV4 credential scope: Credential=KEY/DATE/REGION/ec2/aws4_request."""
    _, _, scope = request.headers.get("Authorization", "").partition("Credential=")
    parts = scope.split(",")[0].split("/")
    return (_account_of(parts[0]), parts[2]) if len(parts) == 5 else (None, None)


def _said(request: Request) -> dict[str, str]:
    form = request.get_data(cache=True).decode() if request.method == "POST" else request.query_string.decode()
    return {name: values[0] for name, values in parse_qs(form).items()}


def _json(value: Any, status: int = 200) -> Response:
    return Response(json.dumps(value, default=datetime.isoformat), status, content_type="application/json")


# moto takes three seconds to write its 1,395 instance types. They never change, and are alike in every Region.
_REMEMBERED = "DescribeInstanceTypes"


class Admin:
    """A WSGI application before moto's: answers the routes above, counts and breaks what passes."""

    def __init__(self, ec2: Wsgi, account: str) -> None:
        self._ec2 = ec2
        self._account = account
        self._lock = threading.Lock()
        # By account and operation.
        self._calls: Counter[tuple[str, str]] = Counter()
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
        account, region = _scope_of(request)
        environ["HTTP_X_MOTO_ACCOUNT_ID"] = account = account or self._account
        if operation is not None:
            fault = self._count(operation, account, region, said)
            if fault is not None:
                if fault["after"]:
                    Response.from_app(self._ec2, environ, buffered=True)
                if fault["status"] == 0:
                    environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
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

    def _count(
        self, operation: str, account: str, region: str | None, said: dict[str, str]
    ) -> dict[str, Any] | None:
        with self._lock:
            self._calls[(account, operation)] += 1
            for fault in self._faults:
                is_there = fault.get("region", region) == region and fault.get("account", account) == account
                is_meant = fault["with"].items() <= said.items() and fault["operation"] in ("*", operation)
                if is_there and is_meant and fault["times"] != 0:
                    fault["times"] -= 1  # for ever starts at -1 and never comes to 0
                    return fault
        return None

    def _administer(self, request: Request) -> Response:
        asked = (request.method, request.path.removeprefix("/_stripewise/"))
        with self._lock:
            if asked == ("GET", "ready"):
                return _json({"ready": True})
            if asked == ("GET", "counts"):
                return _json({"calls": self._counts(request.args.get("account"))})
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
                if asked == ("PUT", "clock"):
                    modifications.set_clock(json.loads(request.data)["now"])
                    return _json({})
                if asked == ("PUT", "modifications"):
                    modifications.set_pace(request.args.get("volume"), json.loads(request.data))
                    return _json({})
                if asked == ("GET", "modifications"):
                    return _json(modifications.all_begun())
            except (ValueError, KeyError, TypeError) as error:
                return _json({"error": f"{asked[1]}: {type(error).__name__}: {error}"}, 400)
        return _json({"error": f"there is no {asked[0]} {request.path}"}, 404)

    def _counts(self, account: str | None) -> dict[str, int]:
        calls: Counter[str] = Counter()
        for (of, operation), count in self._calls.items():
            calls[operation] += count if account in (None, of) else 0
        return dict(+calls)

    def _order_fault(self, order: dict[str, Any]) -> Response:
        self._faults.append(
            {
                "operation": str(order["operation"]),
                "code": str(order["code"]),
                "status": int(order["status"]),
                "times": int(order["times"]),
                "after": bool(order.get("after", False)),
                "with": {str(name): str(value) for name, value in order.get("with", {}).items()},
                **{name: str(order[name]) for name in ("region", "account", "message") if name in order},
            }
        )
        return _json({})

    def _take_inventory(self, request: Request) -> Response:
        region = request.args.get("region")
        if not region:
            raise ValueError("say of which Region: ?region=us-east-1")
        told = json.loads(request.data)
        volumes, reservations = told["Volumes"], told["Reservations"]
        modifications.forget(request.args.get("account", self._account), region)
        inventory.replace(request.args.get("account", self._account), region, volumes, reservations)
        instances = sum(len(reservation["Instances"]) for reservation in reservations)
        return _json({"region": region, "volumes": len(volumes), "instances": instances})


def _ec2_error(fault: dict[str, Any]) -> Response:
    code = escape(fault["code"])
    message = escape(fault.get("message", f"{fault['code']}: ordered by a test of the local EC2"))
    status = fault["status"] or 500
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<Response><Errors><Error><Code>{code}</Code><Message>{message}</Message></Error></Errors>"
        f"<RequestID>{uuid.uuid4()}</RequestID></Response>"
    )
    return Response(body, status, content_type="text/xml;charset=UTF-8")
