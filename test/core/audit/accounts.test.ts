/** Accounts of a run: each once, what came of each, and of which places everything is known. */
import {
  chosenAccounts,
  coverageOfAccounts,
  isReadInPart,
  isWholeIn,
  listedForWatching,
  regionsOfRun,
  unlisted,
  wholePlacesOf,
  withAccounts,
} from '../../../core/audit/accounts.ts';
import type { ListedAccount } from '../../../core/schemas/accounts.ts';
import { aFinding, onVolume } from '../../fixtures/findings.ts';

const [a, b, c] = ['111122223333', '222233334444', '333344445555'] as const;
const listed = (account: string, more: Partial<ListedAccount> = {}): ListedAccount => ({
  ...unlisted(account),
  name: `name of ${account}`,
  ...more,
});
const whole = (account: string, region = 'us-east-1', volumes = 2) => ({
  ...{ account, region, volumes },
  ...{ whole: true, refused: null },
});
const refused = (account: string, region = 'us-east-1') => ({
  ...{ account, region, volumes: 0, whole: false },
  refused: { code: 'role-refused' as const, reason: 'AccessDenied' },
});

describe('which accounts are asked', () => {
  test('a list that nobody checked: each once, by number, without those that are left out', () => {
    const chosen = chosenAccounts(null, { accounts: [c, a, b, a], exclude: [b] });
    expect(chosen).toEqual([unlisted(a), unlisted(c)]);
  });
  test('all that were listed', () => {
    expect(chosenAccounts([listed(b), listed(a)], {}).map(({ account }) => account)).toEqual([a, b]);
  });
});

describe('what came of each', () => {
  test('read, empty, in part, not at all; what is new', () => {
    const coverage = coverageOfAccounts(
      [listed(a), listed(b), listed(c)],
      [whole(a), whole(a, 'eu-central-1', 3), whole(b, 'us-east-1', 0), whole(c), refused(c, 'eu-central-1')],
      new Set([a, b]),
    );
    expect(coverage.map(({ state, volumes, isNew }) => [state, volumes, isNew])).toEqual([
      ['read', 2 + 3, false],
      ['empty', 0, false],
      ['read-in-part', 2 + 0, true],
    ]);
  });
  test('refused in each Region for the same reason: the account refused', () => {
    const [one] = coverageOfAccounts([listed(a)], [refused(a), refused(a, 'eu-central-1')], null);
    expect(one).toMatchObject({ state: 'not-read', refused: { code: 'role-refused' }, isNew: null });
  });
  test('a Region that is off, where another one answers; in each Region it may be the credentials: what AWS said', () => {
    const off = (account: string, region: string) => ({
      ...refused(account, region),
      refused: { code: 'region-off' as const, reason: 'AuthFailure' },
    });
    const [first, second] = coverageOfAccounts(
      [listed(a), listed(b)],
      [whole(a), off(a, 'af-south-1'), off(b, 'us-east-1'), off(b, 'af-south-1')],
      null,
    );
    expect(first?.regions.map((one) => one.refused?.code)).toEqual([undefined, 'region-off']);
    expect([first, second].map((one) => one && isReadInPart(one))).toEqual([false, true]);
    expect(second).toMatchObject({ state: 'not-read', refused: { code: 'other', reason: 'AuthFailure' } });
  });
  test('of a suspended one no Region is asked', () => {
    const suspended = { code: 'suspended' as const, reason: null };
    const [one] = coverageOfAccounts([listed(a, { refused: suspended })], [], null);
    expect(one).toMatchObject({ state: 'not-read', refused: suspended, regions: [] });
  });
});

describe('of which places everything is known', () => {
  const accountCoverage = coverageOfAccounts(
    [listed(a), listed(b)],
    [whole(a), whole(a, 'eu-central-1'), refused(b)],
    null,
  );
  test('by account and Region: the same Region of another account is another place', () => {
    const run = { accounts: [a], accountCoverage };
    expect(wholePlacesOf(run)).toEqual([`${a}/us-east-1`, `${a}/eu-central-1`]);
    const isWhole = isWholeIn(run);
    expect(isWhole({ account: a, region: 'us-east-1' })).toBe(true);
    expect(isWhole({ account: b, region: 'us-east-1' })).toBe(false);
    expect(isWhole({ account: null, region: 'us-east-1' })).toBe(false);
  });
  test('a run of one account says it by Region, of that account', () => {
    const run = { accounts: [a], wholeRegions: ['us-east-1'] };
    expect(wholePlacesOf(run)).toEqual(['us-east-1']);
    const isWhole = isWholeIn(run);
    expect(isWhole({ account: a, region: 'us-east-1' })).toBe(true);
    expect(isWhole({ account: null, region: 'us-east-1' })).toBe(true);
    expect(isWhole({ account: b, region: 'us-east-1' })).toBe(false);
  });
  test('Regions of a run are those that were read, or tried', () => {
    expect(regionsOfRun({ volumes: [], accountCoverage })).toEqual(['us-east-1', 'eu-central-1']);
  });
});

test('findings carry the name and the units of their account, where somebody told', () => {
  const finding = (account: string) =>
    aFinding({ resource: onVolume('vol-1', { account, region: 'us-east-1' }) });
  const units = [
    { id: 'r-ab12', name: 'Root' },
    { id: 'ou-ab12-11111111', name: null },
  ];
  const [first, second] = withAccounts([finding(a), finding(b)], [listed(a, { units }), unlisted(b)]);
  expect(first?.resource).toEqual({
    ...finding(a).resource,
    accountName: `name of ${a}`,
    accountUnits: ['r-ab12', 'ou-ab12-11111111'],
  });
  expect(second?.resource).toEqual(finding(b).resource);
});

test('an account that does not say its Regions once is watched as before; one that is listed no more is not', () => {
  const target = (account: string, region = 'us-east-1') => ({ partition: 'aws', account, region });
  const before = {
    accounts: [listed(a), listed(b), listed(c)],
    targets: [target(a), target(a, 'eu-west-1'), target(b), target(b, 'eu-west-1'), target(c)],
    notListed: [],
  };
  const silent = { account: b, refused: { code: 'other' as const, reason: 'account:ListRegions failed' } };
  const now = { accounts: [listed(a), listed(b)], targets: [target(a)], notListed: [silent] };
  const watched = listedForWatching(now, before);
  expect(watched).toEqual({ ...now, targets: [target(a), target(b), target(b, 'eu-west-1')] });
  // And once more.
  expect(listedForWatching(now, watched)).toEqual(watched);
  expect(listedForWatching(now, null)).toEqual(now);
});
