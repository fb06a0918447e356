/** What Compute Optimizer looks at of each volume: four figures and two checks, and for how long it was attached. Nothing else. */
import { z } from 'zod';
import { isVolumeType, type VolumeConfiguration } from '../../core/limits/volume-limits.ts';
import {
  bytesPerMiB,
  epochSecondsOf,
  secondsPerDay,
  secondsPerHour,
  secondsPerMinute,
} from '../../core/units.ts';
import { type FleetSeries, fleetSeries } from '../cloudwatch/fleet-series.ts';
import type { RecordedFleet } from '../load-fleet.ts';

export interface ObservedVolume {
  volumeId: string;
  /** Of the Name tag; empty without one. */
  name: string;
  region: string;
  isRoot: boolean;
  configuration: VolumeConfiguration;
  attachedHours: number;
  /** From its first figure to its last. */
  observedDays: number;
  /** The highest of all five-minute averages, each by itself: they need not be of the same five minutes. */
  maxima: Maxima;
  /** Whether in any five minutes every check was 1. */
  iopsExceeded: boolean;
  throughputExceeded: boolean;
}

interface Maxima {
  readOpsPerSecond: number;
  writeOpsPerSecond: number;
  readMiBps: number;
  writeMiBps: number;
}

const describedVolumes = z.object({
  Volumes: z.array(
    z.object({
      VolumeId: z.string(),
      VolumeType: z.string(),
      State: z.string(),
      Size: z.number(),
      Iops: z.number().optional(),
      Throughput: z.number().optional(),
      OutpostArn: z.string().optional(),
      Attachments: z.array(
        z.object({ InstanceId: z.string(), AttachTime: z.string(), DeleteOnTermination: z.boolean() }),
      ),
      Tags: z.array(z.object({ Key: z.string(), Value: z.string() })).default([]),
    }),
  ),
});
type DescribedVolume = z.infer<typeof describedVolumes>['Volumes'][number];

const describedInstances = z.object({
  Reservations: z.array(
    z.object({
      Instances: z.array(z.object({ InstanceId: z.string(), State: z.object({ Name: z.string() }) })),
    }),
  ),
});

const fiveMinutes = 300;

/** Points by the five minutes that they are in. */
function inFives({ epochSeconds, values }: FleetSeries): Map<number, number[]> {
  const fives = new Map<number, number[]>();
  for (const [at, seconds] of epochSeconds.entries()) {
    const five = Math.floor(seconds / fiveMinutes);
    const points = fives.get(five) ?? [];
    points.push(values[at] ?? 0);
    fives.set(five, points);
  }
  return fives;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function daysOf(series: readonly FleetSeries[]): number {
  const first = Math.min(...series.map(({ epochSeconds }) => epochSeconds[0] ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...series.map(({ epochSeconds }) => epochSeconds.at(-1) ?? 0));
  return Math.max(0, last + secondsPerMinute - first) / secondsPerDay;
}

/** Of sums a minute: the highest average a second. */
const maximumPerSecond = (series: FleetSeries): number =>
  Math.max(0, ...[...inFives(series).values()].map((points) => sumOf(points) / fiveMinutes));

const wasExceeded = (series: FleetSeries): boolean =>
  [...inFives(series).values()].some((points) => points.every((check) => check === 1));

const nameOf = ({ Tags }: DescribedVolume): string => Tags.find(({ Key }) => Key === 'Name')?.Value ?? '';

/** Null for a type that there are no figures of. */
function configurationOf(volume: DescribedVolume): VolumeConfiguration | null {
  const { VolumeType, Size, Iops, Throughput, OutpostArn } = volume;
  if (!isVolumeType(VolumeType)) return null;
  const isProvisioned = VolumeType === 'gp3' || VolumeType === 'io1' || VolumeType === 'io2';
  return {
    volumeType: VolumeType,
    sizeGiB: Size,
    ...(isProvisioned ? { iops: Iops } : {}),
    ...(VolumeType === 'gp3' ? { throughputMiBps: Throughput } : {}),
    deployment: OutpostArn === undefined ? 'region' : 'outposts',
  };
}

export interface ObservingOptions {
  /** Hours of volumes, by name, that were attached later than EC2 says. */
  newlyAttached?: Readonly<Record<string, number>>;
}

/**
 * Volumes that are attached to a running instance and have figures. Multi-Attach volumes have no checks. A fleet that was simulated for
 * a day has figures of that day alone: that its volumes were attached long before is what DescribeVolumes says.
 */
export function observedVolumes(
  { endEpochSeconds, regions }: RecordedFleet,
  { newlyAttached = {} }: ObservingOptions = {},
): ObservedVolume[] {
  return regions.flatMap(({ region, describeVolumes, describeInstances, getMetricData }) => {
    const running = new Set(
      describedInstances
        .parse(describeInstances)
        .Reservations.flatMap(({ Instances }) => Instances)
        .flatMap(({ InstanceId, State }) => (State.Name === 'running' ? [InstanceId] : [])),
    );
    const series = new Map<string, FleetSeries[]>();
    for (const one of fleetSeries({ describeVolumes, getMetricData } as never)) {
      const { VolumeId } = one.dimensions;
      if (VolumeId === undefined) continue;
      const key = `${VolumeId} ${one.metric}`;
      series.set(key, [...(series.get(key) ?? []), one]);
    }
    return describedVolumes.parse(describeVolumes).Volumes.flatMap((volume): ObservedVolume[] => {
      const { VolumeId: volumeId, Attachments } = volume;
      const configuration = configurationOf(volume);
      const attached = Attachments.filter(({ InstanceId }) => running.has(InstanceId));
      const of = (metric: string): FleetSeries[] => series.get(`${volumeId} ${metric}`) ?? [];
      const per = (metric: string): number => Math.max(0, ...of(metric).map(maximumPerSecond));
      if (configuration === null || attached.length === 0 || of('VolumeReadOps').length === 0) return [];
      const name = nameOf(volume);
      const hours = attached.map(
        ({ AttachTime }) => (endEpochSeconds - epochSecondsOf(AttachTime)) / secondsPerHour,
      );
      return [
        {
          ...{ volumeId, name, region, configuration },
          isRoot: attached.some(({ DeleteOnTermination }) => DeleteOnTermination),
          attachedHours: newlyAttached[name] ?? Math.max(...hours),
          observedDays: daysOf(of('VolumeReadOps')),
          maxima: {
            readOpsPerSecond: per('VolumeReadOps'),
            writeOpsPerSecond: per('VolumeWriteOps'),
            readMiBps: per('VolumeReadBytes') / bytesPerMiB,
            writeMiBps: per('VolumeWriteBytes') / bytesPerMiB,
          },
          iopsExceeded: of('VolumeIOPSExceededCheck').some(wasExceeded),
          throughputExceeded: of('VolumeThroughputExceededCheck').some(wasExceeded),
        },
      ];
    });
  });
}

/** Volumes that nothing is attached to, of types that there are figures of. */
export const detachedVolumes = ({
  regions,
}: RecordedFleet): Pick<ObservedVolume, 'volumeId' | 'region' | 'configuration'>[] =>
  regions.flatMap(({ region, describeVolumes }) =>
    describedVolumes.parse(describeVolumes).Volumes.flatMap((volume) => {
      const configuration = configurationOf(volume);
      const isDetached = volume.Attachments.length === 0 && volume.State === 'available';
      return configuration === null || !isDetached
        ? []
        : [{ volumeId: volume.VolumeId, region, configuration }];
    }),
  );
