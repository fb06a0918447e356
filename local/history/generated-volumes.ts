/** Ten volumes that were never there: what each asks for in a minute, and what it gets. All follows from the seed. */
import type { ResourceMinutes } from '../../core/archive/resource-minutes.ts';
import { throttledStatus } from '../../core/archive/views.ts';
import type { MetricName } from '../../core/load/metrics.ts';
import { secondsPerDay, secondsPerMinute } from '../../core/units.ts';
import { resourceId, uniformSource } from '../../test/simulator/random.ts';

const seed = 20_261_122;

/** When a minute is. */
interface Moment {
  /** Of the history: 0 is the first. */
  day: number;
  /** 0 is Monday. */
  weekday: number;
  hour: number;
  /** The last two days of a month. */
  isMonthEnd: boolean;
}

interface GeneratedVolume {
  name: string;
  about: string;
  volumeType: 'gp3' | 'io2';
  sizeGiB: number;
  limitIops: number;
  limitMiBps: number;
  /** Of an operation. */
  kib: number;
  /** The share of reads. */
  reads: number;
  /** IOPS that are asked for. */
  demand: (moment: Moment) => number;
  /** Without points in CloudWatch, as of a volume that is not attached. */
  isAway?: (moment: Moment) => boolean;
}

/** Office hours: 1 at their height, 0.2 at night, 0.3 on a weekend. */
function office({ weekday, hour }: Moment): number {
  const ofHour = hour < 6 || hour >= 21 ? 0.2 : 0.2 + 0.8 * Math.sin(((hour - 6) / 15) * Math.PI);
  return weekday >= 5 ? 0.3 * ofHour : ofHour;
}

const gp3 = { volumeType: 'gp3', limitIops: 3_000, limitMiBps: 125 } as const;

export const generatedVolumes: readonly GeneratedVolume[] = [
  {
    ...{ name: 'orders', about: 'grows by 12 IOPS a day', ...gp3, sizeGiB: 500, kib: 8, reads: 0.6 },
    demand: (moment) => (1_000 + 12 * moment.day) * office(moment),
  },
  {
    ...{ name: 'billing', about: 'is at its limit at each end of a month', ...gp3, sizeGiB: 200, kib: 16 },
    ...{ reads: 0.5 },
    demand: (moment) => (moment.isMonthEnd ? 5_500 : 700) * office(moment),
  },
  {
    ...{ name: 'backup', about: 'reads all of it each night', ...gp3, sizeGiB: 1_000, kib: 256, reads: 0.95 },
    demand: ({ hour }) => (hour >= 1 && hour < 3 ? 620 : 12),
  },
  {
    ...{ name: 'reports', about: 'has a batch each Sunday', ...gp3, sizeGiB: 300, kib: 32, reads: 0.9 },
    demand: ({ weekday, hour }) => (weekday === 6 && hour >= 4 && hour < 12 ? 2_600 : 150),
  },
  {
    ...{ name: 'ledger', about: 'has ten times what it uses', volumeType: 'io2', sizeGiB: 400 },
    ...{ limitIops: 16_000, limitMiBps: 4_000, kib: 8, reads: 0.7 },
    demand: (moment) => 1_400 * office(moment),
  },
  {
    ...{
      name: 'search',
      about: 'has a new level since its 50th day',
      ...gp3,
      sizeGiB: 250,
      kib: 16,
      reads: 0.8,
    },
    demand: (moment) => (moment.day < 50 ? 600 : 1_500) * (0.6 + 0.4 * office(moment)),
  },
  {
    ...{ name: 'archive-2024', about: 'falls', ...gp3, sizeGiB: 800, kib: 64, reads: 0.9 },
    demand: (moment) => Math.max(40, 900 - 9 * moment.day) * office(moment),
  },
  {
    ...{
      name: 'games',
      about: 'is busy in the evening and on weekends',
      ...gp3,
      sizeGiB: 150,
      kib: 8,
      reads: 0.7,
    },
    demand: ({ weekday, hour }) => (weekday >= 5 || hour >= 18 ? 1_900 : 400),
  },
  {
    ...{ name: 'build', about: 'was not attached for four days', ...gp3, sizeGiB: 100, kib: 16, reads: 0.4 },
    demand: (moment) => 1_100 * office(moment),
    isAway: ({ day }) => day >= 30 && day < 34,
  },
  {
    ...{ name: 'logs', about: 'writes all day', ...gp3, sizeGiB: 120, kib: 32, reads: 0.05 },
    demand: () => 320,
  },
];

export const idOf = ({ name }: Pick<GeneratedVolume, 'name'>): string => resourceId('vol-', seed, name);

/** 1970 began on a Thursday. */
const daysBeforeMonday = 3;

function momentOf(epochSeconds: number, firstSeconds: number): Moment {
  const day = Math.floor(epochSeconds / secondsPerDay);
  const inTwoDays = new Date((day + 2) * secondsPerDay * 1_000).getUTCDate();
  return {
    day: day - Math.floor(firstSeconds / secondsPerDay),
    weekday: (day + daysBeforeMonday) % 7,
    hour: (epochSeconds % secondsPerDay) / 3_600,
    isMonthEnd: inTwoDays <= 2,
  };
}

const generatedMetrics = [
  ...(['VolumeReadOps', 'VolumeWriteOps', 'VolumeReadBytes', 'VolumeWriteBytes'] as const),
  ...(['VolumeTotalReadTime', 'VolumeTotalWriteTime', 'VolumeQueueLength'] as const),
  ...(['VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'] as const),
] satisfies MetricName[];

/** Of an operation that waits for none. */
const msPerOperation = 0.7;
/** A minute at its limit: more wait the more is asked for. */
const waitingAtMost = 40;

interface Served {
  iops: number;
  isIopsExceeded: boolean;
  isThroughputExceeded: boolean;
  /** Operations that wait or run. */
  queue: number;
}

function served({ limitIops, limitMiBps, kib }: GeneratedVolume, asked: number): Served {
  const byThroughput = (limitMiBps * 1_024) / kib;
  const iops = Math.min(asked, limitIops, byThroughput);
  const isOver = asked > iops;
  const queue =
    (iops * msPerOperation) / 1_000 + (isOver ? Math.min(waitingAtMost, 40 * (asked / iops - 1)) : 0);
  return {
    iops,
    isIopsExceeded: isOver && limitIops <= byThroughput,
    isThroughputExceeded: isOver && byThroughput < limitIops,
    queue,
  };
}

/** What CloudWatch would have of it from a time on, up to (without) an end, and what evaluation would say. */
export function minutesOfVolume(
  volume: GeneratedVolume,
  { account, region }: { account: string; region: string },
  {
    firstSeconds,
    fromSeconds,
    endSeconds,
  }: { firstSeconds: number; fromSeconds: number; endSeconds: number },
): ResourceMinutes {
  const uniform = uniformSource(seed, `${volume.name} ${fromSeconds}`);
  const all = Array.from(
    { length: (endSeconds - fromSeconds) / secondsPerMinute },
    (_, i) => fromSeconds + i * secondsPerMinute,
  );
  const times = all.filter((time) => volume.isAway?.(momentOf(time, firstSeconds)) !== true);
  const columns = new Map(generatedMetrics.map((metric) => [metric, new Float64Array(times.length)]));
  const put = (metric: (typeof generatedMetrics)[number], i: number, value: number): void => {
    (columns.get(metric) as Float64Array)[i] = value;
  };
  const status = new Array<string | null>(times.length).fill('normal');
  const cause = new Array<string | null>(times.length).fill(null);
  const scope = new Array<string | null>(times.length).fill(null);
  for (const [i, time] of times.entries()) {
    // Three numbers are nearly a bell: a fifth more or less.
    const luck = 1 + 0.2 * (uniform() + uniform() + uniform() - 1.5);
    const { iops, isIopsExceeded, isThroughputExceeded, queue } = served(
      volume,
      volume.demand(momentOf(time, firstSeconds)) * luck,
    );
    const reads = Math.round(iops * secondsPerMinute * volume.reads);
    const writes = Math.round(iops * secondsPerMinute) - reads;
    const bytes = volume.kib * 1_024;
    const msEach = iops === 0 ? 0 : (queue / iops) * 1_000;
    put('VolumeReadOps', i, reads);
    put('VolumeWriteOps', i, writes);
    put('VolumeReadBytes', i, reads * bytes);
    put('VolumeWriteBytes', i, writes * bytes);
    put('VolumeTotalReadTime', i, Math.round(reads * msEach) / 1_000);
    put('VolumeTotalWriteTime', i, Math.round(writes * msEach) / 1_000);
    put('VolumeQueueLength', i, Math.round(queue * 100) / 100);
    put('VolumeIOPSExceededCheck', i, isIopsExceeded ? 1 : 0);
    put('VolumeThroughputExceededCheck', i, isThroughputExceeded ? 1 : 0);
    if (!isIopsExceeded && !isThroughputExceeded) continue;
    status[i] = throttledStatus;
    cause[i] = isIopsExceeded ? 'volume-iops' : 'volume-throughput';
    scope[i] = 'volume';
  }
  const id = idOf(volume);
  return {
    ...{ resourceType: 'volume', resourceId: id, arn: `arn:aws:ec2:${region}:${account}:volume/${id}` },
    ...{ epochSeconds: Float64Array.from(times), metrics: columns },
    evaluation: { status, cause, limit_scope: scope },
  };
}

/** As `aws ec2 describe-volumes` would print them. */
export const describedVolumes = (region: string): object => ({
  Volumes: generatedVolumes.map((volume) => ({
    ...{
      VolumeId: idOf(volume),
      VolumeType: volume.volumeType,
      Size: volume.sizeGiB,
      Iops: volume.limitIops,
    },
    ...(volume.volumeType === 'gp3' ? { Throughput: volume.limitMiBps } : {}),
    ...{ State: 'in-use', AvailabilityZone: `${region}a`, Attachments: [], Encrypted: true },
    Tags: [{ Key: 'Name', Value: volume.name }],
  })),
});
