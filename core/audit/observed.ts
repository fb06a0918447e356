/**
 * What was seen of the volumes and instances under evaluation: loads, and what each instance throttled. Kept until
 * `forget`, so that memory does not grow with the fleet.
 */

import { type EbsFigures, weightedFigures } from '../catalog/instance-types.ts';
import type { RegionCatalogs } from '../catalog/region-catalog.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import { type InstanceEvidence, instanceEvidence } from '../diagnosis/instance-evidence.ts';
import { type AuditWindow, secondsOf, type Thresholds } from '../diagnosis/thresholds.ts';
import type { HostReading } from '../host/ebs-statistics.ts';
import { attachedCount, type Configured, type Instance, isShared, type Volume } from '../inventory.ts';
import { type Known, unknown } from '../known.ts';
import type { FleetMetrics, MetricSet } from '../load/metrics.ts';
import { type VolumeLoad, volumeLoad } from '../load/volume-load.ts';
import type { PriceBook } from '../prices/prices.ts';
import type { Modifications } from '../recommendations/modifications.ts';
import type { VolumeEvaluation } from '../schemas/audit-result.ts';
import type { Finding } from '../schemas/finding.ts';
import type { EbsPriceReason, LoadReason } from '../schemas/unknown-reasons.ts';
import type { HostEvidence } from '../stripes/host-evidence.ts';
import { type Stripe, stripesOf } from '../stripes/stripes.ts';
import { secondsPerMinute } from '../units.ts';

// The instances of an audit, each with its volumes.

export interface InstanceToEvaluate {
  instance: Instance;
  volumes: Volume[];
}

/** Instances that are described or have a volume attached: their metrics say enough. */
export function instancesToEvaluate(
  instances: readonly Instance[],
  volumes: readonly Volume[],
): InstanceToEvaluate[] {
  const all = new Map<string, InstanceToEvaluate>();
  for (const instance of instances) all.set(instance.instanceId, { instance, volumes: [] });
  for (const volume of volumes) {
    const { region, account } = volume;
    for (const { instanceId } of volume.attachments) {
      const undescribed = { instanceId, instanceType: null, state: 'unknown', region, account, name: null };
      const entry = all.get(instanceId) ?? {
        instance: { ...undescribed, bandwidthWeighting: null },
        volumes: [],
      };
      entry.volumes.push(volume);
      all.set(instanceId, entry);
    }
  }
  return [...all.values()];
}

// What the first of two passes cleared: evaluated by few metrics that showed no trouble, so that no others were asked for.

export interface ClearedVolume {
  knownSeconds: number;
  /** With something in flight. */
  activePeriods: number;
  /** Null without a bucket, or where none was published. */
  lowestBalancePercent: number | null;
}

export interface Cleared {
  /** By volume id. */
  volumes: ReadonlyMap<string, ClearedVolume>;
  instanceIds: ReadonlySet<string>;
  /** Volumes of stopped instances without a point in the first pass: nothing more was asked of them. */
  silentIds: ReadonlySet<string>;
}

/** What is known of it, and no more. */
export function clearedFigures(
  { knownSeconds, activePeriods, lowestBalancePercent }: ClearedVolume,
  window: AuditWindow,
): Partial<VolumeEvaluation> {
  const knownMinutes = knownSeconds / secondsPerMinute;
  return {
    evaluatedBy: 'coarse',
    knownMinutes,
    unknownMinutes: Math.max(0, secondsOf(window) / secondsPerMinute - knownMinutes),
    activePeriods,
    lowestBalancePercent,
    throttledMinutesPeak24h: 0,
  };
}

/** What an instance does with EBS as its bandwidth is weighted; null where its type is not known. */
export function ebsFiguresOfInstance(
  { instanceType, bandwidthWeighting, region }: Instance,
  regionCatalogs: RegionCatalogs,
): EbsFigures | null {
  const ebs =
    instanceType === null ? null : (regionCatalogs(region).instanceTypes.get(instanceType)?.ebs ?? null);
  if (ebs === null || instanceType === null) return null;
  const { figures, mibpsUnknownReason } = weightedFigures(ebs, instanceType, bandwidthWeighting);
  return mibpsUnknownReason === null
    ? figures
    : { ...figures, baselineMiBps: Number.NaN, maximumMiBps: Number.NaN };
}

export class Observed {
  private readonly metrics: FleetMetrics;
  private readonly regionCatalogs: RegionCatalogs;
  private readonly instances: ReadonlyMap<string, InstanceToEvaluate>;
  private readonly hosts: ReadonlyMap<string, HostEvidence>;
  private readonly thresholds: Thresholds;
  private readonly loads = new Map<string, Known<VolumeLoad, LoadReason>>();
  private readonly evidence = new Map<string, InstanceEvidence | null>();
  private readonly stripes = new Map<string, Stripe[]>();
  private readonly diagnosed = new Map<string, DiagnosedVolume>();

  constructor(
    metrics: FleetMetrics,
    regionCatalogs: RegionCatalogs,
    instances: readonly InstanceToEvaluate[],
    hosts: ReadonlyMap<string, HostEvidence>,
    thresholds: Thresholds,
  ) {
    this.metrics = metrics;
    this.regionCatalogs = regionCatalogs;
    this.hosts = hosts;
    this.thresholds = thresholds;
    this.instances = new Map(instances.map((one) => [one.instance.instanceId, one]));
  }

  loadOf(volumeId: string): Known<VolumeLoad, LoadReason> {
    const before = this.loads.get(volumeId);
    if (before !== undefined) return before;
    const unusable = this.metrics.unusableReason(volumeId);
    const load = unusable === null ? volumeLoad(this.metrics.of(volumeId)) : unknown(unusable);
    this.loads.set(volumeId, load);
    return load;
  }

  /** Null where nothing is known of it that tells. */
  evidenceOf(instanceId: string): InstanceEvidence | null {
    const before = this.evidence.get(instanceId);
    if (before !== undefined) return before;
    const made = this.evidenceFrom(this.instances.get(instanceId));
    this.evidence.set(instanceId, made);
    return made;
  }

  private evidenceFrom(of: InstanceToEvaluate | undefined): InstanceEvidence | null {
    if (of === undefined || this.metrics.unusableReason(of.instance.instanceId) !== null) return null;
    const loads = of.volumes
      .filter((volume) => !isShared(volume))
      .map(({ volumeId }) => this.loadOf(volumeId))
      .flatMap((load) => (load.known ? [load.value] : []));
    const metrics = this.metrics.of(of.instance.instanceId);
    const figures = ebsFiguresOfInstance(of.instance, this.regionCatalogs);
    const volumes = attachedCount(of.instance, of.volumes);
    return instanceEvidence({ metrics, figures, loads, volumes }, this.thresholds);
  }

  /** Null where it is neither described nor has a volume. */
  instance(instanceId: string): Instance | null {
    return this.instances.get(instanceId)?.instance ?? null;
  }

  /** The stripes among the volumes of an instance. */
  stripesOn(instanceId: string): Stripe[] {
    const before = this.stripes.get(instanceId);
    if (before !== undefined) return before;
    const loads = (volumeId: string): VolumeLoad | null => {
      const load = this.loadOf(volumeId);
      return load.known ? load.value : null;
    };
    const sources = { host: this.hosts.get(instanceId) ?? null, loads };
    const found = stripesOf(instanceId, this.instances.get(instanceId)?.volumes ?? [], sources);
    this.stripes.set(instanceId, found);
    return found;
  }

  /** What the volumes of an instance counted, in the order of time; none where its host did not say. */
  readingsOf(instanceId: string): readonly HostReading[] {
    return this.hosts.get(instanceId)?.readings ?? [];
  }

  note(diagnosed: DiagnosedVolume): void {
    this.diagnosed.set(diagnosed.volume.volumeId, diagnosed);
  }

  /** Undefined where it was not diagnosed (yet). */
  diagnosisOf(volumeId: string): DiagnosedVolume | undefined {
    return this.diagnosed.get(volumeId);
  }

  forget(): void {
    this.diagnosed.clear();
    this.stripes.clear();
    this.loads.clear();
    this.evidence.clear();
  }
}

// What the rules about volumes work with.

/** Of each volume whose load is known, before its findings are made; with the metrics that it was diagnosed by. */
export type OnDiagnosed = (diagnosed: DiagnosedVolume, metrics: MetricSet) => void;

/** The volumes of one instance with it and its stripes, once they are evaluated; or a volume that is on none. */
export interface EvaluatedGroup {
  /** On its volumes, its stripes and the instance itself. */
  findings: readonly Finding[];
  stripes: readonly Stripe[];
  observed: Observed;
  regionCatalogs: RegionCatalogs;
}
/** Called with each group before what was seen of it is forgotten. */
export type OnEvaluated = (group: EvaluatedGroup) => void;

export interface EvaluationContext {
  metrics: FleetMetrics;
  observed: Observed;
  thresholds: Thresholds;
  instances: ReadonlyMap<string, Instance>;
  regionCatalogs: RegionCatalogs;
  /** By the first of two passes: their load was not read. Null where one pass read everything. */
  cleared: Cleared | null;
  /** Of earlier modifications what somebody told; absent: nothing. */
  modifications?: Modifications | undefined;
  /** Recorded series, evaluated on volumes that somebody described: nobody pays for those. */
  isRecorded: boolean;
  /** Volumes by the instance they are attached to. */
  volumesOf: (instanceId: string) => readonly Volume[];
  /** Called with each volume whose load is known. */
  onDiagnosed: OnDiagnosed;
  onEvaluated: OnEvaluated;
  /** The time that a volume is evaluated over; null where nothing has a figure. */
  windowOf: (volumeId: string) => AuditWindow | null;
}

/** What is the same for every rule about one volume. */
export interface Evaluating extends Configured {
  volume: Volume;
  prices: PriceBook['ebs'];
  usd: Known<number, EbsPriceReason>;
}
