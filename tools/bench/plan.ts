/** How long a plan takes, alone and as a command, and how much memory many of them take. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import { plan } from '../../core/plan/plan.ts';
import { withWrittenSteps } from '../../report/steps/written-steps.ts';
import { type Measure, medianOf, secondsOfRuns } from './measure.ts';
import { randomRequests, requestText } from './random-needs.ts';

const root = join(import.meta.dirname, '../..');

/** Planning alone, in one thread; each need once, after each was planned once. */
export function planMilliseconds(): Measure[] {
  const regionCatalog = builtInRegionCatalog('us-east-1');
  const requests = randomRequests(1_000);
  const milliseconds = requests.flatMap((request) =>
    secondsOfRuns(1, () => {
      withWrittenSteps(plan(request, regionCatalog), request);
    }).map((seconds) => seconds * 1_000),
  );
  const { value, spread } = medianOf(milliseconds, 2);
  const types = regionCatalog.instanceTypes.types.length;
  return [
    {
      name: 'plan-ms-median',
      value,
      unit: 'ms on one core',
      conditions: `1,000 random needs, ${types} instance types, ${requestText}, after warm-up; ${spread}`,
    },
  ];
}

/** Many plans, in a process of its own. */
export function planPeakMemory(): Measure[] {
  const plans = 10_000;
  const printed = execFileSync(process.execPath, [join(root, 'tools/bench/plan-process.ts'), `${plans}`], {
    encoding: 'utf8',
  });
  const { peakMiB, seconds, options } = JSON.parse(printed) as {
    peakMiB: number;
    seconds: number;
    options: number;
  };
  const conditions = `${plans} plans of different random needs one after the other, ${options} options in all, ${requestText}, a process that does nothing else, one run`;
  return [
    { name: 'plans-peak-memory-10000', value: Math.round(peakMiB), unit: 'MiB resident', conditions },
    { name: 'plans-seconds-10000', value: Math.round(seconds * 10) / 10, unit: 's', conditions },
  ];
}

const line = ['plan', '--iops', '15000', '--throughput-mibps', '625', '--capacity-gib', '1000', '--json'];

/** From the start of a process to the end of its answer. */
export function planColdStart(): Measure[] {
  const installed = join(root, 'dist/stripewise.js');
  execFileSync(process.execPath, [join(root, 'tools/build.mjs')], { cwd: root, stdio: 'ignore' });
  const runs = 15;
  const secondsOf = (script: string) =>
    medianOf(
      secondsOfRuns(runs, () => {
        // Of what is here: a call to AWS is no part of a start.
        const env = { ...process.env, STRIPEWISE_CATALOG_REFRESH: 'off' };
        execFileSync(process.execPath, [script, ...line], { env });
      }),
      3,
    );
  return [
    { name: 'plan-cold-start-seconds', script: installed, form: 'the installed form, dist/stripewise.js' },
    {
      name: 'plan-cold-start-seconds-checkout',
      script: join(root, 'bin/stripewise.ts'),
      form: 'the checkout, bin/stripewise.ts with type stripping',
    },
  ].map(({ name, script, form }) => {
    const { value, spread } = secondsOf(script);
    return { name, value, unit: 's', conditions: `${form}: \`${line.join(' ')}\`, files warm; ${spread}` };
  });
}
