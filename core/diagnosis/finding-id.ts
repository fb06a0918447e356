/** The identity of a finding over time: what it is about, never when, nor what else is known about it. */
import { createHash } from 'node:crypto';
import { type FindingKind, type FindingResource, resourceIdOf } from '../schemas/finding.ts';

/** First 16 hex digits of SHA-256 over kind, Region and resource id (which no two accounts share). */
export function findingId(kind: FindingKind, resource: FindingResource): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, resource.region, resourceIdOf(resource)]))
    .digest('hex')
    .slice(0, 16);
}
