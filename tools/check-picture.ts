/** node tools/run.mjs tools/check-picture.ts: docs/pictures/check.png, the comment of the check as a browser draws it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInRegionCatalog } from '../core/catalog/region-catalog.ts';
import { check } from '../core/check/check.ts';
import { checkedOf } from '../core/check/checked.ts';
import { defaultThresholds } from '../core/diagnosis/thresholds.ts';
import { checkMarkdown } from '../report/check/markdown.ts';
import { startBrowser } from '../test/browser/open-page.ts';
import { aDevice, anInstance, aVolume, plannedOf } from '../test/fixtures/planned.ts';

const planned = plannedOf(
  aVolume({ type: 'gp3', gib: 10, iops: 16_000 }, null, { address: 'aws_ebs_volume.cache' }),
  aVolume(
    { type: 'gp3', gib: 500 },
    { type: 'gp2', gib: 500 },
    { address: 'module.orders.aws_ebs_volume.data' },
  ),
  anInstance('m5.large', [aDevice({ type: 'gp3', gib: 1_000, iops: 40_000, mibps: 500 })]),
  aVolume({ type: 'gp2', gib: 100 }, null, { address: 'aws_ebs_volume.logs' }),
);
const answer = check(planned, checkedOf(planned, null), {
  ...{
    regionCatalogs: builtInRegionCatalog,
    thresholds: defaultThresholds,
    loadClass: null,
    changedOnly: false,
    measured: null,
  },
});

/** What the comment has of Markdown: bold, a table, a list, HTML of its own. */
function htmlOf(lines: readonly string[]): string {
  const inline = (text: string): string => text.replaceAll(/\*\*(.+?)\*\*/g, '<b>$1</b>');
  const cells = (line: string, tag: 'td' | 'th'): string =>
    `<tr>${line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => `<${tag}>${inline(cell)}</${tag}>`)
      .join('')}</tr>`;
  return lines
    .map((line, i) => {
      const next = lines[i + 1] ?? '';
      if (/^\| -{3}/.test(line)) return '';
      if (line.startsWith('| ')) {
        const isHead = /^\| -{3}/.test(next);
        const end = next.startsWith('| ') ? '' : '</table>';
        return `${isHead ? '<table>' : ''}${cells(line, isHead ? 'th' : 'td')}${end}`;
      }
      if (line.startsWith('- ')) return `<li>${inline(line.slice(2))}</li>`;
      return line.startsWith('<') ? line : `<p>${inline(line)}</p>`;
    })
    .join('\n');
}

const style = `body{font:14px/1.5 "DejaVu Sans",sans-serif;color:#1f2328;margin:16px;width:1000px}
table{border-collapse:collapse}td,th{border:1px solid #d1d9e0;padding:6px 10px;text-align:left;vertical-align:top}
sub{color:#59636e;font-size:11px;vertical-align:baseline}p{margin:8px 0}details{margin:8px 0}`;

const browser = await startBrowser();
const page = await browser.newPage({ viewport: { width: 1_032, height: 100 }, colorScheme: 'light' });
await page.setContent(`<style>${style}</style>${htmlOf(checkMarkdown(answer, 0))}`);
const file = join(import.meta.dirname, '../docs/pictures/check.png');
writeFileSync(file, await page.screenshot({ fullPage: true }));
await browser.close();
console.log(`wrote ${file}`);
