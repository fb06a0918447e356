/** `stripewise audit` on the account itself: the same use cases as the deployed audit, in this process. */
import { limitAsync } from 'es-toolkit/promise';
import { CallCounter } from '../adapters/aws/call-counter.ts';
import { refusedBy } from '../adapters/aws/refusals.ts';
import { callerAccount, defaultRegion } from '../adapters/aws/session.ts';
import { accountsRead, coverageOfAccounts, ofAccount, withAccounts } from '../core/audit/accounts.ts';
import { mergeResults, readingPlan } from '../core/audit/batches.ts';
import { unusedHostNotices } from '../core/audit/notices.ts';
import type { SelectedResources } from '../core/audit/selected-resources.ts';
import type { Organization } from '../core/config/organization.ts';
import { type KeptTags, noTags } from '../core/config/tags.ts';
import type { Thresholds } from '../core/diagnosis/thresholds.ts';
import { BadInput, Unreadable } from '../core/errors.ts';
import { partitionOf } from '../core/ids.ts';
import { settleSeconds } from '../core/load/metrics.ts';
import { defaultQuotaPercent } from '../core/load/point-rates.ts';
import type { Target } from '../core/schemas/accounts.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import type { OpinionRead } from '../core/schemas/second-opinion.ts';
import { auditStack } from '../core/stacks.ts';
import type { HostEvidence } from '../core/stripes/host-evidence.ts';
import { isoFromEpochSeconds } from '../core/units.ts';
import { type AccountsToRead, accountsToRead } from './audit-accounts.ts';
import type { Listeners } from './audit-files.ts';
import { type ComparedWith, comparedWithNothing, hasOpinions, opinionsOfFiles } from './audit-opinions.ts';
import type { SavedArchive } from './audit-save.ts';
import {
  auditTarget,
  auditTargets,
  type MetricSpending,
  nothingRead,
  type Run,
  sum,
  type TargetRead,
} from './audit-targets.ts';
import { asBadInput } from './credentials.ts';
import type { Io } from './io.ts';
import { progress } from './progress.ts';
import { regionCatalogsFor } from './region-catalogs.ts';

export interface LiveOptions {
  region?: string[];
  profile?: string;
  lookbackDays: number;
  /** One pass that reads everything in this period; without it two passes, or one of single volumes. */
  periodSeconds?: number;
  until?: Date;
  /** The name of the SSM document that asks hosts how their volumes are joined. */
  hostDiscovery?: string;
  /** Of CloudWatch's quotas of points a second; half where nothing says otherwise. */
  maxQuotaPercent?: number | null;
  /** The deployed audit whose benchmarks' volumes are left alone, in each Region that has it. */
  stack?: string;
  /** Files of prices that go before those of this machine. */
  prices?: string[];
  /** Several accounts; without it the one of the credentials alone. */
  organizationToRead?: Organization | null;
}

async function regionsOf({ region, profile }: LiveOptions): Promise<[string, ...string[]]> {
  const [first, ...rest] = region ?? [];
  if (first !== undefined) return [first, ...new Set(rest.filter((other) => other !== first))];
  const fallback = await defaultRegion(profile);
  if (fallback !== null) return [fallback];
  throw new BadInput(
    'audit needs a Region: give --region us-east-1 (several if you like), set AWS_REGION, or give --profile; or audit files with --volumes and --metrics',
  );
}

/** Whose account it is, by the first of the Regions that answers: one may be mistyped, or not enabled. */
async function accountOf(
  regions: readonly string[],
  profile: string | undefined,
  counter: CallCounter,
): Promise<{ account: string; answeredIn: string }> {
  let failed = new Unreadable('there is no Region to ask');
  for (const region of regions) {
    try {
      const session = { region, ...(profile === undefined ? {} : { profile }) };
      return { account: await callerAccount(session, counter), answeredIn: region };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      failed = error;
    }
  }
  throw asBadInput(failed, profile, 'audit files with --volumes and --metrics');
}

/** What a target of an organization gave: who lets nobody in is told of by its account. */
async function auditMember(target: Target, { sessionIn }: AccountsToRead, run: Run): Promise<TargetRead> {
  try {
    const read = await auditTarget(target, await sessionIn(target), run);
    const { account } = target;
    return {
      ...read,
      results: read.results.map((result) => ofAccount(result, account)),
      notices: read.notices.map((notice) => ({ ...notice, account })),
      // Of a target that refused the account says it.
      incomplete: read.refused === null ? read.incomplete.map((notice) => ({ ...notice, account })) : [],
    };
  } catch (error) {
    return { ...nothingRead, notices: [], incomplete: [], refused: refusedBy(error) };
  }
}

/** So many accounts and Regions at one time: each waits for its own quotas. */
const targetsAtOnce = 4;

async function auditMembers(toRead: AccountsToRead, run: Run): Promise<TargetRead[]> {
  const { io } = run;
  const reading = progress(io, 'reading accounts and Regions', toRead.targets.length);
  const quiet: Run = { ...run, io: { ...io, errIsTerminal: false } };
  const ofOne = limitAsync(async (target: Target): Promise<TargetRead> => {
    const read = await auditMember(
      target,
      toRead,
      target.account === run.homeAccount ? quiet : { ...quiet, stack: null },
    );
    reading.step();
    return read;
  }, targetsAtOnce);
  const read = await Promise.all(toRead.targets.map(ofOne));
  reading.done();
  return read;
}

/** What came of each account, where there are several. */
function accountsIn(
  merged: AuditResult,
  { accounts, targets, notListed }: AccountsToRead,
  read: readonly TargetRead[],
): Partial<AuditResult> {
  const refused = new Map(notListed.map((one) => [one.account, one.refused]));
  const listed = accounts.map((one) => ({
    ...one,
    refused: one.refused ?? refused.get(one.account) ?? null,
  }));
  const outcomes = targets.map(({ account, region }, index) => {
    const { whole = false, refused = null, results = [] } = read[index] ?? {};
    return { account, region, whole, refused, volumes: sum(results.map(({ coverage }) => coverage.volumes)) };
  });
  const accountCoverage = coverageOfAccounts(listed, outcomes, null);
  return {
    ...{ accountCoverage, accounts: accountsRead(accountCoverage) },
    findings: withAccounts(merged.findings, listed),
  };
}

interface LiveInput extends Listeners {
  /** What of the account is read and evaluated; null: everything. */
  selected: SelectedResources | null;
  hosts: ReadonlyMap<string, HostEvidence>;
  tags?: KeptTags;
  thresholds: Thresholds;
  saved?: SavedArchive | null;
  compared?: ComparedWith;
  spending?: MetricSpending;
}

/** What came of asking; and of files, whose rows are held against all that was read. */
function opinionReadsOf(
  compared: ComparedWith,
  read: readonly TargetRead[],
  accounts: readonly string[],
): OpinionRead[] | undefined {
  if (!hasOpinions(compared)) return undefined;
  const volumes = read.flatMap(({ instanceIds }) => instanceIds.map((volumeId) => ({ volumeId })));
  const ofFiles = opinionsOfFiles(compared, volumes, accounts).secondOpinionReads;
  return [...read.flatMap(({ opinionReads }) => opinionReads), ...ofFiles];
}

export async function auditLive(
  options: LiveOptions,
  io: Io,
  {
    selected,
    hosts,
    tags = noTags,
    thresholds,
    saved = null,
    compared = comparedWithNothing,
    spending,
    ...listeners
  }: LiveInput,
): Promise<AuditResult> {
  const { lookbackDays, profile, organizationToRead: organization = null } = options;
  if (organization !== null && options.hostDiscovery !== undefined)
    throw new BadInput(
      '--host-discovery is for an audit of one account: members grant no commands on hosts. Leave it out, or give --hosts',
    );
  // A few volumes cost next to nothing: all of each, whatever a first pass would say.
  const { periodSeconds = selected === null ? 'two-passes' : 'finest' } = options;
  const now = io.now();
  const until = options.until ?? now;
  const plan = readingPlan({ lookbackDays, periodSeconds, until, now, settleSeconds });
  saved?.requireMinutes(plan);
  const regions = await regionsOf(options);
  const counter = new CallCounter();
  const { account, answeredIn } = await accountOf(regions, profile, counter);
  const runId = io.newRunId();
  const toRead =
    organization === null
      ? null
      : await accountsToRead(organization, { account, regions, answeredIn, profile, runId, counter, io });
  const regionCatalogs = await regionCatalogsFor(
    toRead === null ? regions : [...new Set(toRead.targets.map(({ region }) => region))],
    { prices: options.prices ?? [], ...(profile === undefined ? {} : { profile }) },
    io,
  );
  const run: Run = {
    ...{ runId, plan, regionCatalogs, thresholds, hosts, selected, tags, saved, compared, ...listeners },
    documentName: options.hostDiscovery,
    stack: options.stack ?? auditStack,
    homeAccount: account,
    maxQuotaPercent: options.maxQuotaPercent ?? defaultQuotaPercent,
    counter,
    spending: spending ?? null,
    io,
  };
  const read: TargetRead[] = [];
  const targets =
    toRead?.targets ?? regions.map((region) => ({ partition: partitionOf(region), account, region }));
  if (toRead !== null) read.push(...(await auditMembers(toRead, run)));
  else read.push(...(await auditTargets(targets, profile, run)));
  for (const target of targets) await saved?.commit(target);
  const results = read.flatMap((one) => one.results);
  const evaluating = sum(results.map(({ cost }) => cost.apiCalls));
  const instanceIds = new Set(read.flatMap((one) => one.instanceIds));
  const merged = mergeResults(results, {
    runId,
    window: {
      start: isoFromEpochSeconds(plan.startEpochSeconds),
      end: isoFromEpochSeconds(plan.endEpochSeconds),
    },
    notices: [...read.flatMap(({ notices }) => notices), ...unusedHostNotices(hosts, instanceIds)],
    incomplete: read.flatMap(({ incomplete }) => incomplete),
    apiCalls: counter.total - evaluating,
    excluded: sum(read.map(({ excluded }) => excluded)),
    benchmarkVolumes: sum(read.map(({ benchmarkVolumes }) => benchmarkVolumes)),
    accounts: toRead === null ? [account] : [],
    opinionReads: opinionReadsOf(
      compared,
      read,
      targets.map((target) => target.account),
    ),
  });
  if (toRead !== null) return { ...merged, ...accountsIn(merged, toRead, read) };
  return { ...merged, wholeRegions: regions.filter((_, index) => read[index]?.whole === true) };
}
