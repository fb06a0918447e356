/** What a run reads: what is configured, unless its input asks for something else. */
import { BadInput } from '../../../core/errors.ts';
import { listTargets, runRequestSchema } from '../../../lambdas/list-targets/list-targets.ts';

const now = new Date('2026-11-20T12:34:56Z');
const defaults = {
  account: '111122223333',
  regions: ['us-east-1', 'eu-central-1'],
  lookbackDays: 14,
  periodSeconds: 300,
  isArchived: false,
  readMinutes: 690,
};
const targetsOf = (request: object) => listTargets(runRequestSchema.parse(request), defaults, now);
const iso = (epochSeconds: number): string => new Date(epochSeconds * 1_000).toISOString();

test('without input: the configured Regions over two weeks until three minutes ago, in whole periods', () => {
  const { plan, targets } = targetsOf({});
  expect(targets).toEqual([
    { account: '111122223333', region: 'us-east-1' },
    { account: '111122223333', region: 'eu-central-1' },
  ]);
  // 12:34:56 - 180 s = 12:31:56
  expect(iso(plan.endEpochSeconds)).toBe('2026-11-20T12:30:00.000Z');
  expect(plan.endEpochSeconds - plan.startEpochSeconds).toBe(14 * 86_400);
  expect(plan.periodSeconds).toBe(300);
});

test('the input of the execution goes before: Regions once each, another window in minutes', () => {
  const { plan, targets } = targetsOf({
    regions: ['eu-west-1', 'eu-west-1'],
    lookbackDays: 1,
    periodSeconds: 60,
    until: '2026-11-19T16:30:00+02:00',
  });
  expect(targets).toEqual([{ account: '111122223333', region: 'eu-west-1' }]);
  expect(iso(plan.endEpochSeconds)).toBe('2026-11-19T14:30:00.000Z');
  expect(plan.endEpochSeconds - plan.startEpochSeconds).toBe(86_400);
  expect(plan.periodSeconds).toBe(60);
});

test.each([
  { regions: [] },
  { regions: ['../runs'] },
  { lookbackDays: 0 },
  { periodSeconds: 1.5 },
  { until: 'yesterday' },
  { until: '2026-11-19T14:30:00' },
  { lookbackdays: 3 },
])('%j is refused before anything is read', (request) => {
  expect(() => targetsOf(request)).toThrow();
});

test('configured for two passes: five minutes of few metrics, then minutes of suspects; in whole five minutes', () => {
  const { plan } = listTargets({}, { ...defaults, periodSeconds: 'two-passes' }, now);
  expect(plan).toMatchObject({ periodSeconds: 60, coarsePeriodSeconds: 300 });
  expect(iso(plan.endEpochSeconds)).toBe('2026-11-20T12:30:00.000Z');
});

test('from the archive: minutes of both passes, as far back as it is asked, up to 395 days', () => {
  const archived = { ...defaults, periodSeconds: 'two-passes', isArchived: true } as const;
  const { plan } = listTargets({ lookbackDays: 395 }, archived, now);
  expect(plan).toMatchObject({ periodSeconds: 60, coarsePeriodSeconds: 60, isArchived: true });
  expect(plan.endEpochSeconds - plan.startEpochSeconds).toBe(395 * 86_400);
  expect(() => listTargets({ lookbackDays: 396 }, archived, now)).toThrow(
    '396 days are longer than an audit from the archive looks back: ask for at most 395',
  );
  // All metrics of all volumes: one pass.
  expect(listTargets({}, { ...archived, periodSeconds: 60 }, now).plan.coarsePeriodSeconds).toBeUndefined();
  // Tables of a day, and the fleet by day, are of the usual window.
  expect(plan.isOfOwnWindow).toBe(true);
  expect(listTargets({}, archived, now).plan.isOfOwnWindow).toBeUndefined();
  // Who asks for a period asks CloudWatch for it.
  expect(listTargets({ periodSeconds: 300 }, archived, now).plan.isArchived).toBeUndefined();
});

test('an execution that asks for a period gets one pass in it', () => {
  const { plan } = listTargets({ periodSeconds: 60 }, { ...defaults, periodSeconds: 'two-passes' }, now);
  expect(plan.periodSeconds).toBe(60);
  expect(plan.coarsePeriodSeconds).toBeUndefined();
});

test('what CloudWatch does not keep is bad input', () => {
  expect(() => targetsOf({ periodSeconds: 60, lookbackDays: 30 })).toThrow(BadInput);
});

test('what it may read ends so many minutes after its beginning', () => {
  // 12:34:56 + 11 h 30 min
  expect(targetsOf({}).readUntil).toBe('2026-11-21T00:04:56.000Z');
});

test('accounts are asked for where there are several: of one account they are bad input', () => {
  expect(() => targetsOf({ accounts: ['111122223333'] })).toThrow(
    'the input: accounts: one account is read, that of the stack: leave it out, or give the configuration an organization',
  );
  expect(() => targetsOf({ accounts: ['1111'] })).toThrow('the 12 digits of an account, in quotes');
});
