/** The checks of `doctor` on the account itself: asked for, then evaluated by core/doctor. */
import { existsSync } from 'node:fs';
import { CallCounter } from '../adapters/aws/call-counter.ts';
import {
  auditCalls,
  type Caller,
  callerOf,
  metricsOf,
  quotaIn,
  regionStates,
  volumesIn,
} from '../adapters/aws/doctor/account.ts';
import type { Asking } from '../adapters/aws/doctor/asked.ts';
import { benchmarkFacts } from '../adapters/aws/doctor/benchmark.ts';
import { deployFacts } from '../adapters/aws/doctor/deployment.ts';
import { callsAtOnce } from '../adapters/aws/get-metric-data.ts';
import { defaultRegion } from '../adapters/aws/session.ts';
import { readConfig } from '../adapters/files/config-file.ts';
import { withoutExcluded } from '../core/audit/excluded.ts';
import { defaultConfig } from '../core/config/check.ts';
import { benchmarkDefaults, type Config } from '../core/config/config.ts';
import { keptTagKeys } from '../core/config/tags.ts';
import { defaultThresholds } from '../core/diagnosis/thresholds.ts';
import { accountChecks, checkOf, metricCallsQuota, notReadOf } from '../core/doctor/account-checks.ts';
import { benchmarkChecks, hostTypes } from '../core/doctor/benchmark-checks.ts';
import { deployChecks, type Place } from '../core/doctor/deploy-checks.ts';
import type {
  AccountFacts,
  AuditCall,
  CountedVolumes,
  MeasuredDelay,
  NotRead,
  Read,
} from '../core/doctor/facts.ts';
import { BadInput } from '../core/errors.ts';
import type { Volume } from '../core/inventory.ts';
import { known } from '../core/known.ts';
import {
  finestEbsPeriodSeconds,
  type MetricQuery,
  metricsOfVolume,
  queriesOfVolume,
  usdOfMetrics,
} from '../core/load/metrics.ts';
import { pace } from '../core/monitoring/pace.ts';
import { delayOf } from '../core/monitoring/seen.ts';
import { watchedOf } from '../core/monitoring/watched.ts';
import type { CheckStatus, DoctorAnswer, DoctorCheck, DoctorPurpose } from '../core/schemas/doctor-answer.ts';
import { msPerSecond } from '../core/units.ts';
import { checkText, fixText } from '../report/wording/doctor.ts';
import type { Io } from './io.ts';
import { progress } from './progress.ts';
import { regionCatalogsHere } from './region-catalogs.ts';

export interface DoctorRequest {
  purposes: DoctorPurpose[];
  region?: string;
  profile?: string;
  config?: string;
}

const usualFile = 'stripewise.yaml';

async function regionOf({ region, profile }: DoctorRequest, { regions }: Config): Promise<string> {
  const found = region ?? (await defaultRegion(profile)) ?? regions[0];
  if (found !== undefined) return found;
  throw new BadInput('doctor needs a Region: give --region us-east-1, set AWS_REGION, or give --profile');
}

const measuredVolumes = 5;
/** Asked for where there is none to measure by: whether it may be asked at all is a question, too. */
const noVolume: MetricQuery = {
  ...{ resourceId: 'vol-00000000000000000', metric: 'VolumeReadOps', namespace: 'AWS/EBS' },
  dimensions: [{ name: 'VolumeId', value: 'vol-00000000000000000' }],
  ...{ statistic: 'Sum', periodSeconds: finestEbsPeriodSeconds },
};

interface Measured {
  delay: Read<MeasuredDelay>;
  call: AuditCall;
  metrics: number;
}

async function measureDelay(
  asking: Asking,
  region: string,
  volumes: readonly Volume[],
  now: Date,
): Promise<Measured> {
  const attached = volumes
    .filter((volume) => volume.region === region && metricsOfVolume(volume).length > 0)
    .slice(0, measuredVolumes);
  const queries = attached.flatMap((volume) =>
    queriesOfVolume(volume, finestEbsPeriodSeconds).filter(
      ({ metric }) => metric === 'VolumeReadOps' || metric === 'VolumeWriteOps',
    ),
  );
  const nowEpochSeconds = now.getTime() / msPerSecond;
  const from = nowEpochSeconds - pace.mostPublicationSeconds;
  const asked = queries.length === 0 ? [noVolume] : queries;
  const read = await metricsOf(asking, region, asked, {
    ...{ startEpochSeconds: from, endEpochSeconds: nowEpochSeconds },
  });
  const call = { action: 'cloudwatch:GetMetricData', region, notRead: read.known ? null : read.reason };
  if (!read.known) return { delay: read, call, metrics: 0 };
  const seconds = delayOf(read.value, nowEpochSeconds);
  return { delay: known({ seconds, volumes: attached.length }), call, metrics: asked.length };
}

/** Of all Regions, without those that are excluded; unknown where one of them is. */
function countVolumes(reads: readonly Read<Volume[]>[], config: Config): Read<CountedVolumes> {
  const all: Volume[] = [];
  for (const read of reads) {
    if (!read.known) return read;
    all.push(...read.value);
  }
  const { volumes, excludedIds } = withoutExcluded(all, [], config.exclude.tags);
  const watched = volumes
    .map((volume) => watchedOf(volume, null, defaultThresholds))
    .filter((one) => one !== null);
  return known({
    ...{ volumes: volumes.length, attached: watched.length },
    bucketed: watched.filter(({ bucket }) => bucket !== null).length,
    excluded: excludedIds.length,
  });
}

interface Checked {
  checks: DoctorCheck[];
  metricsRequested: number;
}

async function accountPart(asking: Asking, { account }: Caller, config: Config, io: Io): Promise<Checked> {
  const { region } = asking.session;
  const regions = config.regions.length === 0 ? [region] : config.regions;
  const [first = region] = regions;
  const keys = keptTagKeys(config);
  const [states, volumes, others, quota] = await Promise.all([
    regionStates(asking, [...new Set([region, ...regions])]),
    Promise.all(regions.map((one) => volumesIn(asking, { region: one, account }, keys))),
    Promise.all(regions.map((one) => auditCalls(asking, one))),
    quotaIn(asking, metricCallsQuota),
  ]);
  const read = volumes.flatMap((one) => (one.known ? one.value : []));
  const { delay, call, metrics } = await measureDelay(asking, first, read, io.now());
  const described = volumes.map(
    (one, i): AuditCall => ({
      ...{ action: 'ec2:DescribeVolumes', region: regions[i] ?? region },
      notRead: one.known ? null : one.reason,
    }),
  );
  const facts: AccountFacts = {
    ...{ regions: states, calls: [...described, ...others.flat(), call], delay },
    volumes: countVolumes(volumes, config),
    metricCallsPerSecond: quota,
  };
  const context = { config, now: io.now(), callsOfBatch: callsAtOnce };
  return { checks: accountChecks(facts, context), metricsRequested: metrics };
}

async function benchmarkPart(asking: Asking, config: Config): Promise<DoctorCheck[]> {
  const benchmark = config.benchmark ?? benchmarkDefaults();
  const { instanceTypes } = regionCatalogsHere()(asking.session.region);
  const [smallest] = hostTypes(benchmark, instanceTypes);
  const facts = await benchmarkFacts(asking, benchmark, smallest);
  return benchmarkChecks(facts, benchmark, instanceTypes);
}

const placeOf = ({ account, principal }: Caller, region: string): Place => ({
  ...{ partition: principal.split(':')[1] || 'aws', account, region },
});

/** Nobody signed in is for the person to fix; that AWS does not answer is not known to be. */
function signedOut(reason: NotRead): DoctorCheck {
  const isOfCredentials = reason.isRefused || /credential|token|profile/i.test(reason.reason);
  return isOfCredentials
    ? checkOf('credentials', 'trouble', { code: 'not-signed-in', reason: reason.reason })
    : notReadOf('credentials', reason);
}

async function checksOf(
  asking: Asking,
  purposes: readonly DoctorPurpose[],
  config: Config,
  io: Io,
): Promise<Checked> {
  const { region } = asking.session;
  const steps = progress(io, `${region}: checking`, 1 + purposes.length);
  const done = <T>(value: T): T => {
    steps.step();
    return value;
  };
  try {
    const caller = done(await callerOf(asking));
    if (!caller.known) return { checks: [signedOut(caller.reason)], metricsRequested: 0 };
    const place = placeOf(caller.value, region);
    const [ofAccount, ...others] = await Promise.all([
      accountPart(asking, caller.value, config, io).then(done),
      purposes.includes('deploy')
        ? deployFacts(asking, place, config).then((facts) => done(deployChecks(facts, config, place)))
        : [],
      purposes.includes('benchmark') ? benchmarkPart(asking, config).then(done) : [],
    ]);
    const signedIn = checkOf('credentials', 'ok', { code: 'signed-in', ...caller.value });
    return { ...ofAccount, checks: [signedIn, ...ofAccount.checks, ...others.flat()] };
  } finally {
    steps.done();
  }
}

/** @throws BadInput where no Region is named, or the configuration cannot be used. */
export async function checkAccount(request: DoctorRequest, io: Io): Promise<DoctorAnswer> {
  const { purposes, profile } = request;
  const file = request.config ?? (existsSync(usualFile) ? usualFile : null);
  const config = file === null ? defaultConfig() : readConfig(file);
  const region = await regionOf(request, config);
  const counter = new CallCounter();
  const asking = { session: { region, ...(profile === undefined ? {} : { profile }) }, counter };
  const { checks, metricsRequested } = await checksOf(asking, purposes, config, io);
  const count = (status: CheckStatus): number => checks.filter((one) => one.status === status).length;
  return {
    ...{ purposes, region, file },
    checks: checks.map((one) => ({ ...one, text: checkText(one.fact), fix: fixText(one.fact) })),
    counts: {
      ok: count('ok'),
      warning: count('warning'),
      trouble: count('trouble'),
      unknown: count('unknown'),
    },
    cost: { apiCalls: counter.total, metricsRequested, usd: usdOfMetrics(metricsRequested) },
  };
}
