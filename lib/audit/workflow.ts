/** The audit as a state machine: list targets, refresh prices, discover, evaluate each batch, collect, report, notify, draw. */
import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import {
  Choice,
  Condition,
  DefinitionBody,
  DistributedMap,
  Map as EachOf,
  Fail,
  OutputType,
  Pass,
  ProvideItems,
  QueryLanguage,
  ResultWriterV2,
  S3ObjectsItemReader,
  StateMachine,
  StateMachineType,
  Transformation,
  WriterConfig,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { runKeys } from '../../core/audit/run-keys.ts';
import { payload, step } from '../shared/step.ts';
import { workflowLogs, workflowRole } from '../shared/workflow-role.ts';
import type { AuditFunctions } from './functions.ts';
import { mayRunItself, workflowMay } from './workflow-role.ts';

export interface AuditWorkflowProps {
  functions: AuditFunctions;
  notifyFindings: IFunction;
  bucket: IBucket;
  batchesAtOnce: number;
  maxHours: number;
  logsDays: number;
}

/** Variables of the state machine, set by its first two states. */
const runId = '{% $run.runId %}';
const plan = '{% $run.plan %}';
/** Where the run's parts lie; the run is known when the workflow runs: 'work/' & $run.runId & '/batches/'. */
const keys = runKeys("' & $run.runId & '");

/** Prices that cannot be read do not stop the discovery: their failure goes with the Region. */
function refreshThen(scope: Construct, refreshCatalog: IFunction, discover: LambdaInvoke): LambdaInvoke {
  const refresh = step(scope, {
    name: 'Refresh its prices',
    run: refreshCatalog,
    input: '{% $states.input %}',
    outputs: "{% $merge([$states.input, {'refresh': $states.result.Payload}]) %}",
  });
  refresh.addCatch(discover, {
    errors: ['States.ALL'],
    outputs: "{% $merge([$states.input, {'refresh': {'failure': $states.errorOutput}}]) %}",
  });
  refresh.next(discover);
  return refresh;
}

/** Every Region by itself; one that cannot be read is handed on with its failure, and makes the run partial. */
function discoverEach(scope: Construct, { refreshCatalog, discoverVolumes }: AuditFunctions): EachOf {
  const discover = step(scope, {
    name: 'Discover its volumes',
    run: discoverVolumes,
    input: '{% $states.input %}',
    outputs: "{% $merge([$states.result.Payload, {'refresh': $states.input.refresh}]) %}",
  });
  const note = Pass.jsonata(scope, 'Hand on why it could not be read', {
    outputs: '{% $states.input %}',
  });
  discover.addCatch(note, {
    errors: ['States.ALL'],
    outputs: {
      region: '{% $states.input.target.region %}',
      refresh: '{% $states.input.refresh %}',
      failure: '{% $states.errorOutput %}',
    },
  });
  return EachOf.jsonata(scope, 'Discover the volumes of each target', {
    items: ProvideItems.jsonata('{% $run.targets %}'),
    itemSelector: { runId, plan, target: '{% $states.context.Map.Item.Value %}' },
    maxConcurrency: 5,
    assign: { discovered: '{% $states.result %}' },
    outputs: {},
  }).itemProcessor(refreshThen(scope, refreshCatalog, discover));
}

/** Every batch as an execution of its own; one that fails for good is counted by the next state. */
function evaluateEach(
  scope: Construct,
  { functions, bucket, batchesAtOnce }: AuditWorkflowProps,
): DistributedMap {
  const evaluate = step(scope, {
    name: 'Evaluate the batch',
    run: functions.evaluateBatch,
    input: '{% $states.input %}',
  });
  return DistributedMap.jsonata(scope, 'Evaluate each batch', {
    itemReader: new S3ObjectsItemReader({ bucket, prefix: `{% '${keys.batches}' %}` }),
    itemSelector: {
      ...{ runId, plan, readUntil: '{% $run.readUntil %}' },
      key: '{% $states.context.Map.Item.Value.Key %}',
    },
    maxConcurrency: batchesAtOnce,
    mapExecutionType: StateMachineType.STANDARD,
    toleratedFailurePercentage: 100,
    resultWriterV2: new ResultWriterV2({
      bucket,
      prefix: `{% '${keys.map}' %}`,
      writerConfig: new WriterConfig({ outputType: OutputType.JSON, transformation: Transformation.NONE }),
    }),
    assign: { manifestKey: '{% $states.result.ResultWriterDetails.Key %}' },
    outputs: {},
  }).itemProcessor(evaluate);
}

/** A report that cannot be written stops nothing; at the end the run fails for it. */
function reportThen(scope: Construct, writeReport: IFunction, next: Choice): LambdaInvoke {
  const write = step(scope, {
    name: 'Write the report',
    run: writeReport,
    input: { runId, notify: '{% $run.notify %}' },
    assign: { written: payload },
    outputs: {},
  });
  write.addCatch(next, {
    errors: ['States.ALL'],
    assign: { reportFailure: '{% $states.errorOutput %}' },
    outputs: {},
  });
  write.next(next);
  return write;
}

/** The end of every run that was collected. `written` may be of a function of before, which knew no manifestFailure. */
function endOf(scope: Construct): Choice {
  const failed = Fail.jsonata(scope, 'The report was not written', {
    error: '{% $reportFailure.Error %}',
    cause: "{% 'all but the report of this run is there: ' & $reportFailure.Cause %}",
  });
  const done = Pass.jsonata(scope, 'Audited', {
    outputs: '{% $merge([$summary, $notified, $written]) %}',
  });
  const notListed = Fail.jsonata(scope, 'The run was not listed', {
    error: 'NotListed',
    cause:
      "{% 'the report is there, but the list of runs could not be changed: ' & $written.manifestFailure %}",
  });
  const isWritten = Choice.jsonata(scope, 'Was the report written?');
  return isWritten
    .when(Condition.jsonata("{% $type($written.manifestFailure) = 'string' %}"), notListed)
    .when(Condition.jsonata('{% $reportFailure = null %}'), done)
    .otherwise(failed);
}

export class AuditWorkflow extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, props: AuditWorkflowProps) {
    super(scope, id);
    const { functions, notifyFindings, bucket, logsDays } = props;
    const role = workflowRole(this, [...functions.all, notifyFindings], workflowMay(bucket));

    const listTargets = step(this, {
      name: 'List the targets',
      run: functions.listTargets,
      input: '{% $states.input %}',
      assign: {
        run: "{% $merge([$states.result.Payload, {'runId': $states.context.Execution.Name}]) %}",
        manifestKey: null,
        written: { report: null, manifestFailure: null },
        reportFailure: null,
        notified: {},
      },
      outputs: {},
    });
    const discover = discoverEach(this, functions);
    const evaluate = evaluateEach(this, props);
    const collect = step(this, {
      name: 'Collect the findings',
      run: functions.collectFindings,
      input: {
        runId,
        plan,
        targets: '{% $discovered %}',
        manifestKey: '{% $manifestKey %}',
        notify: '{% $run.notify %}',
      },
      assign: { summary: payload },
      outputs: {},
    });
    const notify = step(this, {
      name: 'Send notifications',
      run: notifyFindings,
      input: { runId, report: '{% $written.report %}' },
      assign: { notified: payload },
    });
    const draw = step(this, {
      name: 'Draw the dashboard',
      run: functions.drawDashboard,
      input: { runId },
      outputs: {},
    });

    const isAnything = Choice.jsonata(this, 'Is there anything to evaluate?');
    isAnything
      .when(Condition.jsonata('{% $sum([0, $discovered.batches]) > 0 %}'), evaluate)
      .otherwise(collect);
    evaluate.next(collect);
    const definition = listTargets.next(discover).next(isAnything);
    const isForAll = Choice.jsonata(this, 'Is it a usual run?');
    const end = endOf(this);
    isForAll.when(Condition.jsonata('{% $run.notify %}'), notify.next(draw).next(end)).otherwise(end);
    collect.next(reportThen(this, functions.writeReport, isForAll));

    this.stateMachine = new StateMachine(this, 'StateMachine', {
      comment: 'stripewise: audits the EBS volumes of the account',
      definitionBody: DefinitionBody.fromChainable(definition),
      queryLanguage: QueryLanguage.JSONATA,
      // What CDK grants on its own would be more than is needed.
      role: role.withoutPolicyUpdates(),
      timeout: Duration.hours(props.maxHours),
      tracingEnabled: true,
      logs: workflowLogs(this, 'audit', { logsDays, includeExecutionData: true }),
    });
    mayRunItself(this.stateMachine, role);
  }
}
