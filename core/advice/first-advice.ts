/**
 * The advice on a volume. What held it back is answered by what helps, tried by replay; what needs no replay to be right
 * (remove what is not used) is said as it is.
 */
import type { Thresholds } from '../diagnosis/thresholds.ts';
import { figure } from '../figures.ts';
import { gp3Figures } from '../limits/volume-limits.ts';
import type { VolumeConfiguration } from '../limits/volume-types.ts';
import type { Layout } from '../plan/layout.ts';
import { monthlyUsd, roundUsd } from '../prices/volume-price.ts';
import type { FindingKind, Recommendation } from '../schemas/finding.ts';
import { type AdviceInput, limitOfLayout, outpostIsBilled, unknownEffect, way } from './advice-input.ts';
import { volumeTarget } from './command-target.ts';
import { heldBackOptions, type Options } from './held-back/options.ts';
import { isOpen, type Wanted } from './held-back/wanted.ts';
import { layoutNow } from './layout-now.ts';

function removeUnused({ volume, usd }: AdviceInput, attached: boolean): Recommendation {
  const steps = [
    `aws ec2 create-snapshot ${volumeTarget(volume)}`,
    'wait until the snapshot is completed, and check that it can be restored; it costs by what is stored',
    ...(attached ? [`aws ec2 detach-volume ${volumeTarget(volume)}`] : []),
    `aws ec2 delete-volume ${volumeTarget(volume)}`,
  ];
  return {
    ...way('delete', 'unused', 'Ask its owner; if nobody needs it, keep a snapshot and delete the volume.'),
    monthlyUsdDelta: usd.known ? -usd.value : null,
    priceUnknownReason: usd.known ? null : usd.because.code,
    risks: [{ code: 'snapshot-first' }],
    steps: attached
      ? [
          'unmount it on the instance (a root volume can only be detached while the instance is stopped)',
          ...steps,
        ]
      : steps,
  };
}

/** What its credits give today, all the time: it needs no replay to be right. */
function leaveTheBucket({ draft, siblings, volume, limits, config, prices }: AdviceInput): Recommendation {
  const iops = Math.max(gp3Figures.freeIops, limits.burstIops);
  const throughputMiBps = Math.max(gp3Figures.freeMiBps, Math.ceil(limits.burstMiBps));
  const next: VolumeConfiguration = { ...config, volumeType: 'gp3', iops, throughputMiBps };
  const isOutpost = config.deployment === 'outposts';
  const outposts = isOutpost ? ' See first that the Outpost offers gp3.' : '';
  const alsoAtBurst = siblings.some(({ kind }) => kind.startsWith('throttled-volume-'));
  const caveat = alsoAtBurst
    ? ' It was held back at the burst limit too: for that it needs more than these figures.'
    : '';
  const to: Layout = {
    ...{ kind: 'single', members: 1, volumeType: 'gp3', sizeGiB: config.sizeGiB, iops, throughputMiBps },
  };
  const [limitBefore, from] = [draft.limit, layoutNow(limits)];
  return {
    ...way(
      'modify',
      'leave-the-bucket',
      `Change it in place to gp3 with ${figure(iops)} IOPS and ${figure(throughputMiBps)} MiB/s: the gp2 burst all the time, without credits.${caveat}${outposts}`,
    ),
    monthlyUsdDelta:
      prices.known && !isOutpost
        ? roundUsd(monthlyUsd(next, prices.value).total - monthlyUsd(config, prices.value).total)
        : null,
    priceUnknownReason: isOutpost ? outpostIsBilled : prices.known ? null : prices.because.code,
    inPlace: true,
    change: { of: 'volume', from, to },
    effect: {
      ...unknownEffect,
      ...{ method: 'estimated', limitBefore, limitAfter: limitOfLayout(to, limitBefore) },
    },
    sizedBy: 'present-maximum',
    risks: [
      ...(alsoAtBurst ? [{ code: 'also-at-the-limit' as const }] : []),
      ...(isOutpost ? [{ code: 'type-on-outpost' as const }] : []),
    ],
    steps: [
      `aws ec2 modify-volume ${volumeTarget(volume)} --volume-type gp3 --iops ${iops} --throughput ${throughputMiBps}`,
      'name IOPS and throughput as above: what EC2 takes without them is documented in two ways',
      'no downtime; a volume can be modified 4 times in 24 h, each after the one before is completed',
    ],
  };
}

/** Where the rate of the last half hour does not empty the bucket, what is coming is a forecast and not replayed. */
function creditsWillExhaust(input: AdviceInput): Recommendation {
  if (input.config.volumeType === 'gp2') return leaveTheBucket(input);
  return way(
    'modify',
    'larger-or-other-type',
    'A larger volume of this type has a higher baseline; small random I/O belongs on gp3, where it costs no credits.',
  );
}

const byKind: Partial<Record<FindingKind, (input: AdviceInput) => Recommendation>> = {
  'credits-will-exhaust': creditsWillExhaust,
  'micro-burst': () =>
    way(
      'schedule',
      'spread-the-burst',
      'Spread the burst (checkpoint, flush and batch settings), or size for its peak and not for the average.',
    ),
  stalled: () =>
    way(
      'investigate',
      'host-errors',
      'Look at the host’s I/O errors and at the AWS Health events of that time; open a case if it returns.',
    ),
  idle: (input) => removeUnused(input, true),
  unattached: (input) => removeUnused(input, false),
};

/** Findings of a volume that another configuration can be tried for. */
const replayed: readonly FindingKind[] = [
  'credits-exhausted',
  'credits-will-exhaust',
  'throttled-volume-iops',
  'throttled-volume-throughput',
  'micro-burst',
];

/** Of what runs out soon what is coming counts, where that is known. */
const wantedFor = ({ draft, wanted }: AdviceInput): Wanted | null =>
  draft.kind === 'credits-will-exhaust' ? (wanted?.coming() ?? null) : wanted;

/**
 * The advice of one finding of a volume: what helps by replay, each with the minutes before and after; where there is
 * nothing to replay, the way. A burst can also be spread.
 */
export function firstAdvice(input: AdviceInput, thresholds: Thresholds): Options {
  const { kind } = input.draft;
  const wanted = replayed.includes(kind) ? wantedFor(input) : null;
  const general = byKind[kind]?.(input);
  const ways = general === undefined ? [] : [general];
  if (wanted === null) return { recommendations: ways, notAdvised: [] };
  const options = heldBackOptions(input, wanted, thresholds);
  // Where averages show nothing of it the steps say so already.
  const isSpreadToo = kind === 'micro-burst' && !isOpen(wanted);
  const { recommendations } = options;
  return { ...options, recommendations: isSpreadToo ? [...recommendations, ...ways] : recommendations };
}
