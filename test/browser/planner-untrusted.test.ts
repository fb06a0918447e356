/** Names in files and names of files run nothing in the planner: they are shown as they are, or not at all. */
import type { Page } from 'playwright-core';
import { day, describeInstances, describeVolumes, getMetricData, load } from '../fixtures/aws-cli.ts';
import { fio3 } from '../fixtures/fio-output.ts';
import { browserPage } from './browser-page.ts';
import { goTo, saidProblems, settled } from './planner-page.ts';
import { untrustedTexts } from './untrusted-texts.ts';

const browser = browserPage();

/** No tab of ours has one of these. */
const neverOurs = [
  ...[
    'iframe',
    'object',
    'embed',
    'base',
    'img',
    'video',
    'audio',
    'source',
    'math',
    'x',
    'plaintext',
    'template',
  ],
  ...[
    'script[src]',
    'meta[http-equiv="refresh"]',
    '[onclick]',
    '[onload]',
    '[onerror]',
    '[onfocus]',
    '[srcdoc]',
  ],
];

async function expectNothingRan(page: Page): Promise<void> {
  await settled(page);
  for (const selector of neverOurs)
    expect([selector, await page.locator(selector).count()]).toEqual([selector, 0]);
  for (const selector of ['script', 'style', 'link', 'title', '#page'])
    expect([selector, await page.locator(selector).count()]).toEqual([selector, 1]);
  const links = await page.evaluate<string[]>(
    "[...document.querySelectorAll('[href]')].map((element) => element.getAttribute('href'))",
  );
  expect(links.filter((href) => !href.startsWith('#') && href !== 'data:,')).toEqual([]);
  expect(await page.evaluate('window.__hacked')).toBeUndefined();
  expect(await page.evaluate("({}).polluted ?? 'clean'")).toBe('clean');
  // Nothing that moves or hides what is beside it stands in any text.
  const restless = await page.evaluate<string[]>(
    "[...document.querySelectorAll('bdi, li, td, th, p')].map((one) => one.textContent).filter((text) => /[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u0000-\\u0008]/.test(text))",
  );
  expect(restless).toEqual([]);
}

interface NamedFile {
  name: string;
  text: string;
}

/** Files of any name, as a browser gives them. */
const choose = (page: Page, label: string, files: readonly NamedFile[]): Promise<void> =>
  page
    .getByLabel(label)
    .first()
    .setInputFiles(
      files.map(({ name, text }) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })),
    );

const volumeId = (i: number): string => `vol-0${i.toString(16).padStart(16, '0')}`;
const instanceId = 'i-0123456789abcdef0';

/** A volume for each text, whose tags have it as a key and as a value. */
const volumes = describeVolumes(
  ...untrustedTexts.map((text, i) => ({
    VolumeId: volumeId(i),
    VolumeType: 'gp2',
    Iops: 300,
    Throughput: undefined,
    Attachments: [{ InstanceId: instanceId, Device: text, State: 'attached' }],
    Tags: [
      { Key: 'Name', Value: text },
      { Key: text === '' ? 'empty' : text, Value: text },
      { Key: '__proto__', Value: '{"polluted": true}' },
      { Key: 'constructor', Value: text },
    ],
  })),
);
const instances = describeInstances({
  Tags: [{ Key: 'Name', Value: '<img src=x onerror="window.__hacked=1">' }],
});
/** The first forty are throttled all day. */
const metrics = getMetricData(
  ...untrustedTexts.slice(0, 40).flatMap((_, i) =>
    load(volumeId(i), day(18_000), {
      BurstBalance: day(0),
      VolumeQueueLength: day(20),
      VolumeIOPSExceededCheck: day(1),
    }),
  ),
);
const auditFiles = (named: (kind: string) => string): NamedFile[] => [
  { name: named('volumes'), text: JSON.stringify(volumes) },
  { name: named('instances'), text: JSON.stringify(instances) },
  { name: named('metrics'), text: JSON.stringify(metrics) },
];

test('an audit of volumes whose tags hold a hundred of them', async () => {
  const page = await browser.open('planner', { hash: '#audit' });
  await choose(
    page,
    'Choose files',
    auditFiles((kind) => `<img src=x onerror="window.__hacked=1">‮${kind}.json`),
  );
  await page.locator('.audit-table tbody tr').nth(2).waitFor();
  await expectNothingRan(page);
  await page.getByRole('button', { name: 'Audit', exact: true }).click();
  await page.locator('#findings tbody tr').first().waitFor();
  await expectNothingRan(page);
  const texts = await page.evaluate<string[]>(
    "[...document.querySelectorAll('#findings bdi')].map((element) => element.textContent)",
  );
  // They are there, as text.
  expect(
    texts.filter((text) => text.includes('<script>') || text.includes('onerror')).length,
  ).toBeGreaterThan(2);
  await page.locator('#findings tbody a').first().click();
  await page.locator('.opened canvas').first().waitFor();
  await expectNothingRan(page);
});

test('a card of jobs that are called like that', async () => {
  const page = await browser.open('planner', { hash: '#grade' });
  const files = untrustedTexts.slice(0, 60).map((text, i) => ({
    name: `${text.replaceAll('/', '').slice(0, 60)} ${i}.json`,
    text: JSON.stringify(
      fio3({
        name: text,
        read: { operations: 60_000, seconds: 60, blockKiB: 16, meanMs: 1, p95Ms: 2 },
        options: { bs: '16k', rw: 'randread', description: text },
      }),
    ),
  }));
  await choose(page, 'Choose results of fio', files);
  await page.locator('#grades').waitFor();
  await expectNothingRan(page);
});

test('files of no use whose names hold them: a line each', async () => {
  const page = await browser.open('planner', { hash: '#grade' });
  const names = untrustedTexts
    .filter((text) => /[<"'{=]/.test(text))
    .map((text, i) => `${text.replaceAll('/', '').slice(0, 80)} ${i}.json`);
  await choose(
    page,
    'Choose results of fio',
    names.map((name) => ({ name, text: '{"a": 1}' })),
  );
  await page.getByRole('alert').locator('li').first().waitFor();
  await expectNothingRan(page);
  const prices = await browser.open('planner', { hash: '#plan' });
  await prices.locator('.prices summary').first().click();
  await choose(
    prices,
    'Use prices of a file',
    names.slice(0, 20).map((name) => ({ name, text: '{"a": 1}' })),
  );
  await prices.getByRole('alert').locator('li').first().waitFor();
  await expectNothingRan(prices);
});

test('texts as each part of the address', async () => {
  const page = await browser.open('planner', { hash: '#plan' });
  const keys = [
    ...[
      'v',
      'plan.iops',
      'plan.current',
      'plan.currentInstance',
      'plan.instanceType',
      'plan.region',
      'plan.types',
    ],
    ...['burst.of', 'burst.instanceType', 'burst.iopsByHour', 'burst.region', 'grade.access', 'plan.nothing'],
  ];
  const texts = untrustedTexts.filter(
    (text) => text.length < 300 && text.isWellFormed() && text.trim() !== '',
  );
  for (const [i, text] of texts.entries()) {
    const key = keys[i % keys.length];
    await goTo(
      page,
      `#${key?.startsWith('burst') ? 'burst' : 'plan'}?v=1&${key}=${encodeURIComponent(text)}`,
    );
    const lines = await saidProblems(page);
    expect([key, text, lines.length <= 1]).toEqual([key, text, true]);
    if (i % 10 === 0) await expectNothingRan(page);
    // As it is, not as a browser encodes it.
    await page.evaluate(`location.hash = ${JSON.stringify(`#${text}?v=1&${text}=${text}`)}`);
  }
  await expectNothingRan(page);
});
