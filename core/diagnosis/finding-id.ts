/** The identity of a finding over time: what it is about, never when. */
import { createHash } from 'node:crypto';
import type { FindingKind, FindingResource } from '../schemas/finding.ts';

/** First 16 hex digits of SHA-256 over kind, account, Region and resource id. */
export function findingId(kind: FindingKind, resource: FindingResource): string {
  const { account, region, volumeId, stripeId, instanceId } = resource;
  const id = volumeId ?? stripeId ?? instanceId ?? '';
  return createHash('sha256')
    .update(JSON.stringify([kind, account, region, id]))
    .digest('hex')
    .slice(0, 16);
}
