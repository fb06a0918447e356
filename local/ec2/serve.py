"""EC2 on this machine, moto's: python serve.py --port N --account 111122223333 [--ministack URL]

Only EC2, on 127.0.0.1, in memory. inventory.py says how it tells of volumes and instances it was given, launches.py
how it launches others, keys.py with which keys, groups.py which security groups it refuses, modifications.py how volumes are
modified, admin.py what else can be asked of it.
"""

import argparse
import logging
import os
import signal
import sys
from importlib.metadata import version
from typing import Any

NEEDED = "5.2.5"


class _Options(argparse.Namespace):
    port: int
    account: str
    ministack: str | None


def main() -> None:
    parser = argparse.ArgumentParser(description="EC2 on this machine")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--account", required=True, help="12 digits: of who calls with a key that says no other account")
    parser.add_argument("--ministack", help="where IAM is, which says who may use a key; without it everybody may")
    options = parser.parse_args(namespace=_Options())
    if version("moto") != NEEDED:
        sys.exit(f"local/ec2 was written for moto {NEEDED} and found {version('moto')}: install local/requirements.txt")

    # What is imported is compiled once (pip compiles nothing), and nothing of that stays beside our files.
    sys.pycache_prefix = os.path.join(sys.prefix, "pycache")
    import groups
    import inventory
    import keys
    import launches
    import modifications
    from admin import Admin
    from moto.moto_server.werkzeug_app import MotoRequestHandler, create_backend_app
    from werkzeug.serving import run_simple

    class KeepAlive(MotoRequestHandler):
        """One connection for many calls, as the SDK expects; the log keeps errors only."""

        protocol_version = "HTTP/1.1"

        def log_request(self, code: Any = "-", size: Any = "-") -> None:
            if str(code) >= "500":
                super().log_request(code, size)

    groups.install()
    inventory.install()
    keys.install(options.ministack)
    launches.install()
    modifications.install()
    ec2 = create_backend_app("ec2")
    ec2.debug = False
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    run_simple("127.0.0.1", options.port, Admin(ec2, options.account), threaded=True, request_handler=KeepAlive)


if __name__ == "__main__":
    main()
