"""MiniStack 1.5.33 with its gaps patched: python launch.py [--patches all|none]

MiniStack itself is set up by environment variables (BIND_HOST, GATEWAY_PORT, MINISTACK_REGION ...). Without the
patches it is as it came: test/local/ministack-patches.test.ts compares the two.
"""

import argparse
import os
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

NEEDED = "1.5.33"
PATCHES = (
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
    "member_accounts",
    "metric_math_alarms",
    "missing_roles",
    "named_queries",
    "organization_policies",
    "organizations",
    "principal_arns",
    "public_parameter_arns",
    "secret_refs",
    "service_events",
    "simulated_clock",
    "simulated_context",
    "sns_to_lambda",
    "ssm_documents",
    "stopped_executions",
    "succeed_output",
    "task_parameters",
    "task_tokens",
    "whole_logs",
)


class _Options(argparse.Namespace):
    patches: str


def _installed() -> str:
    try:
        return version("ministack")
    except PackageNotFoundError:
        return "none"


def main() -> None:
    parser = argparse.ArgumentParser(description="AWS on this machine")
    parser.add_argument("--patches", choices=("all", "none"), default="all")
    options = parser.parse_args(namespace=_Options())
    if _installed() != NEEDED:
        sys.exit(
            f"local/ministack was written for ministack {NEEDED} and found {_installed()}: "
            "install local/requirements.txt, or look at every patch again"
        )
    # What is imported is compiled once (pip compiles nothing), and nothing of that stays beside our files.
    sys.pycache_prefix = os.path.join(sys.prefix, "pycache")
    if options.patches == "all":
        from patches import CannotPatch

        for name in PATCHES:
            try:
                import_module(f"patches.{name}").apply()
            except (CannotPatch, ImportError, AttributeError) as trouble:
                sys.exit(f"the patch local/ministack/patches/{name}.py does not fit this MiniStack: {trouble}")
    sys.argv = ["ministack"]  # its own options are none of ours
    from ministack.app import main as serve

    serve()


if __name__ == "__main__":
    main()
