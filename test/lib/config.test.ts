/** The configuration file: defaults, and one clear line for each wrong value. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { BadConfig, readConfig } from '../../lib/config.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { root } from './synthesised.ts';

const directory = temporaryDirectory();
const read = (text: string) => readConfig(directory.write('config.yaml', text));

const defaults = {
  regions: [],
  audit: {
    everyHours: 24,
    lookbackDays: 14,
    passes: 'two',
    periodSeconds: 300,
    batchesAtOnce: 4,
    askHosts: false,
  },
  advisory: { leastSeverity: 'warning', forgetAfterDays: 7, emails: [] },
  alarms: { emails: [] },
  report: { label: null, links: true, linkDays: 30 },
  keep: { logsDays: 30, workDays: 14, runsDays: 400, findingsOnDestroy: true },
};

test.each([
  ['an empty file', ''],
  ['a file of comments', '# nothing yet\n'],
  ['empty sections', 'audit: {}\nkeep: {}\n'],
])('%s gives the defaults', (_, text) => {
  expect(read(text)).toEqual(defaults);
});

test('the configuration that comes with the project says the defaults, every one', () => {
  const shipped = join(root, 'stripewise.yaml');
  expect(parse(readFileSync(shipped, 'utf8'))).toEqual(defaults);
  expect(readConfig(shipped)).toEqual(defaults);
});

test.each([
  ['benchmark: {}', { mostUsd: 20, subnetIds: [] }],
  ['benchmark: { mostUsd: 3, label: emulated }', { mostUsd: 3, subnetIds: [], label: 'emulated' }],
  [
    'benchmark: { vpcId: vpc-12345678, subnetIds: [subnet-12345678] }',
    { mostUsd: 20, vpcId: 'vpc-12345678', subnetIds: ['subnet-12345678'] },
  ],
])('the benchmark is there where its section is: %s', (text, benchmark) => {
  expect(read(text)).toEqual({ ...defaults, benchmark });
});

test('the configuration of the local AWS is one, and its reports say what it is', () => {
  const { regions, report } = readConfig(join(root, 'local/stripewise.local.yaml'));
  expect(regions).toEqual(['us-east-1', 'eu-central-1']);
  expect(report.label).toBe('emulated: a local AWS, simulated volumes');
});

test('a label that says nothing is none to stand on a report', () => {
  expect(() => read('report: { label: "" }')).toThrow(/report\.label: /);
});

test('what is said replaces one default and leaves the others', () => {
  expect(read('audit: { lookbackDays: 7 }\nregions: [us-gov-west-1, ap-southeast-2]')).toEqual({
    ...defaults,
    regions: ['us-gov-west-1', 'ap-southeast-2'],
    audit: { ...defaults.audit, lookbackDays: 7 },
  });
});

test.each([
  ['periodSeconds: 60', { passes: 'one', periodSeconds: 60 }],
  ['periodSeconds: 300', { passes: 'one', periodSeconds: 300 }],
  ['passes: one', { passes: 'one', periodSeconds: 300 }],
  ['passes: two, periodSeconds: 60', { passes: 'two', periodSeconds: 60 }],
])('who says a period, and nothing of passes, wants one pass in it: %s', (said, expected) => {
  expect(read(`audit: { ${said} }`).audit).toMatchObject(expected);
});

test.each([
  ['an unknown section', 'adit: {}', /: the file: Unrecognized key: "adit"$/],
  ['an unknown key', 'audit: { every: 3 }', /: audit: Unrecognized key: "every"$/],
  ['a list where a section should be', 'audit: [1]', /: audit: .*expected object, received array$/],
  ['a section that is left empty', 'audit:', /: audit: .*expected object, received null$/],
  [
    'text for a number',
    'audit: { everyHours: often }',
    /: audit\.everyHours: .*expected number, received string$/,
  ],
  [
    'hours over two days',
    'audit: { everyHours: 72 }',
    /: audit\.everyHours: Too big: expected number to be <=48$/,
  ],
  [
    'no hour at all',
    'audit: { everyHours: 0 }',
    /: audit\.everyHours: Too small: expected number to be >=1$/,
  ],
  [
    'more days than CloudWatch keeps points of 300 s',
    'audit: { lookbackDays: 64 }',
    /: audit\.lookbackDays and audit\.periodSeconds: 64 days are longer than CloudWatch keeps points of 300 s \(63 days\): ask for fewer days or a longer period$/,
  ],
  [
    'more days than CloudWatch keeps points of 60 s',
    'audit: { lookbackDays: 16, periodSeconds: 60 }',
    /: 16 days are longer than CloudWatch keeps points of 60 s \(15 days\)/,
  ],
  [
    'a period that is too coarse',
    'audit: { periodSeconds: 3600 }',
    /: a period of 3600 s is too coarse, or CloudWatch does not keep it: ask for 60 or 300$/,
  ],
  [
    'passes that are none',
    'audit: { passes: three }',
    /: audit\.passes: Invalid option: expected one of "two"\|"one"$/,
  ],
  ['a bad e-mail address', 'alarms: { emails: [on-call] }', /: alarms\.emails\.0: Invalid email address$/],
  ['a bad Region', 'regions: [us-east-1, virginia]', /: regions\.1: a Region like us-east-1$/],
  [
    'a severity that is none',
    'advisory: { leastSeverity: bad }',
    /: advisory\.leastSeverity: Invalid option/,
  ],
  [
    'log days that CloudWatch Logs does not know',
    'keep: { logsDays: 31 }',
    /: keep\.logsDays: one of 1, 3, 5, 7, /,
  ],
  [
    'a word where yes or no should be',
    'keep: { findingsOnDestroy: remove }',
    /: keep\.findingsOnDestroy: .*expected boolean, received string$/,
  ],
  ['a benchmark for nothing', 'benchmark: { mostUsd: 0 }', /: benchmark\.mostUsd: Too small: /],
  [
    'subnets without their VPC',
    'benchmark: { subnetIds: [subnet-12345678] }',
    /: benchmark: vpcId and subnetIds go together: give both or neither$/,
  ],
  [
    'a VPC without subnets',
    'benchmark: { vpcId: vpc-12345678 }',
    /: benchmark: vpcId and subnetIds go together: give both or neither$/,
  ],
  [
    'a subnet that is none',
    'benchmark: { vpcId: vpc-12345678, subnetIds: [private] }',
    /: benchmark\.subnetIds\.0: the id of a subnet$/,
  ],
  ['broken YAML', 'regions: [us-east-1', /: .+ at line 1, column \d+$/],
])('%s is refused in one line', (_, text, line) => {
  const refused = expect(() => read(text));
  refused.toThrow(BadConfig);
  refused.toThrow(line);
  refused.toThrow(/^[^\n]*config\.yaml: [^\n]*$/);
});

test('a file that is not there is refused in one line', () => {
  const path = join(directory.path, 'none.yaml');
  expect(() => readConfig(path)).toThrow(
    new BadConfig(`${path}: cannot be read (ENOENT): give the path of a configuration file`),
  );
});
