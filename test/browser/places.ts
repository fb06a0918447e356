/** Where the pages lie that tests open, with what they were made from, and what was seen of them. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const directory = join(root, '.demo/pages');

export type PageName =
  | 'audit'
  | 'accounts'
  | 'compared'
  | 'untrusted-audit'
  | 'layouts'
  | 'repeats'
  | 'campaign'
  | 'untrusted-card';

export const pageFile = (name: PageName | 'planner'): string =>
  name === 'planner' ? join(root, 'dist/planner.html') : join(directory, `${name}.html`);
/** What the page was made from. */
export const dataFile = (name: PageName): string => join(directory, `${name}.json`);

export const dataOf = <Data>(name: PageName): Data =>
  JSON.parse(readFileSync(dataFile(name), 'utf8')) as Data;

/** A picture or a print to look at. */
export function artefact(name: string): string {
  mkdirSync(directory, { recursive: true });
  return join(directory, name);
}
