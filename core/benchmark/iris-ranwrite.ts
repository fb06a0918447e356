/**
 * The writes of an IRIS database. Its write daemon collects changed blocks. About every 80 s it writes them to the write
 * image journal, one after the other in large pieces, and then to where they belong. Beside it the journal goes on.
 * Source: "Using an LVM stripe to increase AWS EBS IOPS and Throughput", RANWRITE.
 */
import type { FioJob, Profile, Step } from './profile.ts';

/** A cycle begins on time, or when the one before has ended. One that has not ended by then is cut: its rest is not written. */
function cycle(number: number, cycleSeconds: number): FioJob[] {
  const own = { new_group: 1, time_based: 0, runtime: cycleSeconds };
  const afterLast =
    number === 1 ? {} : { wait_for: `database-${number - 1}`, startdelay: (number - 1) * cycleSeconds };
  return [
    {
      name: `write-image-journal-${number}`,
      place: 'writeImageJournal',
      options: { rw: 'write', bs: '256k', iodepth: 8, size: `\${PART_MIB}m`, ...own, ...afterLast },
    },
    {
      name: `database-${number}`,
      place: 'data',
      options: {
        ...{ rw: 'randwrite', bs: '8k', iodepth: 64, size: `\${FILE_MIB}m`, io_size: `\${PART_MIB}m` },
        ...{ ...own, wait_for: `write-image-journal-${number}` },
      },
    },
  ];
}

/** Something within 2 s in any case: after half a second of nothing. */
const journal: FioJob = {
  name: 'journal',
  place: 'journal',
  options: {
    ...{ rw: 'write', bsrange: '4k-4m', iodepth: 1, sync: 1, size: `\${PART_MIB}m` },
    ...{ thinktime: 500_000, thinktime_blocks: 1 },
  },
};

function writeCycles(cycles: number, cycleSeconds: number): Step {
  const jobs = Array.from({ length: cycles }, (_, index) => cycle(index + 1, cycleSeconds));
  return {
    ...{ name: 'write-cycles', seconds: cycles * cycleSeconds, rampSeconds: 0, users: 2 },
    jobs: [journal, ...jobs.flat()],
  };
}

export const irisRanwrite: Profile = {
  name: 'iris-ranwrite',
  // 1 GiB a cycle: what gp3 does in 80 s with its free 3,000 IOPS and 125 MiB/s (8.2 s + 43.7 s).
  full: { fileSizeMiB: 16 * 1024, steps: [writeCycles(22, 80)] },
  short: { fileSizeMiB: 64, steps: [writeCycles(2, 3)] },
};
