/** What the rules about volumes work with. */
import type { RegionCatalogs } from '../catalog/region-catalog.ts';
import type { AuditWindow } from '../diagnosis/audit-window.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import type { Instance, Volume } from '../inventory.ts';
import type { Known } from '../known.ts';
import type { Configured } from '../limits/volume-configuration.ts';
import type { FleetMetrics, MetricSet } from '../load/fleet-metrics.ts';
import type { EbsPrices } from '../prices/price-book.ts';
import type { PriceReason } from '../prices/price-reason.ts';
import type { Finding } from '../schemas/finding.ts';
import type { Stripe } from '../stripes/stripe.ts';
import type { Cleared } from './cleared.ts';
import type { Observed } from './observed.ts';

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
  prices: Known<EbsPrices, PriceReason>;
  usd: Known<number, PriceReason>;
}
