/** The fleet of the demo in three accounts of an organization: the hub, one that lets it in, and one that does not. */

import { memberActions, recommendationActions } from '../core/reading-actions.ts';
import type { SimulatedFleet } from '../test/simulator/fleet.ts';
import { recommendationsOf } from './compute-optimizer/recommendations.ts';
import { loadFleet, sendJson } from './load-fleet.ts';
import { plantOrganization } from './organization.ts';
import { localAccount, type Services } from './services.ts';

/** As the configuration of the demo says it (local/stripewise.demo.yaml). */
const externalId = 'stripewise-demo';

/** The one that lets the hub in has this Region of the fleet, the hub the other ones. */
const regionOfOrders = 'eu-central-1';
const ordersAccount = '222233334444';
/** The part of an ARN that is its Region. */
const regionOfArn = 3;

const accountOf = (region: string): string => (region === regionOfOrders ? ordersAccount : localAccount);

/** What the local Compute Optimizer makes of the fleet's documented metrics, for the two accounts that are read. */
async function plantRecommendations({ urls }: Services, fleet: SimulatedFleet): Promise<void> {
  const all = recommendationsOf(fleet, { accountOf });
  const isOf = (account: string, arn: string): boolean =>
    accountOf(arn.split(':')[regionOfArn] ?? '') === account;
  for (const account of [localAccount, ordersAccount])
    await sendJson('PUT', `${urls.pricing}/_stripewise/recommendations?account=${account}`, {
      volumes: all.volumes.filter(({ volumeArn }) => isOf(account, volumeArn)),
      hub: all.hub.filter(({ recommendation }) => isOf(account, recommendation.resourceArn)),
    });
}

export async function plantDemo(services: Services, fleet: SimulatedFleet): Promise<void> {
  const inRegions = (isOf: (region: string) => boolean) => ({
    ...fleet,
    regions: fleet.regions.filter(({ region }) => isOf(region)),
  });
  await plantRecommendations(services, fleet);
  await loadFleet(
    services.urls,
    inRegions((region) => region !== regionOfOrders),
  );
  await plantOrganization({
    ...{ services, externalId },
    actions: [...memberActions, ...recommendationActions['compute-optimizer']],
    accounts: [
      { id: localAccount, name: 'platform', role: 'absent' },
      {
        ...{ id: ordersAccount, name: 'orders', unit: 'Shops' },
        fleet: inRegions((region) => region === regionOfOrders),
      },
      { id: '333344445555', name: 'ledger', unit: 'Finance', role: 'absent' },
    ],
  });
}
