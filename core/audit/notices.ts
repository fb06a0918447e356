/** What a reader of a run should know beside its findings. */
import { fewOf } from '../few.ts';
import type { Volume } from '../inventory.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import type { HostEvidence } from '../stripes/host-evidence.ts';
import { idsOf, type Stripe } from '../stripes/stripe.ts';
import type { InstanceToJudge } from './instances-to-judge.ts';

/** Without prices nothing can be told of money: a reader must not take silence for thrift. */
export const priceNotices = (prices: AuditResult['prices']): string[] =>
  prices.flatMap(({ region, ebsUnknownBecause }) =>
    ebsUnknownBecause === null
      ? []
      : [
          `${ebsUnknownBecause}: in ${region} nothing was looked for that could cost less, and advice has no price; \`stripewise catalog refresh --region ${region}\` reads them, a deployed audit reads them itself before it judges`,
        ],
  );

/** What the hosts of these instances could not tell. */
export function hostNotices(
  hosts: ReadonlyMap<string, HostEvidence>,
  instances: readonly InstanceToJudge[],
): string[] {
  return instances.flatMap(({ instance: { instanceId } }) =>
    (hosts.get(instanceId)?.notes ?? []).map((note) => `host ${instanceId}: ${note}`),
  );
}

/** @param instanceIds of the whole fleet, also of what is not judged. */
export const unusedHostNotices = (
  hosts: ReadonlyMap<string, HostEvidence>,
  instanceIds: ReadonlySet<string>,
): string[] =>
  [...hosts.keys()].flatMap((instanceId) =>
    instanceIds.has(instanceId)
      ? []
      : [`host ${instanceId}: no such instance is audited here, so what it says of volumes was not used`],
  );

/** Tags that make no stripe: the host says otherwise, or no other volume of the instance has the same. */
export function tagNotices(volumes: readonly Volume[], stripes: readonly Stripe[]): string[] {
  const members = new Set(stripes.filter(({ evidence }) => evidence !== 'inferred').flatMap(idsOf));
  const alone = volumes.filter(({ stripeTag, volumeId }) => stripeTag !== null && !members.has(volumeId));
  if (alone.length === 0) return [];
  return [
    `the tag stripewise:stripe makes no stripe of ${fewOf(alone.map(({ volumeId, stripeTag }) => `${volumeId} (${stripeTag})`))}: no other volume of the same instance has the same value, or the host says otherwise`,
  ];
}
