/** Who held a volume back in a period. The order is the code in typed arrays. */
export const causes = [
  'none',
  'volume-iops',
  'volume-throughput',
  'volume-credits',
  'instance-iops',
  'instance-throughput',
  'instance-credits',
  'stalled',
  'unknown',
] as const;
export type Cause = (typeof causes)[number];

export const causeCode = Object.fromEntries(causes.map((cause, code) => [cause, code])) as Record<
  Cause,
  number
>;

/** What decided that load was held back: AWS's own check, the rate with its queue, the busy rate, an empty balance. */
export const proofs = ['check', 'rate', 'busy-rate', 'balance'] as const;
export type Proof = (typeof proofs)[number];

/** Minutes of a period in which a check was 1; a check without a figure proves nothing. */
export function checkMinutes(check: Float64Array | null, period: number): number {
  const minutes = check?.[period];
  return minutes === undefined || Number.isNaN(minutes) ? 0 : minutes;
}
