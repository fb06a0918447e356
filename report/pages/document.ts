/**
 * A page in one file: its script, its style and its data lie in it, and nothing is fetched. What is not ours is data in
 * base64; the title alone is text, and escaped. The policy lets run what is in it by its hash, and nothing else.
 */
import { createHash } from 'node:crypto';
import { escape as escaped } from 'es-toolkit/string';
import { type PackedSeries, seriesKey } from '../../core/report/audit-report.ts';
import { sanitize } from '../../core/sanitize.ts';
import { packed } from './pack.ts';

export interface PageParts {
  title: string;
  client: { script: string; style: string };
  /** What the page is made from; it is unpacked when the page opens. */
  data: unknown;
  /** Unpacked when they are looked at. */
  series: readonly PackedSeries[];
  /** What a reader without scripts is reported: a mail program's preview, for one. */
  lines: readonly string[];
}

const maxTitleCharacters = 200;
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The policy holds for what is in the file; what a browser saves or prints of it is the same. */
const policyOf = ({ script, style }: PageParts['client'], more: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    ...more,
  ].join('; ');

/** Within a script or a style nothing may look like its end. */
function inElement(text: string, what: 'script' | 'style'): string {
  if (new RegExp(`</${what}|<!--`, 'i').test(text))
    throw new Error(`the ${what} of a page holds what would end it`);
  return text;
}

const seriesElement = ({ resourceId, packed: text }: PackedSeries): string =>
  `<script type="application/gzip+base64" data-series="${escaped(seriesKey(resourceId))}">${text}</script>`;

interface DocumentParts extends Pick<PageParts, 'title' | 'client' | 'lines'> {
  /** Directives of the policy beside those that every page has. */
  policy: readonly string[];
  /** Elements with what the page is made from, escaped. */
  data: readonly string[];
}

/** @throws Error where the script or the style would end its element. */
function htmlDocument(parts: DocumentParts): string {
  const { client, policy, data, lines } = parts;
  const title = escaped(sanitize(parts.title, maxTitleCharacters));
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policyOf(client, policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="data:,">',
    `<title>${title}</title>`,
    `<style>${inElement(client.style, 'style')}</style>`,
    '</head>',
    '<body>',
    '<div id="page"></div>',
    '<noscript>',
    `<h1>${title}</h1>`,
    ...lines.map((line) => `<p>${escaped(line)}</p>`),
    '<p>The rest of this page needs scripts: open the file in a browser.</p>',
    '</noscript>',
    ...data,
    `<script>${inElement(client.script, 'script')}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** @throws Error where the script or the style would end its element. */
export const pageDocument = ({ data, series, ...parts }: PageParts): string =>
  htmlDocument({
    ...parts,
    policy: [],
    data: [
      `<script type="application/gzip+base64" id="data">${packed(data)}</script>`,
      ...series.map(seriesElement),
    ],
  });

/**
 * The planner: its script is its worker's too, and nothing of it asks anybody for anything.
 * @throws Error where the script or the style would end its element.
 */
export const plannerDocument = (client: PageParts['client']): string =>
  htmlDocument({
    client,
    title: 'stripewise planner: EBS volumes, stripes and burst credits',
    policy: ['worker-src blob:', "connect-src 'none'"],
    data: [],
    lines: [
      'It plans EBS volumes and audits files of the AWS CLI in your browser. Nothing leaves your machine.',
    ],
  });
