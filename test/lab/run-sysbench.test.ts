import { z } from 'zod';
import type { Ended } from '../../local/lab/guest-agent.ts';
import { Lab } from '../../local/lab/lab.ts';
import { iopsOnly, unlimited } from '../../local/lab/throttle.ts';
import { duringTool, whileAt } from './hooks.ts';
import { KnownStates } from './known-state.ts';
import { limit, loads, measuredUndisturbed, readJson, replaced } from './measuring.ts';
import { ask, deviceOf, failureOf, resultOf, stepsOf, volumeId } from './stripes.ts';

const root = `${__dirname}/../..`;
const limitIops = 500;

const disks = [{ volumeId: volumeId(1), sizeMiB: 768, throttle: unlimited }];
let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({ root, name: 'test-run-sysbench', disks, say: () => {} });
});
afterAll(() => lab.stop());
const { from, reading } = new KnownStates(() => lab, disks, {
  'a file system': () =>
    ask(lab, `mkfs.xfs -q ${deviceOf(1)} && mkdir -p /srv/data && mount ${deviceOf(1)} /srv/data`),
});

const run = (parameters: Readonly<Record<string, string>>): Promise<Ended> =>
  lab.run('run-sysbench', { directory: '/srv/data', secondsPerStep: '1', ...parameters });
const remaining = () =>
  ask(
    lab,
    'find /srv/data /run/stripewise/database.socket -mindepth 1 -maxdepth 1 -o -type s 2> /dev/null || true',
  );

const step = z.object({
  name: z.string(),
  startedAt: z.iso.datetime(),
  threads: z.int(),
  output: z.string().regex(/^sysbench 1\.0/),
  members: z.tuple([
    z.object({ volumeId: z.literal(volumeId(1)), before: z.object({}), after: z.object({}) }),
  ]),
});
const latency = {
  seconds: z.number(),
  events: z.int(),
  minMs: z.number(),
  meanMs: z.number(),
  maxMs: z.number(),
  p95Ms: z.number(),
};
const fileStep = step.extend({
  sysbench: z.strictObject({
    ...{ readsPerSecond: z.number(), writesPerSecond: z.number(), fsyncsPerSecond: z.number() },
    ...{ readMibps: z.number(), writtenMibps: z.number(), ...latency },
  }),
});
const tableStep = step.extend({
  sysbench: z.strictObject({ transactionsPerSecond: z.number(), queriesPerSecond: z.number(), ...latency }),
});
const summarySchema = z.object({ document: z.literal('run-sysbench'), file: z.string(), bytes: z.int() });

describe('oltp', () => {
  const parameters = { test: 'oltp', tables: '2', tableSize: '2000', threads: '1,4', runId: 'oltp' };

  test(
    'the script alone is killed: the database server ends with it; again it starts over, and server and data are gone at its end',
    from('a file system', async () => {
      const killed = await whileAt(
        lab,
        duringTool('sysbench', 'oltp_read_write*run'),
        () => run(parameters),
        async () => {
          expect(await ask(lab, `ss -Hltnp | grep -c mariadbd || true`)).toBe('0');
          await ask(lab, `pkill -KILL -f '^/bin/sh /var/lib/amazon/ssm/'`);
        },
      );
      expect([killed.exitCode, stepsOf(killed).at(-1)]).toEqual([137, 'oltp-1']);
      expect(await loads(lab)).toEqual([]);
      expect(await remaining()).toContain('.stripewise-benchmark');

      const ended = await run(parameters);
      expect(ended.stdout).toContain('what an earlier run left in /srv/data is removed');
      expect(ended.stdout).toContain('an earlier run oltp was not finished: it starts over');
      const { steps } = await readJson<{ steps: unknown[] }>(lab, summarySchema.parse(resultOf(ended)).file);
      const measured = z.array(tableStep).parse(steps);
      expect(measured.map(({ name, threads }) => [name, threads])).toEqual([
        ['oltp-1', 1],
        ['oltp-4', 4],
      ]);
      // A transaction is 20 queries; some had not ended.
      for (const { sysbench } of measured)
        expect(Math.abs(sysbench.queriesPerSecond / sysbench.transactionsPerSecond - 20)).toBeLessThan(2);
      expect([await loads(lab), await remaining()]).toEqual([[], '']);
    }),
  );
});

describe('fileio', () => {
  const parameters = { test: 'fileio', totalSizeMiB: '64', threads: '8', runId: 'files' };

  test(
    'five modes, at the rate of the volume',
    from('a file system', async () => {
      await limit(lab, [1], iopsOnly(limitIops));
      // In the order of the article: what writes files anew leaves half of them, and they are written again.
      const measured = await measuredUndisturbed(
        lab,
        'fileio',
        async () => {
          const ended = await run({ ...parameters, modes: 'seqrd,seqwr,rndrd,rndwr,rndrw' });
          const { file } = summarySchema.parse(resultOf(ended));
          return z.array(fileStep).parse((await readJson<{ steps: unknown[] }>(lab, file)).steps);
        },
        (steps) => (steps[2]?.sysbench.readsPerSecond ?? 0) > limitIops * 0.9,
        () => ask(lab, 'rm -rf /var/lib/stripewise/results/files'),
      );
      expect(measured.map(({ name }) => name)).toEqual([
        'seqrd-8',
        'seqwr-8',
        'rndrd-8',
        'rndwr-8',
        'rndrw-8',
      ]);
      const random = measured[2]?.sysbench.readsPerSecond ?? 0;
      expect(random).toBeGreaterThan(limitIops * 0.9);
      // In a second, what a limit lets through at once is a tenth.
      expect(random).toBeLessThan(limitIops * 1.25);
      expect(measured[4]?.sysbench.writesPerSecond).toBeGreaterThan(0);
      expect([await loads(lab), await remaining()]).toEqual([[], '']);
    }),
  );

  test.each([
    [
      'a size that its files do not share',
      { totalSizeMiB: '100' },
      'totalSizeMiB is 100 and must be a multiple of 16',
    ],
    [
      'too little time',
      { timeLimitSeconds: '10', secondsPerStep: '3' },
      'timeLimitSeconds is 10, and 5 steps alone take 15 s',
    ],
    ['a directory of the root file system', { directory: '/srv' }, '/srv is no mount point'],
  ])(
    '%s is refused',
    reading('a file system', async (_: string, wrong: Record<string, string>, why: string) => {
      expect(failureOf(await run({ ...parameters, runId: 'refused', ...wrong }))).toContain(why);
    }),
  );

  test(
    'where no repository has sysbench, as on Amazon Linux 2023, it says what would be right',
    from('a file system', async () => {
      // No regular file, so a shell does not find it.
      await ask(lab, 'mount --bind /dev/null /usr/bin/sysbench');
      await replaced(lab, 'dnf', 'exit 1');
      expect(failureOf(await run({ ...parameters, runId: 'refused' }))).toBe(
        'run-sysbench: step "look for sysbench" failed: sysbench is not there, and no repository of this host has it, as on Amazon Linux 2023: build it there from its source, or measure on Debian or Ubuntu; run-fio needs no sysbench',
      );
    }),
  );
});
