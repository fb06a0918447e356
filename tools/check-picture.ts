/** node tools/run.mjs tools/check-picture.ts: docs/pictures/check.png, the comment of the check as a browser draws it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkMarkdown } from '../report/check/markdown.ts';
import { startBrowser } from '../test/browser/open-page.ts';
import { everyRule } from '../test/fixtures/every-check-rule.ts';

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

/** Few resources are enough to see how it looks. */
const shown = /cache|orders|billing|search|logs/;
const answer = everyRule(null, (address) => shown.test(address));

/** As GitHub draws a comment: its frame, table and small letters. */
const style = `*{box-sizing:border-box}
body{font:14px/1.5 "DejaVu Sans",sans-serif;color:#1f2328;margin:0;padding:16px;width:1100px;background:#fff}
.frame{border:1px solid #d1d9e0;border-radius:6px}
.head{background:#f6f8fa;border-bottom:1px solid #d1d9e0;border-radius:6px 6px 0 0;padding:8px 16px;color:#59636e}
.head b{color:#1f2328}.bot{border:1px solid #d1d9e0;border-radius:2em;font-size:12px;padding:0 7px;margin-left:4px}
.body{padding:16px}.body>:last-child{margin-bottom:0}p{margin:0 0 16px}b{font-weight:600}
table{border-collapse:collapse;margin:0 0 16px;width:100%}td,th{border:1px solid #d1d9e0;padding:6px 13px;text-align:left;vertical-align:middle}
th{font-weight:600}tr:nth-child(odd) td{background:#f6f8fa}
td:first-child{white-space:nowrap}td:last-child{min-width:110px}
sub{color:#1f2328;font-size:12px;line-height:1.3;vertical-align:baseline}summary{cursor:pointer}details{margin:0 0 16px}`;

const comment = htmlOf(checkMarkdown(answer, 0));
const head = '<div class="head"><b>github-actions</b> <span class="bot">bot</span> commented</div>';
const browser = await startBrowser();
const page = await browser.newPage({
  ...{ viewport: { width: 1_100, height: 100 }, colorScheme: 'light', deviceScaleFactor: 1.5 },
});
await page.setContent(
  `<!doctype html><style>${style}</style><div class="frame">${head}<div class="body">${comment}</div></div>`,
);
const file = join(import.meta.dirname, '../docs/pictures/check.png');
writeFileSync(file, await page.screenshot({ fullPage: true }));
await browser.close();
console.log(`wrote ${file}`);
