/** Which hosts can say more than their volumes do: running, with two volumes or more. */
import type { Remarks } from '../audit/remarks.ts';
import { firstFew } from '../few.ts';
import type { Instance, Volume } from '../inventory.ts';
import type { NotReadHosts } from './host-said.ts';

/** What came of asking, besides the evidence. */
interface HostsAsked {
  notRead: readonly NotReadHosts[];
  denied: readonly string[];
}

interface Fleet {
  volumes: readonly Volume[];
  instances: readonly Instance[];
}

/** Their ids. One volume alone is no stripe, and a root volume is seldom part of one. */
export function hostsToAsk({ volumes, instances }: Fleet): string[] {
  const count = new Map<string, number>();
  for (const { attachments } of volumes) {
    for (const { instanceId } of attachments) count.set(instanceId, (count.get(instanceId) ?? 0) + 1);
  }
  return instances
    .filter(({ instanceId, state }) => state === 'running' && (count.get(instanceId) ?? 0) > 1)
    .map(({ instanceId }) => instanceId);
}

/** What a reader should know of hosts that did not say: their stripes are found by tags and likeness. */
export const remarksOnHosts = (asked: HostsAsked | null): Remarks => ({
  notices: (asked?.notRead ?? []).map(({ instanceIds, reason }) => ({
    code: 'host-not-read' as const,
    ...{ instanceIds: firstFew(instanceIds), count: instanceIds.length, reason },
  })),
  incomplete: (asked?.denied ?? []).map((reason) => ({ code: 'hosts-denied' as const, reason })),
});
