/** What the limits of a plan cost: how much cheaper it would be, or whether it would be at all, with a wider one. */
import { roundUsd } from '../prices/prices.ts';
import type { PlanNote } from '../schemas/plan-notes.ts';
import type { Need } from './layout.ts';
import { type Candidate, type Constraints, type Found, type Offers, search } from './search.ts';

/** Less is not worth a word. */
const leastUsd = 0.5;
const largestChunkKiB = 4_096;
/** Four times what AWS sees a gain up to. */
const widestMembers = 32;
/** Nobody plans with a chance above this. */
const mostFailureRate = 0.05;

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
  const riskier = Math.max(maxAnnualFailureRate, mostFailureRate);
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
    if (best === undefined || (cheapest !== undefined && best.rank > cheapest.rank - leastUsd)) continue;
    // What a single limit costs is not reported again of two.
    if (said.has(best.rank)) continue;
    const { members, volumeType } = best.layout;
    said.set(best.rank, {
      code: 'wider-limit',
      ...{ maxMembers: null, chunkKiB: null, maxAnnualFailureRate: null, ...limits(best) },
      members,
      volumeType,
      annualFailureRate: best.annualFailureRate,
      monthlyUsd: offers.regionCatalog.prices.ebs.known ? roundUsd(best.rank) : null,
      monthlyUsdLess: cheapest === undefined ? null : roundUsd(cheapest.rank - best.rank),
    });
  }
  return [...said.values()];
}
