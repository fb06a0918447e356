"""MiniStack 1.5.33 with its gaps mended: python launch.py [--mends all|none]

MiniStack itself is set up by environment variables (BIND_HOST, GATEWAY_PORT, MINISTACK_REGION ...). Without the
mends it is as it came: test/local/ministack-patches.test.ts compares the two.
"""

import argparse
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

NEEDED = "1.5.33"
MENDS = (
    "dashboards",
    "deleted_while_running",
    "distributed_map",
    "ec2_resources",
    "events_to_lambda",
    "failed_deletion",
    "full_bucket",
    "function_urls",
    "instance_profile_refs",
    "lambda_error_names",
    "lambda_heap",
    "lambda_throttling",
    "late_log_lines",
    "metric_math_alarms",
    "public_parameter_arns",
    "secret_refs",
    "service_events",
    "simulated_context",
    "sns_to_lambda",
    "ssm_documents",
    "stopped_executions",
    "succeed_output",
    "task_parameters",
    "task_tokens",
)


class _Options(argparse.Namespace):
    mends: str


def _installed() -> str:
    try:
        return version("ministack")
    except PackageNotFoundError:
        return "none"


def main() -> None:
    parser = argparse.ArgumentParser(description="AWS on this machine")
    parser.add_argument("--mends", choices=("all", "none"), default="all")
    options = parser.parse_args(namespace=_Options())
    if _installed() != NEEDED:
        sys.exit(
            f"local/ministack was written for ministack {NEEDED} and found {_installed()}: "
            "install local/requirements.txt, or look at every mend again"
        )
    if options.mends == "all":
        sys.dont_write_bytecode = True  # nothing of a run stays in the checkout
        from mends import CannotPatch

        for name in MENDS:
            try:
                import_module(f"mends.{name}").apply()
            except (CannotPatch, ImportError, AttributeError) as trouble:
                sys.exit(f"the mend local/ministack/patches/{name}.py does not fit this MiniStack: {trouble}")
        sys.dont_write_bytecode = False
    sys.argv = ["ministack"]  # its own options are none of ours
    from ministack.app import main as serve

    serve()


if __name__ == "__main__":
    main()
