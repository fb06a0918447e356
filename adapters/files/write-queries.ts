/** Writes the files that `aws cloudwatch get-metric-data --cli-input-json` takes. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './whole-file.ts';
import { writing } from './write-file.ts';

/** Writes one request and returns the path of its file. */
export function writeQueryFile(directory: string, name: string, request: string): string {
  const path = join(directory, name);
  writing(directory, () => mkdirSync(directory, { recursive: true }));
  writeWhole(path, request);
  return path;
}
