/** Keeps what a run says of the fleet by day, in one document beside the archive: the same requests however many accounts there are. */
import { lastWeeks, withRun } from '../../core/archive/fleet-days.ts';
import type { FleetDays, FleetSpan } from '../../core/schemas/fleet-days.ts';

/** Of a quarter. */
const mostWeeks = 13;

export interface KeepWith {
  /** Of runs that end together each sees what the others wrote. */
  changeDays(change: (before: FleetDays | null) => FleetDays): Promise<FleetDays>;
  /** Called where it could not be kept. */
  onTrouble(trouble: Error): void;
}

/** @returns the last weeks; null where it could not be kept: nothing that was found waits for it. */
export async function keepFleetDays(
  run: Parameters<typeof withRun>[1],
  { changeDays, onTrouble }: KeepWith,
): Promise<FleetSpan[] | null> {
  try {
    const { days } = await changeDays((before) => ({ version: 1, days: withRun(before?.days ?? [], run) }));
    return lastWeeks(days, mostWeeks);
  } catch (error) {
    onTrouble(error as Error);
    return null;
  }
}
