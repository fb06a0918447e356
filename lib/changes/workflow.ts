/**
 * A change as an execution: a step, then a wait, until it has ended. Each step reads the ledger and may be called at any time, so
 * that an execution can be stopped and another begun. It never fails: what fails is tried again, and an alarm tells.
 */
import { Duration } from 'aws-cdk-lib';
import { CfnPolicy } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Choice,
  Condition,
  DefinitionBody,
  IntegrationPattern,
  Pass,
  QueryLanguage,
  StateMachine,
  Succeed,
  TaskInput,
  Timeout,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { CallAwsService, LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { permission, policyOf } from '../shared/permissions.ts';
import { payload, step, whenThrottled, whenUnavailable } from '../shared/step.ts';
import { workflowLogs, workflowRole } from '../shared/workflow-role.ts';

/** An execution has 25,000 events at most, and a step and its wait are 12. Source: Step Functions, quotas, read 2026-11-28. */
const mostSteps = 1_500;
const afterFailure = Duration.minutes(15);
/** So often it is looked whether an approval is too late by now. */
const personWait = Duration.hours(1);

export interface ChangeWorkflowProps {
  advance: IFunction;
  logsDays: number;
}

export class ChangeWorkflow extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, { advance, logsDays }: ChangeWorkflowProps) {
    super(scope, id);
    const role = workflowRole(this, [advance], []);
    const change = { id: '{% $id %}', change: '{% $change %}' };
    const begin = Pass.jsonata(this, 'A change', {
      assign: { id: '{% $states.input.id %}', change: '{% $states.input.change %}', steps: 0 },
    });
    const next = step(this, {
      name: 'What is next',
      run: advance,
      input: change,
      assign: { advanced: payload, steps: '{% $steps + 1 %}' },
      outputs: {},
    });
    const failed = Wait.jsonata(this, 'Wait after a failure', { time: WaitTime.duration(afterFailure) });
    const wait = Wait.jsonata(this, 'Wait', { time: WaitTime.seconds('{% $advanced.waitSeconds %}') });
    const isLong = Choice.jsonata(this, 'Has it failed for long?');
    next.addCatch(isLong, { errors: ['States.ALL'], assign: { steps: '{% $steps + 4 %}' } });
    const person = this.waitForPerson(advance);
    person.addCatch(next, { errors: ['States.ALL'], outputs: {} });
    const goOn = CallAwsService.jsonata(this, 'Go on as a new execution', {
      ...{ service: 'sfn', action: 'startExecution', iamResources: [] },
      parameters: {
        StateMachineArn: '{% $states.context.StateMachine.Id %}',
        Input: "{% $string({'id': $id, 'change': $change}) %}",
      },
      outputs: {},
    });
    goOn.addRetry({ errors: ['States.ALL'], interval: Duration.minutes(1), maxAttempts: 10, backoffRate: 2 });
    const ended = Succeed.jsonata(this, 'Ended');
    const isEnded = Choice.jsonata(this, 'Has it ended?')
      .when(Condition.jsonata('{% $advanced.isEnded %}'), ended)
      .when(Condition.jsonata(`{% $steps >= ${mostSteps} %}`), goOn)
      .when(Condition.jsonata('{% $advanced.needsApproval %}'), person)
      .otherwise(wait);
    isLong.when(Condition.jsonata(`{% $steps >= ${mostSteps} %}`), goOn).otherwise(failed);
    begin.next(next).next(isEnded);
    wait.next(next);
    failed.next(next);
    person.next(next);
    goOn.next(ended);
    this.stateMachine = new StateMachine(this, 'StateMachine', {
      comment: 'stripewise: changes a volume, and looks whether it helped',
      definitionBody: DefinitionBody.fromChainable(begin),
      queryLanguage: QueryLanguage.JSONATA,
      // What CDK grants on its own would be more than is needed.
      role: role.withoutPolicyUpdates(),
      tracingEnabled: true,
      // Who reads a task token can say that somebody decided.
      logs: workflowLogs(this, 'changes', { logsDays, includeExecutionData: false }),
    });
    // Apart from its role: that one is there before the state machine.
    new CfnPolicy(this, 'GoesOn', {
      policyName: 'GoesOn',
      policyDocument: policyOf([permission(['states:StartExecution'], this.stateMachine.stateMachineArn)]),
      roles: [role.roleName],
    });
  }

  /** Who decides lets it go on. */
  private waitForPerson(advance: IFunction): LambdaInvoke {
    const wait = LambdaInvoke.jsonata(this, 'Wait for a person', {
      lambdaFunction: advance,
      integrationPattern: IntegrationPattern.WAIT_FOR_TASK_TOKEN,
      payload: TaskInput.fromObject({
        ...{ id: '{% $id %}', change: null, taskToken: '{% $states.context.Task.Token %}' },
      }),
      retryOnServiceExceptions: false,
      taskTimeout: Timeout.duration(personWait),
      outputs: {},
    });
    wait.addRetry(whenThrottled);
    wait.addRetry(whenUnavailable);
    return wait;
  }
}
