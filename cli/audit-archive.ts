/** `audit --archive`: evaluated from the minutes of an archive, as far back as it reaches, a part of the fleet at a time. */
import { statSync } from 'node:fs';
import { nothingThere } from '../adapters/archive/archived-files.ts';
import { type ArchivedTarget, archivedTargets } from '../adapters/archive/archived-targets.ts';
import { archivedWindow, auditArchived } from '../adapters/archive/audit-archived.ts';
import { ArchiveDirectory } from '../adapters/archive/directory.ts';
import type { ArchiveStore } from '../adapters/archive/store.ts';
import { readModifications } from '../adapters/files/aws-cli-modifications.ts';
import { readHosts } from '../adapters/files/host-evidence.ts';
import { fileAt } from '../adapters/files/read-file.ts';
import { manifestsPrefix } from '../core/archive/keys.ts';
import { longestArchivedDays } from '../core/audit/batches.ts';
import type { SelectedResources } from '../core/audit/selected-resources.ts';
import type { KeptTags } from '../core/config/tags.ts';
import type { AuditWindow, Thresholds } from '../core/diagnosis/thresholds.ts';
import { BadInput } from '../core/errors.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { msPerSecond } from '../core/units.ts';
import { type FileOptions, type Listeners, opinionsFor, readFleet } from './audit-files.ts';
import type { ComparedWith } from './audit-opinions.ts';
import { asking, openArchive } from './history-archive.ts';
import type { Io } from './io.ts';
import { progress } from './progress.ts';
import { regionCatalogsFor } from './region-catalogs.ts';

interface WindowAsked {
  lookbackDays: number;
  /** Null: the end of the archive. */
  until: Date | null;
}

interface ArchiveInput {
  selected: SelectedResources | null;
  listeners: Listeners;
  tags: KeptTags;
  thresholds: Thresholds;
  window: WindowAsked;
  compared: ComparedWith;
}

async function storeAt(path: string, profile: string | undefined): Promise<ArchiveStore> {
  if (path.startsWith('s3:'))
    return (await openArchive({ archive: path, ...(profile === undefined ? {} : { profile }) })).store;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new BadInput(`--archive ${path}: there is no such directory: give one that \`audit --save\` made`);
  return new ArchiveDirectory(path);
}

async function windowOf(
  { lookbackDays, until }: WindowAsked,
  store: ArchiveStore,
  targets: readonly ArchivedTarget[],
): Promise<AuditWindow> {
  if (lookbackDays > longestArchivedDays)
    throw new BadInput(
      `--lookback-days ${lookbackDays}: an archive is read for at most ${longestArchivedDays} days`,
    );
  if (targets.length === 0) await nothingThere(store, manifestsPrefix);
  const untilSeconds = until === null ? null : until.getTime() / msPerSecond;
  const window = await archivedWindow(store, targets, lookbackDays, untilSeconds);
  if (window === null)
    throw new BadInput(
      `--archive ${store.name}: no metrics of an archive are in it: make one with \`audit --save\`, or give --until where its manifests cannot be read`,
    );
  return window;
}

type ArchiveFileOptions = FileOptions & { archive: string; profile?: string };

/** Who reads S3 without credentials can put that right. */
export const auditArchive = (
  options: ArchiveFileOptions,
  io: Io,
  input: ArchiveInput,
): Promise<AuditResult> => asking(options, () => auditOpened(options, io, input));

async function auditOpened(
  { archive, profile, ...files }: ArchiveFileOptions,
  io: Io,
  { selected, listeners, tags, thresholds, window: asked, compared }: ArchiveInput,
): Promise<AuditResult> {
  const { volumes, metrics, recorded } = files;
  if (metrics !== undefined || recorded !== undefined)
    throw new BadInput('--archive is instead of --metrics and --recorded: leave out one of them');
  if (volumes === undefined)
    throw new BadInput('--archive holds metrics alone: give --volumes (and --instances) too');
  const store = await storeAt(archive, profile);
  const { inventory, excludedIds } = readFleet(volumes, files.instances, tags);
  selected?.excluded(excludedIds);
  const targets = await archivedTargets(store);
  const window = await windowOf(asked, store, targets);
  const fleet = selected === null ? inventory : selected.narrow(inventory);
  const hosts = readHosts(files.hosts ?? []);
  const modifications = readModifications((files.modifications ?? []).map(fileAt));
  const regions = [...new Set(fleet.volumes.map(({ region }) => region))].sort();
  const regionCatalogs = await regionCatalogsFor(regions, { prices: files.prices ?? [] }, io);
  const { opinions, opinionReads } = opinionsFor(compared, inventory.volumes);
  return auditArchived(
    {
      ...{ store, targets, window, fleet, described: inventory, hosts, modifications },
      ...{ runId: io.newRunId(), rules: { regionCatalogs, thresholds }, excluded: excludedIds.length },
      ...{ opinions, opinionReads },
      ...listeners,
    },
    (parts) => progress(io, 'reading the archive and evaluating', parts),
  );
}
