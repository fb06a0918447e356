/** `stripewise audit` of files: what the AWS CLI printed, or recorded series. */
import { readGetMetricData } from '../adapters/files/aws-cli-metrics.ts';
import { readModifications } from '../adapters/files/aws-cli-modifications.ts';
import { readHosts } from '../adapters/files/host-evidence.ts';
import { readRecordedDirectory } from '../adapters/files/recorded-directory.ts';
import { type AuditInput, audit } from '../core/audit/audit.ts';
import { withoutExcluded } from '../core/audit/excluded.ts';
import { unusedHostNotices } from '../core/audit/notices.ts';
import {
  metricsOf,
  narrowed,
  resourceIdsOf,
  type SelectedResources,
} from '../core/audit/selected-resources.ts';
import { type KeptTags, noTags } from '../core/config/tags.ts';
import type { Thresholds } from '../core/diagnosis/thresholds.ts';
import { BadInput } from '../core/errors.ts';
import type { Instance, Volume } from '../core/inventory.ts';
import { finestEbsPeriodSeconds, MetricCollector } from '../core/load/metrics.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { type ComparedWith, comparedWithNothing, hasOpinions, opinionsOfFiles } from './audit-opinions.ts';
import type { SavedArchive } from './audit-save.ts';
import { readInventory, requireOnce } from './inventory.ts';
import type { Io } from './io.ts';
import { progress } from './progress.ts';
import { regionCatalogsFor } from './region-catalogs.ts';

export interface FileOptions {
  volumes?: string[];
  metrics?: string[];
  instances?: string[];
  recorded?: string;
  hosts?: string[];
  /** Files of earlier modifications. */
  modifications?: string[];
  resource?: string[];
  /** Files of prices that go before those of this machine. */
  prices?: string[];
}

interface Read extends Pick<AuditInput, 'inventory' | 'read'> {
  excludedIds: readonly string[];
}

interface DescribedFleet extends Pick<Read, 'excludedIds'> {
  inventory: { volumes: Volume[]; instances: Instance[] };
  /** Of what is left out: what is known of them is nobody's, and not missed in the inventory. */
  unread: ReadonlySet<string>;
}

export function readFleet(
  volumes: string[],
  instances: string[] | undefined,
  tags: KeptTags,
): DescribedFleet {
  const described = readInventory(volumes, instances ?? [], tags.keys);
  const left = withoutExcluded(described.volumes, described.instances, tags.exclude);
  const inventory = { volumes: left.volumes, instances: left.instances };
  const kept = resourceIdsOf(inventory);
  const unread = new Set([...resourceIdsOf(described)].filter((id) => !kept.has(id)));
  return { inventory, excludedIds: left.excludedIds, unread };
}

function readCliFiles(
  { volumes, metrics, instances }: FileOptions,
  io: Io,
  selected: SelectedResources | null,
  tags: KeptTags,
): Read {
  if (volumes === undefined || metrics === undefined) {
    throw new BadInput(
      'audit of files needs --volumes and --metrics (what the AWS CLI prints; `audit queries` says what to ask for)',
    );
  }
  const { inventory, excludedIds, unread } = readFleet(volumes, instances, tags);
  const asked = selected && resourceIdsOf(selected.narrow(inventory));
  const collector = new MetricCollector(finestEbsPeriodSeconds);
  const reading = progress(io, 'reading metrics', metrics.length);
  const oddities = metrics.map((path) => {
    const odd = readGetMetricData(path, collector, (id) => asked?.has(id) ?? !unread.has(id));
    reading.step();
    return odd;
  });
  reading.done();
  return {
    inventory,
    excludedIds,
    read: {
      metrics: metricsOf(collector.finish(), (id) => !unread.has(id)),
      window: 'of-all',
      notices: oddities.flatMap(({ notices }) => notices),
      incomplete: oddities.flatMap(({ incomplete }) => incomplete),
    },
  };
}

function readRecorded(directory: string, options: FileOptions, selected: SelectedResources | null): Read {
  if (options.volumes !== undefined || options.metrics !== undefined || options.instances !== undefined) {
    throw new BadInput('--recorded brings its own volumes: leave out --volumes, --metrics and --instances');
  }
  if (options.modifications !== undefined)
    throw new BadInput('--recorded series are of no account: leave out --modifications');
  const recorded = readRecordedDirectory(directory, selected?.namesVolume);
  const ids = recorded.volumes.map(({ volumeId }) => volumeId);
  requireOnce(ids, `${directory}: volume`, 'give each its own id');
  const { volumes, metrics, notices } = recorded;
  return {
    inventory: { volumes, instances: [] },
    excludedIds: [],
    read: { metrics, window: 'of-each', notices },
  };
}

/** Who is reported of what is read while it is evaluated. */
export type Listeners = Pick<AuditInput, 'onDiagnosed' | 'onEvaluated'>;

export interface FilesInput {
  hosts?: NonNullable<AuditInput['inventory']['hosts']>;
  tags?: KeptTags;
  thresholds: Thresholds;
  /** Where what is read is kept. */
  saved?: SavedArchive | null;
  compared?: ComparedWith;
}

/** What is compared, for an audit of these volumes. */
export function opinionsFor(
  compared: ComparedWith,
  volumes: readonly Volume[],
): Pick<AuditInput, 'opinions' | 'opinionReads'> {
  if (!hasOpinions(compared)) return {};
  const accounts = [...new Set(volumes.flatMap(({ account }) => account ?? []))];
  const isKnown = volumes.every(({ account }) => account !== null);
  const { opinions, secondOpinionReads } = opinionsOfFiles(compared, volumes, isKnown ? accounts : null);
  return { opinions, opinionReads: secondOpinionReads };
}

/** @param selected what of the files is evaluated; null: everything. */
export async function auditFiles(
  options: FileOptions,
  io: Io,
  selected: SelectedResources | null,
  listeners: Listeners,
  {
    hosts = readHosts(options.hosts ?? []),
    tags = noTags,
    thresholds,
    saved = null,
    compared = comparedWithNothing,
  }: FilesInput,
): Promise<AuditResult> {
  const { excludedIds, inventory, read } =
    options.recorded === undefined
      ? readCliFiles(options, io, selected, tags)
      : readRecorded(options.recorded, options, selected);
  const regions = [...new Set(inventory.volumes.map(({ region }) => region))].sort();
  const regionCatalogs = await regionCatalogsFor(regions, { prices: options.prices ?? [] }, io);
  const notices = [...(read.notices ?? []), ...unusedHostNotices(hosts, resourceIdsOf(inventory))];
  const all: AuditInput = {
    runId: io.newRunId(),
    inventory: { ...inventory, hosts, modifications: readModifications(options.modifications ?? []) },
    read: { ...read, notices },
    rules: { regionCatalogs, thresholds },
    ...opinionsFor(compared, inventory.volumes),
    ...listeners,
  };
  const input = selected === null ? all : narrowed(all, selected);
  await saved?.files(input);
  const evaluating = progress(io, 'evaluating volumes', input.inventory.volumes.length);
  const result = audit(input, () => evaluating.step());
  evaluating.done();
  selected?.excluded(excludedIds);
  const { coverage } = result;
  return excludedIds.length === 0
    ? result
    : { ...result, coverage: { ...coverage, excluded: excludedIds.length } };
}
