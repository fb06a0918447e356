/** Why something is not known: every code once, in a file that a person reads in a review. */
import {
  type InstanceReason,
  instanceReasonSchema,
  type VolumeReason,
  volumeReasonSchema,
} from '../../../core/schemas/unknown-reasons.ts';
import { instanceReasonText, volumeReasonText } from '../../../report/wording/reasons.ts';
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
  { code: 'metrics-not-read', because: 'cloudwatch:GetMetricData in us-east-1 failed: AccessDenied: no' },
  { code: 'batch-without-result' },
  { code: 'batch-failed', because: 'States.Timeout: ' },
  { code: 'volume-type-unknown', volumeType: 'gp9' },
  { code: 'configuration-refused', because: 'IOPS 900,000 is not allowed: io1 has 100 to 64,000 IOPS' },
  { code: 'volume-state', state: 'creating' },
  { code: 'instance-stopped', instanceId: 'i-01', asked: 'operations' },
  { code: 'instance-stopped', instanceId: 'i-01', asked: 'queue-length' },
  { code: 'no-window' },
  { code: 'too-few-minutes', knownMinutes: 10, windowMinutes: 1_440 },
];
const ofInstances: InstanceReason[] = [
  { code: 'no-operations' },
  { code: 'too-little-known', because: 'only 10 minutes of its EBS metrics are there' },
];
const texts = [...ofVolumes.map(volumeReasonText), ...ofInstances.map(instanceReasonText)];

test('the lines are those that were read in a review', () => {
  expectToRead('reasons.txt', [
    '# volumes',
    ...ofVolumes.map(volumeReasonText),
    '',
    '# instances',
    ...ofInstances.map(instanceReasonText),
  ]);
});

test('every code is among them', () => {
  expect(new Set(ofVolumes.map(({ code }) => code))).toEqual(new Set(codesOf(volumeReasonSchema)));
  const known = new Set([...ofVolumes, ...ofInstances].map(({ code }) => code));
  expect(codesOf(instanceReasonSchema).filter((code) => !known.has(code as VolumeReason['code']))).toEqual(
    [],
  );
});

test('each is the end of a sentence, and none is too long', () => {
  expect(unreadable(texts)).toEqual([]);
  expect(texts.filter((text) => /\.$/.test(text))).toEqual([]);
});
