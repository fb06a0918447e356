/** How an instance shares what it has where all its volumes get the same, and nobody more than he asks for. */
import type { RunningVolume } from './running-volume.ts';

/**
 * The rate up to which each volume is served: what the modest ask for is given to them, the rest of `allowed` is divided
 * among the others. Infinite where all together ask for less.
 */
export function fairLevel(
  volumes: readonly RunningVolume[],
  figure: 'offeredIo' | 'offeredMiB',
  allowed: number,
): number {
  let level = allowed / volumes.length;
  for (;;) {
    let modest = 0;
    let others = 0;
    for (const volume of volumes) {
      const asked = volume[figure];
      if (asked <= level) modest += asked;
      else others++;
    }
    if (others === 0) return Number.POSITIVE_INFINITY;
    const raised = (allowed - modest) / others;
    if (raised <= level * (1 + Number.EPSILON)) return raised;
    level = raised;
  }
}
