/**
 * What CloudWatch says of limits while a test ran: a check a minute, 0 or 1, of each volume and of its instance. For hosts whose
 * devices do not tell it themselves.
 */
import { z } from 'zod';
import { type Known, known, unknown } from '../known.ts';
import { secondsPerMinute } from '../units.ts';

/** Limits that a volume counts the time at, by itself and by its instance. */
export const limitNames = [
  'volume-iops',
  'volume-throughput',
  'instance-iops',
  'instance-throughput',
] as const;
export type LimitName = (typeof limitNames)[number];

/** Starts of minutes, in seconds since 1970, in which the limit was exceeded, and of those in which it was looked at. */
const checkSchema = z.object({ looked: z.array(z.number()), exceeded: z.array(z.number()) });
export type Check = z.infer<typeof checkSchema>;

/** Of one host, as it is stored beside its results. */
export const exceededChecksSchema = z.object({
  volumes: z.record(z.string(), z.object({ iops: checkSchema, throughput: checkSchema })),
  instance: z.object({ iops: checkSchema, throughput: checkSchema }),
});
export type ExceededChecks = z.infer<typeof exceededChecksSchema>;

/** While a test ran, in seconds since 1970. */
export interface Span {
  fromEpochSeconds: number;
  toEpochSeconds: number;
}

/** Of the minutes that lie in the span as a whole; null where none was looked at. */
function shareOf({ looked, exceeded }: Check, { fromEpochSeconds, toEpochSeconds }: Span): number | null {
  const isWithin = (start: number): boolean =>
    start >= fromEpochSeconds && start + secondsPerMinute <= toEpochSeconds;
  const minutes = looked.filter(isWithin);
  return minutes.length === 0 ? null : exceeded.filter(isWithin).length / minutes.length;
}

/** Of which the span has no whole minute. */
export type CheckUnknown =
  | { code: 'no-whole-minute-of-volume'; volumeId: string }
  | { code: 'no-whole-minute-of-instance' };

/** Shares of the span, by limit; what is published of a volume and of its instance must both be there. */
export function sharesOf(
  { volumes, instance }: ExceededChecks,
  volumeId: string,
  span: Span,
): Known<Record<LimitName, number>, CheckUnknown> {
  const volume = volumes[volumeId];
  const shares = [volume?.iops, volume?.throughput, instance.iops, instance.throughput].map((check) =>
    check === undefined ? null : shareOf(check, span),
  );
  const [iops, throughput, instanceIops, instanceThroughput] = shares;
  if (typeof iops !== 'number' || typeof throughput !== 'number')
    return unknown({ code: 'no-whole-minute-of-volume', volumeId });
  if (typeof instanceIops !== 'number' || typeof instanceThroughput !== 'number')
    return unknown({ code: 'no-whole-minute-of-instance' });
  return known({
    ...{ 'volume-iops': iops, 'volume-throughput': throughput },
    ...{ 'instance-iops': instanceIops, 'instance-throughput': instanceThroughput },
  });
}
