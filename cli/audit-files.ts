/** `stripewise audit` of files: what the AWS CLI printed, or recorded series. */
import {
  type DescribedFleet,
  MetricReplies,
  readFleet as readDescribedFleet,
  requireOnce,
} from '../adapters/files/aws-cli-fleet.ts';
import { readModifications } from '../adapters/files/aws-cli-modifications.ts';
import { readHosts } from '../adapters/files/host-evidence.ts';
import { fileAt } from '../adapters/files/read-file.ts';
import { readRecordedDirectory } from '../adapters/files/recorded-directory.ts';
import { type AuditInput, audit } from '../core/audit/audit.ts';
import { unusedHostNotices } from '../core/audit/notices.ts';
import { narrowed, resourceIdsOf, type SelectedResources } from '../core/audit/selected-resources.ts';
import { type KeptTags, noTags } from '../core/config/tags.ts';
import type { Thresholds } from '../core/diagnosis/thresholds.ts';
import { BadInput } from '../core/errors.ts';
import type { Volume } from '../core/inventory.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { type ComparedWith, comparedWithNothing, hasOpinions, opinionsOfFiles } from './audit-opinions.ts';
import type { SavedArchive } from './audit-save.ts';
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

export const readFleet = (
  volumes: readonly string[],
  instances: readonly string[] | undefined,
  tags: KeptTags,
): DescribedFleet => readDescribedFleet(volumes.map(fileAt), (instances ?? []).map(fileAt), tags);

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
  const fleet = readFleet(volumes, instances, tags);
  const { inventory, excludedIds } = fleet;
  const replies = new MetricReplies(fleet, selected && resourceIdsOf(selected.narrow(inventory)));
  const reading = progress(io, 'reading metrics', metrics.length);
  for (const path of metrics) {
    replies.add(fileAt(path));
    reading.step();
  }
  reading.done();
  return { inventory, excludedIds, read: replies.finish() };
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
    inventory: {
      ...inventory,
      hosts,
      modifications: readModifications((options.modifications ?? []).map(fileAt)),
    },
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
