/** What volumes, and the device that they are joined to, did while something ran, as the guest's kernel counted it. */
import { type Load, type Measured, measure } from './fio.ts';
import type { GuestAgent } from './guest-agent.ts';
import { recorded, type VolumeInterval } from './recorder.ts';

/** Reads and writes. They are the same on a machine that is slow. */
interface Operations {
  /** Of the device that the file system is on. */
  joined: number;
  /** Of the member that did most. */
  busiest: number;
}

/** Reads and writes a second, in the median of the seconds of work: one in which the machine stood still counts once. */
interface UsualIops {
  /** Of the member that did most. */
  busiest: number;
  /** Of all members together. */
  members: number;
}

/** The joined device and each volume, by the name in the guest. Source of the columns: Linux, Documentation/admin-guide/iostats.rst. */
async function look(agent: GuestAgent, mountPoint: string): Promise<Map<string, number>> {
  const { stdout } = await agent.shell(
    `top=$(readlink -f "$(findmnt -no SOURCE ${mountPoint})")
lsblk --nodeps --noheadings --raw --output NAME,SERIAL | awk -v top="\${top##*/}" '
  NR == FNR { if ($2 ~ /^vol/) volume[$1] = 1; next }
  $3 == top { print "joined", $4 + $8 }
  $3 in volume { print $3, $4 + $8 }' - /proc/diskstats`,
  );
  return new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([name = '', count]) => [name, Number(count)]),
  );
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
};

const rate = ({ reads, writes, seconds }: VolumeInterval): number => (reads + writes) / seconds;

/** @returns NaN where there was work in less than three seconds. */
export function usualIops(intervals: readonly VolumeInterval[]): UsualIops {
  const byMember = [...Map.groupBy(intervals, ({ volumeId }) => volumeId).values()];
  const total = (rows: readonly VolumeInterval[]): number =>
    rows.reduce((sum, { reads, writes }) => sum + reads + writes, 0);
  const [busiest = []] = byMember.toSorted((a, b) => total(b) - total(a));
  // In those at both ends it worked for a part.
  const full = busiest.filter(({ activeSeconds }) => activeSeconds > 0).slice(1, -1);
  const together = full.map(({ endEpochSeconds: end }) =>
    intervals
      .filter(({ endEpochSeconds }) => endEpochSeconds === end)
      .reduce((sum, one) => sum + rate(one), 0),
  );
  return { busiest: median(full.map(rate)), members: median(together) };
}

export interface Counted extends Measured {
  /** Of the whole run of fio, the seconds before it measures too. */
  operations: Operations;
  usual: UsualIops;
}

/** A load on a file of a file system. @throws as `measure`, and where a member comes or goes meanwhile. */
export async function measureCounted(
  agent: GuestAgent,
  { file, mountPoint }: { file: string; mountPoint: string },
  load: Load,
): Promise<Counted> {
  const before = await look(agent, mountPoint);
  const { result, intervals } = await recorded(agent, () => measure(agent, file, load));
  const after = await look(agent, mountPoint);
  const grown = (name: string): number => {
    const [from, to] = [before.get(name), after.get(name)];
    if (from === undefined || to === undefined) throw new Error(`${name} was not there all the time`);
    return to - from;
  };
  const members = [...after.keys()].filter((name) => name !== 'joined').map(grown);
  return {
    ...result,
    operations: { joined: grown('joined'), busiest: Math.max(...members) },
    usual: usualIops(intervals),
  };
}

/** How many operations a layout does while its busiest member does one: what it multiplies the limit of a member by. */
export const perBusiest = ({ operations: { joined, busiest } }: Counted): number => joined / busiest;
