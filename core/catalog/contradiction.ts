/** What a type, or a catalog, says against itself. */
import { z } from 'zod';

export const contradictionSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('baseline-above-maximum') }),
  z.object({ code: z.literal('one-card-listed') }),
  z.object({ code: z.literal('cards-without-limits') }),
  z.object({ code: z.literal('card-baseline-above-maximum') }),
  z.object({
    code: z.literal('cards-differ-from-instance'),
    figure: z.string(),
    ofCards: z.number(),
    ofInstance: z.number(),
  }),
  z.object({ code: z.literal('root-volume-only') }),
  z.object({ code: z.literal('disks-below-1-gb') }),
  z.object({ code: z.literal('listed-twice') }),
  z.object({ code: z.literal('not-sorted') }),
]);
export type Contradiction = z.infer<typeof contradictionSchema>;

export interface TypeContradiction {
  instanceType: string;
  contradiction: Contradiction;
}
