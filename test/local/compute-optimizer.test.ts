/** Recommendations in the local AWS: asked by AWS's own client through the gateway, and held against AWS's own model. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { z } from 'zod';
import { recommendationsOf } from '../../local/compute-optimizer/recommendations.ts';
import { type Gateway, startGateway } from '../../local/gateway/gateway.ts';
import type { RunningServer } from '../../local/http.ts';
import { sendJson } from '../../local/load-fleet.ts';
import { startPricing } from '../../local/pricing/server.ts';
import { ensurePython } from '../../local/python.ts';
import { simulateFleet } from '../simulator/fleet.ts';

const root = join(__dirname, '../..');
const account = '111122223333';
const member = '222233334444';

const fleet = simulateFleet();
const recommendations = recommendationsOf(fleet, {
  accountOf: (region) => (region === 'us-east-1' ? account : member),
});

let server: RunningServer;
let gateway: Gateway;
/** AWS's own client, in Python; one question after the other. */
let client: ChildProcessWithoutNullStreams;
let lines: Interface;
const isDenied = new Set<string>();

const put = (path: string, body: object): Promise<unknown> =>
  sendJson('PUT', `${server.url}/_stripewise/${path}`, body);

beforeAll(async () => {
  client = spawn(await ensurePython({ root, say: () => {} }), [join(__dirname, 'recommendations_client.py')]);
  client.stderr.pipe(process.stderr);
  lines = createInterface(client.stdout);
  server = await startPricing({ account });
  gateway = await startGateway({
    isAllowed: async ({ service, operation }) => !isDenied.has(`${service}:${operation}`),
  });
  gateway.route(
    { 'compute-optimizer': server.url, 'cost-optimization-hub': server.url },
    'http://127.0.0.1:1',
  );
});
afterAll(async () => {
  client.stdin.end();
  await once(client, 'exit');
  await gateway.stop();
  await server.stop();
});
beforeEach(async () => {
  isDenied.clear();
  await put('management', { account, members: [] });
  for (const id of [account, member]) {
    const isOf = (arn: string): boolean => (arn.includes(':eu-central-1:') ? member : account) === id;
    await put(`recommendations?account=${id}`, {
      volumes: recommendations.volumes.filter(({ volumeArn }) => isOf(volumeArn)),
      hub: recommendations.hub.filter(({ recommendation }) => isOf(recommendation.resourceArn)),
    });
  }
});

const answerSchema = z.object({
  pages: z.array(z.record(z.string(), z.unknown())),
  unknown: z.array(z.string()),
  error: z.object({ code: z.string(), message: z.string(), class: z.string() }).nullable(),
});

interface Asked {
  of?: string;
  region?: string;
}

async function ask(
  operation: 'GetEBSVolumeRecommendations' | 'ListRecommendations' | 'GetRecommendation',
  parameters: object = {},
  { of = account, region = 'us-east-1' }: Asked = {},
): Promise<z.infer<typeof answerSchema>> {
  const service = operation.includes('EBS') ? 'compute-optimizer' : 'cost-optimization-hub';
  const answered = once(lines, 'line');
  client.stdin.write(
    `${JSON.stringify({ url: gateway.url, account: of, service, operation, parameters, region })}\n`,
  );
  const [line] = (await answered) as [string];
  return answerSchema.parse(JSON.parse(line));
}

interface ListedVolume {
  volumeArn: string;
  accountId: string;
  finding: string;
  volumeRecommendationOptions: { rank: number; performanceRisk: number }[];
}

async function volumesOf(parameters: object = {}, asked: Asked = {}): Promise<ListedVolume[]> {
  const { pages, unknown, error } = await ask('GetEBSVolumeRecommendations', parameters, asked);
  expect({ unknown, error }).toEqual({ unknown: [], error: null });
  return pages.flatMap(({ volumeRecommendations }) => volumeRecommendations as ListedVolume[]);
}

describe('Compute Optimizer', () => {
  test('has a recommendation for each attached volume of the Region, in pages, in the shape of its model', async () => {
    const { pages } = await ask('GetEBSVolumeRecommendations', { maxResults: 40 });
    expect(pages.length).toBe(
      Math.ceil(
        recommendations.volumes.filter(({ volumeArn }) => volumeArn.includes(':us-east-1:')).length / 40,
      ),
    );
    const volumes = await volumesOf({ maxResults: 40 });
    const ids = volumes.map(({ volumeArn }) => volumeArn);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(70);
    for (const { volumeRecommendationOptions: options } of volumes) {
      expect(options.length).toBeLessThanOrEqual(3);
      expect(options.map(({ rank }) => rank)).toEqual(options.map((_, at) => at + 1));
      for (const { performanceRisk } of options) expect(performanceRisk).toBeLessThanOrEqual(4);
    }
  });

  test('filters by finding and by volume, and says of which volumes it has none', async () => {
    const notOptimized = await volumesOf({ filters: [{ name: 'Finding', values: ['NotOptimized'] }] });
    expect(new Set(notOptimized.map(({ finding }) => finding))).toEqual(new Set(['NotOptimized']));
    const [first] = notOptimized;
    const gone = 'arn:aws:ec2:us-east-1:111122223333:volume/vol-0ffffffffffffffff';
    const { pages } = await ask('GetEBSVolumeRecommendations', { volumeArns: [first?.volumeArn, gone] });
    expect(pages).toMatchObject([
      { volumeRecommendations: [{ volumeArn: first?.volumeArn }], errors: [{ identifier: gone }] },
    ]);
  });

  test('a member has its own, which the management account alone may ask for, one account at a time', async () => {
    const region = 'eu-central-1';
    const own = await volumesOf({}, { of: member, region });
    expect(own.length).toBeGreaterThan(10);
    expect(await volumesOf({}, { region })).toEqual([]);
    const ofMember = { accountIds: [member] };
    const refused = await ask('GetEBSVolumeRecommendations', ofMember, { region });
    expect(refused.error?.code).toBe('AccessDeniedException');
    await put('management', { account, members: [member] });
    expect(await volumesOf(ofMember, { region })).toEqual(own);
    const two = await ask('GetEBSVolumeRecommendations', { accountIds: [member, account] }, { region });
    expect(two.error?.code).toBe('InvalidParameterValueException');
  });

  test('who is not enrolled is told so, by the exception that the model has for it', async () => {
    await put('enrollment', { account, service: 'compute-optimizer', status: 'not-enrolled' });
    const { error } = await ask('GetEBSVolumeRecommendations');
    expect(error).toMatchObject({ code: 'OptInRequiredException', class: 'OptInRequiredException' });
    await put('enrollment', { account, service: 'compute-optimizer', status: 'denied' });
    expect((await ask('GetEBSVolumeRecommendations')).error?.code).toBe('AccessDeniedException');
  });

  test('whom IAM does not allow the call is refused', async () => {
    isDenied.add('compute-optimizer:GetEBSVolumeRecommendations');
    expect((await ask('GetEBSVolumeRecommendations')).error?.code).toBe('AccessDeniedException');
  });

  test('more than 1,000 a page and a token of another request are refused', async () => {
    const many = await fetch(server.url, {
      method: 'POST',
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=${account}/20261128/us-east-1/compute-optimizer/aws4_request, x`,
        'x-amz-target': 'ComputeOptimizerService.GetEBSVolumeRecommendations',
        'content-type': 'application/x-amz-json-1.0',
      },
      body: JSON.stringify({ maxResults: 1_001 }),
    });
    expect(await many.json()).toMatchObject({
      __type: expect.stringContaining('InvalidParameterValueException'),
    });
    const { error } = await ask('GetEBSVolumeRecommendations', {
      nextToken: 'eyJhc2tlZCI6ImEiLCJmcm9tIjoxfQ==',
    });
    expect(error?.code).toBe('InvalidParameterValueException');
  });
});

describe('Cost Optimization Hub', () => {
  const itemsOf = async (parameters: object, asked?: Asked) => {
    const { pages, unknown, error } = await ask('ListRecommendations', parameters, asked);
    expect({ unknown, error }).toEqual({ unknown: [], error: null });
    return pages.flatMap(
      ({ items }) => items as { resourceId: string; actionType: string; recommendationId: string }[],
    );
  };

  test('lists what saves of volumes and databases, in pages', async () => {
    const all = await itemsOf({ maxResults: 20 });
    expect(all.length).toBeGreaterThan(30);
    const volumes = await itemsOf({ filter: { resourceTypes: ['EbsVolume'] } });
    expect(new Set(volumes.map(({ actionType }) => actionType))).toEqual(
      new Set(['Rightsize', 'Upgrade', 'Delete']),
    );
    const databases = await itemsOf({ filter: { resourceTypes: ['RdsDbInstanceStorage'] } });
    expect(databases.map(({ resourceId }) => resourceId)).toEqual(['us-east-1-ledger']);
  });

  test('says of one what it is and what it is to be', async () => {
    const [upgrade] = await itemsOf({ filter: { actionTypes: ['Upgrade'] } });
    const { pages, unknown } = await ask('GetRecommendation', {
      recommendationId: upgrade?.recommendationId,
    });
    expect(unknown).toEqual([]);
    expect(pages).toMatchObject([
      {
        resourceId: upgrade?.resourceId,
        recommendedResourceDetails: { ebsVolume: { configuration: { storage: { type: 'gp3' } } } },
      },
    ]);
  });

  test('is in one Region, and says who is not enrolled', async () => {
    const elsewhere = await ask('ListRecommendations', {}, { region: 'eu-central-1' });
    expect(elsewhere.error?.code).toBe('UnrecognizedClientException');
    await put('enrollment', { account, service: 'cost-optimization-hub', status: 'not-enrolled' });
    expect((await ask('ListRecommendations')).error?.code).toBe('AccessDeniedException');
  });
});
