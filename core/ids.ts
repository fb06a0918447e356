/** us-east-1, us-gov-west-1, eusc-de-east-1. */
const shape = '[a-z]{2,4}(?:-[a-z]+)+-\\d+';
const wholeRegion = new RegExp(`^${shape}$`);
const leadingRegion = new RegExp(`^${shape}`);

/** Whether a text has the form of a Region; there may be none of that name. */
export const isRegionName = (text: string): boolean => wholeRegion.test(text);

/** The Region of a zone: us-east-1a is in us-east-1, us-west-2-lax-1a in us-west-2; null for what is no zone. */
export const regionOfZone = (availabilityZone: string): string | null =>
  leadingRegion.exec(availabilityZone)?.[0] ?? null;

/** Whether a text has the form of an id that EC2 gives: then it is harmless in a shell, too. */
export const isVolumeId = (text: string): boolean => /^vol-[0-9a-f]{8,17}$/.test(text);
export const isInstanceId = (text: string): boolean => /^i-[0-9a-f]{8,17}$/.test(text);
export const isTemplateId = (text: string): boolean => /^lt-[0-9a-f]{8,17}$/.test(text);

/** Source: AWS General Reference, "Amazon Resource Names", partitions; read 2026-11-23. */
export function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  if (region.startsWith('us-gov-')) return 'aws-us-gov';
  if (region.startsWith('eusc-')) return 'aws-eusc';
  return 'aws';
}
