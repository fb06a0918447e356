/**
 * The two models of test/model, with as many random sequences as are asked for: STRIPEWISE_MODEL_RUNS, 200,000 without it. They run in
 * batches, each with a seed of its own. What is done is written down: a run that was interrupted goes on there, as long as
 * the code is the same.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { hashOfInputs } from '../../lib/shared/build-cache.ts';
import type { Measure } from './measure.ts';

const root = join(import.meta.dirname, '../..');
const file = join(root, '.bench/models.json');
const inputs = ['core', 'lambdas', 'adapters', 'report', 'test/model', 'test/lambdas', 'test/fixtures'];
const sequencesOfBatch = 5_000;
const progressSchema = z.object({ hash: z.string(), batches: z.array(z.number()), seconds: z.number() });
type Progress = z.infer<typeof progressSchema>;

function readProgress(hash: string): Progress {
  const none = { hash, batches: [], seconds: 0 };
  try {
    const { data } = progressSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return data?.hash === hash ? data : none;
  } catch {
    return none;
  }
}

/** @throws with what Jest said where a sequence breaks a property. */
function runBatch(seed: number): Promise<void> {
  const args = ['node_modules/jest/bin/jest.js', '--selectProjects', 'unit', '--runInBand', 'test/model'];
  const env = {
    ...process.env,
    STRIPEWISE_MODEL_SEED: `${seed}`,
    STRIPEWISE_MODEL_RUNS: `${sequencesOfBatch}`,
    // A batch is no tier: it takes more than the budget of one.
    STRIPEWISE_NO_BUDGETS: '1',
  };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output = `${output}${text}`.slice(-20_000);
      });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`seed ${seed} has a counterexample:\n${output}`)),
    );
  });
}

export async function modelSequences(): Promise<Measure[]> {
  const demand = Number(process.env['STRIPEWISE_MODEL_RUNS'] ?? 200_000);
  const progress = readProgress(hashOfInputs(root, inputs));
  const count = Math.ceil(demand / sequencesOfBatch);
  // The seed of npm test is 1.
  const left = Array.from({ length: count }, (_, i) => i + 2).filter(
    (seed) => !progress.batches.includes(seed),
  );
  if (left.length < count)
    console.error(`bench: models: ${count - left.length} of ${count} batches were done before`);
  const worker = async () => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const begun = Date.now();
      await runBatch(seed);
      progress.batches.push(seed);
      progress.seconds += (Date.now() - begun) / 1_000;
      mkdirSync(join(root, '.bench'), { recursive: true });
      writeFileSync(file, JSON.stringify(progress));
      console.error(`bench: models: ${progress.batches.length} of ${count} batches`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return [
    {
      name: 'models',
      value: progress.batches.length * sequencesOfBatch,
      unit: 'random sequences of each of the two models, without a counterexample',
      conditions: `${progress.batches.length} seeds of ${sequencesOfBatch} sequences each, ${Math.round(progress.seconds)} s of workers`,
    },
  ];
}
