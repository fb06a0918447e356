/** Configurations of one volume for rates that it shall have: in place, or as a stripe. */

import type { VolumeLimits } from '../../limits/volume-limits.ts';
import type { VolumeConfiguration, VolumeType } from '../../limits/volume-types.ts';
import { cheapestMember } from '../../plan/cheapest-member.ts';
import { annualFailureRate } from '../../plan/failure-rate.ts';
import type { Layout } from '../../plan/layout.ts';
import type { Rates } from '../../plan/need.ts';
import type { EbsPrices } from '../../prices/price-book.ts';
import { exactMonthlyUsd } from '../../prices/volume-price.ts';

export interface Current {
  config: VolumeConfiguration;
  limits: VolumeLimits;
  prices: EbsPrices;
}

export interface Cheaper {
  layout: Layout;
  monthlyUsd: number;
}

/** AWS sees diminishing returns beyond eight; the chance to lose the data stays below 2 % a year. */
const mostMembers = 8;
const mostFailureRate = 0.02;

export const currentUsd = ({ config, prices }: Current): number => exactMonthlyUsd(config, prices).total;

/** With what all its members cost together. */
export function priced(layout: Layout, { config, prices }: Current): Cheaper {
  const { volumeType, sizeGiB, iops, throughputMiBps, members } = layout;
  const paid = { volumeType, sizeGiB, deployment: config.deployment, iops, throughputMiBps };
  return { layout, monthlyUsd: exactMonthlyUsd(paid, prices).total * members };
}

/** What it can do at its best today, credits and all. */
export const bestOf = ({ limits }: Current): Rates => ({
  iops: limits.burstIops,
  throughputMiBps: limits.burstMiBps,
});

const lowerOf = (a: Rates, b: Rates): Rates => ({
  iops: Math.min(a.iops, b.iops),
  throughputMiBps: Math.min(a.throughputMiBps, b.throughputMiBps),
});

/** What must be served: what was seen with headroom, and never more than it can do today. */
export const toServe = (current: Current, seen: Rates): Rates => lowerOf(bestOf(current), seen);

/** The same volume with another type or other figures, its size unchanged; null where that is not to be had. */
export function inPlace(
  current: Current,
  volumeType: Exclude<VolumeType, 'standard'>,
  rates: Rates,
): Cheaper | null {
  const { sizeGiB, deployment } = current.config;
  const found = cheapestMember(volumeType, { ...rates, sizeGiB }, deployment);
  // A larger volume could never be made smaller again: that is not in place and back.
  if ('outOfReach' in found || found.member.sizeGiB !== sizeGiB) return null;
  return priced({ kind: 'single', members: 1, volumeType, ...found.member }, current);
}

/** The cheapest stripe of gp3 of so many members at most; null where none is legal. */
export function stripe(current: Current, rates: Rates, freeAttachments: number): Cheaper | null {
  const { sizeGiB, deployment } = current.config;
  let best: Cheaper | null = null;
  for (let members = 2; members <= Math.min(mostMembers, freeAttachments); members++) {
    if (annualFailureRate('stripe', members, 'gp3') > mostFailureRate) break;
    const each = {
      iops: rates.iops / members,
      throughputMiBps: rates.throughputMiBps / members,
      sizeGiB: sizeGiB / members,
    };
    const found = cheapestMember('gp3', each, deployment);
    if ('outOfReach' in found) continue;
    const option = priced({ kind: 'stripe', members, volumeType: 'gp3', ...found.member }, current);
    if (best === null || option.monthlyUsd < best.monthlyUsd - 1e-6) best = option;
  }
  return best;
}
