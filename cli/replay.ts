/** `stripewise replay`: a recorded load against a configuration. */
import { Command } from 'commander';
import { type HostFileOptions, readHostRecording } from '../adapters/files/host-series.ts';
import { readSeriesCsv } from '../adapters/files/series-csv.ts';
import { hostSums } from '../core/demand/host-report.ts';
import type { Deployment } from '../core/limits/volume-limits.ts';
import { replayAnswer } from '../core/replay/answer.ts';
import { instanceFigures } from '../core/replay/instance-asked.ts';
import { seriesOf } from '../core/replay/recorded-rates.ts';
import type { ReplayAnswer } from '../core/schemas/replay-answer.ts';
import { replayText } from '../report/terminal/replay.ts';
import { deviceOption, intervalOption, startOption } from './host-options.ts';
import { type Io, printJson } from './io.ts';
import { layoutForm, layoutFrom, naming } from './layouts.ts';
import { deploymentOption, nonNegative, powerOf2, regionOption, share } from './options.ts';
import { regionCatalogsHere } from './region-catalogs.ts';

interface Options extends HostFileOptions {
  series: string;
  layout: string;
  instanceType?: string;
  region: string;
  deployment: Deployment;
  chunkKib: number;
  stripeEfficiency: number;
  startBalancePercent: number;
  json?: true;
}

/** A series of our own, or what a host or a database recorded. */
function recordedLoad(options: Options) {
  const found = readHostRecording(options.series, options);
  if (found === null) return readSeriesCsv(options.series);
  const { notes, ...sums } = naming(options.series, () => hostSums(found));
  return { ...sums, rows: found.intervals.length, hasQueueLength: false, hostNotes: notes };
}

function answer(options: Options): ReplayAnswer {
  const { instanceType, region, deployment, chunkKib, stripeEfficiency, startBalancePercent } = options;
  const { layout, ignored } = layoutFrom('--layout', options.layout, deployment);
  const { sums, ...recorded } = recordedLoad(options);
  return replayAnswer({
    series: naming(options.series, () => seriesOf(sums)),
    ...recorded,
    ...{ layout, ignored, deployment, stripeEfficiency, startBalancePercent },
    chunkKiB: chunkKib,
    instance:
      instanceType === undefined
        ? null
        : {
            instanceType,
            region,
            figures: instanceFigures(instanceType, layout.members, regionCatalogsHere()(region)),
          },
  });
}

export const replayCommand = (io: Io): Command =>
  new Command('replay')
    .description(
      'A recorded load against a configuration: what would be throttled, by what, for how long, and the credits left.',
    )
    .requiredOption(
      '--series <file>',
      'CSV: timestamp,read_ops,write_ops,read_bytes,write_bytes[,idle_seconds,queue_length], sums of each period; or text of `iostat -xt`, of `sar -d`, CSV of pg_stat_io',
    )
    .addOption(deviceOption())
    .addOption(startOption())
    .addOption(intervalOption())
    .requiredOption('--layout <layout>', `${layoutForm}; figures of each volume`)
    .option('--instance-type <type>', 'the instance that it is attached to, with its EBS limits and credits')
    .option('--region <region>', 'whose instance types', regionOption('--region'), 'us-east-1')
    .option('--deployment <where>', 'region or outposts', deploymentOption, 'region')
    .option('--chunk-kib <n>', 'chunk of the stripe', powerOf2('--chunk-kib', 4, 4_096), 64)
    .option(
      '--stripe-efficiency <n>',
      'what of its members’ sum a stripe delivers, above 0 to 1',
      share('--stripe-efficiency', { above0: true }),
      1,
    )
    .option(
      '--start-balance-percent <n>',
      'what every credit bucket has at the start',
      nonNegative('--start-balance-percent', 'percent'),
      100,
    )
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
A file has the layout of an option of \`plan --json\`, figures of each member:
  {"kind":"stripe","members":4,"volumeType":"gp3","sizeGiB":250,"iops":3000,"throughputMiBps":125}
What follows from a type (of gp2, st1, sc1 and standard both figures) can be left out. A plan makes one:
  stripewise plan --iops 6000 --capacity-gib 500 --json | jq '.options[0].layout' > layout.json

Examples:
  stripewise replay --series load.csv --layout gp3:500:6000:250
  stripewise replay --series load.csv --layout 4xgp3:250
  stripewise replay --series load.csv --layout layout.json --instance-type m7i.2xlarge
  stripewise replay --series load.csv --layout gp2.json --start-balance-percent 20 --json
  stripewise replay --series iostat.txt --device nvme1n1 --layout layout.json`,
    )
    .action((options: Options) => {
      const result = answer(options);
      if (options.json) printJson(io, result);
      else for (const line of replayText(result, io.invokedAs)) io.out(line);
    });
