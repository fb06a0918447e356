/** Why a layout is reached in the way that it is: codes with figures. The words are in report/wording/plan-route.ts. */
import { z } from 'zod';
import { volumeTypes } from '../limits/volume-limits.ts';
import { layoutKinds } from '../plan/layout.ts';

const membersSchema = z.object({ kind: z.enum(layoutKinds), members: z.number() });

const memberSchema = z
  .object({
    volumeType: z.enum(volumeTypes),
    sizeGiB: z.number(),
    iops: z.number().nullable().meta({ description: 'null where they follow from the type and the size' }),
    throughputMiBps: z.number().nullable(),
  })
  .meta({ description: 'what can be set of each volume' });
export type RouteMember = z.infer<typeof memberSchema>;

export const routeReasonSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('nothing-stands') }),
  z.object({ code: z.literal('unchanged'), member: memberSchema }),
  z.object({
    code: z.literal('modify-volume'),
    members: z.number(),
    from: memberSchema,
    to: memberSchema,
  }),
  z.object({ code: z.literal('other-layout'), from: membersSchema, to: membersSchema }),
  z.object({ code: z.literal('never-shrinks'), fromGiB: z.number(), toGiB: z.number() }),
  z
    .object({ code: z.literal('joined-by-unknown'), ...membersSchema.shape })
    .meta({ description: 'whether it can grow where it stands depends on what joins its volumes' }),
  z.object({ code: z.literal('mdadm-stripe-grown') }),
  z.object({ code: z.literal('lvm-raid-grown'), ...membersSchema.shape }),
  z.object({ code: z.literal('magnetic') }),
]);
export type RouteReason = z.infer<typeof routeReasonSchema>;
