/** Why a price is not known. */
import { z } from 'zod';

export const priceReasonSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('no-ebs-prices'), region: z.string() }),
  z.object({
    code: z.literal('no-instance-price'),
    instanceType: z.string(),
    region: z.string(),
    asOf: z
      .string()
      .nullable()
      .meta({ description: 'the day of the prices that lack it; null: there are none of the Region' }),
  }),
]);
export type PriceReason = z.infer<typeof priceReasonSchema>;
