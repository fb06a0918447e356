/** What other services recommend for the volumes of a target. What they refuse is no failure: the run goes on, and says it. */
import type { AuditBatch } from '../../core/audit/batches.ts';
import { AccessDenied, NotEnabled, Unreadable } from '../../core/errors.ts';
import type { Target } from '../../core/schemas/accounts.ts';
import type { OpinionRead, OpinionSource } from '../../core/schemas/second-opinion.ts';
import type { GivenOpinions } from '../../core/schemas/volume-recommendation.ts';
import { matched, notRead } from '../../core/second-opinion/given.ts';
import type { RecommendationRows } from '../../core/second-opinion/recommendations.ts';

export interface ReadOpinions {
  /** Of each source that answered. */
  opinions: GivenOpinions[];
  /** What came of asking, each source once. */
  reads: OpinionRead[];
}

interface OfTarget {
  target: Pick<Target, 'account' | 'region'>;
  batches: readonly Pick<AuditBatch, 'volumes'>[];
}

function statusOf(error: Unreadable): 'not-enabled' | 'denied' | 'failed' {
  if (error instanceof NotEnabled) return 'not-enabled';
  return error instanceof AccessDenied ? 'denied' : 'failed';
}

/**
 * Null where no service is to be asked.
 * @param rowsOf all rows of a source; of which volumes details are worth a call of their own.
 */
export async function readOpinions(
  sources: readonly OpinionSource[],
  { target: { account, region }, batches }: OfTarget,
  rowsOf: (source: OpinionSource, isOfAudit: (volumeId: string) => boolean) => Promise<RecommendationRows>,
): Promise<ReadOpinions | null> {
  if (sources.length === 0) return null;
  const volumes = batches.flatMap((batch) => batch.volumes);
  const ids = new Set(volumes.map(({ volumeId }) => volumeId));
  const asked: ReadOpinions = { opinions: [], reads: [] };
  for (const source of sources) {
    try {
      const rows = await rowsOf(source, (id) => ids.has(id));
      const { given, read } = matched(rows, { volumes, accounts: [account], account, region });
      asked.opinions.push(given);
      asked.reads.push(read);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      asked.reads.push(notRead({ source, account, region }, statusOf(error), error.message));
    }
  }
  return asked;
}
