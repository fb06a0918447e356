/** What a host of a campaign is told to do: documents and their parameters, one after the other. */
import { z } from 'zod';
import { isHdd } from '../../limits/volume-limits.ts';
import { secondsPerHour } from '../../units.ts';
import { placesOf, profileNames, profiles } from '../profiles.ts';
import { type Found, nextOf, type Probe } from '../search.ts';
import { type Cell, memberLimits } from './cells.ts';
import { fileSizeMiBOf } from './estimate.ts';
import type { BenchRequest, Load } from './request.ts';

export const documents = [
  'build-stripe',
  'initialize-volumes',
  'drain-credits',
  'run-fio',
  'measure-load',
] as const;
export type DocumentName = (typeof documents)[number];

/** What a command is for: it is told to who watches. */
const commandSteps = [
  z.object({ code: z.literal('build-stripe') }),
  z.object({ code: z.literal('initialize-volumes') }),
  z.object({ code: z.literal('drain-credits') }),
  z.object({ code: z.literal('run-profile'), profile: z.enum(profileNames), runId: z.string() }),
  z.object({ code: z.literal('measure-load'), inFlight: z.number(), runId: z.string() }),
] as const;
export const commandStepSchema = z.discriminatedUnion('code', commandSteps);
type CommandStep = z.infer<typeof commandStepSchema>;

/** What a cell is at. */
export type CellStep =
  | CommandStep
  | { code: 'launch-host' }
  | { code: 'wait-for-host' }
  | { code: 'choose-next' }
  | { code: 'end-host' };

export interface Command {
  step: CommandStep;
  document: DocumentName;
  parameters: Readonly<Record<string, string>>;
}

const mounts = { data: '/srv/data', writeImageJournal: '/srv/wij', journal: '/srv/journal' } as const;
/** Of the whole, in percent; what is left is for what a file system notes of itself. */
const percents = { data: 84, writeImageJournal: 8, journal: 8 } as const;

const hasThreePlaces = ({ work }: BenchRequest): boolean =>
  work.kind === 'profile' && placesOf(profiles[work.profile][work.variant]).length > 1;

function buildCommand(request: BenchRequest, { layout }: Cell, volumeIds: readonly string[]): Command {
  const fileSystems = hasThreePlaces(request)
    ? `data=${mounts.data}:${percents.data},wij=${mounts.writeImageJournal}:${percents.writeImageJournal},journal=${mounts.journal}:${percents.journal}`
    : `data=${mounts.data}:100`;
  return {
    step: { code: 'build-stripe' },
    document: 'build-stripe',
    parameters: {
      ...{ name: 'bench', members: volumeIds.join(','), layout: layout.kind },
      ...{ chunkKiB: String(layout.chunkKiB), fileSystemType: layout.fileSystem, fileSystems },
      // New volumes are zero from end to end.
      initialSync: 'skip',
    },
  };
}

function drainCommand({ layout }: Cell, volumeIds: readonly string[], timeLimitSeconds: number): Command {
  const { baselineIops, baselineMiBps } = memberLimits(layout);
  const isSequential = isHdd(layout.volumeType);
  return {
    step: { code: 'drain-credits' },
    document: 'drain-credits',
    parameters: {
      volumeIds: volumeIds.join(','),
      access: isSequential ? 'sequential' : 'random',
      baseline: String(Math.round(isSequential ? baselineMiBps : baselineIops)),
      timeLimitSeconds: String(timeLimitSeconds),
    },
  };
}

/** Not longer than the host lives, and not longer than documents take. */
const limitOf = (hours: number): number => Math.min(Math.floor(hours * secondsPerHour), 99_999);

export interface Host {
  volumeIds: readonly string[];
  /** s3://BUCKET/PREFIX, to which it may write: what a command measured is RUN-ID.json there. */
  s3Uri: string;
  hoursToLive: number;
}

function profileCommand(request: BenchRequest, runId: string, { s3Uri, hoursToLive }: Host): Command {
  const { work } = request;
  if (work.kind !== 'profile') throw new Error('the work is no profile');
  return {
    step: { code: 'run-profile', profile: work.profile, runId },
    document: 'run-fio',
    parameters: {
      ...{ profile: work.profile, variant: work.variant, directory: mounts.data },
      ...(hasThreePlaces(request)
        ? { writeImageJournalDirectory: mounts.writeImageJournal, journalDirectory: mounts.journal }
        : {}),
      fileSizeMiB: String(fileSizeMiBOf(request)),
      ...{ timeLimitSeconds: String(limitOf(hoursToLive)), s3Uri, runId },
    },
  };
}

/** Jobs that share what is to be under way; so many that one more of each is a small step. */
const maxJobs = 64;
export function jobsOf(underWay: number): { users: number; ioDepth: number } {
  const ioDepth = Math.ceil(underWay / maxJobs);
  return { users: Math.ceil(underWay / ioDepth), ioDepth };
}

function loadCommand(
  request: BenchRequest,
  { load, seconds }: { load: Load; seconds: number },
  runId: string,
  { s3Uri, hoursToLive }: Host,
): Command {
  const { access, blockKiB, readPercent, users, ioDepth, iops } = load;
  return {
    step: { code: 'measure-load', inFlight: users * ioDepth, runId },
    document: 'measure-load',
    parameters: {
      ...{ directory: mounts.data, access, blockKiB: String(blockKiB), readPercent: String(readPercent) },
      ...{ users: String(users), ioDepth: String(ioDepth), iops: iops === undefined ? '' : String(iops) },
      ...{ seconds: String(seconds), fileSizeMiB: String(fileSizeMiBOf(request)) },
      // The next one is measured on the same file; with the host it goes.
      keepFile: 'yes',
      ...{ timeLimitSeconds: String(limitOf(hoursToLive)), s3Uri, runId },
    },
  };
}

function initializeCommand(volumeIds: readonly string[], timeLimitSeconds: number): Command {
  return {
    step: { code: 'initialize-volumes' },
    document: 'initialize-volumes',
    parameters: { volumeIds: volumeIds.join(','), timeLimitSeconds: String(timeLimitSeconds) },
  };
}

/** Of a search: what measures so many at once. @throws Error where the work is none. */
export function loadParameters(
  request: BenchRequest,
  underWay: number,
  runId: string,
  host: Host,
): Readonly<Record<string, string>> {
  const { work } = request;
  if (work.kind !== 'search') throw new Error('the work is no search');
  const load = { ...work.load, ...jobsOf(underWay) };
  return loadCommand(request, { ...work, load }, runId, host).parameters;
}

function preparations(request: BenchRequest, cell: Cell, { volumeIds, hoursToLive }: Host): Command[] {
  const build = buildCommand(request, cell, volumeIds);
  const most = limitOf(hoursToLive);
  switch (request.prepare) {
    case 'nothing':
      return [build];
    case 'initialize':
      return [build, initializeCommand(volumeIds, most)];
    case 'drain-credits':
      return [build, drainCommand(cell, volumeIds, most)];
  }
}

export type NextCommand = { command: Command } | { done: Found | null };

/** As results are called, and keys of them: the third repeat is r3, the second probe of a search p2. */
const repeatId = (index: number): string => `r${index + 1}`;
const probeId = (index: number): string => `p${index + 1}`;

/** Run ids of what a cell has measured after so many commands. */
export function measuredRunIds({ work, prepare }: BenchRequest, commandsDone: number): string[] {
  const measured = Math.max(0, commandsDone - (prepare === 'nothing' ? 1 : 2));
  return Array.from({ length: measured }, (_, index) =>
    work.kind === 'search' ? probeId(index) : repeatId(index),
  );
}

/**
 * What a host is to do next.
 * @param commandsDone how many it has done. @param probes of a search: what was measured, in order.
 */
export function nextCommand(
  request: BenchRequest,
  cell: Cell,
  host: Host,
  commandsDone: number,
  probes: readonly Probe[],
): NextCommand {
  const first = preparations(request, cell, host);
  const [preparation] = first.slice(commandsDone);
  if (preparation !== undefined) return { command: preparation };
  const index = commandsDone - first.length;
  const { work, repeats } = request;
  if (work.kind === 'search') {
    const next = nextOf(probes, work.goal);
    if ('found' in next) return { done: next.found };
    const load = { ...work.load, ...jobsOf(next.measure) };
    return { command: loadCommand(request, { ...work, load }, probeId(index), host) };
  }
  if (index >= repeats) return { done: null };
  const runId = repeatId(index);
  return {
    command:
      work.kind === 'load' ? loadCommand(request, work, runId, host) : profileCommand(request, runId, host),
  };
}
