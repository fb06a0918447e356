/** The host of a cell: launched once, with its volumes, and for no longer than it may live. */
import type { Campaign } from '../../../core/benchmark/campaign/campaign.ts';
import { type Launch, launchHost } from '../../../lambdas/launch-host/launch-host.ts';
import { aCampaign } from '../../core/benchmark/campaign/campaigns.ts';
import { aLayout } from '../../core/benchmark/campaign/requests.ts';

const askedAt = '2026-11-22T12:00:00.000Z';
const cellId = 'stripe-m1-large';

async function launched(campaign: Campaign = aCampaign(), id = cellId, at = askedAt): Promise<Launch> {
  const requests: Launch[] = [];
  await launchHost(campaign, id, at, {
    findHosts: async () => [],
    launch: async (request) => {
      requests.push(request);
      return { instanceId: 'i-1' };
    },
    record: async () => {},
  });
  const [only, ...others] = requests;
  if (only === undefined || others.length > 0) throw new Error(`${requests.length} launches`);
  return only;
}

test('it is launched as the campaign has it, with the volumes of its layout in their order', async () => {
  const request = await launched();
  expect(request).toMatchObject({ instanceType: 'm1.large', architecture: 'arm64', subnetIds: ['subnet-1'] });
  expect(request.volumes).toEqual(
    ['/dev/sdf', '/dev/sdg', '/dev/sdh', '/dev/sdi'].map((deviceName) => ({
      deviceName,
      configuration: expect.objectContaining({ volumeType: 'gp3', sizeGiB: 100 }),
      cardIndex: null,
    })),
  );
});

test('it is recorded as soon as EC2 has named it, and counts as launched when it was asked for', async () => {
  const recorded: string[] = [];
  const from = {
    ...{ findHosts: async () => [], launch: async () => ({ instanceId: 'i-1' }) },
    record: async (instanceId: string) => {
      recorded.push(instanceId);
    },
  };
  expect(await launchHost(aCampaign(), cellId, askedAt, from)).toEqual({
    instanceId: 'i-1',
    launchedAt: askedAt,
  });
  expect(recorded).toEqual(['i-1']);
});

test('one that is there is taken as it is and recorded, and nothing is launched', async () => {
  const recorded: string[] = [];
  const there = { instanceId: 'i-9', launchedAt: '2026-11-22T11:59:00.000Z' };
  const gone = { ...there, instanceId: 'i-8', state: 'terminated' };
  const launch = async () => {
    throw new Error('launched twice');
  };
  expect(
    await launchHost(aCampaign(), cellId, askedAt, {
      findHosts: async () => [gone, { ...there, state: 'running' }],
      launch,
      record: async (instanceId) => {
        recorded.push(instanceId);
      },
    }),
  ).toEqual(there);
  expect(recorded).toEqual(['i-9']);
});

test('tags say whose it is and when its time is over', async () => {
  const campaign = aCampaign({ hoursAtMost: 2 });
  const { tags, minutesToLive } = await launched(campaign);
  expect(tags).toEqual({
    'stripewise:campaign': 'c1',
    'stripewise:cell': cellId,
    'stripewise:expires': '2026-11-22T14:00:00.000Z', // two hours
    Name: 'stripewise c1 stripe-m1-large',
  });
  expect(minutesToLive).toBe(120);
});

test('asked again it is the same request: EC2 answers with the same instance', async () => {
  expect(await launched()).toEqual(await launched());
});

test('other cells and campaigns are other requests', async () => {
  const layouts = [aLayout(), aLayout({ name: 'b' })];
  const tokens = [
    await launched(aCampaign({ layouts })),
    await launched(aCampaign({ layouts }), 'b-m1-large'),
    await launched(aCampaign({ layouts }, 'c2')),
  ].map(({ clientToken }) => clientToken);
  expect(new Set(tokens).size).toBe(3);
});

test('of several EBS cards each has its members in turn', async () => {
  const campaign = aCampaign();
  const cells = campaign.cells.map((cell) => ({ ...cell, cards: 3 }));
  const { volumes } = await launched({ ...campaign, cells });
  expect(volumes.map(({ cardIndex }) => cardIndex)).toEqual([0, 1, 2, 0]);
});
