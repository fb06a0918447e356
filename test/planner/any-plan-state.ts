/** What somebody may ask of the page, and where it stands in its address. */
import fc from 'fast-check';
import { hashOf, usualState, writeState } from '../../planner/fragment.ts';
import {
  chunkChoices,
  type PlanState,
  planFields,
  planRanges,
  rateChoices,
  typeChoices,
} from '../../planner/plan/plan-state.ts';
import { planArguments } from './plan-arguments.ts';

const within = ([min, max]: readonly [number, number]) => fc.integer({ min: Math.ceil(min), max });
const some = <T extends string>(choices: readonly T[]) => fc.subarray([...choices], { minLength: 1 });

/** Needs that somebody may have, most of which can be met. */
export const anyPlanState: fc.Arbitrary<PlanState> = fc.record({
  rates: fc.constantFrom(...rateChoices),
  iops: fc.oneof(within([100, 60_000]), within(planRanges.iops)),
  throughputMiBps: fc.oneof(within([10, 2_000]), within(planRanges.throughputMiBps)),
  capacityGiB: fc.oneof(within([1, 20_000]), within(planRanges.capacityGiB)),
  ioSizeKiB: fc.constantFrom(4, 8, 16, 23.5, 64, 256, 1_024),
  access: fc.constantFrom('random', 'sequential'),
  readPercent: within(planRanges.readPercent),
  types: fc.oneof(fc.constant(usualState(planFields).types), some(typeChoices)),
  kinds: some(['single', 'stripe', 'raid10', 'raid5']),
  maxMembers: within([1, 16]),
  maxFailurePercent: fc.constantFrom(0.2, 1, 2, 5, 100),
  stripePercent: within([80, 100]),
  chunkKiB: fc.constantFrom(...chunkChoices),
  deployment: fc.constantFrom('region', 'outposts'),
  instance: fc.constantFrom('none', 'type', 'choose'),
  instanceType: fc.constantFrom('', 'm5.2xlarge', 'r6i.4xlarge', 'i4i.large'),
  vcpus: within([1, 64]),
  memoryGiB: within([1, 256]),
  architecture: fc.constantFrom('any', 'x86_64', 'arm64'),
  current: fc.constantFrom('', '', 'gp2:500', '4xgp3:250', 'raid10:4xio2:200:4000', 'linear:2xst1:500'),
  currentInstance: fc.constantFrom('', '', 'r6i.2xlarge'),
  joined: fc.constantFrom('unknown', 'lvm', 'mdadm'),
  keepCurrent: fc.constantFrom('no', 'yes'),
  region: fc.constantFrom('us-east-1', 'us-east-1', 'eu-west-3'),
  option: fc.constant(1),
  steps: fc.constantFrom('cli', 'cdk', 'terraform'),
});

export interface AskedTwice {
  /** Of the page. */
  hash: string;
  /** Of `stripewise`, without --json. */
  args: string[];
}

/** The same questions for the page and for the command line, the same in every run. */
export function planQuestions(count: number, seed: number): AskedTwice[] {
  return fc.sample(anyPlanState, { numRuns: count, seed }).map((state) => {
    const params = new URLSearchParams();
    writeState('plan', planFields, state, params);
    return { hash: `#${hashOf('plan', params)}`, args: planArguments(state) };
  });
}
