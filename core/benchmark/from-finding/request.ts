/** A campaign that proves a finding: the load that was observed, on the volumes as they are and as they are recommended. */
import { z } from 'zod';
import type { RegionCatalog } from '../../catalog/region-catalog.ts';
import { creditBucket } from '../../credits/credits.ts';
import { type Known, known, unknown } from '../../known.ts';
import type { Finding } from '../../schemas/finding.ts';
import { memberLimits, roomMiBOf } from '../campaign/cells.ts';
import type { BenchLayout, BenchRequest } from '../campaign/request.ts';
import {
  type Compared,
  comparedFor,
  comparedNotes,
  type FindingInAccount,
  type NotComparable,
} from './compared.ts';
import { loadNotes, loadToMeasure } from './load.ts';
import {
  type BytesUnknown,
  type NoObservedLoad,
  type ObservedLoad,
  observedLoad,
  type SeenVolume,
} from './observed-load.ts';

/** What is asked for beside the finding. */
export type ValidationOptions = Pick<
  BenchRequest,
  'repeats' | 'ceilingUsd' | 'hoursAtMost' | 'hostsAtOnce'
> & {
  seconds?: number | undefined;
  fileSizeMiB?: number | undefined;
};

/** What was taken and not seen, and what the result will not show. */
export const validationNotes = [
  ...comparedNotes,
  ...loadNotes,
  z
    .object({ code: z.literal('credits-spent-first') })
    .meta({ description: 'the volumes of today are measured without their burst credits' }),
  z.object({ code: z.literal('one-load-repeated') }).meta({
    description: 'without the cache of the application, other users of its host and changes of load',
  }),
] as const;
type ValidationNote = z.infer<(typeof validationNotes)[number]>;

/** Why no benchmark can show a finding. */
export type NotProvable = NotComparable | NoObservedLoad | BytesUnknown | { code: 'load-not-read' };

export interface ValidationPlan {
  request: BenchRequest;
  observed: ObservedLoad;
  compared: Compared;
  notes: ValidationNote[];
}

const usualSeconds = 300;
const usualFileMiB = 4_096;
/** A part of the smallest layout: the file system needs room too. */
const mostOfRoom = 0.5;

const fileSizeMiB = (layouts: readonly BenchLayout[]): number =>
  Math.floor(Math.min(usualFileMiB, ...layouts.map((layout) => mostOfRoom * roomMiBOf(layout))));

/** A bucket that is empty is what the finding is about: new volumes begin with a full one. */
const isAboutCredits = ({ kind }: Finding, [current]: Compared['layouts']): boolean =>
  kind.startsWith('credits-') && creditBucket(memberLimits(current)) !== null;

/**
 * @param seen the volumes of the finding with what was read of them.
 * Unknown, and why, where no benchmark can show it.
 */
export function validationFor(
  found: FindingInAccount,
  seen: readonly SeenVolume[],
  regionCatalog: RegionCatalog,
  { seconds, fileSizeMiB: fileMiB, ...options }: ValidationOptions,
): Known<ValidationPlan, NotProvable> {
  const { finding } = found;
  const compared = comparedFor(found, regionCatalog);
  if (!compared.known) return compared;
  if (seen.length < found.volumes.length) return unknown({ code: 'load-not-read' });
  const observed = observedLoad(seen, finding.kind);
  if (!observed.known) return observed;
  const { layouts, instanceTypes } = compared.value;
  const [{ kind, volumeType }] = layouts;
  const measured = loadToMeasure(observed.value, kind, volumeType);
  if (!measured.known) return measured;
  const { load, notes } = measured.value;
  const drains = isAboutCredits(finding, layouts);
  return known({
    observed: observed.value,
    compared: compared.value,
    request: {
      layouts,
      instanceTypes,
      work: {
        ...{ kind: 'load', load, seconds: seconds ?? usualSeconds },
        fileSizeMiB: fileMiB ?? fileSizeMiB(layouts),
      },
      ...options,
      prepare: drains ? 'drain-credits' : 'nothing',
      findingId: finding.id,
    },
    notes: [
      ...compared.value.notes,
      ...notes,
      ...(drains ? [{ code: 'credits-spent-first' as const }] : []),
      { code: 'one-load-repeated' },
    ],
  });
}
