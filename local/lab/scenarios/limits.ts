/** Limits of members, of credits, of the instance, and limits that change. */
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { type Counted, measureCounted, median } from '../counted.ts';
import { measure } from '../fio.ts';
import { recorded, type VolumeInterval } from '../recorder.ts';
import { iopsOnly, throttleOf, unlimited } from '../throttle.ts';
import { disksOf, sameDisks, withLayout } from './layouts.ts';
import type { Scenario } from './scenario.ts';

interface Total {
  second: number;
  /** That it stands for. */
  seconds: number;
  iops: number;
}

/** All members together, a row a second. */
function totals(intervals: readonly VolumeInterval[]): Total[] {
  const ends = [...new Set(intervals.map(({ endEpochSeconds }) => endEpochSeconds))].toSorted(
    (a, b) => a - b,
  );
  const [first = 0] = ends;
  return ends.map((end) => ({
    second: end - first,
    seconds: intervals.find(({ endEpochSeconds }) => endEpochSeconds === end)?.seconds ?? 0,
    iops: intervals
      .filter(({ endEpochSeconds }) => endEpochSeconds === end)
      .reduce((sum, { reads, writes, seconds }) => sum + (reads + writes) / seconds, 0),
  }));
}

export const fiveMembers: Scenario = {
  name: 'five-members',
  purpose: 'Five volumes reach five times the IOPS of one: 16,000 each in the article, a 20th of it here.',
  async run(lab, say) {
    const memberIops = 800;
    const disks = sameDisks(5, memberIops);
    const rows: { members: number; iops: number; counted: Counted }[] = [];
    for (const members of [1, 5]) {
      say(`${members} ...`);
      const layout = members === 1 ? 'single' : 'stripe';
      const counted = await withLayout(lab, layout, disks.slice(0, members), (laid) =>
        measureCounted(lab.vm.agent, laid, {
          ...{ pattern: 'randread', blockKiB: 8, jobs: 4, depth: 32, seconds: 6 },
        }),
      );
      rows.push({ members, iops: counted.usual.members, counted });
    }
    return {
      columns: ['members', 'IOPS', 'of the sum of limits'],
      rows: rows.map(({ members, iops }) => [
        `${members}`,
        iops.toFixed(0),
        `${((iops / (members * memberIops)) * 100).toFixed(1)} %`,
      ]),
      ratios: rows.map(({ members, iops }) => ({
        name: `${members} : sum of limits`,
        measured: iops / (members * memberIops),
        expected: 7_880 / 8_000,
        ofTime: true,
        reason: 'limits of members add up',
      })),
      raw: rows,
    };
  },
};

export const gp2Burst: Scenario = {
  name: 'gp2-burst',
  purpose:
    'Three gp2 volumes of 250 GiB burst to 9,000 IOPS, then 2,250: a tenth of the rates, a 200th of the time.',
  async run(lab, say) {
    const limits = volumeLimits({ volumeType: 'gp2', sizeGiB: 250, deployment: 'region' });
    const scale = { rate: 0.1, time: 1 / 200 };
    const disks = disksOf(Array.from({ length: 3 }, () => throttleOf(limits, scale)));
    // 5,400,000 / (3,000 - 750) = 2,400 s, a 200th: 12 s.
    const burstSeconds = (5_400_000 / (limits.burstIops - limits.baselineIops)) * scale.time;
    say('burst and plateau ...');
    const { intervals } = await withLayout(lab, 'stripe', disks, ({ file }) =>
      recorded(lab.vm.agent, () =>
        measure(lab.vm.agent, file, { pattern: 'randread', blockKiB: 16, jobs: 4, depth: 32, seconds: 22 }),
      ),
    );
    const all = totals(intervals).filter(({ iops }) => iops > 0);
    // The second in which it starts and the one in which the bucket runs dry are of neither kind.
    const burst = all.slice(2, Math.floor(burstSeconds) - 1);
    const plateau = all.slice(Math.ceil(burstSeconds) + 3, -2);
    const [top, base] = [burst, plateau].map((part) => median(part.map(({ iops }) => iops))) as [
      number,
      number,
    ];
    // As much as was done above the plateau, in seconds of the burst: rows that are of both count by their part.
    const above = all.reduce((sum, { iops, seconds }) => sum + Math.max(0, iops - base) * seconds, 0);
    const lasted = above / (top - base);
    return {
      columns: ['second', 'IOPS'],
      rows: all.map(({ second, iops }) => [second.toFixed(0), iops.toFixed(0)]),
      ratios: [
        {
          name: 'burst : plateau',
          measured: top / base,
          expected: 9_000 / 2_250,
          reason: '3,000 against 3 x 250',
        },
        {
          name: 'burst : limits',
          measured: top / 900,
          expected: 1,
          ofTime: true,
          reason: 'three times 3,000, a tenth of it',
        },
        {
          name: 'burst seconds',
          measured: lasted,
          expected: burstSeconds,
          reason: '5.4 million / (3,000 - 750)',
        },
      ],
      raw: all,
    };
  },
};

export const instanceCap: Scenario = {
  name: 'instance-cap',
  purpose: 'Five volumes of 300 IOPS on an instance that has 1,000 for all of them.',
  async run(lab, say) {
    const load = {
      pattern: 'randread',
      blockKiB: 16,
      jobs: 4,
      depth: 16,
      seconds: 6,
      rampSeconds: 2,
    } as const;
    say('without and with the limit ...');
    const [free, capped] = await withLayout(lab, 'stripe', sameDisks(5, 300), async (laid) => {
      const before = await measureCounted(lab.vm.agent, laid, load);
      await lab.vm.limitInstance(iopsOnly(1_000));
      try {
        return [before, await measureCounted(lab.vm.agent, laid, load)] as const;
      } finally {
        await lab.vm.limitInstance(unlimited);
      }
    });
    return {
      columns: ['instance limit', 'IOPS'],
      rows: [
        ['none', free.usual.members.toFixed(0)],
        ['1,000', capped.usual.members.toFixed(0)],
      ],
      ratios: [
        {
          name: 'free : sum of volumes',
          measured: free.usual.members / 1_500,
          expected: 1,
          ofTime: true,
          reason: '5 x 300',
        },
        {
          name: 'capped : limit',
          measured: capped.usual.members / 1_000,
          expected: 1_938 / 2_000,
          ofTime: true,
          reason: 'the lower of both',
        },
      ],
      raw: { free, capped },
    };
  },
};

export const modifyWhileRunning: Scenario = {
  name: 'modify-while-running',
  purpose: 'ModifyVolume takes effect while the volume is used: 400 IOPS, then 1,200.',
  async run(lab, say) {
    say('400 IOPS, after six seconds 1,200 ...');
    const disks = sameDisks(1, 400);
    const { result, intervals } = await withLayout(lab, 'single', disks, ({ file }) =>
      recorded(lab.vm.agent, async () => {
        const load = { pattern: 'randread', blockKiB: 16, jobs: 2, depth: 32, seconds: 12 } as const;
        const running = measure(lab.vm.agent, file, load);
        await new Promise((resolve) => setTimeout(resolve, 8_000));
        for (const { volumeId } of disks) await lab.vm.modify(volumeId, iopsOnly(1_200));
        return running;
      }),
    );
    const all = totals(intervals).filter(({ iops }) => iops > 0);
    const changed = all.findIndex(({ iops }, index) => index > 1 && iops > 800);
    const before = median(all.slice(1, changed - 1).map(({ iops }) => iops));
    const after = median(all.slice(changed + 1, -1).map(({ iops }) => iops));
    return {
      columns: ['second', 'IOPS'],
      rows: all.map(({ second, iops }) => [second.toFixed(0), iops.toFixed(0)]),
      ratios: [
        { name: 'after : before', measured: after / before, expected: 1_213 / 404, reason: '1,200 / 400' },
        {
          name: 'before : limit',
          measured: before / 400,
          expected: 1,
          ofTime: true,
          reason: 'the limit holds',
        },
      ],
      raw: { result, all },
    };
  },
};
