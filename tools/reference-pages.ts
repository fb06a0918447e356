/** Pages of docs/reference/ that are made from the schemas (zod) and from the commands (commander). */
import type { Command, Option } from 'commander';
import { z } from 'zod';
import { commandsFor } from '../cli/main.ts';
import { tableColumns, tableNames } from '../core/archive/tables.ts';
import { columnsOfView, placeColumns, viewNames, viewSql } from '../core/archive/views.ts';
import { configSchema } from '../core/config/config.ts';
import { boundsText, configurableThresholds, thresholdBounds } from '../core/config/threshold-settings.ts';
import { defaultThresholds } from '../core/diagnosis/thresholds.ts';
import { type SchemaName, schemas } from '../core/schemas/index.ts';
import {
  columnTexts,
  placeTexts,
  tableColumnTexts,
  tableTexts,
  viewTexts,
} from '../report/wording/history-columns.ts';

/** What of JSON Schema the pages show. */
interface Shape {
  description?: string;
  type?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxItems?: number;
  maxLength?: number;
  required?: string[];
  properties?: Record<string, Shape>;
  additionalProperties?: Shape | boolean;
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  $ref?: string;
  $defs?: Record<string, Shape>;
}

const generated = (from: string): string =>
  `<!-- Made by \`npm run generate:reference\` from ${from}. A test checks that it is current. -->`;

const inCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
const row = (...cells: string[]): string => `| ${cells.map(inCell).join(' | ')} |`;
const table = (head: string[], rows: string[][]): string[] => [
  row(...head),
  row(...head.map(() => '---')),
  ...rows.map((cells) => row(...cells)),
];
const code = (text: string): string => `\`${text}\``;

const choicesOf = (shape: Shape): Shape[] => {
  const choices = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])];
  return choices.length === 0 ? [shape] : choices.flatMap(choicesOf);
};

// Configuration

interface Key {
  path: string;
  shape: Shape;
}

/** The keys below a place, deepest last; of a choice those of each, and each key once. */
function keysBelow(shape: Shape, path: string): Key[] {
  const keys = choicesOf(shape).flatMap(({ properties = {}, additionalProperties, items }) => [
    ...Object.entries(properties).flatMap(([name, child]) => {
      const at = path === '' ? name : `${path}.${name}`;
      const below = keysBelow(child, at);
      return below.length === 0 || child.description !== undefined
        ? [{ path: at, shape: child }, ...below]
        : below;
    }),
    // A record by tag has no keys of its own.
    ...(typeof additionalProperties === 'object' && shape.description === undefined
      ? keysBelow(additionalProperties, `${path}.*`)
      : []),
    ...(items === undefined ? [] : keysBelow(items, `${path}[]`)),
  ]);
  const byPath = new Map<string, Key>();
  for (const key of keys) {
    const before = byPath.get(key.path);
    if (before === undefined) byPath.set(key.path, key);
    else
      byPath.set(key.path, { path: key.path, shape: { ...before.shape, anyOf: [before.shape, key.shape] } });
  }
  return [...byPath.values()];
}

function rangeOf(shape: Shape): string {
  const choices = choicesOf(shape);
  const values = choices.flatMap((one) => one.enum ?? (one.const === undefined ? [] : [one.const]));
  if (values.length > 0) return [...new Set(values)].map((value) => code(String(value))).join(', ');
  const number = choices.find(({ minimum, exclusiveMinimum }) => (minimum ?? exclusiveMinimum) !== undefined);
  if (number !== undefined) {
    const { minimum, exclusiveMinimum, maximum } = number;
    const from = minimum === undefined ? `more than ${exclusiveMinimum}` : `${minimum}`;
    return maximum === undefined ? `${from} or more` : `${from} to ${maximum}`;
  }
  const [{ type = '', maxItems, maxLength } = {}] = choices;
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'array') return maxItems === undefined ? 'a list' : `a list of at most ${maxItems}`;
  if (type === 'string') return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`;
  return '';
}

const mostDefaultCharacters = 60;

function defaultText({ default: value }: Shape): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > mostDefaultCharacters ? 'see `stripewise config check`' : code(text);
}

const sectionTitles: Readonly<Record<string, string>> = {
  regions: 'Regions and volumes',
  organization: 'Several accounts',
  audit: 'Audit',
  archive: 'Archive',
  changes: 'Changes',
  monitoring: 'Monitoring',
  budget: 'Budget',
  notifications: 'Notifications',
  channels: 'Channels',
  routes: 'Routes',
  alarms: 'Alarms',
  report: 'Reports',
  keep: 'Retention',
  functions: 'Functions',
  benchmark: 'Benchmark',
};
const sectionIntros: Readonly<Record<string, string>> = {
  archive:
    'Without this section nothing is kept. `archive: {}` keeps minutes, with these defaults; `archive:` alone is refused. See [history](../guides/history.md).',
  changes:
    'Without this section nothing is changed, and nothing of it is deployed. It needs `archive:`. See [changes](../guides/changes.md).',
};
const beside: Readonly<Record<string, string>> = { exclude: 'regions' };

export function configurationPage(example: string): string {
  const keys = keysBelow(z.toJSONSchema(configSchema, { io: 'input' }) as Shape, '');
  const sectionOf = ({ path }: Key): string => {
    const first = path.split(/[.[]/)[0] as string;
    return beside[first] ?? first;
  };
  const sections = Object.entries(sectionTitles).flatMap(([section, title]) => [
    '',
    `## ${title}`,
    '',
    ...(sectionIntros[section] === undefined ? [] : [sectionIntros[section], '']),
    ...table(
      ['key', 'default', 'values', 'meaning'],
      keys
        .filter(
          (key) =>
            sectionOf(key) === section && (key.path !== section || key.shape.description !== undefined),
        )
        .map(({ path, shape }) => [code(path), defaultText(shape), rangeOf(shape), shape.description ?? '']),
    ),
  ]);
  const thresholds = table(
    ['key', 'default', 'values', 'meaning'],
    configurableThresholds.map((name) => [
      code(`thresholds.${name}`),
      `${defaultThresholds[name]}`,
      boundsText(thresholdBounds[name]),
      keys.find(({ path }) => path === `thresholds.${name}`)?.shape.description ?? '',
    ]),
  );
  return `${[
    generated('core/config/config.ts'),
    '',
    '# Configuration',
    '',
    'One YAML file for the stacks and the command line. `npm run cdk -- deploy --all` reads `stripewise.yaml`, or the file of',
    '`-c config=FILE`. `stripewise audit --config FILE` reads it too; an option of the command line wins. Every line may be left',
    'out. A key that is not known is refused. No secret stands in this file: see [notifications](../guides/notifications.md).',
    '',
    '```',
    'stripewise config check                              # stripewise.yaml: is it valid, what does it mean?',
    'stripewise config check production.yaml --volumes 1000',
    'stripewise config check --json                       # for a script (stripewise schema config)',
    '```',
    ...sections,
    '',
    '## Thresholds',
    '',
    'A result carries the thresholds that differ from the defaults, and the terminal and the report show them. What makes a minute',
    'throttled cannot be set.',
    '',
    ...thresholds,
    '',
    '## A whole file',
    '',
    '```yaml',
    example.trimEnd(),
    '```',
  ].join('\n')}\n`;
}

// Command line

const optionRow = ({ flags, description, defaultValue }: Option): string[] => [
  code(flags),
  defaultValue === undefined ? '' : code(String(defaultValue)),
  description,
];

/** What addHelpText puts after the help: examples, exit codes, what an audit may do. */
function textAfter(command: Command): string {
  const lines: string[] = [];
  const out = { writeOut: (text: string) => lines.push(text), writeErr: () => {} };
  command.configureOutput(out).outputHelp();
  const help = lines.join('');
  const end = help.lastIndexOf('display help for command');
  const rest = end === -1 ? '' : help.slice(help.indexOf('\n', end) + 1);
  return rest.includes('Commands:') ? rest.slice(rest.indexOf('\n\n') + 2) : rest;
}

function commandSection(command: Command, parents: string, level: number): string[] {
  const name = `${parents} ${command.name()}`;
  const args = command.registeredArguments.map((argument) => {
    const called = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return [code(argument.required ? `<${called}>` : `[${called}]`), argument.description];
  });
  const after = textAfter(command).trim();
  const isGroup = command.commands.length > 0 && command.options.length === 0;
  return [
    '',
    `${'#'.repeat(level)} ${name}`,
    '',
    command.description(),
    ...(args.length === 0 ? [] : ['', ...table(['argument', 'meaning'], args)]),
    ...(command.options.length === 0
      ? []
      : ['', ...table(['option', 'default', 'meaning'], command.options.map(optionRow))]),
    ...(after === '' || isGroup ? [] : ['', '```', after, '```']),
    ...command.commands.flatMap((child) => commandSection(child, name, level + 1)),
  ];
}

export async function commandLinePage(): Promise<string> {
  const io = { out: () => {}, err: () => {} } as unknown as Parameters<typeof commandsFor>[1];
  const commands = await commandsFor([], io, () => {});
  return `${[
    generated('the commands in cli/'),
    '',
    '# Command line',
    '',
    '`npm run stripewise -- COMMAND` in a clone, `stripewise COMMAND` where it is installed. Errors are one line on standard error.',
    ...commands.flatMap((command) => commandSection(command, 'stripewise', 2)),
  ].join('\n')}\n`;
}

// Schemas

const typeText = (shape: Shape): string => {
  const types = choicesOf(shape).map(({ type, enum: values, const: value, $ref, items }) => {
    if (value !== undefined) return code(String(value));
    if (values !== undefined) return values.map((one) => code(String(one))).join(', ');
    if ($ref !== undefined) return 'another entry';
    if (type === 'array' && items !== undefined) return 'list';
    return String(type ?? '').replaceAll(',', ' or ');
  });
  return [...new Set(types.filter((text) => text !== ''))].join(' or ');
};

export function schemasPage(): string {
  const sections = (Object.keys(schemas) as SchemaName[]).flatMap((name) => {
    const shape = z.toJSONSchema(schemas[name]) as Shape;
    const fields = new Map<string, Shape[]>();
    for (const { properties = {} } of choicesOf(shape.type === 'array' ? (shape.items ?? {}) : shape))
      for (const [field, child] of Object.entries(properties))
        fields.set(field, [...(fields.get(field) ?? []), child]);
    return [
      '',
      `## ${name}`,
      '',
      ...(shape.description === undefined ? [] : [`${shape.description}.`, '']),
      ...table(
        ['field', 'type', 'meaning'],
        [...fields].map(([field, anyOf]) => [
          code(field),
          typeText({ anyOf }),
          anyOf.find(({ description }) => description !== undefined)?.description ?? '',
        ]),
      ),
    ];
  });
  return `${[
    generated('core/schemas/'),
    '',
    '# Schemas',
    '',
    'The documents that stripewise writes for machines, with the fields of the first level. `stripewise schema NAME` prints the',
    'whole JSON Schema.',
    ...sections,
  ].join('\n')}\n`;
}

// Views of the archive

export function historyPage(): string {
  const sections = viewNames.flatMap((view) => {
    const texts: Readonly<Record<string, string>> = columnTexts[view];
    return [
      '',
      `## ${view}`,
      '',
      viewTexts[view],
      '',
      ...table(
        ['column', 'meaning'],
        columnsOfView(view).map((column) => [code(column), texts[column] ?? '']),
      ),
      '',
      '```sql',
      `CREATE VIEW ${view} AS`,
      viewSql[view],
      '```',
    ];
  });
  const tables = tableNames.flatMap((name) => {
    const texts: Readonly<Record<string, string>> = { ...placeTexts, ...tableColumnTexts[name] };
    return [
      ...['', `## ${name}`, '', tableTexts[name], ''],
      ...table(
        ['column', 'meaning'],
        [...placeColumns, ...tableColumns[name]].map((column) => [
          code(column.name),
          texts[column.name] ?? '',
        ]),
      ),
    ];
  });
  return `${[
    generated('core/archive/views.ts, core/archive/tables.ts and report/wording/history-columns.ts'),
    '',
    '# Views of an archive',
    '',
    '`stripewise history sql` asks these views and tables. The SQL of the views is what DuckDB and Athena both speak.',
    '',
    '- **Null is unknown**, never zero: CloudWatch had no point, the metric was not read, or nothing was evaluated.',
    '- **A check alone is no truth of throttling.** It reports a minute in which more was tried than is provisioned.',
    '  `status`, `cause` and `limit_scope` are the truth; they are null until evaluation wrote them. Count them first:',
    '  `SELECT count(status), count(*) FROM minutes`.',
    '- **Rates take a point for a minute.** Points of volumes are of one minute, but in files that were saved with a longer period.',
    '  `history top` leaves such volumes unknown; `history volume` uses their period.',
    ...sections,
    ...tables,
  ].join('\n')}\n`;
}
