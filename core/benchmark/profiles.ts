/** The profiles. What each follows stands with it; sizes and times that a source does not say are ours. */
import { drainAtRandom } from './drain-loads.ts';
import { irisRanwrite } from './iris-ranwrite.ts';
import type { FioJob, Profile, ProfileName, Step } from './profile.ts';

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
