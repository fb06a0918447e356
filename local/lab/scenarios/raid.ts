/** What each kind of array makes of four volumes of 250 IOPS, whole and with a member gone. */
import { type Counted, measureCounted, perBusiest } from '../counted.ts';
import { measure } from '../fio.ts';
import type { Lab } from '../lab.ts';
import { type Laid, type Layout, sameDisks, volumeIdAt, withLayout } from './layouts.ts';
import type { Scenario } from './scenario.ts';

const loads = ['read', 'write', 'mixed'] as const;
const patterns = { read: 'randread', write: 'randwrite', mixed: 'randrw' } as const;
type ByLoad = Record<(typeof loads)[number], Counted>;
const memberIops = 250;

async function measureAll(lab: Lab, laid: Laid, layout: Layout): Promise<ByLoad> {
  const results: Partial<ByLoad> = {};
  // Parity comes in fits and starts: of a few hundred writes the mean is off by a tenth.
  const seconds = layout === 'raid5' ? 8 : 4;
  for (const load of loads) {
    const options = { pattern: patterns[load], blockKiB: 16, jobs: 4, depth: 16, seconds } as const;
    results[load] = await measureCounted(lab.vm.agent, laid, options);
  }
  return results as ByLoad;
}

/** Measured when the lab was designed, read / write / mixed, with 500 a member; of these only what they are to each other is used. */
const cases: readonly (readonly [
  name: string,
  layout: Layout,
  members: number,
  expected: readonly number[],
])[] = [
  ['one volume', 'single', 1, [482, 480, 480]],
  ['RAID0', 'raid0', 4, [1_950, 1_915, 1_952]],
  ['RAID10 near 2', 'raid10', 4, [1_970, 979, 1_315]],
  ['RAID10 far 2', 'raid10-far2', 4, [1_970, 979, 1_315]],
  ['RAID5', 'raid5', 4, [1_941, 469, 759]],
];
const degraded: readonly number[] = [956, 399, 560];

export const raidComparison: Scenario = {
  name: 'raid-comparison',
  purpose: 'RAID0 and RAID10 gain, RAID5 does not when it writes: four volumes of 250 IOPS each way.',
  async run(lab, say) {
    const found = new Map<string, { measured: ByLoad; expected: readonly number[] }>();
    for (const [name, layout, members, expected] of cases) {
      say(`${name} ...`);
      await withLayout(lab, layout, sameDisks(members, memberIops), async (laid) => {
        found.set(name, { measured: await measureAll(lab, laid, layout), expected });
        if (layout !== 'raid5') return;
        say(`${name}, a member gone ...`);
        await lab.vm.detach(volumeIdAt(1));
        found.set(`${name}, degraded`, { measured: await measureAll(lab, laid, layout), expected: degraded });
      });
    }
    return {
      columns: ['layout', ...loads.map((load) => `${load} IOPS`)],
      rows: [...found].map(([name, { measured }]) => [
        name,
        ...loads.map((load) => measured[load].iops.toFixed(0)),
      ]),
      // What a layout is to one volume, by operations; and that its busiest member is held by its limit, by time.
      ratios: [...found].flatMap(([name, { measured, expected }]) =>
        loads.flatMap((load, index) => [
          {
            name: `${name} ${load}, operations for one of the busiest member`,
            measured: perBusiest(measured[load]),
            expected: (expected[index] ?? Number.NaN) / 482,
            reason: 'copies and parity are written too',
          },
          {
            name: `${name} ${load}, IOPS of the busiest member : its limit`,
            measured: measured[load].usual.busiest / memberIops,
            expected: 1,
            ofTime: true,
            reason: 'it is what holds the others up',
          },
        ]),
      ),
      raw: Object.fromEntries(found),
    };
  },
};

export const degradedArray: Scenario = {
  name: 'degraded-array',
  purpose: 'A member of a RAID10 is pulled while it is used: nothing fails, and the array says so.',
  async run(lab, say) {
    say('four members, one pulled after five seconds ...');
    const outcome = await withLayout(lab, 'raid10', sameDisks(4, 250), async ({ file }) => {
      const load = { pattern: 'randread', blockKiB: 16, jobs: 4, depth: 32, seconds: 4 } as const;
      const whole = await measure(lab.vm.agent, file, load);
      const running = measure(lab.vm.agent, file, { ...load, pattern: 'randrw', seconds: 10 });
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      await lab.vm.detach(volumeIdAt(1));
      const during = await running;
      const after = await measure(lab.vm.agent, file, load);
      const { stdout } = await lab.vm.agent.shell('cat /proc/mdstat');
      return { whole, during, after, mdstat: stdout };
    });
    const { whole, during, after, mdstat } = outcome;
    const state = /\[[U_]+\]/.exec(mdstat)?.[0] ?? 'unknown';
    return {
      columns: ['', 'IOPS', 'errors', 'state'],
      rows: [
        ['whole, read', whole.iops.toFixed(0), `${whole.errors}`, '[UUUU]'],
        ['a member pulled, mixed', during.iops.toFixed(0), `${during.errors}`, state],
        ['without it, read', after.iops.toFixed(0), `${after.errors}`, state],
      ],
      ratios: [
        {
          name: 'members left',
          measured: (state.match(/U/g) ?? []).length,
          expected: 3,
          reason: 'one of four went',
        },
        {
          name: 'operations without error',
          measured: during.errors === 0 && after.errors === 0 ? 1 : 0,
          expected: 1,
          reason: 'its copy is on another member',
        },
      ],
      raw: outcome,
    };
  },
};
