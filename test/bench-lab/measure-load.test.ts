import { z } from 'zod';
import { runFioSchema } from '../../core/report-card/fio-result.ts';
import { testsOfRunFio } from '../../core/report-card/fio-tests.ts';
import type { Ended } from '../../local/lab/guest-agent.ts';
import { Lab } from '../../local/lab/lab.ts';
import { iopsOnly } from '../../local/lab/throttle.ts';
import { duringTool, scriptKilledAt } from '../lab/hooks.ts';
import { KnownStates } from '../lab/known-state.ts';
import { isWithinTenth, loads, measuredUndisturbed, readJson } from '../lab/measuring.ts';
import { ask, deviceOf, failureOf, resultOf, stepsOf, volumeId } from '../lab/stripes.ts';

const volumeIops = 600;
const data = '/srv/data/.stripewise-benchmark/data';

let lab: Lab;
const run = (parameters: Readonly<Record<string, string>>): Promise<Ended> =>
  lab.run('measure-load', {
    ...{ directory: '/srv/data', access: 'randread', blockKiB: '16', users: '4', fileSizeMiB: '64' },
    ...parameters,
  });
/** Files of a benchmark, and where somebody noted that there are. */
const files = () => ask(lab, `ls -d ${data} /var/lib/stripewise/using 2> /dev/null || true`);

const summarySchema = z.object({
  document: z.literal('measure-load'),
  file: z.string(),
  steps: z.tuple([
    z.object({
      ...{ name: z.string(), iops: z.number(), mibps: z.number() },
      ...{ p50Ms: z.number(), p95Ms: z.number(), p99Ms: z.number() },
    }),
  ]),
});
/** What it says in short, and what `grade` makes of its result. */
async function measured(said: Ended) {
  const { file, steps } = summarySchema.parse(resultOf(said));
  const result = runFioSchema.parse(await readJson(lab, file));
  const [graded] = testsOfRunFio(result);
  if (graded === undefined) throw new Error('the result has no test');
  return { short: steps[0], result, graded };
}

/** A load that should come to a rate. */
const atRate = (parameters: Readonly<Record<string, string>>, iops: number): Promise<Ended> =>
  measuredUndisturbed(
    lab,
    'measure-load',
    () => run(parameters),
    (said) => isWithinTenth(summarySchema.parse(resultOf(said)).steps[0].iops, iops),
    () => ask(lab, 'rm -rf /var/lib/stripewise/results'),
  );

const disks = [{ volumeId: volumeId(1), sizeMiB: 128, throttle: iopsOnly(volumeIops) }];
beforeAll(async () => {
  const root = `${__dirname}/../..`;
  lab = await Lab.start({ root, name: 'test-measure-load', disks, say: () => {} });
});
afterAll(() => lab.stop());
const { from } = new KnownStates(() => lab, disks, {
  'a file system': () =>
    ask(lab, `mkdir -p /srv/data && mkfs.ext4 -q ${deviceOf(1)} && mount ${deviceOf(1)} /srv/data`),
});

test(
  'a load without a limit of its own does what the volume does; its file stays',
  from('a file system', async () => {
    const said = await atRate({ runId: 'first', ioDepth: '8', seconds: '4', keepFile: 'yes' }, volumeIops);
    expect(stepsOf(said)).toContain('write the file');
    const { short, result, graded } = await measured(said);
    expect(short.name).toBe('randread-16k-32');
    expect(short.iops / volumeIops).toBeGreaterThan(0.9);
    expect(short.iops / volumeIops).toBeLessThan(1.1);
    const percentile = result.steps[0]?.fio.jobs?.[0]?.read?.clat_ns?.percentile ?? {};
    for (const [at, ms] of [
      ['50', short.p50Ms],
      ['95', short.p95Ms],
      ['99', short.p99Ms],
    ] as const)
      expect(ms).toBeCloseTo((percentile[`${at}.000000`] ?? 0) / 1e6, 2);
    expect(result).toMatchObject({
      document: 'measure-load',
      runId: 'first',
      profile: 'load',
      variant: 'full',
    });
    expect(graded.users).toEqual({ known: true, value: 4 });
    expect(graded.ioDepth).toEqual({ known: true, value: 8 });
    expect(graded.members.map((member) => member.volumeId)).toEqual([volumeId(1)]);
    expect(await files()).toBe(`${data}\n/var/lib/stripewise/using`);
  }),
);

test(
  'the next one reads the same file; it keeps a rate that users share unevenly, and the mix',
  from('a file system', async () => {
    // One second can end before the logs have a whole one.
    resultOf(await run({ runId: 'first', seconds: '3', keepFile: 'yes' }));
    // Of 8 users, 70 x 70 % = 49 reads: 6.1 of each; 21 writes: 2.6. As 7 and 3 they would be 80 in all.
    const limits = { users: '8', iops: '70', readPercent: '70', seconds: '6' };
    const said = await atRate({ runId: 'second', access: 'randrw', ...limits, keepFile: 'yes' }, 70);
    expect(stepsOf(said)).not.toContain('write the file');
    expect(said.stdout).toContain(`${data}: 64 MiB, of an earlier load`);
    const { short, graded } = await measured(said);
    expect(short.iops / 70).toBeGreaterThan(0.9);
    expect(short.iops / 70).toBeLessThan(1.1);
    expect(graded.readShare).toBeCloseTo(0.7, 1);
  }),
);

test(
  'killed in the middle: the same once more goes on in the same file, in sequence, and leaves nothing',
  from('a file system', async () => {
    const parameters = { runId: 'third', access: 'read', blockKiB: '64', users: '2', seconds: '2' };
    const killed = await scriptKilledAt(lab, duringTool('fio', '*/run/stripewise/job'), () =>
      run(parameters),
    );
    expect([killed.exitCode, stepsOf(killed).at(-1)]).toEqual([137, 'read-64k-2']);
    expect([await loads(lab), await files()]).toEqual([[], `${data}\n/var/lib/stripewise/using`]);
    const again = await run(parameters);
    expect(stepsOf(again)).not.toContain('write the file');
    expect(again.stdout).toContain('an earlier run third was not finished: it starts over');
    const { short, graded } = await measured(again);
    expect(short.name).toBe('read-64k-2');
    expect(graded.access).toEqual({ known: true, value: 'read' });
    expect(graded.readShare).toBe(1);
    expect(await files()).toBe('');
  }),
);

test(
  'what was measured is not measured again; another load has another name',
  from('a file system', async () => {
    const first = { runId: 'first', ioDepth: '8', seconds: '1' };
    resultOf(await run(first));
    expect((await run(first)).stdout).toContain('nothing to measure');
    expect(failureOf(await run({ ...first, seconds: '5' }))).toMatch(
      /run first was another \(directory=\/srv\/data .*give another runId$/,
    );
  }),
);

test(
  'a file that lost its half is written again',
  from('a file system', async () => {
    const half = '/srv/data/.stripewise-benchmark';
    await ask(
      lab,
      `mkdir -p ${half} /var/lib/stripewise && echo 64 > ${half}/whole && echo /srv/data > /var/lib/stripewise/using`,
    );
    const said = await run({ runId: 'fourth', seconds: '1' });
    expect(said.stdout).toContain('what an earlier run left in /srv/data is removed');
    expect(stepsOf(said)).toContain('write the file');
    expect(await files()).toBe('');
  }),
);
