/** How much of its history an execution of a campaign fills. */
import { estimateOf } from '../../../../core/benchmark/campaign/estimate.ts';
import { eventsOf, preflight } from '../../../../core/benchmark/campaign/preflight.ts';
import { BadInput } from '../../../../core/errors.ts';
import { aCampaignRegionCatalog, search } from './campaigns.ts';
import { aLayout, aRequest } from './requests.ts';

const events = (request: object): number => {
  const asked = aRequest(request);
  return eventsOf(asked, estimateOf(asked, aCampaignRegionCatalog));
};

test('a cell, its commands, and a look every three minutes', () => {
  // Built, measured once, nothing left: 3 x 13 beside 120; 973 s with 80 events an hour: 21.6
  expect(events({})).toBeCloseTo(120 + 39 + (973 / 3_600) * 80, 6);
});

test('a search has up to 14 runs', () => {
  expect(events({ work: search })).toBeCloseTo(120 + 16 * 13 + (751 / 3_600) * 80, 6);
});

test('more than a history holds is refused before anything is launched', () => {
  const names = [...'abcdefghijkl'];
  const request = (seconds: number) =>
    aRequest({
      layouts: names.map((name) => aLayout({ name })),
      work: {
        ...{ kind: 'load', seconds, fileSizeMiB: 4_000 },
        load: { access: 'randread', blockKiB: 8, users: 16 },
      },
      ...{ repeats: 10, ceilingUsd: 1_000, hoursAtMost: 48 },
    });
  expect(() => preflight(request(600), aCampaignRegionCatalog)).not.toThrow();
  // 12 hosts x 10 x 2 h = 240 h: 19,200 events of looks alone
  const refused = () => preflight(request(7_200), aCampaignRegionCatalog);
  expect(refused).toThrow(BadInput);
  expect(refused).toThrow(
    /^it would fill the history of its execution \(about 2\d,\d{3} events, and 20,000 are safe\)/,
  );
});
