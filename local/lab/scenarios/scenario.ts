/** A published claim, tried in the lab: what came of it as a table, and the ratios that hold on any machine. */
import type { Lab } from '../lab.ts';
import { busyShare } from '../processor-wait.ts';

/** What does not depend on how fast this machine is. */
export interface Ratio {
  name: string;
  measured: number;
  /** As it was measured when the lab was designed; `reason` says why it must be so. */
  expected: number;
  reason: string;
  /** A rate over time, which is lower where the guest has no processor: unlike a ratio of operations to operations. */
  ofTime?: boolean;
  /** Of the time of a second measurement that the guest waited for a processor; of 1. */
  waited?: number;
}

export interface ScenarioResult {
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

/** A rate that was measured again on a busy machine may be lower by the time that the guest had no processor, and by no more. */
export function isWithin({ measured, expected, ofTime, waited = 0 }: Ratio): boolean {
  const off = withinPercent / 100;
  const lowest = (1 - off) * (ofTime ? 1 - waited : 1);
  return measured / expected >= lowest && measured / expected <= 1 + off;
}

/**
 * Tries a scenario; and once more, on a new guest, where a ratio is not within its limits and the guest waited for a processor
 * meanwhile. It says so: what comes of the second time counts.
 */
export async function tried(
  scenario: Scenario,
  lab: Lab,
  say: (line: string) => void,
): Promise<ScenarioResult> {
  const waited = lab.vm.watchProcessorWait();
  const first = await scenario.run(lab, say);
  const share = waited();
  const notified = `the guest waited ${(share * 100).toFixed(1)} % of the time for a processor`;
  say(notified);
  const off = first.ratios.filter((ratio) => !isWithin(ratio));
  if (off.length === 0 || share < busyShare) return first;
  const figures = off.map(
    ({ name, measured, expected }) => `${name} ${measured.toFixed(3)} of ${expected.toFixed(3)}`,
  );
  say(`MEASURED AGAIN, once: ${notified}, and not within ${withinPercent} % are ${figures.join('; ')}`);
  await lab.renew([]);
  const waitedAgain = lab.vm.watchProcessorWait();
  const second = await scenario.run(lab, say);
  const again = waitedAgain();
  say(`the second time the guest waited ${(again * 100).toFixed(1)} % of the time for a processor`);
  return { ...second, ratios: second.ratios.map((ratio) => ({ ...ratio, waited: again })) };
}
