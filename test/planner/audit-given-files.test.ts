/** Which file is what, by what it holds; what is refused before it is read. */
import {
  archivesIn,
  kindOf,
  type Missing,
  missingOf,
  shownName,
  tooLarge,
} from '../../planner/audit/given-files.ts';

const mib = 1024 * 1024;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const kindOfText = (text: string) => kindOf('x.json', bytesOf(text));

test.each([
  ['{"Volumes": [', 'volumes'],
  ['{\n    "Reservations": []\n}', 'instances'],
  ['{"Messages": [], "MetricDataResults": [{"Id": "m0"', 'metrics'],
  ['{"MetricDataResults": [], "Messages": []}', 'metrics'],
  ['{"VolumesModifications": []}', 'modifications'],
  ['\uFEFF{"NextToken": "x", "Volumes": []}', 'volumes'],
])('%j is %s, whatever its name', (text, kind) => {
  expect(kindOfText(text)).toEqual({ kind });
});

test.each([
  ['', 'x.json: is empty'],
  ['hello', 'x.json: is no JSON object'],
  ['[{"Volumes": []}]', 'x.json: is no JSON object'],
  ['{"a": 1, "b": 2}', 'x.json: has "a", "b", and nothing that can be audited'],
  ['{"findings": [], "coverage": {}}', 'x.json: is the result of an audit'],
  ['{"MetricDataQueries": []}', 'x.json: is what CloudWatch is asked'],
  ['{"fio version": "fio-3.36"}', 'x.json: is a result of fio'],
  ['{"toString": 1}', 'x.json: has "toString", and nothing'],
  ['PAR1....', 'x.json: is one file of Parquet'],
])('%j is refused in one line: %s', (text, why) => {
  const found = kindOfText(text);
  const problem = 'problem' in found ? found.problem : '';
  expect(problem).toContain(why);
  expect(problem).not.toContain('\n');
});

test('UTF-16, as PowerShell writes it, is said', () => {
  expect(kindOf('x.json', new Uint8Array([0xff, 0xfe, 0x7b, 0x00]))).toEqual({
    problem: 'x.json: is UTF-16, as some shells of Windows write it; save it as UTF-8',
  });
});

test('a name of somebody else moves nothing around it', () => {
  expect(shownName('a\u202Eb\n.json')).toBe('a\\u{202e}b\\u{a}.json');
});

test('a file of more than 300 MiB is refused before it is read, with what can', () => {
  expect(tooLarge('x.json', 300 * mib)).toBeNull();
  expect(tooLarge('x.json', 301 * mib)).toBe(
    'x.json: has 301 MiB, and this page reads at most 300 MiB of a file; the command line can: stripewise audit --volumes volumes.json --metrics reply-*.json',
  );
  expect(tooLarge('x.json', 2_048 * mib)).toContain('ask CloudWatch in smaller files');
});

const place = 'account=111122223333/region=us-east-1';
const metrics = `history/metrics/month=2026-11/${place}/metrics.parquet`;
const manifest = `history/manifests/${place}/day=2026-11-18.json`;

test('an archive is found wherever its directory is, and what else is there is left', () => {
  const paths = [
    `home/kept/${metrics}`,
    `home/kept/${manifest}`,
    'home/volumes.json',
    'home/history/notes.txt',
  ];
  const { archives, others } = archivesIn(paths.map((path) => ({ path, file: path })));
  expect(archives).toEqual([
    {
      name: 'home/kept',
      files: [
        { key: metrics, file: `home/kept/${metrics}` },
        { key: manifest, file: `home/kept/${manifest}` },
      ],
    },
  ]);
  expect(others.map(({ path }) => path)).toEqual(['home/volumes.json', 'home/history/notes.txt']);
});

test('where the directory called history itself is given, its keys are whole', () => {
  const { archives } = archivesIn([{ path: metrics, file: 1 }]);
  expect(archives).toEqual([{ name: 'archive', files: [{ key: metrics, file: 1 }] }]);
});

test.each<[string, Parameters<typeof missingOf>, Missing[], boolean]>([
  ['nothing', [[], 0, 0], ['volumes', 'metrics', 'instances'], false],
  ['volumes and metrics', [['volumes', 'metrics'], 0, 1], ['instances'], true],
  ['volumes and an archive', [['volumes', 'instances'], 1, 1], [], true],
  ['metrics and an archive', [['volumes', 'instances', 'metrics'], 1, 1], ['one-of-both'], false],
  ['two archives', [['volumes', 'instances'], 2, 1], ['one-archive'], false],
  ['3 GiB', [['volumes', 'instances', 'metrics'], 0, 3_072 * mib], ['too-much'], false],
])('of %s is said what is missing', (_, given, missing, isReady) => {
  expect(missingOf(...given)).toEqual({ missing, isReady });
});
