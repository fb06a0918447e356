/** A page of text, pictures and tables that runs no script: all that is not ours is escaped text, or within a picture. */
import { createHash } from 'node:crypto';
import { escape as escaped } from 'es-toolkit/string';
import { figure } from '../../core/figures.ts';
import { sanitize } from '../../core/sanitize.ts';
import type { ChartTable } from '../charts/chart.ts';

interface StillPicture {
  svg: string;
  /** What it shows, in a sentence. */
  description: string;
}

interface StillTable extends ChartTable {
  title: string;
}

export interface StillPage {
  title: string;
  lines: readonly string[];
  pictures: readonly StillPicture[];
  tables: readonly StillTable[];
}

const maxCharacters = 500;
const style = `:root{color-scheme:light}body{margin:0 auto;padding:1.5rem;max-width:66rem;background:#fff;color:#1d2733;font:400 16px/1.55 system-ui,"Segoe UI",Roboto,sans-serif}
h1{font-size:1.5rem;overflow-wrap:anywhere}img{max-width:100%;height:auto}summary{cursor:pointer;margin:1rem 0}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.8rem;font-variant-numeric:tabular-nums}
th,td{padding:.15rem .5rem;border-bottom:1px solid #dde2e8;text-align:right;white-space:nowrap}th:first-child,td:first-child{text-align:left}`;

/** Of somebody else, as a page may hold it. */
export const pageText = (value: string): string => escaped(sanitize(value, maxCharacters));
const cell = (value: string | number | null): string => {
  if (value === null) return '-';
  return pageText(typeof value === 'number' ? figure(value) : value);
};

function tableElement({ title, head, rows }: StillTable): string {
  const columns = head.map((one) => `<th scope="col">${pageText(one)}</th>`).join('');
  const lines = rows.map(([first = null, ...others]) => {
    const cells = others.map((one) => `<td>${cell(one)}</td>`).join('');
    return `<tr><th scope="row">${cell(first)}</th>${cells}</tr>`;
  });
  return [
    `<details><summary>${pageText(title)}</summary>`,
    `<div class="wide" tabindex="0" role="region" aria-label="${pageText(title)}"><table><thead><tr>${columns}</tr></thead><tbody>`,
    ...lines,
    '</tbody></table></div></details>',
  ].join('\n');
}

/** As a picture nothing in the SVG can act, whatever it holds. */
const pictureElement = ({ svg, description }: StillPicture): string =>
  `<p><img alt="${pageText(description)}" src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}"></p>`;

/** @param body escaped. @param more style of its own. */
export function stillDocument(title: string, body: readonly string[], more = ''): string {
  const all = `${style}${more}`;
  const hash = createHash('sha256').update(all).digest('base64');
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<link rel="icon" href="data:,">',
    `<title>${pageText(title)}</title>`,
    `<style>${all}</style>`,
    '</head>',
    '<body>',
    '<main>',
    `<h1>${pageText(title)}</h1>`,
    ...body,
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

export const stillPage = ({ title, lines, pictures, tables }: StillPage): string =>
  stillDocument(title, [
    ...lines.map((line) => `<p>${pageText(line)}</p>`),
    ...pictures.map(pictureElement),
    ...tables.map(tableElement),
  ]);
