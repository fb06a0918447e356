/** Why a state of a workflow failed, as Step Functions hands it on: in one line. */
import { z } from 'zod';
import { inertFirstLine } from './inert.ts';
import { jsonOrNull } from './json.ts';

const causeSchema = z.object({ errorMessage: z.string() });

const mostCharacters = 400;

/** A Lambda's own words where it has some; Step Functions hands them on as JSON text. */
export function failureText(error: string | undefined, cause: string | undefined): string {
  // Where it is not JSON the cause is a sentence of Step Functions itself.
  const ofLambda = causeSchema.safeParse(jsonOrNull(cause ?? ''));
  const message = ofLambda.success ? ofLambda.data.errorMessage : (cause ?? '');
  return inertFirstLine(
    `${error ?? 'unknown error'}: ${inertFirstLine(message, mostCharacters)}`,
    mostCharacters,
  );
}
