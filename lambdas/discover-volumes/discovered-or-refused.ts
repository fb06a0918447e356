/** A target of several: one that lets nobody in is no failure of the run. */
import { NotEntered } from '../../core/errors.ts';
import { partitionOf } from '../../core/ids.ts';
import type { Refused, Target } from '../../core/schemas/accounts.ts';

/** It has nothing, and says why. */
const refusedIn = ({ account, region }: Target, refused: Refused) => ({
  ...{ account, region, batches: 0, volumes: 0, excluded: 0, benchmarkVolumes: 0 },
  ...{ incomplete: [], apiCalls: 0, refused },
});

/**
 * What its account or the organization refuses is refused again however often it is asked. What may pass is thrown, and tried
 * again by the workflow.
 * @param refusedBy throws what AWS did not say.
 */
export async function discoveredOrRefused<T>(
  target: Target,
  discover: () => Promise<T>,
  refusedBy: (error: unknown) => Refused,
): Promise<T | ReturnType<typeof refusedIn>> {
  if (partitionOf(target.region) !== target.partition)
    return refusedIn(target, { code: 'another-partition', reason: null });
  try {
    return await discover();
  } catch (error) {
    const refused = refusedBy(error);
    if (!(error instanceof NotEntered) && refused.code === 'other') throw error;
    return refusedIn(target, refused);
  }
}
