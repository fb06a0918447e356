/** Option values as people type them. */
import { momentOf } from '../core/audit/batches.ts';
import { decimalOf } from '../core/decimal.ts';
import { BadInput } from '../core/errors.ts';
import { figure } from '../core/figures.ts';
import { isRegionName } from '../core/ids.ts';
import {
  type Deployment,
  deployments,
  isVolumeType,
  type VolumeType,
  volumeTypes,
} from '../core/limits/volume-limits.ts';
import { sanitize } from '../core/sanitize.ts';
import { type Severity, severities } from '../core/schemas/finding.ts';

function numberOption(
  option: string,
  isRight: (value: number) => boolean,
  right: string,
): (text: string) => number {
  return (text) => {
    // As we print it: 15,000.
    const plain = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text;
    const value = decimalOf(plain.trim());
    if (isRight(value)) return value;
    const why = Number.isNaN(value) ? 'is not a number' : `cannot be ${value < 0 ? 'negative' : value}`;
    throw new BadInput(`${option} "${text}" ${why}: give ${right}`);
  };
}

/** More than any load, less than what makes arithmetic overflow. */
const most = 1e9;
const atMost = `at most ${figure(most)}`;

/** A parser for a number of 0 or more; the message names the option and the unit. */
export const nonNegative = (option: string, unit: string) =>
  numberOption(option, (value) => value >= 0 && value <= most, `${unit}, 0 or more, ${atMost}`);

/** A parser for a number above 0. */
export const positive = (option: string, unit: string, least = 0) =>
  numberOption(
    option,
    (value) => value > 0 && value >= least && value <= most,
    `${unit}, ${least > 0 ? `${least} or more` : 'more than 0'}, ${atMost}`,
  );

/** A parser for a moment; the message names the option. */
export const timeOption =
  (option: string) =>
  (text: string): Date => {
    try {
      return momentOf(text);
    } catch (error) {
      throw new BadInput(`${option} ${(error as Error).message}`);
    }
  };

/** A parser for the name of a Region. */
export const regionOption =
  (option: string) =>
  (text: string): string => {
    if (isRegionName(text)) return text;
    throw new BadInput(`${option} "${text}" is not a Region: give one like us-east-1`);
  };

/** What a parser takes, for the completion of shells. */
interface Choices {
  choices: readonly string[];
}

/** The words that an option or an argument takes; none where it takes others too. */
export const choicesOf = ({ parseArg }: { parseArg?: unknown }): readonly string[] =>
  (parseArg as Partial<Choices> | undefined)?.choices ?? [];

/** One of some words. */
export function oneOf<T extends string>(
  option: string,
  allowed: readonly T[],
): ((text: string) => T) & Choices {
  const parse = (text: string): T => {
    const found = allowed.find((value) => value === text);
    if (found !== undefined) return found;
    throw new BadInput(`${option} "${text}" is not known: give one of ${allowed.join(', ')}`);
  };
  return Object.assign(parse, { choices: allowed });
}

/** Some of some words, separated by commas or as several arguments; each once. */
export function severalOf<T extends string>(
  option: string,
  allowed: readonly T[],
): ((text: string, before: unknown) => T[]) & Choices {
  const parse = oneOf(option, allowed);
  const given = new Set<T>();
  const add = (text: string): T[] => {
    for (const one of text.split(',')) given.add(parse(one.trim()));
    return [...given];
  };
  return Object.assign(add, { choices: allowed });
}

/** A whole number between two. */
export const wholeFrom = (option: string, min: number, max: number) =>
  numberOption(
    option,
    (value) => Number.isInteger(value) && value >= min && value <= max,
    `a whole number from ${min} to ${max}`,
  );

/** A power of two between two. */
export const powerOf2 = (option: string, min: number, max: number) =>
  numberOption(
    option,
    (value) => Number.isInteger(Math.log2(value)) && value >= min && value <= max,
    `a power of two from ${min} to ${max}`,
  );

/** A number from 0 to 1. */
export const share = (option: string, { above0 = false } = {}) =>
  numberOption(
    option,
    (value) => value <= 1 && (above0 ? value > 0 : value >= 0),
    `a number ${above0 ? 'above 0, up to 1' : 'from 0 to 1'}`,
  );

export const severityOption: (text: string) => Severity = oneOf('--fail-on', severities);
export const deploymentOption: (text: string) => Deployment = oneOf('--deployment', deployments);

/** A volume type, with a hint at the one that may have been meant. */
export function volumeTypeOption(
  allowed: readonly VolumeType[] = volumeTypes,
): ((text: string) => VolumeType) & Choices {
  const parse = oneOf('--type', allowed);
  const withHint = (text: string): VolumeType => {
    const lower = text.toLowerCase();
    if (text !== lower && isVolumeType(lower))
      throw new BadInput(`--type "${text}" is not known: did you mean ${lower}?`);
    return parse(text);
  };
  return Object.assign(withHint, { choices: allowed });
}

/** The option of commands that use the prices of a Region. */
export const pricesOption = [
  '--prices <file...>',
  'the prices to use: what `aws pricing get-products --service-code AmazonEC2` prints; what it lacks is taken from this machine',
] as const;

/** The name of a run, which is that of an execution: it becomes part of a key. */
export function runIdOption(text: string): string {
  if (/^[^/\p{C}]{1,80}$/u.test(text)) return text;
  throw new BadInput(`"${sanitize(text)}" is no name of a run: give one of those that \`report list\` names`);
}
