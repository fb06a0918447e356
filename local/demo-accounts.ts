/** The fleet of the demo in three accounts of an organization: the hub, one that lets it in, and one that does not. */
import type { SimulatedFleet } from '../test/simulator/fleet.ts';
import { loadFleet } from './load-fleet.ts';
import { plantOrganization } from './organization.ts';
import { localAccount, type Services } from './services.ts';

/** As the configuration of the demo says it (local/stripewise.demo.yaml). */
const externalId = 'stripewise-demo';

/** The one that lets the hub in has this Region of the fleet, the hub the other ones. */
const regionOfOrders = 'eu-central-1';

export async function plantDemo(services: Services, fleet: SimulatedFleet): Promise<void> {
  const inRegions = (isOf: (region: string) => boolean) => ({
    ...fleet,
    regions: fleet.regions.filter(({ region }) => isOf(region)),
  });
  await loadFleet(
    services.urls,
    inRegions((region) => region !== regionOfOrders),
  );
  await plantOrganization({
    ...{ services, externalId },
    accounts: [
      { id: localAccount, name: 'platform', role: 'absent' },
      {
        ...{ id: '222233334444', name: 'orders', unit: 'Shops' },
        fleet: inRegions((region) => region === regionOfOrders),
      },
      { id: '333344445555', name: 'ledger', unit: 'Finance', role: 'absent' },
    ],
  });
}
