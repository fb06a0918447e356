/** Files of `--compare-with`: what each is shows in what it holds; what cannot be used is one line. */
import { readComparedFile, requireWhole } from '../../../adapters/files/second-opinion-file.ts';
import { BadInput } from '../../../core/errors.ts';
import { aResult } from '../../fixtures/findings.ts';
import { arnOf, ebsRow, hubRow } from '../../fixtures/recommendations.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
const [a, b] = ['vol-0123456789abcdef0', 'vol-0123456789abcdef1'] as const;
const page = (id: string, nextToken?: string) => ({
  volumeRecommendations: [ebsRow(id)],
  ...(nextToken === undefined ? {} : { nextToken }),
});

function read(name: string, content: object | string) {
  return readComparedFile(directory.write(name, content));
}

function rowsOf(name: string, content: object | string): [string, string[]] {
  const file = read(name, content);
  if (file.kind !== 'recommendations') throw new Error('an audit');
  return [file.rows.source, file.rows.rows.map(({ volumeId }) => volumeId)];
}

const csv = `volumeArn,finding\n${arnOf(a)},Optimized\n"${arnOf(b)}",NotOptimized\n`;

test.each<[string, object | string, string, string[]]>([
  ['one page', page(a), 'compute-optimizer', [a]],
  [
    'pages appended',
    `${JSON.stringify(page(a, 'x'))}\n${JSON.stringify(page(b))}\n`,
    'compute-optimizer',
    [a, b],
  ],
  ['with a mark of its order of bytes', `\uFEFF${JSON.stringify(page(a))}`, 'compute-optimizer', [a]],
  ['an array of pages', [page(a, 'x'), page(b)], 'compute-optimizer', [a, b]],
  ['the rows that --query takes out', [ebsRow(a), ebsRow(b)], 'compute-optimizer', [a, b]],
  ['a brace within a text', { ...page(a), note: '}{"' }, 'compute-optimizer', [a]],
  ['no recommendations', { volumeRecommendations: [] }, 'compute-optimizer', []],
  ['RDS', { rdsDBRecommendations: [{}] }, 'compute-optimizer', []],
  ['CSV', csv, 'compute-optimizer', [a, b]],
  ['a list of the Hub', { items: [hubRow(a), hubRow(b)] }, 'cost-optimization-hub', [a, b]],
  ['an empty list of the Hub', { items: [] }, 'cost-optimization-hub', []],
  [
    'details of the Hub, appended',
    `${JSON.stringify(hubRow(a))}${JSON.stringify(hubRow(b))}`,
    'cost-optimization-hub',
    [a, b],
  ],
])('%s', (name, content, source, ids) => {
  expect(rowsOf(`${name}.txt`, content)).toEqual([source, ids]);
});

test('an earlier audit', () => {
  expect(read('earlier.json', aResult([]))).toMatchObject({
    kind: 'earlier',
    result: { runId: aResult([]).runId },
  });
});

const expected = 'expected .*`aws compute-optimizer get-ebs-volume-recommendations` prints';

test.each<[string, object | string, RegExp]>([
  ['half of it', JSON.stringify(page(a)).slice(0, -20), /not whole JSON \(.*\); expected the whole of /],
  ['empty', ' \n', /is empty; expected/],
  ['of instances', { instanceRecommendations: [] }, /has instanceRecommendations; expected/],
  ['volumes', { Volumes: [] }, /has no recommendations for EBS volumes; expected/],
  ['a number', '[7]', /has no recommendations for EBS volumes; expected/],
  ['part of it', [page(a), { Volumes: [] }], /has no recommendations for EBS volumes; expected/],
  [
    'half an audit',
    { ...aResult([]), volumes: 7 },
    /volumes is not as expected: .*; expected what `audit --json` writes/,
  ],
  [
    'both',
    [page(a), hubRow(b)],
    /of Compute Optimizer and of Cost Optimization Hub: give each in a file of its own/,
  ],
  [
    'other columns',
    'id,size\u001b[31m\n1,2\n',
    /has no columns volumeArn and finding \(its first is "id"\); expected/,
  ],
  [
    'RDS exported',
    'accountId,resourceArn,storageFinding\n1,x,y\n',
    /the export of Amazon RDS, which is not covered yet/,
  ],
  [
    'an error of the AWS CLI',
    '\nAn error occurred (AccessDeniedException) when calling the GetEBSVolumeRecommendations operation: no, not you\n',
    /holds the AWS error AccessDeniedException, and no recommendations; run the command again/,
  ],
  [
    'an answer of S3',
    '<?xml version="1.0"?>\n<Error><Code>NoSuchKey</Code></Error>\n',
    /holds the AWS error NoSuchKey,/,
  ],
  ['an error alone', 'AccessDenied', /holds the AWS error AccessDenied,/],
  ['semicolons', csv.replaceAll(',', ';'), /separated by ;/],
  ['lines of other widths', `${csv}1,2,3\n`, /not CSV of one width/],
  ['untrusted', { '\u001b[31mRecommendations': [] }, /has no recommendations/],
])('%s is one line', (name, content, line) => {
  const path = directory.write(`${name}.bad`, content);
  let message = '';
  try {
    readComparedFile(path);
  } catch (error) {
    expect(error).toBeInstanceOf(BadInput);
    message = (error as Error).message;
  }
  expect(message).toMatch(line);
  expect(message).not.toMatch(/\p{Cc}/u);
  if (/expected what/.test(message) && !/audit --json` writes/.test(message))
    expect(message).toMatch(new RegExp(expected));
});

describe('pages', () => {
  const files = (...pages: object[]) =>
    pages.map((one, index) => readComparedFile(directory.write(`page-${index}.json`, one)));

  test('with the last among them are whole, in whatever order', () => {
    expect(() => requireWhole(files(page(a), page(b, 'more')))).not.toThrow();
    expect(() => requireWhole(files(page(a)))).not.toThrow();
    expect(() => requireWhole([])).not.toThrow();
  });

  test.each([
    ['a list of the Hub', { items: [hubRow(b)] }],
    ['details of the Hub', hubRow(b)],
  ])('%s ends no list of Compute Optimizer', (_, other) => {
    expect(() => requireWhole(files(page(a, 'more'), other))).toThrow(/there are more pages/);
  });

  test('a row alone ends no list of its own', () => {
    expect(() => requireWhole(files(page(a, 'more'), ebsRow(b)))).toThrow(/there are more pages/);
  });

  test.each([[[page(a, 'more')]], [[page(a, 'more'), page(b, 'and more')]]])(
    'without it something is missing: %#',
    (pages) => {
      expect(() => requireWhole(files(...pages))).toThrow(
        /page-\d\.json: it has a nextToken, so there are more pages: ask for the next with --next-token/,
      );
    },
  );
});
