/** What Cost Optimization Hub is asked over HTTP, signed for us-east-1, and what its answers mean: nothing is ever enabled. */
import type { IncomingHttpHeaders } from 'node:http';
import { CallCounter } from '../../../adapters/aws/call-counter.ts';
import { listCostRecommendations } from '../../../adapters/aws/list-cost-recommendations.ts';
import { AccessDenied, NotEnabled, Throttled, Unavailable, Unreadable } from '../../../core/errors.ts';
import { jsonReply, listen, type Reply, type RunningServer, readText } from '../../../local/http.ts';
import { hubRow } from '../../fixtures/recommendations.ts';

const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG' };
const session = { region: 'eu-central-1', credentials: async () => credentials };
const place = { account: '111122223333', region: 'eu-central-1' };
const [own, other] = ['vol-0123456789abcdef0', 'vol-0123456789abcdef1'] as const;

let server: RunningServer;
let answer: (operation: string, body: Record<string, unknown>) => Reply;
let received: { operation: string; body: Record<string, unknown>; headers: IncomingHttpHeaders }[];
const endpoint = 'AWS_ENDPOINT_URL_COST_OPTIMIZATION_HUB';
beforeAll(async () => {
  server = await listen(0, async (request) => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const body = JSON.parse(await readText(request));
    received.push({ operation, body, headers: request.headers });
    return answer(operation, body);
  });
  process.env[endpoint] = server.url;
});
afterAll(async () => {
  delete process.env[endpoint];
  await server.stop();
});
beforeEach(() => {
  received = [];
});

const { currentResourceDetails: _, recommendedResourceDetails: __, ...listed } = hubRow(own);
const list = (...items: object[]): Reply => jsonReply({ items });
const failed = (status: number, type: string, message: string): Reply => ({
  ...jsonReply({ __type: `com.amazonaws#${type}`, message }),
  status,
});
const counter = new CallCounter();
const read = () =>
  listCostRecommendations({ session, counter, waitMs: 1 }, place, (volumeId) => volumeId === own);

test('its rows of this account and Region, in details of the volumes of the audit alone', async () => {
  const ofOther = { ...listed, resourceArn: '', resourceId: other, recommendationId: 'id-of-other' };
  const ofRds = { ...listed, currentResourceType: 'RdsDbInstanceStorage' };
  answer = (operation, { nextToken }) => {
    if (operation === 'GetRecommendation') return jsonReply(hubRow(own));
    return nextToken === undefined ? jsonReply({ items: [listed, ofRds], nextToken: 'more' }) : list(ofOther);
  };
  const before = counter.total;
  const { rows, rdsRows } = await read();
  expect(rdsRows).toBe(1);
  expect(rows.map(({ volumeId, options }) => [volumeId, options[0]?.configuration?.iops ?? null])).toEqual([
    [own, 3_000],
    [other, null],
  ]);
  const filter = {
    accountIds: [place.account],
    regions: [place.region],
    resourceTypes: ['EbsVolume', 'RdsDbInstanceStorage', 'AuroraDbClusterStorage'],
  };
  expect(received.map(({ operation, body }) => [operation, body])).toEqual([
    ['ListRecommendations', { filter, maxResults: 100 }],
    ['GetRecommendation', { recommendationId: `id-of-${own}` }],
    ['ListRecommendations', { filter, maxResults: 100, nextToken: 'more' }],
  ]);
  expect(counter.total - before).toBe(3);
  for (const { headers } of received) {
    expect(headers['content-type']).toBe('application/x-amz-json-1.0');
    // In whatever Region the audit is.
    expect(headers.authorization).toMatch(/\/us-east-1\/cost-optimization-hub\/aws4_request/);
  }
});

test('a row that is gone when its details are asked stays without them', async () => {
  answer = (operation) =>
    operation === 'GetRecommendation' ? failed(400, 'ResourceNotFoundException', 'gone') : list(listed);
  const [row] = (await read()).rows;
  expect(row?.options[0]?.configuration).toBeNull();
});

test.each([
  [
    'not enrolled',
    400,
    'AccessDeniedException',
    'AWS account is not enrolled for recommendations.',
    NotEnabled,
    1,
  ],
  ['denied', 400, 'AccessDeniedException', 'You are not authorized.', AccessDenied, 1],
  ['wrong', 400, 'ValidationException', 'no', Unreadable, 1],
  ['throttled', 400, 'ThrottlingException', 'Rate exceeded', Throttled, 5],
  ['down', 500, 'InternalServerException', 'try again', Unavailable, 5],
])('%s: asked so often as it may pass', async (_, status, type, message, kind, times) => {
  answer = () => failed(status, type, message);
  const thrown = (await read().catch((error: Error) => error)) as Error;
  expect(thrown.constructor).toBe(kind);
  expect(thrown.message).toBe(`cost-optimization-hub:ListRecommendations failed: ${type}: ${message}`);
  expect(received).toHaveLength(times);
});

test('what passes is asked again', async () => {
  answer = () => (received.length < 3 ? failed(500, 'InternalServerException', 'again') : list());
  expect((await read()).rows).toEqual([]);
  expect(received).toHaveLength(3);
});

test('what is no JSON, and nobody at home', async () => {
  answer = () => ({ ...jsonReply({}), status: 200 });
  await expect(read()).rejects.toBeInstanceOf(Unreadable); // no items in it
  const stopped = await listen(0, async () => jsonReply({}));
  await stopped.stop();
  process.env[endpoint] = stopped.url;
  try {
    await expect(read()).rejects.toBeInstanceOf(Unavailable);
  } finally {
    process.env[endpoint] = server.url;
  }
});
