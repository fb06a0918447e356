/** What a Distributed Map writes about its children (ResultWriter, SUCCEEDED_n.json and FAILED_n.json). */
import { z } from 'zod';
import { nameInFolder } from '../../core/audit/run-keys.ts';
import { failureText } from '../../core/failure-text.ts';
import { jsonOrNull } from '../../core/json.ts';

const filesSchema = z.array(z.object({ Key: z.string() }));
export const manifestSchema = z.object({
  ResultFiles: z.object({ FAILED: filesSchema, SUCCEEDED: filesSchema.default([]) }),
});

const childSchema = z.object({
  Input: z.string().optional(),
  Output: z.string().optional(),
  Error: z.string().optional(),
  Cause: z.string().optional(),
});
export type Child = z.infer<typeof childSchema>;
export const childrenSchema = z.array(childSchema);

const inputSchema = z.object({ key: z.string() });
/** By the name of the batch; a child whose input is not given is in none, and its batch has no result. */
export function failuresByBatch(children: readonly Child[]): Map<string, string> {
  return new Map(
    children.flatMap(({ Input, Error: error, Cause }) => {
      const input = inputSchema.safeParse(jsonOrNull(Input ?? ''));
      return input.success ? [[nameInFolder(input.data.key), failureText(error, Cause)] as const] : [];
    }),
  );
}
