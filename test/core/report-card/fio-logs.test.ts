/** Lines of fio's logs. */
import { jobsOfLog, parseFioLog } from '../../../core/report-card/over-time.ts';
import { combinedLogs, linesOfEach, separateLogs } from '../../fixtures/fio-logs.ts';

test('what fio 3.33 writes is read to its end, averaged or each operation', () => {
  for (const text of [...Object.values(separateLogs), ...Object.values(combinedLogs), linesOfEach]) {
    const { entries, oddLines } = parseFioLog(text);
    expect([entries.length, oddLines]).toEqual([text.trimEnd().split('\n').length, 0]);
  }
  expect(parseFioLog(linesOfEach).entries[2]).toEqual({ ms: 2, value: 324_889, direction: 1 });
});

test.each([
  // fio 2: no offset.
  ['1000, 61, 0, 4096', { ms: 1000, value: 61, direction: 0 }],
  // log_prio, log_unix_epoch.
  ['1795382078838, 535462, 1, 8192, 0, 0x0000', { ms: 1_795_382_078_838, value: 535_462, direction: 1 }],
  ['1000, 0, 2, 0, 0\r', { ms: 1000, value: 0, direction: 2 }],
])('%j', (line, entry) => {
  expect(parseFioLog(`${line}\n`)).toEqual({ entries: [entry], oddLines: 0, firstOddLine: null });
});

test.each([
  ['cut', '1999, 6'],
  ['cut before its block size', '1999, 60, 0'],
  ['a direction that is none', '1999, 60, 7, 0, 0'],
  ['below nothing', '1999, -60, 0, 0, 0'],
  ['what is no figure', 'nan, 60, 0, 0, 0'],
  ['bytes', '\0\u0001\u0002'],
  ['longer than any', '9'.repeat(400)],
])('%s: left out and counted', (_, odd) => {
  expect(parseFioLog(`1000, 61, 0, 0, 0\n\n${odd}\n3000, 60, 0, 0, 0\n`)).toMatchObject({
    ...{ oddLines: 1, firstOddLine: 3 },
    entries: [{ ms: 1000 }, { ms: 3000 }],
  });
});

test('jobs that wrote one log: where time goes back, another begins', () => {
  const jobs = (name: string) => jobsOfLog(parseFioLog(combinedLogs[name] ?? '').entries, 1000);
  // 5 and 6 s, reads and writes.
  expect(jobs('combined_iops.log').map(({ length }) => length)).toEqual([10, 12]);
  expect(jobs('combined_clat.log').map(({ length }) => length)).toEqual([12, 12]);
});

test('jobs of a single entry each are as many as entries', () => {
  const { entries } = parseFioLog('1000, 5, 0, 0, 0\n1001, 6, 0, 0, 0\n1002, 7, 0, 0, 0\n');
  expect(jobsOfLog(entries, 1000)).toHaveLength(3);
});

test('of a log without an entry there is no job', () => {
  expect(jobsOfLog([], 1000)).toEqual([]);
});
