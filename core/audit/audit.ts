/** The audit of a fleet: every volume evaluated or unknown with a reason, every instance evaluated on its own metrics. */

import type { RegionCatalogs } from '../catalog/region-catalog.ts';
import { type AuditWindow, otherThresholds, type Thresholds } from '../diagnosis/thresholds.ts';
import { groupBy } from '../group-by.ts';
import type { Instance, Tags, Volume } from '../inventory.ts';
import { type Known, known } from '../known.ts';
import type { FleetMetrics } from '../load/metrics.ts';
import { unpricedTypes } from '../prices/prices.ts';
import type { Modifications } from '../recommendations/modifications.ts';
import { markedProvisional } from '../recommendations/provisional.ts';
import type { NeedOf, VolumeNeed } from '../recommendations/savings.ts';
import { type FirstThing, mostUrgentFirst, topRecommendations } from '../report/top-recommendations.ts';
import type { AuditNotice, NotRead } from '../schemas/audit-notice.ts';
import type { AuditResult, VolumeEvaluation } from '../schemas/audit-result.ts';
import { type Finding, severities, volumeIdsOf } from '../schemas/finding.ts';
import type { OpinionRead, SecondOpinion } from '../schemas/second-opinion.ts';
import type { InstanceReason } from '../schemas/unknown-reasons.ts';
import type { GivenOpinions } from '../schemas/volume-recommendation.ts';
import type { HostEvidence } from '../stripes/host-evidence.ts';
import { limitsAsOne } from '../stripes/load-as-one.ts';
import { idsOf, type Stripe, unlikeMembers } from '../stripes/stripes.ts';
import { isoFromEpochSeconds } from '../units.ts';
import { isReadInPart } from './accounts.ts';
import { configurationFindings, evaluateInstanceOf } from './evaluate-instances.ts';
import { evaluateStripes } from './evaluate-stripes.ts';
import { type EvaluatedVolume, evaluateVolume } from './evaluate-volume.ts';
import { exceededWithoutFinding, withHostStatistics } from './host-statistics.ts';
import { roomsOf, withDestinations } from './instance-room.ts';
import { withClaimSteps } from './kubernetes-steps.ts';
import { hostNotices, priceNotices, tagNotices, withScheduleNotices } from './notices.ts';
import {
  type Cleared,
  type EvaluationContext,
  type InstanceToEvaluate,
  instancesToEvaluate,
  Observed,
  type OnDiagnosed,
  type OnEvaluated,
} from './observed.ts';
import { type OpinionsOfSource, opinionsOfSource, secondOpinionsOf } from './second-opinions.ts';

// The tags that say where a finding is reported: of its volume or instance; of a stripe those that all its members share.

function shared(all: readonly Tags[]): Tags {
  const [first = {}, ...others] = all;
  return Object.fromEntries(
    Object.entries(first).filter(([key, value]) => others.every((tags) => tags[key] === value)),
  );
}

export function withTags(
  findings: readonly Finding[],
  volumes: readonly Volume[],
  instances: readonly Instance[],
): Finding[] {
  const ofVolume = new Map(volumes.map(({ volumeId, tags }) => [volumeId, tags]));
  const ofInstance = new Map(instances.map(({ instanceId, tags }) => [instanceId, tags]));
  const tagsOf = (finding: Finding): Tags => {
    const { type, id } = finding.resource;
    if (type === 'instance') return ofInstance.get(id) ?? {};
    return shared(volumeIdsOf(finding).map((id) => ofVolume.get(id) ?? {}));
  };
  return findings.map((finding) => {
    const tags = tagsOf(finding);
    const { resource } = finding;
    return Object.keys(tags).length === 0 ? finding : { ...finding, resource: { ...resource, tags } };
  });
}

// What an audit found, in a few figures.

const cents = (usd: number): number => Number(usd.toFixed(2));

/** Of each resource in trouble what is recommended first against the worst of it, where that costs more than today. */
const increases = (byImpact: readonly FirstThing[]): number =>
  byImpact.reduce((sum, { monthlyUsdDelta }) => sum + Math.max(0, monthlyUsdDelta ?? 0), 0);

/** By Region, each volume once. */
function mayCostLessIn(volumes: readonly VolumeEvaluation[]): Pick<AuditResult['summary'], 'mayCostLess'> {
  const those = volumes.filter(({ mayCostLess }) => mayCostLess === true);
  const byRegion = groupBy(those, ({ region }) => region);
  const mayCostLess = [...byRegion]
    .map(([region, all]) => ({ region, volumes: new Set(all.map(({ volumeId }) => volumeId)).size }))
    .sort((a, b) => a.region.localeCompare(b.region));
  return mayCostLess.length === 0 ? {} : { mayCostLess };
}

export function summaryOf(
  findings: readonly Finding[],
  volumes: readonly VolumeEvaluation[],
): AuditResult['summary'] {
  const count = (severity: Finding['severity']): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const { byImpact, savingMonthlyUsd } = topRecommendations(findings);
  return {
    findingsBySeverity: Object.fromEntries(
      severities.map((severity) => [severity, count(severity)]),
    ) as AuditResult['summary']['findingsBySeverity'],
    possibleSavingsMonthlyUsd: cents(savingMonthlyUsd),
    increasesMonthlyUsd: cents(increases(byImpact)),
    throttledMinutesPeak24h: volumes.reduce((sum, one) => sum + (one.throttledMinutesPeak24h ?? 0), 0),
    unknownPrices: findings.filter(
      ({ recommendations: [first] }) => first !== undefined && first.priceUnknownReason !== null,
    ).length,
    ...mayCostLessIn(volumes),
  };
}

// All volumes and instances, instance by instance: what was seen of one is forgotten before the next.

interface Group {
  instanceId: string | null;
  /** In the inventory. */
  places: number[];
}

/** By the instance that a volume is on first; a volume on none stands alone. */
function byInstance(volumes: readonly Volume[]): Group[] {
  const groups = new Map<string, Group>();
  const alone: Group[] = [];
  volumes.forEach(({ attachments: [first] }, place) => {
    if (first === undefined) {
      alone.push({ instanceId: null, places: [place] });
      return;
    }
    const { instanceId } = first;
    const group = groups.get(instanceId) ?? { instanceId, places: [] };
    groups.set(instanceId, group);
    group.places.push(place);
  });
  return [...groups.values(), ...alone];
}

interface EvaluatedFleet {
  /** In the order of the inventory; their findings stand apart. */
  volumes: EvaluatedVolume[];
  /** Of volumes and of stripes. */
  findings: Finding[];
  stripes: Stripe[];
  /** By instance id. */
  instances: Map<string, Known<Finding[], InstanceReason>>;
  needOf: NeedOf;
  secondOpinion: SecondOpinion[];
  /** What the hosts of its instances counted beside what was found. */
  notices: AuditNotice[];
}

class FleetEvaluator {
  readonly evaluated: EvaluatedFleet;
  private readonly needs = new Map<string, VolumeNeed | null>();
  private readonly context: EvaluationContext;
  private readonly window: AuditWindow;
  private readonly opinions: readonly OpinionsOfSource[];
  private count = 0;

  constructor(context: EvaluationContext, window: AuditWindow, opinions: readonly OpinionsOfSource[]) {
    this.context = context;
    this.window = window;
    this.opinions = opinions;
    const needOf: NeedOf = (id) => this.needs.get(id) ?? null;
    const none = { volumes: [], findings: [], stripes: [], secondOpinion: [], notices: [] };
    this.evaluated = { ...none, instances: new Map(), needOf };
  }

  /** @param entry its instance, where it is known: evaluated after its volumes, which show whether they waited for it. */
  group(
    { instanceId, places }: Group,
    entry: InstanceToEvaluate | undefined,
    volumes: readonly Volume[],
    onVolume: (evaluated: number) => void,
  ): void {
    const { context, evaluated } = this;
    const { observed, regionCatalogs, onEvaluated } = context;
    const stripes = instanceId === null ? [] : observed.stripesOn(instanceId);
    const each = places.map((place) => {
      const one = evaluateVolume(volumes[place] as Volume, context);
      this.needs.set(one.evaluation.volumeId, one.need);
      onVolume(++this.count);
      return one;
    });
    const together = evaluateStripes(each, stripes, observed, context.thresholds);
    together.volumes.forEach((one, i) => {
      evaluated.volumes[places[i] as number] = one;
    });
    const byMetrics = entry === undefined ? known([]) : this.instance(entry);
    const { ofVolumes, ofInstance } = this.withHost(
      instanceId,
      places,
      volumes,
      together.findings,
      byMetrics,
    );
    if (entry !== undefined) evaluated.instances.set(entry.instance.instanceId, ofInstance);
    evaluated.findings.push(...ofVolumes);
    evaluated.stripes.push(...stripes);
    const findings = [...ofVolumes, ...(ofInstance.known ? ofInstance.value : [])];
    onEvaluated({ findings, stripes, observed, regionCatalogs });
    const ofGroup = { volumes: places.map((place) => volumes[place] as Volume), findings, stripes };
    const evaluations = new Map(together.volumes.map(({ evaluation: one }) => [one.volumeId, one]));
    evaluated.secondOpinion.push(...secondOpinionsOf({ ...ofGroup, evaluations }, this.opinions, context));
    observed.forget();
  }

  /** What its host counted confirms or refutes what the metrics suggest. */
  private withHost(
    instanceId: string | null,
    places: readonly number[],
    volumes: readonly Volume[],
    ofVolumes: Finding[],
    ofInstance: Known<Finding[], InstanceReason>,
  ) {
    const { observed, thresholds } = this.context;
    const readings = instanceId === null ? [] : observed.readingsOf(instanceId);
    if (instanceId === null || readings.length === 0) return { ofVolumes, ofInstance };
    const own = places.map((place) => volumes[place] as Volume);
    const asked = { readings, window: this.window, volumes: own, observed, thresholds };
    const found = [...ofVolumes, ...(ofInstance.known ? ofInstance.value : [])];
    this.evaluated.notices.push(...exceededWithoutFinding(instanceId, found, asked));
    return {
      ofVolumes: withHostStatistics(ofVolumes, asked),
      ofInstance: ofInstance.known ? known(withHostStatistics(ofInstance.value, asked)) : ofInstance,
    };
  }

  instance(entry: InstanceToEvaluate): Known<Finding[], InstanceReason> {
    const { cleared, metrics, observed, regionCatalogs, thresholds } = this.context;
    const { instanceId } = entry.instance;
    const { window, evaluated } = this;
    const isCleared = cleared?.instanceIds.has(instanceId);
    const found = isCleared
      ? known([])
      : evaluateInstanceOf(entry, {
          metrics,
          observed,
          regionCatalogs,
          needOf: evaluated.needOf,
          window,
          thresholds,
        });
    evaluated.instances.set(instanceId, found);
    return found;
  }
}

function evaluateFleet(
  volumes: readonly Volume[],
  toEvaluate: readonly InstanceToEvaluate[],
  context: EvaluationContext,
  window: AuditWindow,
  onVolume: (evaluated: number) => void,
  opinions: readonly OpinionsOfSource[],
): EvaluatedFleet {
  const evaluate = new FleetEvaluator(context, window, opinions);
  const entries = new Map(toEvaluate.map((one) => [one.instance.instanceId, one]));
  for (const group of byInstance(volumes)) {
    evaluate.group(group, entries.get(group.instanceId ?? ''), volumes, onVolume);
  }
  const { evaluated } = evaluate;
  for (const entry of toEvaluate)
    if (!evaluated.instances.has(entry.instance.instanceId)) evaluate.instance(entry);
  return evaluated;
}

/** What of an account is evaluated. */
export interface AuditedInventory {
  volumes: readonly Volume[];
  instances: readonly Instance[];
  /** What hosts said of how their volumes are joined, by instance id. */
  hosts?: ReadonlyMap<string, HostEvidence>;
  /** Earlier modifications of its volumes; absent where nobody told of them. */
  modifications?: Modifications;
}

/** What was read of it. */
interface AuditReading {
  metrics: FleetMetrics;
  /** The time that was asked for; 'of-all': what the metrics span; 'of-each': recordings of different times. */
  window: AuditWindow | 'of-all' | 'of-each';
  /** What it cost. @default nothing */
  cost?: AuditResult['cost'];
  /** Oddities that the reader of the input saw. */
  notices?: readonly AuditNotice[];
  /** What the source of the metrics said it could not give. */
  incomplete?: readonly NotRead[];
  /** Whom the first of two passes cleared: evaluated by it, and not unknown for what was not read. */
  cleared?: Cleared;
}

/** What it is evaluated by. */
interface AuditRules {
  regionCatalogs: RegionCatalogs;
  thresholds: Thresholds;
}

export interface AuditInput {
  runId: string;
  inventory: AuditedInventory;
  read: AuditReading;
  rules: AuditRules;
  /** What other services recommend, each source once; absent: nobody asked. */
  opinions?: readonly GivenOpinions[] | undefined;
  /** What came of asking them. */
  opinionReads?: readonly OpinionRead[] | undefined;
  /** Called with each volume whose load is known, before its findings are made. */
  onDiagnosed?: OnDiagnosed;
  /** Called with the volumes of each instance, once they are evaluated. */
  onEvaluated?: OnEvaluated;
}

/** From the first to the end of the last period of these resources; null where none has a figure. */
export function windowOver(metrics: FleetMetrics, resourceIds: readonly string[]): AuditWindow | null {
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const id of resourceIds) {
    for (const { epochSeconds, periodSeconds } of metrics.of(id).values()) {
      start = Math.min(start, epochSeconds[0] as number);
      end = Math.max(end, (epochSeconds.at(-1) as number) + periodSeconds);
    }
  }
  return end > start ? { startEpochSeconds: start, endEpochSeconds: end } : null;
}

/** A volume that its instance throttled is not healthy, though nothing of its own is wrong. */
function withInstance(
  { evaluation }: EvaluatedVolume,
  volume: Volume,
  ofInstances: readonly Finding[],
): VolumeEvaluation {
  const throttled = Object.keys(evaluation.throttledMinutesByCause).some((cause) =>
    cause.startsWith('instance-'),
  );
  if (!throttled) return evaluation;
  const own = new Set(volume.attachments.map(({ instanceId }) => instanceId));
  const ids = ofInstances.filter(({ resource }) => own.has(resource.id)).map(({ id }) => id);
  const only = ids.length > 0 && evaluation.status === 'healthy';
  return { ...evaluation, status: only ? 'throttled-by-instance' : evaluation.status, instanceFindings: ids };
}

/** The prices that recommendation was made with, by Region. */
function pricesUsed({ volumes }: AuditedInventory, { regionCatalogs }: AuditRules): AuditResult['prices'] {
  return [...new Set(volumes.map(({ region }) => region))].map((region) => {
    const { prices, refreshedAt } = regionCatalogs(region);
    const { ebs, sources } = prices;
    const unpriced = ebs.known ? unpricedTypes(ebs.value) : [];
    return {
      region,
      refreshedAt,
      sources,
      ebsAsOf: ebs.known ? ebs.value.asOf : null,
      ...(unpriced.length > 0 ? { unpricedTypes: unpriced } : {}),
    };
  });
}

function stripeFigures(stripe: Stripe): AuditResult['stripes'][number] {
  const { stripeId, name, instanceId, region, evidence, confidence } = stripe;
  const { kind, chunkKiB, mountPoints, builtWith } = stripe;
  const limits = limitsAsOne(stripe);
  return {
    ...{ stripeId, name, instanceId, region, volumeIds: idsOf(stripe), evidence, confidence },
    ...{ kind, chunkKiB, builtWith, mountPoints: [...mountPoints] },
    limits: limits.known ? limits.value : null,
    unlikeMembers: unlikeMembers(stripe),
  };
}

const accountsOf = (resources: readonly { account: string | null }[]): string[] =>
  [...new Set(resources.flatMap(({ account }) => account ?? []))].sort();

function inOrderOf(volumes: readonly Volume[], rows: readonly SecondOpinion[]): SecondOpinion[] {
  const byVolume = groupBy(rows, ({ volumeId }) => volumeId);
  return volumes.flatMap(({ volumeId }) => byVolume.get(volumeId) ?? []);
}

const emptyWindow: AuditWindow = { startEpochSeconds: 0, endEpochSeconds: 0 };

/** Evaluates the whole inventory. Its counts add up: volumes = evaluated + unknown. */
export function audit(input: AuditInput, onVolume: (evaluated: number) => void = () => {}): AuditResult {
  const { inventory, read, rules } = input;
  const { volumes, instances, hosts = new Map() } = inventory;
  const { metrics } = read;
  const window = typeof read.window === 'object' ? read.window : windowOver(metrics, metrics.resourceIds());
  const toEvaluate = instancesToEvaluate(instances, volumes);
  const volumesOn = new Map(toEvaluate.map(({ instance, volumes }) => [instance.instanceId, volumes]));
  const context: EvaluationContext = {
    metrics,
    observed: new Observed(metrics, rules.regionCatalogs, toEvaluate, hosts, rules.thresholds),
    thresholds: rules.thresholds,
    windowOf: (id) => (read.window === 'of-each' ? windowOver(metrics, [id]) : window),
    instances: new Map(instances.map((instance) => [instance.instanceId, instance])),
    regionCatalogs: rules.regionCatalogs,
    cleared: read.cleared ?? null,
    modifications: inventory.modifications,
    onDiagnosed: input.onDiagnosed ?? (() => {}),
    onEvaluated: input.onEvaluated ?? (() => {}),
    isRecorded: read.window === 'of-each',
    volumesOf: (id) => volumesOn.get(id) ?? [],
  };
  const opinions = (input.opinions ?? []).map(opinionsOfSource);
  const fleet = evaluateFleet(volumes, toEvaluate, context, window ?? emptyWindow, onVolume, opinions);
  const ofInstances = [...fleet.instances.values()].flatMap((found) => (found.known ? found.value : []));
  const notEvaluated = toEvaluate.flatMap(({ instance: { instanceId } }) => {
    const found = fleet.instances.get(instanceId);
    return found === undefined || found.known ? [] : [{ instanceId, reason: found.reason }];
  });
  const evaluated = volumes.map((volume, place) => {
    const one = fleet.volumes[place] as EvaluatedVolume;
    return { ...one, evaluation: withInstance(one, volume, ofInstances) };
  });
  const unknown = evaluated.flatMap(({ evaluation: { volumeId, reason }, nothingToRead }) =>
    reason === null ? [] : [{ volumeId, reason, nothingToRead }],
  );
  const prices = pricesUsed(inventory, rules);
  const others = otherThresholds(rules.thresholds);
  const rooms = roomsOf(toEvaluate, rules.regionCatalogs);
  const findings = [
    ...fleet.findings,
    ...withDestinations(ofInstances, rooms),
    ...configurationFindings(
      toEvaluate,
      new Set(ofInstances.map(({ resource }) => resource.id)),
      fleet,
      context,
    ),
  ];
  const inInventory = new Set([
    ...volumes.map(({ volumeId }) => volumeId),
    ...toEvaluate.map(({ instance }) => instance.instanceId),
  ]);
  const evaluations = evaluated.map(({ evaluation }) => evaluation);
  const accounts = accountsOf([...volumes, ...instances]);
  return {
    runId: input.runId,
    summary: summaryOf(findings, evaluations),
    window: window && {
      start: isoFromEpochSeconds(window.startEpochSeconds),
      end: isoFromEpochSeconds(window.endEpochSeconds),
    },
    coverage: {
      volumes: evaluated.length,
      evaluated: evaluated.length - unknown.length,
      unknown,
      instances: {
        total: toEvaluate.length,
        evaluated: toEvaluate.length - notEvaluated.length,
        notEvaluated,
      },
      metricsWithoutResource: metrics.resourceIds().filter((id) => !inInventory.has(id)),
      incomplete: [...(read.incomplete ?? [])],
    },
    findings: markedProvisional(
      withClaimSteps(withTags(findings, volumes, instances), volumes),
      (id) => context.windowOf(id) ?? window,
    ).sort(mostUrgentFirst),
    volumes: evaluations,
    stripes: fleet.stripes.map(stripeFigures),
    prices,
    ...(Object.keys(others).length === 0 ? {} : { thresholds: others }),
    notices: withScheduleNotices(
      [
        ...(read.notices ?? []),
        ...hostNotices(hosts, toEvaluate),
        ...fleet.notices,
        ...tagNotices(volumes, fleet.stripes),
        ...priceNotices(prices),
      ],
      evaluations,
    ),
    ...(accounts.length === 0 ? {} : { accounts }),
    ...(input.opinions === undefined ? {} : { secondOpinion: inOrderOf(volumes, fleet.secondOpinion) }),
    ...(input.opinionReads === undefined ? {} : { secondOpinionReads: [...input.opinionReads] }),
    ...(rooms.length === 0 ? {} : { instanceRooms: rooms }),
    cost: read.cost ?? { apiCalls: 0, metricsRequested: 0, points: 0, usd: 0 },
  };
}

/** Something that could have been read was not: what is missing is listed in the coverage. */
export const isPartial = ({ coverage, accountCoverage = [] }: AuditResult): boolean =>
  accountCoverage.some(isReadInPart) ||
  coverage.unknown.some(({ nothingToRead }) => !nothingToRead) ||
  coverage.metricsWithoutResource.length > 0 ||
  coverage.incomplete.length > 0;
