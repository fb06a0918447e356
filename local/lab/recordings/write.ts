/** Recordings as files: what the AWS CLI would have printed, seconds as CSV, and what is true of them. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { type VolumeConfiguration, volumeLimits } from '../../../core/limits/volume-limits.ts';
import { bytesPerMiB, isoFromEpochSeconds, secondsPerMinute } from '../../../core/units.ts';
import type { VolumeInterval } from '../recorder.ts';
import { getMetricData, instanceSeries, minutesOf, type Series, volumeSeries } from './as-cloudwatch.ts';
import type { TrueCause } from './plan.ts';
import type { HostRecording } from './record.ts';

/** Recordings are moved to begin there, so that all of them are of one time. 2026-11-22T08:00:00Z */
const startEpochSeconds = 1_795_334_400;

/** The same rows with the first whole minute at the start, in whole seconds from it. */
export function moved(rows: readonly VolumeInterval[]): VolumeInterval[] {
  const [first] = [...minutesOf(rows).keys()].toSorted((a, b) => a - b);
  if (first === undefined) return [];
  return rows
    .map((row) => ({ ...row, endEpochSeconds: row.endEpochSeconds - first + startEpochSeconds }))
    .filter(({ endEpochSeconds }) => endEpochSeconds > startEpochSeconds);
}

/** As `replay --series` reads it; rows of about a second are put on whole seconds, where two fall on one they are added. */
export function secondsCsv(rows: readonly VolumeInterval[]): string {
  const bySecond = new Map<number, number[]>();
  for (const row of rows) {
    const second = Math.floor(row.endEpochSeconds - row.seconds / 2);
    const before = bySecond.get(second) ?? [0, 0, 0, 0];
    const own = [row.reads, row.writes, row.readBytes, row.writeBytes];
    bySecond.set(
      second,
      own.map((value, index) => value + (before[index] ?? 0)),
    );
  }
  return stringify([
    ['timestamp', 'read_ops', 'write_ops', 'read_bytes', 'write_bytes'],
    ...[...bySecond]
      .toSorted(([a], [b]) => a - b)
      .map(([second, values]) => [isoFromEpochSeconds(second), ...values]),
  ]);
}

interface VolumeTruth {
  volumeId: string;
  instanceId: string;
  name: string;
  program: string;
  cause: TrueCause;
  /** Of the same load on volumes without limits. */
  demand: { iops: number; mibps: number };
  served: { iops: number; mibps: number };
}

interface OneVolume {
  host: HostRecording;
  instanceId: string;
  /** As AWS would name it: volumes of different hosts are others. */
  volumeId: string;
  guestVolumeId: string;
  name: string;
  program: string;
  /** Of which it is a member. */
  stripe: string | null;
  configuration: VolumeConfiguration;
  cause: TrueCause;
}

const idOf = (kind: 'i' | 'vol', host: number, volume: number): string =>
  `${kind}-${(0xeb5_0000 + host * 0x100 + volume).toString(16).padStart(17, '0')}`;

function volumesOf(recordings: readonly HostRecording[]): OneVolume[] {
  return recordings.flatMap((host, hostIndex) => {
    let next = 0;
    return host.places.flatMap(({ name, load, volumeIds }) => {
      const volume = host.host.volumes.find((one) => one.name === name);
      const stripe = host.host.stripes.find((one) => one.name === name);
      const configuration = volume?.configuration ?? stripe?.configuration;
      if (configuration === undefined) throw new Error(`${name} is in no plan`);
      return volumeIds.map((guestVolumeId, member) => ({
        ...{
          host,
          instanceId: idOf('i', hostIndex, 0),
          volumeId: idOf('vol', hostIndex, next++),
          guestVolumeId,
        },
        name: stripe === undefined ? name : `${name}-${member + 1}`,
        stripe: stripe?.name ?? null,
        ...{ program: load.program, configuration },
        cause: volume?.cause ?? (member === 1 ? ('slow-member' as const) : ('none' as const)),
      }));
    });
  });
}

function describeVolume({ volumeId, instanceId, name, stripe, configuration }: OneVolume): object {
  const { volumeType, sizeGiB, iops, throughputMiBps } = configuration;
  return {
    Attachments: [
      {
        AttachTime: '2026-11-01T08:00:00+00:00',
        Device: '/dev/sdf',
        InstanceId: instanceId,
        State: 'attached',
        VolumeId: volumeId,
      },
    ],
    AvailabilityZone: 'us-east-1a',
    CreateTime: '2026-11-01T08:00:00+00:00',
    ...{
      Encrypted: false,
      Size: sizeGiB,
      SnapshotId: '',
      State: 'in-use',
      VolumeId: volumeId,
      VolumeType: volumeType,
    },
    Iops: iops ?? volumeLimits(configuration).baselineIops,
    ...(throughputMiBps === undefined ? {} : { Throughput: throughputMiBps }),
    Tags: [
      { Key: 'Name', Value: name },
      ...(stripe === null ? [] : [{ Key: 'stripewise:stripe', Value: stripe }]),
    ],
    MultiAttachEnabled: false,
  };
}

const describeInstance = (instanceId: string, { host }: HostRecording): object => ({
  ReservationId: instanceId.replace('i-', 'r-'),
  OwnerId: '111122223333',
  Instances: [
    {
      ...{ Architecture: 'x86_64', EbsOptimized: true, Hypervisor: 'xen', InstanceId: instanceId },
      ...{
        InstanceType: host.instanceType,
        LaunchTime: '2026-11-01T08:00:00+00:00',
        Monitoring: { State: 'disabled' },
      },
      Placement: { AvailabilityZone: 'us-east-1a', GroupName: '', Tenancy: 'default' },
      ...{ RootDeviceName: '/dev/xvda', RootDeviceType: 'ebs', State: { Code: 16, Name: 'running' } },
      ...{ Tags: [{ Key: 'Name', Value: host.name }], VirtualizationType: 'hvm', BlockDeviceMappings: [] },
    },
  ],
});

function seriesOf({ configuration, cause }: OneVolume, rows: readonly VolumeInterval[]): Series[] {
  const limits = volumeLimits(configuration);
  const isEmpty = cause === 'volume-credits';
  const all = volumeSeries(rows, {
    iops: isEmpty ? limits.baselineIops : limits.burstIops,
    bytesPerSecond: limits.burstMiBps * bytesPerMiB,
  });
  if (!isEmpty) return all;
  const [any] = all;
  return [
    ...all,
    { metric: 'BurstBalance', points: (any?.points ?? []).map((point) => ({ ...point, value: 0 })) },
  ];
}

function meanOf(rows: readonly VolumeInterval[]): { iops: number; mibps: number } {
  const seconds = rows.reduce((total, row) => total + row.seconds, 0);
  const mean = (of: (row: VolumeInterval) => number): number =>
    Math.round((rows.reduce((total, row) => total + of(row), 0) / seconds) * 100) / 100;
  return {
    iops: mean(({ reads, writes }) => reads + writes),
    mibps: mean(({ readBytes, writeBytes }) => (readBytes + writeBytes) / bytesPerMiB),
  };
}

/** Replaces what is in the directory. */
export function writeRecordings(recordings: readonly HostRecording[], directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  for (const name of ['', 'demand', 'served']) mkdirSync(join(directory, name), { recursive: true });
  const write = (name: string, value: object): void =>
    writeFileSync(join(directory, name), `${JSON.stringify(value, null, 1)}\n`);
  const volumes = volumesOf(recordings);
  const truth: VolumeTruth[] = [];
  const resources: { id: string; series: Series[] }[] = [];
  for (const volume of volumes) {
    const ownRows = (rows: readonly VolumeInterval[]): VolumeInterval[] =>
      moved(rows.filter(({ volumeId }) => volumeId === volume.guestVolumeId));
    const [served, demand] = [ownRows(volume.host.held), ownRows(volume.host.free)];
    writeFileSync(join(directory, 'served', `${volume.name}.csv`), secondsCsv(served));
    writeFileSync(join(directory, 'demand', `${volume.name}.csv`), secondsCsv(demand));
    resources.push({ id: volume.volumeId, series: seriesOf(volume, served) });
    const { volumeId, instanceId, name, program, cause } = volume;
    truth.push({
      volumeId,
      instanceId,
      name,
      program,
      cause,
      demand: meanOf(demand),
      served: meanOf(served),
    });
  }
  for (const [index, host] of recordings.entries()) {
    const { limitMiBps } = host.host;
    const bytesPerSecond = limitMiBps === null ? null : limitMiBps * bytesPerMiB;
    const series = instanceSeries(moved(host.held), { iops: null, bytesPerSecond });
    // What holds it back is its baseline: the credits above it are spent.
    const spent = [...minutesOf(moved(host.held)).keys()].filter(
      (start) => start % (5 * secondsPerMinute) === 0,
    );
    const balances = ['EBSIOBalance%', 'EBSByteBalance%'].map((metric) => ({
      metric,
      points: spent.map((epochSeconds) => ({ epochSeconds, value: metric === 'EBSByteBalance%' ? 0 : 99 })),
    }));
    resources.push({
      id: idOf('i', index, 0),
      series: [...series, ...(limitMiBps === null ? [] : balances)],
    });
  }
  write('describe-volumes.json', { Volumes: volumes.map(describeVolume) });
  write('describe-instances.json', {
    Reservations: recordings.map((host, index) => describeInstance(idOf('i', index, 0), host)),
  });
  write('get-metric-data.json', getMetricData(resources));
  write('truth.json', {
    about: 'Recorded in the EBS lab: real programs on a real Linux over emulated volumes (emulated: true).',
    emulated: true,
    volumes: truth,
  });
}
