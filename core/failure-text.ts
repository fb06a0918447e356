/** Why a state of a workflow failed, as Step Functions hands it on. */
import { z } from 'zod';
import { jsonOrNull } from './json.ts';
import { sanitizeFirstLine } from './sanitize.ts';

const causeSchema = z.object({ errorMessage: z.string() });

const maxCharacters = 400;

/** A Lambda's own words where it has some; Step Functions hands them on as JSON text. */
export function failureOf(
  error: string | undefined,
  cause: string | undefined,
): { error: string | null; message: string } {
  // Where it is not JSON the cause is a sentence of Step Functions itself.
  const ofLambda = causeSchema.safeParse(jsonOrNull(cause ?? ''));
  const message = ofLambda.success ? ofLambda.data.errorMessage : (cause ?? '');
  return { error: error ?? null, message: sanitizeFirstLine(message, maxCharacters) };
}

/** "Throttled: cloudwatch:GetMetricData in us-east-1 failed: Rate exceeded". */
export function failureText(error: string | undefined, cause: string | undefined): string {
  const { error: code, message } = failureOf(error, cause);
  return sanitizeFirstLine(`${code ?? 'unknown error'}: ${message}`, maxCharacters);
}
