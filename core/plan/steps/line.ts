/** A line of the steps: a command, or what a person has to know or do there, as a code. */
import type { PlainStepCode, StepNote } from '../../schemas/plan-steps.ts';

export type StepLine = string | StepNote;

export const note = (code: PlainStepCode): StepNote => ({ code });
