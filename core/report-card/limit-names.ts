/** Limits that a volume counts the time at, by itself and by its instance. */
export const limitNames = [
  'volume-iops',
  'volume-throughput',
  'instance-iops',
  'instance-throughput',
] as const;
export type LimitName = (typeof limitNames)[number];
