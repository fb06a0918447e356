/** What a command gives for the parameters of its document, checked as SendCommand checks it. */
import { parse } from 'yaml';
import { z } from 'zod';
import { ServiceError } from '../service-error.ts';
import { notSupported } from './errors.ts';

/** AWS has more: lists, maps, sets of allowed values, lengths. */
const definitionSchema = z.strictObject({
  type: z.literal('String'),
  description: z.string().optional(),
  default: z.string().optional(),
  allowedPattern: z.string().optional(),
  interpolationType: z.literal('ENV_VAR').optional(),
});
type Definition = z.infer<typeof definitionSchema>;
const documentSchema = z.object({ parameters: z.record(z.string(), definitionSchema).default({}) });

/** AWS says the first sentence, whatever is wrong: what follows is ours. */
const invalid = (which: string): ServiceError =>
  new ServiceError(
    'InvalidParameters',
    `Parameters provided in document are invalid or not supported. (${which})`,
  );

function definitionsOf(content: string): Record<string, Definition> {
  // JSON or YAML, as documents are written; JSON is YAML too.
  const parsed = documentSchema.safeParse(parse(content));
  if (!parsed.success)
    throw notSupported(`a document with such parameters: ${z.prettifyError(parsed.error)}`);
  return parsed.data.parameters;
}

/**
 * Here the pattern has to match the whole value, as by Java's matches(). AWS documents that it is a regular expression and no
 * more; its agent searches (Go), for values that come from Parameter Store. With "^" and "$" around it both are the same.
 */
function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(value);
  } catch {
    throw notSupported(`the allowedPattern ${pattern}`);
  }
}

function resolved(name: string, definition: Definition, given: readonly string[] | undefined): string {
  if (given !== undefined && given.length !== 1)
    throw invalid(`${name} is a String: one value in its list, and not ${given.length}`);
  const value = given?.[0] ?? definition.default;
  if (value === undefined) throw invalid(`${name} has no default, and there is no value`);
  // The agent looks that up, and only then holds it against the pattern.
  if (/\{\{\s*ssm(-secure)?:/.test(value)) throw notSupported('values from Parameter Store');
  const { allowedPattern = '' } = definition;
  if (allowedPattern !== '' && !matches(allowedPattern, value))
    throw invalid(`${name} is "${value}", which does not match ${allowedPattern}`);
  return value;
}

/**
 * A value for each parameter of a document: what is given, or the default.
 *
 * @param content of the document. @param given As SendCommand takes it: for a String a list of one.
 * @throws ServiceError InvalidParameters, as AWS would.
 */
export function resolveParameters(
  content: string,
  given: Readonly<Record<string, readonly string[]>>,
): Record<string, string> {
  const definitions = definitionsOf(content);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(definitions, name));
  if (unknown !== undefined) throw invalid(`the document has no ${unknown}`);
  return Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, resolved(name, definition, given[name])]),
  );
}
