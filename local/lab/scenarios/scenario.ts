/** A published claim, tried in the lab: what came of it as a table, and the ratios that hold on any machine. */
import type { Lab } from '../lab.ts';

/** What does not depend on how fast this machine is. */
export interface Ratio {
  name: string;
  measured: number;
  /** As it was measured when the lab was designed; `because` says why it must be so. */
  expected: number;
  because: string;
}

interface ScenarioResult {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  ratios: readonly Ratio[];
  /** All that was measured, as JSON. */
  raw: unknown;
}

export interface Scenario {
  name: string;
  /** The claim, and who made it. */
  purpose: string;
  run(lab: Lab, say: (line: string) => void): Promise<ScenarioResult>;
}

export const withinPercent = 10;
export const isWithin = ({ measured, expected }: Ratio): boolean =>
  Math.abs(measured / expected - 1) * 100 <= withinPercent;
