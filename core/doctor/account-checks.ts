/** What an audit from the command line needs of an account. */
import type { Config } from '../config/config.ts';
import { explained } from '../config/explain.ts';
import { expectedCost } from '../monitoring/expected-cost.ts';
import { pace } from '../monitoring/pace.ts';
import type { CheckName, CheckStatus, DoctorCheck, DoctorFact } from '../schemas/doctor-answer.ts';
import type { AccountFacts, CountedVolumes, NotRead, Read } from './facts.ts';

export const checkOf = (check: CheckName, status: CheckStatus, fact: DoctorFact): DoctorCheck => ({
  ...{ check, status, fact },
});
export const notReadOf = (check: CheckName, reason: NotRead): DoctorCheck =>
  checkOf(check, 'unknown', { code: 'not-read', ...reason });

/** A check of what was read; where it was not, the check is unknown. */
export function ofRead<T>(check: CheckName, read: Read<T>, look: (value: T) => DoctorCheck): DoctorCheck {
  return read.known ? look(read.value) : notReadOf(check, read.reason);
}

function regionCheck({ regions }: AccountFacts): DoctorCheck {
  return ofRead('region', regions, (states) => {
    const named = (isEnabled: boolean | null): string[] =>
      states.flatMap((state) => (state.isEnabled === isEnabled ? [state.region] : []));
    if (named(null).length > 0)
      return checkOf('region', 'trouble', { code: 'regions-not-there', regions: named(null) });
    if (named(false).length > 0)
      return checkOf('region', 'trouble', { code: 'regions-not-enabled', regions: named(false) });
    return checkOf('region', 'ok', { code: 'regions-enabled', regions: named(true) });
  });
}

/** A call that is refused is what the check looks for; one that fails otherwise says nothing of permissions. */
function permissionCheck({ calls }: AccountFacts): DoctorCheck {
  const refused = calls.flatMap(({ action, region, notRead }) =>
    notRead?.isRefused ? [{ action, region, byOrganization: notRead.byOrganization }] : [],
  );
  if (refused.length > 0) return checkOf('permissions', 'trouble', { code: 'calls-refused', refused });
  const failed = calls.find(({ notRead }) => notRead !== null)?.notRead;
  if (failed) return notReadOf('permissions', failed);
  const actions = [...new Set(calls.map(({ action }) => action))];
  return checkOf('permissions', 'ok', { code: 'calls-answered', actions });
}

const volumeCheck = ({ volumes }: AccountFacts): DoctorCheck =>
  ofRead('volumes', volumes, ({ volumes: counted, excluded }) =>
    counted === 0
      ? checkOf('volumes', 'warning', { code: 'no-volumes', excluded })
      : checkOf('volumes', 'ok', { code: 'volumes-counted', volumes: counted, excluded }),
  );

const delayCheck = ({ delay }: AccountFacts): DoctorCheck =>
  ofRead('metric-delay', delay, ({ seconds, volumes }) => {
    if (seconds === null) return checkOf('metric-delay', 'unknown', { code: 'no-recent-metrics', volumes });
    return seconds > pace.latestPublicationSeconds
      ? checkOf('metric-delay', 'warning', { code: 'delay-long', seconds, volumes })
      : checkOf('metric-delay', 'ok', { code: 'delay-usual', seconds, volumes });
  });

/** Source: AWS Service Quotas, "Rate of GetMetricData requests", read 2026-11-25. */
export const metricCallsQuota = { serviceCode: 'monitoring', quotaCode: 'L-5E141212' } as const;
/** Of each account and Region, where nobody asked for more or less. Source: CloudWatch quotas, read 2026-11-21. */
const usualMetricCallsPerSecond = 500;

function metricQuotaCheck({ metricCallsPerSecond: read }: AccountFacts, callsAtOnce: number): DoctorCheck {
  if (!read.known) {
    const fact = { code: 'metric-quota-not-read' as const, usualPerSecond: usualMetricCallsPerSecond };
    return checkOf('metric-quota', 'unknown', { ...fact, ...read.reason });
  }
  const figures = { perSecond: read.value, callsAtOnce };
  return read.value < callsAtOnce
    ? checkOf('metric-quota', 'warning', { code: 'metric-calls-few', ...figures })
    : checkOf('metric-quota', 'ok', { code: 'metric-calls-enough', ...figures });
}

/** As `config check` estimates it, for the attached volumes that are there. */
function costOf(config: Config, { attached: volumes, bucketed }: CountedVolumes, now: Date): DoctorCheck {
  const { cost } = explained({
    ...{ config, file: null, volumes, now },
    monitoringCost: ({ everyMinutes, leftUsd }) => {
      const counts = { bucketed, plain: volumes - bucketed };
      const expected = expectedCost(counts, { everyMinutes, budgetUsd: leftUsd });
      const { quietUsd } = expected;
      return { usd: leftUsd === null ? quietUsd : Math.min(quietUsd, leftUsd), expected };
    },
  });
  const { audits, monitoring, budget, budgetUsd } = cost;
  const isTooSmall =
    budget.code === 'below-one-audit' ||
    budget.code === 'audits-take-all' ||
    monitoring?.expected.budget?.code === 'too-little' ||
    monitoring?.expected.budget?.code === 'nothing-left';
  return checkOf('cost', isTooSmall ? 'warning' : 'ok', {
    code: isTooSmall ? 'budget-too-small' : 'cost-expected',
    ...{ volumes, usd: audits.usd + (monitoring?.usd ?? 0), auditsUsd: audits.usd },
    oneAuditUsd: audits.usd / audits.aMonth,
    monitoringUsd: monitoring?.usd ?? null,
    troubledUsd: monitoring?.expected.troubledUsd ?? null,
    budgetUsd,
  });
}

export interface AccountContext {
  config: Config;
  now: Date;
  /** Calls of GetMetricData that one batch has open. */
  callsOfBatch: number;
}

export const accountChecks = (
  facts: AccountFacts,
  { config, now, callsOfBatch }: AccountContext,
): DoctorCheck[] => [
  regionCheck(facts),
  permissionCheck(facts),
  volumeCheck(facts),
  delayCheck(facts),
  metricQuotaCheck(facts, callsOfBatch * config.audit.batchesAtOnce),
  ofRead('cost', facts.volumes, (counted) => costOf(config, counted, now)),
];
