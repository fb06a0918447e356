/** The profiles. What each follows stands with it; sizes and times that a source does not say are ours. */
import { drainAtRandom } from './drain-loads.ts';

// A benchmark as data: which loads, one after the other, and for how long.

export const profileNames = [
  'report-card',
  'oltp',
  'dss',
  'log',
  'randrw-16k',
  'iris-ranread',
  'iris-ranwrite',
  'drain-credits',
  'steady',
] as const;
export type ProfileName = (typeof profileNames)[number];

/** Whose file a job works on. Where a profile has several, each is on a file system of its own. */
export type Place = 'data' | 'writeImageJournal' | 'journal';

export interface FioJob {
  name: string;
  place: Place;
  /** fio's options by their names. */
  options: Readonly<Record<string, string | number>>;
}

/** One fio, and one result. */
export interface Step {
  /** Of letters, digits and hyphens; no two of a profile are the same. */
  name: string;
  /** That are measured. */
  seconds: number;
  /** Before them, with the same load. */
  rampSeconds: number;
  /** How many ask at the same time. */
  users: number;
  jobs: readonly FioJob[];
}

export interface Run {
  /** Of the data file; other places have a part of it (`partOfFile`). */
  fileSizeMiB: number;
  steps: readonly Step[];
}

export interface Profile {
  name: ProfileName;
  full: Run;
  /** The same loads in seconds, for emulated volumes: it shows that all works, not how fast anything is. */
  short: Run;
}

/** How many of the write image journal, of the journal and of a write cycle make a data file. */
export const partOfFile = 16;

export const placesOf = ({ steps }: Run): Place[] => [
  ...new Set(steps.flatMap(({ jobs }) => jobs.map(({ place }) => place))),
];

// A step as a job file of fio 3. fio itself puts in the variables: the file of each place (DATA, WRITE_IMAGE_JOURNAL,
// JOURNAL), and sizes in MiB (FILE_MIB, its share for each user SHARE_MIB, PART_MIB).
// Source of the options: fio's HOWTO, 3.33.

const variableOf: { readonly [P in Place]: string } = {
  data: 'DATA',
  writeImageJournal: 'WRITE_IMAGE_JOURNAL',
  journal: 'JOURNAL',
};

type Options = Readonly<Record<string, string | number>>;

const section = (name: string, options: Options): string =>
  [`[${name}]`, ...Object.entries(options).map(([option, value]) => `${option}=${value}`), ''].join('\n');

/** What all steps share. Of a shared file no map of what was read is kept; and no two runs ask in the same order. */
export const commonSection = section('global', {
  ...{
    ioengine: 'libaio',
    direct: 1,
    norandommap: 1,
    randrepeat: 0,
    time_based: 1,
    group_reporting: 1,
    exitall_on_error: 1,
  },
  percentile_list: '50:90:95:99:99.9',
});

const jobSection = ({ name, place, options }: FioJob): string =>
  section(name, { filename: `\${${variableOf[place]}}`, ...options });

/** What is the step's own: it follows `commonSection`. */
export const stepSections = ({ seconds, rampSeconds, jobs }: Step): string =>
  [section('global', { runtime: seconds, ramp_time: rampSeconds }), ...jobs.map(jobSection)].join('');

// The writes of an IRIS database. Its write daemon collects changed blocks. About every 80 s it writes them to the write
// image journal, one after the other in large pieces, and then to where they belong. Beside it the journal goes on.
// Source: "Using an LVM stripe to increase AWS EBS IOPS and Throughput", RANWRITE.

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

const irisRanwrite: Profile = {
  name: 'iris-ranwrite',
  // 1 GiB a cycle: what gp3 does in 80 s with its free 3,000 IOPS and 125 MiB/s (8.2 s + 43.7 s).
  full: { fileSizeMiB: 16 * 1024, steps: [writeCycles(22, 80)] },
  short: { fileSizeMiB: 64, steps: [writeCycles(2, 3)] },
};

interface Timing {
  seconds: number;
  rampSeconds: number;
}
const minute: Timing = { seconds: 60, rampSeconds: 5 };
const twoMinutes: Timing = { seconds: 120, rampSeconds: 10 };
const moment: Timing = { seconds: 3, rampSeconds: 0 };

const fullMiB = 16 * 1024;
const shortMiB = 64;

const oneJob = (name: string, users: number, timing: Timing, options: FioJob['options']): Step => ({
  ...{ name: `${name}-${users}`, ...timing, users },
  jobs: [{ name, place: 'data', options: { numjobs: users, ...options } }],
});

/** All users anywhere in the whole file. */
const random = (name: string, users: number, timing: Timing, options: FioJob['options']): Step =>
  oneJob(name, users, timing, { iodepth: 1, size: `\${FILE_MIB}m`, ...options });

/** Each user from the beginning to the end of a part of its own: on the same, one would read what another just read. */
const sequential = (name: string, users: number, timing: Timing, options: FioJob['options']): Step =>
  oneJob(name, users, timing, {
    ...{ iodepth: 1, size: `\${SHARE_MIB}m`, offset_increment: `\${SHARE_MIB}m` },
    ...options,
  });

const read8k = (users: number, timing: Timing): Step =>
  random('randread-8k', users, timing, { rw: 'randread', bs: '8k' });
const read1m = (users: number, timing: Timing): Step =>
  sequential('read-1m', users, timing, { rw: 'read', bs: '1m' });
/** As a log is written: the write is over when it is on the volume. */
const syncWrite =
  (kib: number) =>
  (users: number, timing: Timing): Step =>
    sequential(`write-${kib}k`, users, timing, { rw: 'write', bs: `${kib}k`, sync: 1 });

/** The same load for each number of users. */
const steps = (
  load: (users: number, timing: Timing) => Step,
  timing: Timing,
  users: readonly number[],
): Step[] => users.map((count) => load(count, timing));

/**
 * Grades for latency and how it grows: random reads, sequential reads, synchronous sequential writes.
 * Source: "IO characteristics of Elastic Block Storage (EBS) in AWS: grades are out".
 */
const reportCardProfile: Profile = {
  name: 'report-card',
  full: {
    fileSizeMiB: fullMiB,
    steps: [
      ...steps(read8k, minute, [1, 8, 16, 32, 64]),
      ...steps(read1m, minute, [1, 4, 8, 16, 32, 64]),
      ...[1, 8, 128].flatMap((kib) => steps(syncWrite(kib), minute, [1, 4, 16])),
    ],
  },
  // What grades are made of.
  short: {
    fileSizeMiB: shortMiB,
    steps: [
      ...steps(read8k, moment, [16, 32]),
      ...steps(read1m, moment, [1, 8]),
      ...[1, 128].flatMap((kib) => steps(syncWrite(kib), moment, [4, 16])),
    ],
  },
};

const oltpLoad = (users: number, timing: Timing): Step =>
  random('randrw-8k', users, timing, { rw: 'randrw', rwmixread: 70, bs: '8k' });
/** Data files under transactions, by more and more users. */
const oltp: Profile = {
  name: 'oltp',
  full: { fileSizeMiB: fullMiB, steps: steps(oltpLoad, twoMinutes, [8, 16, 32, 64]) },
  short: { fileSizeMiB: shortMiB, steps: steps(oltpLoad, moment, [8, 32]) },
};

/** Four at once each: what read-ahead does, and what AWS recommends for st1 and sc1 at the least. */
const dssLoad = (users: number, timing: Timing): Step =>
  sequential('scan-1m', users, timing, { rw: 'read', bs: '1m', iodepth: 4 });
/** A data warehouse: full scans, by more and more users. */
const dss: Profile = {
  name: 'dss',
  full: { fileSizeMiB: fullMiB, steps: steps(dssLoad, twoMinutes, [1, 4, 8, 16]) },
  short: { fileSizeMiB: shortMiB, steps: steps(dssLoad, moment, [1, 4]) },
};

/** The log of a database: one writer, each write on the volume before the next begins. */
const log: Profile = {
  name: 'log',
  full: {
    fileSizeMiB: 2 * 1024,
    steps: [4, 16, 64].flatMap((kib) => steps(syncWrite(kib), twoMinutes, [1])),
  },
  short: { fileSizeMiB: shortMiB, steps: [4, 64].flatMap((kib) => steps(syncWrite(kib), moment, [1])) },
};

/** Source: "Create LVM using striping I/O for more IOPS performance". */
const randrwLoad = (users: number, timing: Timing): Step =>
  random('randrw-16k', users, timing, { rw: 'randrw', rwmixread: 50, bs: '16k', iodepth: 64 });
/** The most operations of 16 KiB a layout can do: 640 at once. */
const randrw16k: Profile = {
  name: 'randrw-16k',
  full: { fileSizeMiB: fullMiB, steps: steps(randrwLoad, twoMinutes, [10]) },
  short: { fileSizeMiB: shortMiB, steps: steps(randrwLoad, moment, [10]) },
};

/** The reads of an IRIS database. Source: "Using an LVM stripe to increase AWS EBS IOPS and Throughput", RANREAD: half an hour in all. */
const irisRanread: Profile = {
  name: 'iris-ranread',
  full: {
    fileSizeMiB: fullMiB,
    steps: steps(read8k, { seconds: 350, rampSeconds: 10 }, [10, 20, 30, 40, 50]),
  },
  short: { fileSizeMiB: shortMiB, steps: steps(read8k, moment, [10, 50]) },
};

const drainLoad = (users: number, timing: Timing): Step =>
  random('randread-16k', users, timing, drainAtRandom);
/** Spends burst credits before something is measured. */
const drainCredits: Profile = {
  name: 'drain-credits',
  full: {
    fileSizeMiB: fullMiB,
    steps: steps(drainLoad, { seconds: 1_800, rampSeconds: 0 }, [drainAtRandom.numjobs]),
  },
  short: { fileSizeMiB: shortMiB, steps: steps(drainLoad, moment, [drainAtRandom.numjobs]) },
};

const steadyLoad = (users: number, timing: Timing): Step =>
  random('randrw-16k', users, timing, { rw: 'randrw', rwmixread: 70, bs: '16k', iodepth: 8 });
/** Whether a rate lasts: instances and volumes burst half as long. */
const steady: Profile = {
  name: 'steady',
  full: { fileSizeMiB: fullMiB, steps: steps(steadyLoad, { seconds: 3_600, rampSeconds: 10 }, [8]) },
  short: { fileSizeMiB: shortMiB, steps: steps(steadyLoad, moment, [8]) },
};

export const profiles: { readonly [N in ProfileName]: Profile } = {
  'report-card': reportCardProfile,
  oltp,
  dss,
  log,
  'randrw-16k': randrw16k,
  'iris-ranread': irisRanread,
  'iris-ranwrite': irisRanwrite,
  'drain-credits': drainCredits,
  steady,
};
