/** The service watches itself: each alarm reaches somebody, and says what to do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { serviceMetrics } from '../../core/service-metrics.ts';
import {
  idOf,
  patience,
  type Resource,
  root,
  type Synthesized,
  shortly,
  synthesized,
  synthesizedBenchmark,
} from './synthesized.ts';

/** With all that there can be: the cost is watched where there is a bound, of 12.5 USD. */
let stack: Synthesized;
/** Without monitoring, digest and budget; an audit each 48 hours. */
let least: Synthesized;
/** An audit each hour, a monitoring run each 2 minutes. */
let often: Synthesized;
/** An audit a day, a monitoring run a minute. */
let usual: Synthesized;
let everything: Synthesized;
/** The stack of the benchmark beside it. */
let bench: Synthesized;
let changes: Synthesized;
beforeAll(async () => {
  stack = await synthesized('otherValues');
  least = await synthesized('least');
  often = await synthesized('often');
  usual = await synthesized('usual');
  everything = await synthesized('everything');
  bench = await synthesizedBenchmark('everything');
  changes = await synthesized('changes');
}, patience);

/** What each watches, and how many periods in a row it waits. */
const watched = {
  AuditFailed: ['AWS/States', 'ExecutionsFailed', 1],
  AuditTimedOut: ['AWS/States', 'ExecutionsTimedOut', 1],
  AuditAborted: ['AWS/States', 'ExecutionsAborted', 1],
  AuditMissing: ['AWS/States', 'ExecutionsStarted', 3],
  AuditPartial: [serviceMetrics.namespace, serviceMetrics.partialRuns, 1],
  AuditNotStarted: ['AWS/SQS', 'ApproximateNumberOfMessagesVisible', 1],
  DeadLetters: ['AWS/SQS', 'ApproximateNumberOfMessagesVisible', 1],
  NotificationsFail: ['AWS/Lambda', 'Errors', 3],
  DeliveryFails: ['AWS/Lambda', 'Errors', 3],
  RecordsSkipped: [serviceMetrics.namespace, serviceMetrics.recordsSkipped, 1],
  NotificationsMissing: ['AWS/Lambda', 'Invocations', 3],
  DigestFailed: ['AWS/Lambda', 'Errors', 1],
  DigestMissing: ['AWS/Lambda', 'Invocations', 3],
  MonitoringFails: ['AWS/Lambda', 'Errors', 3],
  MonitoringMissing: ['AWS/Lambda', 'Invocations', 3],
  MonitoringPartial: [serviceMetrics.namespace, serviceMetrics.monitoringUnread, 12],
  FunctionsThrottled: ['AWS/Lambda', 'Throttles', 3],
  CostAboveBudget: [serviceMetrics.namespace, serviceMetrics.apiUsdOfMonth, 1],
} as const;
const names = Object.keys(watched) as (keyof typeof watched)[];
const missing = ['AuditMissing', 'NotificationsMissing', 'DigestMissing', 'MonitoringMissing'] as const;
const type = 'AWS::CloudWatch::Alarm';
const alarmSchema = z.object({
  AlarmActions: z.array(z.unknown()),
  OKActions: z.array(z.unknown()),
  AlarmDescription: z.string(),
  ComparisonOperator: z.string(),
  EvaluationPeriods: z.number(),
  /** Not of one on several metrics. */
  Period: z.number().optional(),
  Threshold: z.number(),
  TreatMissingData: z.string(),
});
const alarm = (name: string, of = stack) => alarmSchema.parse(of.one(type, `Alarms${name}`).Properties);

test('an address hears when an alarm begins and when it ends, and not that a new one is OK', () => {
  const mails = stack
    .all('AWS::SNS::Subscription')
    .map(([, { Properties }]) => Properties)
    .filter(({ TopicArn, Protocol }) => Protocol === 'email' && shortly(TopicArn) === 'NotificationsAlarms');
  expect(mails).toMatchObject([
    {
      Endpoint: 'on-call@example.com',
      FilterPolicyScope: 'MessageBody',
      FilterPolicy: { $or: [{ NewStateValue: ['ALARM'] }, { OldStateValue: ['ALARM'] }] },
    },
  ]);
});

/** As a viewer of Markdown makes the anchor of a heading. */
const anchors = readFileSync(join(root, 'docs/operate/runbook.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('## '))
  .map((line) =>
    line
      .slice(3)
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );

const alarmNames = (of: Synthesized): string[] =>
  of.all(type).map(([id]) => id.replace(/^Alarms(\w+?)[0-9A-F]{8}$/, '$1'));

test('the list above names every alarm', () => {
  expect(alarmNames(stack).sort()).toEqual([...names].sort());
});

test('what is not there is not watched: its alarm would never be quiet, or never be heard', () => {
  const not = ['MonitoringFails', 'MonitoringMissing', 'MonitoringPartial', 'CostAboveBudget'];
  not.push('DigestFailed', 'DigestMissing');
  expect(alarmNames(least).sort()).toEqual(names.filter((name) => !not.includes(name)).sort());
});

const metricSchema = z.looseObject({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })).default([]),
});
/** Of an alarm: its own, or those that it adds up. */
const metricsOf = ({ Properties }: Resource) =>
  z
    .array(metricSchema)
    .parse(
      Array.isArray(Properties['Metrics'])
        ? Properties['Metrics'].flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])
        : [Properties],
    );

test.each(names)('%s watches what it says, for as many periods', (name) => {
  const [Namespace, MetricName, EvaluationPeriods] = watched[name];
  const one = stack.one(type, `Alarms${name}`);
  expect(one.Properties).toMatchObject({ EvaluationPeriods });
  expect(metricsOf(one).length).toBeGreaterThan(0);
  for (const metric of metricsOf(one)) expect(metric).toMatchObject({ Namespace, MetricName });
});

describe('what nobody calls is not silent', () => {
  const of = () => ({ stack, least, often, usual, everything, bench });
  const stacks = ['stack', 'least', 'often', 'usual', 'everything', 'bench'] as const;

  /** Seconds between two calls, by what is called: of the scheduler, of EventBridge. */
  function clocks(one: Synthesized): Map<string, number> {
    const targets = (Properties: Resource['Properties']): { Arn: unknown }[] =>
      [Properties['Target'] ?? Properties['Targets']].flat() as { Arn: unknown }[];
    const all = [...one.all('AWS::Scheduler::Schedule'), ...one.all('AWS::Events::Rule')];
    return new Map(
      all.flatMap(([, { Properties }]) => {
        const said = Properties['ScheduleExpression'];
        if (said === undefined) return [];
        const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(`${said}`);
        const daily = /^cron\(\d+ \d+ \* \* \? \*\)$/.test(`${said}`);
        const seconds =
          Number(rate?.[1]) * ({ minute: 60, hour: 3_600, day: 86_400 }[rate?.[2] ?? ''] ?? Number.NaN);
        return targets(Properties).map(({ Arn }) => [idOf(Arn), daily ? 86_400 : seconds] as const);
      }),
    );
  }

  const alarmsOn = (one: Synthesized, metricName: RegExp, id: string) =>
    one
      .all(type)
      .filter(([, alarmed]) =>
        metricsOf(alarmed).some(
          ({ MetricName, Dimensions }) =>
            metricName.test(MetricName) && Dimensions.some(({ Value }) => idOf(Value) === id),
        ),
      )
      .map(([, { Properties }]) => alarmSchema.parse(Properties));

  test('every clock of the stack is known by its expression', () => {
    for (const name of stacks)
      for (const seconds of clocks(of()[name]).values()) expect(seconds).not.toBeNaN();
    expect(clocks(everything).size).toBe(4); // audits, what waited, the digest, monitoring
    expect(clocks(bench).size).toBe(1); // the cleanup
    expect(clocks(least).size).toBe(2); // audits, what waited
  });

  test.each(stacks)('%s: whatever the clock calls has an alarm on calls that never come', (name) => {
    for (const [id, everySeconds] of clocks(of()[name])) {
      const [alarmed, ...others] = alarmsOn(of()[name], /^(Invocations|ExecutionsStarted)$/, id);
      expect([id, others]).toEqual([id, []]);
      expect(alarmed).toMatchObject({
        ...{ ComparisonOperator: 'LessThanThreshold', Threshold: 1, TreatMissingData: 'breaching' },
      });
      const seconds = (alarmed?.EvaluationPeriods ?? 0) * (alarmed?.Period ?? 0);
      // One call that is late is none that is missing; and three that are missing are reported, or a quarter of an hour.
      expect(seconds).toBeGreaterThanOrEqual(1.5 * everySeconds);
      expect(seconds).toBeLessThanOrEqual(Math.max(3 * everySeconds, 900));
    }
  });

  test.each(stacks)('%s: functions that the clock or a queue calls have one on throttled calls', (name) => {
    const one = of()[name];
    const queued = one
      .all('AWS::Lambda::EventSourceMapping')
      .map(([, { Properties }]) => idOf(Properties['FunctionName']));
    const functions = [...clocks(one).keys(), ...queued].filter(
      (id) => one.json.Resources[id]?.Type === 'AWS::Lambda::Function',
    );
    expect(functions.length).toBeGreaterThan(0);
    for (const id of functions)
      expect([id, alarmsOn(one, /^Throttles$/, id)]).toEqual([
        id,
        [expect.objectContaining({ TreatMissingData: 'notBreaching' })],
      ]);
  });
});

test.each([
  ['AuditNotStarted', 'QueueName', 'ScheduleNotStarted'],
  ['DeadLetters', 'QueueName', 'NotificationsDeliveryDeadLetters'],
  ['NotificationsFail', 'FunctionName', 'NotificationsNotifyFindingsFunction'],
  ['DeliveryFails', 'FunctionName', 'NotificationsDeliveryDeliverMessagesFunction'],
  ['NotificationsMissing', 'FunctionName', 'NotificationsNotifyFindingsFunction'],
  ['DigestFailed', 'FunctionName', 'NotificationsNotifyDigestFunction'],
  ['DigestMissing', 'FunctionName', 'NotificationsNotifyDigestFunction'],
  ['MonitoringFails', 'FunctionName', 'MonitoringWatchVolumesFunction'],
  ['MonitoringMissing', 'FunctionName', 'MonitoringWatchVolumesFunction'],
  ['AuditFailed', 'StateMachineArn', 'WorkflowStateMachine'],
])('%s is of one resource, by %s: %s', (name, dimension, resource) => {
  const dimensions = stack.one(type, `Alarms${name}`).Properties['Dimensions'] as object[];
  expect(dimensions).toMatchObject([{ Name: dimension }]);
  expect(shortly((dimensions as [{ Value: unknown }])[0].Value)).toBe(resource);
});

test.each(['AuditPartial', 'MonitoringPartial', 'CostAboveBudget'])(
  '%s has the dimension that the functions publish with',
  (name) => {
    const { Dimensions } = stack.one(type, `Alarms${name}`).Properties;
    expect(Dimensions).toEqual([{ Name: 'service', Value: serviceMetrics.service }]);
  },
);

test.each(names)('%s tells the topic of the alarms', (name) => {
  const { AlarmActions, OKActions } = alarm(name);
  expect(AlarmActions.map(shortly)).toEqual(['NotificationsAlarms']);
  expect(OKActions).toEqual(AlarmActions);
});

test.each(names)('%s says impact, runbook and trap, and the runbook has a heading for it', (name) => {
  const { AlarmDescription } = alarm(name);
  const [, anchor = ''] =
    /^Impact: \S.+\. Runbook: docs\/operate\/runbook\.md#(\S+) Trap: \S.+\.$/.exec(AlarmDescription) ?? [];
  const ofItsName = name.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase(); // AuditTimedOut -> audit-timed-out
  expect(anchor).toBe(ofItsName);
  expect(anchors).toContain(anchor);
  expect(AlarmDescription.length).toBeLessThanOrEqual(1_024); // CloudWatch's most
});

test('messages of a function that fails are tried as often, and for as long, as the alarm says', () => {
  const { VisibilityTimeout, RedrivePolicy } = stack.one(
    'AWS::SQS::Queue',
    'NotificationsDeliveryQueue',
  ).Properties;
  const tries = (RedrivePolicy as { maxReceiveCount: number }).maxReceiveCount;
  const hours = (tries * Number(VisibilityTimeout)) / 3_600; // nobody else says when they come again
  expect(alarm('DeliveryFails').AlarmDescription).toContain(`tried ${tries} times within ${hours} h`);
});

test('the runbook says how to start a run by hand, and links lead somewhere', () => {
  expect(anchors).toContain('a-run-by-hand');
  const links = readFileSync(join(root, 'docs/operate/runbook.md'), 'utf8').matchAll(/\]\(#([\w-]+)\)/g);
  for (const [, anchor] of links) expect(anchors).toContain(anchor);
});

test('commands of the runbook name outputs of the stack, with all that there can be', () => {
  const used = readFileSync(join(root, 'docs/operate/runbook.md'), 'utf8').matchAll(/\$([A-Z]\w+)/g);
  const outputs = [everything, bench, changes].flatMap(({ json }) => Object.keys(json['Outputs'] as object));
  for (const name of new Set([...used].map(([, output]) => output))) expect(outputs).toContain(name);
});

test.each(names.filter((name) => !missing.some((one) => one === name)))(
  '%s is in alarm when there is more than there may be, and quiet where there is no figure',
  (name) => {
    expect(alarm(name)).toMatchObject({
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: name === 'CostAboveBudget' ? 12.5 : 0,
      TreatMissingData: 'notBreaching',
    });
  },
);

test.each([
  [1, () => usual],
  [2, () => often],
  [5, () => stack],
])(
  'a monitoring run each %i minutes that does not beat for a quarter of an hour is an alarm, also where there is no figure',
  (everyMinutes, of) => {
    const { Properties } = of().one('AWS::Scheduler::Schedule', 'MonitoringSchedule');
    expect(Properties['ScheduleExpression']).toMatch(new RegExp(`^rate\\(${everyMinutes} minutes?\\)$`));
    expect(alarm('MonitoringMissing', of())).toMatchObject({
      ComparisonOperator: 'LessThanThreshold',
      ...{ Threshold: 1, EvaluationPeriods: 3, Period: 300, TreatMissingData: 'breaching' },
    });
  },
);

test.each([
  [1, 1_800, () => often], // 30 min
  [24, 43_200, () => usual], // 12 h
  [48, 86_400, () => least], // 24 h: a period may not be longer
])(
  'audits every %i h: no start in three periods of %i s is an alarm, also where there is no figure',
  (everyHours, seconds, of) => {
    expect(
      of().one('AWS::Lambda::Function', 'NotificationsNotifyFindings').Properties['Environment'],
    ).toMatchObject({
      Variables: { AUDIT_EVERY_HOURS: `${everyHours}` },
    });
    expect(alarm('AuditMissing', of())).toMatchObject({
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      EvaluationPeriods: 3,
      Period: seconds,
      TreatMissingData: 'breaching',
    });
    // CloudWatch evaluates a day at the most, and seven where a period is an hour or longer.
    const most = seconds < 3_600 ? 86_400 : 604_800;
    expect(3 * seconds).toBeLessThanOrEqual(most);
  },
);

test.each([
  ['ChangesFail', ['Errors']],
  ['ChangeExecutionEnded', ['ExecutionsAborted', 'ExecutionsFailed', 'ExecutionsTimedOut']],
])('with changes, and only then, there is %s, which says where the runbook is', (name, metrics) => {
  const { Properties } = changes.one(type, `Alarms${name}`);
  expect([...new Set(JSON.stringify(Properties).match(/"MetricName":"\w+"/g))].sort()).toEqual(
    metrics.map((metric) => `"MetricName":"${metric}"`),
  );
  const [, anchor] = /runbook\.md#([\w-]+)/.exec(String(Properties['AlarmDescription'])) ?? [];
  expect(anchors).toContain(anchor);
  expect(everything.all(type).filter(([id]) => id.startsWith(`Alarms${name}`))).toEqual([]);
});
