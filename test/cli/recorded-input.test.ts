/** Recorded series that cannot be used, and those that can only partly. */
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const header = 'timestamp,read_ops,write_ops,read_bytes,write_bytes,idle_seconds';

describe('recorded series', () => {
  const recorded = (csv: string, volume: object = {}): string[] => {
    directory.write('recorded/s.csv', csv);
    directory.write('recorded/volumes.json', {
      volumes: [{ volumeId: 'db', series: 's.csv', volumeType: 'gp3', sizeGiB: 100, ...volume }],
    });
    return ['audit', '--recorded', `${directory.path}/recorded`];
  };
  const row = (minute: number, rest = '60,0,983040,0,59'): string =>
    `2026-11-18T00:${String(minute).padStart(2, '0')}:00Z,${rest}`;
  const csv = (...rows: string[]): string => [header, ...rows].join('\n');

  test.each([
    ['a wrong header', 'time,reads\n1,2', /its header is "time,reads"; expected timestamp,read_ops/],
    ['an empty file', '', /its header is ""/],
    [
      'text where a number belongs',
      csv(row(0), row(1, 'many,0,0,0,0')),
      /line 3: read_ops "many" is not a number/,
    ],
    ['a negative', csv(row(0), row(1, '1,-1,0,0,0')), /line 3: write_ops "-1" is negative/],
    ['an empty field', csv(row(0), row(1, '1,,0,0,0')), /line 3: write_ops "" is not a number/],
    ['a short row', csv(row(0), '2026-11-18T00:01:00Z,1'), /not CSV of one width: .*line 3/],
    [
      'a timestamp without zone',
      csv('2026-11-18 00:00:00,1,1,1,1,1', row(1)),
      /line 2: timestamp .* is not ISO 8601 in UTC/,
    ],
    ['one row alone', csv(row(0)), /shows no period/],
  ])('%s', async (_what, content, line) => {
    await expectOneLine(recorded(content), line);
  });

  test('a volume type that is not known is unknown', async () => {
    const { code, out } = await runCli(...recorded(csv(row(0), row(1)), { volumeType: 'gp9' }), '--json');
    expect(code).toBe(3);
    expect(JSON.parse(out).coverage.unknown[0].reason).toEqual({
      code: 'volume-type-unknown',
      volumeType: 'gp9',
    });
  });

  test('a series that leaves the directory is refused', async () => {
    await expectOneLine(recorded(csv(row(0), row(1)), { series: '../s.csv' }), /volumes\[0\].series/);
  });

  test('a directory without a description, and none at all', async () => {
    directory.write('bare/s.csv', csv(row(0)));
    await expectOneLine(
      ['audit', '--recorded', `${directory.path}/bare`],
      /volumes.json: cannot be read: there is no such/,
    );
    await expectOneLine(['audit', '--recorded', '/nowhere'], /not a directory/);
  });
});
