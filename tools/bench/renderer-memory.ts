/** What Chromium's renderers took at most, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  pid: number;
  parent: number;
  command: string;
  status: string;
}

function processOf(pid: number): Process | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return { pid, parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]), command, status };
  } catch {
    // It ended while the list was read.
    return null;
  }
}

/** VmHWM of the largest renderer below this process, MiB. @throws Error where there is none. */
export function peakMiBOfRenderers(): number {
  const all = readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) ? (processOf(Number(name)) ?? []) : [],
  );
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  function isOurs(pid: number): boolean {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === process.pid || isOurs(parent));
  }
  const peaks = all
    .filter(({ pid, command }) => command.includes('--type=renderer') && isOurs(pid))
    .map(({ status }) => Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]));
  if (peaks.length === 0) throw new Error('no renderer of Chromium runs below this process');
  return Math.max(...peaks) / 1024;
}
