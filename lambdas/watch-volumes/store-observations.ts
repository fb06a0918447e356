/** Puts what monitoring saw into the records of findings. */
import { changeRecords, type RecordsAt } from '../../core/lifecycle/change-records.ts';
import type { LifecycleRules } from '../../core/lifecycle/finding-record.ts';
import { afterObservation } from '../../core/lifecycle/lifecycle.ts';
import type { MonitoringObservation } from '../../core/monitoring/say.ts';

/** @returns ids of findings that people are to be reported of now. */
export async function storeObservations(
  observations: readonly MonitoringObservation[],
  records: RecordsAt,
  rules: LifecycleRules,
  nowEpochSeconds: number,
): Promise<string[]> {
  const byId = new Map(observations.map((observation) => [observation.findingId, observation]));
  const after = await changeRecords(
    [...byId.keys()],
    (id, before) =>
      afterObservation(id, before, byId.get(id) as MonitoringObservation, rules, nowEpochSeconds),
    records,
  );
  return [...after.values()]
    .filter(({ notifyFromEpochSeconds: from }) => from !== null && from <= nowEpochSeconds)
    .map(({ findingId }) => findingId);
}
