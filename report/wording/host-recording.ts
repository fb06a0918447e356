/** What to know of a recording of a host or a database: one line a note. */
import { figure } from '../../core/figures.ts';
import type { HostNote } from '../../core/schemas/host-demand.ts';
import { secondsPerMinute } from '../../core/units.ts';
import { counted, type WordsByCode, wordsOf } from './words.ts';

const spanText = (seconds: number): string =>
  seconds < secondsPerMinute ? `${figure(seconds)} s` : `${figure(seconds / secondsPerMinute)} min`;

export const hostNoteTexts: WordsByCode<HostNote> = {
  'served-rates': () => 'rates are what was served: where the volume was throttled, the demand was higher',
  'first-report-dropped': ({ reports }) =>
    reports === 1
      ? 'the first report of iostat was dropped: it is the mean since the host booted'
      : `the first report of each of ${figure(reports)} starts of iostat was dropped: it is the mean since the host booted`,
  'split-unknown': () =>
    'sar counts reads and writes together (tps): the read share of the IOPS is unknown. iostat -xt splits them',
  'database-requests': ({ hasWal }) =>
    `pg_stat_io counts I/O requests of PostgreSQL, not of the device. The page cache serves some, and the kernel merges others.${hasWal ? '' : ' The WAL is not in it (before PostgreSQL 18)'}`,
  'counters-reset': ({ intervals }) =>
    `${counted(intervals, 'interval')} left out: counters were reset or rows are missing, so what was done is unknown`,
  'clock-without-zone': () => 'its times have no zone and are taken as UTC',
  'month-first': () => 'its dates are taken as month/day: nothing in it shows which comes first',
  'clock-steps': ({ intervals }) =>
    `${counted(intervals, 'interval')} left out: the clock did not go on between two reports`,
  'device-absent': ({ reports }) =>
    `${counted(reports, 'report')} without the device: unknown here, or idle where iostat ran with -z`,
  'last-line-cut': () => 'its last line is cut and was left out',
  'other-intervals': ({ intervals, periodSeconds }) =>
    `${counted(intervals, 'interval')} left out: half longer or shorter than ${spanText(periodSeconds)}, so unknown here`,
  'averages-hide-peaks': ({ periodSeconds }) =>
    `its figures are means over ${spanText(periodSeconds)}: a busier minute within them is hidden. Record with iostat -xt 60`,
};

export const hostNoteText = (note: HostNote): string => wordsOf<HostNote>(hostNoteTexts, note);
