/** What AWS Compute Optimizer recommends for the volumes of one account and Region. Read only: nothing is enabled. */
import {
  ComputeOptimizerClient,
  GetEBSVolumeRecommendationsCommand,
  type GetRecommendationError,
} from '@aws-sdk/client-compute-optimizer';
import {
  type ComputeOptimizerPage,
  computeOptimizerPageSchema,
  computeOptimizerRows,
  type RecommendationRows,
} from '../../core/second-opinion/recommendations.ts';
import type { CallCounter } from './call-counter.ts';
import { reading } from './failure.ts';
import { retryGarbled } from './garbled.ts';
import { PagesWithEnd } from './pages.ts';
import { retry, type Session, withTimeouts } from './session.ts';

export function computeOptimizerClient(session: Session, counter: CallCounter): ComputeOptimizerClient {
  const client = new ComputeOptimizerClient({ ...retry, ...withTimeouts, ...session });
  client.middlewareStack.use(counter.plugin());
  client.middlewareStack.use(retryGarbled());
  return client;
}

/** The most that a page can have. Source: API reference, GetEBSVolumeRecommendations, read 2026-11-28. */
const rowsPerPage = 1_000;

/** It can give rows, and say of other accounts that it has none: of the one that is asked, that is an error. */
function requireNoErrors(errors: readonly GetRecommendationError[] | undefined): void {
  const [first] = errors ?? [];
  if (first !== undefined)
    throw Object.assign(new Error(first.message ?? ''), { name: first.code ?? 'Unknown' });
}

/** @throws NotEnabled, AccessDenied, Throttled, Unavailable, Unreadable */
export const getEbsRecommendations = (
  client: ComputeOptimizerClient,
  region: string,
): Promise<RecommendationRows> =>
  reading(`compute-optimizer:GetEBSVolumeRecommendations in ${region}`, async () => {
    const pages: ComputeOptimizerPage[] = [];
    const withEnd = new PagesWithEnd();
    let nextToken: string | undefined;
    do {
      const reply = await client.send(
        new GetEBSVolumeRecommendationsCommand({ maxResults: rowsPerPage, nextToken }),
      );
      requireNoErrors(reply.errors);
      withEnd.look(reply.nextToken);
      pages.push(computeOptimizerPageSchema.parse(reply));
      nextToken = reply.nextToken;
    } while (nextToken !== undefined && nextToken !== '');
    return computeOptimizerRows(pages);
  });
