/** Why a search measured no more: apart from the search, since what reads a report needs no statistics. */
import { z } from 'zod';

export const searchEndSchema = z.discriminatedUnion('code', [
  z
    .object({ code: z.literal('most-users'), users: z.number() })
    .meta({ description: 'no more may ask at once' }),
  z.object({ code: z.literal('no-more-iops') }).meta({ description: 'more users only wait longer' }),
  z.object({ code: z.literal('next-load-over-limit') }),
  z.object({ code: z.literal('not-even-one') }),
  z.object({ code: z.literal('runs-spent'), runs: z.number() }),
]);
export type SearchEnd = z.infer<typeof searchEndSchema>;
