/** What EC2 does not tell of an instance type. */
import { z } from 'zod';

export const typeReasonSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('no-ebs-limits'), instanceType: z.string() }),
  z.object({ code: z.literal('no-attachment-limit'), instanceType: z.string() }),
]);
export type TypeReason = z.infer<typeof typeReasonSchema>;

/** Why the MiB/s of an instance cannot be known: EC2 does not tell what this weighting leaves for EBS. */
export interface WeightingReason {
  code: 'bandwidth-weighting';
  weighting: string;
}
