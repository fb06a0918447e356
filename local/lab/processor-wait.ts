/**
 * How long a process waited for a processor while others had it: what a hypervisor calls steal.
 * Source of the columns: Linux, Documentation/scheduler/sched-stats.rst, read 2026-11-23.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** From this share on the machine was busy with other things. */
export const busyShare = 0.05;

/** Nanoseconds that each of its threads stood in a queue for a processor. */
function waited(pid: number): Map<string, number> {
  const found = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const [, waiting = ''] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      found.set(thread, Number(waiting));
    } catch {
      // It ended in between.
    }
  }
  return found;
}

/** @returns asked later, the share of the time since now that the thread waited which waited most; of 1. */
export function watchProcessorWait(pid: number): () => number {
  const before = waited(pid);
  const startedMs = performance.now();
  return () => {
    const grown = [...waited(pid)].map(([thread, ns]) => ns - (before.get(thread) ?? ns));
    return Math.max(0, ...grown) / ((performance.now() - startedMs) * 1e6);
  };
}

/** All that its threads have had of processors; null where it is gone. Source: proc_pid_stat(5), read 2026-11-23. */
export function processorSeconds(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may have blanks. Ticks are hundredths of a second on Linux.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) / 100;
  } catch {
    return null;
  }
}
