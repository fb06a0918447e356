/** The results of all batches as one run; what gave no result is unknown, with the reason. */
import { limitAsync } from 'es-toolkit/promise';
import type { ArchiveTarget } from '../../core/archive/keys.ts';
import {
  accountsLeftOf,
  accountsRead,
  coverageOfAccounts,
  noticesOf,
  ofAccount,
  type TargetOutcome,
  withAccounts,
  withArchiveBegins,
} from '../../core/audit/accounts.ts';
import { audit } from '../../core/audit/audit.ts';
import { mergeResults, type ReadingPlan } from '../../core/audit/batches.ts';
import { allRemarks, type Remarks } from '../../core/audit/remarks.ts';
import { accountOfBatch, targetOfBatch } from '../../core/audit/run-keys.ts';
import { builtInRegionCatalog, type RegionCatalog } from '../../core/catalog/region-catalog.ts';
import type { Thresholds } from '../../core/diagnosis/thresholds.ts';
import { MetricCollector } from '../../core/load/metrics.ts';
import type { ListedAccount, TargetList } from '../../core/schemas/accounts.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { StoredBatch } from '../../core/schemas/batch.ts';
import type { OpinionRead } from '../../core/schemas/second-opinion.ts';
import type { LoadReason } from '../../core/schemas/unknown-reasons.ts';
import { isoFromEpochSeconds } from '../../core/units.ts';
import { boundsOf, type MonitoringBudgets } from './budgets.ts';

export interface TargetRead {
  region: string;
  apiCalls: number;
  /** True where its volumes could not be listed. */
  failed: boolean;
  /** True where all of its volumes and instances were listed: what is not among them is gone. */
  whole: boolean;
  /** Its volumes that the configuration excludes. */
  excluded: number;
  /** Its volumes of the benchmark's own hosts. */
  benchmarkVolumes: number;
  /** What could not be read of it. */
  incomplete: readonly AuditNotice[];
  /** What a reader of the run should know of its prices. */
  notices: readonly AuditNotice[];
  /** What came of asking other services there; absent: none was asked. */
  opinionReads?: readonly OpinionRead[] | undefined;
}

export interface AccountsOfRun {
  listed: readonly ListedAccount[];
  /** Of each target, as far as it was discovered. */
  outcomes: readonly TargetOutcome[];
  /** What the run before was to read; null: there is none. */
  before: TargetList | null;
  /** False where somebody asked for some of the accounts. */
  isOfAll: boolean;
}

export interface CollectRequest {
  runId: string;
  plan: ReadingPlan;
  targets: readonly TargetRead[];
  /** Null: it is off, no budget bounds it, or the run is not a usual one, by which a month can be estimated. */
  monitoring: MonitoringBudgets | null;
  /** What can be said of a batch without a result is said by the same words. */
  thresholds: Thresholds;
  /** Of a run of several accounts; without it one account was read. */
  accounts?: AccountsOfRun | undefined;
}

export interface CollectFrom {
  /** Names of the batches that were discovered. */
  listBatches(): Promise<string[]>;
  listResults(): Promise<string[]>;
  readBatch(name: string): Promise<StoredBatch>;
  readResult(name: string): Promise<AuditResult>;
  /** Why these batches failed, by name, as far as the workflow knows. */
  readFailures(missing: readonly string[]): Promise<ReadonlyMap<string, string>>;
  readRegionCatalog(region: string): Promise<{ regionCatalog: RegionCatalog } & Remarks>;
  /** What came of keeping what was read of a target in the archive; null: nothing is known of it. Absent: there is none. */
  readArchived?(target: ArchiveTarget): Promise<AuditNotice[] | null>;
  /** Called with what reading each of several accounts took. */
  onCost?(account: string, usd: number): void;
}

/** What can be said without metrics is said; the rest is unknown. */
async function unreadBatch(
  { runId, plan, thresholds }: CollectRequest,
  { volumes, instances, opinions }: StoredBatch,
  failure: string | null,
  from: CollectFrom,
): Promise<AuditResult> {
  const regions = [...new Set(volumes.map(({ region }) => region))];
  const read = await Promise.all(regions.map((region) => from.readRegionCatalog(region)));
  const regionCatalogs = new Map(read.map(({ regionCatalog }) => [regionCatalog.region, regionCatalog]));
  const collector = new MetricCollector();
  const reason: LoadReason =
    failure === null ? { code: 'batch-without-result' } : { code: 'batch-failed', reason: failure };
  for (const { volumeId } of volumes) collector.unread(volumeId, reason);
  for (const { instanceId } of instances) collector.unread(instanceId, reason);
  const remarks = allRemarks(read);
  const incomplete: AuditNotice[] = [
    { code: 'batch-not-read', volumes: volumes.length, reason: failure },
    ...remarks.incomplete,
  ];
  const metrics = collector.finish();
  return audit({
    runId,
    inventory: { volumes, instances },
    read: { metrics, window: plan, notices: remarks.notices, incomplete },
    rules: {
      regionCatalogs: (region) => regionCatalogs.get(region) ?? builtInRegionCatalog(region),
      thresholds,
    },
    opinions,
  });
}

const readsAtOnce = 20;

/** What is not in the archive of what was read. */
async function notArchived(
  batches: readonly string[],
  { readArchived }: CollectFrom,
  isOfSeveral: boolean,
): Promise<AuditNotice[]> {
  if (readArchived === undefined) return [];
  const ofTarget = limitAsync(async (name: string): Promise<AuditNotice[]> => {
    const account = accountOfBatch(name);
    const region = name.slice(account.length + 1);
    const said = await readArchived({ account, region });
    const notices = said ?? [{ code: 'archive-not-written' as const, region, reason: null }];
    return isOfSeveral ? noticesOf(notices, account) : notices;
  }, readsAtOnce);
  return (await Promise.all([...new Set(batches.map(targetOfBatch))].map(ofTarget))).flat();
}

/** Nothing of it was let be read, as where the account was closed meanwhile. */
const isUnread = ({ coverage: { evaluated, incomplete } }: AuditResult): boolean =>
  evaluated === 0 && incomplete.some(({ code }) => code === 'metrics-not-read');

export async function collectFindings(request: CollectRequest, from: CollectFrom): Promise<AuditResult> {
  const { runId, plan, targets } = request;
  const [batches, results] = [await from.listBatches(), new Set(await from.listResults())];
  const failed = targets.filter((target) => target.failed).length;
  const missing = batches.filter((name) => !results.has(name));
  const failures = missing.length === 0 ? new Map<string, string>() : await from.readFailures(missing);
  const parts: AuditResult[] = [];
  const notWhole = new Set<string>();
  const usd = new Map<string, number>();
  for (const name of batches) {
    const hasResult = results.has(name);
    const part = hasResult
      ? await from.readResult(name)
      : await unreadBatch(request, await from.readBatch(name), failures.get(name) ?? null, from);
    if (request.accounts === undefined) parts.push(part);
    else {
      const account = accountOfBatch(name);
      parts.push(ofAccount(part, account));
      usd.set(account, (usd.get(account) ?? 0) + part.cost.usd);
    }
    if (!hasResult || isUnread(part)) notWhole.add(targetOfBatch(name));
  }
  const inPart = new Set(targets.flatMap(({ region, whole }) => (whole ? [] : [region])));
  const wholeRegions = targets.flatMap(({ region }) => (inPart.has(region) ? [] : [region]));
  const merged = mergeResults(parts, {
    runId,
    window: {
      start: isoFromEpochSeconds(plan.startEpochSeconds),
      end: isoFromEpochSeconds(plan.endEpochSeconds),
    },
    notices: [
      ...targets.flatMap(({ notices }) => notices),
      ...(missing.length + failed > 0 ? [{ code: 'cost-is-at-least' as const }] : []),
    ],
    incomplete: [
      ...targets.flatMap(({ incomplete }) => incomplete),
      ...(await notArchived(batches, from, request.accounts !== undefined)),
    ],
    apiCalls: targets.reduce((total, { apiCalls }) => total + apiCalls, 0),
    ...(targets.some(({ opinionReads }) => opinionReads !== undefined)
      ? { opinionReads: targets.flatMap(({ opinionReads }) => opinionReads ?? []) }
      : {}),
    excluded: targets.reduce((total, { excluded }) => total + excluded, 0),
    benchmarkVolumes: targets.reduce((total, { benchmarkVolumes }) => total + benchmarkVolumes, 0),
  });
  for (const [account, ofIt] of usd) from.onCost?.(account, ofIt);
  const said = withArchiveBegins(merged.notices);
  const notices = [...said, ...boundsOf(request.monitoring, merged, request.accounts, usd)];
  if (request.accounts === undefined) return { ...merged, notices, wholeRegions: [...new Set(wholeRegions)] };
  const { listed, outcomes, before, isOfAll } = request.accounts;
  const whole = outcomes.map((one) => ({
    ...one,
    whole: one.whole && !notWhole.has(`${one.account}-${one.region}`),
  }));
  const accountCoverage = coverageOfAccounts(
    listed,
    whole,
    before && new Set(before.accounts.map(({ account }) => account)),
  );
  return {
    ...merged,
    ...{ notices, findings: withAccounts(merged.findings, listed) },
    ...{ accountCoverage, accounts: accountsRead(accountCoverage) },
    ...(isOfAll ? { accountsLeft: accountsLeftOf(listed, before) } : {}),
  };
}
