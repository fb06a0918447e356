/** What the next run ends of what an earlier one left, by what is written in running.json. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startedAt } from '../../local/processes.ts';
import { endRunning, noteProcess } from '../../local/running.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
const file = join(directory.path, 'running.json');
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** In a group of its own, as the servers are. */
function sleeper(): { pid: number; ended: Promise<NodeJS.Signals | null> } {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  started.push(child);
  return {
    pid: Number(child.pid),
    ended: new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal))),
  };
}
const written = () => JSON.parse(readFileSync(file, 'utf8'));

test('what was noted is ended, and said', async () => {
  const [one, other] = [sleeper(), sleeper()];
  noteProcess(directory.path, one.pid);
  noteProcess(directory.path, other.pid);
  expect(await endRunning(directory.path)).toBe(true);
  expect([await one.ended, await other.ended]).toEqual(['SIGTERM', 'SIGTERM']);
  expect(existsSync(file)).toBe(false);
  expect(await endRunning(directory.path)).toBe(false);
});

test('a number that came again is another process: it is left alone, and nothing was running', async () => {
  const { pid } = sleeper();
  const then = { pid, startedAt: '1' };
  directory.write('running.json', { owner: { pid, startedAt: '1' }, processes: [then] });
  expect(await endRunning(directory.path)).toBe(false);
  expect(startedAt(pid)).not.toBeNull();
});

test('the servers of a process that still runs are not taken from it', async () => {
  const [owner, server] = [sleeper(), sleeper()];
  noteProcess(directory.path, server.pid);
  directory.write('running.json', {
    ...written(),
    owner: { pid: owner.pid, startedAt: startedAt(owner.pid) },
  });
  await expect(endRunning(directory.path)).rejects.toThrow(
    `process ${owner.pid} is using the local AWS in ${directory.path}: wait for it, or end it`,
  );
  expect(startedAt(server.pid)).not.toBeNull();
});

test('a file that is not as we write it names nothing', async () => {
  directory.write('running.json', '{ "owner": 12');
  expect(await endRunning(directory.path)).toBe(false);
});
