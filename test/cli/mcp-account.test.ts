/** `stripewise mcp --region`: what reading the account costs, and the ceiling of a session. */
import { describeInstances, describeVolumes } from '../fixtures/aws-cli.ts';
import { endSeconds, series } from '../local/cloudwatch-fixture.ts';
import { liveAccount } from './live-account.ts';
import { session } from './mcp-session.ts';

const account = liveAccount();
const vol = 'vol-0123456789abcdef0';

beforeEach(async () => {
  account.regions['us-east-1'] = {
    describeVolumes: describeVolumes({ Tags: [{ Key: 'Name', Value: 'orders' }] }),
    describeInstances: describeInstances({}),
  };
  await account.cloudWatch.load(
    Object.entries({
      VolumeReadOps: 60,
      VolumeWriteOps: 0,
      VolumeReadBytes: 60 * 16_384,
      VolumeWriteBytes: 0,
    }).map(([metric, value]) =>
      series(
        vol,
        Array.from({ length: 1_440 }, () => value),
        { metric, startSeconds: endSeconds - 86_400 },
      ),
    ),
  );
});

const asked = { resource: 'orders', at: '2026-11-19T14:00Z' };

test('each answer says what it cost: 16 metrics are 0.00016 USD, and a session adds them up', async () => {
  const { call, textOf, leave } = await session({ region: ['us-east-1'] });
  const first = await call('explain', asked);
  expect(textOf(first)).toContain('At 2026-11-19 14:00 UTC: not throttled; 1 IOPS');
  expect(textOf(first)).toContain(
    'Cost of this call: 0.00016 USD at CloudWatch. This session: 0.00016 of at most 1 USD.',
  );
  const second = await call('explain', asked);
  expect(second.structuredContent).toMatchObject({
    cost: { usd: 0.000_16, sessionUsd: 0.000_32, maxUsd: 1 },
  });
  expect(await leave()).toBe(0);
});

test('the fleet is read once in an hour: the second list costs nothing', async () => {
  const { call, leave } = await session({ region: ['us-east-1'], lookbackDays: 1 });
  const costOf = async (): Promise<unknown> => (await call('list_findings')).structuredContent?.['cost'];
  const first = (await costOf()) as { usd: number };
  expect(first.usd).toBeGreaterThan(0);
  expect(await costOf()).toEqual({ usd: 0, sessionUsd: first.usd, maxUsd: 1 });
  await leave();
});

test('beyond the ceiling nothing is asked, and one line says so; what costs nothing is still answered', async () => {
  const { text, leave } = await session({ region: ['us-east-1'], maxUsd: 0.0001 });
  const before = account.ec2.calls().length;
  expect(await text('explain', asked)).toBe(
    'explain: CloudWatch would bill 0.00016 USD for this session, more than its ceiling of 0.0001 USD: ask about one volume, or start with a higher --max-usd',
  );
  expect(account.ec2.calls().length).toBeGreaterThan(before); // listing volumes is free
  expect(await text('limits', { type: 'gp3', sizeGiB: 100 })).toContain('8.00 USD a month');
  await leave();
});

test('what AWS refuses is said in one line', async () => {
  account.regions['us-east-1'] = Object.assign(new Error('You may not.\nReally.'), {
    name: 'UnauthorizedOperation',
  });
  const { text, leave } = await session({ region: ['us-east-1'] });
  const said = await text('explain', asked);
  expect(said).toMatch(/^explain: /);
  expect(said.split('\n')).toHaveLength(1);
  await leave();
});
