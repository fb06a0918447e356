/** How long a check of a plan of 1,000 resources takes, from the start of the process to the end of its answer. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anInstanceChange, terraformPlan, volumeChange } from '../../test/fixtures/terraform-plan.ts';
import { type Measure, medianOf, secondsOfRuns } from './measure.ts';

const root = join(import.meta.dirname, '../..');
const resources = 1_000;
const runs = 7;

/** Half of them volumes of every type, half instances of several types with two volumes each. */
function largePlan(): object {
  const types = ['m5.large', 't3.medium', 'r6i.2xlarge', 'c7g.xlarge', 'm6i.8xlarge'];
  return terraformPlan(
    ...Array.from({ length: resources }, (_, i) => {
      const gib = 50 + ((i * 37) % 2_000);
      if (i % 2 === 0)
        return volumeChange(`v${i}`, null, {
          size: gib,
          ...(i % 4 === 0
            ? { type: 'gp2' }
            : { type: 'gp3', iops: 3_000 + (i % 9) * 1_000, throughput: 500 }),
        });
      return anInstanceChange(`i${i}`, types[i % types.length] as string, [
        { device_name: '/dev/sdf', volume_size: gib, volume_type: 'gp3', iops: 12_000, throughput: 500 },
        { device_name: '/dev/sdg', volume_size: gib, volume_type: 'gp2' },
      ]);
    }),
  );
}

export function checkSeconds(): Measure[] {
  execFileSync(process.execPath, [join(root, 'tools/build.mjs')], { cwd: root, stdio: 'ignore' });
  const directory = mkdtempSync(join(tmpdir(), 'stripewise-bench-'));
  try {
    const plan = join(directory, 'plan.json');
    writeFileSync(plan, JSON.stringify(largePlan()));
    // Of what is here: a call to AWS is no part of a check.
    const env = { ...process.env, STRIPEWISE_CATALOG_REFRESH: 'off' };
    const script = join(root, 'dist/stripewise.js');
    const seconds = secondsOfRuns(runs, () => {
      execFileSync(process.execPath, [script, 'check', plan, '--json'], { env, maxBuffer: 2 ** 28 });
    });
    const { value, spread } = medianOf(seconds, 2);
    const conditions = `a Terraform plan of ${resources} resources, half volumes, half instances with two volumes each; the installed form, files warm; ${spread}`;
    return [{ name: 'check-seconds-1000', value, unit: 's', conditions }];
  } finally {
    rmSync(directory, { recursive: true });
  }
}
