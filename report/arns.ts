/** What AWS calls the resource of a finding. */
import { isRegionName } from '../core/region.ts';
import type { FindingResource } from '../core/schemas/finding.ts';

/** Source: AWS General Reference, "Amazon Resource Names", partitions; read 2026-11-23. */
function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  if (region.startsWith('us-gov-')) return 'aws-us-gov';
  if (region.startsWith('eusc-')) return 'aws-eusc';
  return 'aws';
}

const isAccount = (text: string | null): text is string => text !== null && /^\d{12}$/.test(text);
const ec2Id = /^(?:vol|i)-[0-9a-z]{1,32}$/;

/** Of its volume and its instance, where account and Region are known; a stripe has none. */
export function resourceArns({ volumeId, instanceId, region, account }: FindingResource): string[] {
  if (!isAccount(account) || !isRegionName(region)) return [];
  const begin = `arn:${partitionOf(region)}:ec2:${region}:${account}`;
  const named = [
    ['volume', volumeId],
    ['instance', instanceId],
  ] as const;
  return named.flatMap(([kind, id]) =>
    id !== undefined && ec2Id.test(id) ? [`${begin}:${kind}/${id}`] : [],
  );
}
