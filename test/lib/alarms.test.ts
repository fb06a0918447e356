/** The service watches itself: each alarm reaches somebody, and says what to do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { serviceMetrics } from '../../core/service-metrics.ts';
import { root, type Synthesised, shortly, synthesiser } from './synthesised.ts';

const synthesise = synthesiser();
let stack: Synthesised;
beforeAll(() => {
  stack = synthesise();
}, 120_000);

const names = [
  'AuditFailed',
  'AuditTimedOut',
  'AuditAborted',
  'AuditMissing',
  'AuditPartial',
  'AuditNotStarted',
  'SlackNotPosted',
];
const type = 'AWS::CloudWatch::Alarm';
const alarmSchema = z.object({
  AlarmActions: z.array(z.unknown()),
  AlarmDescription: z.string(),
  ComparisonOperator: z.string(),
  EvaluationPeriods: z.number(),
  Period: z.number(),
  Threshold: z.number(),
  TreatMissingData: z.string(),
});
const alarm = (name: string, of = stack) => alarmSchema.parse(of.one(type, `Alarms${name}`).Properties);

/** As a viewer of Markdown makes the anchor of a heading. */
const anchors = readFileSync(join(root, 'docs/runbook.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('## '))
  .map((line) =>
    line
      .slice(3)
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );

test('the list below names every alarm', () => {
  expect(stack.all(type)).toHaveLength(names.length);
});

test.each([
  ['AuditFailed', 'AWS/States', 'ExecutionsFailed'],
  ['AuditTimedOut', 'AWS/States', 'ExecutionsTimedOut'],
  ['AuditAborted', 'AWS/States', 'ExecutionsAborted'],
  ['AuditMissing', 'AWS/States', 'ExecutionsStarted'],
  ['AuditPartial', serviceMetrics.namespace, serviceMetrics.partialRuns],
  ['AuditNotStarted', 'AWS/SQS', 'ApproximateNumberOfMessagesVisible'],
  ['SlackNotPosted', 'AWS/SQS', 'ApproximateNumberOfMessagesVisible'],
])('%s watches %s %s', (name, Namespace, MetricName) => {
  expect(stack.one(type, `Alarms${name}`).Properties).toMatchObject({ Namespace, MetricName });
});

test('AuditPartial has the dimension that the functions publish with', () => {
  const { Dimensions } = stack.one(type, 'AlarmsAuditPartial').Properties;
  expect(Dimensions).toEqual([{ Name: 'service', Value: serviceMetrics.service }]);
});

test.each(names)('%s tells the topic of the alarms', (name) => {
  expect(alarm(name).AlarmActions.map(shortly)).toEqual(['AdvisoryAlarms']);
});

test.each(names)('%s says impact, runbook and trap, and the runbook has a heading for it', (name) => {
  const { AlarmDescription } = alarm(name);
  const [, anchor = ''] =
    /^Impact: \S.+\. Runbook: docs\/runbook\.md#(\S+) Trap: \S.+\.$/.exec(AlarmDescription) ?? [];
  const ofItsName = name.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase(); // AuditTimedOut -> audit-timed-out
  expect(anchor).toBe(ofItsName);
  expect(anchors).toContain(anchor);
  expect(AlarmDescription.length).toBeLessThanOrEqual(1_024); // CloudWatch's most
});

test('the runbook says how to start a run by hand, and links lead somewhere', () => {
  expect(anchors).toContain('a-run-by-hand');
  const links = readFileSync(join(root, 'docs/runbook.md'), 'utf8').matchAll(/\]\(#([\w-]+)\)/g);
  for (const [, anchor] of links) expect(anchors).toContain(anchor);
});

test('commands of the runbook name outputs of the stack, with all that there can be', () => {
  const used = readFileSync(join(root, 'docs/runbook.md'), 'utf8').matchAll(/\$([A-Z]\w+)/g);
  const outputs = Object.keys(synthesise({ benchmark: {} }).json['Outputs'] as object);
  for (const name of new Set([...used].map(([, output]) => output))) expect(outputs).toContain(name);
}, 120_000);

test.each(names.filter((name) => name !== 'AuditMissing'))('%s is in alarm at the first event', (name) => {
  expect(alarm(name)).toMatchObject({
    ComparisonOperator: 'GreaterThanThreshold',
    Threshold: 0,
    EvaluationPeriods: 1,
    TreatMissingData: 'notBreaching',
  });
});

test.each([
  [1, 1_800], // 30 min
  [24, 43_200], // 12 h
  [48, 86_400], // 24 h: a period may not be longer
])(
  'audits every %i h: no start in three periods of %i s is an alarm, also where there is no figure',
  (everyHours, seconds) => {
    const missing = alarm('AuditMissing', everyHours === 24 ? stack : synthesise({ audit: { everyHours } }));
    expect(missing).toMatchObject({
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
