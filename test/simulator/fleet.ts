/** A fleet whose every minute is known: what the AWS CLI would print of it, and what truly throttled it. */
import { secondsPerHour } from '../../core/units.ts';
import { causeOf } from './causes.ts';
import { describeReservation, describeVolume } from './describe.ts';
import { writeInstanceMetrics, writeVolumeMetrics } from './metrics.ts';
import type { FleetPlan, TroubleKind, VolumePlan } from './plan.ts';
import { fleetPlan } from './plans/index.ts';
import type { Rules } from './rules.ts';
import { SeriesWriter } from './series.ts';
import { builtInPriceFactors, type PriceFactors, setupKindsOf } from './setup-kinds.ts';
import {
  instanceTruth,
  looseVolumes,
  type SimulatedInstance,
  type SimulatedVolume,
  simulateInstance,
  volumeIdOf,
  volumeTruth,
  type Window,
} from './simulate.ts';
import {
  activeTimeRateMinutes,
  instanceKinds,
  microBurstsInDay,
  volumeKinds,
  waitedMinutes,
} from './true-kinds.ts';

export interface TrueTrouble {
  region: string;
  resourceId: string;
  kind: string;
  /** The trouble this resource was planted for, false for those that follow literally. */
  intended: boolean;
  /** Minutes in which I/O waited for it; null where it is no waiting. */
  waitedMinutes: number | null;
}

export interface SimulatedFleet {
  startEpochSeconds: number;
  endEpochSeconds: number;
  regions: { region: string; describeVolumes: object; describeInstances: object; getMetricData: object }[];
  troubles: TrueTrouble[];
  /** Must get no finding of these kinds at all. */
  healthyVolumeIds: string[];
  /**
   * Those of the healthy that a rule on the active-time rate alone would call micro-bursts: little I/O on a volume whose
   * limit is below 1 / latency, and I/O that arrives in a fraction of a second. Nothing ever throttled them.
   */
  activeTimeRateOnlyVolumeIds: string[];
  /** Must come out as unknown. */
  unknownVolumeIds: string[];
  /** Per volume id, one cause a minute from startEpochSeconds. */
  causesByVolume: Map<string, string[]>;
  /** Per instance id, the same: what the instance itself throttled. */
  causesByInstance: Map<string, string[]>;
}

/** 2026-11-20T00:00:00Z */
const usualEndEpochSeconds = 1_795_132_800;
const regionNames = ['us-east-1', 'eu-central-1'] as const;
/** GetMetricData returns the newest point first unless it is asked not to. */
const newestFirst = 'eu-central-1';

const isUnknown = ({ plan, ledger }: SimulatedVolume): boolean =>
  (ledger === null && plan.planted !== 'unattached') ||
  (plan.quirks ?? []).some(
    (quirk) => quirk === 'no-metrics' || quirk === 'unheard-type' || quirk === 'creating',
  );

const sharedWith = (plan: FleetPlan, instanceName: string, seed: number): string[] =>
  plan.instances
    .flatMap((one) => one.volumes)
    .filter((volume) => volume.alsoOn?.includes(instanceName))
    .map((volume) => volumeIdOf(volume, seed));

class FleetBuilder {
  readonly troubles: TrueTrouble[] = [];
  readonly healthyVolumeIds: string[] = [];
  readonly activeTimeRateOnlyVolumeIds: string[] = [];
  readonly unknownVolumeIds: string[] = [];
  readonly causesByVolume = new Map<string, string[]>();
  readonly causesByInstance = new Map<string, string[]>();
  private readonly window: Window;
  private readonly plan: FleetPlan;
  private readonly priceFactors: PriceFactors;
  private readonly onVolumes: (simulated: number) => void;

  constructor(
    plan: FleetPlan,
    window: Window,
    { priceFactors, onVolumes }: { priceFactors: PriceFactors; onVolumes: (simulated: number) => void },
  ) {
    this.plan = plan;
    this.window = window;
    this.priceFactors = priceFactors;
    this.onVolumes = onVolumes;
  }

  region(region: string): SimulatedFleet['regions'][number] {
    const writer = new SeriesWriter(this.window, region === newestFirst);
    const { seed } = this.window;
    const Volumes: object[] = [];
    const Reservations: object[] = [];
    for (const plan of this.plan.instances.filter((one) => one.region === region)) {
      const instance = simulateInstance(plan, this.window);
      this.noteInstance(instance);
      Reservations.push(describeReservation(instance, sharedWith(this.plan, plan.name, seed)));
      for (const [index, volume] of instance.volumes.entries()) {
        this.noteVolume(region, volume);
        Volumes.push(describeVolume(volume, { region, zone: plan.zone, seed, on: { instance, index } }));
        writeVolumeMetrics(writer, volume, instance);
      }
      writeInstanceMetrics(writer, instance);
      this.onVolumes(this.causesByVolume.size);
    }
    for (const plan of this.plan.loose.filter((one) => one.region === region)) {
      for (const volume of looseVolumes(plan, seed)) {
        this.noteVolume(region, volume);
        Volumes.push(describeVolume(volume, { region, zone: plan.zone, seed }));
      }
    }
    return {
      region,
      describeVolumes: { Volumes },
      describeInstances: { Reservations },
      getMetricData: { Messages: [], MetricDataResults: writer.results },
    };
  }

  private noteInstance(instance: SimulatedInstance): void {
    const truth = instanceTruth(instance);
    this.causesByInstance.set(instance.instanceId, [...truth.causes]);
    this.noteTroubles(
      instance.plan.region,
      instance.instanceId,
      [...instanceKinds(truth), ...setupKindsOf(instance, this.priceFactors)],
      instance.plan.planted,
      truth,
    );
  }

  private noteVolume(region: string, volume: SimulatedVolume): void {
    const { volumeId, ledger, plan } = volume;
    const cause = ledger?.cause ?? new Uint8Array(this.window.minutes);
    this.causesByVolume.set(volumeId, Array.from(cause, causeOf));
    if (isUnknown(volume)) {
      this.unknownVolumeIds.push(volumeId);
      return;
    }
    const truth = ledger === null ? null : volumeTruth(volume.limits, ledger);
    const kinds = truth === null ? (['unattached'] as const) : volumeKinds(truth);
    this.noteTroubles(region, volumeId, kinds, plan.planted, truth);
    if (kinds.length > 0) return;
    this.healthyVolumeIds.push(volumeId);
    const published = plan.alsoOn === undefined && ledger !== null && truth !== null;
    if (published && activeTimeRateMinutes(truth, ledger.idleSeconds) >= microBurstsInDay) {
      this.activeTimeRateOnlyVolumeIds.push(volumeId);
    }
  }

  private noteTroubles(
    region: string,
    resourceId: string,
    kinds: readonly TroubleKind[],
    planted: VolumePlan['planted'],
    truth: Parameters<typeof waitedMinutes>[1] | null,
  ): void {
    for (const kind of kinds) {
      const waited = truth === null ? null : waitedMinutes(kind, truth);
      this.troubles.push({ region, resourceId, kind, intended: kind === planted, waitedMinutes: waited });
    }
  }
}

/**
 * @param options `seed` changes every number but no truth that was planted; `hours` other than 26 keeps the window's
 * end, so that what was planted before its start is not there; `endEpochSeconds` (a whole hour) moves all of it in time;
 * `priceFactors` are the Regions whose prices the audit knows, as multiples of those of us-east-1; `plan` is another fleet;
 * `rules` are what AWS does otherwise than usual; `onVolumes` hears after each instance how many volumes are done.
 */
export function simulateFleet(
  options: {
    seed?: number;
    hours?: number;
    endEpochSeconds?: number;
    priceFactors?: PriceFactors;
    plan?: FleetPlan;
    rules?: Partial<Rules>;
    onVolumes?: (simulated: number) => void;
  } = {},
): SimulatedFleet {
  const { seed = 1, hours = 26, endEpochSeconds = usualEndEpochSeconds } = options;
  const { priceFactors = builtInPriceFactors, plan = fleetPlan, rules = {}, onVolumes = () => {} } = options;
  const startEpochSeconds = endEpochSeconds - hours * secondsPerHour;
  const builder = new FleetBuilder(
    plan,
    { startEpochSeconds, minutes: hours * 60, seed, rules },
    { priceFactors, onVolumes },
  );
  const regions = regionNames.map((region) => builder.region(region));
  return {
    startEpochSeconds,
    endEpochSeconds,
    regions,
    troubles: builder.troubles,
    healthyVolumeIds: builder.healthyVolumeIds,
    activeTimeRateOnlyVolumeIds: builder.activeTimeRateOnlyVolumeIds,
    unknownVolumeIds: builder.unknownVolumeIds,
    causesByVolume: builder.causesByVolume,
    causesByInstance: builder.causesByInstance,
  };
}
