/** What volumes, and the device that they are joined to, did while something ran, as the guest's kernel counted it. */
import { type Load, type Measured, measure } from './fio.ts';
import type { GuestAgent } from './guest-agent.ts';

/** Reads and writes. But for the time they are the same on a machine that is slow. */
interface Operations {
  /** Of the device that the file system is on. */
  joined: number;
  /** Of the member that did most. */
  busiest: number;
  /** In which the device had at least one under way: what was let through at once after idling is of no rate. */
  seconds: number;
}

interface Done {
  operations: number;
  busyMs: number;
}

/** The joined device and each volume, by the name in the guest. Source of the columns: Linux, Documentation/admin-guide/iostats.rst. */
async function look(agent: GuestAgent, mountPoint: string): Promise<Map<string, Done>> {
  const { stdout } = await agent.shell(
    `top=$(readlink -f "$(findmnt -no SOURCE ${mountPoint})")
lsblk --nodeps --noheadings --raw --output NAME,SERIAL | awk -v top="\${top##*/}" '
  NR == FNR { if ($2 ~ /^vol/) volume[$1] = 1; next }
  $3 == top { print "joined", $4 + $8, $13 }
  $3 in volume { print $3, $4 + $8, $13 }' - /proc/diskstats`,
  );
  return new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([name = '', count, busyMs]) => [name, { operations: Number(count), busyMs: Number(busyMs) }]),
  );
}

export interface Counted extends Measured {
  /** Of the whole run of fio, the seconds before it measures too. */
  operations: Operations;
}

/** A load on a file of a file system. @throws as `measure`, and where a member comes or goes meanwhile. */
export async function measureCounted(
  agent: GuestAgent,
  { file, mountPoint }: { file: string; mountPoint: string },
  load: Load,
): Promise<Counted> {
  const before = await look(agent, mountPoint);
  const measured = await measure(agent, file, load);
  const after = await look(agent, mountPoint);
  const grown = (name: string): Done => {
    const [from, to] = [before.get(name), after.get(name)];
    if (from === undefined || to === undefined) throw new Error(`${name} was not there all the time`);
    return { operations: to.operations - from.operations, busyMs: to.busyMs - from.busyMs };
  };
  const joined = grown('joined');
  const members = [...after.keys()].filter((name) => name !== 'joined').map((name) => grown(name).operations);
  return {
    ...measured,
    operations: {
      ...{ joined: joined.operations, busiest: Math.max(...members) },
      seconds: joined.busyMs / 1000,
    },
  };
}

/** How many operations a layout does while its busiest member does one: what it multiplies the limit of a member by. */
export const perBusiest = ({ operations: { joined, busiest } }: Counted): number => joined / busiest;
/** Of the busiest member: what it did over the time it took. */
export const busiestIops = ({ operations: { busiest, seconds } }: Counted): number => busiest / seconds;
