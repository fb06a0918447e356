/** The page's own parts: the worker runs the same script, and a saved report is the same page with its data in it. */
import { type ReportWithSeries, seriesKey } from '../../core/report/audit-report.ts';
import { packed } from '../../report/browser/shared/packing.ts';

const scriptText = (): string => document.querySelector('body > script:not([type])')?.textContent ?? '';

/** @throws Error where the browser lets a page start none. */
export function startOwnWorker(): Worker {
  const url = URL.createObjectURL(new Blob([scriptText()], { type: 'text/javascript' }));
  try {
    return new Worker(url);
  } finally {
    // The browser has it by the next turn.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
}

const dataType = 'application/gzip+base64';

/** The report as one file that opens anywhere: this page's head and script, as they are, under the same policy. */
export async function savedPage({ report, series }: ReportWithSeries): Promise<string> {
  const until = report.result.window === null ? '' : ` to ${report.result.window.end.slice(0, 10)}`;
  const page = document.implementation.createHTMLDocument('');
  const add = (
    parent: Element,
    name: string,
    text: string,
    attributes: Record<string, string> = {},
  ): void => {
    const element = page.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    parent.append(element);
  };
  page.documentElement.lang = 'en';
  page.head.replaceChildren();
  for (const element of document.head.querySelectorAll('meta, link[rel="icon"]'))
    page.head.append(page.importNode(element, true));
  add(page.head, 'title', `Audit of EBS volumes${until} - stripewise`);
  for (const { textContent } of document.head.querySelectorAll('style'))
    add(page.head, 'style', textContent ?? '');
  add(page.body, 'div', '', { id: 'page' });
  add(page.body, 'noscript', 'This page needs scripts: open the file in a browser.');
  add(page.body, 'script', await packed(JSON.stringify(report)), { type: dataType, id: 'data' });
  for (const { resourceId, packed: text } of series)
    add(page.body, 'script', text, { type: dataType, 'data-series': seriesKey(resourceId) });
  add(page.body, 'script', scriptText());
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`;
}
