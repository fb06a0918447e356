/** Which call reads what another AWS service recommends. */
import type { Target } from '../../core/schemas/accounts.ts';
import type { OpinionSource } from '../../core/schemas/second-opinion.ts';
import type { RecommendationRows } from '../../core/second-opinion/recommendations.ts';
import { computeOptimizerClient, getEbsRecommendations } from './get-ebs-recommendations.ts';
import { type HubClient, listCostRecommendations } from './list-cost-recommendations.ts';

/**
 * All rows of a source for one account and Region; Cost Optimization Hub is asked for details of the volumes of the audit alone.
 * @throws NotEnabled, AccessDenied, Throttled, Unavailable, Unreadable
 */
export const recommendationsReader =
  (client: HubClient, target: Pick<Target, 'account' | 'region'>) =>
  (source: OpinionSource, isOfAudit: (volumeId: string) => boolean): Promise<RecommendationRows> =>
    source === 'compute-optimizer'
      ? getEbsRecommendations(computeOptimizerClient(client.session, client.counter), target.region)
      : listCostRecommendations(client, target, isOfAudit);
