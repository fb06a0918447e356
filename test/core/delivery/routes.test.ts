/** Which findings go to which channel. */
import { changeMessageOf } from '../../../core/changes/message.ts';
import type { Route } from '../../../core/config/config.ts';
import {
  digestFor,
  getsAlarms,
  getsChange,
  matchesRoute,
  notificationFor,
} from '../../../core/delivery/routes.ts';
import type { FindingResource, Severity } from '../../../core/schemas/finding.ts';
import { aDigest } from '../../fixtures/digests.ts';
import { aFinding, aNotification, onVolume } from '../../fixtures/findings.ts';
import { aChange } from '../../fixtures/volume-change.ts';

const route = (changes: Partial<Route> = {}): Route => ({
  ...{ to: ['dba'], minSeverity: 'info', digests: true, alarms: true },
  ...changes,
});
const resource = onVolume('vol-1', {
  account: '111122223333',
  accountUnits: ['r-ab12', 'ou-ab12-11111111'],
  tags: { team: 'db', stage: 'prod' },
  kubernetes: {
    ...{ claim: 'orders-data', namespace: 'payments', volume: null, cluster: null, isOfDriver: true },
  },
});
const finding = (changes: Partial<FindingResource> = {}, severity: Severity = 'warning') =>
  aFinding({ severity, resource: { ...resource, ...changes } });

test.each<[string, Partial<Route>, boolean]>([
  ['nothing asked for', {}, true],
  ['its severity', { minSeverity: 'warning' }, true],
  ['a more urgent one', { minSeverity: 'critical' }, false],
  ['its account', { accounts: ['111122223333'] }, true],
  ['another account', { accounts: ['444455556666'] }, false],
  ['its unit', { organizationalUnits: ['ou-ab12-11111111'] }, true],
  ['a unit around it', { organizationalUnits: ['r-ab12'] }, true],
  ['another unit', { organizationalUnits: ['ou-ab12-99999999'] }, false],
  ['its unit, and another account', { organizationalUnits: ['r-ab12'], accounts: ['444455556666'] }, false],
  ['its Region among others', { regions: ['eu-central-1', 'us-east-1'] }, true],
  ['another Region', { regions: ['eu-central-1'] }, false],
  ['its kind', { kinds: ['throttled-volume-iops'] }, true],
  ['another kind', { kinds: ['idle'] }, false],
  ['a tag of it', { tags: { team: 'db' } }, true],
  ['one of several values', { tags: { team: ['web', 'db'] } }, true],
  ['any value', { tags: { team: '*' } }, true],
  ['another value', { tags: { team: 'web' } }, false],
  ['a tag that it has not', { tags: { owner: '*' } }, false],
  ['its namespace among others', { namespaces: ['shop', 'payments'] }, true],
  ['another namespace', { namespaces: ['shop'] }, false],
  ['two tags of which it has one', { tags: { team: 'db', stage: 'test' } }, false],
])('%s', (_, changes, isLet) => {
  expect(matchesRoute(route(changes), finding())).toBe(isLet);
});

test('what has no account, unit or tags is of none', () => {
  const { accountUnits: ___, ...withoutUnit } = resource;
  expect(matchesRoute(route({ organizationalUnits: ['r-ab12'] }), aFinding({ resource: withoutUnit }))).toBe(
    false,
  );
  expect(matchesRoute(route({ accounts: ['111122223333'] }), finding({ account: null }))).toBe(false);
  const { tags: _, ...untagged } = resource;
  expect(matchesRoute(route({ tags: { team: '*' } }), aFinding({ resource: untagged }))).toBe(false);
});

test("a tag is the account's word: __proto__ and constructor are tags like others", () => {
  const tags = JSON.parse('{"__proto__": "x"}');
  expect(matchesRoute(route({ tags: JSON.parse('{"__proto__": "x"}') }), finding({ tags }))).toBe(true);
  expect(matchesRoute(route({ tags: { constructor: '*' } }), finding())).toBe(false);
});

describe('a channel', () => {
  const notification = aNotification([
    finding({ id: 'vol-1' }, 'critical'),
    finding({ id: 'vol-2' }, 'info'),
    finding({ id: 'vol-3', region: 'eu-central-1' }, 'info'),
  ]);
  const digest = aDigest({
    first: notification.notified.map(({ change: _, validation: __, ...notified }) => notified),
    notShown: 2,
  });
  const notifiedTo = (routes: Route[]): (string | undefined)[] =>
    notificationFor('dba', notification, routes)?.notified.map((notified) => notified.resource.id) ?? [];

  test('gets what any of its routes lets through, once', () => {
    expect(
      notifiedTo([route({ minSeverity: 'critical' }), route({ regions: ['eu-central-1'] }), route()]),
    ).toEqual(['vol-1', 'vol-2', 'vol-3']);
    expect(notifiedTo([route({ minSeverity: 'critical' }), route({ regions: ['eu-central-1'] })])).toEqual([
      'vol-1',
      'vol-3',
    ]);
  });

  test('gets nothing by the routes of others', () => {
    expect(notificationFor('dba', notification, [route({ to: ['web'] })])).toBeNull();
    expect(digestFor('dba', digest, [route({ to: ['web'] })])).toBeNull();
    expect(getsAlarms('dba', [route({ to: ['web'] })])).toBe(false);
  });

  test('gets digests and alarms where one of its routes says so', () => {
    const routes = [route({ digests: false, alarms: false }), route({ alarms: false })];
    expect([digestFor('dba', digest, routes), getsAlarms('dba', routes)]).toEqual([digest, false]);
    expect(digestFor('dba', digest, routes.slice(0, 1))).toBeNull();
  });

  test('of a digest it gets the findings that its routes for digests let through, and the figures of all', () => {
    const routes = [route({ minSeverity: 'critical' }), route({ digests: false })];
    expect(digestFor('dba', digest, routes)).toEqual({ ...digest, first: [digest.first[0]], notShown: 4 });
  });
});

test('of totals by account a channel gets those that its routes for digests are about', () => {
  const of = (account: string, accountUnits: string[]) => ({
    account,
    accountUnits,
    open: 1,
    monthlyUsdToSave: 0,
  });
  const byAccount = [of('111122223333', ['r-ab12']), of('444455556666', ['r-ab12', 'ou-ab12-11111111'])];
  const accountsFor = (changes: Partial<Route>): (string | null)[] | undefined =>
    digestFor('dba', aDigest({ byAccount }), [route(changes)])?.byAccount?.map(({ account }) => account);
  expect(accountsFor({})).toEqual(['111122223333', '444455556666']);
  expect(accountsFor({ accounts: ['111122223333'] })).toEqual(['111122223333']);
  expect(accountsFor({ organizationalUnits: ['ou-ab12-11111111'] })).toEqual(['444455556666']);
  expect(digestFor('dba', aDigest(), [route()])).not.toHaveProperty('byAccount');
});

test('of a summary of a first audit a channel that gets five findings or fewer gets an ordinary message', () => {
  const critical = Array.from({ length: 5 }, () => finding({}, 'critical'));
  const first = { ...aNotification([...critical, finding()]), isFirst: true } as const;
  const routes = [route({ minSeverity: 'critical' }), route({ to: ['all'] })];
  expect(notificationFor('dba', first, routes)).toMatchObject({
    notified: critical.map(() => ({ severity: 'critical' })),
  });
  expect(notificationFor('dba', first, routes)).not.toHaveProperty('isFirst');
  expect(notificationFor('all', first, routes)).toEqual(first);
  expect(notificationFor('dba', { ...first, notShown: 1 }, routes)).toHaveProperty('isFirst', true);
});

test.each<[string, Partial<Route>, boolean]>([
  ['every route', {}, true],
  ['its account and Region', { accounts: ['111122223333'], regions: ['us-east-1'] }, true],
  ['another account', { accounts: ['444455556666'] }, false],
  ['another Region', { regions: ['eu-west-1'] }, false],
  [
    'what a change does not have',
    { minSeverity: 'critical', kinds: ['micro-burst'], tags: { team: ['a'] } },
    true,
  ],
])('a change of a volume goes by %s', (_, changes, isSent) => {
  const message = changeMessageOf(aChange(), 'proposed', 1);
  expect(getsChange('dba', message, [route(changes)])).toBe(isSent);
  expect(getsChange('nobody', message, [route(changes)])).toBe(false);
});
