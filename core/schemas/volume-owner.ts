/** Who describes a volume, so that a change by hand would be undone, or would differ from what its owner says. */
import { z } from 'zod';

export const ownerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('nobody') }),
  z.object({
    kind: z.literal('cloudformation'),
    stackId: z.string(),
    logicalId: z.string().nullable(),
    isOfInstance: z.boolean().meta({ description: 'the tag is that of the instance, not of the volume' }),
  }),
  z.object({
    kind: z.literal('eks'),
    claim: z.string().nullable(),
    namespace: z.string().nullable(),
    cluster: z.string().nullable(),
  }),
  z.object({ kind: z.literal('launch-template'), group: z.string() }),
  z.object({ kind: z.enum(['terraform', 'other']), name: z.string() }),
  z.object({ kind: z.literal('service'), principal: z.string().nullable() }),
  z.object({
    kind: z.literal('refused'),
    tag: z.string().meta({ description: 'that forbids the change' }),
  }),
]);
export type Owner = z.infer<typeof ownerSchema>;
