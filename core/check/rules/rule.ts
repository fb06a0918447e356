/** What a rule is: a function of what is planned and of the Regions' catalogs; and what its findings are made with. */
import { type EbsFigures, ebsFiguresOf, type InstanceType } from '../../catalog/instance-types.ts';
import type { RegionCatalog, RegionCatalogs } from '../../catalog/region-catalog.ts';
import type { Thresholds } from '../../diagnosis/thresholds.ts';
import { type Known, known, unknown } from '../../known.ts';
import type { VolumeConfiguration, VolumeType } from '../../limits/volume-limits.ts';
import { firstThatCarries, isNoLess, type PricedInstance, priced } from '../../plan/instance-choice.ts';
import type { Rates } from '../../plan/layout.ts';
import { rankingOf } from '../../plan/plan.ts';
import {
  type EbsPrices,
  ebsPriceUnknown,
  exactMonthlyUsd,
  isPriced,
  rankingRegion,
  roundUsd,
} from '../../prices/prices.ts';
import type {
  CheckFacts,
  CheckFigures,
  CheckFinding,
  CheckRuleId,
  CheckWayOut,
  LoadClass,
  NotCheckedReason,
} from '../../schemas/check-answer.ts';
import type { Severity } from '../../schemas/finding.ts';
import type { Checked, CheckedHost } from '../checked.ts';
import type { CheckedVolume } from '../checked-volume.ts';
import type { MeasuredChange } from '../measured.ts';

/** A finding, and what of the resource a person has to know to leave it out. */
export interface RuleFinding {
  finding: CheckFinding;
  of: CheckedVolume | CheckedHost;
  /** The plan changes it, or a volume of it. */
  isChanged: boolean;
}

export interface NotChecked {
  rule: CheckRuleId;
  address: string;
  device: string | null;
  reason: NotCheckedReason;
}

interface RuleOutcome {
  findings: RuleFinding[];
  notChecked: NotChecked[];
}

export interface RuleContext {
  offers: Offers;
  thresholds: Thresholds;
  /** Null: none was named, and credits are not checked. */
  loadClass: LoadClass | null;
  /** What was simulated on measured loads; empty where nothing was measured. */
  measured: readonly MeasuredChange[];
}

export interface Rule {
  id: CheckRuleId;
  check(checked: Checked, context: RuleContext): RuleOutcome;
}

// Prices and instance types of a Region; of one that is not known those of us-east-1 rank.

export class Offer {
  readonly catalog: RegionCatalog;
  readonly ranking: EbsPrices;
  private readonly isRegionKnown: boolean;
  private inOrder: PricedInstance[] | null = null;
  private readonly noLess = new Map<string, PricedInstance[]>();
  private readonly chosen = new Map<string, InstanceType | null>();

  constructor(catalog: RegionCatalog, isRegionKnown: boolean) {
    this.catalog = catalog;
    this.isRegionKnown = isRegionKnown;
    this.ranking = rankingOf(catalog).ebs;
  }

  /** USD a month by which volumes of these types rank; null where one has no price anywhere. */
  rankUsd(configs: readonly VolumeConfiguration[]): number | null {
    if (configs.some(({ volumeType }) => !isPriced(volumeType, this.ranking))) return null;
    return configs.reduce((sum, config) => sum + exactMonthlyUsd(config, this.ranking).total, 0);
  }

  /** Whether what ranks is the price. */
  hasPricesOf(types: readonly VolumeType[]): boolean {
    return (
      this.isRegionKnown && ebsPriceUnknown(this.catalog.prices.ebs, this.catalog.region, types) === null
    );
  }

  /** USD a month more; null where the Region or its prices are not known. */
  difference(
    before: readonly VolumeConfiguration[],
    after: readonly VolumeConfiguration[],
    copies: number,
  ): number | null {
    if (!this.hasPricesOf([...before, ...after].map(({ volumeType }) => volumeType))) return null;
    const [was, is] = [this.rankUsd(before), this.rankUsd(after)];
    return was === null || is === null ? null : roundUsd((is - was) * copies);
  }

  instanceDifference(before: string, after: string, copies: number): number | null {
    const { prices } = this.catalog;
    const [was, is] = [prices.instanceMonthlyUsd(before), prices.instanceMonthlyUsd(after)];
    return this.isRegionKnown && was.known && is.known ? roundUsd((is.value - was.value) * copies) : null;
  }

  private noLessThan(today: InstanceType): PricedInstance[] {
    const before = this.noLess.get(today.instanceType);
    if (before !== undefined) return before;
    const { instanceTypes, prices } = this.catalog;
    this.inOrder ??= priced(instanceTypes.types, prices, rankingOf(this.catalog).instances);
    const found = this.inOrder.filter(({ type }) => isNoLess(type, today));
    this.noLess.set(today.instanceType, found);
    return found;
  }

  /** The cheapest type that is no less than today's and carries these rates all the time; null where none does. */
  typeThatCarries(today: InstanceType, rates: Rates, volumes: number): InstanceType | null {
    const key = [today.instanceType, rates.iops, rates.throughputMiBps, volumes].join(' ');
    const before = this.chosen.get(key);
    if (before !== undefined) return before;
    const found = firstThatCarries(this.noLessThan(today), rates, volumes)?.type ?? null;
    this.chosen.set(key, found);
    return found;
  }
}

export class Offers {
  private readonly catalogs: RegionCatalogs;
  private readonly made = new Map<string | null, Offer>();

  constructor(catalogs: RegionCatalogs) {
    this.catalogs = catalogs;
  }

  of(region: string | null): Offer {
    const before = this.made.get(region);
    if (before !== undefined) return before;
    const offer = new Offer(this.catalogs(region ?? rankingRegion), region !== null);
    this.made.set(region, offer);
    return offer;
  }
}

// Findings.

/** How many there are; where that is not known, what is said is of one. */
export const copiesOf = ({ copies }: Pick<CheckedVolume, 'copies'>): number =>
  copies.known ? copies.value : 1;

export function findingOf(
  rule: CheckRuleId,
  of: CheckedVolume | CheckedHost,
  severity: Severity,
  facts: CheckFacts,
  wayOut: (CheckWayOut | null)[],
): RuleFinding {
  const { address, file, line, region, action, copies } = of;
  const isOfHost = 'volumes' in of;
  return {
    of,
    isChanged: action !== 'none' || (isOfHost && of.volumes.some((volume) => volume.action !== 'none')),
    finding: {
      rule,
      severity,
      address,
      device: isOfHost ? null : of.device,
      file,
      line,
      region,
      copies: copies.known ? copies.value : null,
      facts,
      wayOut: wayOut.filter((way) => way !== null),
    },
  };
}

export const setVolume = (
  { address, device }: CheckedVolume,
  to: CheckFigures,
  monthlyUsdDifference: number | null,
): CheckWayOut => ({ code: 'set-volumes', changes: [{ address, device, to }], monthlyUsdDifference });

/** What a class does not know its claims do, and they are checked. */
const isOfItsClaims = ({ claims }: CheckedVolume, reason: NotCheckedReason): boolean =>
  claims.length > 0 && reason.code === 'figure-unknown' && reason.why === 'size-of-claim';

/** A rule about each volume by itself. */
export const volumeRule = (
  id: CheckRuleId,
  check: (volume: CheckedVolume, context: RuleContext) => RuleFinding[] | NotCheckedReason,
): Rule => ({
  id,
  check(checked, context) {
    const outcome: RuleOutcome = { findings: [], notChecked: [] };
    for (const volume of checked.volumes) {
      if (volume.action === 'delete') continue;
      const found = check(volume, context);
      if (Array.isArray(found)) outcome.findings.push(...found);
      else if (!isOfItsClaims(volume, found))
        outcome.notChecked.push({ rule: id, address: volume.address, device: volume.device, reason: found });
    }
    return outcome;
  },
});

/** A type of which EC2 reports what it can do for EBS. */
export interface InstanceWithEbs {
  type: InstanceType;
  figures: EbsFigures;
}

/** A rule about each instance with its volumes. */
export const hostRule = (
  id: CheckRuleId,
  check: (host: CheckedHost, type: InstanceWithEbs, context: RuleContext) => RuleFinding[] | NotCheckedReason,
): Rule => ({
  id,
  check(checked, context) {
    const outcome: RuleOutcome = { findings: [], notChecked: [] };
    for (const host of checked.hosts) {
      const type = typeOf(host, context);
      const found = type.known ? check(host, type.value, context) : type.reason;
      if (Array.isArray(found)) outcome.findings.push(...found);
      else outcome.notChecked.push({ rule: id, address: host.address, device: null, reason: found });
    }
    return outcome;
  },
});

export function typeOf(
  { instanceType, region }: CheckedHost,
  { offers }: RuleContext,
): Known<InstanceWithEbs, NotCheckedReason> {
  if (!instanceType.known) return instanceType;
  const type = offers.of(region).catalog.instanceTypes.get(instanceType.value);
  if (type === undefined) return unknown({ code: 'no-such-instance-type', instanceType: instanceType.value });
  const figures = ebsFiguresOf(type);
  return figures.known
    ? known({ type, figures: figures.value })
    : unknown({ code: 'no-ebs-limits', instanceType: type.instanceType });
}

export const abilityOf = ({ type: { instanceType }, figures }: InstanceWithEbs) => ({
  instanceType,
  ...figures,
});

/** What is not known of its volumes; null where all of them are known. */
export const unknownVolumes = ({ volumes, moreVolumes }: CheckedHost): NotCheckedReason | null => {
  const missing = volumes.map(({ now }) => now).find((now) => !now.known);
  return missing !== undefined && !missing.known ? missing.reason : moreVolumes;
};

/** The cheapest type that is no less and carries these rates all the time; null where there is none. */
export function instanceInstead(
  host: CheckedHost,
  today: InstanceType,
  rates: Rates,
  { offers }: RuleContext,
): CheckWayOut | null {
  const offer = offers.of(host.region);
  const type = offer.typeThatCarries(today, rates, host.volumes.length);
  if (type === null || type.ebs === null) return null;
  const { baselineIops, baselineMiBps } = type.ebs;
  return {
    code: 'set-instance-type',
    address: host.address,
    instanceType: type.instanceType,
    ...{ baselineIops, baselineMiBps },
    monthlyUsdDifference: offer.instanceDifference(today.instanceType, type.instanceType, copiesOf(host)),
  };
}
