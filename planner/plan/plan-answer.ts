/** The answer to a state of the page: by the function that answers the command line. */
import type { RegionCatalogs } from '../../core/catalog/region-catalog.ts';
import { BadInput } from '../../core/errors.ts';
import {
  type PlanAsked,
  type PlanOrChoices,
  planAsked,
  planDefaults,
  requireTogether,
  standing,
} from '../../core/plan/asked.ts';
import { layoutOfText } from '../../core/plan/layout-text.ts';
import { offeredTypes } from '../../core/plan/plan.ts';
import type { Current } from '../../core/plan/step-commands.ts';
import { pageNaming } from './page-naming.ts';
import type { PlanState } from './plan-state.ts';

const { names } = pageNaming;

/** What stands; null where nothing is said. @throws BadInput where it is no layout. */
function currentOf({ current, joined, deployment }: PlanState): Current | null {
  if (current === '') return null;
  const layout = layoutOfText(names.current, current, deployment);
  const builtWith = joined === 'unknown' || layout.members === 1 ? undefined : joined;
  return standing({ layout, volumeIds: [], builtWith }, names);
}

const isUsualTypes = ({ types }: PlanState): boolean =>
  types.length === offeredTypes.length && offeredTypes.every((one) => types.includes(one));

/** What of the state is in use: what belongs to another choice is kept in the address, and not asked. */
function askedOf(state: PlanState): PlanAsked {
  const { rates, instance, architecture, currentInstance } = state;
  const current = currentOf(state);
  // Today's instance compares types by itself.
  const compares = current !== null && currentInstance !== '';
  const isNamed = instance === 'type' && state.instanceType !== '' && !compares;
  const isChosen = instance === 'choose' && !compares;
  return {
    iops: rates === 'iops' || rates === 'both' ? state.iops : null,
    throughputMiBps: rates === 'throughput' || rates === 'both' ? state.throughputMiBps : null,
    capacityGiB: state.capacityGiB,
    ioSizeKiB: state.ioSizeKiB,
    access: state.access,
    readShare: state.readPercent / 100,
    types: isUsualTypes(state) ? null : state.types,
    kinds: state.kinds,
    maxMembers: state.maxMembers,
    deployment: state.deployment,
    maxAnnualFailureRate: state.maxFailurePercent / 100,
    stripeEfficiency: state.stripePercent / 100,
    chunkKiB: Number(state.chunkKiB),
    instanceType: isNamed ? state.instanceType : null,
    vcpus: isChosen ? state.vcpus : null,
    memoryGiB: isChosen ? state.memoryGiB : null,
    architecture: isChosen && architecture !== 'any' ? architecture : null,
    top: planDefaults.top,
    current,
    currentInstance: compares ? currentInstance : null,
    keepsCurrent: current !== null && state.keepCurrent === 'yes',
  };
}

export type PageAnswer = PlanOrChoices | { kind: 'refused'; message: string };

/** What cannot be asked like that is one line; whatever else goes wrong is a defect and is thrown. */
export function answerOf(state: PlanState, regionCatalogs: RegionCatalogs): PageAnswer {
  try {
    const asked = askedOf(state);
    requireTogether(asked, names);
    return planAsked(asked, regionCatalogs(state.region), names);
  } catch (error) {
    if (error instanceof BadInput) return { kind: 'refused', message: error.message };
    throw error;
  }
}
