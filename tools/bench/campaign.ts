/** What a campaign takes beside what it must: boot, build and fio. On a local AWS with the EBS lab behind EC2. */
import { join } from 'node:path';
import { campaignKeys } from '../../core/benchmark/campaign/campaign.ts';
import { benchRequestSchema } from '../../core/benchmark/campaign/request.ts';
import { runFioSchema } from '../../core/report-card/fio-result.ts';
import { Lab } from '../../local/lab/lab.ts';
import { disksOf, volumeIdAt } from '../../local/lab/scenarios/layouts.ts';
import { iopsOnly } from '../../local/lab/throttle.ts';
import { stepText } from '../../report/wording/campaign.ts';
import { startBenchLab } from '../bench-lab.ts';
import type { Measure } from './measure.ts';

const root = join(import.meta.dirname, '../..');
const say = (line: string): void => console.error(line);
const fioSeconds = 300;
const rampSeconds = 2;
const memberIops = 600;

const request = benchRequestSchema.parse({
  layouts: [{ name: 'stripe', kind: 'stripe', members: 3, volumeType: 'io2', sizeGiB: 10, iops: memberIops }],
  instanceTypes: ['m5.2xlarge'],
  ceilingUsd: 5,
  work: {
    ...{ kind: 'load', seconds: fioSeconds, fileSizeMiB: 256 },
    load: { access: 'randread', blockKiB: 16, users: 16 },
  },
});

const secondsSince = (start: number): number => (Date.now() - start) / 1000;

/** Of a guest and of the same layout on it, without anything of AWS around them. */
async function bootAndBuild(): Promise<{ boot: number; build: number }> {
  const disks = disksOf([1, 2, 3].map(() => iopsOnly(memberIops)));
  const start = Date.now();
  const lab = await Lab.start({ root, name: 'bench-campaign', disks, say });
  try {
    const boot = secondsSince(start);
    const began = Date.now();
    const { exitCode, stderr } = await lab.run('build-stripe', {
      ...{ name: 'bench', layout: 'stripe', chunkKiB: '128', fileSystemType: 'xfs' },
      members: [0, 1, 2].map(volumeIdAt).join(','),
      ...{ fileSystems: 'data=/srv/data:100', initialSync: 'skip' },
    });
    if (exitCode !== 0) throw new Error(`build-stripe: ${stderr}`);
    return { boot, build: secondsSince(began) };
  } finally {
    await lab.stop();
  }
}

export async function campaignOverheadShare(): Promise<Measure[]> {
  const { boot, build } = await bootAndBuild();
  const lab = await startBenchLab({ root, directory: join(root, '.local-aws/bench-campaign'), say });
  try {
    const { campaigns } = lab;
    await campaigns.start('overhead', request);
    const { execution, report } = await campaigns.ended('overhead', (cell, step) =>
      say(`  ${cell}: ${stepText(step)}`),
    );
    const { startedAt, endedAt, status } = execution;
    if (status !== 'SUCCEEDED' || startedAt === null || endedAt === null || report === null)
      throw new Error(`the campaign ended as ${status}: ${execution.cause}`);
    const cellId = report.cells[0]?.id ?? '';
    const key = campaignKeys('overhead').result(cellId, 'r1');
    const result = await campaigns.store.getJson(key, runFioSchema);
    if (result.steps.length !== 1) throw new Error('it did not measure once');
    const wall = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
    const needed = boot + build + fioSeconds + rampSeconds;
    return [
      {
        name: 'campaign-overhead-share',
        value: Number((wall / needed - 1).toFixed(3)),
        unit: 'of boot, build and fio together, on top of them',
        conditions: `one host with a stripe of 3 emulated volumes, one load of ${fioSeconds} s and ${rampSeconds} s before it: ${wall.toFixed(1)} s from the start of the execution to its end, against ${boot.toFixed(1)} s boot, ${build.toFixed(1)} s build (both alone) and ${fioSeconds + rampSeconds} s fio; writing the file (256 MiB) counts as overhead; one run`,
      },
    ];
  } finally {
    await lab.stop();
  }
}
