/** The configuration file: defaults, and one clear line for each wrong value. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '../../adapters/files/config-file.ts';
import {
  builtInCatalog,
  familyOf,
  type InstanceType,
  matchesType,
} from '../../core/catalog/instance-types.ts';
import { BadConfig } from '../../core/config/check.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { root } from './synthesized.ts';

const directory = temporaryDirectory();
const read = (text: string) => readConfig(directory.write('config.yaml', text));

const defaults = {
  regions: [],
  audit: {
    everyHours: 24,
    lookbackDays: 14,
    mode: 'adaptive',
    periodSeconds: 300,
    batchesAtOnce: 4,
    maxQuotaPercent: 50,
    hostDiscovery: false,
    compareWith: [],
  },
  exclude: { tags: {} },
  functions: { reserveConcurrency: false },
  thresholds: {},
  monitoring: { enabled: true, everyMinutes: 1 },
  notifications: {
    minSeverity: 'warning',
    retentionDays: 90,
    digest: 'weekly',
    digestAt: '07:00',
    emails: [],
  },
  channels: { slack: { kind: 'slack-webhook', quietHours: null, maxMessagesPerHour: 60 } },
  budget: { apiUsdPerMonth: 50 },
  alarms: { emails: [] },
  report: { label: null, links: false, linkDays: 30 },
  keep: { logsDays: 30, workDays: 14, runsDays: 400, removalPolicy: 'retain' },
};

test.each([
  ['an empty file', ''],
  ['a file of comments', '# nothing yet\n'],
  ['empty sections', 'audit: {}\nkeep: {}\n'],
  ['sections of which all lines are comments', 'audit:\n  # everyHours: 6\nroutes:\nkeep:\n'],
])('%s gives the defaults', (_, text) => {
  expect(read(text)).toEqual(defaults);
});

test('the configuration that comes with the project says the defaults, every one', () => {
  const shipped = join(root, 'stripewise.yaml');
  expect(parse(readFileSync(shipped, 'utf8'))).toEqual(defaults);
  expect(readConfig(shipped)).toEqual(defaults);
});

/** Where hosts are: without it there is no benchmark. */
const network = 'vpcId: vpc-12345678, subnetIds: [subnet-12345678]';

test.each([
  ['', {}],
  [', instanceTypes: [m5.large, r6*, "x2idn.*"]', { instanceTypes: ['m5.large', 'r6*', 'x2idn.*'] }],
  [', maxCostUsd: 3, label: emulated', { maxCostUsd: 3, label: 'emulated' }],
])('the benchmark is there where its section says where hosts are: %j', (text, benchmark) => {
  const usual = {
    ...{ maxCostUsd: 20, instanceTypes: expect.arrayContaining(['m5*', 'z1d*']) },
    ...{ vpcId: 'vpc-12345678', subnetIds: ['subnet-12345678'] },
  };
  expect(read(`benchmark: { ${network}${text} }`)).toEqual({
    ...defaults,
    benchmark: { ...usual, ...benchmark },
  });
});

test('by default hosts are of any family on Nitro but those that nobody runs a database on', () => {
  const { instanceTypes = [] } = read(`benchmark: { ${network} }`).benchmark ?? {};
  const { types } = builtInCatalog();
  const isUsual = ({ instanceType }: InstanceType): boolean =>
    instanceTypes.some((pattern) => matchesType(instanceType, pattern));
  const other = /^(a1|dl\d|f\d|g\d|gr\d|hpc\d|inf\d|mac|p\d|trn\d|u-|u\d|vt\d)/;
  const familiesOf = (some: readonly InstanceType[]) => [
    ...new Set(some.map(({ instanceType }) => familyOf(instanceType))),
  ];
  expect(
    familiesOf(types.filter((one) => one.nitro && !isUsual(one))).filter((one) => !other.test(one)),
  ).toEqual([]);
  const usual = types.filter(isUsual);
  expect(familiesOf(usual).filter((one) => other.test(one))).toEqual([]);
  expect(familiesOf(usual.filter(({ nitro }) => !nitro))).toEqual([]);
  for (const pattern of instanceTypes)
    expect([pattern, usual.some(({ instanceType }) => matchesType(instanceType, pattern))]).toEqual([
      pattern,
      true,
    ]);
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
  ['periodSeconds: 60', { mode: 'full', periodSeconds: 60 }],
  ['periodSeconds: 300', { mode: 'full', periodSeconds: 300 }],
  ['mode: full', { mode: 'full', periodSeconds: 300 }],
  ['mode: adaptive, periodSeconds: 60', { mode: 'adaptive', periodSeconds: 60 }],
])('who says a period, and nothing of passes, wants one pass in it: %s', (said, expected) => {
  expect(read(`audit: { ${said} }`).audit).toMatchObject(expected);
});

test.each([
  ['an unknown section', 'adit: {}', /:1: the file: "adit" is not known here: did you mean audit\?$/],
  ['an unknown key', 'audit: { evry: 3 }', /:1: audit: "evry" is not known here: did you mean everyHours\?$/],
  [
    'a key that is like none',
    'monitoring: { xyz: 3 }',
    /:1: monitoring: "xyz" is not known here: give one of enabled, everyMinutes$/,
  ],
  [
    'a list where a section should be',
    'audit: [1]',
    /:1: audit: is a list: give a section \(name: value\), \{\} for its defaults$/,
  ],
  ['a list for the file', '- audit', /: the file: is a list: give a section/],
  ['text for a number', 'audit: { everyHours: often }', /:1: audit\.everyHours: is "often": give a number$/],
  ['hours over two days', 'audit: { everyHours: 72 }', /: audit\.everyHours: is 72: give 48 or less$/],
  ['no hour at all', 'audit: { everyHours: 0 }', /: audit\.everyHours: is 0: give 1 or more$/],
  ['half hours', 'audit: { everyHours: 1.5 }', /: audit\.everyHours: is 1\.5: give a whole number$/],
  [
    'more days than CloudWatch keeps points of 300 s',
    'audit: { lookbackDays: 64 }',
    /:1: audit\.lookbackDays: with audit\.periodSeconds: 64 days are longer than CloudWatch keeps points of 300 s \(63 days\): ask for fewer days or a longer period, or give archive: \{\} \(up to 395 days\)$/,
  ],
  [
    'more days than CloudWatch keeps points of 60 s',
    'audit: { lookbackDays: 16, periodSeconds: 60 }',
    /: 16 days are longer than CloudWatch keeps points of 60 s \(15 days\)/,
  ],
  [
    'a period that is too coarse',
    'audit: { periodSeconds: 3600 }',
    /: audit\.periodSeconds: is 3600: give one of 60, 300$/,
  ],
  [
    'minutes that monitoring cannot',
    'monitoring: { everyMinutes: 3 }',
    /: monitoring\.everyMinutes: is 3: give one of 1, 2, 5$/,
  ],
  ['a mode that is none', 'audit: { mode: three }', /: audit\.mode: is "three": give one of adaptive, full$/],
  [
    'a bad e-mail address',
    'alarms: { emails: [on-call] }',
    /: alarms\.emails\[0\]: is "on-call": give an e-mail address$/,
  ],
  [
    'a bad Region',
    'regions:\n  - us-east-1\n  - virginia',
    /:3: regions\[1\]: is "virginia": give a Region like us-east-1$/,
  ],
  [
    'a severity that is none',
    'notifications: { minSeverity: warn }',
    /: notifications\.minSeverity: is "warn": did you mean warning\? give one of critical, warning, info$/,
  ],
  [
    'log days that CloudWatch Logs does not know',
    'keep: { logsDays: 31 }',
    /: keep\.logsDays: is 31: give one of 1, 3, 5, 7, /,
  ],
  [
    'a word where yes or no should be',
    'keep: { removalPolicy: remove }',
    /: keep\.removalPolicy: is "remove": give one of retain, destroy$/,
  ],
  [
    'a benchmark for nothing',
    `benchmark: { ${network}, maxCostUsd: 0 }`,
    /: benchmark\.maxCostUsd: is 0: give more than 0$/,
  ],
  [
    'a benchmark in no VPC',
    'benchmark: {}',
    /: benchmark\.vpcId: is missing: give the id of the VPC that hosts are launched into, like vpc-0123456789abcdef0: no default VPC is used/,
  ],
  [
    'subnets without their VPC',
    'benchmark: { subnetIds: [subnet-12345678] }',
    /: benchmark\.vpcId: is missing: give the id of the VPC that hosts are launched into, /,
  ],
  [
    'a VPC without subnets',
    'benchmark: { vpcId: vpc-12345678 }',
    /: benchmark\.subnetIds: is missing: give a list of subnets of vpcId with a way out by HTTPS, like \[subnet-0123456789abcdef0\]$/,
  ],
  [
    'a VPC with no subnets',
    'benchmark: { vpcId: vpc-12345678, subnetIds: [] }',
    /: benchmark\.subnetIds: is empty: give a list of subnets of vpcId /,
  ],
  [
    'a subnet that is none',
    'benchmark: { vpcId: vpc-12345678, subnetIds: [private] }',
    /: benchmark\.subnetIds\[0\]: is "private": give the id of a subnet$/,
  ],
  ['no type of hosts', `benchmark: { ${network}, instanceTypes: [] }`, /: benchmark\.instanceTypes: /],
  [
    'more types than a policy holds',
    `benchmark: { ${network}, instanceTypes: [${Array.from({ length: 51 }, (_, index) => `m${index}*`).join(', ')}] }`,
    /: benchmark\.instanceTypes: /,
  ],
  ...['"*"', '"m*"', '"m5*.large"', '"m5.l*"', 'm5', 'M5.large', '"m5.?"'].map(
    (type): [string, string, RegExp] => [
      `a type of hosts that is none: ${type}`,
      `benchmark: { ${network}, instanceTypes: [${type}] }`,
      /: benchmark\.instanceTypes\[0\]: is .*: give a type like m5\.large, or a family and \*, like m5\*$/,
    ],
  ),
  [
    'a channel of no kind',
    'channels:\n  ops:\n    quietHours: null',
    /:2: channels\.ops\.kind: is missing: give one of slack-webhook, slack-bot, teams, amazon-q, sns, eventbridge$/,
  ],
  [
    'a key of another kind of channel',
    'channels:\n  ops:\n    kind: teams\n    bus: default',
    /:4: channels\.ops: "bus" is not known here: give one of kind, quietHours, maxMessagesPerHour$/,
  ],
  [
    'a bot in no channel',
    'channels: { ops: { kind: slack-bot, channel: "#storage" } }',
    /: channels\.ops\.channel: is not right: give the id of a channel, like C0123456789$/,
  ],
  [
    'a name with blanks',
    'channels: { "my team": { kind: teams } }',
    /: channels\.my team: is no name: give a short name of small letters, digits and -$/,
  ],
  [
    'an account without quotes, which is a number',
    'routes:\n  - to: [slack]\n    accounts: [111122223333]',
    /:3: routes\[0\]\.accounts\[0\]: is 111122223333: give the 12 digits of an account, in quotes$/,
  ],
  ['a route to nobody', 'routes: [{ to: [] }]', /: routes\[0\]\.to: is empty: give one or more$/],
  [
    'an hour that is none',
    'channels: { ops: { kind: teams, quietHours: { from: "25:00", to: "07:00" } } }',
    /: channels\.ops\.quietHours\.from: is "25:00": give a time like "07:30", in quotes$/,
  ],
  [
    'a time zone that is none',
    'channels: { ops: { kind: teams, quietHours: { from: "22:00", to: "07:00", timeZone: CEST2 } } }',
    /: channels\.ops\.quietHours\.timeZone: is "CEST2": give a time zone like Europe\/Berlin$/,
  ],
  [
    'a tag that is a number',
    'exclude: { tags: { cost-center: 12 } }',
    /: exclude\.tags\.cost-center: is 12: give a value or a list of values, each in quotes; "\*" is any$/,
  ],
  [
    'a threshold out of its bounds',
    'thresholds:\n  microBurstMinutes: 3\n  emptyBalancePercent: 50\n',
    /:3: thresholds\.emptyBalancePercent: is 50: give a number from 0 to 20 percent$/,
  ],
  [
    'a budget of nothing',
    'budget: { apiUsdPerMonth: 0 }',
    /: budget\.apiUsdPerMonth: is 0: give more than 0 USD, or null for no bound$/,
  ],
  ...['0x10', '0o17', '.inf', '-.INF', '.nan', '1e999'].map((text): [string, string, RegExp] => [
    `${text}, which is no decimal`,
    `audit:\n  everyHours: 12\nkeep:\n  runsDays: ${text}`,
    /:4: "\S+" is not a decimal number: give one like 16 or 0\.5, or text in quotes$/,
  ]),
  [
    'what may be a secret, in hexadecimal',
    `thresholds:\n  idleOpsPerMinute: 0x${'ab'.repeat(20)}`,
    /:2: what stands there is not a decimal number: give /,
  ],
  [
    'numbers of an older YAML',
    '%YAML 1.1\n---\nkeep:\n  runsDays: 010',
    /:4: "010" is not a decimal number: give /,
  ],
  [
    'days without end',
    'keep:\n  runsDays: 9007199254740991',
    /:2: keep\.runsDays: is 9007199254740991: give 3650 or less$/,
  ],
  [
    'a budget without end',
    'budget: { apiUsdPerMonth: 1e308 }',
    /apiUsdPerMonth: is 1e\+308: give 1000000 USD or less, or null for no bound$/,
  ],
  ['days that are none', 'audit: { lookbackDays: 1e-300 }', /lookbackDays: is 1e-300: give 0\.01 or more$/],
  [
    'several mistakes',
    'audit: { everyHours: 72 }\nadit: {}\nmonitoring: { enabled: 1 }',
    /:1: audit\.everyHours: .* \(and 2 more\)$/,
  ],
  ['broken YAML', 'regions: [us-east-1', /: .+ at line 1, column \d+$/],
  ['a section twice', 'audit: {}\naudit: {}', /: Map keys must be unique at line 2, column 1$/],
  [
    'an alias of nothing',
    'audit: *other',
    /: cannot be read \(Unresolved alias .*\): give it without aliases$/,
  ],
])('%s is refused in one line', (_, text, line) => {
  const refused = expect(() => read(text));
  refused.toThrow(BadConfig);
  refused.toThrow(line);
  refused.toThrow(/^[^\n]*config\.yaml:[^\n]*$/);
});

test('aliases that grow without end are refused', () => {
  const levels = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i}, `.repeat(9)}]`);
  expect(() => read(`l0: &l0 [x]\n${levels.join('\n')}`)).toThrow(/: cannot be read \(Excessive alias count/);
});

test('a file that is not there is refused in one line', () => {
  const path = join(directory.path, 'none.yaml');
  expect(() => readConfig(path)).toThrow(
    new BadConfig(`${path}: cannot be read (ENOENT): give the path of a configuration file`),
  );
});
