import { setTimeout as after } from 'node:timers/promises';

const maxWaitMs = 30_000;
const pollMs = 200;

/** @returns false where it never came to be. */
export async function until(isSo: () => Promise<boolean>): Promise<boolean> {
  for (const deadline = Date.now() + maxWaitMs; Date.now() < deadline; await after(pollMs))
    if (await isSo()) return true;
  return false;
}
