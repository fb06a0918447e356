"""The Distributed Map of a JSONata workflow.

Gap: MiniStack runs a Distributed Map, but leaves unevaluated or unread what a JSONata state says: the Arguments
of ItemReader, ReaderConfig, Items, ItemSelector, ItemBatcher, MaxConcurrency and tolerated failures as
expressions, ResultWriter, Output and Assign. Its children see the variables and the execution of the parent.
AWS: evaluates all of them in the scope of the Map state; each item (or batch) is an execution of its own, with
its own name and id and without the variables of the parent; Map.Item is there for ItemSelector alone; failures
are counted in items, and no child is started once more have failed than tolerated.
It can go when the tests "... of a Distributed Map ... without its patch" fail.

Not here: MaxInputBytesPerBatch, redriving, and abortion of children that run when the threshold is passed.
"""

import contextvars
import copy
import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from ministack.core.responses import new_uuid, now_iso
from ministack.services import s3, stepfunctions

from patches import map_run_results, needs, replace_function

State = dict[str, Any]
Evaluate = Callable[..., Any]

_MOST_WORKERS = 64  # of this machine; AWS runs up to 10,000 children where the state says nothing
_COUNTS = (
    "pending running succeeded failed timedOut aborted total resultsWritten failuresNotRedrivable pendingRedrive"
).split()


def _items(state: State, raw_input: Any, ctx: State, evaluate: Evaluate) -> list[Any]:
    if "ItemReader" in state:
        reader = evaluate({key: value for key, value in state["ItemReader"].items() if key != "Resource"})
        reader["Resource"] = state["ItemReader"]["Resource"]
        items = stepfunctions._read_map_items(reader, raw_input, ctx)
    else:
        items = evaluate(state["Items"]) if "Items" in state else raw_input
    if not isinstance(items, list):
        items = [items]
    if "ItemSelector" not in state:
        return items
    selected = []
    for index, item in enumerate(items):
        item_ctx = {**ctx, "Map": {"Item": {"Index": index, "Value": item}}}
        selected.append(evaluate(state["ItemSelector"], item_ctx))
    return selected


def _batches(state: State, items: list[Any], evaluate: Evaluate) -> list[tuple[Any, int]]:
    """The input of each child, and how many items that is."""
    if "ItemBatcher" not in state:
        return [(item, 1) for item in items]
    batcher = evaluate(state["ItemBatcher"])
    if "MaxItemsPerBatch" not in batcher or "MaxInputBytesPerBatch" in batcher:
        raise stepfunctions._ExecutionError(
            "States.Runtime", "The local Distributed Map makes batches by MaxItemsPerBatch alone"
        )
    size = int(batcher["MaxItemsPerBatch"])
    shared = {"BatchInput": batcher["BatchInput"]} if "BatchInput" in batcher else {}
    parts = [items[start : start + size] for start in range(0, len(items), size)]
    return [({**shared, "Items": part}, len(part)) for part in parts]


class _MapRun:
    """One Map Run: MiniStack's record of it, which DescribeMapRun shows, and its children."""

    def __init__(self, state: State, execution: State, inputs: list[tuple[Any, int]], limits: dict[str, float]):
        _, _, _, region, account, _, machine = execution["stateMachineArn"].split(":")
        label = state.get("Label") or new_uuid()
        self.arn = f"arn:aws:states:{region}:{account}:mapRun:{machine}/{label}:{new_uuid()}"
        self.limits = limits
        self._lock = threading.Lock()
        self._sizes = [size for _, size in inputs]
        child_machine = f"arn:aws:states:{region}:{account}:stateMachine:{machine}/{label}"
        self.children: list[State] = []
        for value, _ in inputs:
            name = new_uuid()
            self.children.append(
                {
                    "executionArn": f"arn:aws:states:{region}:{account}:execution:{machine}/{label}:{name}",
                    "stateMachineArn": child_machine,
                    "name": name,
                    "status": "PENDING",
                    "startDate": None,
                    "stopDate": None,
                    "input": map_run_results.compact(value),
                    "inputDetails": {"included": True},
                    "output": None,
                    "outputDetails": {"included": True},
                    "mapRunArn": self.arn,
                    "events": [],
                    "testCase": execution.get("testCase"),
                    "mockAttempts": {},
                }
            )
        zero = dict.fromkeys(_COUNTS, 0)
        items, children = sum(self._sizes), len(self.children)
        self.record: State = {
            "mapRunArn": self.arn,
            "executionArn": execution["executionArn"],
            "status": "RUNNING",
            "startDate": now_iso(),
            "maxConcurrency": int(limits["MaxConcurrency"]),
            "toleratedFailurePercentage": limits.get("ToleratedFailurePercentage", 0),
            "toleratedFailureCount": int(limits.get("ToleratedFailureCount", 0)),
            "itemCounts": {**zero, "total": items, "pending": items},
            "executionCounts": {**zero, "total": children, "pending": children},
            "redriveCount": 0,
            "_stateMachineArn": child_machine,
        }
        stepfunctions._map_runs[self.arn] = self.record

    def move(self, index: int, before: str, after: str) -> None:
        with self._lock:
            for counts, size in (("itemCounts", self._sizes[index]), ("executionCounts", 1)):
                self.record[counts][before] -= size
                self.record[counts][after] += size

    def exceeded(self) -> bool:
        """More items have failed than tolerated: where nothing is said, that is one."""
        failed, total = self.record["itemCounts"]["failed"], self.record["itemCounts"]["total"]
        count, percentage = self.limits.get("ToleratedFailureCount"), self.limits.get("ToleratedFailurePercentage")
        if count is None and percentage is None:
            return failed > 0
        return (count is not None and failed > count) or (
            percentage is not None and failed * 100 > percentage * total
        )

    def run_child(self, index: int, processor: State, execution: State, ctx: State) -> None:
        if self.exceeded() or execution["status"] != "RUNNING":
            return
        child = self.children[index]
        child.update(status="RUNNING", startDate=now_iso())
        stepfunctions._executions[child["executionArn"]] = child
        self.move(index, "pending", "running")
        value = json.loads(child["input"])
        child_ctx = {
            "QueryLanguage": processor.get("QueryLanguage", ctx["QueryLanguage"]),
            "Execution": {
                "Id": child["executionArn"],
                "Input": value,
                "Name": child["name"],
                "StartTime": child["startDate"],
            },
            "StateMachine": copy.deepcopy(ctx["StateMachine"]),
            "variables": {},
        }
        try:
            output = stepfunctions._run_sub_machine(
                processor["States"], processor["StartAt"], value, child, child_ctx
            )
            child.update(status="SUCCEEDED", output=map_run_results.compact(output), stopDate=now_iso())
            self.move(index, "running", "succeeded")
        except Exception as trouble:
            known = isinstance(trouble, stepfunctions._ExecutionError)
            error, cause = (trouble.error, trouble.cause) if known else ("States.Runtime", str(trouble))
            child.update(status="FAILED", error=error, cause=cause, stopDate=now_iso())
            self.move(index, "running", "failed")

    def run(self, processor: State, execution: State, ctx: State) -> None:
        workers = int(self.limits["MaxConcurrency"]) or _MOST_WORKERS
        with ThreadPoolExecutor(max_workers=max(1, min(workers, len(self.children)))) as pool:
            # The account and the Region of the request live in context variables, which threads do not inherit.
            wait(
                [
                    pool.submit(contextvars.copy_context().run, self.run_child, index, processor, execution, ctx)
                    for index in range(len(self.children))
                ]
            )
        self.record.update(status="FAILED" if self.exceeded() else "SUCCEEDED", stopDate=now_iso())


def _run(state: State, raw_input: Any, processor: State, execution: State, ctx: State) -> tuple[Any, str | None]:
    def evaluate(template: Any, scope: State = ctx) -> Any:
        return stepfunctions._apply_jsonata_template(template, raw_input, scope)

    limits = {"MaxConcurrency": 0} | {
        name: evaluate(state[name])
        for name in ("MaxConcurrency", "ToleratedFailureCount", "ToleratedFailurePercentage")
        if name in state
    }
    writer = evaluate(state["ResultWriter"]) if "ResultWriter" in state else None
    items = _items(state, raw_input, ctx, evaluate)
    run = _MapRun(state, execution, _batches(state, items, evaluate), limits)
    started = {"mapRunStartedEventDetails": {"mapRunArn": run.arn}}
    stepfunctions._add_event(execution, "MapRunStarted", started)
    run.run(processor, execution, ctx)
    written = writer is not None and "Arguments" in writer
    if written:
        result: Any = map_run_results.write_to_s3(run.arn, run.children, writer)
    if run.exceeded():
        error = "States.ExceedToleratedFailureThreshold"
        cause = "The specified tolerated failure threshold was exceeded"
        details = {"mapRunFailedEventDetails": {"error": error, "cause": cause}}
        stepfunctions._add_event(execution, "MapRunFailed", details)
        raise stepfunctions._ExecutionError(error, cause)
    if not written:
        result = map_run_results.in_memory(run.children, writer)
    stepfunctions._add_event(execution, "MapRunSucceeded")
    output = stepfunctions._apply_jsonata_output(state, raw_input, ctx, result=result, default=result)
    stepfunctions._apply_state_assign(state, raw_input, ctx, result=result)
    return output, stepfunctions._next_or_end(state)


def apply() -> None:
    needs(s3, "_put_object")
    needs(stepfunctions, "_ExecutionError", "_add_event", "_apply_jsonata_output", "_apply_jsonata_template")
    needs(stepfunctions, "_apply_state_assign", "_executions", "_map_runs", "_next_or_end", "_read_map_items")
    needs(stepfunctions, "_run_sub_machine", "_state_query_language")

    def make(run_distributed_map: Any) -> Any:
        def patched(
            state_def: State, raw_input: Any, effective: Any, iterator: State, execution: State, ctx: State
        ) -> tuple[Any, str | None]:
            if stepfunctions._state_query_language(state_def, ctx) != "JSONata":
                return run_distributed_map(state_def, raw_input, effective, iterator, execution, ctx)
            return _run(state_def, raw_input, iterator, execution, ctx)

        return patched

    replace_function(stepfunctions, "_run_distributed_map", make)
