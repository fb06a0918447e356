/** The words of a report card: what a test did, why it has its letters, what ended it, what is to be noted. */
import { fewOf } from '../../core/few.ts';
import { figure } from '../../core/figures.ts';
import type { LimitName } from '../../core/report-card/exceeded-checks.ts';
import type { TestError } from '../../core/report-card/fio-tests.ts';
import type { Access, LoadUnknown } from '../../core/report-card/job-options.ts';
import type { Mode } from '../../core/report-card/latency.ts';
import type { LimitUnknown } from '../../core/report-card/members.ts';
import type { LogTrouble } from '../../core/report-card/over-time.ts';
import type { LatencyReason, ScalingReason } from '../../core/report-card/report-card.ts';
import type { GradedTestAnswer, GradeNote } from '../../core/schemas/grade-answer.ts';
import { mibFromKiB } from '../../core/units.ts';
import { cited, counted, shortText } from './words.ts';

export const accessWords: Readonly<Record<Access, string>> = {
  read: 'sequential reads',
  write: 'sequential writes',
  randread: 'random reads',
  randwrite: 'random writes',
  rw: 'sequential reads and writes',
  randrw: 'random reads and writes',
};

export const limitWords: Readonly<Record<LimitName, string>> = {
  'volume-iops': 'a volume’s IOPS',
  'volume-throughput': 'a volume’s throughput',
  'instance-iops': 'the instance’s IOPS',
  'instance-throughput': 'the instance’s throughput',
};

export const blockText = (kib: number): string =>
  kib > 0 && Number.isInteger(mibFromKiB(kib)) ? `${mibFromKiB(kib)} MiB` : `${figure(kib)} KiB`;
export const usersText = (users: number): string => counted(users, 'user');
export const loadText = ({ access, blockKiB }: { access: Access; blockKiB: number }): string =>
  `${blockText(blockKiB)} ${accessWords[access]}`;

/** Of a file or a host: as long as a line has room for. */
const text = (foreign: string): string => shortText(foreign, 100);
const maxReason = 300;

/** "fio ended with error 5". */
export const errorText = (error: TestError): string =>
  error.code === 'fio-error'
    ? `fio ended with error ${error.errno}`
    : `${counted(error.operations, 'operation')} failed`;

const notInFile: Readonly<Record<Extract<LoadUnknown, { code: 'not-in-file' }>['what'], string>> = {
  access: 'whether it was random or sequential is not in the file',
  'block-size': 'the block size is not in the file',
  users: 'the number of users is not in the file',
  'io-depth': 'how many operations each user had in flight is not in the file',
};

function loadUnknownText(reason: LoadUnknown): string {
  switch (reason.code) {
    case 'not-in-file':
      return `${notInFile[reason.what]} (fio before 2.9)`;
    case 'other-access':
      return `its access is ${text(reason.access)}`;
    case 'no-single-block-size':
      return `its block size is not one size (${text(reason.blocks)})`;
    case 'no-count':
      return `its ${reason.option} is ${text(reason.value)}`;
    case 'not-what-it-did':
      return `--access ${reason.access} is not what it did`;
  }
}

/** Why the latency of a test has its letter, or none: one sentence, or two. */
export function latencyReasonText(reason: LatencyReason): string {
  switch (reason.code) {
    case 'graded': {
      const { letter, p95Ms, isAtMost, side, boundMs, users } = reason;
      const most = isAtMost ? ' That is the worst of its jobs: json+ of fio has all of them together.' : '';
      return `Grade ${letter}: 95 % within ${figure(p95Ms)} ms (${side} ${boundMs} ms for ${loadText(reason)} at ${usersText(users)}).${most}`;
    }
    case 'no-scale':
      return `Not graded: no published scale for ${loadText(reason)}.`;
    case 'no-scale-at-users':
      return `Not graded: no published scale for ${loadText(reason)} at ${usersText(reason.users)}, only at ${reason.scaleUsers}.`;
    case 'failed':
      return `Not graded: ${errorText(reason.error)}.`;
    case 'no-latency':
      return 'Not graded: no operation took time.';
    case 'no-p95':
      return 'Not graded: no 95th percentile in the file.';
    case 'load-unknown':
      return `Not graded: ${loadUnknownText(reason.reason)}.`;
    case 'several-in-flight':
      return `Not graded: each user has ${reason.ioDepth} operations in flight, and the published scale is for one.`;
    case 'paced':
      return `Not graded: its users wait between operations (${reason.option}=${text(reason.value)}), unlike those of the scale.`;
    case 'through-page-cache':
      return `Not graded: it went through the page cache (${reason.isWrite ? 'neither direct nor sync' : 'not direct'}), which says little of the volume.`;
  }
}

function scalingReasonText(reason: ScalingReason): string {
  switch (reason.code) {
    case 'graded': {
      const { letter, higherUsers, higherP95Ms, growth } = reason;
      return `Scaling ${letter}: 95 % within ${figure(higherP95Ms)} ms at ${usersText(higherUsers)}, a growth of ${figure(growth, 3)}.`;
    }
    case 'no-test-at-users':
      return `Scaling unknown: no test at ${usersText(reason.higherUsers)}.`;
    case 'no-p95':
      return 'Scaling unknown: one of its two tests has no 95th percentile.';
  }
}

/** "60 % around 0.8 ms, 40 % around 14 ms". */
const modesText = (modes: readonly Pick<Mode, 'share' | 'peakMs'>[]): string =>
  modes.map(({ share, peakMs }) => `${figure(share * 100, 0)} % around ${figure(peakMs)} ms`).join(', ');

/** Why a test has its letters, or none, and what its latencies are a sign of. */
export function whyLines({ why, modes }: Pick<GradedTestAnswer, 'why' | 'modes'>): string[] {
  return [
    latencyReasonText(why.latency),
    ...(why.scaling === null ? [] : [scalingReasonText(why.scaling)]),
    ...(modes.length < 2
      ? []
      : [
          `Latency has ${modes.length} modes, a sign of throttling or of two storage tiers: ${modesText(modes)}.`,
        ]),
  ];
}

/** With what the device itself gave as its reason. */
const orDevice = (sentence: string, deviceSays: string | null): string =>
  deviceSays === null ? `${sentence}.` : `${sentence} (the device: ${cited(deviceSays, maxReason)}).`;

function limitUnknownText(reason: LimitUnknown): string {
  const unknown = 'What limited it is unknown';
  switch (reason.code) {
    case 'no-disk':
      return `${unknown}: no disk was looked at.`;
    case 'device-silent':
      return reason.deviceSays === null
        ? `${unknown}: the device does not report it.`
        : `${unknown}: ${cited(reason.deviceSays, maxReason)}.`;
    case 'no-whole-minute-of-volume':
      return orDevice(
        `${unknown}: CloudWatch has no whole minute of ${text(reason.volumeId)}`,
        reason.deviceSays,
      );
    case 'no-whole-minute-of-instance':
      return orDevice(`${unknown}: CloudWatch has no whole minute of the instance`, reason.deviceSays);
    case 'some-disks-silent':
      return `${unknown}: ${reason.silent} of ${counted(reason.disks, 'disk')} do not report it.`;
  }
}

/** What limited a test. */
export function limitLine({ limit, limitReason }: Pick<GradedTestAnswer, 'limit' | 'limitReason'>): string {
  if (limit !== null) return `Limited by ${limitWords[limit]} for a tenth of its time or more.`;
  return limitReason === null
    ? 'No limit of a volume or of the instance was reached.'
    : limitUnknownText(limitReason);
}

/** Members that the others wait for; null where there is none. */
export function slowMembersLine({ members }: Pick<GradedTestAnswer, 'members'>): string | null {
  const slow = members.filter(({ isSlow }) => isSlow).map(({ volumeId, device }) => text(volumeId ?? device));
  return slow.length === 0 ? null : `Slower than the other members: ${slow.join(', ')}.`;
}

function logTroubleText(reason: LogTrouble): string {
  switch (reason.code) {
    case 'no-whole-second':
      return 'its logs have no whole second';
    case 'largest-values':
      return 'its logs keep the largest values, not means (log_max_value, log_window_value)';
    case 'averaging-unreadable':
      return `its log_avg_msec is ${text(reason.logAvgMsec)}`;
    case 'no-log':
      return `${text(reason.log)} is not beside it`;
    case 'too-large':
      return `its logs are larger than ${figure(reason.maxMiB)} MiB; log_avg_msec=1000 keeps them small`;
    case 'of-several-tests':
      return 'several tests wrote the same logs (per_job_logs=0)';
    case 'not-as-many-as-jobs':
      return 'it has not as many logs as jobs, so nobody knows whose they are';
    case 'unreadable':
      return cited(reason.message, maxReason);
  }
}

const moreTests = (more: number): string => (more > 0 ? `, and ${counted(more, 'test')} more` : '');

export function gradeNoteText(note: GradeNote): string {
  switch (note.code) {
    case 'not-compared':
      return `${text(note.name)} of ${text(note.run)} is not compared: ${errorText(note.error)}.`;
    case 'files-of-one-run':
      return `${text(note.run)} is one run of ${counted(note.files.length, 'file')}, a load each: ${text(fewOf(note.files))}.`;
    case 'users-with-depth':
      return `${text(note.file)}: users are numjobs x iodepth (${text(note.engine)} is asynchronous): ${text(note.test)} has ${note.jobs} x ${note.ioDepth}${moreTests(note.more)}.`;
    case 'users-without-depth':
      return `${text(note.file)}: users are numjobs (${text(note.engine)} is synchronous): iodepth ${note.ioDepth} of ${text(note.test)} does not count${moreTests(note.more)}.`;
    case 'not-over-time':
      return `${text(note.file)}: no values over time: ${logTroubleText(note.reason)}.`;
    case 'latency-not-over-time':
      return `${text(note.file)}: no latency over time: ${logTroubleText(note.reason)}.`;
    case 'odd-log-lines':
      return `${text(note.file)}: ${counted(note.lines, 'line')} of its logs left out, not as fio writes them (cut?), first ${text(note.first)}.`;
  }
}
