/** The check: every rule on what is planned, what of it is ignored, what could not be checked, and what it costs. */
import type { RegionCatalogs } from '../catalog/region-catalog.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import { groupBy } from '../group-by.ts';
import { type PriceSource, rankingRegion, roundUsd } from '../prices/prices.ts';
import {
  type CheckAnswer,
  type CheckFinding,
  type CheckRuleId,
  type CheckWayOut,
  checkRuleIds,
  type LoadClass,
  type PricedKind,
} from '../schemas/check-answer.ts';
import { severityRank } from '../schemas/finding.ts';
import type { Checked } from './checked.ts';
import type { Matches, MeasuredChange } from './measured.ts';
import type { Planned } from './planned.ts';
import { priceChange } from './price-change.ts';
import { rules } from './rules/index.ts';
import { type NotChecked, Offers, type RuleFinding } from './rules/rule.ts';

export interface CheckOptions {
  regionCatalogs: RegionCatalogs;
  thresholds: Thresholds;
  /** Null: burst credits are not checked. */
  loadClass: LoadClass | null;
  changedOnly: boolean;
  /** Null: nothing was measured. */
  measured: (Matches & { changes: readonly MeasuredChange[] }) | null;
}

const isRule = (text: string): text is CheckRuleId => (checkRuleIds as readonly string[]).includes(text);

/** Undefined: it counts. Null: it is ignored, and nobody says why. */
function ignoredReason({ finding, of }: RuleFinding): string | null | undefined {
  const ignored = of.ignoredRules.find(({ rule }) => rule === finding.rule);
  return ignored === undefined ? undefined : ignored.reason;
}

/**
 * What another finding says better. What was simulated on the load of a volume goes before what its type alone has. Where
 * volumes are more than their instance can use, no stripe of them helps.
 */
function supersededIn(found: readonly RuleFinding[], { hostOf }: Checked): (one: RuleFinding) => boolean {
  const about = (rule: CheckRuleId): Set<RuleFinding['of']> =>
    new Set(found.filter(({ finding }) => finding.rule === rule).map(({ of }) => of));
  const [measured, unused] = [about('measured-load'), about('unused-performance')];
  return ({ finding: { rule }, of }) => {
    if ('volumes' in of) return false;
    if (rule === 'lower-throughput') return measured.has(of);
    const host = rule === 'stripe-cheaper' || rule === 'stripe-faster' ? hostOf.get(of) : undefined;
    return host !== undefined && unused.has(host);
  };
}

/** A larger instance can use what is paid for: it stands beside lower volumes as the other way, never as a second thing to do. */
function withLargerInstance(found: readonly RuleFinding[]): RuleFinding[] {
  const larger = new Map<RuleFinding['of'], CheckWayOut>();
  for (const { finding, of } of found)
    for (const way of finding.rule === 'instance-limit' ? finding.wayOut : [])
      if (way.code === 'set-instance-type') larger.set(of, way);
  return found.map((one) => {
    const way = one.finding.rule === 'unused-performance' ? larger.get(one.of) : undefined;
    return way === undefined
      ? one
      : { ...one, finding: { ...one.finding, wayOut: [...one.finding.wayOut, way] } };
  });
}

const byUrgency = (a: CheckFinding, b: CheckFinding): number =>
  severityRank(a.severity) - severityRank(b.severity) ||
  checkRuleIds.indexOf(a.rule) - checkRuleIds.indexOf(b.rule) ||
  a.address.localeCompare(b.address, 'en') ||
  (a.device ?? '').localeCompare(b.device ?? '', 'en');

/** What the same figure keeps from several rules is one entry. */
function notCheckedOf(all: readonly NotChecked[]): CheckAnswer['notChecked'] {
  // What AWS refuses has its own finding.
  const others = all.filter(({ reason }) => reason.code !== 'refused');
  const byReason = groupBy(others, ({ address, device, reason }) =>
    JSON.stringify([address, device, reason]),
  );
  return [...byReason.values()].map((group) => {
    const [{ address, device, reason }] = group as [NotChecked];
    return { address, device, reason, rules: [...new Set(group.map(({ rule }) => rule))] };
  });
}

function priceOf(checked: Checked, offers: Offers): CheckAnswer['price'] {
  const { volumes, instances } = checked;
  const { resources, notPriced } = priceChange(checked, offers);
  const sources = new Map<string, PriceSource>();
  for (const [part, of] of [['ebs', volumes] as const, ['instances', instances] as const])
    for (const region of new Set(of.map((one) => one.region ?? rankingRegion)))
      for (const source of offers.of(region).catalog.prices.sources)
        if (source.part === part) sources.set(JSON.stringify(source), source);
  const differenceOf = (kind: PricedKind): number =>
    roundUsd(resources.reduce((sum, one) => sum + (one.kind === kind ? one.monthlyUsdDifference : 0), 0));
  const [ofVolumes, ofInstances] = [differenceOf('volume'), differenceOf('instance')];
  return {
    monthlyUsdDifference: roundUsd(ofVolumes + ofInstances),
    volumesMonthlyUsdDifference: ofVolumes,
    instancesMonthlyUsdDifference: ofInstances,
    isOfChange: [...volumes, ...instances].some(({ action }) => action !== 'declared'),
    resources,
    notPriced,
    sources: [...sources.values()],
  };
}

function measuredOf({ measured }: CheckOptions): CheckAnswer['measured'] {
  if (measured === null) return null;
  const { changes, matched, notMatched } = measured;
  const simulated = new Set(changes.map(({ volumeId }) => volumeId));
  const withoutMetrics = matched
    .filter(({ volumeId }) => !simulated.has(volumeId))
    .map(({ planned }) => ({ planned, reason: 'no-metrics' as const }));
  return {
    days: Math.max(0, ...changes.map(({ measuredDays }) => measuredDays)),
    simulated: changes.map(({ planned: { address, device }, volumeId }) => ({ address, device, volumeId })),
    notMatched: [...notMatched, ...withoutMetrics].map(({ planned: { address, device }, reason }) => ({
      address,
      device,
      reason,
    })),
  };
}

/** @param checked what `checkedOf` made of what is planned. */
export function check(
  { resources, coverage }: Planned,
  checked: Checked,
  options: CheckOptions,
): CheckAnswer {
  const { loadClass, thresholds, changedOnly, measured } = options;
  const offers = new Offers(options.regionCatalogs);
  const context = { offers, thresholds, loadClass, measured: measured?.changes ?? [] };
  const outcomes = rules.map((rule) => rule.check(checked, context));
  const found = withLargerInstance(outcomes.flatMap(({ findings }) => findings));
  const isSuperseded = supersededIn(found, checked);
  const all = found.filter(({ isChanged }) => isChanged || !changedOnly).filter((one) => !isSuperseded(one));
  const isIgnored = (one: RuleFinding): boolean => ignoredReason(one) !== undefined;
  const ignored = all.filter(isIgnored);
  return {
    findings: all
      .filter((one) => !isIgnored(one))
      .map(({ finding }) => finding)
      .sort(byUrgency),
    ignored: ignored.map((one) => {
      const { rule, severity, address } = one.finding;
      return { rule, severity, address, reason: ignoredReason(one) ?? null };
    }),
    unknownIgnoredRules: resources.flatMap(({ address, ignoredRules }) =>
      ignoredRules.flatMap(({ rule }) => (isRule(rule) ? [] : [{ address, rule }])),
    ),
    price: priceOf(checked, offers),
    measured: measuredOf(options),
    loadClass,
    notChecked: notCheckedOf(outcomes.flatMap(({ notChecked }) => notChecked)),
    regionsUnknown: new Set(
      checked.volumes
        .filter(({ region }) => region === null)
        .map(({ file, address }) => `${file}\n${address}`),
    ).size,
    coverage: {
      files: coverage.files,
      seen: coverage.seen,
      understood: coverage.understood,
      notMade: coverage.notMade,
      unchanged: changedOnly ? resources.filter(({ action }) => action === 'none').length : 0,
      unknown: [...coverage.unknown],
      passedOver: [...coverage.passedOver],
      unreadable: [...coverage.unreadable],
    },
  };
}
