/** `demand --from`: the demand of what a host or a database recorded. */

import { demandAnswerSchema } from '../../core/schemas/answers.ts';
import type { HostDemand } from '../../core/schemas/host-demand.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import {
  bootThenTwoMinutes,
  iostatText,
  pg16Csv,
  pg18Csv,
  sar12h,
  sarSectors,
  usTimes,
} from './host-recordings.ts';
import { csvOf, readRow } from './replay-files.ts';
import { cliJson, runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const argvOf = (text: string, ...options: string[]): string[] => [
  ...['demand', '--from', directory.write('recorded.txt', text)],
  ...options,
];
const demandOf = async (text: string, ...options: string[]): Promise<HostDemand> => {
  const answer = await cliJson<HostDemand>(...argvOf(text, ...options));
  expect(demandAnswerSchema.safeParse(answer).success).toBe(true);
  return answer;
};
const codes = ({ notes }: HostDemand): string[] => notes.map(({ code }) => code);
const reports = bootThenTwoMinutes;
const device = ['--device', 'nvme1n1'];
const text12 = iostatText({ times: usTimes, reports });

describe('iostat -xt', () => {
  test.each([11, 12] as const)('of sysstat %d: the first report is dropped', async (version) => {
    const found = await demandOf(iostatText({ version, times: usTimes, reports }), ...device);
    expect(found).toMatchObject({
      ...{ source: 'iostat', device: 'nvme1n1', knownMinutes: 2, periodSeconds: 60 },
      ...{ from: '2026-11-27T14:00:00Z', to: '2026-11-27T14:02:00Z', peakIopsAt: '2026-11-27T14:00:00Z' },
      iops: { peak: 4_000, p99: 4_000, mean: 3_000 }, // (4,000 + 2,000) / 2
      mibps: { peak: 62.5, mean: 46.875 }, // 4,000 x 16 / 1,024
      ...{ meanIoSizeKiB: 16, readShare: 0.75, readByteShare: 0.75 },
    });
    expect(codes(found)).toEqual(['served-rates', 'first-report-dropped', 'clock-without-zone']);
  });

  test('people read the demand, what to know, and the plan for it', async () => {
    const { code, out } = await runCli(...argvOf(text12, ...device));
    expect(code).toBe(0);
    expect(out).toContain('iostat of nvme1n1: 2026-11-27 14:00 to 2026-11-27 14:02 UTC, 2 minutes known');
    expect(out).toContain(
      'note: the first report of iostat was dropped: it is the mean since the host booted',
    );
    expect(out).toContain(
      'stripewise plan --iops 4000 --throughput-mibps 63 --capacity-gib GIB --io-size-kib 16 --read-share 0.75',
    );
  });

  test('MB/s, sectors and a comma for the point are the same load', async () => {
    const plain = await demandOf(text12, ...device);
    const comma = text12.replaceAll(/(\d)\.(\d\d)/g, '$1,$2');
    expect(await demandOf(comma, ...device)).toEqual(plain);
    const row = (columns: string, figures: string): string =>
      `Linux 6 (a) 11/27/2026\n\n${usTimes.map((time) => `${time}\nDevice ${columns}\nsdf ${figures}\n`).join('\n')}`;
    // 256 KiB an I/O: 100 a second are 25 MiB/s, or 51,200 sectors.
    expect(await demandOf(row('r/s rMB/s w/s wMB/s', '100.00 25.00 0.00 0.00'))).toMatchObject({
      ...{ iops: { peak: 100 }, mibps: { peak: 25 }, meanIoSizeKiB: 256 },
    });
    expect(await demandOf(row('r/s w/s rsec/s wsec/s', '100.00 0.00 51200.00 0.00'))).toMatchObject({
      mibps: { peak: 25 },
    });
  });

  test('times with a zone, and dates with the day first', async () => {
    const iso = ['2026-11-27T14:00:00+0200', '2026-11-27T14:01:00+0200', '2026-11-27T14:02:00+0200'];
    const zoned = await demandOf(iostatText({ times: iso, reports }), ...device);
    expect(zoned.from).toBe('2026-11-27T12:00:00Z');
    expect(codes(zoned)).not.toContain('clock-without-zone');
    const british = ['27/11/26 23:59:00', '28/11/26 00:00:00', '28/11/26 00:01:00'];
    expect(await demandOf(iostatText({ times: british, reports }), ...device)).toMatchObject({
      ...{ from: '2026-11-27T23:59:00Z', to: '2026-11-28T00:01:00Z' },
    });
    const either = ['02/03/26 10:00:00', '02/03/26 10:01:00', '02/03/26 10:02:00'];
    const assumed = await demandOf(iostatText({ times: either, reports }), ...device);
    expect(assumed.from).toBe('2026-02-03T10:00:00Z');
    expect(codes(assumed)).toContain('month-first');
  });

  test('seconds are put together to minutes: a peak is that of a minute', async () => {
    // Ten seconds each: 600 IOPS once, then none: 100 in the minute.
    const times = Array.from({ length: 7 }, (_, i) => `2026-11-27T14:0${i === 6 ? '1:00' : `0:${i}0`}Z`);
    const rows = [0, 600, 0, 0, 0, 0, 0].map((reads) => [['sdf', reads, 0] as const]);
    expect(await demandOf(iostatText({ times, reports: rows }))).toMatchObject({
      ...{ iops: { peak: 100, mean: 100 }, periodSeconds: 60, knownMinutes: 1 },
    });
  });

  test('without -t the times are given', async () => {
    const text = iostatText({ reports });
    const given = ['--start', '2026-11-27T14:00Z', '--interval-seconds', '60'];
    expect(await demandOf(text, ...device, ...given)).toMatchObject({
      ...{ from: '2026-11-27T14:00:00Z', to: '2026-11-27T14:02:00Z', iops: { peak: 4_000 } },
    });
    await expectOneLine(
      argvOf(text, ...device),
      /no time that can be read; run `S_TIME_FORMAT=ISO iostat -xt 60`, or give --start and --interval-seconds/,
    );
    await expectOneLine(
      argvOf(text, '--start', '2026-11-27T14:00Z'),
      /--start and --interval-seconds .*: give both/,
    );
  });

  test('a clock that was set back, a device that was away, a last line that is cut', async () => {
    const times = ['10:00', '10:01', '09:30', '09:31', '09:32'].map((time) => `2026-11-27T${time}:00Z`);
    const load = [['sdf', 100, 0] as const];
    const text = iostatText({ times: times.slice(0, 3), reports: [load, load, load] });
    expect(codes(await demandOf(text))).toContain('clock-steps');
    const away = iostatText({ times: usTimes, reports: [load, [['sdg', 1, 0]], load] });
    expect((await demandOf(away, '--device', 'sdf')).notes).toContainEqual({
      code: 'device-absent',
      reports: 1,
    });
    const whole = iostatText({ times: usTimes, reports: [load, load, load] }).trimEnd();
    const cut = await demandOf(whole.slice(0, -20));
    expect(codes(cut)).toContain('last-line-cut');
    expect(cut.knownMinutes).toBe(1);
  });
});

describe('sar -d', () => {
  test('12 hours past midnight, in pages; which I/O read is not known', async () => {
    const found = await demandOf(sar12h);
    expect(found).toMatchObject({
      ...{ source: 'sar', device: 'nvme1n1', knownMinutes: 30, periodSeconds: 600 },
      ...{ from: '2026-11-27T23:50:01Z', to: '2026-11-28T00:20:01Z' },
      iops: { peak: 600, mean: 400 }, // (600 + 300 + 300) / 3
      mibps: { peak: 9.375, mean: 6.25 }, // (6,400 + 3,200) / 1,024
      ...{ meanIoSizeKiB: 16, readShare: null, readByteShare: expect.closeTo(2 / 3) },
    });
    expect(codes(found)).toEqual([
      'served-rates',
      'split-unknown',
      'clock-without-zone',
      'averages-hide-peaks',
    ]);
    const { out } = await runCli(...argvOf(sar12h));
    expect(out).toContain('reads: unknown of the I/O, 66.67 % of the bytes');
    expect(out).not.toContain('--read-share');
  });

  test('sectors, decimals with a comma, a restart: what was before it is not joined', async () => {
    expect(await demandOf(sarSectors)).toMatchObject({
      ...{ device: 'dev8-16', from: '2026-11-27T14:00:01Z', to: '2026-11-27T14:30:01Z', knownMinutes: 20 },
      ...{ iops: { peak: 200.5, mean: 150.5 }, meanIoSizeKiB: 16 }, // 32 sectors of 512 bytes
    });
  });
});

describe('pg_stat_io', () => {
  test('differences by op_bytes; counters that began anew are left out', async () => {
    const found = await demandOf(pg16Csv);
    // Reads 6,000 / 60 s; writes (600 extended + 600) / 60 s; 120 x 8 KiB.
    expect(found).toMatchObject({
      ...{ source: 'pg_stat_io', device: null, knownMinutes: 1, readShare: expect.closeTo(100 / 120) },
      ...{ iops: { peak: 120 }, mibps: { peak: 0.9375 }, meanIoSizeKiB: 8 },
    });
    expect(found.notes).toEqual([
      { code: 'database-requests', hasWal: false },
      { code: 'counters-reset', intervals: 1 },
    ]);
  });

  test('of PostgreSQL 18 by its bytes, with the WAL, in the zone of psql', async () => {
    // 10 reads a second of 1 MiB/s together, 20 writes of 1 MiB/s together.
    expect(await demandOf(pg18Csv)).toMatchObject({
      ...{ from: '2026-11-27T14:00:00Z', iops: { peak: 30 }, mibps: { peak: 2 }, readByteShare: 0.5 },
      notes: [{ code: 'database-requests', hasWal: true }],
    });
  });
});

test('a series of replay', async () => {
  expect(await demandOf(csvOf([readRow(0, 10), readRow(1, 30)]))).toMatchObject({
    ...{ source: 'series', iops: { peak: 30, mean: 20 }, meanIoSizeKiB: 16, readShare: 1, notes: [] },
  });
});

describe('what cannot be used is one line', () => {
  const timeless = pg16Csv.replaceAll('timestamp,', 'when,');
  test.each<[string, string, string[], RegExp]>([
    ['several devices', text12, [], /it has 2 devices: choose one with --device, of nvme0n1, nvme1n1$/],
    ['no such device', text12, ['--device', 'sda'], /"sda" is not in it: choose .* of nvme0n1, nvme1n1$/],
    [
      'one report',
      iostatText({ times: usTimes, reports: reports.slice(0, 1) }),
      device,
      /no report after the first/,
    ],
    [
      'rounded figures',
      text12.replaceAll('3000.00', '3.0k'),
      device,
      /r\/s "3.0k" is no number; .* without -h/,
    ],
    [
      'iostat without -x',
      'Device             tps    kB_read/s    kB_wrtn/s\nsda 1 2 3',
      [],
      /without -x does not split/,
    ],
    ['JSON', '{"sysstat": {"hosts": []}}', [], /JSON of sysstat is not read/],
    ['sar of processors', 'Linux 5 (a) \t11/27/2026\n\n10:00:00 CPU %user\n', [], /no table of devices/],
    ['sar without its date', sar12h.replace('11/27/2026', ''), [], /its date cannot be read/],
    ['one snapshot', pg16Csv.split('\n').slice(0, 3).join('\n'), [], /it has 1 snapshot .* give two or more/],
    ['snapshots without a time', timeless, [], /without a column timestamp; make each snapshot by \\copy/],
    ['an AWR report', 'WORKLOAD REPOSITORY report for\n', [], /run `stripewise demand --awr /],
    ['something else', 'hello', [], /is no recording that is known; give text of `iostat -xt 60`/],
    ['a device of a database', pg16Csv, device, /has no devices; leave out --device/],
    ['times of sar', sar12h, ['--start', '2026-11-27T14:00Z', '--interval-seconds', '60'], /is no iostat/],
    ['rates too', text12, ['--reads', '5'], /--from has the rates: leave out --reads/],
  ])('%s', async (_name, text, options, line) => {
    await expectOneLine(argvOf(text, ...options), line);
  });

  test('a device without a recording', async () => {
    await expectOneLine(['demand', '--device', 'sda'], /are of a recording: give --from too/);
  });
});
