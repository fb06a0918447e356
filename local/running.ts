/**
 * Which processes work in the directory of a local AWS, written down there: what was kept, and what was left where
 * even the watchdog was killed, is ended by the next run.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { endGroup, startedAt } from './processes.ts';

const processSchema = z.object({ pid: z.number(), startedAt: z.string().nullable() });
const runningSchema = z.object({ owner: processSchema, processes: z.array(processSchema) });
type Running = z.infer<typeof runningSchema>;

const fileIn = (directory: string): string => join(directory, 'running.json');
/** For a shell: `. <directory>/env.sh`. */
export const environmentFile = (directory: string): string => join(directory, 'env.sh');
const identity = (pid: number) => ({ pid, startedAt: startedAt(pid) });

function readRunning(directory: string): Running | null {
  if (!existsSync(fileIn(directory))) return null;
  try {
    return runningSchema.parse(JSON.parse(readFileSync(fileIn(directory), 'utf8')));
  } catch {
    // Not as we write it: what it named cannot be found any more.
    return null;
  }
}

/** Written with each of them, and never seen half written: this process may be killed at any moment. */
export function noteProcess(directory: string, pid: number): void {
  const before = readRunning(directory) ?? { owner: identity(process.pid), processes: [] };
  const running: Running = { ...before, processes: [...before.processes, identity(pid)] };
  const fresh = `${fileIn(directory)}.new`;
  writeFileSync(fresh, JSON.stringify(running));
  renameSync(fresh, fileIn(directory));
}

export const forgetRunning = (directory: string): void => rmSync(fileIn(directory), { force: true });

/**
 * Ends what an earlier process left in a directory, kept or forgotten; false where nothing was left.
 * @throws where the process that started it still runs: it would lose its servers.
 */
export async function endRunning(directory: string): Promise<boolean> {
  const running = readRunning(directory);
  if (running === null) return false;
  const { owner, processes } = running;
  if (owner.pid !== process.pid && owner.startedAt !== null && startedAt(owner.pid) === owner.startedAt) {
    throw new Error(`process ${owner.pid} is using the local AWS in ${directory}: wait for it, or end it`);
  }
  const ended = await Promise.all(
    processes.map(({ pid, startedAt: then }) => {
      const now = startedAt(pid);
      // Where the leader of a group is gone and its children are not, the number is not given to another.
      return now === null || now === then ? endGroup(pid) : false;
    }),
  );
  forgetRunning(directory);
  rmSync(environmentFile(directory), { force: true });
  return ended.includes(true);
}
