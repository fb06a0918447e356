/** What a host of a campaign is to do next, by what it has done and measured. */
import {
  type Campaign,
  type CampaignHost,
  campaignKeys,
  cellOfCampaign,
} from '../../core/benchmark/campaign/campaign.ts';
import { probeOf } from '../../core/benchmark/campaign/campaign-report.ts';
import { measuredRunIds, type NextCommand, nextCommand } from '../../core/benchmark/campaign/commands.ts';
import type { RunFioResult } from '../../core/report-card/fio-result.ts';

export interface NextFrom {
  readCampaign(): Promise<Campaign>;
  readHost(): Promise<CampaignHost>;
  /** Of this cell. */
  readResult(runId: string): Promise<RunFioResult>;
}

export async function chooseNext(
  { bucket, cellId, commandsDone }: { bucket: string; cellId: string; commandsDone: number },
  { readCampaign, readHost, readResult }: NextFrom,
): Promise<NextCommand> {
  const [campaign, { volumeIds }] = await Promise.all([readCampaign(), readHost()]);
  const { request, campaignId } = campaign;
  const { hoursToLive, ...cell } = cellOfCampaign(campaign, cellId);
  const { work } = request;
  const probes = [];
  if (work.kind === 'search')
    for (const runId of measuredRunIds(request, commandsDone))
      probes.push(probeOf(await readResult(runId), work.goal.percentile));
  const prefix = campaignKeys(campaignId).results(cellId).replace(/\/$/, '');
  return nextCommand(
    request,
    cell,
    { volumeIds, hoursToLive, s3Uri: `s3://${bucket}/${prefix}` },
    commandsDone,
    probes,
  );
}
