/** Sessions in accounts: how often STS is asked, and for how long a refusal is believed. */
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { AccountSessions } from '../../../adapters/aws/account-sessions.ts';
import { CallCounter } from '../../../adapters/aws/call-counter.ts';
import { NotEntered } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const minuteMs = 60_000;
const home = '111122223333';
const target = (region = 'us-east-1', account = '222233334444') => ({ partition: 'aws', account, region });

const sts = mockClient(STSClient);
let nowMs = 0;
let issued = 0;
beforeEach(() => {
  sts.reset();
  [nowMs, issued] = [Date.parse('2026-11-20T00:00:00Z'), 0];
  sts.on(AssumeRoleCommand).callsFake(() => ({
    Credentials: {
      AccessKeyId: `ASIA${++issued}`,
      SecretAccessKey: 'secret',
      SessionToken: 'token',
      Expiration: new Date(nowMs + 60 * minuteMs),
    },
  }));
});
afterAll(() => sts.restore());

const sessions = (externalId: string | null = 'example') =>
  new AccountSessions(
    { region: 'us-east-1', account: home, memberRoleName: 'StripewiseMember', externalId },
    new CallCounter(),
    () => nowMs,
  );
const keyOf = async (all: AccountSessions, where = target()): Promise<string | undefined> =>
  (await (await all.sessionIn(where, 'run-1')).credentials?.())?.accessKeyId;
const asked = (): number => sts.commandCalls(AssumeRoleCommand).length;

test('hundred clients at once in two Regions: one AssumeRole', async () => {
  const all = sessions();
  const keys = await Promise.all(
    Array.from({ length: 100 }, (_, i) => keyOf(all, target(i % 2 === 0 ? 'us-east-1' : 'eu-central-1'))),
  );
  expect(new Set(keys)).toEqual(new Set(['ASIA1']));
  expect(asked()).toBe(1);
});

test('an hour less five minutes later a client that is still there gets new ones', async () => {
  const session = await sessions().sessionIn(target(), 'run-1');
  nowMs += 54 * minuteMs;
  expect((await session.credentials?.())?.accessKeyId).toBe('ASIA1');
  nowMs += 1 * minuteMs;
  expect((await session.credentials?.())?.accessKeyId).toBe('ASIA2');
  expect(asked()).toBe(2);
});

test('each account is entered by itself; one is at home without a role', async () => {
  const all = sessions();
  expect(await keyOf(all)).toBe('ASIA1');
  expect(await keyOf(all, target('us-east-1', '333344445555'))).toBe('ASIA2');
  expect(await all.sessionIn(target('eu-central-1', home), 'run-1')).toEqual({ region: 'eu-central-1' });
  expect(asked()).toBe(2);
});

test('the session says which run it is, in letters that STS takes; no external id is sent where there is none', async () => {
  await sessions(null).sessionIn(target(), `audit:${'x'.repeat(80)}`);
  const { input } = sts.commandCalls(AssumeRoleCommand)[0]?.args[0] ?? {};
  expect(input?.RoleSessionName).toBe(`stripewise-audit-${'x'.repeat(64 - 17)}`);
  expect(input).not.toHaveProperty('ExternalId');
});

test('who was refused is asked again after ten minutes, and not before', async () => {
  sts.reset();
  sts
    .on(AssumeRoleCommand)
    .rejects(awsError('AccessDenied', 'User: x is not authorized to perform: sts:AssumeRole', 403));
  const all = sessions();
  for (const region of ['us-east-1', 'eu-central-1']) {
    await expect(all.sessionIn(target(region), 'run-1')).rejects.toThrow(NotEntered);
    await expect(all.sessionIn(target(region), 'run-1')).rejects.toMatchObject({
      refused: { code: 'role-refused' },
    });
  }
  expect(asked()).toBe(1);
  nowMs += 10 * minuteMs;
  await expect(all.sessionIn(target(), 'run-2')).rejects.toThrow(NotEntered);
  expect(asked()).toBe(2);
});
