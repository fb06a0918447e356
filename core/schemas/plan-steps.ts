/** What a person has to know or do between two commands of the steps to a layout: codes with figures. report/steps has the words. */
import { z } from 'zod';
import { volumeTypes } from '../limits/volume-limits.ts';
import { routeReasonSchema } from './plan-route.ts';

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
