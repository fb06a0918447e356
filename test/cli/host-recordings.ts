/** What people have of their hosts: text of iostat and sar, CSV of pg_stat_io. Figures are made, shapes are those of sysstat. */

const iostat12Columns =
  'Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util';
const iostat11Columns =
  'Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util';

/** I/O a second of 16 KiB each. */
type Rates = readonly [device: string, reads: number, writes: number];
const two = (value: number): string => value.toFixed(2);

const row12 = ([device, reads, writes]: Rates): string =>
  `${device}  ${two(reads)} ${two(reads * 16)} 0.00 0.00 0.50 16.00 ${two(writes)} ${two(writes * 16)} 0.00 0.00 0.60 16.00 5.00 80.00 0.00 0.00 0.10 16.00 1.00 0.20 0.10 2.00`;
const row11 = ([device, reads, writes]: Rates): string =>
  `${device}  0.00 1.00 ${two(reads)} ${two(writes)} ${two(reads * 16)} ${two(writes * 16)} 32.00 0.10 0.50 0.40 0.70 0.10 1.50`;

const host = 'Linux 6.1.0-13-amd64 (db-1) \t11/27/2026 \t_x86_64_\t(4 CPU)';
const cpu =
  'avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n           1.00    0.00    0.50    2.00    0.00   96.50';

interface IostatOptions {
  version?: 11 | 12;
  /** Of each report, as it is printed; without them no -t was given. */
  times?: readonly string[];
  reports: readonly (readonly Rates[])[];
}

export const iostatText = ({ version = 12, times, reports }: IostatOptions): string =>
  [
    host,
    ...reports.map((rows, index) =>
      [
        '',
        ...(times === undefined ? [] : [times[index]]),
        cpu,
        '',
        version === 12 ? iostat12Columns : iostat11Columns,
        ...rows.map(version === 12 ? row12 : row11),
        '',
      ].join('\n'),
    ),
  ].join('\n');

/** Since the host booted, then two minutes. */
export const bootThenTwoMinutes: readonly (readonly Rates[])[] = [
  [
    ['nvme0n1', 1, 2],
    ['nvme1n1', 9_000, 9_000],
  ],
  [
    ['nvme0n1', 1, 2],
    ['nvme1n1', 3_000, 1_000],
  ],
  [
    ['nvme0n1', 1, 2],
    ['nvme1n1', 1_500, 500],
  ],
];
export const usTimes = ['11/27/2026 02:00:00 PM', '11/27/2026 02:01:00 PM', '11/27/2026 02:02:00 PM'];

export const sar12h = `Linux 5.10.0 (ip-10-0-0-1) \t11/27/2026 \t_x86_64_\t(8 CPU)

11:50:01 PM       DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util
12:00:01 AM   nvme1n1    600.00   6400.00   3200.00      0.00     16.00      0.50      0.80     40.00
12:10:01 AM   nvme1n1    300.00   3200.00   1600.00      0.00     16.00      0.25      0.80     20.00

12:10:01 AM       DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util
12:20:01 AM   nvme1n1    300.00   3200.00   1600.00      0.00     16.00      0.25      0.80     20.00
Average:      nvme1n1    400.00   4266.67   2133.33      0.00     16.00      0.33      0.80     26.67
`;

/** sysstat 11 of a host in Germany: 24 hours, sectors, a comma for the point, a restart between. */
export const sarSectors = `Linux 4.14.0 (db-2) \t27.11.2026 \t_x86_64_\t(8 CPU)

14:00:01          DEV       tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz     await     svctm     %util
14:10:01      dev8-16    100,50   3216,00      0,00     32,00      0,10      0,80      0,20      2,00

14:12:30     LINUX RESTART (8 CPU)

14:20:01          DEV       tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz     await     svctm     %util
14:30:01      dev8-16    200,50   6416,00      0,00     32,00      0,10      0,80      0,20      4,00
`;

const pg16Columns =
  'timestamp,backend_type,object,context,reads,read_time,writes,write_time,writebacks,writeback_time,extends,extend_time,op_bytes,hits,evictions,reuses,fsyncs,fsync_time,stats_reset';
const pg18Columns =
  'timestamp,backend_type,object,context,reads,read_bytes,read_time,writes,write_bytes,write_time,writebacks,writeback_time,extends,extend_bytes,extend_time,hits,evictions,reuses,fsyncs,fsync_time,stats_reset';
const reset = '2026-11-01 00:00:00+00';

/** Of PostgreSQL 16: a client backend and the background writer, which reads nothing, at 14:MM. */
const pg16 = (minute: number, reads: number, extended: number, writes: number, resetAt = reset): string[] =>
  [
    `client backend,relation,normal,${reads},0,100,0,0,0,${extended},0,8192,1,1,,0,0,${resetAt}`,
    `background writer,relation,normal,,,${writes},0,0,0,,,8192,1,1,,0,0,${resetAt}`,
  ].map((row) => `2026-11-27 14:0${minute}:00.000000+00,${row}`);

/** Appended by a job each minute, with its header; the counters begin anew in the last. */
export const pg16Csv = [
  pg16Columns,
  ...pg16(0, 1_000, 0, 500),
  pg16Columns,
  ...pg16(1, 7_000, 600, 1_100),
  pg16Columns,
  ...pg16(2, 60, 0, 0, '2026-11-27 14:01:30+00'),
].join('\n');

const pg18 = (minute: number, reads: number, readBytes: number, writes: number, bytes: number): string[] =>
  [
    `client backend,relation,normal,${reads},${readBytes},0,0,0,0,0,0,0,0,0,1,1,,0,0,${reset}`,
    `client backend,wal,normal,,,,${writes},${bytes},0,,,,,,,,,0,0,${reset}`,
  ].map((row) => `2026-11-27 16:0${minute}:00+02,${row}`);
export const pg18Csv = [
  pg18Columns,
  ...pg18(0, 0, 0, 0, 0),
  ...pg18(1, 600, 60 * 1_048_576, 1_200, 60 * 1_048_576),
].join('\n');
