/** Launches the host of a cell, with its volumes; one that is there already is taken as it is. */
import { type Campaign, cellOfCampaign } from '../../core/benchmark/campaign/campaign.ts';
import { deviceNames, memberOf, tagsOf } from '../../core/benchmark/campaign/cells.ts';
import type { Architecture } from '../../core/catalog/instance-types.ts';
import type { VolumeConfiguration } from '../../core/limits/volume-limits.ts';
import { minutesPerHour, msPerSecond, secondsPerHour } from '../../core/units.ts';

export interface Launch {
  clientToken: string;
  instanceType: string;
  architecture: Architecture;
  subnetIds: readonly string[];
  volumes: readonly { deviceName: string; configuration: VolumeConfiguration; cardIndex: number | null }[];
  tags: Readonly<Record<string, string>>;
  /** From its start. */
  minutesToLive: number;
}

export interface LaunchFrom {
  findHosts(): Promise<readonly { instanceId: string; state: string; launchedAt: string }[]>;
  launch(request: Launch): Promise<{ instanceId: string }>;
  /** That it is the benchmark's: before anything else is made of it, audits and monitoring leave it alone. */
  record(instanceId: string): Promise<void>;
}

/**
 * A campaign that began again after its launch was lost finds its instance by the tags, or by the token: it is never launched
 * twice.
 * @param askedAt ISO 8601 UTC, the same whenever it is tried again: what comes with another time is another request to EC2.
 */
export async function launchHost(
  campaign: Campaign,
  cellId: string,
  askedAt: string,
  from: LaunchFrom,
): Promise<{ instanceId: string; launchedAt: string }> {
  // One that is going or gone is none.
  const there = (await from.findHosts()).find(({ state }) => state === 'pending' || state === 'running');
  if (there !== undefined) {
    // Who launched it may have died before.
    await from.record(there.instanceId);
    return { instanceId: there.instanceId, launchedAt: there.launchedAt };
  }
  const { campaignId, subnetIds } = campaign;
  const { layout, instanceType, architecture, cards, hoursToLive } = cellOfCampaign(campaign, cellId);
  const expiresAt = new Date(Date.parse(askedAt) + hoursToLive * secondsPerHour * msPerSecond).toISOString();
  const { instanceId } = await from.launch({
    clientToken: `${campaignId}/${cellId}`,
    ...{ instanceType, architecture, subnetIds },
    volumes: deviceNames.slice(0, layout.members).map((deviceName, index) => ({
      deviceName,
      configuration: memberOf(layout),
      cardIndex: cards > 1 ? index % cards : null,
    })),
    tags: tagsOf(campaignId, cellId, expiresAt),
    minutesToLive: Math.ceil(hoursToLive * minutesPerHour),
  });
  await from.record(instanceId);
  return { instanceId, launchedAt: askedAt };
}
