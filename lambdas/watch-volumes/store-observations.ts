/** Puts what monitoring saw into the records of findings. */
import { accountFields } from '../../core/audit/accounts.ts';
import { changeRecords, type RecordsAt } from '../../core/lifecycle/change-records.ts';
import type { LifecycleRules } from '../../core/lifecycle/finding-record.ts';
import { afterObservation } from '../../core/lifecycle/lifecycle.ts';
import type { MonitoringObservation } from '../../core/monitoring/say.ts';
import type { WatchedTargets } from '../../core/monitoring/shards.ts';

/** For who reads and routes them. */
export const withAccountNames = (
  observations: readonly MonitoringObservation[],
  accounts: WatchedTargets['accounts'],
): readonly MonitoringObservation[] =>
  accounts === null
    ? observations
    : observations.map((observation) => {
        const { finding } = observation;
        if (finding === null) return observation;
        const names = accountFields(accounts.get(finding.resource.account ?? ''));
        return { ...observation, finding: { ...finding, resource: { ...finding.resource, ...names } } };
      });

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
