/** The instance that was refused: which of its limits is in the way, and which one would do. */
import { ebsFiguresOf, familyOf, type InstanceType } from '../catalogue/instance-type.ts';
import { figure } from '../figures.ts';
import { shortfallOf } from './instance-choice.ts';
import { instanceNeed, type Rates } from './need.ts';
import { type Refused, type RefusedOf, whatText } from './refusal.ts';
import type { Refusal } from './search.ts';

/** What must stay as it is, if it can: software is built for an architecture, and sized for a family. */
interface Alike {
  family: string | null;
  architectures: readonly string[] | null;
}

/** The cheapest that would do: of the same family if there is one, else of the same architecture, else of all. */
function instanceInstead(
  { family, architectures }: Alike,
  rates: Rates,
  members: number,
  { market }: RefusedOf,
): string {
  const carries = market.instanceTypes.types.filter((other) => shortfallOf(other, rates, members) === null);
  const ofFamily = carries.filter((other) => familyOf(other.instanceType) === family);
  const alike = carries.filter((other) => other.architectures.some((one) => architectures?.includes(one)));
  const usd = (other: InstanceType): number => {
    const price = market.prices.instanceMonthlyUsd(other.instanceType);
    return price.known ? price.value : Number.MAX_VALUE;
  };
  const choice = [ofFamily, alike].find(({ length }) => length > 0) ?? carries;
  const cheapest = choice.toSorted((a, b) => usd(a) - usd(b))[0];
  if (cheapest !== undefined && cheapest.ebs !== null)
    return `${cheapest.instanceType}: ${figure(cheapest.ebs.baselineIops)} IOPS and ${figure(cheapest.ebs.baselineMiBps, 0)} MiB/s all the time`;
  const strongest = strongestOf(market.instanceTypes.types, rates);
  return strongest?.ebs
    ? `no instance type carries it; ${strongest.instanceType} has the most: ${figure(strongest.ebs.baselineIops)} IOPS and ${figure(strongest.ebs.baselineMiBps, 0)} MiB/s`
    : 'no instance type carries it';
}

/** The type that carries the largest share of a load. */
export function strongestOf(
  types: readonly InstanceType[],
  { iops, throughputMiBps }: Rates,
): InstanceType | undefined {
  const share = ({ ebs }: InstanceType): number =>
    ebs === null
      ? 0
      : Math.min(ebs.baselineIops / Math.max(1, iops), ebs.baselineMiBps / Math.max(1, throughputMiBps));
  return types.reduce<InstanceType | undefined>(
    (best, type) => (best === undefined || share(type) > share(best) ? type : best),
    undefined,
  );
}

function instanceBecause(type: InstanceType, rates: Rates, members: number): string {
  const figures = ebsFiguresOf(type);
  if (!figures.known) return `${figures.because}: whether it carries the load is unknown`;
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures.value;
  const parts = [
    ...(rates.iops > baselineIops
      ? [
          `${figure(rates.iops)} IOPS are asked; its EBS limit is ${figure(maximumIops)} IOPS at most and ${figure(baselineIops)} all the time (baseline)`,
        ]
      : []),
    ...(rates.throughputMiBps > baselineMiBps
      ? [
          `${figure(rates.throughputMiBps)} MiB/s are asked; its EBS limit is ${figure(maximumMiBps, 0)} MiB/s at most and ${figure(baselineMiBps, 0)} all the time (baseline)`,
        ]
      : []),
  ];
  if (parts.length > 0) return parts.join('; ');
  if (shortfallOf(type, rates, members) === 'cards')
    return `its ${type.cards.length} EBS cards carry ${figure(type.cards[0]?.baselineIops ?? 0)} IOPS each, and ${members === 1 ? 'one volume is' : `${members} volumes are`} on one or few of them`;
  return `it takes ${(type.attachments?.most ?? 1) - 1} volumes beside its root volume`;
}

/** One entry for the instance: the layout that asks the least of it decides. */
export function refusedInstance(of: RefusedOf): Refused[] {
  const { constraints, allowed, found, need } = of;
  const stopped = found.refusals.filter(({ obstacle }) => obstacle.limit === 'instance');
  if (allowed === null || constraints.instance === null || stopped.length === 0) return [];
  const { shape } = stopped[0] as Refusal;
  const rates = instanceNeed(need, shape);
  const under = found.candidates.length > 0 ? ` under ${whatText(stopped)}` : '';
  const asked = constraints.instance;
  if ('instanceType' in asked) {
    const type = allowed[0]?.type;
    if (type === undefined) return [];
    return [
      {
        what: `instance ${type.instanceType}${under}`,
        because: instanceBecause(type, rates, shape.members),
        nearest: instanceInstead(
          { family: familyOf(type.instanceType), architectures: type.architectures },
          rates,
          shape.members,
          of,
        ),
      },
    ];
  }
  const { vcpus, memoryGiB, architecture } = asked;
  const what = `any instance with ${figure(vcpus)} vCPU, ${figure(memoryGiB)} GiB${architecture === null ? '' : ` and ${architecture}`}${under}`;
  const strongest = strongestOf(
    allowed.map(({ type }) => type),
    rates,
  );
  return [
    {
      what,
      because:
        strongest === undefined
          ? 'there is no such instance type'
          : `the strongest of them is ${strongest.instanceType}: ${instanceBecause(strongest, rates, shape.members)}`,
      nearest: instanceInstead(
        { family: null, architectures: architecture === null ? null : [architecture] },
        rates,
        shape.members,
        of,
      ),
    },
  ];
}
