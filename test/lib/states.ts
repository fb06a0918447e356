/** The states of a workflow, and what Step Functions would make of their expressions. */
import jsonata from 'jsonata';
import { z } from 'zod';

const retrySchema = z.object({
  ErrorEquals: z.array(z.string()),
  IntervalSeconds: z.number(),
  MaxAttempts: z.number(),
  BackoffRate: z.number(),
  JitterStrategy: z.string().optional(),
});
const catchSchema = z.object({
  ErrorEquals: z.array(z.string()),
  Next: z.string(),
  Output: z.unknown(),
  Assign: z.unknown().optional(),
});
const stateSchema = z.looseObject({
  Type: z.string(),
  Next: z.string().optional(),
  Output: z.unknown().optional(),
  Retry: z.array(retrySchema).default([]),
  Catch: z.array(catchSchema).default([]),
});
export type State = z.output<typeof stateSchema>;

/** Those inside a Map too. */
export function statesOf(graph: unknown): Record<string, State> {
  const { States } = z.looseObject({ States: z.record(z.string(), stateSchema) }).parse(graph);
  const inside = Object.values(States).flatMap(({ ItemProcessor }) =>
    ItemProcessor === undefined ? [] : [statesOf(ItemProcessor)],
  );
  return Object.assign({}, States, ...inside);
}

/** JSONata as Step Functions evaluates it: every string in `{% %}`, with `$states` and the variables. */
export async function evaluated(value: unknown, $states: object, variables: object = {}): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => evaluated(item, $states, variables)));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(
      async ([name, inner]) => [name, await evaluated(inner, $states, variables)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }
  const [, expression] = typeof value === 'string' ? (/^\{%(.*)%\}$/.exec(value) ?? []) : [];
  if (expression === undefined) return value;
  const result: unknown = await jsonata(expression).evaluate({}, { states: $states, ...variables });
  return JSON.parse(JSON.stringify(result));
}
