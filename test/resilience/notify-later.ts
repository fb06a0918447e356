/** Telling after a run that died between a claim and its confirmation. */
import type { Incident } from './incident.ts';

/** Findings of the small fleet from the severity on that is reported. */
export const notifiedInAll = 10;

/** A claim without confirmation is free after fifteen. */
const minutesLater = 20;

/** One more run, twenty minutes later as far as telling is concerned. */
export async function notifyLater({ account, run }: Incident): Promise<void> {
  const later = new Date(Date.now() + minutesLater * 60_000);
  await account.setEnvironment('NotifyFindings', { STRIPEWISE_CLOCK: later.toISOString() });
  await run();
  await account.setEnvironment('NotifyFindings', { STRIPEWISE_CLOCK: '' });
}
