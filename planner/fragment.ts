/**
 * What the planner shows, as the fragment of its address says it: #plan?v=1&plan.iops=40000. It can be sent to somebody; what
 * somebody else wrote is only read as figures, choices and short texts.
 */
import { fewOf } from '../core/few.ts';
import { figure } from '../core/figures.ts';
import { isRegionName } from '../core/ids.ts';
import { rankingRegion } from '../core/prices/prices.ts';
import { sanitize } from '../core/sanitize.ts';

export const tabNames = ['plan', 'burst', 'audit', 'grade'] as const;
export type TabName = (typeof tabNames)[number];

/** Of addresses. A page reads only its own: another version may mean something else by the same name. */
const fragmentVersion = '1';

const maxShown = 60;
const shown = (text: string): string => `"${sanitize(text, maxShown)}"`;

export interface Address {
  tab: TabName;
  params: URLSearchParams;
  /** One line each, of what was not understood. */
  problems: string[];
}

/** Longer than whatever this page writes, many times over. */
const maxCharacters = 20_000;

const usualAddress = (...problems: string[]): Address => ({
  tab: 'plan',
  params: new URLSearchParams(),
  problems,
});

const namesText = `${tabNames.slice(0, -1).join(', ')} and ${tabNames.at(-1)}`;

/** An address that names no tab. */
export const unknownTab = (hash: string): Address =>
  usualAddress(
    `The link asks for ${shown(hash.replace(/^#/, ''))}, which this page does not have: it has ${namesText}.`,
  );

/** Null: an anchor, which is of a report or of nothing. */
export function addressOf(hash: string): Address | null {
  if (hash.length > maxCharacters)
    return usualAddress(
      `The link is too long (${hash.length} characters, at most ${maxCharacters}): it was not made by this page, and is not read.`,
    );
  const [name = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  if (name === '' && query === '') return usualAddress();
  const params = new URLSearchParams(query);
  const tab = tabNames.find((one) => one === name);
  if (tab === undefined) return params.has('v') ? unknownTab(name) : null;
  const version = params.get('v') ?? fragmentVersion;
  if (version === fragmentVersion) return { tab, params, problems: [] };
  const problem = `The link is of version ${shown(version)} of the planner; this page reads version ${fragmentVersion}. Open it with the planner that made it.`;
  return { ...usualAddress(problem), tab };
}

/** How a value of the state stands in the address. */
export interface Field<T> {
  usual: T;
  /** Null: it is no such value. */
  read(text: string): T | null;
  write(value: T): string;
  /** What would be right: "1 to 1,000,000". */
  right: string;
}

export type Fields<State> = { [Key in keyof State]: Field<State[Key]> };

export const usualState = <State extends object>(fields: Fields<State>): State =>
  Object.fromEntries(Object.entries<Field<unknown>>(fields).map(([key, { usual }]) => [key, usual])) as State;

const nameOf = (tab: TabName, key: string): string => `${tab}.${key}`;

/** What a link says of a tab and the tab does not ask: one line of all. */
function strangers(tab: TabName, fields: object, params: URLSearchParams): string[] {
  const names = [...new Set(params.keys())].filter(
    (name) => name.startsWith(`${tab}.`) && !Object.hasOwn(fields, name.slice(tab.length + 1)),
  );
  return names.length === 0
    ? []
    : [`The link says something of ${fewOf(names.map(shown))}, which this page does not ask.`];
}

/** What a link says of a tab more than once: one line of all. */
function doubled(tab: TabName, fields: object, params: URLSearchParams): string[] {
  const names = Object.keys(fields)
    .map((key) => nameOf(tab, key))
    .filter((name) => params.getAll(name).length > 1);
  return names.length === 0 ? [] : [`The link says ${fewOf(names)} more than once: the first counts.`];
}

/** @returns the state, usual where nothing or nothing right is said; a line for each that is not right. */
export function readState<State extends object>(
  tab: TabName,
  fields: Fields<State>,
  params: URLSearchParams,
): { state: State; problems: string[] } {
  const problems = [...strangers(tab, fields, params), ...doubled(tab, fields, params)];
  const entries = Object.entries<Field<unknown>>(fields).map(([key, field]) => {
    const text = params.get(nameOf(tab, key));
    const value = text === null ? field.usual : field.read(text);
    if (value !== null || text === null) return [key, value];
    problems.push(
      `The link says ${shown(text)} for ${nameOf(tab, key)}, which takes ${field.right}. The usual value is used.`,
    );
    return [key, field.usual];
  });
  return { state: Object.fromEntries(entries) as State, problems };
}

/** Adds what is not usual. */
export function writeState<State extends object>(
  tab: TabName,
  fields: Fields<State>,
  state: State,
  params: URLSearchParams,
): void {
  for (const key of Object.keys(fields) as (keyof State & string)[]) {
    const field = fields[key];
    const text = field.write(state[key]);
    if (text !== field.write(field.usual)) params.set(nameOf(tab, key), text);
  }
}

/** @param params as `writeState` filled them. */
export const hashOf = (tab: TabName, params: URLSearchParams): string => {
  const query = new URLSearchParams([['v', fragmentVersion], ...params]).toString();
  return params.size === 0 ? tab : `${tab}?${query}`;
};

// Kinds of fields.

/** After the point. */
const mostDigits = 9;
const plain = /^\d{1,15}(\.\d{1,9})?$/;

export const numberField = (usual: number, from: number, to: number, whole = false): Field<number> => ({
  usual,
  read: (text) => {
    const value = plain.test(text) ? Number(text) : Number.NaN;
    return value >= from && value <= to && (!whole || Number.isInteger(value)) ? value : null;
  },
  write: (value) => value.toFixed(mostDigits).replace(/\.?0+$/, ''),
  right: `${whole ? 'a whole number' : 'a number'} from ${figure(from)} to ${figure(to)}`,
});

/** Empty: nothing is said. */
export function optional<T>(field: Field<T>): Field<T | null> {
  return {
    usual: null,
    read: (text) => (text === '' ? null : field.read(text)),
    write: (value) => (value === null ? '' : field.write(value)),
    right: field.right,
  };
}

export const choiceField = <Choice extends string>(
  usual: NoInfer<Choice>,
  choices: readonly Choice[],
): Field<Choice> => ({
  usual,
  read: (text) => choices.find((one) => one === text) ?? null,
  write: (value) => value,
  right: choices.join(', '),
});

/** Several of them, at least one. */
export const choicesField = <Choice extends string>(
  usual: readonly NoInfer<Choice>[],
  choices: readonly Choice[],
): Field<readonly Choice[]> => ({
  usual,
  read: (text) => {
    const named = text.split(',');
    const found = choices.filter((one) => named.includes(one));
    return found.length > 0 && found.length === named.length ? found : null;
  },
  write: (value) => value.join(','),
  right: `some of ${choices.join(', ')}`,
});

/** @param pattern that all of it must match. */
export const textField = (usual: string, pattern: RegExp, right: string, most = 200): Field<string> => ({
  usual,
  read: (text) => (text.length <= most && pattern.test(text) ? text : null),
  write: (value) => value,
  right,
});

/** Whose prices: any text that has the form of a Region, whether the page has its prices or not. */
export const regionNameField: Field<string> = {
  usual: rankingRegion,
  read: (text) => (text.length <= 30 && isRegionName(text) ? text : null),
  write: (value) => value,
  right: 'a Region such as eu-central-1',
};
