/** npm run import:byte-series: bytes per period as a recorded series, with a stated I/O size and scale. */
import { basename } from 'node:path';
import { readByteSeries } from '../adapters/files/byte-series.ts';
import { positive } from '../cli/options.ts';
import { BadInput } from '../core/errors.ts';
import { importByteSeries } from '../core/load/import-byte-series.ts';
import { importer, runTool, store, type VolumeOptions } from './importer.ts';

interface Options extends VolumeOptions {
  ioSizeKib: number;
  scale: number;
  direction: string;
}

runTool(
  importer('import:byte-series', 'Turn bytes per period (timestamp,value) into operations of one size.')
    .requiredOption('--io-size-kib <n>', 'the size of each I/O', positive('--io-size-kib', 'KiB'))
    .option('--scale <n>', 'multiply the bytes by', positive('--scale', 'a factor'), 1)
    .option('--direction <read|write>', 'which way the bytes went', 'write')
    .addHelpText(
      'after',
      '\nExample:\n  npm run import:byte-series -- bytes.csv --into recordings --id web --type gp3 --size-gib 500 --io-size-kib 16 --scale 8',
    )
    .action((file: string, options: Options) => {
      const { direction } = options;
      if (direction !== 'read' && direction !== 'write') {
        throw new BadInput(`--direction "${direction}" is not known: give read or write`);
      }
      const rows = importByteSeries(readByteSeries(file), {
        ...options,
        ioSizeKiB: options.ioSizeKib,
        direction,
      });
      store(options, rows, [
        `imported from the byte series ${basename(file)}: every byte a ${direction}, in I/O of ${options.ioSizeKib} KiB, multiplied by ${options.scale}; timestamps taken as UTC`,
      ]);
    }),
);
