/** What the tests of the documents that measure have in common. */
import type { Ended } from '../../local/lab/guest-agent.ts';
import type { Lab } from '../../local/lab/lab.ts';
import { iopsOnly, type Throttle } from '../../local/lab/throttle.ts';
import { ask, volumeId } from './stripes.ts';

export async function limit(lab: Lab, numbers: readonly number[], throttle: Throttle): Promise<void> {
  for (const number of numbers) await lab.vm.modify(volumeId(number), throttle);
}
export const mibpsOnly = (mibps: number): Throttle => ({
  ...iopsOnly(0),
  iops: null,
  bytesPerSecond: mibps * 1024 * 1024,
});

/** A document that a test looks on at. */
export function begun(
  lab: Lab,
  document: string,
  parameters: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Ended> {
  const ended = lab.run(document, parameters, signal === undefined ? {} : { signal });
  // A test that does not come to wait for it has failed, and says why.
  ended.catch(() => {});
  return ended;
}

/** Until a line of shell succeeds, while a document runs. @throws with what it said where it ends before that. */
export async function until(lab: Lab, condition: string, running: Promise<Ended>): Promise<void> {
  const stop = new AbortController();
  // In one shell: to start one for each look takes more than what is looked at.
  const waiting = lab.vm.agent.shell(`until ${condition}; do sleep 0.1; done`, { signal: stop.signal });
  const first = await Promise.race([waiting.then(() => null), running]);
  if (first === null) return;
  stop.abort();
  await waiting;
  throw new Error(`it ended before ${condition}: ${JSON.stringify(first)}`);
}

/** The script itself, and nothing that it started: as if somebody had chosen it, or the kernel for its memory. */
export const killScript = (lab: Lab): Promise<string> =>
  ask(lab, `pkill -KILL -f '^/bin/sh /var/lib/amazon/ssm/'`);

/** Names of the processes that put load on volumes; one that was killed goes when what it had under way is done. */
export const loads = async (lab: Lab): Promise<string[]> => {
  const look = 'pgrep -l "fio|sysbench|mariadbd"';
  const { stdout } = await lab.vm.agent.shell(
    `for _ in 1 2 3 4 5 6 7 8 9 10; do ${look} > /dev/null || exit 0; sleep 0.5; done; ${look}`,
  );
  return stdout.trim().split('\n').filter(Boolean);
};

/** A tool of the host, replaced until it is `restored`. */
export async function replaced(lab: Lab, tool: string, script: string): Promise<void> {
  await lab.vm.agent.writeFile(`/usr/local/bin/${tool}`, `#!/bin/sh\n${script}\n`);
  await ask(lab, `chmod 755 /usr/local/bin/${tool}`);
}
export const restored = (lab: Lab, tool: string): Promise<string> => ask(lab, `rm /usr/local/bin/${tool}`);

export async function readJson<T>(lab: Lab, file: string): Promise<T> {
  return JSON.parse((await lab.vm.agent.readFile(file)).toString('utf8'));
}
