/** What is asked of a plan, as the address says it. */

import type { VolumeType } from '../../core/limits/volume-limits.ts';
import { planBounds, planDefaults } from '../../core/plan/asked.ts';
import type { Access, PlannedKind } from '../../core/plan/layout.ts';
import { accessKinds, plannedKinds } from '../../core/plan/layout.ts';
import { offeredTypes } from '../../core/plan/plan.ts';
import { type StepForm, stepForms } from '../../report/steps/written-steps.ts';
import {
  choiceField,
  choicesField,
  type Fields,
  numberField,
  regionNameField,
  textField,
} from '../fragment.ts';

/** Which rates are asked for: the other one follows from the size of an I/O. */
export const rateChoices = ['iops', 'throughput', 'both', 'none'] as const;
const instanceChoices = ['none', 'type', 'choose'] as const;
const architectureChoices = ['any', 'x86_64', 'arm64'] as const;
const joinedChoices = ['unknown', 'lvm', 'mdadm'] as const;
const deploymentChoices = ['region', 'outposts'] as const;
/** What can be asked for: what is sold today first. */
export const typeChoices = [...offeredTypes, 'gp2', 'io1'] as const satisfies readonly VolumeType[];

const powersFrom = (from: number, to: number): number[] =>
  from > to ? [] : [from, ...powersFrom(2 * from, to)];
export const chunkChoices: readonly string[] = powersFrom(...planBounds.chunkKiB).map(String);

export interface PlanState {
  rates: (typeof rateChoices)[number];
  iops: number;
  throughputMiBps: number;
  capacityGiB: number;
  ioSizeKiB: number;
  access: Access;
  readPercent: number;
  types: readonly (typeof typeChoices)[number][];
  kinds: readonly PlannedKind[];
  maxMembers: number;
  maxFailurePercent: number;
  stripePercent: number;
  chunkKiB: string;
  deployment: (typeof deploymentChoices)[number];
  instance: (typeof instanceChoices)[number];
  instanceType: string;
  vcpus: number;
  memoryGiB: number;
  architecture: (typeof architectureChoices)[number];
  /** Empty: nothing stands. */
  current: string;
  /** Empty: nobody said. */
  currentInstance: string;
  joined: (typeof joinedChoices)[number];
  keepCurrent: 'no' | 'yes';
  region: string;
  /** Which option is explained: its number in the table. */
  option: number;
  steps: StepForm;
}

const instanceType = /^(?:[a-z][a-z0-9-]{0,19}(?:\.[a-z0-9-]{0,19})?)?$/;
const layout = /^[a-z0-9:-]*$/;

/** From the least to the most of a figure. */
export const planRanges = {
  iops: [100, 2_000_000],
  throughputMiBps: [1, 100_000],
  capacityGiB: [1, 1_000_000],
  ioSizeKiB: [1, 4_096],
  readPercent: [0, 100],
  maxMembers: planBounds.maxMembers,
  maxFailurePercent: [0, 100],
  stripePercent: [1, 100],
  vcpus: [1, 1_024],
  memoryGiB: [1, 32_768],
  option: [1, 1_000],
} as const satisfies Partial<Record<keyof PlanState, readonly [number, number]>>;

const percent = (share: number): number => Math.round(share * 100);

export const planFields: Fields<PlanState> = {
  rates: choiceField('iops', rateChoices),
  iops: numberField(8_000, ...planRanges.iops),
  throughputMiBps: numberField(250, ...planRanges.throughputMiBps),
  capacityGiB: numberField(1_000, ...planRanges.capacityGiB),
  ioSizeKiB: numberField(planDefaults.ioSizeKiB, ...planRanges.ioSizeKiB),
  access: choiceField(planDefaults.access, accessKinds),
  readPercent: numberField(percent(planDefaults.readShare), ...planRanges.readPercent),
  types: choicesField(offeredTypes, typeChoices),
  kinds: choicesField(planDefaults.kinds, plannedKinds),
  maxMembers: numberField(planDefaults.maxMembers, ...planRanges.maxMembers, true),
  maxFailurePercent: numberField(percent(planDefaults.maxAnnualFailureRate), ...planRanges.maxFailurePercent),
  stripePercent: numberField(percent(planDefaults.stripeEfficiency), ...planRanges.stripePercent),
  chunkKiB: choiceField<string>(String(planDefaults.chunkKiB), chunkChoices),
  deployment: choiceField(planDefaults.deployment, deploymentChoices),
  instance: choiceField('none', instanceChoices),
  instanceType: textField('', instanceType, 'an instance type like m7i.2xlarge', 40),
  vcpus: numberField(8, ...planRanges.vcpus, true),
  memoryGiB: numberField(32, ...planRanges.memoryGiB),
  architecture: choiceField('any', architectureChoices),
  current: textField('', layout, 'a layout like gp2:500 or 4xgp3:250:3000:125', 60),
  currentInstance: textField('', instanceType, 'an instance type like m7i.2xlarge', 40),
  joined: choiceField('unknown', joinedChoices),
  keepCurrent: choiceField<'no' | 'yes'>('no', ['no', 'yes']),
  region: regionNameField,
  option: numberField(1, ...planRanges.option, true),
  steps: choiceField('cli', stepForms),
};
