/** What the tests of the documents that measure have in common. */
import type { Lab } from '../../local/lab/lab.ts';
import { busyShare } from '../../local/lab/processor-wait.ts';
import { iopsOnly, type Throttle } from '../../local/lab/throttle.ts';
import type { LabVm } from '../../local/lab/vm.ts';
import { ask, volumeId } from './stripes.ts';

export async function limit(lab: Lab, numbers: readonly number[], throttle: Throttle): Promise<void> {
  for (const number of numbers) await lab.vm.modify(volumeId(number), throttle);
}
export const mibpsOnly = (mibps: number): Throttle => ({
  ...iopsOnly(0),
  iops: null,
  bytesPerSecond: mibps * 1024 * 1024,
});

/**
 * What a document measured; and measured once more where the figures are not as they must be and the guest waited for a
 * processor meanwhile, which it says. @param again removes what would keep it from measuring.
 */
export async function measuredUndisturbed<T>(
  { vm }: { vm: Pick<LabVm, 'watchProcessorWait'> },
  name: string,
  measure: () => Promise<T>,
  isRight: (measured: T) => boolean | Promise<boolean>,
  again: () => Promise<unknown> = async () => {},
): Promise<T> {
  const waited = vm.watchProcessorWait();
  const first = await measure();
  const share = waited();
  const notified = `${name}: the guest waited ${(share * 100).toFixed(1)} % of the time for a processor`;
  const isAgain = !(await isRight(first)) && share >= busyShare;
  process.stderr.write(`${notified}${isAgain ? '. MEASURED AGAIN, once: the figures are off' : ''}\n`);
  if (!isAgain) return first;
  await again();
  return measure();
}
/** Of what is limited. */
export const isWithinTenth = (measured: number, limit: number): boolean =>
  Math.abs(measured / limit - 1) < 0.1;

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
