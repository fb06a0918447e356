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
  expect(first.usd).toBeCloseTo((await metricsAsked()) * 0.000_01, 10);
  await leave();
});

/** Metrics that CloudWatch was asked for, in all Regions. */
const metricsAsked = async (): Promise<number> => {
  const counts = await account.cloudWatch.send('GET', 'counts');
  return [...JSON.stringify(counts).matchAll(/"metricsRequested":(\d+)/g)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
};

test('beyond the ceiling nothing is asked, and one line says so; what costs nothing is still answered', async () => {
  const { text, leave } = await session({ region: ['us-east-1'], maxUsd: 0.0001 });
  const before = account.ec2.calls().length;
  expect(await text('explain', asked)).toBe(
    'explain: this call may cost 0.00016 USD at CloudWatch, and 0 of at most 0.0001 USD a session are spent: nothing was asked; ask about one volume, or start the server with a higher --max-usd',
  );
  expect(account.ec2.calls().length).toBeGreaterThan(before); // listing volumes is free
  expect(await metricsAsked()).toBe(0);
  expect(await text('limits', { type: 'gp3', sizeGiB: 100 })).toContain('8.00 USD a month');
  await leave();
});

test('of two Regions both are known before the first is read: a ceiling that one alone would keep refuses them', async () => {
  account.regions['eu-west-1'] = {
    describeVolumes: describeVolumes({ VolumeId: 'vol-0123456789abcdef1', AvailabilityZone: 'eu-west-1a' }),
    describeInstances: describeInstances({ Placement: { AvailabilityZone: 'eu-west-1a' } }),
  };
  const options = { region: ['us-east-1', 'eu-west-1'], lookbackDays: 1 };
  const { text, leave } = await session({ ...options, maxUsd: 0.0002 });
  expect(await text('list_findings')).toMatch(/^list_findings: this call may cost 0\.000\d+ USD/);
  expect(await metricsAsked()).toBe(0);
  await leave();
});

test('calls at once cannot go past the ceiling together: 2 of 5 of 0.00016 USD are below 0.0004', async () => {
  const { call, textOf, leave } = await session({ region: ['us-east-1'], maxUsd: 0.0004 });
  const results = await Promise.all(Array.from({ length: 5 }, () => call('explain', asked)));
  expect(results.map(({ isError }) => isError ?? false)).toEqual([false, false, true, true, true]);
  expect(results.slice(0, 2).map(({ structuredContent }) => structuredContent?.['cost'])).toEqual([
    { usd: 0.000_16, sessionUsd: 0.000_16, maxUsd: 0.0004 },
    { usd: 0.000_16, sessionUsd: 0.000_32, maxUsd: 0.0004 },
  ]);
  expect(textOf(results[4] as (typeof results)[number])).toContain('0.00032 of at most 0.0004 USD');
  await leave();
});

test('a call that is cancelled before its turn asks nothing, and costs nothing', async () => {
  const { client, call, leave } = await session({ region: ['us-east-1'] });
  await call('explain', asked);
  const callsOfOne = account.ec2.calls().length;
  const first = call('explain', asked);
  const cancel = new AbortController();
  const second = client.callTool({ name: 'explain', arguments: asked }, undefined, {
    signal: cancel.signal,
  });
  cancel.abort('no longer of interest');
  await expect(second).rejects.toThrow();
  expect((await first).structuredContent).toMatchObject({ cost: { sessionUsd: 0.000_32 } });
  expect((await call('explain', asked)).structuredContent).toMatchObject({ cost: { sessionUsd: 0.000_48 } });
  expect(account.ec2.calls().length).toBe(3 * callsOfOne);
  await leave();
});

test('the cost of a comparison is that of its own reading, whatever is asked beside it', async () => {
  const { call, leave } = await session({ region: ['us-east-1'] });
  const compare = { layouts: ['gp3:100'], load: { volumeId: vol } };
  const [, compared] = await Promise.all([call('explain', asked), call('compare_layouts', compare)]);
  expect(compared.structuredContent).toMatchObject({ cost: { usd: 0.000_16, sessionUsd: 0.000_32 } });
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

test('a Region that refuses is said beside what the others have', async () => {
  account.regions['eu-west-1'] = Object.assign(new Error('You may not.\nReally.'), {
    name: 'UnauthorizedOperation',
  });
  const { call, textOf, leave } = await session({ region: ['us-east-1', 'eu-west-1'], lookbackDays: 1 });
  const result = await call('list_findings');
  expect(result.structuredContent).toMatchObject({
    volumes: 1,
    notRead: [expect.stringContaining('eu-west-1')],
  });
  expect(textOf(result)).toMatch(/^Not read: .*eu-west-1.*\[untrusted: /m);
  await leave();
});
