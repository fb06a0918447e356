/**
 * Advice that needs no replay to be right. Where the right size is known it is named with its price (remove what is not
 * used; leave the credit bucket of gp2 for a gp3 that does all the time what the burst did for a while). Where it is
 * not, the way is named and no size: a throttled rate shows the limit and not the need.
 */
import type { Draft } from '../diagnosis/draft.ts';
import { figure } from '../figures.ts';
import type { Volume } from '../inventory.ts';
import type { Known } from '../known.ts';
import { gp3Figures, ssdMiBPerIo, topIops, type VolumeLimits } from '../limits/volume-limits.ts';
import type { VolumeConfiguration } from '../limits/volume-types.ts';
import type { EbsPrices } from '../prices/price-book.ts';
import { monthlyUsd, roundUsd } from '../prices/volume-price.ts';
import type { Advice, FindingKind } from '../schemas/finding.ts';
import { volumeTarget } from './command-target.ts';

export interface AdviceInput {
  draft: Draft;
  /** Every finding of the same volume. */
  siblings: readonly Draft[];
  volume: Volume;
  config: VolumeConfiguration;
  limits: VolumeLimits;
  prices: Known<EbsPrices>;
  usd: Known<number>;
}

/** A way without a size: no price, no replay. */
const way = (action: string, how: string[] = []): Advice => ({
  action,
  monthlyUsdDelta: null,
  throttledMinutesBefore: null,
  throttledMinutesAfter: null,
  how,
});

function removeUnused({ volume, usd }: AdviceInput, attached: boolean): Advice {
  const steps = [
    `aws ec2 create-snapshot ${volumeTarget(volume)}`,
    'wait until the snapshot is completed, and check that it can be restored; it costs by what is stored',
    ...(attached ? [`aws ec2 detach-volume ${volumeTarget(volume)}`] : []),
    `aws ec2 delete-volume ${volumeTarget(volume)}`,
  ];
  return {
    ...way('Ask its owner; if nobody needs it, keep a snapshot and delete the volume.'),
    monthlyUsdDelta: usd.known ? -usd.value : null,
    how: attached
      ? [
          'unmount it on the instance (a root volume can only be detached while the instance is stopped)',
          ...steps,
        ]
      : steps,
  };
}

function leaveTheBucket({ draft, siblings, volume, limits, config, prices }: AdviceInput): Advice {
  const iops = Math.max(gp3Figures.freeIops, limits.burstIops);
  const throughputMiBps = Math.max(gp3Figures.freeMiBps, Math.ceil(limits.burstMiBps));
  const next: VolumeConfiguration = { ...config, volumeType: 'gp3', iops, throughputMiBps };
  const before = draft.evidence['heldBackMinutesInWindow'];
  const outposts =
    config.deployment === 'outposts'
      ? ' See first that the Outpost offers gp3; the price is the Region’s.'
      : '';
  const alsoAtBurst = siblings.some(({ kind }) => kind.startsWith('throttled-volume-'));
  const caveat = alsoAtBurst
    ? ' It was held back at the burst limit too: for that it needs more than these figures.'
    : '';
  return {
    action: `Change it in place to gp3 with ${figure(iops)} IOPS and ${figure(throughputMiBps)} MiB/s: the gp2 burst all the time, without credits.${caveat}${outposts}`,
    monthlyUsdDelta: prices.known
      ? roundUsd(monthlyUsd(next, prices.value).total - monthlyUsd(config, prices.value).total)
      : null,
    throttledMinutesBefore: typeof before === 'number' ? before : null,
    throttledMinutesAfter: null,
    how: [
      `aws ec2 modify-volume ${volumeTarget(volume)} --volume-type gp3 --iops ${iops} --throughput ${throughputMiBps}`,
      'name IOPS and throughput as above: what EC2 takes without them is documented in two ways',
      'no downtime; a volume can be modified 4 times in 24 h, each after the one before is completed',
    ],
  };
}

function credits(input: AdviceInput): Advice {
  if (input.config.volumeType === 'gp2') return leaveTheBucket(input);
  return way(
    'A larger volume of this type has a higher baseline; small random I/O belongs on gp3, where it costs no credits.',
  );
}

/** The highest figures that gp3 of this size can have, where the volume stands. */
function gp3Top(config: VolumeConfiguration): { iops: number; mibps: number } {
  const iops = topIops({ ...config, volumeType: 'gp3' }) ?? gp3Figures.freeIops;
  return { iops, mibps: Math.min(gp3Figures[config.deployment].maxMiBps, iops * ssdMiBPerIo) };
}

const need = 'A throttled rate does not show how much it needs: go up until the queue is gone.';

/** What going up costs where it is paid for apart. */
function perStep({ config, prices }: AdviceInput, what: 'iops' | 'throughput'): string {
  if (!prices.known || config.deployment === 'outposts') return '';
  const { gp3PerIops, gp3PerMiBps, io1PerIops, io2PerIops } = prices.value;
  if (config.volumeType === 'io1')
    return ` Each 1,000 IOPS more cost ${figure(1_000 * io1PerIops)} USD a month.`;
  if (config.volumeType === 'io2')
    return ` Each 1,000 IOPS more cost at most ${figure(1_000 * (io2PerIops[0]?.usd ?? 0))} USD a month.`;
  return what === 'iops'
    ? ` On gp3 each 1,000 IOPS more cost ${figure(1_000 * gp3PerIops)} USD a month.`
    : ` On gp3 each 100 MiB/s more cost ${figure(100 * gp3PerMiBps)} USD a month.`;
}

const gp3Instead = {
  io1: 'gp3 has the same durability for less',
  io2: 'gp3 costs less where 99.8 % durability and performance 99 % of the time will do',
} as const;

/** io1 and io2 have more to give: their throughput follows their IOPS. */
function raiseProvisioned(input: AdviceInput, volumeType: 'io1' | 'io2', top: number): Advice {
  const action =
    input.limits.burstIops >= top
      ? `It has all the IOPS that ${volumeType} of this size can have: take a larger one, or a stripe of several volumes.`
      : `Raise its provisioned IOPS in place (${volumeType} of this size: up to ${figure(top)}), or stripe several volumes; ${gp3Instead[volumeType]}.`;
  return way(`${action} ${need}${perStep(input, 'iops')}`);
}

function raise(input: AdviceInput, what: 'iops' | 'throughput'): Advice {
  const { config, limits } = input;
  const { volumeType } = config;
  if (volumeType === 'io1' || volumeType === 'io2') {
    return raiseProvisioned(input, volumeType, topIops(config) ?? limits.burstIops);
  }
  const top = gp3Top(config);
  const highest = what === 'iops' ? `${figure(top.iops)} IOPS` : `${figure(top.mibps)} MiB/s`;
  const atTop = what === 'iops' ? limits.burstIops >= top.iops : limits.burstMiBps >= top.mibps;
  const inPlace =
    volumeType === 'gp3'
      ? 'Raise it in place'
      : volumeType === 'standard'
        ? 'Move it to gp3 (through a snapshot, if EC2 does not modify this magnetic volume in place) and raise it there'
        : 'Change it in place to gp3 and raise it there';
  const action = atTop
    ? 'It has what gp3 of this size can have: take a larger gp3, io2, or a stripe of several volumes.'
    : `${inPlace} (gp3 of this size: up to ${highest}), or stripe several volumes.`;
  return way(`${action} ${need}${atTop ? '' : perStep(input, what)}`, [
    `stripewise limits --type gp3 --size-gib ${config.sizeGiB}${config.deployment === 'outposts' ? ' --deployment outposts' : ''}`,
  ]);
}

const byKind: Partial<Record<FindingKind, (input: AdviceInput) => Advice>> = {
  'credits-exhausted': credits,
  'credits-will-exhaust': credits,
  'throttled-volume-iops': (input) => raise(input, 'iops'),
  'throttled-volume-throughput': (input) => raise(input, 'throughput'),
  'micro-burst': () =>
    way(
      'Spread the burst (checkpoint, flush and batch settings), or size for its peak and not for the average.',
    ),
  stalled: () =>
    way(
      'Look at the host’s I/O errors and at the AWS Health events of that time; open a case if it returns.',
    ),
  idle: (input) => removeUnused(input, true),
  unattached: (input) => removeUnused(input, false),
};

/** The advice of one finding of a volume. */
export function firstAdvice(input: AdviceInput): Advice[] {
  const advise = byKind[input.draft.kind];
  return advise === undefined ? [] : [advise(input)];
}
