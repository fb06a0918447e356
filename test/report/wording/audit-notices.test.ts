/** What a reader of an audit should know: every code once, in a file that a person reads in a review. */
import { type AuditNotice, auditNoticeSchema, type NotRead } from '../../../core/schemas/audit-notice.ts';
import { noticeText } from '../../../report/wording/audit-notices.ts';
import { codesOf, expectToRead, unreadable } from './rendered.ts';

const region = 'eu-central-1';
const reason = 'pricing:GetProducts of eu-central-1 failed: AccessDeniedException: not authorized';
const notRefreshed = { code: 'prices-not-refreshed', region, reason } as const;
const volumeId = 'vol-0123456789abcdef0';
const from = 'metrics.json';
const some = ['vol-01', 'vol-02', 'vol-03', 'vol-04', 'vol-05'];

const samples: (AuditNotice | NotRead)[] = [
  { code: 'ebs-prices-unknown', region },
  { code: 'volume-type-prices-unknown', region, volumeTypes: ['io1', 'standard'] },
  { ...notRefreshed, used: 'stored', asOf: '2026-11-01' },
  { ...notRefreshed, used: 'built-in', asOf: null },
  { ...notRefreshed, used: 'none', asOf: '2026-11-20' },
  { ...notRefreshed, reason: 'AccessDenied: no', used: 'those-of-before', asOf: null },
  { code: 'stored-prices-unreadable', region, reason: 's3:GetObject of catalog/eu-central-1.json failed' },
  { code: 'stored-prices-denied', region, reason: 's3:ListBucket of catalog/eu-central-1.json failed' },
  {
    code: 'price-list-incomplete',
    ...{ region, part: 'ebs', reason: 'not known: EBS:VolumeUsage.gp3 (there is no such row)' },
    usedInstead: [{ part: 'ebs', asOf: '2026-11-01' }],
  },
  {
    code: 'price-list-incomplete',
    ...{ region, part: 'ebs', reason: 'not known: EBS:VolumeUsage.gp3 (there is no such row)' },
    volumeTypes: ['gp3', 'io1'],
    usedInstead: [
      { part: 'ebs', asOf: '2026-11-01', volumeTypes: ['gp3'] },
      { part: 'ebs', asOf: null, volumeTypes: ['io1'] },
    ],
  },
  {
    code: 'price-list-incomplete',
    ...{ region, part: 'instances', reason: 'no price can be used' },
    usedInstead: [{ part: 'instances', asOf: null }],
  },
  {
    code: 'instance-prices-unclear',
    ...{ region, instanceTypes: ['c7g.large', 'p5.48xlarge'], count: 2, usedInstead: [] },
  },
  {
    code: 'instance-types-left-out',
    ...{ region, read: 1_042, leftOut: 9 },
    first: [
      {
        instanceType: 'm9.large',
        reason: { code: 'not-as-expected', path: 'vcpus', message: 'Invalid input' },
      },
      { instanceType: '', reason: { code: 'not-as-expected', path: '', message: 'Invalid input' } },
      { instanceType: 'm2.large', reason: { code: 'baseline-above-maximum' } },
    ],
  },
  { code: 'of-host', instanceId: 'i-01', note: { code: 'join-unknown', device: 'md0', disks: 2 } },
  { code: 'host-not-in-audit', instanceId: 'i-01' },
  {
    code: 'exceeded-without-finding',
    instanceId: 'i-01',
    volumes: [
      { volumeId, limit: 'volume-iops', exceededSeconds: 3_240 },
      { volumeId: 'vol-02', limit: 'instance-throughput', exceededSeconds: 61 },
    ],
    ...{ count: 3, start: '2026-11-27T02:00:00Z', end: '2026-11-28T02:00:10Z' },
  },
  { code: 'host-readings-not-kept', count: 2, reason: 's3:PutObject of hosts/ failed: SlowDown' },
  {
    code: 'host-not-read',
    ...{ instanceIds: ['i-01'], count: 1, reason: { code: 'command-ended', status: 'Failed' } },
  },
  { code: 'host-not-read', instanceIds: [], count: 0, reason: { code: 'call-failed', reason: 'no' } },
  { code: 'hosts-denied', reason: 'ssm:SendCommand in us-east-1 failed: AccessDeniedException: no' },
  { code: 'stripe-tag-unused', volumes: some.concat('vol-06').map((id) => ({ volumeId: id, tag: 'data' })) },
  {
    code: 'monitoring-bounded',
    ...{ volumes: 3_000, budgetUsd: 50, quietEveryMinutes: 45, usualEveryMinutes: 15, enoughUsd: 137 },
  },
  {
    code: 'monitoring-bounded',
    ...{ volumes: 1, budgetUsd: 0.5, quietEveryMinutes: null, usualEveryMinutes: 15, enoughUsd: 6 },
  },
  {
    ...{ code: 'monitoring-bounded', volumes: 200, budgetUsd: 5 },
    ...{ quietEveryMinutes: 67, usualEveryMinutes: 15, enoughUsd: 12 },
    accounts: { entry: 0, first: ['111122223333', '444455556666'], count: 3 },
  },
  { code: 'budget-of-nothing-read', entry: 1, names: ['ou-ab12-11111111'], count: 1 },
  { code: 'one-minute-points-gone', periodSeconds: 300 },
  { code: 'cost-is-at-least' },
  {
    code: 'cloudwatch-message',
    from: region,
    messageCode: 'ArithmeticError',
    text: 'Datapoints were dropped',
  },
  { code: 'metric-in-part', from, resourceId: volumeId, metric: 'VolumeReadOps', status: 'PartialData' },
  { code: 'metric-in-part', from: region, resourceId: volumeId, metric: 'VolumeReadOps', status: null },
  { code: 'metrics-not-read', metrics: 4_000, resources: 500, reason: 'cloudwatch:GetMetricData failed' },
  { code: 'metrics-not-read', metrics: 1, resources: 1, reason: 'no', times: 3 },
  { code: 'more-pages', file: from },
  {
    code: 'archive-file-not-read',
    file: 'history/manifests/account=111122223333/region=us-east-1/day=2026-11-23.json',
    reason: 'day=2026-11-23.json: cannot be read as a manifest: it has not its fields',
  },
  { code: 'archive-begins', start: '2026-11-08T07:00:00Z', regions: [region] },
  { code: 'archive-begins', start: '2026-11-08T07:00:00Z', regions: [region], accounts: 100 },
  { code: 'archive-begins', start: '2026-11-08T07:00:00Z', regions: [region, 'us-east-1', 'us-west-2'] },
  { code: 'archive-not-written', region, reason: null },
  { code: 'archive-not-written', region, reason: 's3:PutObject failed' },
  { code: 'labels-passed-over', file: from, count: 2, first: 'CPUUtilization' },
  { code: 'region-not-read', region, reason: 'ec2:DescribeVolumes in eu-central-1 failed' },
  { code: 'batch-not-read', volumes: 100, reason: 'States.Timeout: ' },
  { code: 'batch-not-read', volumes: 1, reason: null },
  {
    code: 'instances-not-read',
    reason: 'ec2:DescribeInstances in us-east-1 failed: UnauthorizedOperation: No.',
  },
  { code: 'instances-unlisted', instanceIds: ['i-01'], count: 1, reason: 'ec2:DescribeInstances failed' },
  { code: 'volumes-unlisted', volumeIds: some, count: 1_205, reason: 'ec2:DescribeVolumes failed' },
  { code: 'volumes-unlisted', volumeIds: ['vol-01'], count: 1, reason: null },
  { code: 'checks-not-listed', reason: 'cloudwatch:ListMetrics in us-east-1 failed: Throttling' },
  {
    code: 'benchmark-hosts-not-read',
    reason: 's3:ListBucket of campaign-hosts/us-east-1/ failed: AccessDenied: no',
  },
  {
    code: 'benchmark-hosts-not-known',
    region,
    reason: 'cloudformation:DescribeStacks in eu-central-1 failed: AccessDenied: no',
  },
  { code: 'modifications-unknown', volumeIds: [volumeId, 'vol-2', 'vol-3'], count: 12 },
  { code: 'modifications-too-slow', volumeIds: [volumeId], count: 1 },
  { code: 'recording-assumption', volumeId, text: 'in I/O of 16 KiB' },
  {
    code: 'recording-gap',
    ...{ volumeId, from: '2026-11-09T01:45:00Z', to: '2026-11-09T02:46:00Z' },
    ...{ stepSeconds: 3_660, unknownSeconds: 3_360, periodSeconds: 300 },
  },
  {
    code: 'recording-overlap',
    ...{ volumeId, at: '2026-11-09T02:46:00Z', stepSeconds: 60, periodSeconds: 300 },
  },
  { code: 'recording-repeated', volumeId, points: 3, at: ['2026-11-09T02:46:00Z'] },
  { code: 'recording-more', volumeId, what: 'gaps', count: 12 },
];

const texts = samples.map(noticeText);

test('the lines are those that were read in a review', () => {
  expectToRead('audit-notices.txt', texts);
});

test('every code is among them', () => {
  expect(new Set(samples.map(({ code }) => code))).toEqual(new Set(codesOf(auditNoticeSchema)));
});

test('each is made of whole sentences, none of which is too long', () => {
  expect(unreadable(texts)).toEqual([]);
  expect(texts.filter((text) => !/^\S.*[.)]$/.test(text))).toEqual([]);
});

test('text of an account stays in its line', () => {
  const text = noticeText({ code: 'hosts-denied', reason: 'i-1\n\u001b[31m\u202e' });
  expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
});
