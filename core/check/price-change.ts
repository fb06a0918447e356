/** What the volumes and the instances of a plan cost a month more or less, by resource. */
import { type Known, known, unknown } from '../known.ts';
import { roundUsd } from '../prices/prices.ts';
import type { NotPricedReason, PricedKind, PricedResource } from '../schemas/check-answer.ts';
import type { Checked } from './checked.ts';
import type { CheckedInstances, Started } from './checked-instances.ts';
import { type CheckedVolume, type Configured, type Figure, shrinkOf } from './checked-volume.ts';
import type { Offers } from './rules/rule.ts';

type Usd = Known<number, NotPricedReason>;

interface PriceChange {
  resources: PricedResource[];
  notPriced: { kind: PricedKind; address: string; device: string | null; reason: NotPricedReason }[];
}

const nothing: Usd = known(0);

/** Of the reasons that figures are not known some are none of a price. */
function reasonOf(figure: Figure<unknown> & { known: false }): Usd {
  const { reason } = figure;
  return reason.code === 'figure-unknown' || reason.code === 'refused'
    ? unknown(reason)
    : unknown({ code: 'refused' });
}

function usdOf(
  configured: Figure<Configured>,
  copies: Figure<number>,
  volume: CheckedVolume,
  offers: Offers,
): Usd {
  if (copies.known && copies.value === 0) return nothing;
  if (!configured.known) return reasonOf(configured);
  if (!copies.known) return reasonOf(copies);
  if (volume.region === null) return unknown({ code: 'region-unknown' });
  const offer = offers.of(volume.region);
  const { config } = configured.value;
  if (!offer.hasPricesOf([config.volumeType])) return unknown({ code: 'no-prices', region: volume.region });
  return known((offer.rankUsd([config]) ?? 0) * copies.value);
}

function sidesOf(volume: CheckedVolume, offers: Offers): { before: Usd; after: Usd } {
  const { action, now, configuredBefore, copies, copiesBefore } = volume;
  const after = (): Usd =>
    shrinkOf(volume) !== null ? unknown({ code: 'refused' }) : usdOf(now, copies, volume, offers);
  switch (action) {
    case 'create':
    case 'declared':
      return { before: nothing, after: after() };
    case 'delete':
      return { before: usdOf(now, copiesBefore, volume, offers), after: nothing };
    default:
      return { before: usdOf(configuredBefore ?? now, copiesBefore, volume, offers), after: after() };
  }
}

/** A volume that stays as it is costs what it cost, known or not. */
const isChange = ({ action, copies, copiesBefore }: CheckedVolume): boolean =>
  action !== 'none' ||
  copies.known !== copiesBefore.known ||
  (copies.known && copiesBefore.known && copies.value !== copiesBefore.value);

// Instances: on demand, Linux, as the Region's catalog has them.

function usdOfStarted(started: Started | null, region: string | null, offers: Offers): Usd {
  if (started === null) return nothing;
  const { types, isSpot, isDedicated, copies } = started;
  if (copies.known && copies.value === 0) return nothing;
  if (!isSpot.known) return reasonOf(isSpot);
  if (isSpot.value) return unknown({ code: 'spot' });
  if (!isDedicated.known) return reasonOf(isDedicated);
  if (isDedicated.value) return unknown({ code: 'dedicated' });
  if (!types.known) return reasonOf(types);
  const [instanceType = '', ...others] = new Set(types.value);
  if (others.length > 0) return unknown({ code: 'several-instance-types', types: others.length + 1 });
  if (!copies.known) return reasonOf(copies);
  if (region === null) return unknown({ code: 'region-unknown' });
  const usd = offers.of(region).catalog.prices.instanceMonthlyUsd(instanceType);
  return usd.known
    ? known(usd.value * copies.value)
    : unknown({ code: 'no-instance-price', instanceType, region });
}

const isAllKnown = (started: Started | null): boolean =>
  started === null || Object.values(started).every((figure: Figure<unknown>) => figure.known);

/** One that stays as it is costs what it cost, known or not. */
const isOtherThanBefore = ({ before, after, isTouched }: CheckedInstances): boolean =>
  JSON.stringify(before) !== JSON.stringify(after) || (isTouched && !isAllKnown(after));

// Both.

interface Sides {
  before: Usd;
  after: Usd;
}

type Priced = Pick<PricedResource, 'kind' | 'address' | 'device' | 'action' | 'copies'>;

/** What itself stays has a price that changes with another: the number of its group, or its launch template. */
function* sidesOfAll({ volumes, instances }: Checked, offers: Offers): Generator<[Priced, Sides]> {
  for (const volume of volumes) {
    if (volume.kind === 'class' || !isChange(volume)) continue;
    const { address, device, copies } = volume;
    const action = volume.action === 'none' ? 'update' : volume.action;
    const of = { address, device, action, copies: copies.known ? copies.value : 1 };
    yield [{ kind: 'volume', ...of }, sidesOf(volume, offers)];
  }
  for (const one of instances) {
    if (!isOtherThanBefore(one)) continue;
    const { address, before, after, region } = one;
    const copies = (after ?? before)?.copies;
    const of = { address, device: null, copies: copies?.known ? copies.value : 1 };
    const action = one.action === 'none' ? 'update' : one.action;
    const sides = {
      before: usdOfStarted(before, region, offers),
      after: usdOfStarted(after, region, offers),
    };
    yield [{ kind: 'instance', ...of, action }, sides];
  }
}

/** The dearest first; what costs as much as before is left out. */
export function priceChange(checked: Checked, offers: Offers): PriceChange {
  const found: PriceChange = { resources: [], notPriced: [] };
  for (const [priced, { before, after }] of sidesOfAll(checked, offers)) {
    if (!before.known || !after.known) {
      const { kind, address, device } = priced;
      const reason = before.known ? (after as Usd & { known: false }).reason : before.reason;
      found.notPriced.push({ kind, address, device, reason });
      continue;
    }
    const [beforeMonthlyUsd, afterMonthlyUsd] = [roundUsd(before.value), roundUsd(after.value)];
    const monthlyUsdDifference = roundUsd(afterMonthlyUsd - beforeMonthlyUsd);
    if (monthlyUsdDifference === 0) continue;
    found.resources.push({ ...priced, beforeMonthlyUsd, afterMonthlyUsd, monthlyUsdDifference });
  }
  found.resources.sort((a, b) => Math.abs(b.monthlyUsdDifference) - Math.abs(a.monthlyUsdDifference));
  return found;
}
