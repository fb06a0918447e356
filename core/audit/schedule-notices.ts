/** Volumes that would have a schedule of IOPS if more were known of their modifications, or if these were quicker. */
import { firstFew } from '../few.ts';
import type { AuditNotice } from '../schemas/audit-notice.ts';
import { missingForSchedule, type VolumeEvaluation } from '../schemas/audit-result.ts';

const codes: ReadonlySet<string> = new Set(missingForSchedule);

/** @param notices of parts of a run too: of the whole each is said once. */
export function withScheduleNotices(
  notices: readonly AuditNotice[],
  volumes: readonly Pick<VolumeEvaluation, 'volumeId' | 'missingForSchedule'>[],
): AuditNotice[] {
  const ofSchedules = missingForSchedule.flatMap((code): AuditNotice[] => {
    const ids = volumes.flatMap((one) => (one.missingForSchedule === code ? [one.volumeId] : []));
    return ids.length === 0 ? [] : [{ code, volumeIds: firstFew(ids), count: ids.length }];
  });
  return [...notices.filter(({ code }) => !codes.has(code)), ...ofSchedules];
}
