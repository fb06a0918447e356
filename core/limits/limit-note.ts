/** What to know of the figures of a volume. */
import { z } from 'zod';

const figure = z.number();

export const limitNoteSchema = z.discriminatedUnion('code', [
  z
    .object({
      code: z.literal('magnetic'),
      averageIops: figure,
      lowestIops: figure,
      highestIops: figure,
      lowestMiBps: figure,
      highestMiBps: figure,
    })
    .meta({ description: 'AWS promises none of them' }),
  z
    .object({
      code: z.literal('on-outposts'),
      gp3: z
        .object({ maxSizeGiB: figure, maxIops: figure, maxMiBps: figure })
        .nullable()
        .meta({ description: 'its bounds there; null: another type' }),
    })
    .meta({ description: 'billed by its rack: the price is that of the Region, and only ranks options' }),
  z.object({ code: z.literal('io2-mibps-per-iops'), computed: figure, alsoWritten: figure }).meta({
    description: 'MiB/s for each IOPS of io2: AWS writes two figures; where IOPS decide the throughput',
  }),
]);
export type LimitNote = z.infer<typeof limitNoteSchema>;
