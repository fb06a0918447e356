/** An observed load as a campaign measures it. */
import { z } from 'zod';
import { type Known, known } from '../../known.ts';
import { isHdd, type VolumeType } from '../../limits/volume-limits.ts';
import { leastHddIoKiB } from '../../plan/layout.ts';
import type { Access } from '../../report-card/job-options.ts';
import { jobsOf } from '../campaign/commands.ts';
import { type BenchKind, benchKinds, type Load } from '../campaign/request.ts';
import { type BytesUnknown, demandUnknownSchema, type ObservedLoad } from './observed-load.ts';

/** As `measure-load` takes it. */
const mostBlockKiB = 4_096;
/** Where nobody knows: as many as a busy database has on the way. */
const usualUnderWay = 16;
/** More than that is work that has piled up: it keeps any volume busy, and adds nothing but waiting. */
const mostUnderWay = 256;

/** What of a load is taken and was not seen. */
export const loadNotes = [
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
  const isSequential = isHdd(volumeType) && ioKiB.value >= leastHddIoKiB;
  const mean = underWay.known ? Math.max(1, Math.ceil(underWay.value.mean * share)) : usualUnderWay;
  const jobs = jobsOf(Math.min(mostUnderWay, mean));
  const iops = demandIops.known ? Math.max(1, Math.round(demandIops.value * share)) : null;
  // One operation of each a second at least.
  const users = iops === null ? jobs.users : Math.min(jobs.users, iops);
  return known({
    load: {
      access: accessOf(isSequential, readPercent),
      blockKiB: Math.min(mostBlockKiB, Math.max(1, Math.round(ioKiB.value))),
      readPercent,
      ...{ users, ioDepth: jobs.ioDepth },
      ...(iops === null ? {} : { iops }),
    },
    notes: [
      { code: 'access-assumed', access: isSequential ? 'sequential' : 'random' },
      ...arrayNotes(kind),
      ...(demandIops.known ? [] : [{ code: 'demand-unknown' as const, reason: demandIops.reason }]),
      ...(mean > mostUnderWay ? [{ code: 'piled-up' as const, inFlight: mean, taken: mostUnderWay }] : []),
      ...(underWay.known ? [] : [{ code: 'in-flight-unknown' as const, taken: usualUnderWay }]),
    ],
  });
}
