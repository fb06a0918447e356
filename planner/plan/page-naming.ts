/** How the fields of the page are called, on it and in the sentences of a plan. */
import type { PlanNames } from '../../core/plan/asked.ts';
import type { PlanNaming } from '../../report/wording/plan-names.ts';

export const labels: PlanNames = {
  iops: 'IOPS',
  throughputMiBps: 'MiB/s',
  capacityGiB: 'Capacity',
  ioSizeKiB: 'Size of an I/O',
  access: 'Access',
  types: 'Volume types',
  kinds: 'Layouts',
  maxMembers: 'Volumes at most',
  maxAnnualFailureRate: 'Data loss a year at most',
  stripeEfficiency: 'A stripe delivers',
  chunkKiB: 'Chunk of a stripe',
  instanceType: 'Instance type',
  vcpus: 'vCPU',
  memoryGiB: 'Memory',
  architecture: 'Architecture',
  current: 'Volumes today',
  currentInstance: 'Instance today',
  currentBuiltWith: 'Joined by',
  keepCurrent: 'Keep what they have',
};

const quoted = (name: keyof PlanNames): string => `“${labels[name]}”`;

const names = Object.fromEntries(
  Object.keys(labels).map((name) => [name, quoted(name as keyof PlanNames)]),
) as PlanNames; // of the same keys

const percent = (share: number): string => `${Number((share * 100).toPrecision(6))} %`;

/** With its unit, as the field shows it. */
function valueText(name: keyof PlanNames, value: string | number): string {
  if (typeof value === 'string') return value;
  if (name === 'maxAnnualFailureRate' || name === 'stripeEfficiency') return percent(value);
  return name === 'chunkKiB' || name === 'ioSizeKiB' ? `${value} KiB` : String(value);
}

export const pageNaming: PlanNaming = {
  names,
  set: (name, value) => `${quoted(name)} ${valueText(name, value)}`,
  together: (settings) => settings.join(' and '),
  aType: quoted('instanceType'),
  refreshed: 'a file of prices, given at the top of the page, brings today’s',
  refreshedOf: (region) => `a file of prices of ${region}, given at the top of the page, brings them`,
};
