/**
 * Which volumes of an instance that cannot reach what they have are lowered. Where the load of any of them shows what it
 * needs, each such volume goes to its own need, and the others stay. Where none does, all go as far as they together
 * still reach what the instance can do, and none below what it was served.
 */
import type { PaidVolume, Unreachable } from '../diagnosis/unreachable.ts';
import type { Volume } from '../inventory.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { VolumeConfiguration } from '../limits/volume-types.ts';
import { lowerToReach } from '../plan/lower-to-reach.ts';
import type { EbsPrices } from '../prices/price-book.ts';
import { monthlyUsd, roundUsd } from '../prices/volume-price.ts';
import { inPlace, toServe } from './savings/candidates.ts';
import type { NeedOf, VolumeNeed } from './savings/observed-need.ts';

interface LoweredVolume {
  volume: Volume;
  from: VolumeLimits;
  to: VolumeConfiguration;
  /** Saved a month. */
  usd: number;
}

export interface Lowering {
  /** By each volume's own need, or by what all reach together. */
  by: 'own-need' | 'together';
  lowered: LoweredVolume[];
  savedUsd: number;
  /** Volumes that stay as they are although they are paid for, since their load does not show what they need. */
  needUnknown: number;
  /** False where the need of a lowered volume rests on averages that hide bursts, or on nothing. */
  isSure: boolean;
}

const isKnown = (need: VolumeNeed | null): need is VolumeNeed => need !== null && need.confidence !== null;

/** The cheapest of its type and size that serves its own need; as it is where there is none. */
function byOwnNeed({ config, limits }: PaidVolume, need: VolumeNeed, prices: EbsPrices) {
  const current = { config, limits, prices };
  const found = inPlace(current, config.volumeType, toServe(current, need.rates));
  if (found === null) return config;
  const { iops, throughputMiBps } = found.layout;
  return config.volumeType === 'gp3' ? { ...config, iops, throughputMiBps } : { ...config, iops };
}

function together({ lowerable, reachable }: Unreachable, needOf: NeedOf, prices: EbsPrices) {
  const nothing = { iops: 0, throughputMiBps: 0 };
  const volumes = lowerable.map(({ volume, config }) => {
    return { config, keeps: needOf(volume.volumeId)?.rates ?? nothing };
  });
  return lowerToReach(volumes, reachable, prices);
}

export function loweringOf(unreachable: Unreachable, needOf: NeedOf, prices: EbsPrices): Lowering {
  const { counted, lowerable } = unreachable;
  const needs = lowerable.map(({ volume }) => needOf(volume.volumeId));
  const someKnown = counted.some(({ volume }) => isKnown(needOf(volume.volumeId)));
  const next = someKnown
    ? lowerable.map((one, i) => {
        const need = needs[i] ?? null;
        return isKnown(need) ? byOwnNeed(one, need, prices) : one.config;
      })
    : together(unreachable, needOf, prices);
  const lowered = lowerable.flatMap(({ volume, config, limits }, i) => {
    const to = next[i] as VolumeConfiguration;
    const usd = monthlyUsd(config, prices).total - monthlyUsd(to, prices).total;
    return usd > 0 ? [{ volume, from: limits, to, usd }] : [];
  });
  return {
    by: someKnown ? 'own-need' : 'together',
    lowered,
    savedUsd: roundUsd(lowered.reduce((sum, { usd }) => sum + usd, 0)),
    needUnknown: needs.filter((need) => !isKnown(need)).length,
    isSure: lowered.every(({ volume }) =>
      ['high', 'medium'].includes(`${needOf(volume.volumeId)?.confidence}`),
    ),
  };
}
