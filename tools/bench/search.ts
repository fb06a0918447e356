/** How much of a grid's time a search takes, and whether it finds the same: on emulated volumes. */
import { join } from 'node:path';
import { probeOf } from '../../core/benchmark/campaign/campaign-report.ts';
import { cellsOf } from '../../core/benchmark/campaign/cells.ts';
import { loadParameters, nextCommand } from '../../core/benchmark/campaign/commands.ts';
import { type BenchRequest, benchRequestSchema } from '../../core/benchmark/campaign/request.ts';
import { nextOf, type Probe } from '../../core/benchmark/search.ts';
import { runFioSchema } from '../../core/report-card/fio-result.ts';
import { Lab } from '../../local/lab/lab.ts';
import { disksOf, volumeIdAt } from '../../local/lab/scenarios/layouts.ts';
import { iopsOnly, unlimited } from '../../local/lab/throttle.ts';
import type { Measure } from './measure.ts';

const root = join(import.meta.dirname, '../..');
const members = 5;
const memberIops = 1_600;
const limitMs = 20;
const searchSeconds = 5;
const gridSeconds = 20;
/** From one alone to more than any answer. */
const grid = [1, 2, 4, 8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 256];

const requestWith = (seconds: number): BenchRequest =>
  benchRequestSchema.parse({
    layouts: [{ name: 'stripe', kind: 'stripe', members, volumeType: 'io2', sizeGiB: 4, iops: memberIops }],
    instanceTypes: ['m5.2xlarge'],
    ceilingUsd: 1,
    work: {
      ...{ kind: 'search', goal: { percentile: 'p95', limitMs }, seconds, fileSizeMiB: 256 },
      load: { access: 'randread', blockKiB: 16 },
    },
  });

/** Of each, as a host of a campaign would run it; nothing is uploaded. */
async function ran(
  lab: Lab,
  document: string,
  parameters: Readonly<Record<string, string>>,
): Promise<number> {
  const start = Date.now();
  const { exitCode, stderr } = await lab.run(document, { ...parameters, s3Uri: '' });
  if (exitCode !== 0) throw new Error(`${document}: ${stderr}`);
  return (Date.now() - start) / 1000;
}

async function probe(
  lab: Lab,
  parameters: Readonly<Record<string, string>>,
): Promise<{ probe: Probe; seconds: number }> {
  const seconds = await ran(lab, 'measure-load', parameters);
  const file = `/var/lib/stripewise/results/${parameters['runId']}/result.json`;
  const result = runFioSchema.parse(JSON.parse((await lab.vm.agent.readFile(file)).toString('utf8')));
  return { probe: probeOf(result, 'p95'), seconds };
}

const host = {
  volumeIds: Array.from({ length: members }, (_, index) => volumeIdAt(index)),
  ...{ s3Uri: '', hoursToLive: 2 },
};
const commandsBefore = 1;

async function searched(lab: Lab, request: BenchRequest): Promise<{ probes: Probe[]; seconds: number }> {
  const [cell] = cellsOf(request);
  const probes: Probe[] = [];
  let seconds = 0;
  for (;;) {
    if (cell === undefined) throw new Error('the request has no cell');
    const next = nextCommand(request, cell, host, commandsBefore + probes.length, probes);
    if ('done' in next) return { probes, seconds };
    const one = await probe(lab, next.command.parameters);
    probes.push(one.probe);
    seconds += one.seconds;
  }
}

async function gridOf(lab: Lab, request: BenchRequest): Promise<{ probes: Probe[]; seconds: number }> {
  const probes: Probe[] = [];
  let seconds = 0;
  for (const underWay of grid) {
    const one = await probe(lab, loadParameters(request, underWay, `g${underWay}`, host));
    probes.push(one.probe);
    seconds += one.seconds;
  }
  return { probes, seconds };
}

export async function searchTimeShare(): Promise<Measure[]> {
  const disks = disksOf(Array.from({ length: members }, () => unlimited)).map((disk) => ({
    ...disk,
    sizeMiB: 1_024,
  }));
  const lab = await Lab.start({ root, name: 'bench-search', disks, say: (line) => console.error(line) });
  try {
    const request = requestWith(searchSeconds);
    const [cell] = cellsOf(request);
    if (cell === undefined) throw new Error('the request has no cell');
    const build = nextCommand(request, cell, host, 0, []);
    if (!('command' in build)) throw new Error('nothing is built');
    await ran(lab, 'build-stripe', build.command.parameters);
    // Its file is written before the volumes are limited, for both.
    await probe(lab, loadParameters(requestWith(1), 1, 'warm-up', host));
    for (const volumeId of host.volumeIds) await lab.vm.modify(volumeId, iopsOnly(memberIops));
    const search = await searched(lab, request);
    const next = nextOf(search.probes, { percentile: 'p95', limitMs });
    if (!('found' in next)) throw new Error('the search found nothing');
    const found = next.found;
    const whole = await gridOf(lab, requestWith(gridSeconds));
    const best = Math.max(
      ...whole.probes.filter(({ latencyMs }) => latencyMs < limitMs).map(({ iops }) => iops),
    );
    const conditions = `most IOPS with p95 under ${limitMs} ms on a stripe of ${members} emulated volumes of ${memberIops} IOPS, 16 KiB random reads: ${search.probes.length} runs of ${searchSeconds} s (${search.seconds.toFixed(0)} s) against a grid of ${grid.length} loads of ${gridSeconds} s (${whole.seconds.toFixed(0)} s); found ${found.iops.mean.toFixed(0)} IOPS (${found.iops.low?.toFixed(0)} to ${found.iops.high?.toFixed(0)}) with ${found.users} under way, the grid ${best.toFixed(0)}; one run each`;
    return [
      {
        name: 'search-time-share',
        value: Number((search.seconds / whole.seconds).toFixed(3)),
        unit: 'of the time of a grid',
        conditions,
      },
      {
        name: 'search-answer-off-percent',
        value: Number((100 * Math.abs(found.iops.mean / best - 1)).toFixed(1)),
        unit: '% off the answer of the grid',
        conditions,
      },
    ];
  } finally {
    await lab.stop();
  }
}
