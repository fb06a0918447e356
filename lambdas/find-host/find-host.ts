/** Waits, look by look, until a host of a campaign takes commands. */
import { type Campaign, type CampaignHost, cellOfCampaign } from '../../core/benchmark/campaign/campaign.ts';
import { deviceNames } from '../../core/benchmark/campaign/cells.ts';
import { NotYet } from '../../core/errors.ts';
import { msPerSecond } from '../../core/units.ts';

/** It will not come any more. */
export class HostGone extends Error {
  override readonly name = 'HostGone';
}

export interface FindFrom {
  findHosts(): Promise<
    readonly {
      instanceId: string;
      state: string;
      stateReason: string | null;
      expiresAt: string | null;
      imageId: string | null;
      volumes: ReadonlyMap<string, string>;
    }[]
  >;
  /** All volumes of the host, its root volume too: what is left of it is the benchmark's. */
  record(volumeIds: readonly string[]): Promise<void>;
  pingStatus(instanceId: string): Promise<string | null>;
  now(): Date;
}

/** EC2 may not list at once what it has launched. Source: EC2 API reference, "Eventual consistency", read 2026-11-22. */
const listedWithinSeconds = 120;

/** @throws NotYet; HostGone where EC2 has ended it. */
export async function findHost(
  campaign: Campaign,
  cellId: string,
  { instanceId, launchedAt }: { instanceId: string; launchedAt: string },
  from: FindFrom,
): Promise<CampaignHost> {
  const { layout } = cellOfCampaign(campaign, cellId);
  const host = (await from.findHosts()).find((one) => one.instanceId === instanceId);
  if (host === undefined) {
    const age = (from.now().getTime() - Date.parse(launchedAt)) / msPerSecond;
    if (age < listedWithinSeconds) throw new NotYet(`${instanceId} is not listed yet`);
    throw new HostGone(`${instanceId} is not there any more: EC2 or somebody has ended it`);
  }
  if (host.state !== 'pending' && host.state !== 'running')
    throw new HostGone(
      `${instanceId} is ${host.state}${host.stateReason === null ? ': EC2 does not say why' : `: ${host.stateReason}`}`,
    );
  if (host.state !== 'running') throw new NotYet(`${instanceId} is ${host.state}`);
  const expected = deviceNames.slice(0, layout.members);
  const volumeIds = expected.flatMap((name) => host.volumes.get(name) ?? []);
  if (volumeIds.length < expected.length)
    throw new NotYet(`${instanceId} has ${volumeIds.length} of ${expected.length} volumes`);
  await from.record([...host.volumes.values()]);
  const ping = await from.pingStatus(instanceId);
  if (ping !== 'Online')
    throw new NotYet(
      `${instanceId}: Systems Manager ${ping === null ? 'does not know it' : `says ${ping}`}: it needs a way to Systems Manager, by the internet or by endpoints in its subnet`,
    );
  if (host.expiresAt === null)
    throw new HostGone(
      `${instanceId} has lost its tag of when it ends: nobody could say how long it may work`,
    );
  return { instanceId, imageId: host.imageId, volumeIds, expiresAt: host.expiresAt };
}
