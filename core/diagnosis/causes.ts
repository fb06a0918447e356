/** Who throttled a volume in a period. The order is the code in typed arrays. */
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

/** The bit of a cause in the `also` of an attribution: several can stand beside the one that decided. */
export const alsoBit = (cause: Cause): number => 1 << causeCode[cause];

/** The causes whose bits are set. */
export const alsoCauses = (bits: number): Cause[] =>
  causes.filter((_, code) => code !== causeCode.none && (bits & (1 << code)) !== 0);

/** How sure a cause is; the order is the code in typed arrays. */
export const confidences = ['low', 'medium', 'high'] as const;
export type Confidence = (typeof confidences)[number];
export const confidenceCode = { low: 0, medium: 1, high: 2 } as const satisfies Record<Confidence, number>;

/** What decided that load was throttled: AWS's own check, the rate with its queue, the active-time rate, an empty balance. */
export const proofs = ['check', 'rate', 'active-time-rate', 'balance'] as const;
export type Proof = (typeof proofs)[number];

/** That a period's load was throttled. */
export interface Decision {
  cause: Cause;
  /** Bits as `alsoBit` says. */
  also: number;
  minutes: number;
  proof: Proof;
  confidence: Confidence;
}

/** Minutes of a period in which a check was 1; a check without a figure proves nothing. */
export function checkMinutes(check: Float64Array | null, period: number): number {
  const minutes = check?.[period];
  return minutes === undefined || Number.isNaN(minutes) ? 0 : minutes;
}
