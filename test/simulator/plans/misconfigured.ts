/** Instances whose volumes have what they cannot reach. Nothing is throttled: the loads stay below every limit. */
import { database, diurnal, stream, windows, workers } from '../loads.ts';
import type { InstancePlan, VolumePlan } from '../plan.ts';

const surveyMember = (member: number): VolumePlan => ({
  name: `survey-stripe-${member}`,
  volumeType: 'gp3',
  sizeGiB: 500,
  iops: 8_000,
  throughputMiBps: 2_000,
  ebsCardIndex: 0,
  // 1,700 of 2,000 MiB/s: 6,800 of the card's 7,153 on all four.
  load: stream(256, windows(400, [700, 40, 6_800])),
});

export const misconfigured: readonly InstancePlan[] = [
  {
    name: 'billing',
    region: 'us-east-1',
    zone: 'us-east-1a',
    instanceType: 'm5.4xlarge',
    planted: 'unreachable-performance',
    // 16,000 + 12,000 + 3,000 = 31,000 IOPS of 18,750: 12,250 x 0.065 = 796.25 USD a month.
    volumes: [
      { name: 'billing-root', volumeType: 'gp3', sizeGiB: 30, load: workers(8, 40) },
      {
        name: 'billing-data',
        volumeType: 'io2',
        sizeGiB: 400,
        iops: 16_000,
        load: database(8, diurnal(1_000, 6_000, 14)),
      },
      {
        name: 'billing-archive',
        volumeType: 'gp3',
        sizeGiB: 1_000,
        iops: 12_000,
        throughputMiBps: 125,
        load: database(8, diurnal(500, 4_000, 14)),
      },
    ],
  },
  {
    name: 'survey',
    region: 'us-east-1',
    zone: 'us-east-1b',
    instanceType: 'c8gn.48xlarge',
    planted: 'ebs-card-imbalance',
    // 4 x 2,000 + 125 = 8,125 MiB/s on a card that does 7,153, and nothing on the other.
    volumes: [
      { name: 'survey-root', volumeType: 'gp3', sizeGiB: 30, ebsCardIndex: 0, load: workers(8, 40) },
      ...[1, 2, 3, 4].map(surveyMember),
    ],
  },
];
