/** What tests read of a page, and what they hold against it. */
import { readFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { parse } from 'csv-parse/sync';
import type { Locator, Page } from 'playwright-core';

/** Of axe-core: one line for each that is serious or critical, with where it is. */
export async function accessibilityComplaints(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, help, nodes }) =>
      nodes
        .slice(0, 5)
        .map(({ target, html }) => `${impact} ${id}: ${help}: ${target.join(' ')} ${html.slice(0, 200)}`),
    );
}

/** What is seen of it, once it is there. */
export async function seenText(locator: Locator): Promise<string> {
  await locator.first().waitFor();
  return (await locator.first().allInnerTexts()).join('\n');
}

/** The texts of a column of a table that is shown, by its heading. */
export async function columnTexts(table: Locator, heading: string): Promise<string[]> {
  const heads = await table.locator('thead th').allInnerTexts();
  const index = heads.findIndex((text) => text.trim() === heading);
  if (index < 0) throw new Error(`no column ${heading} among ${heads.join(', ')}`);
  return await table.locator(`tbody tr > :nth-child(${index + 1})`).allInnerTexts();
}

/** Presses what saves a file, and reads it. */
export async function saved(page: Page, button: Locator): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');

/** Head and rows. */
export const csvRows = (text: string): string[][] =>
  parse(withoutMark(text), { record_delimiter: '\r\n' }) as string[][];

/** As OWASP's page on CSV injection lists them, and what Numbers takes for them; a number is none. */
const isFormula = (cell: string): boolean =>
  /^["\s]*[=+\-@＝＋－＠]/.test(cell) && Number.isNaN(Number(cell));

/** Cells that a spreadsheet could run, also one that splits lines at semicolons and does not know our quotes. */
export const formulasIn = (text: string): string[] =>
  [...csvRows(text).flat(), ...withoutMark(text).split(/[;\t\r\n]/)].filter(isFormula);

/** Pages of a PDF. */
export const pdfPages = (pdf: Buffer): number =>
  pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;

/** Goes on with Tab until the focus is on such an element. @returns after how many presses; null where it never is. */
export async function tabTo(page: Page, selector: string, maxPresses: number): Promise<number | null> {
  for (let presses = 1; presses <= maxPresses; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) === true`))
      return presses;
  }
  return null;
}
