/**
 * Simulated volumes live on: under the limits that EC2 tells of them now their loads run for a span of time, second by second, and
 * CloudWatch gets the minutes of it. So a modification shows in what is measured after it.
 */
import { DescribeInstancesCommand, DescribeVolumesCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { z } from 'zod';
import { volumeTypes } from '../../core/limits/volume-limits.ts';
import { secondsPerMinute } from '../../core/units.ts';
import { type InstanceTypeName, instanceTypeNames } from '../../test/simulator/instance-types.ts';
import type { Load } from '../../test/simulator/loads.ts';
import { writeInstanceMetrics, writeVolumeMetrics } from '../../test/simulator/metrics.ts';
import type { VolumePlan } from '../../test/simulator/plan.ts';
import { SeriesWriter } from '../../test/simulator/series.ts';
import { type SimulatedVolume, simulateInstance, type Window } from '../../test/simulator/simulate.ts';
import { fleetSeries } from '../cloudwatch/fleet-series.ts';
import { sendJson } from '../load-fleet.ts';

export interface LiveOn {
  /** Its address. */
  cloudWatch: string;
  ec2: EC2Client;
  region: string;
  /** Epoch seconds of whole minutes; the end is not in it. */
  from: number;
  to: number;
  /** By volume, in minutes of the epoch. Volumes without one do nothing, and instances without any are left out. */
  loads: Readonly<Record<string, Load>>;
  /** Credits in percent, by volume: carried on from span to span, full at first. */
  balances: Map<string, number>;
}

export interface Lived {
  /** In which I/O truly waited for a limit. */
  throttledMinutes: number;
  operations: number;
}

const volumesSchema = z.array(
  z.object({
    VolumeId: z.string(),
    VolumeType: z.enum(volumeTypes),
    Size: z.number(),
    Iops: z.number().optional(),
    Throughput: z.number().optional(),
    Attachments: z.array(z.object({ InstanceId: z.string() })).default([]),
  }),
);
type Described = z.infer<typeof volumesSchema>[number];

const instancesSchema = z.array(
  z.object({
    InstanceId: z.string(),
    InstanceType: z.enum(instanceTypeNames),
    Placement: z.object({ AvailabilityZone: z.string() }),
  }),
);

const hasIops = ({ VolumeType }: Described): boolean => ['gp3', 'io1', 'io2'].includes(VolumeType);

function planOf(volume: Described, load: Load | undefined, balancePercent = 100): VolumePlan {
  const { VolumeId, VolumeType, Size, Iops, Throughput } = volume;
  return {
    ...{ name: VolumeId, volumeType: VolumeType, sizeGiB: Size, startBalancePercent: balancePercent },
    ...(load === undefined ? {} : { load }),
    ...(Iops === undefined || !hasIops(volume) ? {} : { iops: Iops }),
    ...(Throughput === undefined || VolumeType !== 'gp3' ? {} : { throughputMiBps: Throughput }),
  };
}

function lived({ ledger }: SimulatedVolume): Lived {
  const causes = ledger?.cause ?? new Uint8Array();
  return {
    throttledMinutes: causes.reduce((count, code) => count + (code === 0 ? 0 : 1), 0),
    operations: ledger?.servedIo.reduce((sum, io) => sum + io, 0) ?? 0,
  };
}

async function described(ec2: EC2Client) {
  const { Volumes = [] } = await ec2.send(new DescribeVolumesCommand({}));
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({}));
  return {
    volumes: volumesSchema.parse(Volumes),
    instances: instancesSchema.parse(Reservations.flatMap(({ Instances = [] }) => Instances)),
  };
}

/** @returns by volume what truly happened. */
export async function liveOn(options: LiveOn): Promise<Map<string, Lived>> {
  const { cloudWatch, ec2, region, from, to, loads, balances } = options;
  const { volumes, instances } = await described(ec2);
  const window: Window = {
    ...{ startEpochSeconds: from, minutes: (to - from) / secondsPerMinute },
    // Its noise is another one in each span; minutes of loads are those of the epoch.
    ...{ seed: from, firstPlanMinute: from / secondsPerMinute },
  };
  const writer = new SeriesWriter(window, false);
  const result = new Map<string, Lived>();
  for (const { InstanceId, InstanceType, Placement } of instances) {
    const own = volumes.filter(({ Attachments }) => Attachments[0]?.InstanceId === InstanceId);
    if (!own.some(({ VolumeId }) => VolumeId in loads)) continue;
    const simulated = simulateInstance(
      {
        ...{ name: InstanceId, region, zone: Placement.AvailabilityZone },
        instanceType: InstanceType as InstanceTypeName,
        volumes: own.map((one) => planOf(one, loads[one.VolumeId], balances.get(one.VolumeId))),
      },
      window,
    );
    const instance = { ...simulated, instanceId: InstanceId };
    for (const one of simulated.volumes) {
      const volume = { ...one, volumeId: one.plan.name };
      writeVolumeMetrics(writer, volume, instance);
      result.set(volume.volumeId, lived(one));
      const balance = one.ledger?.lowestBalancePercent.at(-1) ?? Number.NaN;
      if (!Number.isNaN(balance)) balances.set(volume.volumeId, balance);
    }
    writeInstanceMetrics(writer, instance);
  }
  const series = fleetSeries(
    { describeVolumes: { Volumes: volumes }, getMetricData: { MetricDataResults: writer.results } },
    { checkDimensions: 'pair' },
  );
  await sendJson('PATCH', `${cloudWatch}/_stripewise/series?region=${region}`, { series });
  return result;
}
