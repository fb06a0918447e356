/** Steps, reasons and assumptions in words: every code once, in a file that a person reads in a review. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemandAssumption, NeedUnknown } from '../../../core/schemas/load-codes.ts';
import type { NotRecommended, PriceUnknown, Step } from '../../../core/schemas/recommendation.ts';
import { assumptionText, needUnknownText, notRecommendedText } from '../../../report/wording/demand.ts';
import { priceUnknownText } from '../../../report/wording/recommendation.ts';
import { stepLines } from '../../../report/wording/steps.ts';
import { samplesOf } from './samples-of.ts';

const file = join(__dirname, 'recommendation-codes.txt');

const plain = [{}] as const;

const steps = samplesOf<Step>({
  run: [{ command: 'aws ec2 create-snapshot --volume-id vol-0123456789abcdef0 --region us-east-1' }],
  'run-later': [{ command: 'aws ec2 delete-volume --volume-id vol-0123456789abcdef0 --region us-east-1' }],
  'plan-note': [{ note: { code: 'managed-elsewhere' } }],
  'await-snapshot': plain,
  unmount: plain,
  'name-figures': plain,
  'modification-limit': [{ most: 4, hours: 24 }],
  'stop-and-unmount': plain,
  'start-and-mount': plain,
  'check-instance-type': [{ instanceType: 'm6in.xlarge' }],
  'launch-instance': [
    { instanceType: 'm6in.xlarge', availabilityZone: 'us-east-1a' },
    { instanceType: 'm6in.xlarge', availabilityZone: null },
  ],
  'stop-application': plain,
  'start-application': plain,
  'initialization-rate': [{ minMiBps: 100, maxMiBps: 300 }],
  'on-the-host': plain,
  'create-like-siblings': plain,
  'stays-in-use': plain,
  'await-recovery': plain,
  'detach-old-volume': plain,
  'copy-like-siblings': plain,
  'replace-by-copy': plain,
  'keep-old-volume': plain,
  'array-unknown': plain,
  'schedule-by-hand': plain,
  scheduled: [
    {
      ...{ what: 'raise', days: 'SUN-THU', atUtc: '23:45' },
      command: 'aws ec2 modify-volume --volume-id vol-0123456789abcdef0 --region us-east-1 --iops 16000',
    },
    {
      ...{ what: 'lower', days: '*', atUtc: '04:00' },
      command: 'aws ec2 modify-volume --volume-id vol-0123456789abcdef0 --region us-east-1 --iops 3000',
    },
  ],
  'scheduler-role': plain,
  'initialization-status': plain,
  'read-once': plain,
  'claim-to-check': plain,
  'attributes-class-version': plain,
  'claim-grows': plain,
  'class-in-force': plain,
  'claim-has-volume': plain,
});

const region = 'eu-central-1';

const prices = samplesOf<PriceUnknown>({
  'no-ebs-prices': [{ region }],
  'no-ebs-price': [{ volumeType: 'io1', region }],
  'no-instance-price': [{ instanceType: 'm5.large', region }],
  'billed-by-rack': plain,
  'unknown-instance-type': [
    { instanceType: 'm9.large', region },
    { instanceType: null, region },
  ],
  'no-ebs-limits': [{ instanceType: 'm1.small' }],
  'no-type-is-enough': plain,
});

const periods = { periods: 3, throttledPeriods: 40 };

const assumptions = samplesOf<DemandAssumption>({
  'service-time': [
    { ioKiB: 16, isMeasured: true, lowMs: 0.95, highMs: 1.05 },
    { ioKiB: null, isMeasured: false, lowMs: 0.25, highMs: 2.31 },
  ],
  'think-time': [
    { lowMs: 2.05, highMs: 5.95, calmSteps: 37, limitFalls: 1 },
    { lowMs: 65.67, highMs: null, calmSteps: 39, limitFalls: 0 },
    { lowMs: 0, highMs: null, calmSteps: 0, limitFalls: 2 },
    { lowMs: 0, highMs: null, calmSteps: 0, limitFalls: 0 },
  ],
  'at-most-unknown': plain,
  backlog: [periods],
  'short-bursts': [{ periods: 1, throttledPeriods: 1 }],
  stalled: [periods],
  'no-queue-no-latency': [periods],
});

const needs = samplesOf<NeedUnknown>({
  throttled: [{ minutes: 5 }],
  'window-too-short': [{ minHours: 24 }],
  'too-many-gaps': [{ knownPercent: 51.2 }],
  'bytes-unknown': plain,
  'averages-hide-bursts': [{ periodSeconds: 300 }],
  'not-read': plain,
});

const tried: NotRecommended = {
  layout: {
    kind: 'single',
    members: 1,
    volumeType: 'io2',
    sizeGiB: 200,
    iops: 7_500,
    throughputMiBps: 1_875,
  },
  ...{ throttledMinutesNow: 40, throttledMinutes: 40, throttledMinutesIfLikely: 40 },
};

const parts: [title: string, lines: string[]][] = [
  ['Steps', stepLines(steps)],
  ['Why a price is not known', prices.map(priceUnknownText)],
  ['What the bounds of a demand rest on', assumptions.map(assumptionText)],
  ['Why a load does not show what it needs', needs.map(needUnknownText)],
  ['Not recommended', [tried, { ...tried, throttledMinutesIfLikely: 12 }].map(notRecommendedText)],
];

const rendered = (): string =>
  parts.map(([title, lines]) => [`# ${title}`, ...lines].join('\n')).join('\n\n');

test('the lines are those that were read in a review (UPDATE_LINES=1 writes them anew)', () => {
  if (process.env['UPDATE_LINES'] === '1') writeFileSync(file, `${rendered()}\n`);
  expect(`${rendered()}\n`).toBe(readFileSync(file, 'utf8'));
});

test('no sentence has more than 25 words, and nothing is undefined', () => {
  const sentences = parts.flatMap(([, lines]) => lines.flatMap((line) => line.split(/(?<=[.!?:])\s+/)));
  expect(sentences.filter((sentence) => sentence.split(/\s+/).length > 25)).toEqual([]);
  expect(sentences.filter((sentence) => /undefined|NaN|null|\bInfinity\b|\.\.$/.test(sentence))).toEqual([]);
});

test('what is no command is a comment: all of it can be pasted into a shell', () => {
  for (const step of steps) {
    if (step.code === 'run') continue;
    for (const line of stepLines([step])) {
      const isCommand =
        step.code === 'run-later' || (step.code === 'scheduled' && line.endsWith(step.command));
      expect(line).toMatch(isCommand ? /^# aws / : /^# [A-Z][^\n]*[.:]$/);
    }
  }
});

test('a command of several lines is several lines of a script: one that is not to be run yet stays a comment', () => {
  const command = "kubectl apply --filename - <<'EOF'\nkind: VolumeAttributesClass\nEOF";
  expect(stepLines([{ code: 'run', command }])).toEqual(command.split('\n'));
  expect(stepLines([{ code: 'run-later', command }])).toEqual([
    "# kubectl apply --filename - <<'EOF'",
    '# kind: VolumeAttributesClass',
    '# EOF',
  ]);
});
