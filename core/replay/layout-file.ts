/** A layout as a file gives it: the `layout` object of an option of a plan, or the option itself. */
import { z } from 'zod';
import { volumeTypes } from '../limits/volume-types.ts';
import { type Layout, layoutKinds } from '../plan/layout.ts';
import { leastMembers } from '../plan/search.ts';
import { mostMembers } from '../plan/steps/provisioned.ts';

export const layoutFileExpected =
  'the layout of an option of `plan --json`: { "kind", "members", "volumeType", "sizeGiB", "iops", "throughputMiBps" }, figures of each member';

/** What is wrong with the number of members of a kind, and what would be right; null where nothing is. */
function membersRule({ kind, members }: Pick<Layout, 'kind' | 'members'>): string | null {
  if (kind === 'single') return members === 1 ? null : 'single is one volume; give 1, or another kind';
  if (members < leastMembers[kind])
    return `${kind} has ${leastMembers[kind]} volumes or more, not ${members}; give so many, or another kind`;
  return kind === 'raid10' && members % 2 === 1
    ? `raid10 has an even number of volumes, not ${members}; give 4, 6, 8 and so on`
    : null;
}

const layoutSchema = z
  .strictObject({
    kind: z.enum(layoutKinds),
    members: z.int().min(1).max(mostMembers),
    volumeType: z.enum(volumeTypes),
    sizeGiB: z.number(),
    iops: z.number(),
    throughputMiBps: z.number(),
  })
  .superRefine((layout, { addIssue }) => {
    const message = membersRule(layout);
    if (message !== null) addIssue({ code: 'custom', path: ['members'], message });
  });

const isOption = (document: unknown): document is { layout: unknown } =>
  typeof document === 'object' && document !== null && Object.hasOwn(document, 'layout');

/** Strict: a field that is not known is refused, as it may be one that was mistyped. */
export const layoutFileSchema: z.ZodType<Layout> = z.preprocess(
  (document) => (isOption(document) ? document.layout : document),
  layoutSchema,
);
