/** Puts a fleet into the local EC2 and CloudWatch, as if it had run there. */
import { fleetSeries } from './cloudwatch/fleet-series.ts';
import type { ServiceUrls } from './services.ts';
import type { GivenHostInput } from './ssm/hosts.ts';

export interface RecordedFleet {
  endEpochSeconds: number;
  regions: readonly {
    region: string;
    describeVolumes: object;
    describeInstances: object;
    getMetricData: object;
  }[];
}

/** A whole hour that is over: CloudWatch keeps fine points for days only, so a fleet must have run lately. */
export const lastWholeHour = (now: Date): number => {
  const settled = now.getTime() / 1000 - 600;
  return Math.floor(settled / 3_600) * 3_600;
};

/** To the routes of a server that steer it. */
export async function sendJson(method: string, url: string, body: object): Promise<unknown> {
  const reply = await fetch(url, {
    method,
    body: JSON.stringify(body),
    // A kept connection may have been closed by the server while this process was busy with simulating.
    headers: { 'content-type': 'application/json', connection: 'close' },
  });
  if (!reply.ok) throw new Error(`${method} ${url} answered ${reply.status}: ${await reply.text()}`);
  return reply.json();
}

/** What hosts answer when they are asked, as `PUT /_stripewise/hosts` of the local Systems Manager takes it. */
export type HostsOfRegions = Readonly<Record<string, Readonly<Record<string, GivenHostInput>>>>;

/**
 * Replaces the volumes and instances of each of its Regions; metrics are added, or replaced where they are there.
 * @param hosts by Region; those of the others stay as they are.
 * @param account whose fleet it is; by default that of the local AWS.
 */
export async function loadFleet(
  urls: ServiceUrls,
  fleet: RecordedFleet,
  hosts: HostsOfRegions = {},
  account?: string,
): Promise<void> {
  const ofAccount = account === undefined ? '' : `&account=${account}`;
  await sendJson('PUT', `${urls.cloudWatch}/_stripewise/clock`, {
    now: new Date(fleet.endEpochSeconds * 1000).toISOString(),
  });
  for (const { region, describeVolumes, describeInstances, getMetricData } of fleet.regions) {
    const query = `region=${region}${ofAccount}`;
    await sendJson('PUT', `${urls.ec2}/_stripewise/inventory?${query}`, {
      ...describeVolumes,
      ...describeInstances,
    });
    const series = fleetSeries({ describeVolumes, getMetricData }, { checkDimensions: 'pair' });
    await sendJson('POST', `${urls.cloudWatch}/_stripewise/series?${query}`, { series });
  }
  for (const [region, ofRegion] of Object.entries(hosts)) {
    await sendJson('PUT', `${urls.ssm}/_stripewise/hosts?region=${region}${ofAccount}`, ofRegion);
  }
}
