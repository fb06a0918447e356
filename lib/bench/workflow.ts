/**
 * A campaign as a state machine: check the request, measure each cell on a host of its own, grade. Whatever happens to a
 * cell, its host is ended and the others go on; the report says what happened.
 */
import { Duration, Lazy } from 'aws-cdk-lib';
import {
  Choice,
  Condition,
  DefinitionBody,
  Map as EachOf,
  Fail,
  IntegrationPattern,
  Pass,
  ProvideItems,
  QueryLanguage,
  StateMachine,
  TaskInput,
  Timeout,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { payload, step, whenThrottled, whenUnavailable } from '../shared/step.ts';
import { workflowLogs, workflowRole } from '../shared/workflow-role.ts';
import type { BenchFunctions } from './functions.ts';

const campaignId = '{% $campaignId %}';
const input = '{% $states.input %}';

/**
 * So long nothing need be heard of a command before somebody looks at it. Longer than the function that sends it may run: how
 * that ended is heard first, and counts as a try.
 */
const heartbeat = Duration.minutes(3);
/** Longer than any host may live. */
const longest = Duration.hours(49);

const withInput = (fields: string): string => `{% $merge([$states.input, ${fields}]) %}`;
/** What failed goes with its cell. */
const caught = (name: string, as = 'failure'): string =>
  withInput(`{'${as}': $merge([{'step': '${name}'}, $states.errorOutput])}`);

/** Sends the command and waits until somebody says that it has ended. */
function runIt(scope: Construct, { runCommand }: BenchFunctions): LambdaInvoke {
  const run = LambdaInvoke.jsonata(scope, 'Run it on the host', {
    lambdaFunction: runCommand,
    integrationPattern: IntegrationPattern.WAIT_FOR_TASK_TOKEN,
    payload: TaskInput.fromObject({
      campaignId,
      cellId: '{% $states.input.cellId %}',
      commandsDone: '{% $states.input.commandsDone %}',
      command: '{% $states.input.command %}',
      taskToken: '{% $states.context.Task.Token %}',
    }),
    retryOnServiceExceptions: false,
    heartbeatTimeout: Timeout.duration(heartbeat),
    taskTimeout: Timeout.duration(longest),
    outputs: withInput("{'commandsDone': $states.input.commandsDone + 1}"),
  });
  // Nothing was heard for a while: the function looks at the command, and waits on. The time of the host ends this.
  run.addRetry({
    errors: ['States.HeartbeatTimeout'],
    interval: Duration.seconds(1),
    maxAttempts: Math.ceil(longest.toMinutes() / heartbeat.toMinutes()),
    backoffRate: 1,
  });
  run.addRetry(whenThrottled);
  run.addRetry(whenUnavailable);
  return run;
}

/** A cell from its launch to its end. */
function measureEach(scope: Construct, functions: BenchFunctions): EachOf {
  const cell = { campaignId, cellId: '{% $states.input.cellId %}' };
  const launch = step(scope, {
    name: 'Launch its host',
    run: functions.launchHost,
    // The same however often it is tried.
    input: { ...cell, askedAt: '{% $states.context.State.EnteredTime %}' },
    outputs: "{% $merge([$states.input, $states.result.Payload, {'commandsDone': 0}]) %}",
  });
  const find = step(scope, {
    name: 'Wait until it takes commands',
    run: functions.findHost,
    input: {
      ...cell,
      instanceId: '{% $states.input.instanceId %}',
      launchedAt: '{% $states.input.launchedAt %}',
    },
    outputs: input,
  });
  // Ten minutes: what is not there then will not come.
  find.addRetry({ errors: ['NotYet'], interval: Duration.seconds(5), maxAttempts: 120, backoffRate: 1 });
  const choose = step(scope, {
    name: 'Choose what it does next',
    run: functions.nextCommand,
    input: { ...cell, commandsDone: '{% $states.input.commandsDone %}' },
    outputs: '{% $merge([$states.input, $states.result.Payload]) %}',
  });
  const run = runIt(scope, functions);
  const end = step(scope, {
    name: 'End its host',
    run: functions.terminateHost,
    input: cell,
    outputs: '{% $merge([$states.input, $states.result.Payload]) %}',
  });
  end.addRetry({ errors: ['Unreadable'], interval: Duration.seconds(10), maxAttempts: 4, backoffRate: 2 });
  const leave = Pass.jsonata(scope, 'Leave it to the cleanup', { outputs: input });
  end.addCatch(leave, { errors: ['States.ALL'], outputs: caught('End its host', 'leftBehind') });
  for (const [name, state] of Object.entries({
    'Launch its host': launch,
    'Wait until it takes commands': find,
    'Choose what it does next': choose,
    'Run it on the host': run,
  }))
    state.addCatch(end, { errors: ['States.ALL'], outputs: caught(name) });
  const isAny = Choice.jsonata(scope, 'Is there something to do?');
  isAny
    .when(Condition.jsonata('{% $exists($states.input.command) and $states.input.command != null %}'), run)
    .otherwise(end);
  run.next(choose);
  return EachOf.jsonata(scope, 'Measure each cell', {
    items: ProvideItems.jsonata('{% $checked.cellIds %}'),
    itemSelector: { cellId: '{% $states.context.Map.Item.Value %}' },
    // CDK's type knows numbers alone; the workflow's language takes an expression.
    maxConcurrency: Lazy.number({ produce: () => '{% $checked.hostsAtOnce %}' as never }),
    assign: { ends: '{% $states.result %}' },
    outputs: {},
  }).itemProcessor(launch.next(find).next(choose).next(isAny));
}

export interface BenchWorkflowProps {
  functions: BenchFunctions;
  logsDays: number;
}

export class BenchWorkflow extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, { functions, logsDays }: BenchWorkflowProps) {
    super(scope, id);
    const role = workflowRole(this, functions.steps, []);
    const check = step(this, {
      name: 'Check the request and the price',
      run: functions.checkCampaign,
      input: { campaignId: '{% $states.context.Execution.Name %}', request: input },
      assign: { campaignId: '{% $states.context.Execution.Name %}', checked: payload },
      outputs: {},
    });
    const measure = measureEach(this, functions);
    const grade = step(this, {
      name: 'Grade and report',
      run: functions.gradeCampaign,
      input: { campaignId, cells: '{% $ends %}' },
    });
    // CloudWatch has the last minutes of a host three minutes later.
    grade.addRetry({ errors: ['NotYet'], interval: Duration.seconds(30), maxAttempts: 8, backoffRate: 1 });
    const isAnything = Choice.jsonata(this, 'Was anything measured?');
    const nothing = Fail.jsonata(this, 'Nothing was measured', {
      error: 'NothingMeasured',
      cause: "{% 'no cell was measured to its end; the report says why: ' & $states.input.report %}",
    });
    const reported = Pass.jsonata(this, 'Reported', { outputs: input });
    isAnything.when(Condition.jsonata('{% $states.input.measured > 0 %}'), reported).otherwise(nothing);

    this.stateMachine = new StateMachine(this, 'StateMachine', {
      comment: 'stripewise: benchmarks layouts of EBS volumes on hosts of its own',
      definitionBody: DefinitionBody.fromChainable(check.next(measure).next(grade).next(isAnything)),
      queryLanguage: QueryLanguage.JSONATA,
      // What CDK grants on its own would be more than is needed.
      role: role.withoutPolicyUpdates(),
      timeout: Duration.hours(60),
      tracingEnabled: true,
      // Who reads a task token can say how the command of a host ended.
      logs: workflowLogs(this, 'benchmark', { logsDays, includeExecutionData: false }),
    });
  }
}
