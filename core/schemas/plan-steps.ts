/** What a person has to know or do between two commands of the steps to a layout: codes with figures. report/steps has the words. */
import { z } from 'zod';
import { volumeTypes } from '../limits/volume-limits.ts';
import { layoutKinds } from '../plan/layout.ts';

// Why a layout is reached in the way that it is: codes with figures. The words are in report/wording/plan.ts.

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

/** With nothing to say beside the code. */
const plainCodes = [
  // Before the volumes are modified, and while.
  'managed-elsewhere',
  'multi-attach',
  'io2-block-express',
  'attach-again-above-32000-iops',
  'one-after-the-other',
  'snapshot-before-growing',
  'repeat-until-completed',
  'modification-limits',
  // Of new volumes.
  'encryption-by-default',
  'outpost-types',
  'device-name-in-use',
  // Of the old ones.
  'keep-until-snapshots',
  'wait-gives-up',
  'delete-last',
  'stop-volume-group',
  'stop-array',
  // Through a snapshot.
  'root-volume-stops-instance',
  'unmount-first',
  'blocks-fetched-late',
  'put-in-id',
  'fstab-unchanged',
  'file-system-not-grown',
  // By a copy of files.
  'copied-as-files',
  'root-needs-instance',
  'may-copy',
  'database-copy',
  'stop-writers',
  'compare-all',
  'switch-over',
  'start-again',
  // On the host.
  'device-by-id',
  'one-command',
  'raid5-not-recommended',
  'first-synchronisation',
  'mdadm-conf-place',
  'grow-on-host',
  'gpt-above-2-tib',
  'ext4-above-16-tib',
  'stripe-grown-alike',
  'raid10-far',
  'array-synchronises',
] as const;

const fallSchema = z.object({ from: z.number(), to: z.number() }).nullable();
const command = z.string().meta({ description: 'on the host; what stands in <> is to be filled in' });

export const stepNoteSchema = z.discriminatedUnion('code', [
  z.object({ code: z.enum(plainCodes) }),
  z.object({ code: z.literal('not-for-root'), volumeType: z.enum(volumeTypes) }),
  z
    .object({
      code: z.literal('lowered'),
      isEach: z.boolean(),
      iops: fallSchema,
      throughputMiBps: fallSchema,
    })
    .meta({ description: 'less than what is there; null where it is not' }),
  z.object({ code: z.literal('host-packages'), packages: z.array(z.string()) }),
  z.object({ code: z.literal('stop-joined'), lvm: command, mdadm: command }),
  z.object({ code: z.literal('grow-partition'), command }),
  z.object({ code: z.literal('grow-xfs'), command }),
  z.object({ code: z.literal('grow-ext4'), command }),
  z.object({ code: z.literal('nothing-to-do'), reason: routeReasonSchema }),
]);
export type StepNote = z.infer<typeof stepNoteSchema>;
export type PlainStepCode = (typeof plainCodes)[number];
