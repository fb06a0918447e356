/** What a Distributed Map writes about the children that failed (ResultWriter, FAILED_n.json). */
import { z } from 'zod';
import { nameInFolder } from '../../core/audit/run-keys.ts';
import { failureText } from '../../core/failure-text.ts';
import { jsonOrNull } from '../../core/json.ts';

export const manifestSchema = z.object({
  ResultFiles: z.object({ FAILED: z.array(z.object({ Key: z.string() })) }),
});

export const failedChildrenSchema = z.array(
  z.object({ Input: z.string().optional(), Error: z.string().optional(), Cause: z.string().optional() }),
);

const inputSchema = z.object({ key: z.string() });
/** By the name of the batch; a child whose input is not given is in none, and its batch has no result. */
export function failuresByBatch(children: z.infer<typeof failedChildrenSchema>): Map<string, string> {
  return new Map(
    children.flatMap(({ Input, Error: error, Cause }) => {
      const input = inputSchema.safeParse(jsonOrNull(Input ?? ''));
      return input.success ? [[nameInFolder(input.data.key), failureText(error, Cause)] as const] : [];
    }),
  );
}
