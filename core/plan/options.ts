/** Candidates as the answer shows them: priced by part, explained, with the way to them. */
import { roundUsd } from '../prices/prices.ts';
import type { CurrentAnswer, PlanNote, PlanOption } from '../schemas/plan-answer.ts';
import { changeFrom } from './compare.ts';
import { deliveredOf, notified } from './delivered.ts';
import { reasonsOf } from './explain.ts';
import { firstThatCarries, type PricedInstance } from './instance-choice.ts';
import type { Need } from './layout.ts';
import {
  type Candidate,
  type Constraints,
  cheapestFirst,
  type Found,
  front,
  type Offers,
  search,
  searchInPlace,
  shown,
} from './search.ts';
import type { Current } from './step-commands.ts';
import { routeTo } from './steps.ts';

// What the limits of a plan cost: how much cheaper it would be, or whether it would be at all, with a wider one.

/** Less is not worth a word. */
const minUsd = 0.5;
const largestChunkKiB = 4_096;
/** Four times what AWS sees a gain up to. */
const widestMembers = 32;
/** Nobody plans with a chance above this. */
const maxFailureRate = 0.05;

type WiderLimit = Extract<PlanNote, { code: 'wider-limit' }>;
type Limits = Pick<WiderLimit, 'maxMembers' | 'chunkKiB' | 'maxAnnualFailureRate'>;

interface Wider {
  constraints: Constraints;
  /** Which limits ask for it, where it is found. */
  limits(found: Candidate): Partial<Limits>;
}

const chunkFor = (ioSizeKiB: number): number =>
  Math.min(largestChunkKiB, 2 ** Math.ceil(Math.log2(ioSizeKiB)));

const membersLimit = ({ layout }: Candidate): Partial<Limits> => ({ maxMembers: layout.members });
const riskLimit = ({ annualFailureRate }: Candidate): Partial<Limits> => ({
  maxAnnualFailureRate: Math.ceil(annualFailureRate * 1000) / 1000,
});

function widerThan(constraints: Constraints, need: Need): Wider[] {
  const { maxMembers, chunkKiB, maxAnnualFailureRate } = constraints;
  const more = { ...constraints, maxMembers: Math.max(maxMembers, widestMembers) };
  const riskier = Math.max(maxAnnualFailureRate, maxFailureRate);
  const whole = chunkFor(need.ioSizeKiB);
  return [
    { constraints: more, limits: membersLimit },
    ...(need.ioSizeKiB > chunkKiB
      ? [{ constraints: { ...constraints, chunkKiB: whole }, limits: () => ({ chunkKiB: whole }) }]
      : []),
    { constraints: { ...constraints, maxAnnualFailureRate: riskier }, limits: riskLimit },
    {
      constraints: { ...more, maxAnnualFailureRate: riskier },
      limits: (found) => ({ ...membersLimit(found), ...riskLimit(found) }),
    },
  ];
}

/** @returns one for each limit that costs something, or that alone is in the way. */
export function limitsCost(need: Need, constraints: Constraints, offers: Offers, found: Found): PlanNote[] {
  const [cheapest] = found.candidates;
  const said = new Map<number, PlanNote>();
  for (const { constraints: wider, limits } of widerThan(constraints, need)) {
    const [best] = search(need, wider, offers).candidates;
    if (best === undefined || (cheapest !== undefined && best.rank > cheapest.rank - minUsd)) continue;
    // What a single limit costs is not reported again of two.
    if (said.has(best.rank)) continue;
    const { members, volumeType } = best.layout;
    said.set(best.rank, {
      code: 'wider-limit',
      ...{ maxMembers: null, chunkKiB: null, maxAnnualFailureRate: null, ...limits(best) },
      members,
      volumeType,
      annualFailureRate: best.annualFailureRate,
      monthlyUsd: best.volumesUsd === null ? null : roundUsd(best.rank),
      monthlyUsdLess: cheapest === undefined ? null : roundUsd(cheapest.rank - best.rank),
    });
  }
  return [...said.values()];
}

export interface Explaining extends Offers {
  need: Need;
  constraints: Constraints;
  found: Found;
  current: { stands: Current; answer: CurrentAnswer } | null;
}

/** The parts add up: each is rounded, and the sums are of the rounded. */
export function monthlyUsdOf({ volumesUsd, instance }: Candidate): PlanOption['monthlyUsd'] {
  const instanceUsd =
    instance === null ? 0 : instance.monthlyUsd.known ? roundUsd(instance.monthlyUsd.value) : null;
  if (volumesUsd === null)
    return { storage: null, iops: null, throughput: null, volumes: null, instance: instanceUsd, total: null };
  const [storage, iops, throughput] = [volumesUsd.storage, volumesUsd.iops, volumesUsd.throughput].map(
    roundUsd,
  ) as [number, number, number];
  const volumes = roundUsd(storage + iops + throughput);
  const total = instanceUsd === null ? null : roundUsd(volumes + instanceUsd);
  return { storage, iops, throughput, volumes, instance: instanceUsd, total };
}

/** Of the current generation, without CPU credits. */
const isUsual = ({ type }: PricedInstance): boolean => type.currentGeneration && !type.burstableCpu;

/** What is the same for every option. */
interface Choice {
  fronted: ReadonlySet<Candidate>;
  usual: readonly PricedInstance[];
}

function optionOf(candidate: Candidate, explaining: Explaining, { fronted, usual }: Choice): PlanOption {
  const { need, constraints, regionCatalog, found, current } = explaining;
  const { candidates } = found;
  const delivered = deliveredOf(need, candidate);
  const { iops: deliveredIops, throughputMiBps: deliveredMiBps } = notified(delivered);
  const monthlyUsd = monthlyUsdOf(candidate);
  const ranked = {
    candidate,
    cheapest: candidates[0] ?? candidate,
    isFront: fronted.has(candidate),
    isCheapestSingle: candidates.find(({ layout }) => layout.kind === 'single') === candidate,
    legal: candidates.length,
    usualInstance: firstThatCarries(usual, candidate.instanceRates, candidate.layout.members) ?? null,
    isInPlace: !candidates.includes(candidate),
    currentFailureRate: current?.answer.annualFailureRate ?? null,
  };
  const { deployment, chunkKiB } = constraints;
  const { inPlace, route, reason } = routeTo(candidate.layout, current?.stands ?? null, {
    region: regionCatalog.region,
    deployment,
    chunkKiB,
  });
  return {
    layout: candidate.layout,
    deliveredIops,
    deliveredMiBps,
    bindingLimits: delivered.bindingLimits,
    annualFailureRate: candidate.annualFailureRate,
    instanceType: candidate.instance?.type.instanceType ?? null,
    architectures: candidate.instance?.type.architectures ?? [],
    monthlyUsd,
    reasons: reasonsOf(ranked, need, delivered),
    change: current === null ? null : changeFrom(current.answer, candidate, need, monthlyUsd.volumes),
    steps: { inPlace, route, reason },
  };
}

const isSameLayout = (a: Candidate, b: Candidate): boolean =>
  JSON.stringify(a.layout) === JSON.stringify(b.layout);

/** Today's volumes changed where they stand: nobody should have to ask for it. None where it is shown anyway. */
function inPlace(explaining: Explaining, others: readonly Candidate[]): Candidate[] {
  const { need, constraints, regionCatalog, current } = explaining;
  if (current === null) return [];
  const { stands } = current;
  const options = {
    region: regionCatalog.region,
    deployment: constraints.deployment,
    chunkKiB: constraints.chunkKiB,
  };
  const possible = searchInPlace(need, constraints, explaining, stands.layout).find(
    ({ layout }) => routeTo(layout, stands, options).inPlace,
  );
  return possible === undefined || others.some((other) => isSameLayout(other, possible)) ? [] : [possible];
}

/** What is shown of the candidates, and of today's volumes what they could be in place. Cheapest first. */
export function optionsOf(explaining: Explaining, top: number): PlanOption[] {
  const { candidates } = explaining.found;
  const choice = { fronted: new Set(front(candidates)), usual: (explaining.allowed ?? []).filter(isUsual) };
  const chosen = shown(candidates, top);
  return [...chosen, ...inPlace(explaining, chosen)]
    .sort(cheapestFirst)
    .map((candidate) => optionOf(candidate, explaining, choice));
}
