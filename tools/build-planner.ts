/** npm run build:planner: the planner as one page that needs nothing else, dist/planner.html. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plannerDocument } from '../report/pages/document.ts';
import { bundlePage } from './build-generated.mjs';

const path = 'dist/planner.html';
const folder = join(import.meta.dirname, '../dist');
const maxMB = 3;

const page = plannerDocument(await bundlePage('planner', 'planner/tsconfig.json'));
const megabytes = Buffer.byteLength(page) / 1e6;
if (megabytes > maxMB) {
  console.error(
    `${path}: it would be ${megabytes.toFixed(2)} MB, at most ${maxMB} MB are promised; nothing is written`,
  );
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'planner.html'), page);
console.log(`${path}: ${megabytes.toFixed(2)} MB. Open it in a browser, or serve it as it is.`);
