/** Which instances the large fleet has, with which volumes: 20,000 of them, one in twenty in trouble. */
import type { VolumePlan as UsualPlan } from '../../../tools/bench/two-pass-fleet.ts';
import type { SyntheticLoad } from '../../../tools/bench/two-pass-series.ts';

/** As the benchmark's fleet has them, and what a fleet that is looked at as a whole has beside. */
export interface VolumePlan extends Omit<UsualPlan, 'trouble'> {
  /** What it is for: part of its name. */
  purpose: string;
  trouble?: NonNullable<SyntheticLoad['trouble']>;
  /** CloudWatch has nothing of it: it is unknown. */
  silent?: true;
}

export interface InstancePlan {
  count: number;
  service: string;
  /** Empty: the volumes are attached to nothing. */
  types: readonly string[];
  stopped?: true;
  volumes: readonly VolumePlan[];
}

const boot: VolumePlan = {
  ...{ purpose: 'root', volumeType: 'gp3', sizeGiB: 30 },
  ...{ usualIops: 1.5, nightShare: 0.1, ioKiB: 16 },
};
const bootGp2: VolumePlan = { ...boot, volumeType: 'gp2', sizeGiB: 20 };
const data: VolumePlan = { ...boot, purpose: 'data', sizeGiB: 100, usualIops: 40, nightShare: 0.3 };
const logs: VolumePlan = { ...data, purpose: 'logs', usualIops: 20, nightShare: 0.1, ioKiB: 32 };
const dataGp2: VolumePlan = { ...data, volumeType: 'gp2', sizeGiB: 500, usualIops: 30, nightShare: 0.15 };
const io2: VolumePlan = {
  ...{ ...data, purpose: 'tablespace', volumeType: 'io2', sizeGiB: 200, iops: 3_000 },
  ...{ usualIops: 500, nightShare: 0.85 },
};
const st1: VolumePlan = {
  ...{ ...data, purpose: 'archive', volumeType: 'st1', sizeGiB: 2_000 },
  ...{ ioKiB: 1_024, usualIops: 8, nightShare: 0.15 },
};
const sc1: VolumePlan = { ...st1, purpose: 'cold', volumeType: 'sc1', sizeGiB: 4_000, usualIops: 4 };
const held: VolumePlan = {
  ...{ ...data, iops: 12_000, throughputMiBps: 250, sizeGiB: 200 },
  ...{ usualIops: 800, trouble: 'throttled-by-instance' },
};

const medium = ['m6i.xlarge', 'm7g.xlarge', 'r6i.xlarge', 'c6i.2xlarge'];

const inTrouble = (
  count: number,
  service: string,
  plan: VolumePlan,
  trouble: NonNullable<VolumePlan['trouble']>,
): InstancePlan => ({ count, service, types: medium, volumes: [boot, { ...plan, trouble }] });

const plans: readonly InstancePlan[] = [
  {
    count: 3_400,
    service: 'web-frontend',
    types: ['m6i.large', 'c6i.large', 'm7g.large'],
    volumes: [boot, data],
  },
  { count: 1_700, service: 'payments-api', types: medium, volumes: [boot, data, logs] },
  {
    count: 1_400,
    service: 'reporting-worker',
    types: ['m5.large', 'm5.xlarge'],
    volumes: [bootGp2, dataGp2],
  },
  { count: 300, service: 'orders-postgres', types: ['r6i.4xlarge'], volumes: [boot, io2, logs] },
  { count: 150, service: 'analytics-hadoop', types: ['m6i.4xlarge'], volumes: [boot, st1, sc1] },
  // Xen: no checks are published, so all of it is looked at in whole.
  {
    count: 100,
    service: 'legacy-erp',
    types: ['m4.large'],
    volumes: [bootGp2, { ...dataGp2, sizeGiB: 100 }],
  },
  inTrouble(200, 'search-elastic', data, 'throttled-iops'),
  inTrouble(150, 'backup-agent', data, 'throttled-throughput'),
  inTrouble(100, 'session-redis', data, 'micro-bursts'),
  inTrouble(100, 'batch-import', dataGp2, 'credits-exhausted'),
  inTrouble(50, 'mail-spool', data, 'stalls'),
  inTrouble(150, 'staging-copy', data, 'idle'),
  { count: 25, service: 'warehouse-loader', types: ['m5.xlarge'], volumes: [boot, held, held] },
  { count: 150, service: 'kubernetes-dynamic-pvc', types: [], volumes: [data] },
  { count: 100, service: 'imported-vm', types: medium, volumes: [boot, { ...data, silent: true }] },
  { count: 100, service: 'nightly-build', types: medium, stopped: true, volumes: [boot, data] },
];

const volumesOf = (all: readonly InstancePlan[]): number =>
  all.reduce((sum, { count, volumes }) => sum + count * volumes.length, 0);

/** @returns so many volumes in all: what the plans above leave are the roots of small instances. */
export function plansOf(fleetSize: number): readonly InstancePlan[] {
  const rest = fleetSize - volumesOf(plans);
  return [...plans, { count: rest, service: 'bastion', types: ['t3.medium', 'm7g.large'], volumes: [boot] }];
}
