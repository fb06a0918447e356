/** Options of what a host recorded: which device, and its times where the file has none. */
import { Option } from 'commander';
import { positive, timeOption } from './options.ts';

export const deviceOption = (): Option =>
  new Option('--device <name>', 'of iostat and sar: whose load, where there are several');

export const startOption = (): Option =>
  new Option('--start <time>', 'of an iostat without -t: when it was started').argParser(
    timeOption('--start'),
  );

export const intervalOption = (): Option =>
  new Option('--interval-seconds <n>', 'of an iostat without -t: how long its intervals are').argParser(
    positive('--interval-seconds', 'seconds', 1),
  );
