/** A configuration from what a file says, or what is wrong with it. */
import { BadInput } from '../errors.ts';
import { type Config, configSchema } from './config.ts';
import { crossChecks } from './cross-checks.ts';
import { type Problem, problemOf } from './problem.ts';

/** The message is one line: which file, where in it, what would be right. */
export class BadConfig extends BadInput {
  override readonly name = 'BadConfig';
}

export type Checked = { config: Config; problems: [] } | { config: null; problems: [Problem, ...Problem[]] };

/** It launches instances: who means it says so. */
const onlyIfSaid = 'benchmark';

/** Of a section whose lines are all comments nothing is left: it is as if it were not there. */
function withoutEmpty(said: unknown): unknown {
  if (said === null || said === undefined) return {};
  if (typeof said !== 'object' || Array.isArray(said)) return said;
  return Object.fromEntries(
    Object.entries(said).filter(([key, value]) => value !== null || key === onlyIfSaid),
  );
}

/** @param said what the file says, of any form. */
export function checked(said: unknown): Checked {
  const whole = withoutEmpty(said);
  const read = configSchema.safeParse(whole);
  const problems = read.success
    ? crossChecks(read.data)
    : read.error.issues.map((issue) => problemOf(issue, whole));
  const [first, ...others] = problems;
  if (first !== undefined) return { config: null, problems: [first, ...others] };
  return { config: read.data as Config, problems: [] };
}

/** What is in force where no file says anything. */
export const defaultConfig = (): Config => configSchema.parse({});
