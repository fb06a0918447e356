/**
 * What was seen of the volumes and instances under evaluation: loads, and what each instance throttled. Kept until
 * `forget`, so that memory does not grow with the fleet.
 */
import { weightedFigures } from '../catalog/bandwidth-weighting.ts';
import type { EbsFigures } from '../catalog/instance-type.ts';
import type { RegionCatalogs } from '../catalog/region-catalog.ts';
import { isShared } from '../diagnosis/attached-volumes.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import { type InstanceEvidence, instanceEvidence } from '../diagnosis/instance-evidence.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import { attachedCount, type Instance } from '../inventory.ts';
import { type Known, unknown } from '../known.ts';
import type { FleetMetrics } from '../load/fleet-metrics.ts';
import type { LoadReason } from '../load/load-reason.ts';
import { type VolumeLoad, volumeLoad } from '../load/volume-load.ts';
import type { HostEvidence } from '../stripes/host-evidence.ts';
import type { Stripe } from '../stripes/stripe.ts';
import { stripesOf } from '../stripes/stripes-of.ts';
import type { InstanceToEvaluate } from './instances-to-evaluate.ts';

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
