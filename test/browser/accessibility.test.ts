/** Every page in every look: nothing serious of axe-core, and nothing wider than the screen. */
import type { AuditReport } from '../../core/report/audit-report.ts';
import { browserPage } from './browser-page.ts';
import { accessibilityComplaints } from './in-the-page.ts';
import { phone } from './open-page.ts';
import { artefact, dataOf } from './places.ts';

const { open } = browserPage();

const { withSeries, result } = dataOf<AuditReport>('audit');
const drawn = result.findings.find(({ resource }) => withSeries.includes(resource.id));
const opened = `#finding-${drawn?.id}`;
const looks = [
  ...(['audit', 'layouts'] as const).map((name) => [name, 'light', 'wide', ''] as const),
  ...(['audit', 'layouts'] as const).map((name) => [name, 'dark', 'phone', ''] as const),
  ['audit', 'light', 'wide', opened],
  ['audit', 'dark', 'wide', opened],
  ['audit', 'light', 'phone', opened],
  ['audit', 'dark', 'phone', opened],
  ['repeats', 'light', 'phone', ''],
  ['campaign', 'dark', 'wide', ''],
  ['campaign', 'light', 'phone', ''],
] as const;

test.each(looks)('%s, %s, %s %s', async (name, theme, width, hash) => {
  const size = width === 'phone' ? phone : {};
  const page = await open(name, { theme, hash, ...size });
  if (hash !== '') await page.locator(`${hash} canvas`).first().waitFor();
  // Charts are drawn when they come near to what is seen.
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  for (let y = 0; y < height; y += size === phone ? 700 : 800) {
    await page.evaluate(`scrollTo(0, ${y})`);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({
    path: artefact(`${name}${hash === '' ? '' : '-opened'}-${theme}-${width}.png`),
    fullPage: true,
  });
  expect(await accessibilityComplaints(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
});
