/** The rows of a second opinion: what another service recommends, simulated on the load of the volume while that is in memory. */
import type { AuditWindow } from '../diagnosis/thresholds.ts';
import { IllegalConfiguration } from '../errors.ts';
import { configurationOf, type Volume } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import { isHdd, type VolumeConfiguration, volumeLimits } from '../limits/volume-limits.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { type Layout, minHddIoKiB, provisioned } from '../plan/layout.ts';
import { exactMonthlyUsd, isPriced, roundUsd } from '../prices/prices.ts';
import { layoutNow } from '../recommendations/recommendation.ts';
import type { VolumeEvaluation } from '../schemas/audit-result.ts';
import { type Finding, isSaving, type Recommendation, volumeIdsOf } from '../schemas/finding.ts';
import type { OpinionConfiguration, SecondOpinion } from '../schemas/second-opinion.ts';
import type { GivenOpinions, VolumeRecommendation } from '../schemas/volume-recommendation.ts';
import {
  type AuditedVolume,
  actionOn,
  isSameConfiguration,
  labelOf,
  type OwnChoice,
  type SimulatedMinutes,
  type Trouble,
} from '../second-opinion/compare.ts';
import { idsOf, type Stripe } from '../stripes/stripes.ts';
import { kibFromMiB, secondsPerMinute } from '../units.ts';
import type { EvaluationContext } from './observed.ts';
import { VolumeReplay } from './volume-replay.ts';

// Configurations, as rows have them and as the engine counts them.

const asOpinion = ({
  volumeType,
  sizeGiB,
  iops,
  throughputMiBps,
}: VolumeConfiguration): OpinionConfiguration => ({
  ...{ volumeType, sizeGiB, iops: iops ?? null, throughputMiBps: throughputMiBps ?? null },
});

const asConfiguration = (
  { volumeType, sizeGiB, iops, throughputMiBps }: OpinionConfiguration,
  { deployment }: Volume,
): VolumeConfiguration => ({
  ...{ volumeType, sizeGiB, deployment },
  iops: iops ?? undefined,
  throughputMiBps: throughputMiBps ?? undefined,
});

/** Null: EBS refuses it. */
function layoutOfConfiguration(config: VolumeConfiguration): Layout | null {
  try {
    return layoutNow(volumeLimits(config));
  } catch (error) {
    if (error instanceof IllegalConfiguration) return null;
    throw error;
  }
}

/** With the option unknown where EBS refuses it. */
function legal(recommendation: VolumeRecommendation, volume: Volume): VolumeRecommendation {
  const options = recommendation.options.map((option) => {
    const { configuration } = option;
    const isLegal =
      configuration !== null && layoutOfConfiguration(asConfiguration(configuration, volume)) !== null;
    return isLegal ? option : { ...option, configuration: null };
  });
  return { ...recommendation, options };
}

// What this audit recommends for the volume itself.

interface Own {
  choice: OwnChoice;
  layout: Layout | null;
}

const unusedKinds: readonly Finding['kind'][] = ['idle', 'unattached'];

const singleOf = ({ change }: Recommendation): Layout | null =>
  change?.of === 'volume' && change.to.kind === 'single' && change.to.members === 1 ? change.to : null;

/** Against trouble what is recommended first; else what saves the most as one volume. */
function ownOf(volume: Volume, findings: readonly Finding[]): Own {
  const own = findings.filter(({ resource }) => resource.id === volume.volumeId);
  if (own.some(({ kind }) => unusedKinds.includes(kind))) return { choice: 'delete', layout: null };
  const trouble = own.filter((finding) => !isSaving(finding));
  const firsts = trouble.flatMap(({ recommendations: [first] }) => (first === undefined ? [] : [first]));
  const savings = own.filter(isSaving).flatMap(({ recommendations }) => recommendations);
  const bySaving = savings.toSorted((a, b) => (a.monthlyUsdDelta ?? 0) - (b.monthlyUsdDelta ?? 0));
  const layout = [...firsts, ...bySaving].map(singleOf).find((one) => one !== null) ?? null;
  return { choice: layout === null ? 'keep' : 'change', layout };
}

// What is wrong with it.

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const minutesOf = (
  { throttledMinutesByCause }: VolumeEvaluation,
  isOne: (cause: string) => boolean,
): number =>
  sumOf(Object.entries(throttledMinutesByCause).flatMap(([cause, held]) => (isOne(cause) ? held : [])));

const byInstance = (cause: string): boolean => cause.startsWith('instance-');

function troubleOf(evaluation: VolumeEvaluation, findings: readonly Finding[]): Trouble | null {
  const own = findings.filter(({ resource }) => resource.id === evaluation.volumeId);
  const ofStripe = findings.find(({ resource }) => resource.type === 'stripe');
  if (ofStripe !== undefined) return { code: 'stripe', members: volumeIdsOf(ofStripe).length };
  const kinds = own.map(({ kind }) => kind);
  if (kinds.some((kind) => kind.startsWith('credits-')))
    return { code: 'credits', minutes: minutesOf(evaluation, (cause) => cause === 'volume-credits') };
  if (kinds.some((kind) => kind.startsWith('throttled-volume-') || kind === 'micro-burst'))
    return {
      code: 'keeps-throttled',
      minutes: minutesOf(evaluation, (cause) => cause.startsWith('volume-')),
    };
  const instance = findings.find(
    ({ kind }) => kind.startsWith('throttled-instance-') || kind === 'instance-credits-exhausted',
  );
  const minutes = minutesOf(evaluation, byInstance);
  if (instance === undefined || minutes === 0) return null;
  return { code: 'instance-limit', instanceId: instance.resource.id, minutes };
}

/** Of one instance with its volumes, once they are evaluated and before their loads are forgotten. */
export interface OpinionGroup {
  volumes: readonly Volume[];
  evaluations: ReadonlyMap<string, VolumeEvaluation>;
  /** On the volumes, the stripes and the instance. */
  findings: readonly Finding[];
  stripes: readonly Stripe[];
}

/** What one source said, by volume. */
export interface OpinionsOfSource {
  given: GivenOpinions;
  byVolume: ReadonlyMap<string, VolumeRecommendation>;
}

export const opinionsOfSource = (given: GivenOpinions): OpinionsOfSource => ({
  given,
  byVolume: new Map(given.recommendations.map((one) => [one.volumeId, one])),
});

interface Asked extends OpinionGroup, OpinionsOfSource {
  context: EvaluationContext;
}

/** All members are to be changed alike: then the stripe is, and one of them stands for it. */
function isMemberAlone(volumeId: string, { stripes, byVolume }: Asked): Stripe | null {
  const stripe = stripes.find((one) => idsOf(one).includes(volumeId));
  if (stripe === undefined) return null;
  const options = idsOf(stripe).map((id) => byVolume.get(id)?.options[0]?.configuration ?? null);
  const [first] = options;
  const alike =
    first != null && options.every((option) => option !== null && isSameConfiguration(option, first));
  return alike ? null : stripe;
}

function findingsOf(volume: Volume, { findings }: OpinionGroup): Finding[] {
  const instances = new Set(volume.attachments.map(({ instanceId }) => instanceId));
  return findings.filter(
    (finding) =>
      volumeIdsOf(finding).includes(volume.volumeId) ||
      (finding.resource.type === 'instance' && instances.has(finding.resource.id)),
  );
}

/** A replay counts what a hard disk does by its bytes; I/O so small costs by its number, unless it is merged. */
function isHddForSmallIo(option: Layout, { iops, mibps }: VolumeLoad): boolean {
  if (option.kind !== 'single' || !isHdd(option.volumeType)) return false;
  return iops.some((io, i) => io > 0 && kibFromMiB(mibps[i] as number) < minHddIoKiB * io);
}

function simulated(
  volume: Volume,
  evaluation: VolumeEvaluation,
  { option, ours }: { option: Layout; ours: Layout | null },
  context: EvaluationContext,
): SimulatedMinutes | null {
  const diagnosed = context.observed.diagnosisOf(volume.volumeId);
  if (diagnosed === undefined) return null;
  const measured = sumOf(Object.values(evaluation.throttledMinutesByCause));
  const { throttledMinutesWith } = new VolumeReplay(diagnosed, context).demandOf(measured);
  const now = Math.max(measured, throttledMinutesWith(layoutNow(diagnosed.limits)));
  return {
    now,
    option: {
      atMost: throttledMinutesWith(option),
      atLeast: throttledMinutesWith(option, { line: 'low' }),
    },
    isOpen: isHddForSmallIo(option, diagnosed.load),
    ours: ours === null ? now : throttledMinutesWith(ours),
  };
}

/** USD a month, with cents; unknown where a price is, or a rack is what is paid for. */
function usdOf(config: VolumeConfiguration, volume: Volume, context: EvaluationContext): number | null {
  const { ebs } = context.regionCatalogs(volume.region).prices;
  if (volume.deployment === 'outposts' || !ebs.known || !isPriced(config.volumeType, ebs.value)) return null;
  return roundUsd(exactMonthlyUsd(config, ebs.value).total);
}

const bothKnown = (
  theirs: number | null,
  ours: number | null,
): Known<{ theirs: number; ours: number }, null> =>
  theirs === null || ours === null ? unknown(null) : known({ theirs, ours });

function rowOf(volume: Volume, asked: Asked, window: AuditWindow | null): SecondOpinion {
  const { context, given, byVolume, evaluations } = asked;
  const { volumeId, name, region, account } = volume;
  const evaluation = evaluations.get(volumeId) as VolumeEvaluation;
  const found = byVolume.get(volumeId);
  const recommendation = found === undefined ? null : legal(found, volume);
  const configured = configurationOf(volume);
  const config = configured.known ? configured.value.config : null;
  const current = config === null ? null : asOpinion(config);
  const findings = findingsOf(volume, asked);
  const own = ownOf(volume, findings);
  const action = recommendation === null ? 'keep' : actionOn(recommendation, current);
  const first = action === 'change' ? (recommendation?.options[0]?.configuration ?? null) : null;
  const theirs = first === null ? null : asConfiguration(first, volume);
  const ours = own.layout === null ? null : provisioned(own.layout, volume.deployment);
  const option = theirs === null ? null : layoutOfConfiguration(theirs);
  const minutes =
    option === null ? null : simulated(volume, evaluation, { option, ours: own.layout }, context);
  const member = action === 'change' ? isMemberAlone(volumeId, asked) : null;
  const usdNow = config === null ? null : usdOf(config, volume, context);
  const usdOfChange = theirs === null ? null : usdOf(theirs, volume, context);
  const usdOfTheirs = { delete: 0, keep: usdNow, change: usdOfChange }[action];
  const usdOfOurs = own.choice === 'delete' ? 0 : ours === null ? usdNow : usdOf(ours, volume, context);
  const usd = bothKnown(usdOfTheirs, usdOfOurs);
  const trouble = troubleOf(evaluation, findings);
  const audited: AuditedVolume = {
    isDetached: volume.state === 'available',
    current,
    isEvaluated: evaluation.status !== 'unknown',
    window,
    knownMinutes: evaluation.knownMinutes,
    activeMinutes: activeMinutesOf(volumeId, evaluation, context),
    trouble: member === null ? trouble : { code: 'stripe', members: idsOf(member).length },
    choice: own.choice,
    hasFinding: evaluation.findings.length > 0 || trouble !== null,
    simulated: minutes,
    usd,
    ours: ours === null ? null : asOpinion(ours),
  };
  return {
    ...{ volumeId, name, region, account, source: given.source },
    ...labelOf(audited, recommendation),
    current,
    recommended: first,
    monthlyUsdDifference: usd.known ? roundUsd(usd.value.theirs - usd.value.ours) : null,
    throttledMinutesIfFollowed: minutes?.option.atMost ?? null,
  };
}

/** Of a volume that the first pass cleared its periods are not those of its load: any of them shows that it is used. */
function activeMinutesOf(
  volumeId: string,
  { activePeriods }: VolumeEvaluation,
  context: EvaluationContext,
): number {
  const load = context.observed.diagnosisOf(volumeId)?.load;
  return load === undefined ? activePeriods : (activePeriods * load.periodSeconds) / secondsPerMinute;
}

/** A row for each volume and source, of the volumes that the source was asked about. */
export function secondOpinionsOf(
  group: OpinionGroup,
  all: readonly OpinionsOfSource[],
  context: EvaluationContext,
): SecondOpinion[] {
  return group.volumes.flatMap((volume) =>
    all.flatMap(({ given, byVolume }) => {
      if (given.regions !== null && !given.regions.includes(volume.region)) return [];
      return rowOf(volume, { ...group, context, given, byVolume }, context.windowOf(volume.volumeId));
    }),
  );
}
