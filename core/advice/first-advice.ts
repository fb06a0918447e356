/**
 * Advice that needs no replay to be right: remove what is not used, and leave the credit bucket of gp2 for a gp3 that
 * does for ever what the burst did for a while. How much more a throttled volume needs is not guessed here.
 */

import type { Draft } from '../diagnosis/volume-findings.ts';
import type { Volume } from '../inventory.ts';
import type { Known } from '../known.ts';
import { gp3Figures, type VolumeLimits } from '../limits/volume-limits.ts';
import { type EbsPriceTable, monthlyUsd, roundUsd } from '../limits/volume-price.ts';
import type { VolumeConfiguration } from '../limits/volume-types.ts';
import type { Advice } from '../schemas/finding.ts';

/** Ids and Regions go into lines that people copy: anything that is not one is left for them to fill in. */
const safe = (text: string, shape: RegExp, placeholder: string): string =>
  shape.test(text) ? text : placeholder;

const target = (volume: Volume): string =>
  `--volume-id ${safe(volume.volumeId, /^vol-[0-9a-f]{8,17}$/, '<volume-id>')} --region ${safe(volume.region, /^[a-z]{2}(-[a-z]+)+-\d$/, '<region>')}`;

function removeUnused(volume: Volume, usd: Known<number>, attached: boolean): Advice {
  const steps = [
    `aws ec2 create-snapshot ${target(volume)}`,
    'wait until the snapshot is completed, and check that it can be restored',
    ...(attached ? [`aws ec2 detach-volume ${target(volume)}`] : []),
    `aws ec2 delete-volume ${target(volume)}`,
  ];
  return {
    action: `Ask the owner; if nobody needs it, keep a snapshot and delete the volume${attached ? ' (unmount it first)' : ''}. The snapshot costs by what is stored.`,
    monthlyUsdDelta: usd.known ? -usd.value : null,
    throttledMinutesBefore: null,
    throttledMinutesAfter: null,
    how: attached ? ['unmount it on the instance', ...steps] : steps,
  };
}

function leaveTheBucket(
  volume: Volume,
  limits: VolumeLimits,
  before: number | null,
  config: VolumeConfiguration,
  prices: Known<EbsPriceTable>,
): Advice {
  const iops = Math.max(gp3Figures.freeIops, limits.burstIops);
  const throughputMiBps = Math.max(gp3Figures.freeMiBps, Math.ceil(limits.burstMiBps));
  const next: VolumeConfiguration = { ...config, volumeType: 'gp3', iops, throughputMiBps };
  const delta = prices.known
    ? roundUsd(monthlyUsd(next, prices.value).total - monthlyUsd(config, prices.value).total)
    : null;
  return {
    action: `Change it in place to gp3 with ${iops} IOPS and ${throughputMiBps} MiB/s: the gp2 burst for ever, without credits.`,
    monthlyUsdDelta: delta,
    throttledMinutesBefore: before,
    throttledMinutesAfter: null,
    how: [
      `aws ec2 modify-volume ${target(volume)} --volume-type gp3 --iops ${iops} --throughput ${throughputMiBps}`,
      'name IOPS and throughput as above: what EC2 takes without them is documented in two ways',
      'no downtime; a volume can be modified 4 times in 24 h, each after the one before is completed',
    ],
  };
}

/** The advice of one finding; none where the right size is not yet known. */
export function firstAdvice(
  found: Draft,
  volume: Volume,
  judged: { config: VolumeConfiguration; limits: VolumeLimits },
  prices: Known<EbsPriceTable>,
  usd: Known<number>,
): Advice[] {
  if (found.kind === 'idle') return [removeUnused(volume, usd, true)];
  if (found.kind === 'unattached') return [removeUnused(volume, usd, false)];
  const credits = found.kind === 'credits-exhausted' || found.kind === 'credits-will-exhaust';
  if (credits && judged.config.volumeType === 'gp2') {
    const before = found.evidence['throttledMinutesInWindow'];
    return [
      leaveTheBucket(
        volume,
        judged.limits,
        typeof before === 'number' ? before : null,
        judged.config,
        prices,
      ),
    ];
  }
  return [];
}
