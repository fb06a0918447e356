/** An archive of ten generated volumes and 90 days, kept by the hash of what makes it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commit, stage } from '../../adapters/archive/commit.ts';
import { ArchiveDirectory } from '../../adapters/archive/directory.ts';
import { dayOf, dayStart } from '../../core/archive/keys.ts';
import { secondsPerDay } from '../../core/units.ts';
import { cachedDirectoryLater, hashOfInputs } from '../../lib/shared/build-cache.ts';
import { describedVolumes, generatedVolumes, minutesOfVolume } from './generated-volumes.ts';

export const generatedLabel = 'Generated: ten volumes that were never there, 90 days by the minute.';

export const generatedTarget = { account: '111122223333', region: 'us-east-1' } as const;

const firstDay = '2026-08-25';
const generatedDays = 90;
const inputs = [
  ...['local/history', 'core/archive', 'adapters/archive', 'core/load/metrics.ts'],
  ...['test/simulator/random.ts', 'package-lock.json'],
];

export interface GeneratedArchive {
  archive: string;
  /** As `aws ec2 describe-volumes` prints them. */
  volumes: string;
}

/** Ends of the parts that are committed together: a month each, since its object is written anew with each. */
function monthsOf(firstSeconds: number, endSeconds: number): [from: number, end: number][] {
  const months: [number, number][] = [];
  for (let from = firstSeconds; from < endSeconds; ) {
    const date = new Date(from * 1_000);
    const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1_000;
    const end = Math.min(next, endSeconds);
    months.push([from, end]);
    from = end;
  }
  return months;
}

/** Days that are generated together. */
const stagedDays = 3;

async function stageGenerated(
  store: ArchiveDirectory,
  window: { firstSeconds: number; fromSeconds: number; endSeconds: number },
): Promise<void> {
  const { fromSeconds, endSeconds } = window;
  const minutes = generatedVolumes.map((volume) => minutesOfVolume(volume, generatedTarget, window));
  const [first] = minutes;
  const resourceIds = minutes.map(({ resourceId }) => resourceId);
  const reads = [{ fromSeconds, endSeconds, metrics: [...(first?.metrics.keys() ?? [])], resourceIds }];
  const batch = { name: String(fromSeconds), readAtSeconds: endSeconds, reads, minutes };
  await stage(store, generatedTarget, 'generated', batch);
}

/** @param onStep how far it is, in words. */
export async function writeGenerated(
  directory: string,
  days: number,
  onStep: (done: string) => void,
): Promise<void> {
  const firstSeconds = dayStart(firstDay);
  const endSeconds = firstSeconds + days * secondsPerDay;
  const store = new ArchiveDirectory(join(directory, 'archive'));
  for (const [fromSeconds, end] of monthsOf(firstSeconds, endSeconds)) {
    for (let from = fromSeconds; from < end; from += stagedDays * secondsPerDay) {
      const window = {
        firstSeconds,
        fromSeconds: from,
        endSeconds: Math.min(from + stagedDays * secondsPerDay, end),
      };
      await stageGenerated(store, window);
      onStep(
        `${Math.min((from - firstSeconds) / secondsPerDay + stagedDays, days)} of ${days} days are generated`,
      );
      // Whoever says how far it is has a turn.
      await new Promise((go) => setImmediate(go));
    }
    onStep(`the days up to ${dayOf(end - 1)} are put into one file`);
    const { broken } = await commit(store, generatedTarget);
    if (broken.length > 0) throw new Error(broken.map(({ reason }) => reason).join('; '));
  }
  writeFileSync(
    join(directory, 'volumes.json'),
    `${JSON.stringify(describedVolumes(generatedTarget.region), null, 2)}\n`,
  );
  writeFileSync(join(directory, 'GENERATED.txt'), `${generatedLabel}\n`);
}

/** Made the first time; from then on it is there. */
export async function generatedArchive(
  root: string,
  onStep: (done: string) => void,
): Promise<GeneratedArchive> {
  const hash = hashOfInputs(root, inputs, `${firstDay} ${generatedDays}`);
  const directory = await cachedDirectoryLater({ root, kind: 'history', hash }, (fresh) =>
    writeGenerated(fresh, generatedDays, onStep),
  );
  return { archive: join(directory, 'archive'), volumes: join(directory, 'volumes.json') };
}
