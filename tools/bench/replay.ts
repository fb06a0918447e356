/** How fast a load is replayed against candidates. */
import type { Layout } from '../../core/plan/layout.ts';
import { type ReplayConfiguration, replayConfiguration } from '../../core/replay/configuration.ts';
import { type ReplaySeries, replay } from '../../core/replay/replay.ts';
import { uniformSource } from '../../test/simulator/random.ts';
import { type Measure, medianOf, secondsOfRuns } from './measure.ts';

const minutes = 14 * 1_440;
const candidates = 200;
const runs = 9;

/** Days with a wave of about 1,500 IOPS and half an hour above 4,000, 16 KiB each, other writes every minute. */
function fortnight(): ReplaySeries {
  const uniform = uniformSource(1, 'fortnight');
  const at = (minute: number): number => {
    const wave = 1_500 * (1 + Math.sin((2 * Math.PI * minute) / 1_440));
    return (wave + (minute % 1_440 < 30 ? 4_000 : 0)) * (0.75 + 0.5 * uniform());
  };
  const iops = Float64Array.from({ length: minutes }, (_, minute) => at(minute));
  return {
    periodSeconds: 60,
    epochSeconds: iops.map((_, minute) => minute * 60),
    iops,
    mibps: iops.map((rate) => (rate * 16) / 1_024),
    writeShare: iops.map(() => uniform()),
  };
}

const gp3: Layout = {
  kind: 'single',
  members: 1,
  volumeType: 'gp3',
  sizeGiB: 500,
  iops: 3_000,
  throughputMiBps: 125,
};
/** Those of m5.large. */
const instance = { baselineIops: 3_600, maximumIops: 18_750, baselineMiBps: 77.486, maximumMiBps: 566.244 };

/** Candidates of each kind, from too little to more than enough. */
const kinds: { name: string; candidate: (i: number) => ReplayConfiguration }[] = [
  {
    name: 'one gp3 of 3,000 to 12,950 IOPS',
    candidate: (i) => replayConfiguration({ ...gp3, iops: 3_000 + 50 * i }, {}),
  },
  {
    name: 'one gp2 of 300 to 897 GiB with its credits',
    candidate: (i) => replayConfiguration({ ...gp3, volumeType: 'gp2', sizeGiB: 300 + 3 * i }, {}),
  },
  {
    name: 'a stripe of 6 gp3 of 3,000 to 3,995 IOPS',
    candidate: (i) => replayConfiguration({ ...gp3, kind: 'stripe', members: 6, iops: 3_000 + 5 * i }, {}),
  },
  {
    name: 'one gp3 of 6,000 to 15,950 IOPS on an m5.large with its credits',
    candidate: (i) => replayConfiguration({ ...gp3, iops: 6_000 + 50 * i }, { instance }),
  },
];

/** Each candidate replayed once with all its figures; the kinds in turn, so that none runs alone in the compiler's eyes. */
export function replayMinutesPerSecond(): Measure[] {
  const series = fortnight();
  const groups = kinds.map(({ name, candidate }) => ({
    name,
    configurations: Array.from({ length: candidates }, (_, i) => candidate(i)),
  }));
  const throttled = new Map<string, number>();
  const millions = (seconds: number): number => (candidates * minutes) / seconds / 1e6;
  const secondsByKind = groups.map(({ name, configurations }) => ({
    name,
    seconds: secondsOfRuns(runs, () => {
      let sum = 0;
      for (const configuration of configurations) sum += replay(series, configuration).throttledMinutes;
      throttled.set(name, sum / candidates / minutes);
    }),
  }));
  const perRun = Array.from({ length: runs }, (_, run) => {
    const seconds = secondsByKind.reduce((total, kind) => total + (kind.seconds[run] as number), 0);
    return (groups.length * candidates * minutes) / seconds;
  });
  const { value, spread } = medianOf(perRun, 0);
  const each = secondsByKind.map(({ name, seconds }) => ({
    rate: medianOf(seconds.map(millions), 1).value,
    text: `${name} (${((throttled.get(name) ?? 0) * 100).toFixed(1)} % of its minutes throttled)`,
  }));
  const slowest = each.reduce((a, b) => (b.rate < a.rate ? b : a));
  return [
    {
      name: 'replay-minutes-per-second',
      value,
      unit: 'minutes/s on one core',
      conditions: `14 days of one-minute points against ${candidates} candidates of each kind, all figures of each; minutes of all kinds by their time: ${each.map(({ rate, text }) => `${text} ${rate} million`).join(', ')}; slowest ${slowest.rate} million, ${slowest.text}; ${spread}`,
    },
  ];
}
