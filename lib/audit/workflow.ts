/** The audit as a state machine: list targets, refresh prices, discover, evaluate each batch, collect, report, notify, draw. */
import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  Pass,
  QueryLanguage,
  StateMachine,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import type { Organization } from '../../core/config/organization.ts';
import { payload, step } from '../shared/step.ts';
import { workflowLogs, workflowRole } from '../shared/workflow-role.ts';
import type { AuditFunctions } from './functions.ts';
import { readOneAccount } from './one-account.ts';
import { plan, runId } from './reading.ts';
import { readSeveralAccounts } from './several-accounts.ts';
import { mayRunItself, workflowMay } from './workflow-role.ts';

export interface AuditWorkflowProps {
  functions: AuditFunctions;
  notifyFindings: IFunction;
  bucket: IBucket;
  batchesAtOnce: number;
  maxHours: number;
  logsDays: number;
  /** Null: one account is read, the stack's own. */
  organization: Organization | null;
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
    const { functions, notifyFindings, bucket, logsDays, organization } = props;
    const role = workflowRole(this, [...functions.all, notifyFindings], workflowMay(bucket));

    const reading =
      organization === null
        ? readOneAccount(this, props)
        : readSeveralAccounts(this, { ...props, organization });
    const listTargets = step(this, {
      name: 'List the targets',
      run: functions.listTargets,
      input: reading.request,
      assign: {
        run: "{% $merge([$states.result.Payload, {'runId': $states.context.Execution.Name}]) %}",
        ...reading.assign,
        written: { report: null, manifestFailure: null },
        reportFailure: null,
        notified: {},
      },
      outputs: {},
    });
    const collect = step(this, {
      name: 'Collect the findings',
      run: functions.collectFindings,
      input: {
        ...{ runId, plan },
        ...reading.found,
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

    listTargets.next(reading.before(collect));
    const isForAll = Choice.jsonata(this, 'Is it a usual run?');
    const end = endOf(this);
    isForAll.when(Condition.jsonata('{% $run.notify %}'), notify.next(draw).next(end)).otherwise(end);
    collect.next(reportThen(this, functions.writeReport, isForAll));

    this.stateMachine = new StateMachine(this, 'StateMachine', {
      comment: `stripewise: audits the EBS volumes of the ${organization === null ? 'account' : 'accounts'}`,
      definitionBody: DefinitionBody.fromChainable(listTargets),
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
