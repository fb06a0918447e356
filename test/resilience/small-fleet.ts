/** A part of the simulated fleet: small enough for hundreds of audits, with troubles of several kinds. */
import type { HostsOfRegions } from '../../local/load-fleet.ts';
import { disksOf } from '../cli/striped-account.ts';
import { hostDocument, lsblkText } from '../core/stripes/hosts.ts';
import { type SimulatedFleet, simulateFleet } from '../simulator/fleet.ts';
import type { FleetPlan } from '../simulator/plan.ts';
import { fleetPlan } from '../simulator/plans/index.ts';
import { instanceIdOf, volumeIdOf } from '../simulator/simulate.ts';

export const region = 'us-east-1';
/** Throttled volumes, micro-bursts, an instance's limit and its credits, and one without trouble. */
const names = ['orders-db', 'broker-us', 'pricing', 'gateway', 'refill-us', 'etl'];
const planOf = (some: readonly string[]): FleetPlan => ({
  instances: fleetPlan.instances.filter(({ name }) => some.includes(name)),
  loose: [],
});
const plan = planOf(names);
/** The simulator's own, of which all ids are made. */
const seed = 1;

/**
 * @param endEpochSeconds a whole hour: the end of its 26 hours.
 * @param gone the name of an instance that is not there, with its volumes.
 */
export function smallFleet(endEpochSeconds: number, gone?: string): SimulatedFleet {
  const fleet = simulateFleet({ endEpochSeconds, plan: planOf(names.filter((name) => name !== gone)) });
  return { ...fleet, regions: fleet.regions.filter((one) => one.region === region) };
}

/** Every host says that each of its volumes is for itself. */
export const hostsOfSmallFleet: HostsOfRegions = {
  [region]: Object.fromEntries(
    plan.instances.map(({ name, volumes }) => {
      const disks = disksOf(
        volumes.map((volume) => volumeIdOf(volume, seed)),
        (i) => ({ fstype: 'xfs', mountpoint: `/data${i}` }),
      );
      return [instanceIdOf(name, seed), { stdout: hostDocument({ lsblk: lsblkText(...disks) }) }];
    }),
  ),
};

/**
 * Checks of volumes that are gone, as CloudWatch lists them for two weeks: so many that those of the fleet come on a
 * second page.
 */
export function checksOfGoneVolumes(endEpochSeconds: number): object[] {
  const goneVolumes = 490;
  return ['VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck', 'VolumeStalledIOCheck'].flatMap(
    (metric) =>
      Array.from({ length: goneVolumes }, (_, i) => ({
        namespace: 'AWS/EBS',
        metric,
        dimensions: {
          VolumeId: `vol-0${i.toString(16).padStart(16, '0')}`,
          InstanceId: 'i-00000000000000000',
        },
        epochSeconds: [endEpochSeconds - 86_400],
        values: [0],
      })),
  );
}
