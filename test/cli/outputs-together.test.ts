/** All files of a run appear, or none does. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CardOutputs } from '../../cli/card-outputs.ts';
import { processIo } from '../../cli/process-io.ts';
import type { CardReport } from '../../core/report/card-report.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();

test('a picture that cannot be drawn takes the page with it', async () => {
  const path = (name: string): string => join(directory.path, name);
  const outputs = new CardOutputs({ html: path('a.html'), chart: { path: path('a.svg'), kind: 'svg' } });
  const grades = { tests: [], comparison: null, curves: null, repeats: null, notes: [] };
  const card = {
    version: 1,
    madeAt: '',
    title: '',
    label: null,
    campaign: null,
    grades,
  } as unknown as CardReport;
  await expect(outputs.keep(card, processIo)).rejects.toThrow(TypeError);
  outputs.drop();
  expect(readdirSync(directory.path)).toEqual([]);
});
