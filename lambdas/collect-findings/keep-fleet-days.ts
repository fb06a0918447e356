/** Keeps what a run says of the fleet by day, in one document beside the archive: the same requests however many accounts there are. */
import type { RunStore } from '../../adapters/aws/run-store.ts';
import { lastWeeks, withRun } from '../../core/archive/fleet-days.ts';
import { fleetDaysKey } from '../../core/archive/keys.ts';
import { type FleetDays, type FleetSpan, fleetDaysSchema } from '../../core/schemas/fleet-days.ts';
import { logger } from '../shared/powertools.ts';

/** Of a quarter. */
const mostWeeks = 13;

/** @returns the last weeks; null where it could not be kept: nothing that was found waits for it. */
export async function keepFleetDays(
  store: Pick<RunStore, 'changeJson'>,
  run: Parameters<typeof withRun>[1],
): Promise<FleetSpan[] | null> {
  const onBroken = ({ message }: Error): void =>
    logger.warn('the fleet by day begins anew', { reason: message });
  try {
    const { days } = await store.changeJson(
      fleetDaysKey,
      fleetDaysSchema,
      (before): FleetDays => ({ version: 1, days: withRun(before?.days ?? [], run) }),
      onBroken,
    );
    return lastWeeks(days, mostWeeks);
  } catch (error) {
    logger.warn('the fleet by day was not kept', { reason: (error as Error).message });
    return null;
  }
}
