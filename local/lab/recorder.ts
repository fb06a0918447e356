/**
 * What each volume did, second by second, as the guest's kernel counted it.
 * Source of the columns: Linux, Documentation/admin-guide/iostats.rst, read 2026-11-22.
 */
import type { GuestAgent } from './guest-agent.ts';

/** One volume between two looks at the counters. */
export interface VolumeInterval {
  volumeId: string;
  /** Of the guest's clock. */
  endEpochSeconds: number;
  seconds: number;
  reads: number;
  writes: number;
  readBytes: number;
  writeBytes: number;
  /** Of all that ended in it, together: read time / reads is the latency of a read. */
  readSeconds: number;
  writeSeconds: number;
  /** In which at least one was under way. */
  activeSeconds: number;
  /** Mean number under way. */
  queueLength: number;
}

const sectorBytes = 512;

type Counters = readonly number[];
interface Look {
  epochSeconds: number;
  byDevice: Map<string, Counters>;
}

/** Lines "look EPOCH" and, after each, those of /proc/diskstats. A last look that is half written is left out. */
function looks(text: string): Look[] {
  const found: Look[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const words = line.trim().split(/\s+/);
    if (words[0] === 'look') found.push({ epochSeconds: Number(words[1]), byDevice: new Map() });
    else if (words.length >= 14 && words[2] !== undefined)
      found.at(-1)?.byDevice.set(words[2], words.slice(3).map(Number));
  }
  return found.slice(0, -1);
}

function interval(volumeId: string, from: Look, to: Look, before: Counters, after: Counters): VolumeInterval {
  const grown = (index: number): number => (after[index] ?? 0) - (before[index] ?? 0);
  const seconds = to.epochSeconds - from.epochSeconds;
  return {
    ...{ volumeId, endEpochSeconds: to.epochSeconds, seconds },
    ...{ reads: grown(0), readBytes: grown(2) * sectorBytes, readSeconds: grown(3) / 1000 },
    ...{ writes: grown(4), writeBytes: grown(6) * sectorBytes, writeSeconds: grown(7) / 1000 },
    ...{ activeSeconds: grown(9) / 1000, queueLength: grown(10) / 1000 / seconds },
  };
}

/** @param volumeOf the volume that is a disk of this name, where it is one. */
export function intervalsOf(text: string, volumeOf: ReadonlyMap<string, string>): VolumeInterval[] {
  const all = looks(text);
  return all.slice(1).flatMap((to, index) => {
    const from = all[index] as Look;
    return [...to.byDevice].flatMap(([device, after]) => {
      const volumeId = volumeOf.get(device);
      const before = from.byDevice.get(device);
      return volumeId === undefined || before === undefined
        ? []
        : [interval(volumeId, from, to, before, after)];
    });
  });
}

const file = '/run/recorder';
/** Before all others: a load that wants every processor would else make the looks late. */
const loop = `chrt -f -p 50 $$
while :; do
  printf 'look %s\\n' "$(date +%s.%N)"
  grep ' nvme[0-9]*n[0-9]* ' /proc/diskstats
  sleep 0.96
done > ${file}`;
const listVolumes = 'lsblk --nodeps --noheadings --raw --output NAME,SERIAL';

async function volumesByDevice(agent: GuestAgent): Promise<Map<string, string>> {
  const { stdout } = await agent.shell(listVolumes);
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/));
  return new Map(
    pairs.flatMap(([device = '', serial = '']) =>
      serial.startsWith('vol') ? [[device, serial.replace(/^vol/, 'vol-')] as const] : [],
    ),
  );
}

/** Records while something runs. @returns what it returned, and a row a second and volume. */
export async function recorded<T>(
  agent: GuestAgent,
  work: () => Promise<T>,
): Promise<{ result: T; intervals: VolumeInterval[] }> {
  const volumeOf = await volumesByDevice(agent);
  const stop = new AbortController();
  const recording = agent.shell(loop, { timeoutMs: 24 * 3_600_000, signal: stop.signal });
  try {
    const result = await work();
    return { result, intervals: intervalsOf((await agent.readFile(file)).toString('utf8'), volumeOf) };
  } finally {
    stop.abort();
    await recording.catch(() => {});
  }
}
