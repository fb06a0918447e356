/** Why something is not known: every code once, in a file that a person reads in a review. */

import { volumeUnreadReasons } from '../../../core/host/ebs-statistics.ts';
import type { WithoutSeries } from '../../../core/report/audit-report.ts';
import {
  type InstanceReason,
  instanceReasonSchema,
  type PriceReason,
  priceReasonSchema,
  typeReasonSchema,
  type VolumeReason,
  volumeReasonSchema,
} from '../../../core/schemas/unknown-reasons.ts';
import {
  type HostNote,
  type HostReason,
  hostNoteSchema,
  hostReasonSchema,
} from '../../../core/stripes/host-report.ts';
import type { NoCommonTime } from '../../../core/stripes/load-as-one.ts';
import {
  hostNoteText,
  hostReasonText,
  instanceReasonText,
  noCommonTimeText,
  priceReasonText,
  typeReasonText,
  volumeReasonText,
  withoutSeriesText,
} from '../../../report/wording/reasons.ts';
import { codesOf, expectToRead, unreadable } from './rendered.ts';

const ofVolumes: VolumeReason[] = [
  { code: 'no-operations' },
  { code: 'one-datapoint' },
  { code: 'mixed-periods', of: 'points', periodSeconds: 60, otherPeriodSeconds: 300 },
  { code: 'mixed-periods', of: 'reads-and-writes', periodSeconds: 60, otherPeriodSeconds: 300 },
  { code: 'reads-and-writes-apart' },
  { code: 'conflicting-points' },
  { code: 'points-too-close', periodSeconds: 30 },
  { code: 'metric-in-part', metric: 'VolumeReadOps', status: 'PartialData' },
  { code: 'metric-in-part', metric: 'VolumeReadOps', status: null },
  { code: 'metrics-not-read', reason: 'cloudwatch:GetMetricData in us-east-1 failed: AccessDenied: no' },
  { code: 'batch-without-result' },
  { code: 'batch-failed', reason: 'States.Timeout: ' },
  { code: 'volume-type-unknown', volumeType: 'gp9' },
  { code: 'configuration-refused', reason: 'IOPS 900,000 is not allowed: io1 has 100 to 64,000 IOPS' },
  { code: 'volume-state', state: 'creating' },
  { code: 'instance-stopped', instanceId: 'i-01', asked: 'operations' },
  { code: 'instance-stopped', instanceId: 'i-01', asked: 'queue-length' },
  { code: 'no-window' },
  { code: 'too-few-minutes', knownMinutes: 10, windowMinutes: 1_440 },
];
const ofInstances: InstanceReason[] = [
  { code: 'no-operations' },
  { code: 'no-ebs-metrics', isStopped: false },
  { code: 'no-ebs-metrics', isStopped: true },
  { code: 'volumes-in-part' },
  { code: 'too-few-minutes-of-ebs', knownMinutes: 10 },
];
const ofPrices: PriceReason[] = [
  { code: 'no-ebs-prices', region: 'eu-central-1' },
  { code: 'no-ebs-price', volumeType: 'io1', region: 'eu-central-1' },
  { code: 'no-instance-price', instanceType: 'm9.large', region: 'eu-central-1', asOf: null },
  { code: 'no-instance-price', instanceType: 'm9.large', region: 'eu-central-1', asOf: '2026-11-15' },
];
const ofTypes: Parameters<typeof typeReasonText>[0][] = [
  { code: 'no-ebs-limits', instanceType: 't1.micro' },
  { code: 'no-attachment-limit', instanceType: 't1.micro' },
  { code: 'bandwidth-weighting', weighting: 'vpc-1' },
];
const ofHosts: HostReason[] = [
  { code: 'not-reached' },
  { code: 'no-answer', seconds: 180 },
  { code: 'command-ended', status: 'Failed' },
  { code: 'call-failed', reason: 'ssm:GetCommandInvocation in us-east-1 failed: InternalServerError' },
  { code: 'answer-too-large', characters: 30_000, most: 23_999 },
  { code: 'not-the-document' },
  { code: 'lsblk-failed', text: 'lsblk took longer than 10 s' },
  { code: 'lsblk-unreadable' },
];
const hostNotes: HostNote[] = [
  { code: 'join-unknown', device: 'vg-lv', disks: 2 },
  { code: 'no-serial-numbers', devices: ['xvdf', 'xvdg'], count: 2 },
  { code: 'no-serial-numbers', devices: ['xvdf'], count: 4 },
  { code: 'device-mapper-unread', text: 'dmsetup is not there' },
  { code: 'statistics-unread', text: 'neither nvme-cli nor python3 is there' },
  { code: 'statistics-unread', text: null },
  ...volumeUnreadReasons.map((reason) => ({
    ...{ code: 'statistics-of-volumes-unread' as const, devices: ['nvme1n1'], count: 3, reason },
  })),
  { code: 'statistics-left-out', devices: ['nvme97n1', 'nvme98n1'], count: 2 },
];
const withoutSeries: WithoutSeries[] = [
  { code: 'evaluated-without', resources: 1 },
  { code: 'page-full', resources: 1_200 },
];
const noCommonTime: NoCommonTime[] = [
  { code: 'no-load' },
  { code: 'periods-differ', periodSeconds: [60, 300] },
];
const parts: [string, string[]][] = [
  ['volumes', ofVolumes.map(volumeReasonText)],
  ['instances', ofInstances.map(instanceReasonText)],
  ['prices', ofPrices.map(priceReasonText)],
  ['instance types', ofTypes.map(typeReasonText)],
  ['hosts', ofHosts.map(hostReasonText)],
  ['notes of hosts', hostNotes.map(hostNoteText)],
  ['a page without some charts', withoutSeries.map(withoutSeriesText)],
  ['volumes together', noCommonTime.map(noCommonTimeText)],
];
const texts = parts.flatMap(([, lines]) => lines);

test('the lines are those that were read in a review', () => {
  expectToRead(
    'reasons.txt',
    parts.flatMap(([title, lines], i) => [...(i === 0 ? [] : ['']), `# ${title}`, ...lines]),
  );
});

test('every code is among them', () => {
  expect(new Set(ofVolumes.map(({ code }) => code))).toEqual(new Set(codesOf(volumeReasonSchema)));
  const known = new Set([...ofVolumes, ...ofInstances].map(({ code }) => code));
  expect(new Set(ofPrices.map(({ code }) => code))).toEqual(new Set(codesOf(priceReasonSchema)));
  const types = new Set(ofTypes.map(({ code }) => code));
  expect(types).toEqual(new Set([...codesOf(typeReasonSchema), 'bandwidth-weighting']));
  expect(ofHosts.map(({ code }) => code)).toEqual(codesOf(hostReasonSchema));
  expect(new Set(hostNotes.map(({ code }) => code))).toEqual(new Set(codesOf(hostNoteSchema)));
  expect(codesOf(instanceReasonSchema).filter((code) => !known.has(code as VolumeReason['code']))).toEqual(
    [],
  );
});

test('each is the end of a sentence, and none is too long', () => {
  expect(unreadable(texts)).toEqual([]);
  expect(texts.filter((text) => /\.$/.test(text))).toEqual([]);
});
