/** The documents that read volumes and leave everything else as it is: initialize-volumes and drain-credits. */
import { z } from 'zod';
import type { Ended } from '../../local/lab/guest-agent.ts';
import { Lab } from '../../local/lab/lab.ts';
import { iopsOnly, unlimited } from '../../local/lab/throttle.ts';
import { duringTool, inWorkOf, scriptKilledAt, underLoadBefore, whileAt } from './hooks.ts';
import { KnownStates } from './known-state.ts';
import { isWithinTenth, limit, loads, measuredUndisturbed, mibpsOnly } from './measuring.ts';
import { ask, deviceOf, failureOf, resultOf, stepsOf, volumeId, volumeIds } from './stripes.ts';

const root = `${__dirname}/../..`;
const sizesMiB = [192, 128, 64, 64];
const diskOf = (number: number, sizeMiB = sizesMiB[number - 1] ?? 0) => ({
  ...{ volumeId: volumeId(number), sizeMiB, throttle: unlimited },
});
const mibps = 40;

const disks = [1, 2, 3, 4].map((number) => diskOf(number));

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({ root, name: 'test-initialize', disks, say: () => {} });
});
afterAll(() => lab.stop());
const { from } = new KnownStates(() => lab, disks);

const run = (document: string, parameters: Readonly<Record<string, string>>): Promise<Ended> =>
  lab.run(document, parameters);
/** MiB that a disk was read since it is there, and operations that wrote to it. */
async function traffic(number: number): Promise<{ readMiB: number; writes: number }> {
  const [sectors = 0, writes = 0] = (
    await ask(
      lab,
      `awk '{ print $3, $5 }' "/sys/block/$(basename "$(readlink -f ${deviceOf(number)})")/stat"`,
    )
  )
    .split(' ')
    .map(Number);
  return { readMiB: sectors / 2048, writes };
}

describe('initialize-volumes', () => {
  const schema = z.object({
    changed: z.boolean(),
    volumes: z.array(
      z.object({ volumeId: z.string(), sizeMiB: z.int(), readMiB: z.int(), mibps: z.number().nullable() }),
    ),
  });
  const both = { volumeIds: volumeIds(1, 2) };
  const note = '/var/lib/stripewise/initialize';
  const begin = () => run('initialize-volumes', both);

  test(
    'killed, it leaves no fio behind and has noted how far it was; again it goes on there, at the rate of the volumes, and reads no block more than once but those it was at',
    from('blank', async () => {
      await limit(lab, [1, 2], mibpsOnly(mibps));
      const before = await traffic(1);
      // When it reads the second part of each, so that the first is noted.
      const killed = await scriptKilledAt(lab, duringTool('fio', '*--offset=64m*'), begin);
      expect([killed.exitCode, stepsOf(killed).at(-1)]).toEqual([137, 'read']);
      expect(await loads(lab)).toEqual([]);
      expect(await ask(lab, `cat ${note}/${volumeId(1)}`)).toBe('192 64');
      const between = await traffic(1);
      const rest = async () => {
        const from = await traffic(1);
        const ended = await begin();
        const to = await traffic(1);
        return { ended, readMiB: to.readMiB - from.readMiB, writes: to.writes };
      };
      const { ended, readMiB, writes } = await measuredUndisturbed(
        lab,
        'initialize-volumes',
        rest,
        (measured) =>
          schema.parse(resultOf(measured.ended)).volumes.every((one) => (one.mibps ?? 0) > mibps * 0.9),
        () => ask(lab, `echo 192 64 > ${note}/${volumeId(1)}; echo 128 64 > ${note}/${volumeId(2)}`),
      );
      expect(ended.stdout).toContain(`${volumeId(1)}: 64 of 192 MiB were read before`);
      expect(ended.stdout).toMatch(/^100 % of all, [\d.]+ MiB\/s now$/m);
      const { changed, volumes } = schema.parse(resultOf(ended));
      expect([changed, volumes[0]?.readMiB]).toEqual([true, 192 - 64]);
      for (const volume of volumes) {
        expect(volume.mibps).toBeGreaterThan(mibps * 0.9);
        // What the limit lets through at once counts much in so little.
        expect(volume.mibps).toBeLessThan(mibps * 1.25);
      }
      // The part that it was at when it was killed was begun, and is read again.
      expect(between.readMiB - before.readMiB).toBeGreaterThan(64);
      expect(readMiB).toBeGreaterThanOrEqual(128);
      expect(readMiB).toBeLessThanOrEqual(128 + 1);
      expect(writes).toBe(0);
      const last = await begin();
      expect(last.stdout).toContain('nothing to do: all was read before');
      expect(schema.parse(resultOf(last))).toMatchObject({
        changed: false,
        volumes: [{ readMiB: 0, mibps: null }, { readMiB: 0 }],
      });
    }),
  );

  test(
    'a volume that has grown, and another one of its name',
    from('blank', async () => {
      resultOf(await begin());
      await lab.vm.detach(volumeId(1));
      await lab.vm.detach(volumeId(2));
      await lab.vm.attach(diskOf(1, 256));
      await lab.vm.attach(diskOf(2, 64));
      const ended = await begin();
      expect(ended.stdout).toContain(`${volumeId(1)} has grown from 192 to 256 MiB: what came is read too`);
      expect(ended.stdout).toContain(
        `${volumeId(2)} had 128 MiB and has 64: it is another one, and read from its beginning`,
      );
      expect(schema.parse(resultOf(ended)).volumes).toMatchObject([{ readMiB: 64 }, { readMiB: 64 }]);
    }),
  );

  test(
    'one that is pulled while it is read',
    from('blank', async () => {
      // Ten seconds for all; what is under way, half of it, is waited for when it is pulled.
      await limit(lab, [4], mibpsOnly(6));
      const ended = await whileAt(
        lab,
        inWorkOf('fio', '*--rw=read*'),
        () => run('initialize-volumes', { volumeIds: volumeId(4) }),
        () => lab.vm.detach(volumeId(4)),
      );
      expect(failureOf(ended)).toMatch(/^initialize-volumes: step "read" failed: /);
    }),
  );

  test.each([
    [
      'one that is not there',
      volumeIds(1, 9),
      `step "look at the volumes" failed: ${volumeId(9)} is not attached to this host`,
    ],
    ['one twice', volumeIds(1, 1), 'step "check the parameters" failed: a volume is there twice'],
  ])(
    '%s is refused',
    from('blank', async (_: string, ids: string, why: string) => {
      expect(failureOf(await run('initialize-volumes', { volumeIds: ids }))).toContain(why);
    }),
  );
});

describe('drain-credits', () => {
  const schema = z.object({
    unit: z.literal('IOPS'),
    volumes: z.array(
      z.object({
        ...{ volumeId: z.string(), plateaued: z.boolean(), afterSeconds: z.int().nullable() },
        ...{ highest: z.int(), last: z.int(), rates: z.array(z.int()) },
      }),
    ),
  });

  test(
    'it reads until the rates have fallen to what lasts, and says when that was',
    from('blank', async () => {
      const baselines = [300, 200];
      const drained = async () => {
        await limit(lab, [3], { ...iopsOnly(300), burst: { iops: 2_000, seconds: 3 } });
        await limit(lab, [4], { ...iopsOnly(200), burst: { iops: 1_000, seconds: 3 } });
        return run('drain-credits', {
          volumeIds: volumeIds(3, 4),
          access: 'random',
          timeLimitSeconds: '120',
        });
      };
      const ended = await measuredUndisturbed(lab, 'drain-credits', drained, (said) =>
        schema
          .parse(resultOf(said))
          .volumes.every(
            ({ last, highest, afterSeconds }, index) =>
              isWithinTenth(last, baselines[index] ?? 0) &&
              highest > (baselines[index] ?? 0) * 2 &&
              (afterSeconds ?? 30) < 30,
          ),
      );
      const { volumes } = schema.parse(resultOf(ended));
      expect(volumes.map(({ plateaued }) => plateaued)).toEqual([true, true]);
      for (const [index, baseline] of baselines.entries()) {
        const volume = volumes[index];
        expect(volume?.last).toBeGreaterThan(baseline * 0.9);
        expect(volume?.last).toBeLessThan(baseline * 1.1);
        expect(volume?.highest).toBeGreaterThan(baseline * 2);
        expect(volume?.afterSeconds).toBeLessThan(30);
      }
      expect(ended.stdout).toMatch(
        new RegExp(`^${volumeId(3)}: fell from \\d+ to \\d+ IOPS, where it stays since second \\d+$`, 'm'),
      );
      expect([await loads(lab), (await traffic(3)).writes]).toEqual([[], 0]);
    }),
  );

  test(
    'a volume without credits does not fall: at the time limit it says so, unless its baseline is known',
    from('blank', async () => {
      const parameters = { volumeIds: volumeId(3), access: 'random' };
      await limit(lab, [3], iopsOnly(400));
      const late = schema.parse(
        resultOf(await run('drain-credits', { ...parameters, timeLimitSeconds: '12' })),
      );
      expect(late.volumes).toMatchObject([{ plateaued: false, afterSeconds: null }]);
      const known = schema.parse(
        resultOf(await run('drain-credits', { ...parameters, baseline: '400', timeLimitSeconds: '120' })),
      );
      expect(known.volumes).toMatchObject([{ plateaued: true }]);
    }),
  );

  // It waits between two looks at the rates, while fio reads.
  const looking = underLoadBefore('sleep', '1');
  test(
    'the script alone is killed: fio ends with it',
    from('blank', async () => {
      await limit(lab, [3], iopsOnly(400));
      const killed = await scriptKilledAt(lab, looking, () =>
        run('drain-credits', { volumeIds: volumeId(3), access: 'sequential' }),
      );
      expect([killed.exitCode, stepsOf(killed).at(-1)]).toEqual([137, 'read as fast as it goes']);
      expect(await loads(lab)).toEqual([]);
    }),
  );

  test(
    'a volume that is pulled is said',
    from('blank', async () => {
      await limit(lab, [3, 4], iopsOnly(200));
      const ended = await whileAt(
        lab,
        looking,
        () => run('drain-credits', { volumeIds: volumeIds(3, 4), access: 'random' }),
        () => lab.vm.detach(volumeId(4)),
      );
      expect(failureOf(ended)).toBe(
        `drain-credits: step "read as fast as it goes" failed: ${volumeId(4)} went away while it was read`,
      );
      expect(await loads(lab)).toEqual([]);
    }),
  );
});
