/**
 * Records loads of real programs on volumes that hold them back, and the same loads on volumes that do not: what was
 * wanted is then known, and not estimated.
 */
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { bytesPerMiB } from '../../../core/units.ts';
import type { Lab } from '../lab.ts';
import { recorded, type VolumeInterval } from '../recorder.ts';
import { volumeIdAt } from '../scenarios/layouts.ts';
import { iopsOnly, type Throttle, throttleOf, unlimited } from '../throttle.ts';
import type { Disk } from '../vm.ts';
import type { ProgramLoad } from './loads.ts';
import type { RecordedHost, RecordedVolume } from './plan.ts';

const diskMiB = 2_048;
/** Programs start; what they did before is in no recording. */
const settleSeconds = 20;

/** A load, on what it works. */
interface Placed {
  name: string;
  load: ProgramLoad;
  volumeIds: string[];
  throttles: Throttle[];
}

function throttleFor({ configuration, cause }: RecordedVolume): Throttle {
  const throttle = throttleOf(volumeLimits(configuration));
  // An empty bucket gives what flows into it.
  return cause === 'volume-credits' ? { ...throttle, burst: null } : throttle;
}

function placed({ volumes, stripes }: RecordedHost): Placed[] {
  let next = 0;
  const ids = (count: number): string[] => Array.from({ length: count }, () => volumeIdAt(next++));
  return [
    ...volumes.map((volume) => ({
      ...{ name: volume.name, load: volume.load, volumeIds: ids(1) },
      throttles: [throttleFor(volume)],
    })),
    ...stripes.map(({ name, load, members, configuration, slowIops }) => {
      const usual = throttleOf(volumeLimits(configuration));
      const throttles = Array.from({ length: members }, (_, index) =>
        index === 1 ? iopsOnly(slowIops) : usual,
      );
      return { name, load, volumeIds: ids(members), throttles };
    }),
  ];
}

async function shell(lab: Lab, what: string, script: string, seconds: number): Promise<void> {
  const done = await lab.vm.agent.shell(script, { timeoutMs: seconds * 1000 });
  if (done.exitCode === 0) return;
  const why = done.hasTimedOut ? `not done after ${seconds} s` : done.stderr.trim() || done.stdout.trim();
  throw new Error(`${what}: ${why.slice(-500)}`);
}

const directoryOf = (name: string): string => `/srv/${name}`;

async function prepare(lab: Lab, { name, load, volumeIds }: Placed): Promise<void> {
  const built = await lab.run('build-stripe', {
    ...{
      name,
      members: volumeIds.join(','),
      layout: volumeIds.length === 1 ? 'single' : 'stripe',
      chunkKiB: '64',
    },
    ...{ fileSystemType: 'xfs', fileSystems: `data=${directoryOf(name)}:100`, dataOnMembers: 'refuse' },
  });
  if (built.exitCode !== 0) throw new Error(`build-stripe of ${name}: ${built.stderr}`);
  // A program works in a directory that it may own.
  const at = `${directoryOf(name)}/load`;
  await shell(lab, name, `mkdir -m 755 ${at} && chmod 755 ${directoryOf(name)} && ${load.prepare(at)}`, 900);
}

async function throttleAll(lab: Lab, places: readonly Placed[], isHeld: boolean): Promise<void> {
  for (const { volumeIds, throttles } of places)
    for (const [index, volumeId] of volumeIds.entries())
      await lab.vm.modify(volumeId, isHeld ? (throttles[index] ?? unlimited) : unlimited);
}

async function runAll(lab: Lab, places: readonly Placed[], seconds: number): Promise<VolumeInterval[]> {
  // What is in memory is read from no disk.
  await lab.vm.agent.shell('sync; echo 3 > /proc/sys/vm/drop_caches');
  const running = Promise.all(
    places.map(({ name, load }) =>
      shell(lab, name, load.run(`${directoryOf(name)}/load`, settleSeconds + seconds), seconds + 300),
    ),
  );
  // Heard of here, so that a load that fails while it is recorded ends the recording.
  running.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, settleSeconds * 1000));
  const { intervals } = await recorded(lab.vm.agent, () =>
    Promise.race([
      running.then(() => {}),
      new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000)),
    ]),
  );
  await running;
  return intervals;
}

export interface HostRecording {
  host: RecordedHost;
  places: Placed[];
  /** On volumes with their limits, and on the same without any. */
  held: VolumeInterval[];
  free: VolumeInterval[];
}

/** @param seconds without limits, and as many with them. @param start a lab without disks. */
export async function recordHost(
  host: RecordedHost,
  seconds: number,
  start: (disks: readonly Disk[]) => Promise<Lab>,
  say: (line: string) => void,
): Promise<HostRecording> {
  const places = placed(host);
  const disks = places.flatMap(({ volumeIds }) =>
    volumeIds.map((volumeId) => ({ volumeId, sizeMiB: diskMiB, throttle: unlimited })),
  );
  const lab = await start(disks);
  try {
    for (const place of places) {
      say(`${host.name}: ${place.name}: ${place.load.program}`);
      await prepare(lab, place);
    }
    say(`${host.name}: ${seconds} s without limits ...`);
    const free = await runAll(lab, places, seconds);
    await throttleAll(lab, places, true);
    if (host.limitMiBps !== null)
      await lab.vm.limitInstance({ ...unlimited, bytesPerSecond: host.limitMiBps * bytesPerMiB });
    say(`${host.name}: ${seconds} s with limits ...`);
    const held = await runAll(lab, places, seconds);
    return { host, places, held, free };
  } finally {
    await lab.stop();
  }
}
