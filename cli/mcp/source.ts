/** Where the answers about a fleet come from: a saved audit, files, an archive, or the account; read when a tool asks. */
import { readAuditResult } from '../../adapters/files/audit-result.ts';
import { readHosts } from '../../adapters/files/host-evidence.ts';
import { requireThere } from '../../adapters/files/read-file.ts';
import { type Picked, SelectedResources } from '../../core/audit/selected-resources.ts';
import type { DiagnosedVolume } from '../../core/diagnosis/diagnosed-volume.ts';
import { BadInput } from '../../core/errors.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { CheckAnswer } from '../../core/schemas/check-answer.ts';
import { instanceIdOf, volumeIdsOf } from '../../core/schemas/finding-kinds.ts';
import type { VolumeHistory } from '../../core/schemas/history-answers.ts';
import { msPerSecond, secondsPerHour } from '../../core/units.ts';
import { type OfConfig, useConfig } from '../audit-config.ts';
import type { Io } from '../io.ts';
import { isArchiveInS3, type McpOptions, type SourceKind, sourceKindOf } from './options.ts';
import { type CostOfCall, Spending } from './spending.ts';

/** The next part is asked for soon: after ten minutes it is read anew. */
const listKeptMs = 600_000;

/** Keeps what a list was made of, so that all its parts are of one reading: nothing is lost between them, or comes twice. */
class LastReading<T> {
  private kept: { asked: string; value: T; atMs: number } | null = null;

  /**
   * @param asked what it is a reading of.
   * @param cursor of the part; without one it is read anew.
   */
  async of(
    asked: object,
    { cursor, now }: { cursor: string | undefined; now: Date },
    read: () => Promise<T>,
  ): Promise<T> {
    const { kept } = this;
    const key = JSON.stringify(asked);
    const atMs = now.getTime();
    if (cursor !== undefined && kept?.asked === key && atMs - kept.atMs < listKeptMs) return kept.value;
    const value = await read();
    this.kept = { asked: key, value, atMs };
    return value;
  }
}

/** A window other than the usual one. */
export interface Window {
  until: Date;
  lookbackDays: number;
}

type OnDiagnosed = (diagnosed: DiagnosedVolume) => void;

interface Evaluating {
  selected: SelectedResources | null;
  window: Window | null;
  onDiagnosed: OnDiagnosed;
}

export interface Whole {
  result: AuditResult;
  readAt: Date;
}

/** What was read of one resource. */
interface KeptResource {
  /** Resource and window. */
  asked: string;
  picked: Picked;
  diagnosed: readonly DiagnosedVolume[];
  readAt: Date;
}

/** Volumes whose minutes are kept: about 3 MB each of 14 days. */
const maxKept = 4;

/** What was read is old after this. */
const keptMs = secondsPerHour * msPerSecond;

export class Source {
  readonly kind: SourceKind;
  readonly spending: Spending;
  readonly options: McpOptions;
  readonly lastCheck = new LastReading<CheckAnswer>();
  readonly lastHistory = new LastReading<VolumeHistory>();
  private readonly io: Io;
  private readonly config: OfConfig;
  private whole: Whole | null = null;
  private kept: KeptResource | null = null;
  private last: Promise<unknown> = Promise.resolve();
  /** Of the call whose turn it is. */
  private turn: AbortSignal | null = null;

  constructor(options: McpOptions, io: Io) {
    this.kind = sourceKindOf(options);
    this.options = options;
    this.io = io;
    this.spending = new Spending(options.maxUsd);
    this.config = useConfig(options.config);
    // What cannot be read is said at the start, and not by the first answer.
    if (this.kind === 'saved') this.whole = this.saved();
    for (const path of options.check ?? []) requireThere('--check', path);
  }

  /** An archive in S3 is read for each question; CloudWatch alone bills by the metric. */
  get readsAws(): boolean {
    return this.kind === 'account' || isArchiveInS3(this.options);
  }

  get hasMinutes(): boolean {
    return this.kind !== 'none' && this.kind !== 'saved';
  }

  private saved(): Whole {
    return { result: readAuditResult(this.options.audit ?? ''), readAt: this.io.now() };
  }

  /**
   * One after another: the ceiling counts each, and a fleet is read once. Who no longer waits for an answer loses the turn.
   * @param signal of the call.
   */
  inTurn<T>(signal: AbortSignal, use: () => Promise<T>): Promise<T> {
    const turn = this.last.then(() => {
      signal.throwIfAborted();
      this.turn = signal;
      return use();
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** What an answer cost, where the account is asked. @param before the total when the call began. */
  costSince(before: number): CostOfCall | null {
    return this.kind === 'account' ? this.spending.costSince(before) : null;
  }

  private isOld(readAt: Date): boolean {
    return this.kind !== 'saved' && this.io.now().getTime() - readAt.getTime() > keptMs;
  }

  /** The audit of everything, no older than an hour. */
  async all(): Promise<Whole> {
    if (this.whole !== null && !this.isOld(this.whole.readAt)) return this.whole;
    const result = await this.evaluated({ selected: null, window: null, onDiagnosed: () => {} });
    this.whole = { result, readAt: this.io.now() };
    return this.whole;
  }

  /**
   * One resource with what shares its instances, its minutes shown to the listener. The last one is kept where reading it anew
   * would give the same: the next question is often about it, too.
   * @throws BadInput where there is no such resource.
   */
  async one(resource: string, window: Window | null, onDiagnosed: OnDiagnosed): Promise<Picked> {
    if (this.kind === 'saved') return this.oneOfSaved(resource);
    const asked = JSON.stringify([resource, window]);
    const { kept } = this;
    if (kept !== null && kept.asked === asked && !this.isOld(kept.readAt)) {
      for (const one of kept.diagnosed) onDiagnosed(one);
      return kept.picked;
    }
    this.kept = null;
    const diagnosed: DiagnosedVolume[] = [];
    const picked = await this.readOne(resource, window, (one) => {
      // Minutes of many volumes are not held for a question that may never come.
      if (diagnosed.length <= maxKept) diagnosed.push(one);
      onDiagnosed(one);
    });
    if (this.kind !== 'account' && diagnosed.length <= maxKept)
      this.kept = { asked, picked, diagnosed, readAt: this.io.now() };
    return picked;
  }

  private async readOne(resource: string, window: Window | null, onDiagnosed: OnDiagnosed): Promise<Picked> {
    try {
      const selected = new SelectedResources([resource]);
      const result = await this.evaluated({ selected, window, onDiagnosed });
      if (selected.isNowhere(result)) throw notThere();
      return selected.pick(result);
    } catch (error) {
      throw withoutName(error);
    }
  }

  private async oneOfSaved(resource: string): Promise<Picked> {
    const { result } = await this.all();
    const isIt = ({ volumeId, name }: AuditResult['volumes'][number]): boolean =>
      volumeId === resource || name === resource;
    const named = new Set(result.volumes.filter(isIt).map(({ volumeId }) => volumeId));
    const findings = result.findings.filter(
      (finding) =>
        finding.resource.id === resource ||
        finding.resource.name === resource ||
        instanceIdOf(finding.resource) === resource ||
        volumeIdsOf(finding).some((id) => named.has(id)),
    );
    const ids = new Set([...named, ...findings.flatMap((finding) => volumeIdsOf(finding))]);
    const volumes = result.volumes.filter(({ volumeId }) => ids.has(volumeId));
    if (volumes.length === 0 && findings.length === 0) throw notThere();
    const others = new Set(volumes.flatMap(({ instanceFindings }) => instanceFindings));
    const found = new Set(findings.map(({ id }) => id));
    return {
      result: {
        ...result,
        volumes,
        findings: result.findings.filter(({ id }) => found.has(id) || others.has(id)),
      },
      instances: [],
    };
  }

  /** @throws BadInput where nothing was given to read. */
  private async evaluated({ selected, window, ...listener }: Evaluating): Promise<AuditResult> {
    const onDiagnosed: OnDiagnosed = (diagnosed) => {
      this.turn?.throwIfAborted();
      listener.onDiagnosed(diagnosed);
    };
    const { options, io, config } = this;
    const { thresholds } = config;
    const keys = [...new Set([...config.tags.keys, ...(selected?.tagKeys ?? [])])];
    const tags = { keys, exclude: config.tags.exclude };
    const { prices, volumes, instances, metrics, archive, profile } = options;
    const files = {
      ...(volumes === undefined ? {} : { volumes }),
      ...(instances === undefined ? {} : { instances }),
      ...(prices === undefined ? {} : { prices }),
    };
    const lookbackDays = window?.lookbackDays ?? options.lookbackDays ?? config.live.lookbackDays;
    if (this.kind === 'files') {
      const { auditFiles } = await import('../audit-files.ts');
      const read = { ...files, ...(metrics === undefined ? {} : { metrics }) };
      return auditFiles(read, io, selected, { onDiagnosed }, { tags, thresholds });
    }
    if (this.kind === 'archive' && archive !== undefined) {
      const { auditArchive } = await import('../audit-archive.ts');
      const { comparedWithNothing } = await import('../audit-opinions.ts');
      const read = { ...files, archive, ...(profile === undefined ? {} : { profile }) };
      return auditArchive(read, io, {
        ...{ selected, tags, thresholds, listeners: { onDiagnosed }, compared: comparedWithNothing },
        window: { lookbackDays, until: window?.until ?? null },
      });
    }
    if (this.kind !== 'account') throw new BadInput('no source was given at the start: start it with one');
    const { auditLive } = await import('../audit-live.ts');
    const live = {
      ...config.live,
      ...{ lookbackDays, organizationToRead: null },
      ...(options.region === undefined ? {} : { region: options.region }),
      ...(profile === undefined ? {} : { profile }),
      ...(prices === undefined ? {} : { prices }),
      ...(window === null ? {} : { until: window.until }),
    };
    return auditLive(live, io, {
      ...{ selected, hosts: readHosts([]), tags, thresholds, onDiagnosed },
      spending: {
        onMost: (count) => this.spending.require(count),
        onMetrics: (count) => {
          this.turn?.throwIfAborted();
          this.spending.spend(count);
        },
      },
    });
  }
}

/** What is said of `--resource` repeats the name: of it the ids alone are passed on. */
function withoutName(error: unknown): unknown {
  if (!(error instanceof BadInput) || !error.message.startsWith('--resource')) return error;
  const ids = error.message.match(/\b(?:vol|i)-[0-9a-f]{8,17}\b/g) ?? [];
  const right = ids.length === 0 ? 'an id, or a Name tag' : `one of ${[...new Set(ids)].join(', ')}`;
  return new BadInput(`resource does not name one volume or instance: give ${right}`, { cause: error });
}

/** What was asked may be text of a stranger too: it is not repeated. */
const notThere = (): BadInput =>
  new BadInput(
    'there is no such volume or instance in what was read: give an id or a Name tag that list_findings shows',
  );
