/** A long table is that which cli-table3 would draw at once, in a time that grows as its rows do. */
import Table from 'cli-table3';
import { longTable } from '../../report/terminal/long-table.ts';

const head = ['test', 'IOPS', 'grade'];
const rowsOf = (count: number): string[][] =>
  Array.from({ length: count }, (_, i) => [`job-${i ** 3}`, `${i}`, i % 7 === 0 ? '日本' : '-']);

const atOnce = (rows: readonly string[][]): string => {
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  table.push(...rows);
  return table.toString();
};

test.each([0, 1, 24, 25, 26, 350])('%d rows', (count) => {
  expect(longTable(head, rowsOf(count))).toBe(atOnce(rowsOf(count)));
});

test('ten times the rows take no more than thirty times the time', () => {
  const msOf = (count: number): number => {
    const { user } = process.cpuUsage();
    longTable(head, rowsOf(count));
    return (process.cpuUsage().user - user) / 1_000;
  };
  msOf(1_000);
  const [few, many] = [msOf(1_000), msOf(10_000)];
  expect(many / few).toBeLessThan(30); // all at once: 100
});
