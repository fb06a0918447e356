/**
 * A clock of the local AWS that is set while it runs: that of functions, of state machines, of EC2's modifications and of CloudWatch.
 * S3, DynamoDB, queues and schedules go by the real one.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendJson } from './load-fleet.ts';
import type { Services } from './services.ts';

const fileIn = (directory: string): string => join(directory, 'clock');

/** What functions and MiniStack need to go by it. @param root the checkout. @param directory of the servers. */
export const goingByClock = (root: string, directory: string): Record<string, string> => ({
  NODE_OPTIONS: `--require ${join(root, 'local/gateway/function-conditions.cjs')}`,
  STRIPEWISE_CLOCK_FILE: fileIn(directory),
});

/** Never seen half written. */
export function writeClock(directory: string, epochMs: number): void {
  const file = fileIn(directory);
  writeFileSync(`${file}.new`, `${epochMs - Date.now()}`);
  renameSync(`${file}.new`, file);
}

/** Functions and state machines go on from it in real time; CloudWatch and EC2 stand still until it is set again. */
export async function setClock(
  { urls, directory }: Pick<Services, 'urls' | 'directory'>,
  epochMs: number,
): Promise<void> {
  const now = new Date(epochMs).toISOString();
  await Promise.all(
    [urls.cloudWatch, urls.ec2].map((url) => sendJson('PUT', `${url}/_stripewise/clock`, { now })),
  );
  writeClock(directory, epochMs);
}
