"""What still runs when CloudFormation deletes its state machine or its function.

Gap: MiniStack deletes the record alone. Executions go on to their end, and the process of a function goes on with what it does,
such as writing into a bucket that is being emptied.
AWS: executions of a deleted state machine end at their next state. A function that runs keeps running, but its role is deleted
after it and what it asks for is refused; roles are not enforced here, so its process is ended instead.
It can go when the tests "... goes on after its ... is deleted, without its patch" fail.
"""

from typing import Any

from ministack.core.responses import get_account_id, get_region, now_iso
from ministack.services import lambda_svc, stepfunctions
from ministack.services.cloudformation import provisioners

from patches import needs


def _end_executions(machine: str) -> None:
    for execution in list(stepfunctions._executions.values()):
        of_machine = str(execution.get("stateMachineArn", ""))
        # Children of a Distributed Map are of a machine with a label.
        if execution["status"] == "RUNNING" and (of_machine == machine or of_machine.startswith(f"{machine}/")):
            execution["status"] = "ABORTED"
            execution["stopDate"] = now_iso()


def apply() -> None:
    needs(stepfunctions, "_executions")
    needs(lambda_svc, "invalidate_worker")
    machines = provisioners._RESOURCE_HANDLERS["AWS::StepFunctions::StateMachine"]
    functions = provisioners._RESOURCE_HANDLERS["AWS::Lambda::Function"]
    delete_machine, delete_function = machines["delete"], functions["delete"]

    def patched_machine(physical_id: str, props: dict[str, Any]) -> None:
        delete_machine(physical_id, props)
        _end_executions(physical_id)

    def patched_function(physical_id: str, props: dict[str, Any]) -> None:
        delete_function(physical_id, props)
        lambda_svc.invalidate_worker(physical_id, account=get_account_id(), region=get_region())

    machines["delete"] = patched_machine
    functions["delete"] = patched_function
