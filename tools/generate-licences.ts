/**
 * npm run generate:licences
 *
 * Writes docs/contribute/licences.md: npm packages from package-lock.json, Python packages from local/requirements.txt and from what is
 * installed of it. Writes nothing where a licence is missing, not clear or not allowed.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ensurePython } from '../local/python.ts';
import {
  licencesPage,
  licensedRequirements,
  notAllowed,
  packagesOfLock,
  pythonMetadataSchema,
  requirementsOf,
} from './licences.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'docs/contribute/licences.md');

const script = `
import json
from importlib.metadata import distributions
print(json.dumps([{
    "name": one.metadata["Name"],
    "version": one.version,
    "expression": one.metadata.get("License-Expression"),
    "license": one.metadata.get("License"),
    "classifiers": [said.split(" :: ")[-1] for said in one.metadata.get_all("Classifier") or [] if said.startswith("License ::")],
} for one in distributions()]))
`;

try {
  const python = await ensurePython({ root, say: (line) => console.error(line) });
  const installed = z
    .array(pythonMetadataSchema)
    .parse(JSON.parse(execFileSync(python, ['-c', script], { encoding: 'utf8' })));
  const read = (name: string): string => readFileSync(join(root, name), 'utf8');
  const packages = {
    npm: packagesOfLock(JSON.parse(read('package-lock.json'))),
    python: licensedRequirements(requirementsOf(read('local/requirements.txt')), installed),
  };
  const refused = notAllowed([...packages.npm, ...packages.python]);
  if (refused.length > 0) throw new Error(refused.join('; '));
  writeFileSync(`${target}.new`, licencesPage(packages));
  renameSync(`${target}.new`, target);
  console.log(`${packages.npm.length} npm packages, ${packages.python.length} Python packages: ${target}`);
} catch (error) {
  console.error(`generate:licences: nothing was written: ${(error as Error).message}`);
  process.exitCode = 1;
}
