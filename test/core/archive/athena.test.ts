/** Which accounts and Regions Athena knows by itself, and which a question must name. */
import { archivedPlaces } from '../../../core/archive/athena.ts';
import { checked } from '../../../core/config/check.ts';

const own = { account: '111122223333', region: 'us-east-1' };
function placesOf(said: object) {
  const { config, problems } = checked(said);
  if (config === null) throw new Error(problems.map(({ text }) => text).join());
  return archivedPlaces(config, own);
}
const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `${100_000_000_000 + i}`);
const organization = (said: object) => ({ organization: { externalId: 'of-the-members', ...said } });

test('one account: its own, and the Regions that are audited', () => {
  expect(placesOf({})).toEqual({ accounts: ['111122223333'], regions: ['us-east-1'] });
  expect(placesOf({ regions: ['eu-west-1', 'eu-west-3'] }).regions).toEqual(['eu-west-1', 'eu-west-3']);
});

test('listed accounts without those left out, up to 24; of more a question must name one', () => {
  const accounts = many(25);
  expect(placesOf(organization({ accounts: accounts.slice(0, 24) })).accounts).toHaveLength(24);
  expect(placesOf(organization({ accounts })).accounts).toBeNull();
  expect(placesOf(organization({ accounts, exclude: [accounts[0]] })).accounts).toEqual(accounts.slice(1));
});

test.each([
  ['all of an organization', { accounts: 'all' }],
  ['units', { organizationalUnits: ['ou-ab12-11111111'] }],
])('%s: nobody lists the accounts here', (_, said) => {
  expect(placesOf(organization(said))).toEqual({ accounts: null, regions: ['us-east-1'] });
});

test('Regions of members: their own list, that of all, or none that is known', () => {
  const accounts = many(1);
  const regionsOf = (regions?: unknown) =>
    placesOf({
      regions: ['eu-west-1'],
      ...organization({ accounts, ...(regions !== undefined && { regions }) }),
    }).regions;
  expect(regionsOf()).toEqual(['eu-west-1']);
  expect(regionsOf(['us-west-2'])).toEqual(['us-west-2']);
  expect(regionsOf('enabled')).toBeNull();
});
