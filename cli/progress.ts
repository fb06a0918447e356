/** Progress on standard error, for a terminal only. */
import { SingleBar } from 'cli-progress';
import type { Io } from './io.ts';

export interface Progress {
  step(): void;
  done(): void;
}

/** A bar for work of so many steps; nothing where nobody watches. */
export function progress(io: Io, what: string, steps: number): Progress {
  if (!io.errIsTerminal || steps < 2) return { step() {}, done() {} };
  const bar = new SingleBar({
    format: `${what} {bar} {value}/{total}`,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(steps, 0);
  return { step: () => bar.increment(), done: () => bar.stop() };
}
