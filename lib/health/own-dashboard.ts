/** How the service itself is, and what it costs: one dashboard beside that of the volumes. */
import { Aws, Duration } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  SingleValueWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { usdOfMetrics } from '../../core/load/metrics.ts';
import { serviceMetrics } from '../../core/service-metrics.ts';
import { gibFromMiB, msPerSecond } from '../../core/units.ts';
import { ownMetric } from './own-metric.ts';

export interface OwnDashboardProps {
  stateMachine: StateMachine;
  deliveries: Queue;
  deadLetters: Queue;
  functions: readonly { name: string; function: LambdaFunction }[];
  apiUsdPerMonth: number | null;
}

const day = Duration.days(1);
const hour = Duration.hours(1);
const half = 12;
/** Lambda on arm64, us-east-1, a GiB for a second. Source: AWS Lambda pricing, read 2026-11-23. */
const usdPerGiBSecond = 0.000_013_333_4;

const memoryMiB = (one: LambdaFunction): number => (one.node.defaultChild as CfnFunction).memorySize ?? 128;

/** What the time of the functions costs, each by its memory; requests and the free tier are left out. */
function lambdaUsd({ functions }: OwnDashboardProps): IMetric {
  const usingMetrics = Object.fromEntries(
    functions.map(({ function: one }, index) => [
      `m${index}`,
      one.metricDuration({ statistic: 'Sum', period: day }),
    ]),
  );
  const parts = functions.map(
    ({ function: one }, index) => `FILL(m${index}, 0) * ${gibFromMiB(memoryMiB(one)) / msPerSecond}`,
  );
  return new MathExpression({
    expression: `(${parts.join(' + ')}) * ${usdPerGiBSecond}`,
    ...{ usingMetrics, period: day, label: 'Lambda, USD a day' },
  });
}

/** With the Region: an account has one dashboard of a name in all its Regions, and stacks would overwrite each other's. */
export const dashboardName = (what: string): string => `${Aws.STACK_NAME}-${Aws.REGION}-${what}`;

export class OwnDashboard extends Construct {
  constructor(scope: Construct, id: string, props: OwnDashboardProps) {
    super(scope, id);
    const dashboard = new Dashboard(this, 'Dashboard', {
      dashboardName: dashboardName('itself'),
      defaultInterval: Duration.days(14),
    });
    dashboard.addWidgets(...this.head(props));
    dashboard.addWidgets(...this.cost(props));
    dashboard.addWidgets(...this.audits(props));
    dashboard.addWidgets(...this.notifying(props));
    dashboard.addWidgets(...this.functions(props));
  }

  private head({ apiUsdPerMonth }: OwnDashboardProps) {
    const bound = apiUsdPerMonth === null ? 'no bound is set' : `the budget is ${apiUsdPerMonth} USD`;
    return [
      new TextWidget({
        markdown: `## stripewise itself\nReading metrics this month: ${bound} (\`budget.apiUsdPerMonth\`). What to do when something is red: docs/operate/runbook.md, a heading for each alarm.`,
        ...{ width: half, height: 4 },
      }),
      new SingleValueWidget({
        title: 'Reading metrics, since the month began, at the price of us-east-1',
        metrics: [ownMetric('apiUsdOfMonth', 'Maximum', day).with({ label: 'USD' })],
        ...{ width: half, height: 4 },
      }),
    ];
  }

  private cost(props: OwnDashboardProps) {
    const monitoring = new MathExpression({
      expression: `metrics * ${usdOfMetrics(1)}`,
      usingMetrics: { metrics: ownMetric('monitoringMetrics', 'Sum', day) },
      ...{ period: day, label: 'monitoring, USD a day' },
    });
    return [
      new GraphWidget({
        title:
          'What it costs a day at the prices of us-east-1: metrics that monitoring asks for, time of functions',
        left: [monitoring, lambdaUsd(props)],
        ...{ width: half, leftYAxis: { min: 0, label: 'USD', showUnits: false } },
      }),
      new GraphWidget({
        title: 'Reading metrics since the month began, audits and monitoring, at the price of us-east-1',
        left: [ownMetric('apiUsdOfMonth', 'Maximum', hour).with({ label: 'USD' })],
        leftAnnotations:
          props.apiUsdPerMonth === null ? [] : [{ value: props.apiUsdPerMonth, label: 'budget' }],
        ...{ width: half, leftYAxis: { min: 0, label: 'USD', showUnits: false } },
      }),
    ];
  }

  private audits({ stateMachine }: OwnDashboardProps) {
    return [
      new GraphWidget({
        title: 'Audits a day',
        left: [
          stateMachine.metricSucceeded({ period: day, label: 'done' }),
          stateMachine.metricFailed({ period: day, label: 'failed' }),
          stateMachine.metricTimedOut({ period: day, label: 'timed out' }),
          ownMetric('partialRuns', 'Sum', day).with({ label: 'partial' }),
        ],
        width: half,
      }),
      new GraphWidget({
        title: 'Monitoring: volumes that it could not look at, seconds that a look waited for the budget',
        left: [ownMetric('monitoringUnread', 'Maximum', hour).with({ label: 'volumes' })],
        right: [ownMetric('monitoringLateSeconds', 'Maximum', hour).with({ label: 'seconds' })],
        width: half,
      }),
      new GraphWidget({
        title: 'Age of the newest minutes in CloudWatch when monitoring reads them, by Region',
        left: [
          new MathExpression({
            expression: `SEARCH('{${serviceMetrics.namespace},service,Region} MetricName="${serviceMetrics.publicationSeconds}"', 'Maximum', ${hour.toSeconds()})`,
            ...{ usingMetrics: {}, period: hour, label: '' },
          }),
        ],
        ...{ width: half, leftYAxis: { min: 0, label: 'seconds', showUnits: false } },
      }),
    ];
  }

  private notifying({ deliveries, deadLetters }: OwnDashboardProps) {
    return [
      new GraphWidget({
        title: 'Told: findings, posts to channels, posts that were refused',
        left: [
          ownMetric('findingsNotified', 'Sum', hour).with({ label: 'findings' }),
          ownMetric('delivered', 'Sum', hour).with({ label: 'posts' }),
          ownMetric('refused', 'Sum', hour).with({ label: 'refused' }),
        ],
        width: half,
      }),
      new GraphWidget({
        title: 'Messages on their way, and not delivered',
        left: [
          deliveries.metricApproximateNumberOfMessagesVisible({ period: hour, label: 'to be delivered' }),
          deliveries.metricApproximateNumberOfMessagesNotVisible({ period: hour, label: 'waiting' }),
          deadLetters.metricApproximateNumberOfMessagesVisible({ period: hour, label: 'not delivered' }),
        ],
        width: half,
      }),
    ];
  }

  private functions({ functions }: OwnDashboardProps) {
    return [
      new GraphWidget({
        title: 'Errors of functions',
        left: functions.map(({ name, function: one }) => one.metricErrors({ period: hour, label: name })),
        width: half,
      }),
      new GraphWidget({
        title: 'How long functions take (most)',
        left: functions.map(({ name, function: one }) =>
          one.metricDuration({ period: hour, statistic: 'Maximum', label: name }),
        ),
        width: half,
      }),
    ];
  }
}
