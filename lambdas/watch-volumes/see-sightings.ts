/** Puts what the pulse saw into the records of findings. */
import { changeRecords, type RecordsAt } from '../../core/advisory/change-records.ts';
import type { LifeRules } from '../../core/advisory/finding-record.ts';
import { afterLook } from '../../core/advisory/life.ts';
import type { PulseSighting } from '../../core/pulse/say.ts';

/** @returns ids of findings that people are to be told of now. */
export async function seeSightings(
  sightings: readonly PulseSighting[],
  records: RecordsAt,
  rules: LifeRules,
  nowEpochSeconds: number,
): Promise<string[]> {
  const byId = new Map(sightings.map((sighting) => [sighting.findingId, sighting]));
  const after = await changeRecords(
    [...byId.keys()],
    (id, before) => afterLook(id, before, byId.get(id) as PulseSighting, rules, nowEpochSeconds),
    records,
  );
  return [...after.values()]
    .filter(({ tellFromEpochSeconds: from }) => from !== null && from <= nowEpochSeconds)
    .map(({ findingId }) => findingId);
}
