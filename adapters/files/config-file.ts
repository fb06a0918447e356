/** Reads the configuration file: YAML, checked, each error with its line. */
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, type Scalar, visit } from 'yaml';
import { BadConfig, checked } from '../../core/config/check.ts';
import type { Config } from '../../core/config/config.ts';
import { type Problem, placeText } from '../../core/config/problem.ts';
import { decimalOf } from '../../core/decimal.ts';
import { BadInput } from '../../core/errors.ts';
import { codeOf, readText } from './read-file.ts';

/** A hundred times what a configuration of every channel and route takes. */
const maxMiB = 1;

function textOf(path: string): string {
  try {
    return readText(path, { maxMiB });
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    const code = codeOf(error.cause);
    throw new BadConfig(
      code === ''
        ? error.message
        : `${path}: cannot be read (${code}): give the path of a configuration file`,
    );
  }
}

/** Where its key begins, of a list's entry where that does. */
function startOf(document: Document.Parsed, path: readonly PropertyKey[]): number | undefined {
  const above = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const pair = isMap(above)
    ? above.items.find(({ key }) => isScalar(key) && String(key.value) === path.at(-1))
    : undefined;
  const node = pair?.key ?? document.getIn(path, true);
  return isNode(node) ? node.range?.[0] : undefined;
}

/** The line of a place, or of the nearest that is there above it: what is missing has none. */
function lineOf({ path, key }: Problem, document: Document.Parsed, lines: LineCounter): number | null {
  const whole = key === undefined ? path : [...path, key];
  for (let length = whole.length; length > 0; length--) {
    const start = startOf(document, whole.slice(0, length));
    if (start !== undefined) return lines.linePos(start).line;
  }
  return null;
}

/** YAML has numbers that are no decimals: 0x10, 0o17, .inf. Null: all are decimals. */
function firstStrangeNumber(document: Document.Parsed): Scalar | null {
  let strange: Scalar | null = null;
  visit(document, {
    Scalar: (_, scalar) => {
      const { value, source = '' } = scalar;
      if (typeof value !== 'number' || decimalOf(source) === value) return undefined;
      strange = scalar;
      return visit.BREAK;
    },
  });
  return strange;
}

/** Beyond it may be a secret, where it should not be. */
const maxShownCharacters = 24;

function requireDecimals(path: string, document: Document.Parsed, lines: LineCounter): void {
  const strange = firstStrangeNumber(document);
  if (strange === null) return;
  const { source = '', range } = strange;
  const shown = source.length <= maxShownCharacters ? `"${source}"` : 'what stands there';
  throw new BadConfig(
    `${path}:${lines.linePos(range?.[0] ?? 0).line}: ${shown} is not a decimal number: give one like 16 or 0.5, or text in quotes`,
  );
}

const more = (count: number): string => (count === 0 ? '' : ` (and ${count} more)`);

/** @throws BadConfig, in one line, where the file cannot be used. */
export function readConfig(path: string): Config {
  const lines = new LineCounter();
  const document = parseDocument(textOf(path), { lineCounter: lines });
  const [broken] = document.errors;
  if (broken !== undefined)
    throw new BadConfig(`${path}: ${broken.message.split('\n')[0]?.replace(/:$/, '')}`);
  requireDecimals(path, document, lines);
  let said: unknown;
  try {
    said = document.toJS();
  } catch (error) {
    // Aliases of nothing, or of so much that it is meant to harm.
    throw new BadConfig(`${path}: cannot be read (${(error as Error).message}): give it without aliases`);
  }
  const { config, problems } = checked(said);
  if (config !== null) return config;
  const [first, ...others] = problems;
  const line = lineOf(first, document, lines);
  const place = placeText(first.path) || 'the file';
  throw new BadConfig(
    `${path}${line === null ? '' : `:${line}`}: ${place}: ${first.text}${more(others.length)}`,
  );
}
