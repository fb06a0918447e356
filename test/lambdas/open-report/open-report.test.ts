/** The endpoint that anybody can call: a good link is sent on, and nobody else learns or costs anything. */
import { linksTo } from '../../../core/report/report-link.ts';
import { type OpenWith, openReport } from '../../../lambdas/open-report/open-report.ts';

const key = 'k'.repeat(64);
const now = 1_797_724_800;
const fresh = 'https://bucket.s3.us-east-1.amazonaws.com/runs/run-1/report.html?X-Amz-Signature=1';

function world(using: Partial<OpenWith> = {}) {
  const calls: string[] = [];
  const noted = <T>(call: string, value: T): Promise<T> => {
    calls.push(call);
    return Promise.resolve(value);
  };
  const opened: OpenWith = {
    readKey: () => noted('readKey', key),
    isThere: (object) => noted(`isThere ${object}`, true),
    freshUrl: (object, method) => noted(`freshUrl ${object} ${method}`, fresh),
    onTrouble: ({ message }) => calls.push(`trouble: ${message}`),
    ...using,
  };
  return { calls, open: (path: string, method = 'GET') => openReport({ method, path }, now, opened) };
}

const pathTo = (id = 'run-1', untilEpochSeconds = now + 60, kind: 'runs' | 'campaigns' = 'runs'): string =>
  new URL(linksTo('https://reports.example/', { kind, id, untilEpochSeconds }, key)?.(null) ?? '').pathname;

const sanitize = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

test.each(['GET', 'HEAD'])(
  '%s of a good link is sent on to the report, signed for that method',
  async (method) => {
    const { open, calls } = world();
    const answer = await open(pathTo(), method);
    expect(answer).toMatchObject({ statusCode: 302, headers: { ...sanitize, location: fresh }, body: '' });
    expect(calls).toEqual([
      'readKey',
      'isThere runs/run-1/report.html',
      `freshUrl runs/run-1/report.html ${method}`,
    ]);
  },
);

test('a campaign has its own report', async () => {
  const { open, calls } = world();
  await open(pathTo('c1', now + 60, 'campaigns'));
  expect(calls).toContain('isThere campaigns/c1/report.html');
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'get', ''])(
  '%s is refused before anything is read',
  async (method) => {
    const { open, calls } = world();
    expect(await open(pathTo(), method)).toMatchObject({
      statusCode: 405,
      headers: { ...sanitize, allow: 'GET, HEAD' },
    });
    expect(calls).toEqual([]);
  },
);

test.each(['', '/', '/favicon.ico', '/runs/run-1', '/runs/../secret', `/runs/${'a'.repeat(10_000)}`])(
  '%s is no link: not valid, and nothing is read for it',
  async (path) => {
    const { open, calls } = world();
    const answer = await open(path);
    expect(answer).toMatchObject({ statusCode: 403, headers: sanitize, body: 'This link is not valid.\n' });
    expect(calls).toEqual([]);
  },
);

test('what is forged is answered as what is no link, and S3 is not asked', async () => {
  const { open, calls } = world();
  const forged = await open(pathTo().replace('run-1', 'run-2'));
  expect(forged).toEqual(await open('/'));
  expect(calls).toEqual(['readKey']);
});

test('after a new key was put in, a link of before is not valid', async () => {
  const { open } = world({ readKey: async () => 'n'.repeat(64) });
  expect(await open(pathTo())).toMatchObject({ statusCode: 403, body: 'This link is not valid.\n' });
});

test.each([
  ['runs', '--run run-1'],
  ['campaigns', '--campaign run-1'],
] as const)(
  'a link to %s past its time says so and another way, and S3 is not asked',
  async (kind, option) => {
    const { open, calls } = world();
    const how = `Who may read the account opens the report with: stripewise report open ${option}`;
    expect(await open(pathTo('run-1', now, kind))).toMatchObject({
      statusCode: 403,
      body: `This link has expired. ${how}\n`,
    });
    expect(calls).toEqual(['readKey']);
  },
);

test('of a report that is not there any more no address is signed', async () => {
  const { open, calls } = world({ isThere: async () => false });
  expect(await open(pathTo())).toMatchObject({
    statusCode: 404,
    headers: { ...sanitize, 'content-type': 'text/plain; charset=utf-8' },
    body: 'This report is not there: it was kept for its time, or was removed.\n',
  });
  expect(calls).toEqual(['readKey']);
});

test.each(['readKey', 'isThere', 'freshUrl'] as const)(
  'where %s fails: try again, what failed is told to us alone, and the link to nobody',
  async (call) => {
    const { open, calls } = world({ [call]: () => Promise.reject(new Error(`${call}: denied`)) });
    const path = pathTo();
    const answer = await open(path);
    expect(answer).toMatchObject({ statusCode: 503, headers: { ...sanitize, 'retry-after': '60' } });
    expect(answer.body).not.toContain('denied');
    expect(calls).toContain(`trouble: ${call}: denied`);
    expect(JSON.stringify([answer, calls])).not.toContain(path.split('/').at(-1));
  },
);

test('every answer but the one that leads on is a line of plain text', async () => {
  const { open } = world();
  for (const answer of [await open('/'), await open(pathTo('run-1', now)), await open('/', 'POST')]) {
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.body).toMatch(/^[^\n]+\n$/);
    expect(answer.headers).not.toHaveProperty('location');
  }
});
