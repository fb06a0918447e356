/**
 * What makes something smaller rests on 30 days and the end of a month, or it is provisional: what is busy once a month is not seen
 * in two weeks.
 */
import { type AuditWindow, secondsOf } from '../diagnosis/thresholds.ts';
import { hasMonthEnd } from '../month-ends.ts';
import type { Layout } from '../plan/layout.ts';
import type { Finding, Recommendation } from '../schemas/finding.ts';
import type { Risk } from '../schemas/recommendation.ts';
import { isoFromEpochSeconds, secondsPerDay } from '../units.ts';

const leastDays = 30;

const isLess = (
  to: { iops: number; throughputMiBps: number },
  from: { iops: number; throughputMiBps: number },
): boolean => to.iops < from.iops || to.throughputMiBps < from.throughputMiBps;

/** Of all its members together. */
const ofAll = ({ members, iops, throughputMiBps, sizeGiB }: Layout) => ({
  iops: members * iops,
  throughputMiBps: members * throughputMiBps,
  sizeGiB: members * sizeGiB,
});

/** Something has less than before because its load asked for no more; what is as fast as before rests on no load. */
function isSmallerByLoad(kind: Finding['kind'], { action, change, sizedBy }: Recommendation): boolean {
  if (action === 'delete') return kind === 'idle';
  if (change === null || sizedBy === 'current-maximum' || sizedBy === 'provisioned') return false;
  switch (change.of) {
    case 'volume': {
      const [from, to] = [ofAll(change.from), ofAll(change.to)];
      return isLess(to, from) || to.sizeGiB < from.sizeGiB;
    }
    case 'schedule':
      return true;
    case 'volumes':
      return change.volumes.some(({ from, to }) => isLess(to, from));
    default:
      return false;
  }
}

function provisionalIn(window: AuditWindow): Extract<Risk, { code: 'provisional' }> | null {
  const { startEpochSeconds: from, endEpochSeconds: end } = window;
  const days = secondsOf(window) / secondsPerDay;
  const isMonthEndSeen = hasMonthEnd(from, end);
  if (days >= leastDays && isMonthEndSeen) return null;
  return {
    code: 'provisional',
    days: Number(days.toFixed(1)),
    ...{ from: isoFromEpochSeconds(from), to: isoFromEpochSeconds(end), hasMonthEnd: isMonthEndSeen },
  };
}

/** @param windowOf what the evaluation of a resource rests on; null: nothing was read. */
export const markedProvisional = <One extends Pick<Finding, 'kind' | 'resource' | 'recommendations'>>(
  findings: readonly One[],
  windowOf: (resourceId: string) => AuditWindow | null,
): One[] =>
  findings.map((finding) => {
    const { kind, resource, recommendations } = finding;
    if (!recommendations.some((one) => isSmallerByLoad(kind, one))) return finding;
    const window = windowOf(resource.id);
    const provisional = window === null ? null : provisionalIn(window);
    if (provisional === null) return finding;
    return {
      ...finding,
      recommendations: recommendations.map((one) =>
        isSmallerByLoad(kind, one) ? { ...one, risks: [...one.risks, provisional] } : one,
      ),
    };
  });
