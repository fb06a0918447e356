/** Stripes in a few words. */
import type { Volume } from '../../../core/inventory.ts';
import type { Stripe } from '../../../core/stripes/stripes.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { ids } from './hosts.ts';

const instanceId = 'i-0123456789abcdef0';

/** Of gp3 volumes 1, 2 and so on, by the host, unless told otherwise. */
export function aStripe(members: number | Partial<Volume>[], stripe: Partial<Stripe> = {}): Stripe {
  const each = typeof members === 'number' ? Array.from({ length: members }, () => ({})) : members;
  return {
    stripeId: `${instanceId}/data/data`,
    name: 'data/data',
    instanceId,
    region: 'us-east-1',
    account: '111122223333',
    volumes: each.map((volume, i) =>
      aVolume({
        volumeId: ids(i + 1)[0] as string,
        name: `data-${i + 1}`,
        attachments: [{ instanceId, ebsCardIndex: null }],
        ...volume,
      }),
    ),
    evidence: 'host',
    confidence: 'high',
    kind: 'stripe',
    chunkKiB: 64,
    mountPoints: ['/data'],
    builtWith: 'lvm',
    ...stripe,
  };
}

/** Members, how they are known to be one, and how surely. */
export const inShort = (stripes: readonly Stripe[]) =>
  stripes.map(({ volumes, evidence, confidence }) => [
    volumes.map(({ volumeId }) => volumeId).join(' '),
    evidence,
    confidence,
  ]);
