/** The planner's audit of files: the findings of the command line, in the page's own worker, and nothing leaves the machine. */
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { runCli } from '../cli/run-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { simulateFleet } from '../simulator/fleet.ts';
import { fleetPlan } from '../simulator/plans/index.ts';
import { writeFleet } from '../simulator/write-fleet.ts';
import { browserPage } from './browser-page.ts';
import { accessibilityComplaints, saved } from './in-the-page.ts';
import { openPage, phone, startBrowser } from './open-page.ts';
import { artefact } from './places.ts';

const directory = temporaryDirectory();
const plan = {
  instances: fleetPlan.instances.filter(({ region }) => region === 'us-east-1').slice(0, 4),
  loose: fleetPlan.loose,
};
writeFleet(simulateFleet({ hours: 4, plan }), directory.path);
const [volumes, instances, metrics] = ['describe-volumes', 'describe-instances', 'get-metric-data'].map(
  (name) => join(directory.path, 'us-east-1', `${name}.json`),
) as [string, string, string];
const described = ['--volumes', volumes, '--instances', instances];

const cliResult = async (...argv: string[]): Promise<AuditResult> =>
  JSON.parse((await runCli('audit', ...argv, '--json')).out);
const idsOf = ({ findings }: Pick<AuditResult, 'findings'>): string[] => findings.map(({ id }) => id).sort();

const tab = browserPage();
const open = (): Promise<Page> => tab.open('planner', { hash: '#audit' });

const chooseFiles = (page: Page, ...paths: string[]): Promise<void> =>
  page.getByLabel('Choose files').setInputFiles(paths);
const rows = (page: Page) => page.locator('.audit-table tbody tr');
const auditButton = (page: Page) => page.getByRole('button', { name: 'Audit', exact: true });
const problemIn = async (page: Page): Promise<string> => {
  await page.locator('.audit-problem').waitFor();
  return page.locator('.audit-problem').innerText();
};

async function audited(page: Page): Promise<void> {
  await auditButton(page).click();
  await page.getByRole('heading', { name: 'Audit of EBS volumes' }).waitFor();
}

/** As the page has them, all of them. */
async function savedResult(page: Page): Promise<AuditResult> {
  const { name, text } = await saved(page, page.getByRole('button', { name: 'Save JSON' }));
  expect(name).toMatch(/^stripewise-[\w-]+\.json$/);
  return JSON.parse(text);
}

/** As somebody drops files, who has no directories among them. */
async function drop(page: Page, paths: readonly string[]): Promise<void> {
  const files = paths.map((path) => ({
    name: path.split('/').at(-1) ?? '',
    text: readFileSync(path, 'utf8'),
  }));
  await page.evaluate((given) => {
    const dataTransfer = new DataTransfer();
    for (const { name, text } of given) dataTransfer.items.add(new File([text], name));
    document
      .querySelector('.audit-files .drop')
      ?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, files);
}

test('before any file is chosen it says that nothing leaves the machine, how to check it, and what is needed', async () => {
  const page = await open();
  const texts = await page.locator('.audit-files').innerText();
  expect(texts.indexOf('Nothing leaves this machine.')).toBe(0);
  await page.getByText('How to check that').click();
  await page.getByText('Disconnect from the network').waitFor();
  expect(texts).toContain('aws ec2 describe-volumes --output json > volumes.json');
  expect(texts).toContain('get-metric-data is missing');
  expect(await auditButton(page).isDisabled()).toBe(true);
});

test('dropped files give the findings of `stripewise audit --json`; the report is saved as a page of its own', async () => {
  const expected = await cliResult(...described, '--metrics', metrics);
  const page = await open();
  await drop(page, [metrics, volumes, instances]);
  await rows(page).nth(2).waitFor();
  expect(await rows(page).allInnerTexts()).toEqual([
    expect.stringMatching(/describe-instances\.json.*KiB.*describe-instances/s),
    expect.stringMatching(/describe-volumes\.json.*KiB.*describe-volumes/s),
    expect.stringMatching(/get-metric-data\.json.*MiB.*get-metric-data/s),
  ]);
  await audited(page);
  expect(idsOf(await savedResult(page))).toEqual(idsOf(expected));

  const { text } = await saved(page, page.getByRole('button', { name: 'Save the report' }));
  const file = artefact('saved-report.html');
  writeFileSync(file, text);
  const browser = await startBrowser();
  const { page: report, complaints } = await openPage(browser, file);
  expect(await report.getByRole('heading', { level: 1 }).innerText()).toBe('Audit of EBS volumes');
  await report.locator('a[href^="#finding-"]').first().click();
  await report.locator('.chart canvas').first().waitFor();
  expect(complaints).toEqual([]);
  await browser.close();
});

test('links of the report are gone to, Back comes back, and another tab keeps the report', async () => {
  const page = await open();
  await chooseFiles(page, volumes, instances, metrics);
  await audited(page);
  const link = page.locator('a[href^="#finding-"]').first();
  const anchor = (await link.getAttribute('href')) ?? '';
  await link.click();
  await page.locator(`${anchor} canvas`).first().waitFor();
  expect(await page.evaluate(() => location.hash)).toBe(anchor);
  await page.goBack();
  await page.waitForFunction(() => location.hash.startsWith('#audit'));
  await page.getByRole('heading', { name: 'Audit of EBS volumes' }).waitFor();
  await page.locator('nav[aria-label="Questions"] a', { hasText: 'Plan' }).click();
  await page.waitForFunction(() => location.hash.startsWith('#plan'));
  expect(await page.getByRole('heading', { name: 'Audit of EBS volumes' }).isVisible()).toBe(false);
  await page.locator('nav[aria-label="Questions"] a', { hasText: 'Audit' }).click();
  await page.getByRole('heading', { name: 'Audit of EBS volumes' }).waitFor();
  await page.getByText('Dark', { exact: true }).click();
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
});

test('the directory of an archive gives the findings of `stripewise audit --archive`', async () => {
  const kept = join(directory.path, 'kept');
  await cliResult(...described, '--metrics', metrics, '--save', kept);
  const expected = await cliResult(...described, '--archive', kept, '--lookback-days', '14');
  const page = await open();
  await chooseFiles(page, volumes, instances);
  await page.getByLabel("Choose an archive's directory").setInputFiles(kept);
  await page.getByText(/an archive of \d+ files/).waitFor();
  await audited(page);
  expect(idsOf(await savedResult(page))).toEqual(idsOf(expected));
});

test('an audit can be cancelled, files dropped meanwhile are refused in a line; the files stay', async () => {
  const page = await open();
  await chooseFiles(page, volumes, instances, metrics);
  await rows(page).nth(2).waitFor();
  // The worker has no time to end between the two.
  const said = await page.evaluate(() => {
    const press = (name: string): void =>
      Array.from(document.querySelectorAll('button'))
        .find((one) => one.textContent === name)
        ?.click();
    press('Audit');
    return new Promise<string>((resolve) => {
      const look = (): void => {
        if (document.querySelector('.audit-progress') === null) {
          setTimeout(look, 0);
          return;
        }
        const ground = document.querySelector('.audit-files .drop');
        ground?.dispatchEvent(new DragEvent('drop', { dataTransfer: new DataTransfer(), cancelable: true }));
        const heard = (): void => {
          const line = ground?.querySelector('[role=alert]')?.textContent ?? '';
          if (line === '' && document.querySelector('.audit-progress') !== null) setTimeout(heard, 0);
          else {
            press('Cancel');
            resolve(line);
          }
        };
        heard();
      };
      look();
    });
  });
  expect(said).toBe('An audit is running: cancel it, or wait, then give the files again.');
  await auditButton(page).waitFor();
  expect(await rows(page).count()).toBe(3);
  await audited(page);
});

test('gzip is read as what is in it', async () => {
  const packed = join(directory.path, 'packed.json.gz');
  writeFileSync(packed, gzipSync(readFileSync(metrics)));
  const page = await open();
  await chooseFiles(page, volumes, instances, packed);
  await rows(page).filter({ hasText: 'get-metric-data' }).waitFor();
  await audited(page);
});

test('gzip of more than the page reads says how much that is, and is unpacked no further', async () => {
  const bomb = join(directory.path, 'bomb.json.gz');
  // 301 MiB of spaces after a beginning that is right.
  writeFileSync(
    bomb,
    gzipSync(Buffer.concat([Buffer.from('{"MetricDataResults":['), Buffer.alloc(301 * 1024 ** 2, ' ')])),
  );
  const page = await open();
  await chooseFiles(page, volumes, instances, bomb);
  await rows(page).nth(2).waitFor();
  await auditButton(page).click();
  expect(await problemIn(page)).toMatch(/^bomb\.json\.gz: has more than 300 MiB unpacked/);
});

test('what is no use is one line each, and the others stay', async () => {
  const page = await open();
  const untrusted = '<img src=x onerror=alert(1)>\u202Egnp.json';
  const large = join(directory.path, 'large.json');
  closeSync(openSync(large, 'w'));
  truncateSync(large, 2 * 1024 ** 3);
  await chooseFiles(
    page,
    volumes,
    directory.write('empty.json', ''),
    directory.write('other.json', '{"a": 1}'),
    directory.write('lines.json', '{"a": 1}\n{"b": 2}\n'),
    directory.write(untrusted, '{"__proto__": {"polluted": true}}'),
    directory.write('half.parquet', 'PAR1xxxx'),
    large,
  );
  await rows(page).nth(6).waitFor();
  const texts = (await rows(page).allInnerTexts()).join('\n');
  expect(texts).toContain('empty.json: is empty');
  expect(texts).toContain('other.json: has "a", and nothing that can be audited');
  expect(texts).toContain('half.parquet: is one file of Parquet');
  expect(texts).toContain('large.json: has 2,048 MiB, and this page reads at most 300 MiB');
  expect(texts).toContain('<img src=x onerror=alert(1)>\\u{202e}gnp.json');
  expect(await page.locator('.audit-table img').count()).toBe(0);
  await chooseFiles(page, directory.write('half.json', readFileSync(metrics, 'utf8').slice(0, 200_000)));
  await rows(page).nth(7).waitFor();
  await auditButton(page).click();
  expect(await problemIn(page)).toMatch(/half\.json: not whole JSON \(it ends within MetricDataResults/);
  expect(await rows(page).count()).toBe(8);
  await page.getByRole('button', { name: 'Remove half.json' }).click();
  await chooseFiles(page, volumes, metrics);
  await rows(page).nth(8).waitFor();
  await auditButton(page).click();
  expect(await problemIn(page)).toMatch(/^volume vol-\w+ is described twice: give each file once$/);
});

test('queries are made of the volumes that were given', async () => {
  const page = await open();
  await chooseFiles(page, volumes, instances);
  await page.getByText('Make the queries for get-metric-data').click();
  await page.getByRole('button', { name: 'Make the queries' }).click();
  await page.getByText(/metrics of \d+ volumes in 1 file/).waitFor();
  const { name, text } = await saved(
    page,
    page.getByRole('button', { name: 'Save queries-us-east-1-001.json' }),
  );
  expect(name).toBe('queries-us-east-1-001.json');
  expect(JSON.parse(text)).toMatchObject({ ScanBy: 'TimestampAscending' });
  await page
    .getByText('aws cloudwatch get-metric-data --region us-east-1 --output json --cli-input-json')
    .waitFor();
});

test.each(['light', 'dark'] as const)(
  'axe finds nothing, with files and with a report (%s)',
  async (theme) => {
    const page = await tab.open('planner', { hash: '#audit', theme });
    await chooseFiles(page, volumes, instances, metrics, directory.write('other.json', '{"a": 1}'));
    await rows(page).nth(3).waitFor();
    expect(await accessibilityComplaints(page)).toEqual([]);
    await audited(page);
    expect(await accessibilityComplaints(page)).toEqual([]);
    await page.screenshot({ path: artefact(`planner-audit-${theme}.png`), fullPage: true });
  },
);

test('on a phone the page does not scroll sideways', async () => {
  const page = await tab.open('planner', { ...phone, hash: '#audit' });
  const sideways = (): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await chooseFiles(page, volumes, instances, metrics, directory.write('other.json', '{"a": 1}'));
  await rows(page).nth(3).waitFor();
  expect(await sideways()).toBe(0);
  await page.screenshot({ path: artefact('planner-audit-phone.png'), fullPage: true });
  await audited(page);
  expect(await sideways()).toBe(0);
});
