/** What the volumes of hosts counted, from run to run: without the readings of before there is nothing to compare with. */
import { limitAsync } from 'es-toolkit/promise';
import { z } from 'zod';
import { allRemarks, type Remarks, remarkOn } from '../../core/audit/remarks.ts';
import { keptReadings } from '../../core/host/between-readings.ts';
import { type HostReading, hostReadingSchema } from '../../core/host/ebs-statistics.ts';
import { isInstanceId } from '../../core/ids.ts';
import type { HostEvidence } from '../../core/stripes/host-evidence.ts';

export const hostReadingsSchema = z.array(hostReadingSchema);

/** Changes what is kept of a host, none where there is none yet, and returns it. */
type ChangeReadings = (
  instanceId: string,
  change: (before: HostReading[]) => HostReading[],
) => Promise<HostReading[]>;

const hostsAtOnce = 10;

/** The same hosts, with what they said in the runs before; a host whose readings cannot be kept has that of now. */
export async function keepHostReadings(
  asked: ReadonlyMap<string, HostEvidence>,
  changeReadings: ChangeReadings,
): Promise<Remarks & { hosts: Map<string, HostEvidence> }> {
  const hosts = new Map(asked);
  const errors: unknown[] = [];
  const keep = limitAsync(async (instanceId: string, host: HostEvidence): Promise<void> => {
    const newest = host.readings?.at(-1);
    if (newest === undefined || !isInstanceId(instanceId)) return;
    try {
      const readings = await changeReadings(instanceId, (before) => keptReadings(before, newest));
      hosts.set(instanceId, { ...host, readings });
    } catch (error) {
      errors.push(error);
    }
  }, hostsAtOnce);
  await Promise.all([...asked].map(([instanceId, host]) => keep(instanceId, host)));
  const [first] = errors;
  const remarks =
    first === undefined
      ? []
      : [
          remarkOn(first, {
            code: 'host-readings-not-kept',
            count: errors.length,
            reason: (first as Error).message,
          }),
        ];
  return { ...allRemarks(remarks), hosts };
}
