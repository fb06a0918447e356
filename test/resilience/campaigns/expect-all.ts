import { type Outcome, outcomesOf, unexpected } from '../outcome-table.ts';
import type { CampaignDay } from './campaign-day.ts';
import { outcomeOf, type TroubledCampaign } from './troubled-campaign.ts';

export const heads = ['who meets it', 'trouble'];

/** Brings about each of them, prints what came of it, and wants nothing else than was expected. */
export async function expectAll(
  day: CampaignDay,
  title: string,
  rows: readonly TroubledCampaign[],
): Promise<void> {
  const outcomes: Outcome[] = await outcomesOf(title, heads, rows, (row) => outcomeOf(day, row));
  expect(unexpected(outcomes)).toEqual([]);
}
