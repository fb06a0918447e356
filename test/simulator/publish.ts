/** What the AWS CLI would print of simulated instances and their volumes: of one Region, without loose volumes. */
import { describeReservation, describeVolume } from './describe.ts';
import { writeInstanceMetrics, writeVolumeMetrics } from './metrics.ts';
import { type MetricDataResult, SeriesWriter } from './series.ts';
import { type SimulatedInstance, volumeIdOf, type Window } from './simulate.ts';

export interface Published {
  describeVolumes: { Volumes: object[] };
  describeInstances: { Reservations: object[] };
  getMetricData: { Messages: object[]; MetricDataResults: MetricDataResult[] };
}

export function publish(instances: readonly SimulatedInstance[], window: Window): Published {
  const { seed, startEpochSeconds } = window;
  const writer = new SeriesWriter(window, false);
  const Volumes: object[] = [];
  const Reservations: object[] = [];
  const all = instances.flatMap(({ volumes }) => volumes);
  for (const instance of instances) {
    const { name, region, zone } = instance.plan;
    const shared = all
      .filter(({ plan }) => plan.alsoOn?.includes(name))
      .map(({ plan }) => volumeIdOf(plan, seed));
    Reservations.push(describeReservation(instance, shared));
    for (const [index, volume] of instance.volumes.entries()) {
      Volumes.push(
        describeVolume(volume, { region, zone, seed, startEpochSeconds, on: { instance, index } }),
      );
      writeVolumeMetrics(writer, volume, instance);
    }
    writeInstanceMetrics(writer, instance);
  }
  return {
    describeVolumes: { Volumes },
    describeInstances: { Reservations },
    getMetricData: { Messages: [], MetricDataResults: writer.results },
  };
}
