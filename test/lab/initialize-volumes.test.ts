/** The documents that read volumes and leave everything else as it is: initialize-volumes and drain-credits. */
import { z } from 'zod';
import type { Ended } from '../../local/lab/guest-agent.ts';
import { Lab } from '../../local/lab/lab.ts';
import { iopsOnly, unlimited } from '../../local/lab/throttle.ts';
import { begun, killScript, limit, loads, mibpsOnly, until } from './measuring.ts';
import { ask, deviceOf, failureOf, resultOf, volumeId, volumeIds } from './stripes.ts';

const root = `${__dirname}/../..`;
const sizesMiB = [192, 128, 64, 64];
const diskOf = (number: number, sizeMiB = sizesMiB[number - 1] ?? 0) => ({
  ...{ volumeId: volumeId(number), sizeMiB, throttle: unlimited },
});
const mibps = 40;

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({
    root,
    name: 'test-initialize',
    disks: [1, 2, 3, 4].map((number) => diskOf(number)),
    say: () => {},
  });
  await limit(lab, [1, 2], mibpsOnly(mibps));
});
afterAll(() => lab.stop());

const run = (document: string, parameters: Readonly<Record<string, string>>): Promise<Ended> =>
  begun(lab, document, parameters);
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
  let before: { readMiB: number; writes: number };
  let noted = 0;

  test('killed, it leaves no fio behind, and has noted how far it was', async () => {
    before = await traffic(1);
    const running = run('initialize-volumes', both);
    await until(lab, `grep -q '^192 [1-9]' ${note}/${volumeId(1)}`, running);
    await killScript(lab);
    expect((await running).exitCode).toBe(137);
    expect(await loads(lab)).toEqual([]);
    [, noted = 0] = (await ask(lab, `cat ${note}/${volumeId(1)}`)).split(' ').map(Number);
  });

  test('again it goes on there, at the rate of the volumes, and has read no block more than once but those it was at', async () => {
    const ended = await run('initialize-volumes', both);
    expect(ended.stdout).toContain(`${volumeId(1)}: ${noted} of 192 MiB were read before`);
    expect(ended.stdout).toMatch(/^100 % of all, [\d.]+ MiB\/s now$/m);
    const { changed, volumes } = schema.parse(resultOf(ended));
    expect([changed, volumes[0]?.readMiB]).toEqual([true, 192 - noted]);
    for (const volume of volumes) {
      expect(volume.mibps).toBeGreaterThan(mibps * 0.9);
      // What the limit lets through at once counts much in so little.
      expect(volume.mibps).toBeLessThan(mibps * 1.25);
    }
    const after = await traffic(1);
    expect(after.readMiB - before.readMiB).toBeGreaterThanOrEqual(192);
    expect(after.readMiB - before.readMiB).toBeLessThanOrEqual(192 + 65);
    expect(after.writes).toBe(0);
  });

  test('and then it has nothing to do', async () => {
    const ended = await run('initialize-volumes', both);
    expect(ended.stdout).toContain('nothing to do: all was read before');
    expect(schema.parse(resultOf(ended))).toMatchObject({
      changed: false,
      volumes: [{ readMiB: 0, mibps: null }, { readMiB: 0 }],
    });
  });

  test('a volume that has grown, and another one of its name', async () => {
    await lab.vm.detach(volumeId(1));
    await lab.vm.detach(volumeId(2));
    await lab.vm.attach(diskOf(1, 256));
    await lab.vm.attach(diskOf(2, 64));
    const ended = await run('initialize-volumes', both);
    expect(ended.stdout).toContain(`${volumeId(1)} has grown from 192 to 256 MiB: what came is read too`);
    expect(ended.stdout).toContain(
      `${volumeId(2)} had 128 MiB and has 64: it is another one, and read from its beginning`,
    );
    expect(schema.parse(resultOf(ended)).volumes).toMatchObject([{ readMiB: 64 }, { readMiB: 64 }]);
  });

  test('one that is pulled while it is read', async () => {
    await limit(lab, [4], mibpsOnly(4));
    const running = run('initialize-volumes', { volumeIds: volumeId(4) });
    await until(lab, 'pgrep -f "^fio .*--rw=read"', running);
    await lab.vm.detach(volumeId(4));
    expect(failureOf(await running)).toMatch(/^initialize-volumes: step "read" failed: /);
    await lab.vm.attach(diskOf(4));
  });

  test.each([
    [
      'one that is not there',
      volumeIds(1, 9),
      `step "look at the volumes" failed: ${volumeId(9)} is not attached to this host`,
    ],
    ['one twice', volumeIds(1, 1), 'step "check the parameters" failed: a volume is there twice'],
  ])('%s is refused', async (_, ids, why) => {
    expect(failureOf(await run('initialize-volumes', { volumeIds: ids }))).toContain(why);
  });
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

  test('it reads until the rates have fallen to what lasts, and says when that was', async () => {
    await limit(lab, [3], { ...iopsOnly(300), burst: { iops: 2_000, seconds: 3 } });
    await limit(lab, [4], { ...iopsOnly(200), burst: { iops: 1_000, seconds: 3 } });
    const ended = await run('drain-credits', {
      volumeIds: volumeIds(3, 4),
      access: 'random',
      timeLimitSeconds: '120',
    });
    const { volumes } = schema.parse(resultOf(ended));
    expect(volumes.map(({ plateaued }) => plateaued)).toEqual([true, true]);
    for (const [index, baseline] of [300, 200].entries()) {
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
  });

  test('a volume without credits does not fall: at the time limit it says so, unless its baseline is known', async () => {
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
  });

  test('the script alone is killed: fio ends with it', async () => {
    const running = run('drain-credits', { volumeIds: volumeId(3), access: 'sequential' });
    await until(lab, 'pgrep -f "^fio .*--rw=read --bs=1m"', running);
    await killScript(lab);
    await running;
    expect(await loads(lab)).toEqual([]);
  });

  test('a volume that is pulled is said', async () => {
    const running = run('drain-credits', { volumeIds: volumeIds(3, 4), access: 'random' });
    await until(lab, 'pgrep -f "^fio .*--rw=randread"', running);
    await lab.vm.detach(volumeId(4));
    expect(failureOf(await running)).toBe(
      `drain-credits: step "read as fast as it goes" failed: ${volumeId(4)} went away while it was read`,
    );
    expect(await loads(lab)).toEqual([]);
  });
});
