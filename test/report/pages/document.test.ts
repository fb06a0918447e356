/** A page in one file: what runs in it is named by its hash, and what is not ours is data. */
import { createHash } from 'node:crypto';
import { type PageParts, pageDocument, plannerDocument } from '../../../report/pages/document.ts';
import { dataInPage } from '../../fixtures/page-parts.ts';

const parts = (more: Partial<PageParts> = {}): PageParts => ({
  title: 'an audit',
  client: { script: 'start();', style: 'body { margin: 0 }' },
  data: {},
  series: [],
  lines: [],
  ...more,
});
const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

test('the policy lets run the script and the style of the page, and nothing else; nothing is fetched', () => {
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(pageDocument(parts()))?.[1];
  expect(policy?.split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${hash('start();')}'`,
    `style-src 'sha256-${hash('body { margin: 0 }')}'`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ]);
});

test('the planner may start a worker of its own script, and asks nobody for anything', () => {
  const page = plannerDocument(parts().client);
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
  expect(policy?.split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${hash('start();')}'`,
    `style-src 'sha256-${hash('body { margin: 0 }')}'`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    'worker-src blob:',
    "connect-src 'none'",
  ]);
  // Nothing of the file names another place: no address, no element that loads.
  expect(page).not.toMatch(/https?:|<(img|iframe|object|link(?! rel="icon" href="data:))/);
});

test('data and series are base64 of gzip: no text of an account stands in the file as it is', () => {
  const untrusted = '</script><script>alert(1)</script>';
  const page = pageDocument(
    parts({ data: { name: untrusted }, series: [{ resourceId: 'vol-1', packed: 'AAAA' }] }),
  );
  expect(page).not.toContain('alert(1)');
  expect(dataInPage(page)).toEqual({ name: untrusted });
  expect(page).toContain('data-series="vol-1">AAAA</script>');
});

test('title, lines and ids are escaped', () => {
  const untrusted = '"><img src=x onerror=alert(1)>';
  const page = pageDocument(
    parts({ title: untrusted, lines: [untrusted], series: [{ resourceId: untrusted, packed: '' }] }),
  );
  expect(page).not.toContain('<img');
  expect(page).toContain('<title>&quot;&gt;&lt;img src=x onerror=alert(1)&gt;</title>');
});

test('a script that would end its element is refused', () => {
  expect(() => pageDocument(parts({ client: { script: 'a = "</SCRIPT>"', style: '' } }))).toThrow(
    'the script of a page holds what would end it',
  );
});
