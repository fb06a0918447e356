import type { FleetPlan, LoosePlan } from '../plan.ts';
import { creditVolumes } from './credits.ts';
import { heldInstances } from './instances.ts';
import { misconfigured } from './misconfigured.ts';
import { quietEuCentral1 } from './quiet-eu-central-1.ts';
import { quietUsEast1 } from './quiet-us-east-1.ts';
import { recordedHosts } from './recorded.ts';
import { throttledVolumes } from './throttled-volumes.ts';

const unattached = { planted: 'unattached' } as const;

const loose: readonly LoosePlan[] = [
  {
    region: 'us-east-1',
    zone: 'us-east-1b',
    volumes: [
      { name: 'left-small', volumeType: 'gp3', sizeGiB: 20, ...unattached },
      { name: 'left-big', volumeType: 'io1', sizeGiB: 500, iops: 5_000, ...unattached },
      { name: 'being-made', volumeType: 'gp3', sizeGiB: 100, quirks: ['creating'] },
    ],
  },
  {
    region: 'eu-central-1',
    zone: 'eu-central-1a',
    volumes: [
      { name: 'left-root', volumeType: 'gp2', sizeGiB: 10, ...unattached },
      { name: 'left-archive', volumeType: 'st1', sizeGiB: 4_000, ...unattached },
    ],
  },
];

export const fleetPlan: FleetPlan = {
  instances: [
    ...throttledVolumes,
    ...creditVolumes,
    ...heldInstances,
    ...misconfigured,
    ...quietUsEast1,
    ...quietEuCentral1,
    ...recordedHosts,
  ],
  loose,
};
