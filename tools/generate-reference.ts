/** npm run generate:reference: docs/reference/{configuration,command-line,schemas,history}.md from the code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLinePage, configurationPage, historyPage, schemasPage } from './reference-pages.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'reference');
const example = readFileSync(join(folder, 'stripewise.example.yaml'), 'utf8');
writeFileSync(join(folder, 'configuration.md'), configurationPage(example));
writeFileSync(join(folder, 'command-line.md'), await commandLinePage());
writeFileSync(join(folder, 'schemas.md'), schemasPage());
writeFileSync(join(folder, 'history.md'), historyPage());
