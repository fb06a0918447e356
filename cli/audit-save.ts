/** `audit --save`: what was read is kept as an archive in a directory, a day of an account and Region at a time. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commit, stage } from '../adapters/archive/commit.ts';
import { ArchiveDirectory } from '../adapters/archive/directory.ts';
import { putTable } from '../adapters/archive/write-tables.ts';
import { writing } from '../adapters/files/write-file.ts';
import type { ArchiveTarget } from '../core/archive/keys.ts';
import { isFinest, type Saved, savedOfFiles, savedOfReading } from '../core/archive/saved.ts';
import { findingCells, inventoryCells } from '../core/archive/tables.ts';
import type { AuditInput } from '../core/audit/audit.ts';
import type { AuditBatch, ReadingPlan } from '../core/audit/batches.ts';
import { BadInput } from '../core/errors.ts';
import { fewOf } from '../core/few.ts';
import type { Instance, Volume } from '../core/inventory.ts';
import {
  type FleetMetrics,
  finestEbsPeriodSeconds,
  type MetricCollector,
  type MetricQuery,
} from '../core/load/metrics.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { msPerSecond } from '../core/units.ts';
import { plural, sanitize } from '../report/terminal/text.ts';
import type { Io } from './io.ts';

/** Found out now, before an hour of reading. @throws BadInput */
function requireWritable(path: string): void {
  if (path === '') throw new BadInput('--save is empty: give a directory');
  writing(path, () => {
    mkdirSync(path, { recursive: true });
    const probe = join(path, `.${randomUUID()}.part`);
    writeFileSync(probe, '');
    rmSync(probe);
  });
}

/** It asks for five minutes where nothing is said. */
const minuteQueries = '`audit queries --period-seconds 60`';

type ReadMetrics<Read> = (
  queries: readonly MetricQuery[],
  plan: ReadingPlan,
  collectorOf: (query: MetricQuery) => MetricCollector,
) => Promise<Read>;

export class SavedArchive {
  /** All that was read is in the archive. */
  isWhole = true;
  private readonly store: ArchiveDirectory;
  private readonly io: Io;
  private readonly runId = randomUUID();
  private readonly readAtSeconds: number;
  private readonly resources = new Set<string>();
  private readonly days = new Set<string>();
  private readonly fleets = new Map<
    string,
    { target: ArchiveTarget; volumes: Volume[]; instances: Instance[] }
  >();
  private batches = 0;
  private written = 0;

  /** @throws BadInput where it cannot be written. */
  constructor(path: string, io: Io) {
    requireWritable(path);
    this.store = new ArchiveDirectory(path);
    this.io = io;
    this.readAtSeconds = Math.floor(io.now().getTime() / msPerSecond);
  }

  /** @throws BadInput where longer points are asked for than an archive keeps. */
  requireMinutes({ periodSeconds }: ReadingPlan): void {
    if (periodSeconds > finestEbsPeriodSeconds)
      throw new BadInput(
        `--save keeps one-minute points, and points of ${periodSeconds} s would be read: ask for at most 15 days (--lookback-days), and leave out --period-seconds, or give 60`,
      );
  }

  /** The same reading, of which each part is kept as it comes: what one batch took is not in memory for the next. */
  keeping<Read>(target: ArchiveTarget, batch: AuditBatch, read: ReadMetrics<Read>): ReadMetrics<Read> {
    this.noteFleet(target, batch);
    return async (queries, plan, collectorOf) => {
      const answer = await read(queries, plan, collectorOf);
      const finished = new Map<MetricCollector, FleetMetrics>();
      const asked = queries
        .filter(({ metric, periodSeconds }) => isFinest(metric, periodSeconds))
        .map((query) => {
          const collector = collectorOf(query);
          const metrics = finished.get(collector) ?? collector.finish();
          finished.set(collector, metrics);
          return { resourceId: query.resourceId, metric: query.metric, metrics };
        });
      await this.stage(target, savedOfReading(batch, asked, plan));
      return answer;
    };
  }

  /** What files gave. @throws BadInput where nothing of it can be kept. */
  async files({ inventory, read }: Pick<AuditInput, 'inventory' | 'read'>): Promise<void> {
    const { targets, leftOut, withoutAccount } = savedOfFiles(inventory, read.metrics);
    if (targets.length === 0 && withoutAccount.length > 0)
      throw new BadInput(
        '--save keeps by account, and no file says whose the volumes are: give --instances (its OwnerId says it)',
      );
    if (targets.length === 0)
      throw new BadInput(
        `--save keeps one-minute points, and --metrics has none: ask for them with ${minuteQueries}`,
      );
    for (const target of targets) {
      const isOfTarget = ({ account, region }: { account: string | null; region: string }): boolean =>
        account === target.account && region === target.region;
      this.noteFleet(target, {
        volumes: inventory.volumes.filter(isOfTarget),
        instances: inventory.instances.filter(isOfTarget),
      });
      await this.stage(target, target);
    }
    for (const target of targets) await this.commit(target);
    if (leftOut.length > 0)
      this.io.err(
        `stripewise: --save: ${plural(leftOut.length, 'metric')} not kept, as their points are not all of one minute (${sanitize(fewOf([...new Set(leftOut)]), 200)}): ask for them with ${minuteQueries}`,
      );
    if (withoutAccount.length > 0)
      this.io.err(
        `stripewise: --save: ${plural(withoutAccount.length, 'resource')} not kept, as no file says whose they are (${sanitize(fewOf(withoutAccount))}): give --instances`,
      );
  }

  private noteFleet(
    { account, region }: ArchiveTarget,
    { volumes, instances }: Pick<AuditBatch, 'volumes' | 'instances'>,
  ): void {
    const name = `${account} ${region}`;
    const fleet = this.fleets.get(name) ?? { target: { account, region }, volumes: [], instances: [] };
    this.fleets.set(name, fleet);
    fleet.volumes.push(...volumes);
    fleet.instances.push(...instances);
  }

  /** What was found, and of what: the inventory and the findings of the day that the window ends in. Of all that was read, not of a part. */
  async tables({ window, volumes: evaluations, findings }: AuditResult): Promise<void> {
    if (window === null) return;
    const day = window.end.slice(0, 10);
    for (const { target, volumes, instances } of this.fleets.values()) {
      const place = { ...target, day };
      const own = findings.filter(
        ({ resource: { account, region } }) =>
          region === target.region && (account ?? target.account) === target.account,
      );
      await putTable(this.store, place, 'inventory', inventoryCells({ volumes, instances }, evaluations));
      await putTable(this.store, place, 'findings', findingCells({ findings: own }));
    }
  }

  private async stage(target: ArchiveTarget, { reads, minutes }: Saved): Promise<void> {
    if (reads.length === 0) return;
    for (const { resourceId } of minutes) this.resources.add(resourceId);
    await stage(this.store, target, this.runId, {
      ...{ name: String(this.batches++), readAtSeconds: this.readAtSeconds, reads, minutes },
    });
  }

  /** From here on what was read of an account and Region is in the archive; also what a run that was stopped left. */
  async commit(target: ArchiveTarget): Promise<void> {
    const { days, written, broken } = await commit(this.store, target);
    for (const day of days) this.days.add(day);
    this.written += written.length;
    for (const { reason } of broken) this.io.err(`stripewise: --save: ${sanitize(reason, 1_000)}`);
    if (broken.length > 0) this.isWhole = false;
  }

  /** Says what is in it now. */
  done(): void {
    const days = [...this.days].sort();
    const [first, last] = [days[0], days.at(-1)];
    const when = first === undefined ? 'no day' : first === last ? first : `${first} to ${last}`;
    const changed = this.written === 0 ? 'nothing was new' : `${plural(this.written, 'file')} written`;
    this.io.err(
      `saved ${plural(this.resources.size, 'volume or instance', 'volumes and instances')}, ${when}, in ${sanitize(this.store.name, 300)} (${changed})`,
    );
  }
}
