/** A new volume for which a stripe of gp3 costs less with what the volume can do, or does clearly more where the volume cannot. */
import { type Known, known, unknown } from '../../known.ts';
import {
  gp2Figures,
  gp3Figures,
  provisionedFigures,
  ssdMiBPerIo,
  topIops,
} from '../../limits/volume-limits.ts';
import type { Layout, Rates } from '../../plan/layout.ts';
import { isPriced } from '../../prices/prices.ts';
import {
  bestOf,
  type Current,
  currentUsd,
  inPlace,
  maxStripeMembers,
  stripe,
} from '../../recommendations/candidates.ts';
import type { CheckRuleId, CheckWayOut, NotCheckedReason } from '../../schemas/check-answer.ts';
import type { Checked } from '../checked.ts';
import { type CheckedVolume, figuresText, isNew } from '../checked-volume.ts';
import {
  abilityOf,
  copiesOf,
  findingOf,
  type InstanceWithEbs,
  type Offer,
  type Rule,
  type RuleContext,
  type RuleFinding,
  typeOf,
  unknownVolumes,
  volumeRule,
} from './rule.ts';

/** Types whose data a stripe of gp3 keeps as safely, but for the number of its members. */
const striped: readonly string[] = ['gp2', 'gp3', 'io1'];

const figuresKey = ({ figures }: CheckedVolume): string => JSON.stringify(figuresText(figures));
const ofSeries = /\[[^[\]]*\]$/;
/** Alike, and of one resource with count or for_each. */
const seriesKey = (volume: CheckedVolume): string =>
  `${volume.file}\n${volume.address.replace(ofSeries, '')}\n${figuresKey(volume)}`;

function countsOf(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Whether others may be members of one stripe with a volume: alike, on the same instance or counted together. */
function siblingsIn({ volumes, hosts, hostOf }: Checked): (volume: CheckedVolume) => boolean {
  const inSeries = countsOf(volumes.map(seriesKey));
  const onHost = new Map(hosts.map((host) => [host, countsOf([...new Set(host.volumes)].map(figuresKey))]));
  const isOneOfSeveral = (counts: ReadonlyMap<string, number>, key: string): boolean =>
    (counts.get(key) ?? 0) > 1;
  return (volume) => {
    const host = hostOf.get(volume);
    const ofHost = host === undefined ? undefined : onHost.get(host);
    if (ofHost !== undefined && isOneOfSeveral(ofHost, figuresKey(volume))) return true;
    return ofSeries.test(volume.address) && isOneOfSeveral(inSeries, seriesKey(volume));
  };
}

/** As many as its instance takes beside what it has; where no instance is named, as many as a stripe may have. */
function freeAttachments(volume: CheckedVolume, { hostOf }: Checked, { offers }: RuleContext): number {
  const host = hostOf.get(volume);
  if (host === undefined || !host.instanceType.known) return maxStripeMembers;
  const type = offers.of(host.region).catalog.instanceTypes.get(host.instanceType.value);
  const most = type?.attachments?.most ?? maxStripeMembers;
  return Math.max(0, most - host.volumes.length);
}

// What both rules ask first.

interface Alone {
  current: Current;
  offer: Offer;
  free: number;
}

/** A new volume by itself, of which a stripe could be made; null: it is none. */
function aloneOf(
  volume: CheckedVolume,
  context: RuleContext,
  checked: Checked,
  hasSiblings: (volume: CheckedVolume) => boolean,
): Known<Alone | null, NotCheckedReason> {
  const { kind, isRoot, isMultiAttach, figures } = volume;
  if (!isNew(volume) || (kind !== 'volume' && kind !== 'device') || isRoot || isMultiAttach)
    return known(null);
  if (!figures.volumeType.known) return figures.volumeType;
  if (!striped.includes(figures.volumeType.value) || figures.deployment === 'outposts') return known(null);
  if (!volume.now.known) return volume.now;
  const { config, limits } = volume.now.value;
  const offer = context.offers.of(volume.region);
  const isRanked = isPriced(config.volumeType, offer.ranking) && isPriced('gp3', offer.ranking);
  if (!isRanked || hasSiblings(volume)) return known(null);
  const current = { config, limits, prices: offer.ranking };
  return known({ current, offer, free: freeAttachments(volume, checked, context) });
}

function stripeOf(volume: CheckedVolume, { current: { config }, offer }: Alone, layout: Layout): CheckWayOut {
  const member = { ...config, ...layout, volumeType: layout.volumeType };
  const after = Array.from({ length: layout.members }, () => member);
  const { address, device } = volume;
  const monthlyUsdDifference = offer.difference([config], after, copiesOf(volume));
  return { code: 'stripe', address, device, layout, monthlyUsdDifference };
}

/** Null: none saves as much as the audit asks of a stripe. */
function cheaperStripe(
  { current, free }: Alone,
  { thresholds: { cheaperStripeUsd, cheaperStripeShare } }: RuleContext,
): Layout | null {
  const best = bestOf(current);
  const cheaper = stripe(current, best, free);
  if (cheaper === null) return null;
  const alone = Math.min(
    currentUsd(current),
    inPlace(current, 'gp3', best)?.monthlyUsd ?? Number.POSITIVE_INFINITY,
  );
  const saved = alone - cheaper.monthlyUsd;
  return saved < cheaperStripeUsd || saved < cheaperStripeShare * alone ? null : cheaper.layout;
}

// Faster.

/** So many times as much is worth a migration. */
const clearlyMore = 1.5;
const twice = 2;

const isReached = (rate: number, top: number): boolean => rate >= top * (1 - 1e-9);

/** Which figures are the most that the type has at this size, and somebody asked for: gp3 as it comes nobody did. */
function atCeiling({ config, limits }: Current): Record<keyof Rates, boolean> {
  const { burstIops, burstMiBps } = limits;
  const { volumeType, sizeGiB, deployment } = config;
  const top = topIops({ volumeType, sizeGiB, deployment }) ?? Number.POSITIVE_INFINITY;
  if (volumeType === 'gp2')
    return { iops: isReached(limits.baselineIops, gp2Figures.maxIops), throughputMiBps: false };
  if (volumeType === 'io1')
    return {
      iops: isReached(burstIops, top),
      throughputMiBps: isReached(burstMiBps, provisionedFigures.io1.maxMiBps),
    };
  const { freeIops, freeMiBps } = gp3Figures;
  const topMiBps = Math.min(gp3Figures.region.maxMiBps, top * ssdMiBPerIo);
  return {
    iops: burstIops > freeIops && isReached(burstIops, top),
    throughputMiBps: burstMiBps > freeMiBps && isReached(burstMiBps, topMiBps),
  };
}

const noLimit: Rates = { iops: Number.POSITIVE_INFINITY, throughputMiBps: Number.POSITIVE_INFINITY };

/** What the baseline of its instance has beside its other volumes; null: no instance is named. */
function leftOnHost(
  volume: CheckedVolume,
  { hostOf }: Checked,
  context: RuleContext,
): Known<{ left: Rates; instance: InstanceWithEbs } | null, NotCheckedReason> {
  const host = hostOf.get(volume);
  if (host === undefined) return known(null);
  const instance = typeOf(host, context);
  if (!instance.known) return instance;
  const missing = unknownVolumes(host);
  if (missing !== null) return unknown(missing);
  const { baselineIops, baselineMiBps } = instance.value.figures;
  const left = { iops: baselineIops, throughputMiBps: baselineMiBps };
  for (const { now } of host.volumes.filter((other) => other !== volume)) {
    if (!now.known) continue;
    left.iops -= now.value.limits.baselineIops;
    left.throughputMiBps -= now.value.limits.baselineMiBps;
  }
  return known({ left, instance: instance.value });
}

/**
 * What its instance can do or twice the volume, whichever is less, of the figures at their ceiling; null where that is not clearly
 * more, or where one gp3 of its size can do it too. Members of the same size together have no more IOPS for each GiB.
 */
function fasterRates(current: Current, left: Rates): Rates | null {
  const can = bestOf(current);
  const ceiling = atCeiling(current);
  const { sizeGiB } = current.config;
  const topOfSize = {
    iops: gp3Figures.iopsPerGiB * sizeGiB,
    throughputMiBps: gp3Figures.iopsPerGiB * sizeGiB * ssdMiBPerIo,
  };
  const rateOf = (name: keyof Rates): number =>
    ceiling[name]
      ? Math.max(can[name], Math.floor(Math.min(twice * can[name], left[name], topOfSize[name])))
      : can[name];
  const rates = { iops: rateOf('iops'), throughputMiBps: rateOf('throughputMiBps') };
  const isMore = (name: keyof Rates): boolean => rates[name] >= clearlyMore * can[name];
  if (!isMore('iops') && !isMore('throughputMiBps')) return null;
  return inPlace(current, 'gp3', rates) === null ? rates : null;
}

function faster(
  volume: CheckedVolume,
  alone: Alone,
  checked: Checked,
  context: RuleContext,
): RuleFinding[] | NotCheckedReason {
  const { current, free } = alone;
  // On any instance.
  if (fasterRates(current, noLimit) === null || cheaperStripe(alone, context) !== null) return [];
  const host = leftOnHost(volume, checked, context);
  if (!host.known) return host.reason;
  const rates = fasterRates(current, host.value?.left ?? noLimit);
  const found = rates === null ? null : stripe(current, rates, free);
  if (rates === null || found === null) return [];
  const { layout } = found;
  // Members are of whole GiB.
  if (layout.sizeGiB * layout.members >= current.config.sizeGiB + layout.members) return [];
  const facts = {
    code: 'volume-at-its-most' as const,
    figures: figuresText(volume.figures),
    can: bestOf(current),
    stripe: rates,
    instance: host.value === null ? null : abilityOf(host.value.instance),
  };
  return [findingOf('stripe-faster', volume, 'info', facts, [stripeOf(volume, alone, layout)])];
}

// The rules.

const stripeRule = (
  id: CheckRuleId,
  check: (
    volume: CheckedVolume,
    alone: Alone,
    checked: Checked,
    context: RuleContext,
  ) => RuleFinding[] | NotCheckedReason,
): Rule => ({
  id,
  check(checked, context) {
    const hasSiblings = siblingsIn(checked);
    const rule = volumeRule(id, (volume) => {
      const alone = aloneOf(volume, context, checked, hasSiblings);
      if (!alone.known) return alone.reason;
      return alone.value === null ? [] : check(volume, alone.value, checked, context);
    });
    return rule.check(checked, context);
  },
});

export const stripeCheaper = stripeRule('stripe-cheaper', (volume, alone, _, context) => {
  const layout = cheaperStripe(alone, context);
  if (layout === null) return [];
  const facts = {
    code: 'single-volume' as const,
    figures: figuresText(volume.figures),
    can: bestOf(alone.current),
  };
  return [findingOf('stripe-cheaper', volume, 'info', facts, [stripeOf(volume, alone, layout)])];
});

/** One that costs less has its own rule: of a volume one of the two is said. */
export const stripeFaster = stripeRule('stripe-faster', faster);
