/** How what can be asked of a plan is called: on a command line by its options, for an assistant by its arguments. A page has names of its own. */
import type { PlanNames } from '../../core/plan/asked.ts';

export interface PlanNaming {
  names: PlanNames;
  /** Told to ask for it: "--max-members 12". */
  set: (name: keyof PlanNames, value: string | number) => string;
  /** Several of what `set` gives. */
  together: (settings: readonly string[]) => string;
  /** A type that is named, where none is known yet: "--instance-type TYPE". */
  aType: string;
  /** "`catalog refresh` reads today’s". */
  refreshed: string;
  /** "`catalog refresh --region eu-west-3` reads them". */
  refreshedOf: (region: string) => string;
}

const names: PlanNames = {
  iops: '--iops',
  throughputMiBps: '--throughput-mibps',
  capacityGiB: '--capacity-gib',
  ioSizeKiB: '--io-size-kib',
  access: '--access',
  types: '--types',
  kinds: '--kinds',
  maxMembers: '--max-members',
  maxAnnualFailureRate: '--max-annual-failure-rate',
  stripeEfficiency: '--stripe-efficiency',
  chunkKiB: '--chunk-kib',
  instanceType: '--instance-type',
  vcpus: '--vcpus',
  memoryGiB: '--memory-gib',
  architecture: '--arch',
  current: '--current',
  currentInstance: '--current-instance',
  currentBuiltWith: '--current-built-with',
  keepCurrent: '--keep-current',
};

export const commandLine: PlanNaming = {
  names,
  set: (name, value) => `${names[name]} ${value}`,
  together: (settings) => settings.join(' '),
  aType: '--instance-type TYPE',
  refreshed: '`catalog refresh` reads today’s',
  refreshedOf: (region) => `\`catalog refresh --region ${region}\` reads them`,
};

const argumentNames: PlanNames = {
  ...(Object.fromEntries(Object.keys(names).map((name) => [name, name])) as PlanNames), // of the same keys
  architecture: 'arch',
};

/** The tool `plan` of the assistant's server; a catalog is refreshed by a person. */
export const toolArguments: PlanNaming = {
  ...commandLine,
  names: argumentNames,
  set: (name, value) => `${argumentNames[name]} ${value}`,
  aType: 'instanceType',
};
