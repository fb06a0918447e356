/** A campaign that proves a finding: the load that was observed, on the volumes as they are and as they are recommended. */
import { z } from 'zod';
import type { RegionCatalog } from '../../catalog/region-catalog.ts';
import { creditBucket } from '../../credits/credits.ts';
import { type Known, known, unknown } from '../../known.ts';
import { isHdd, type VolumeType } from '../../limits/volume-limits.ts';
import { minHddIoKiB } from '../../plan/layout.ts';
import type { Access } from '../../report-card/job-options.ts';
import type { Finding } from '../../schemas/finding.ts';
import { memberLimits, roomMiBOf } from '../campaign/cells.ts';
import { jobsOf } from '../campaign/commands.ts';
import {
  type BenchKind,
  type BenchLayout,
  type BenchRequest,
  benchKinds,
  type Load,
} from '../campaign/request.ts';
import {
  type Compared,
  comparedFor,
  comparedNotes,
  type FindingInAccount,
  type NotComparable,
} from './compared.ts';
import {
  type BytesUnknown,
  demandUnknownSchema,
  type NoObservedLoad,
  type ObservedLoad,
  observedLoad,
  type SeenVolume,
} from './observed-load.ts';

// An observed load as a campaign measures it.

/** As `measure-load` takes it. */
const maxBlockKiB = 4_096;
/** Where nobody knows: as many as a busy database has on the way. */
const usualUnderWay = 16;
/** More than that is work that has piled up: it keeps any volume busy, and adds nothing but waiting. */
const maxUnderWay = 256;

/** What of a load is taken and was not seen. */
const loadNotes = [
  z
    .object({ code: z.literal('access-assumed'), access: z.enum(['random', 'sequential']) })
    .meta({ description: 'CloudWatch does not tell one from the other' }),
  z
    .object({ code: z.literal('array-overhead'), kind: z.enum(benchKinds) })
    .meta({ description: 'its volumes carried copies or parity too: all writes are taken as small' }),
  z
    .object({ code: z.literal('demand-unknown'), reason: demandUnknownSchema })
    .meta({ description: 'as many operations as go are measured' }),
  z.object({ code: z.literal('piled-up'), inFlight: z.number(), taken: z.number() }),
  z.object({ code: z.literal('in-flight-unknown'), taken: z.number() }),
] as const;
type LoadNote = z.infer<(typeof loadNotes)[number]>;

export interface LoadToMeasure {
  load: Load;
  notes: LoadNote[];
}

interface Asked {
  /** Of what is asked of the array, in what its volumes did. */
  share: number;
  readShare: number;
}

/** A mirror writes twice; RAID with one parity reads and writes twice for each small write. */
function askedOf({ readShare }: ObservedLoad, kind: BenchKind): Asked {
  const writes = 1 - readShare;
  if (kind.startsWith('raid10')) {
    const share = readShare + writes / 2;
    return { share, readShare: readShare / share };
  }
  if (kind === 'raid5') {
    const reads = Math.max(0, readShare - writes);
    const share = reads + writes / 2;
    return { share, readShare: reads / share };
  }
  return { share: 1, readShare };
}

function accessOf(isSequential: boolean, readPercent: number): Access {
  if (readPercent === 100) return isSequential ? 'read' : 'randread';
  if (readPercent === 0) return isSequential ? 'write' : 'randwrite';
  return isSequential ? 'rw' : 'randrw';
}

const arrayNotes = (kind: BenchKind): LoadNote[] =>
  kind === 'raid5' || kind.startsWith('raid10') ? [{ code: 'array-overhead', kind }] : [];

/** Unknown where the size of its I/O is. */
export function loadToMeasure(
  observed: ObservedLoad,
  kind: BenchKind,
  volumeType: VolumeType,
): Known<LoadToMeasure, BytesUnknown> {
  const { ioKiB, demandIops, underWay } = observed;
  if (!ioKiB.known) return ioKiB;
  const { share, readShare } = askedOf(observed, kind);
  const readPercent = Math.round(100 * readShare);
  const isSequential = isHdd(volumeType) && ioKiB.value >= minHddIoKiB;
  const mean = underWay.known ? Math.max(1, Math.ceil(underWay.value.mean * share)) : usualUnderWay;
  const jobs = jobsOf(Math.min(maxUnderWay, mean));
  const iops = demandIops.known ? Math.max(1, Math.round(demandIops.value * share)) : null;
  // One operation of each a second at least.
  const users = iops === null ? jobs.users : Math.min(jobs.users, iops);
  return known({
    load: {
      access: accessOf(isSequential, readPercent),
      blockKiB: Math.min(maxBlockKiB, Math.max(1, Math.round(ioKiB.value))),
      readPercent,
      ...{ users, ioDepth: jobs.ioDepth },
      ...(iops === null ? {} : { iops }),
    },
    notes: [
      { code: 'access-assumed', access: isSequential ? 'sequential' : 'random' },
      ...arrayNotes(kind),
      ...(demandIops.known ? [] : [{ code: 'demand-unknown' as const, reason: demandIops.reason }]),
      ...(mean > maxUnderWay ? [{ code: 'piled-up' as const, inFlight: mean, taken: maxUnderWay }] : []),
      ...(underWay.known ? [] : [{ code: 'in-flight-unknown' as const, taken: usualUnderWay }]),
    ],
  });
}

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
