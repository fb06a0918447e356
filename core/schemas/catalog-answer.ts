/** What `stripewise catalog show --json` answers. */
import { z } from 'zod';
import { instanceTypeSchema } from '../catalog/instance-types.ts';
import { priceSourceSchema, regionPricesSchema } from '../prices/prices.ts';
import { priceReasonSchema } from './unknown-reasons.ts';

export const catalogAnswerSchema = z.object({
  region: z.string(),
  refreshedAt: z
    .string()
    .nullable()
    .meta({ description: 'when the Region was read; null: the tables that come with stripewise' }),
  instanceTypes: z.object({
    known: z.number(),
    withEbsLimits: z.number(),
    withPrice: z.number(),
    asOf: z.string(),
    source: z.string(),
  }),
  ebsPrices: regionPricesSchema.shape.ebs.meta({ description: 'USD; null where they are not known' }),
  priceSources: z.array(priceSourceSchema),
  instanceType: instanceTypeSchema
    .extend({
      monthlyUsd: z.number().nullable(),
      monthlyUsdUnknownReason: priceReasonSchema.nullable(),
    })
    .nullable()
    .meta({ description: 'the one that was asked for' }),
});
export type CatalogAnswer = z.infer<typeof catalogAnswerSchema>;
