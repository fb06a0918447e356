/** A layout as a file gives it: the `layout` object of an option of a plan, or the option itself. `cli/layouts.ts` has the text form. */
import { z } from 'zod';
import {
  type Deployment,
  type VolumeConfiguration,
  volumeLimits,
  volumeTypes,
} from '../limits/volume-limits.ts';
import type { IgnoredFigure } from '../schemas/replay-answer.ts';
import { type Layout, layoutKinds, minMembers, provisioned } from './layout.ts';
import { maxMembers } from './step-commands.ts';

/** A layout without figures that follow from its type (or with them: then they are held against the type). */
export interface LayoutFile extends Omit<Layout, 'iops' | 'throughputMiBps'> {
  iops?: number | undefined;
  throughputMiBps?: number | undefined;
}

export const layoutFileExpected =
  'the layout of an option of `plan --json`: { "kind", "members", "volumeType", "sizeGiB", "iops", "throughputMiBps" }, figures of each member';

/** What is wrong with the number of members of a kind, and what would be right; null where nothing is. */
export function membersRule({ kind, members }: Pick<Layout, 'kind' | 'members'>): string | null {
  if (kind === 'single') return members === 1 ? null : 'single is one volume; give 1, or another kind';
  if (members < minMembers[kind])
    return `${kind} has ${minMembers[kind]} volumes or more, not ${members}; give so many, or another kind`;
  return kind === 'raid10' && members % 2 === 1
    ? `raid10 has an even number of volumes, not ${members}; give 4, 6, 8 and so on`
    : null;
}

/** Says what is wrong with a field, and what would be right. */
const asking = (right: string) => ({
  error: ({ input }: { input?: unknown }) =>
    input === undefined
      ? `it is missing; give ${right}`
      : `${JSON.stringify(input)} cannot be; give ${right}`,
});
const oneOf = (names: readonly string[]) => asking(`one of ${names.join(', ')}`);
const rights = {
  members: asking(`the number of volumes, 1 to ${maxMembers}`),
  iops: 'the IOPS of each member, like 3000',
  throughputMiBps: 'the MiB/s of each member, like 125',
};

type Figures = Pick<Layout, 'iops' | 'throughputMiBps'>;

/** The figures that can be set on such a volume; NaN where one was not given. */
const settable = (
  file: LayoutFile,
  deployment: Deployment = 'region',
): Pick<VolumeConfiguration, keyof Figures> =>
  provisioned(
    { ...file, iops: file.iops ?? Number.NaN, throughputMiBps: file.throughputMiBps ?? Number.NaN },
    deployment,
  );

const layoutSchema = z
  .strictObject(
    {
      kind: z.enum(layoutKinds, oneOf(layoutKinds)),
      members: z.int(rights.members).min(1, rights.members).max(maxMembers, rights.members),
      volumeType: z.enum(volumeTypes, oneOf(volumeTypes)),
      sizeGiB: z.number(asking('the GiB of each member, like 500')),
      iops: z.number(asking(rights.iops)).optional(),
      throughputMiBps: z.number(asking(rights.throughputMiBps)).optional(),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `${issue.keys.map((key) => JSON.stringify(key)).join(', ')} is no field of a layout; leave it out`
          : 'it is no layout',
    },
  )
  .superRefine((layout, { addIssue }) => {
    const message = membersRule(layout);
    if (message !== null) addIssue({ code: 'custom', path: ['members'], message });
    const set = settable(layout);
    for (const name of ['iops', 'throughputMiBps'] as const) {
      if (!Number.isNaN(set[name])) continue;
      const missing = `it is missing, and ${layout.volumeType} does not have it by itself; give ${rights[name]}`;
      addIssue({ code: 'custom', path: [name], message: missing });
    }
  });

const has = <K extends string>(document: unknown, key: K): document is Record<K, unknown> =>
  typeof document === 'object' && document !== null && Object.hasOwn(document, key);

/** What somebody took for a layout, in words; null where it may be one. */
function mistaken(document: unknown): string | null {
  if (has(document, 'options') && Array.isArray(document.options))
    return "it is a whole plan; take the layout of one option: jq '.options[0].layout' plan.json > layout.json";
  if (Array.isArray(document)) return 'it is a list; give one layout';
  if (has(document, 'type') && !has(document, 'volumeType'))
    return '"type" is called "volumeType" in a layout; rename it';
  return null;
}

/** Strict: a field that is not known is refused, as it may be one that was mistyped. */
export const layoutFileSchema: z.ZodType<LayoutFile> = z.preprocess((document, { addIssue }) => {
  const layout = has(document, 'layout') ? document.layout : document;
  const message = mistaken(layout);
  if (message === null) return layout;
  addIssue({ code: 'custom', message });
  return z.NEVER;
}, layoutSchema);

/** A figure that follows from the type may be rounded. */
const differs = (given: number, has: number): boolean => Math.abs(given - has) > 0.01 * has;

/**
 * The layout with the figures that EBS derives, and each figure in the file that is another.
 * @throws IllegalConfiguration where EBS would refuse the volumes.
 */
export function layoutOf(
  file: LayoutFile,
  deployment: Deployment,
): { layout: Layout; ignored: IgnoredFigure[] } {
  const { volumeType, sizeGiB } = file;
  const set = settable(file, deployment);
  const limits = volumeLimits({ ...set, volumeType, sizeGiB, deployment });
  const figures: Figures = {
    iops: set.iops ?? limits.baselineIops,
    throughputMiBps: set.throughputMiBps ?? limits.baselineMiBps,
  };
  const ignored = (['iops', 'throughputMiBps'] as const).flatMap((figure): IgnoredFigure[] => {
    const [given, derived] = [file[figure], figures[figure]];
    return given === undefined || !differs(given, derived)
      ? []
      : [{ code: 'ignored-figure', figure, given, volumeType, sizeGiB, has: derived }];
  });
  return { layout: { ...file, ...figures }, ignored };
}
