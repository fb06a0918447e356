/** Values that somebody might give a document so that it does something else: of every kind, at every place of a right one. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandDocument } from '../../lib/shared/command-document.ts';

export const root = join(__dirname, '../..');
/** Made by whatever of an attempt is executed. */
export const canary = '/run/stripewise-was-here';

export const documentNames = (): string[] =>
  readdirSync(join(root, 'ssm-documents')).filter((name) => name !== 'shared');

const touch = `touch ${canary}`;
const payloads: readonly string[] = [
  // Substitutions, and what ends a word, a quote or a command.
  ...[`$(${touch})`, `\`${touch}\``, `'; ${touch}; '`, `"; ${touch}; "`, `'$(${touch})'`, `"$(${touch})"`],
  ...[
    `; ${touch}`,
    `;${touch};#`,
    `&& ${touch}`,
    `| ${touch}`,
    `|| ${touch}`,
    `& ${touch} &`,
    `\n${touch}\n`,
    `\r\n${touch}`,
  ],
  ...[
    `\${IFS}${touch}`,
    '$IFS',
    `$${'{PATH}'}`,
    '$((1+1))',
    '$0',
    '$@',
    `<(${touch})`,
    `> ${canary}`,
    `>${canary}`,
    `< /etc/passwd`,
  ],
  ...['$(reboot)', "'", '"', '`', '\\', "\\'", '\\x27', '\\n', '\u0000', '\t', ' ', '\v', '\f', '\n'],
  // What the agent, or a template, would put something in for.
  ...[
    '{{ ssm:secret }}',
    '{{name}}',
    '{{ members }}',
    '%s%n',
    '%00',
    `$${'{SSM_name}'}`,
    '!!',
    '#',
    '~root',
    '*',
    '?',
    '[a-z]',
    '{a,b}',
  ],
  // Options, and paths that lead elsewhere.
  ...[
    '-rf',
    '--help',
    '--force',
    '-o exec',
    '--to-command=sh',
    '/etc/passwd',
    '/..',
    '/../../etc',
    '../../../root',
    '/./x',
    '//x',
  ],
  ...[
    '/dev/nvme0n1',
    '/proc/self/mem',
    '/sys/power/state',
    '/root/.ssh',
    '/var/lib',
    '=',
    ':',
    ',',
    '@evil',
    'file:///etc/shadow',
  ],
  // What looks like a letter, a digit or nothing.
  ...[
    '\u202e',
    '\u200b',
    '\ufeff',
    '\u00a0',
    '\u2028',
    'ｖｏｌ',
    '０',
    '１２',
    'а',
    'é',
    'e\u0301',
    '🐘',
    '\ud800',
    'İ',
    'ſ',
    '\u212a',
  ],
  ...['9'.repeat(400), 'a'.repeat(5_000), '-1', '1e9', '0x10', '08', '1.5', 'NaN', 'Infinity', '1_000'],
];

/** A right value of each parameter, by its name; by that of its document too where documents differ. */
const rightValues: Readonly<Record<string, string>> = {
  ...{
    name: 'data',
    members: 'vol-0123456789abcdef0,vol-0123456789abcdef1',
    volumeIds: 'vol-0123456789abcdef0',
  },
  ...{
    layout: 'stripe',
    fileSystems: 'data=/srv/data:100',
    directory: '/srv/data',
    mountPoints: '/srv/data',
  },
  ...{
    writeImageJournalDirectory: '/srv/wij',
    journalDirectory: '/srv/journal',
    access: 'random',
    baseline: '300',
  },
  ...{ profile: 'oltp', fileSizeMiB: '1024', runId: 'run-1', s3Uri: 's3://bucket/prefix', test: 'fileio' },
  ...{ description: 'nightly', tag: 'team=data' },
  ...{ 'measure-load access': 'randread', blockKiB: '8', users: '4', iops: '300', seconds: '10' },
};

const rightValue = (document: string, name: string, pattern: string, fallback?: string): string => {
  const value = rightValues[`${document} ${name}`] ?? rightValues[name] ?? fallback;
  if (value === undefined || !new RegExp(pattern, 'u').test(value))
    throw new Error(`no right value of ${name} is known here, for ${pattern}: add one to attempts.ts`);
  return value;
};

export interface Attempt {
  document: string;
  parameter: string;
  value: string;
  /** By the document's pattern: Systems Manager would hand it on. */
  passes: boolean;
}

/** What a run needs at least: a value for each parameter that has no default. */
export function rightParameters(document: string): Record<string, string> {
  const { parameters = {} } = commandDocument(root, document);
  return Object.fromEntries(
    Object.entries(parameters).map(([name, { allowedPattern, default: usual }]) => [
      name,
      usual ?? rightValue(document, name, allowedPattern),
    ]),
  );
}

/** About 300 for each parameter. */
export function attemptsOn(document: string): Attempt[] {
  const { parameters = {} } = commandDocument(root, document);
  return Object.entries(parameters).flatMap(([parameter, { allowedPattern, default: usual }]) => {
    const right = rightValue(document, parameter, allowedPattern, usual);
    const middle = Math.floor(right.length / 2);
    const values = payloads.flatMap((payload) => [
      payload,
      `${right}${payload}`,
      `${right.slice(0, middle)}${payload}${right.slice(middle)}`,
    ]);
    const pattern = new RegExp(allowedPattern, 'u');
    return [...new Set(values)]
      .filter((value) => value !== right)
      .map((value) => ({ document, parameter, value, passes: pattern.test(value) }));
  });
}
