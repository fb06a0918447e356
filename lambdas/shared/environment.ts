/** Reads a function's environment by its contract, once, when it is first needed. */
import type { z } from 'zod';

export function environmentOf<T>(schema: z.ZodType<T>): () => T {
  let read: T | undefined;
  return () => {
    read ??= schema.parse(process.env);
    return read;
  };
}
