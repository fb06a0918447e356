/** What the limits of a plan cost: how much cheaper it would be, or whether it would be at all, with a wider one. */
import { usdText } from '../figures.ts';
import { rateText } from './failure-rate.ts';
import type { Need } from './need.ts';
import { type Candidate, type Constraints, type Found, type Offers, search } from './search.ts';

/** Less is not worth a sentence. */
const leastUsd = 0.5;
const largestChunkKiB = 4_096;
/** Four times what AWS sees a gain up to. */
const widestMembers = 32;
/** Nobody plans with a chance above this. */
const mostFailureRate = 0.05;

interface Wider {
  constraints: Constraints;
  /** Which options ask for it, where it is found. */
  options(found: Candidate): string;
}

const chunkFor = (ioSizeKiB: number): number =>
  Math.min(largestChunkKiB, 2 ** Math.ceil(Math.log2(ioSizeKiB)));

const membersOption = ({ layout }: Candidate): string => `--max-members ${layout.members}`;
const riskOption = ({ annualFailureRate }: Candidate): string =>
  `--max-annual-failure-rate ${Math.ceil(annualFailureRate * 1000) / 1000}`;

function widerThan(constraints: Constraints, need: Need): Wider[] {
  const { maxMembers, chunkKiB, maxAnnualFailureRate } = constraints;
  const more = { ...constraints, maxMembers: Math.max(maxMembers, widestMembers) };
  const riskier = Math.max(maxAnnualFailureRate, mostFailureRate);
  const whole = chunkFor(need.ioSizeKiB);
  return [
    { constraints: more, options: membersOption },
    ...(need.ioSizeKiB > chunkKiB
      ? [{ constraints: { ...constraints, chunkKiB: whole }, options: () => `--chunk-kib ${whole}` }]
      : []),
    { constraints: { ...constraints, maxAnnualFailureRate: riskier }, options: riskOption },
    {
      constraints: { ...more, maxAnnualFailureRate: riskier },
      options: (found) => `${membersOption(found)} ${riskOption(found)}`,
    },
  ];
}

/** @returns a sentence for each limit that costs something, or that alone is in the way. */
export function limitsCost(need: Need, constraints: Constraints, offers: Offers, found: Found): string[] {
  const [cheapest] = found.candidates;
  const said = new Map<number, string>();
  for (const { constraints: wider, options } of widerThan(constraints, need)) {
    const [best] = search(need, wider, offers).candidates;
    if (best === undefined || (cheapest !== undefined && best.rank > cheapest.rank - leastUsd)) continue;
    // What a single limit costs is not told again of two.
    if (said.has(best.rank)) continue;
    const { members, volumeType } = best.layout;
    const what = `${members} x ${volumeType}, lost with ${rateText(best.annualFailureRate)} a year`;
    const price = offers.market.prices.ebs.known ? ` for ${usdText(best.rank)} a month` : '';
    const instead =
      cheapest === undefined ? '' : `, ${usdText(cheapest.rank - best.rank)} less than the cheapest here`;
    said.set(best.rank, `with ${options(best)} it would be ${what}${price}${instead}`);
  }
  return [...said.values()];
}
