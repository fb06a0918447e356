/** An observed load as a campaign measures it. */
import { figure } from '../../figures.ts';
import { type Known, known, unknown } from '../../known.ts';
import { isHdd, type VolumeType } from '../../limits/volume-types.ts';
import { leastHddIoKiB } from '../../plan/need.ts';
import type { Access } from '../../reportcard/job-options.ts';
import { jobsOf } from '../campaign/commands.ts';
import type { BenchKind, Load } from '../campaign/request.ts';
import type { ObservedLoad } from './observed-load.ts';

/** As `measure-load` takes it. */
const mostBlockKiB = 4_096;
/** Where nobody knows: as many as a busy database has on the way. */
const usualUnderWay = 16;
/** More than that is work that has piled up: it keeps any volume busy, and adds nothing but waiting. */
const mostUnderWay = 256;

export interface LoadToMeasure {
  load: Load;
  /** What of it is taken and was not seen. */
  notes: string[];
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

const arrayNote = (kind: BenchKind): string[] =>
  kind === 'raid5' || kind.startsWith('raid10')
    ? [
        `its volumes carried the ${kind === 'raid5' ? 'parity' : 'copies'} of ${kind} too: what was asked of it is worked out as if all writes were small`,
      ]
    : [];

/** Unknown where the size of its I/O is. */
export function loadToMeasure(
  observed: ObservedLoad,
  kind: BenchKind,
  volumeType: VolumeType,
): Known<LoadToMeasure> {
  const { ioKiB, wantedIops, underWay } = observed;
  if (!ioKiB.known) return unknown(ioKiB.because);
  const { share, readShare } = askedOf(observed, kind);
  const readPercent = Math.round(100 * readShare);
  const isSequential = isHdd(volumeType) && ioKiB.value >= leastHddIoKiB;
  const mean = underWay.known ? Math.max(1, Math.ceil(underWay.value.mean * share)) : usualUnderWay;
  const jobs = jobsOf(Math.min(mostUnderWay, mean));
  const iops = wantedIops.known ? Math.max(1, Math.round(wantedIops.value * share)) : null;
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
      isSequential
        ? 'CloudWatch does not tell random from sequential: sequential is taken, which is what HDD volumes are for'
        : 'CloudWatch does not tell random from sequential: random is taken',
      ...arrayNote(kind),
      ...(wantedIops.known
        ? []
        : [`what it wanted is not known (${wantedIops.because}): as many operations as go are measured`]),
      ...(mean > mostUnderWay
        ? [
            `${figure(mean, 0)} operations at the same time are work that had piled up: ${figure(mostUnderWay)} are taken, which keep any volume busy`,
          ]
        : []),
      ...(underWay.known
        ? []
        : [
            `how many operations were under way is not known (${underWay.because}): ${figure(usualUnderWay)} are taken`,
          ]),
    ],
  });
}
