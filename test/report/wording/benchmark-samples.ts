/** Every code of a benchmark of a finding, with figures. */
import type { BenchLayout } from '../../../core/benchmark/campaign/request.ts';
import type { NotProvable } from '../../../core/benchmark/from-finding/request.ts';
import type { PlanNote } from '../../../core/schemas/bench-plan-answer.ts';
import type { Validation } from '../../../core/schemas/validation.ts';
import {
  configurationText,
  demandUnknownText,
  findingName,
  notProvableText,
  planNoteText,
  validationText,
} from '../../../report/wording/benchmark.ts';
import { aFinding } from '../../fixtures/findings.ts';
import { type LinesOfCodes, linesOfCodes, type SamplesOf } from './coded-lines.ts';

const kind = 'kind-not-measurable';

const notProvable: SamplesOf<NotProvable> = {
  'kind-not-measurable': [
    { code: kind, kind: 'idle' },
    { code: kind, kind: 'unattached' },
    { code: kind, kind: 'stalled' },
    { code: kind, kind: 'stripe-straggler' },
    { code: kind, kind: 'ebs-card-imbalance' },
    { code: kind, kind: 'uninitialized' },
    { code: kind, kind: 'unreachable-performance' },
    { code: kind, kind: 'instance-credits-exhausted' },
  ],
  'array-not-built': [{ code: 'array-not-built', kind: 'mirror' }],
  'volume-unknown': [
    {
      code: 'volume-unknown',
      volumeId: 'vol-0123456789abcdef0',
      reason: { code: 'volume-type-unknown', volumeType: 'gp9' },
    },
  ],
  'no-volume-with-load': [{ code: 'no-volume-with-load' }],
  'on-outpost': [{ code: 'on-outpost' }],
  'too-many-volumes': [{ code: 'too-many-volumes', volumes: 30, most: 24 }],
  'volumes-not-alike': [{ code: 'volumes-not-alike' }],
  'members-not-alike': [{ code: 'members-not-alike' }],
  'no-instance-type-recommended': [{ code: 'no-instance-type-recommended' }],
  'no-configuration-recommended': [{ code: 'no-configuration-recommended' }],
  'not-on-nitro': [{ code: 'not-on-nitro', instanceType: 'm4.4xlarge' }],
  'no-host-type': [{ code: 'no-host-type', region: 'us-east-1' }],
  'no-load': [{ code: 'no-load' }],
  'reads-unknown': [{ code: 'reads-unknown' }],
  'no-common-periods': [
    { code: 'no-common-periods', reason: { code: 'periods-differ', periodSeconds: [60, 300] } },
  ],
  'bytes-unknown': [{ code: 'bytes-unknown' }],
  'load-not-read': [{ code: 'load-not-read' }],
};

const hidden = { code: 'hidden-by-averages' } as const;

const notes: SamplesOf<PlanNote> = {
  'instance-limits-unknown': [
    { code: 'instance-limits-unknown', layout: 'current', instanceType: 'm5.large' },
  ],
  'instance-is-limit': [
    {
      ...{ code: 'instance-is-limit', layout: 'recommended', instanceType: 'm5.large' },
      ...{ iops: null, mibps: { layout: 500, instance: 81.25 }, bursts: null },
    },
  ],
  'measured-as-one-stripe': [{ code: 'measured-as-one-stripe' }],
  'stripe-assumed': [{ code: 'stripe-assumed' }],
  'chunk-assumed': [{ code: 'chunk-assumed', chunkKiB: 128 }],
  'host-not-nitro': [{ code: 'host-not-nitro', from: 'm4.4xlarge', to: 'm5.4xlarge' }],
  'host-type-not-in-region': [
    { code: 'host-type-not-in-region', from: 'm9.large', region: 'us-east-1', to: 'm5.large' },
  ],
  'host-type-unknown': [{ code: 'host-type-unknown', to: 'm5.large' }],
  'access-assumed': [
    { code: 'access-assumed', access: 'random' },
    { code: 'access-assumed', access: 'sequential' },
  ],
  'array-overhead': [
    { code: 'array-overhead', kind: 'raid5' },
    { code: 'array-overhead', kind: 'raid10' },
  ],
  'demand-unknown': [
    { code: 'demand-unknown', reason: hidden },
    { code: 'demand-unknown', reason: { code: 'no-figures' } },
  ],
  'piled-up': [{ code: 'piled-up', inFlight: 70_000, taken: 256 }],
  'in-flight-unknown': [{ code: 'in-flight-unknown', taken: 16 }],
  'credits-spent-first': [{ code: 'credits-spent-first' }],
  'one-load-repeated': [{ code: 'one-load-repeated' }],
  'other-region': [{ code: 'other-region', region: 'us-east-1', findingRegion: 'eu-central-1' }],
};

const validation: Validation = {
  ...{ isValidated: true, gradedAt: '2026-11-22T13:00:00.000Z', campaignId: 'bench-1', label: null },
  ...{ current: { iops: 3_000, p95Ms: 5.28 }, recommended: { iops: 12_000, p95Ms: 0.8 } },
};
const layout: BenchLayout = {
  ...{ name: 'current', kind: 'single', members: 1, volumeType: 'gp3', sizeGiB: 100 },
  ...{ iops: 3_000, throughputMiBps: 125, chunkKiB: 128, fileSystem: 'xfs' },
};
const { iops: _, throughputMiBps: __, ...ofSize } = layout;

export const benchmarkLines: readonly LinesOfCodes[] = [
  linesOfCodes<NotProvable>(
    'why no benchmark can show a finding',
    notProvable,
    (reason) => `${findingName(aFinding())} cannot be benchmarked: ${notProvableText(reason)}.`,
  ),
  linesOfCodes<PlanNote>('notes of a plan', notes, planNoteText),
  {
    title: 'what is compared',
    lines: [
      { layout, instanceType: 'm5.large' },
      { layout: { ...ofSize, volumeType: 'gp2' as const }, instanceType: 'm5.large' },
      { layout: { ...layout, kind: 'stripe' as const, members: 4 }, instanceType: 'm5.4xlarge' },
    ].map((one) => `present: ${configurationText(one)}.`),
  },
  { title: 'demand that is unknown', lines: [`3,000 IOPS served; ${demandUnknownText(hidden)}.`] },
  {
    title: 'what a benchmark showed',
    lines: [
      validation,
      { ...validation, label: 'emulated volumes' },
      { ...validation, isValidated: false, recommended: { iops: 3_010, p95Ms: null } },
      { ...validation, current: { iops: 3_000, p95Ms: null } },
    ].map(validationText),
  },
];
