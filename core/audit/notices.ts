/** What a reader of a run should know beside its findings. */
import { firstFew } from '../few.ts';
import type { Volume } from '../inventory.ts';
import type { AuditNotice } from '../schemas/audit-notice.ts';
import { type AuditResult, missingForSchedule, type VolumeEvaluation } from '../schemas/audit-result.ts';
import type { HostEvidence } from '../stripes/host-evidence.ts';
import { idsOf, type Stripe } from '../stripes/stripes.ts';
import type { InstanceToEvaluate } from './observed.ts';

/** Without prices nothing can be known of money: a reader must not take silence for thrift. */
export const priceNotices = (prices: AuditResult['prices']): AuditNotice[] =>
  prices.flatMap(({ region, ebsAsOf, unpricedTypes: volumeTypes }): AuditNotice[] => {
    if (ebsAsOf === null) return [{ code: 'ebs-prices-unknown', region }];
    return volumeTypes === undefined ? [] : [{ code: 'volume-type-prices-unknown', region, volumeTypes }];
  });

/** What the hosts of these instances did not answer. */
export function hostNotices(
  hosts: ReadonlyMap<string, HostEvidence>,
  instances: readonly InstanceToEvaluate[],
): AuditNotice[] {
  return instances.flatMap(({ instance: { instanceId } }) =>
    (hosts.get(instanceId)?.notes ?? []).map((note) => ({ code: 'of-host' as const, instanceId, note })),
  );
}

/** @param instanceIds of the whole fleet, also of what is not evaluated. */
export const unusedHostNotices = (
  hosts: ReadonlyMap<string, HostEvidence>,
  instanceIds: ReadonlySet<string>,
): AuditNotice[] =>
  [...hosts.keys()].flatMap((instanceId) =>
    instanceIds.has(instanceId) ? [] : [{ code: 'host-not-in-audit' as const, instanceId }],
  );

/** Tags that make no stripe: the host says otherwise, or no other volume of the instance has the same. */
export function tagNotices(volumes: readonly Volume[], stripes: readonly Stripe[]): AuditNotice[] {
  const members = new Set(stripes.filter(({ evidence }) => evidence !== 'inferred').flatMap(idsOf));
  const alone = volumes.flatMap(({ volumeId, stripeTag }) =>
    stripeTag === null || members.has(volumeId) ? [] : [{ volumeId, tag: stripeTag }],
  );
  return alone.length === 0 ? [] : [{ code: 'stripe-tag-unused', volumes: alone }];
}

/** Each once: batches say the same of what they share. */
export function distinct(notices: readonly AuditNotice[]): AuditNotice[] {
  return [...new Map(notices.map((notice) => [JSON.stringify(notice), notice])).values()];
}

// Volumes that would have a schedule of IOPS if more were known of their modifications, or if these were quicker.

const scheduleCodes: ReadonlySet<string> = new Set(missingForSchedule);

/** @param notices of parts of a run too: of the whole each is said once. */
export function withScheduleNotices(
  notices: readonly AuditNotice[],
  volumes: readonly Pick<VolumeEvaluation, 'volumeId' | 'missingForSchedule'>[],
): AuditNotice[] {
  const ofSchedules = missingForSchedule.flatMap((code): AuditNotice[] => {
    const ids = volumes.flatMap((one) => (one.missingForSchedule === code ? [one.volumeId] : []));
    return ids.length === 0 ? [] : [{ code, volumeIds: firstFew(ids), count: ids.length }];
  });
  return [...notices.filter(({ code }) => !scheduleCodes.has(code)), ...ofSchedules];
}
