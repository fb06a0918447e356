/** A state of the page as the command line that asks the same. */
import { offeredTypes } from '../../core/plan/plan.ts';
import type { PlanState } from '../../planner/plan/plan-state.ts';

/** Members of "4xgp3:250"; one where nothing is said. */
const membersOf = (layout: string): number => Number(/(?:^|:)(\d+)x/.exec(layout)?.[1] ?? 1);

const isOffered = (types: PlanState['types']): boolean =>
  types.length === offeredTypes.length && offeredTypes.every((one) => types.includes(one));

function instanceArguments(state: PlanState): string[] {
  const { instance, instanceType, vcpus, memoryGiB, architecture } = state;
  if (instance === 'type') return instanceType === '' ? [] : ['--instance-type', instanceType];
  if (instance === 'none') return [];
  return [
    ...['--vcpus', String(vcpus), '--memory-gib', String(memoryGiB)],
    ...(architecture === 'any' ? [] : ['--arch', architecture]),
  ];
}

function currentArguments(state: PlanState): string[] {
  const { current, currentInstance, joined, keepCurrent } = state;
  if (current === '') return instanceArguments(state);
  return [
    ...['--current', current],
    ...(joined === 'unknown' || membersOf(current) === 1 ? [] : ['--current-built-with', joined]),
    ...(keepCurrent === 'yes' ? ['--keep-current'] : []),
    ...(currentInstance === '' ? instanceArguments(state) : ['--current-instance', currentInstance]),
  ];
}

/** @returns what stands behind `stripewise`, without --json */
export function planArguments(state: PlanState): string[] {
  const { rates, iops, throughputMiBps, types } = state;
  return [
    'plan',
    ...(rates === 'iops' || rates === 'both' ? ['--iops', String(iops)] : []),
    ...(rates === 'throughput' || rates === 'both' ? ['--throughput-mibps', String(throughputMiBps)] : []),
    ...['--capacity-gib', String(state.capacityGiB), '--io-size-kib', String(state.ioSizeKiB)],
    ...['--access', state.access, '--read-share', String(state.readPercent / 100)],
    ...(isOffered(types) ? [] : ['--types', types.join(',')]),
    ...['--kinds', state.kinds.join(','), '--max-members', String(state.maxMembers)],
    ...['--deployment', state.deployment],
    ...['--max-annual-failure-rate', String(state.maxFailurePercent / 100)],
    ...['--stripe-efficiency', String(state.stripePercent / 100), '--chunk-kib', state.chunkKiB],
    ...['--region', state.region],
    ...currentArguments(state),
  ];
}
