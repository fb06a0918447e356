/** What was given to be audited, and what came of it: all of it ends with the page. */
import type { ReportWithSeries } from '../../core/report/audit-report.ts';
import type { CatalogSource } from '../catalogs.ts';
import { lineOf } from '../picked-file.ts';
import type { FilesByKind, MadeQueries } from './audit-job.ts';
import {
  archivesIn,
  beginningBytes,
  type FileKind,
  type FilesOfArchive,
  type GivenPath,
  isGzip,
  kindOf,
  shownName,
  tooLarge,
} from './given-files.ts';
import type { PostedFile, PostedJob, Progress, WorkerMessage } from './messages.ts';
import { startOwnWorker } from './own-page.ts';

export interface GivenFile {
  id: number;
  name: string;
  file: File;
  /** Null: it is no use, for the problem. */
  kind: FileKind | null;
  problem: string | null;
}

export interface GivenArchive extends FilesOfArchive {
  id: number;
  bytes: number;
}

export interface SessionState {
  files: readonly GivenFile[];
  archives: readonly GivenArchive[];
  /** Files of directories that are neither of an archive nor JSON. */
  passedOver: number;
  lookbackDays: number;
  /** Null: the end of the archive. */
  untilSeconds: number | null;
  running: { of: PostedJob['of']; progress: Progress | null } | null;
  problem: string | null;
  queries: MadeQueries | null;
  report: ReportWithSeries | null;
}

const nothing: SessionState = {
  ...{ files: [], archives: [], passedOver: 0, lookbackDays: 14, untilSeconds: null },
  ...{ running: null, problem: null, queries: null, report: null },
};

/** The beginning of what is packed; of a file that is no gzip all of it is nothing. */
async function unpackedBeginning(packed: Blob): Promise<Uint8Array> {
  const reader = packed.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    return (await reader.read()).value ?? new Uint8Array(0);
  } finally {
    // What comes after is of no interest, nor that it is cut.
    reader.cancel().catch(() => {});
  }
}

async function kindOfFile(name: string, file: File): Promise<Pick<GivenFile, 'kind' | 'problem'>> {
  const large = tooLarge(name, file.size);
  if (large !== null) return { kind: null, problem: large };
  try {
    const beginning = new Uint8Array(await file.slice(0, beginningBytes).arrayBuffer());
    const plain = isGzip(beginning) ? await unpackedBeginning(file) : beginning;
    return { kind: null, problem: null, ...kindOf(name, plain) };
  } catch (error) {
    return { kind: null, problem: `${name}: cannot be read: ${lineOf(error)}; give it again` };
  }
}

/** Random version 4; `crypto.randomUUID` is not there where a page comes over plain HTTP. */
function newRunId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const byName = (a: GivenFile, b: GivenFile): number => (a.name < b.name ? -1 : 1);

export class AuditSession {
  private current = nothing;
  private readonly listeners = new Set<(state: SessionState) => void>();
  private worker: Worker | null = null;
  private lastId = 0;

  get state(): SessionState {
    return this.current;
  }

  /** @returns what ends it. */
  subscribe(listener: (state: SessionState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  change(part: Partial<SessionState>): void {
    this.current = { ...this.current, ...part };
    for (const listener of this.listeners) listener(this.current);
  }

  /** Says what each is; nothing is audited yet. */
  async give(paths: readonly GivenPath[]): Promise<void> {
    const { archives, others } = archivesIn(paths);
    // Of a directory only what may be meant: it can hold anything.
    const meant = others.filter(({ path }) => !path.includes('/') || /\.json(\.gz)?$/i.test(path));
    const files: GivenFile[] = [];
    for (const { path, file } of meant) {
      const name = shownName(path);
      files.push({ id: ++this.lastId, name, file, ...(await kindOfFile(name, file)) });
    }
    const given = archives.map((archive) => ({
      ...archive,
      id: ++this.lastId,
      bytes: archive.files.reduce((total, { file }) => total + file.size, 0),
    }));
    const nothingFound = paths.length > 0 && files.length === 0 && given.length === 0;
    this.change({
      files: [...this.current.files, ...files.sort(byName)],
      archives: [...this.current.archives, ...given],
      passedOver: this.current.passedOver + (others.length - meant.length),
      queries: null,
      problem: nothingFound
        ? 'The directory has no archive in it, that is, no files below history/metrics/ or history/manifests/, and no JSON: give the directory that audit --save made.'
        : null,
    });
  }

  refuse(error: unknown): void {
    this.change({ problem: `What was given cannot be read: ${lineOf(error)}` });
  }

  remove(id: number): void {
    const { files, archives } = this.current;
    this.change({
      files: files.filter((one) => one.id !== id),
      archives: archives.filter((one) => one.id !== id),
      ...{ queries: null, problem: null },
    });
  }

  removeAll(): void {
    this.cancel();
    this.change(nothing);
  }

  private posted(): FilesByKind<PostedFile> {
    const of = (kind: FileKind): PostedFile[] =>
      this.current.files.filter((one) => one.kind === kind).map(({ name, file }) => ({ name, file }));
    return {
      ...{ volumes: of('volumes'), instances: of('instances') },
      ...{ metrics: of('metrics'), modifications: of('modifications') },
    };
  }

  audit(catalogs: readonly CatalogSource[]): void {
    const { archives, lookbackDays, untilSeconds } = this.current;
    const [archive = null] = archives;
    this.run({
      of: 'audit',
      files: this.posted(),
      archive: archive && { name: archive.name, files: archive.files },
      ...{ lookbackDays, untilSeconds, catalogs, runId: newRunId(), madeAt: new Date().toISOString() },
    });
  }

  makeQueries(lookbackDays: number, periodSeconds: number): void {
    const { volumes, instances } = this.posted();
    this.run({ of: 'queries', files: { volumes, instances }, lookbackDays, periodSeconds });
  }

  private run(job: PostedJob): void {
    this.cancel();
    this.change({ running: { of: job.of, progress: null }, problem: null });
    try {
      const worker = startOwnWorker();
      this.worker = worker;
      worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
        // What a cancelled one had said before it ended belongs to no audit.
        if (this.worker === worker) this.hear(data);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        this.fail(
          `The audit ended early: ${lineOf(event.message || 'its worker stopped, which too little memory does')}. Give fewer files at a time.`,
        );
      };
      worker.onmessageerror = () => this.fail('The audit ended early: its result could not be handed over.');
      worker.postMessage(job);
    } catch (error) {
      this.fail(`The audit cannot be started: ${lineOf(error)}`);
    }
  }

  private hear(message: WorkerMessage): void {
    const { running } = this.current;
    if (running === null) return;
    if (message.of === 'progress') {
      this.change({ running: { ...running, progress: message.progress } });
      return;
    }
    this.stop();
    if (message.of === 'failed') this.change({ running: null, problem: message.problem });
    else if (message.of === 'queries') this.change({ running: null, queries: message.queries });
    else this.change({ running: null, report: message.report });
  }

  private fail(problem: string): void {
    this.stop();
    this.change({ running: null, problem });
  }

  /** All that the worker read is forgotten with it. */
  private stop(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  cancel(): void {
    this.stop();
    if (this.current.running !== null) this.change({ running: null });
  }
}
