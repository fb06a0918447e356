/** What the worker does of what it is given: an audit with its report, or the queries for CloudWatch. */
import { nothingThere } from '../../adapters/archive/archived-files.ts';
import { archivedTargets } from '../../adapters/archive/archived-targets.ts';
import { archivedWindow, auditArchived } from '../../adapters/archive/audit-archived.ts';
import type { ArchiveStore } from '../../adapters/archive/store.ts';
import { type DescribedFleet, MetricReplies, readFleet } from '../../adapters/files/aws-cli-fleet.ts';
import { readModifications } from '../../adapters/files/aws-cli-modifications.ts';
import type { TextFile } from '../../adapters/files/text-file.ts';
import { manifestsPrefix } from '../../core/archive/keys.ts';
import { type AuditInput, audit } from '../../core/audit/audit.ts';
import { queryRequests, queryWindow, requestText, volumesAsked } from '../../core/audit/query-files.ts';
import { noTags } from '../../core/config/tags.ts';
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import { BadInput } from '../../core/errors.ts';
import { figure } from '../../core/figures.ts';
import { usdOfMetrics } from '../../core/load/metrics.ts';
import { auditReport, type PackedSeries, type ReportWithSeries } from '../../core/report/audit-report.ts';
import { keepSeries } from '../../core/report/series-keeper.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { isoFromEpochSeconds } from '../../core/units.ts';
import { packed } from '../../report/browser/shared/packing.ts';
import { type CatalogSource, catalogsOfSources } from '../catalogs.ts';
import type { FileKind } from './given-files.ts';

export type FilesByKind<F = TextFile> = Record<FileKind, readonly F[]>;

export interface AuditJob {
  files: FilesByKind;
  /** Null: the metrics are of files. */
  archive: ArchiveStore | null;
  /** Of an archive. */
  lookbackDays: number;
  /** Null: the end of the archive. */
  untilSeconds: number | null;
  /** Those that go before the ones that come with the page. */
  catalogs: readonly CatalogSource[];
  runId: string;
  /** ISO 8601 UTC. */
  madeAt: string;
}

/** The report of as many is drawn at once, within a second; of five times as many the page would stand still for ten. */
export const maxVolumes = 20_000;

/** @throws BadInput: before the metrics are read. */
function refuseTooMany(volumes: number, isArchive: boolean): void {
  if (volumes <= maxVolumes) return;
  const source = isArchive ? '--archive DIRECTORY' : '--metrics reply-*.json';
  throw new BadInput(
    `There are ${figure(volumes)} volumes, and this page audits at most ${figure(maxVolumes)}; the command line can: stripewise audit --volumes volumes.json ${source}`,
  );
}

export interface AuditListener {
  /** Parts of an archive, or volumes, that are evaluated by now. */
  evaluated: (done: number, total: number) => void;
}

type OnEvaluated = NonNullable<AuditInput['onEvaluated']>;

function auditFiles(
  job: AuditJob,
  fleet: DescribedFleet,
  onEvaluated: OnEvaluated,
  { evaluated }: AuditListener,
): AuditResult {
  const { inventory } = fleet;
  const modifications = readModifications(job.files.modifications);
  const replies = new MetricReplies(fleet);
  for (const file of job.files.metrics) replies.add(file);
  let done = 0;
  const total = inventory.volumes.length;
  return audit(
    {
      runId: job.runId,
      inventory: { ...inventory, hosts: new Map(), modifications },
      read: replies.finish(),
      rules: { regionCatalogs: catalogsOfSources(job.catalogs), thresholds: defaultThresholds },
      onEvaluated,
    },
    () => evaluated(++done, total),
  );
}

async function auditArchive(
  job: AuditJob,
  store: ArchiveStore,
  { inventory }: DescribedFleet,
  onEvaluated: OnEvaluated,
  { evaluated }: AuditListener,
): Promise<AuditResult> {
  const modifications = readModifications(job.files.modifications);
  const targets = await archivedTargets(store);
  if (targets.length === 0) await nothingThere(store, manifestsPrefix);
  const window = await archivedWindow(store, targets, job.lookbackDays, job.untilSeconds);
  if (window === null)
    throw new BadInput(`${store.name}: its manifests do not say when it ends: give the end of the window`);
  return auditArchived(
    {
      ...{ store, targets, window, fleet: inventory, described: inventory, hosts: new Map(), modifications },
      ...{ runId: job.runId, excluded: 0 },
      rules: { regionCatalogs: catalogsOfSources(job.catalogs), thresholds: defaultThresholds },
      onEvaluated,
    },
    (parts) => {
      let done = 0;
      evaluated(0, parts);
      return { step: () => evaluated(++done, parts), done: () => {} };
    },
  );
}

/** @throws BadInput, Unreadable: one line that can be shown. */
export async function auditOf(job: AuditJob, listener: AuditListener): Promise<ReportWithSeries> {
  const fleet = readFleet(job.files.volumes, job.files.instances, noTags);
  refuseTooMany(fleet.inventory.volumes.length, job.archive !== null);
  /** As text: what is drawn later takes less room so than as numbers. */
  const texts = new Map<string, string>();
  const onEvaluated = keepSeries((one) => texts.set(one.resourceId, JSON.stringify(one)));
  const result =
    job.archive === null
      ? auditFiles(job, fleet, onEvaluated, listener)
      : await auditArchive(job, job.archive, fleet, onEvaluated, listener);
  const series: PackedSeries[] = [];
  for (const [resourceId, text] of texts) series.push({ resourceId, packed: await packed(text) });
  return auditReport(result, series, { madeAt: job.madeAt, label: null, comparison: null });
}

// The queries.

export interface QueriesJob {
  files: Pick<FilesByKind, 'volumes' | 'instances'>;
  lookbackDays: number;
  periodSeconds: number;
  now: Date;
}

export interface MadeQueries {
  start: string;
  end: string;
  periodSeconds: number;
  volumes: number;
  volumesAsked: number;
  metrics: number;
  /** At the price of us-east-1. */
  usd: number;
  regions: string[];
  hasInstances: boolean;
  files: { region: string; name: string; metrics: number; text: string }[];
}

/** @throws BadInput where a file cannot be used, or CloudWatch does not keep such points so long. */
export function queriesOf({ files, lookbackDays, periodSeconds, now }: QueriesJob): MadeQueries {
  const window = queryWindow(lookbackDays, periodSeconds, now);
  const { volumes, instances } = readFleet(files.volumes, files.instances, noTags).inventory;
  const requests = queryRequests(volumes, instances, window, periodSeconds);
  const metrics = requests.reduce((total, { queries }) => total + queries.length, 0);
  return {
    start: isoFromEpochSeconds(window.startEpochSeconds),
    end: isoFromEpochSeconds(window.endEpochSeconds),
    periodSeconds,
    volumes: volumes.length,
    volumesAsked: volumesAsked(volumes, periodSeconds),
    metrics,
    usd: usdOfMetrics(metrics),
    regions: [...new Set(volumes.map(({ region }) => region))],
    hasInstances: instances.length > 0,
    files: requests.map(({ region, name, queries }) => ({
      ...{ region, name, metrics: queries.length },
      text: requestText(queries, window),
    })),
  };
}
