/** npm run import:block-trace: a block trace as a recorded series. */
import { basename } from 'node:path';
import { readBlockTrace } from '../adapters/files/block-trace.ts';
import { positive } from '../cli/options.ts';
import { importBlockTrace } from '../core/load/import-block-trace.ts';
import { epochSecondsOf } from '../core/units.ts';
import { importer, runTool, store, type VolumeOptions } from './importer.ts';

interface Options extends VolumeOptions {
  serviceTimeMs: number;
  periodSeconds: number;
}

/** A trace has times from its own start only; its series needs a date. */
const startEpochSeconds = epochSecondsOf('2026-01-01T00:00:00Z');

runTool(
  importer('import:block-trace', 'Turn a block trace (time_us,op,bytes) into sums per period with idle time.')
    .option('--service-time-ms <n>', 'how long each I/O is in flight', positive('--service-time-ms', 'ms'), 1)
    .option('--period-seconds <n>', 'seconds a row', positive('--period-seconds', 'seconds'), 60)
    .addHelpText(
      'after',
      '\nExample:\n  npm run import:block-trace -- trace.csv.gz --into recordings --id vm --type gp2 --size-gib 100',
    )
    .action((file: string, options: Options) => {
      const rows = importBlockTrace(readBlockTrace(file), { ...options, startEpochSeconds });
      store(options, rows, [
        `imported from the block trace ${basename(file)}; each I/O taken as ${options.serviceTimeMs} ms in flight, busy time is their union`,
        'the trace has no date: its start is written as 2026-01-01T00:00:00Z; the last period is counted whole',
      ]);
    }),
);
