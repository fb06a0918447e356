/** docs/guides/monitoring.md says how often monitoring polls, in the figures of `pace`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { pace } from '../../../core/monitoring/pace.ts';
import { secondsPerHour, secondsPerMinute } from '../../../core/units.ts';

const page = readFileSync(join(process.cwd(), 'docs/guides/monitoring.md'), 'utf8').replace(/\s+/g, ' ');

const min = (seconds: number): string => `${seconds / secondsPerMinute}`;
const hours = (seconds: number): string => `${seconds / secondsPerHour}`;
const percent = (share: number): string => `${share * 100} %`;
const [low, middle, high] = pace.quiet;
const { warning } = pace;

test.each([
  `Below ${min(pace.creditsUrgentSeconds)} minutes of it every tick; at least every ${hours(pace.creditsLongestSeconds)} h.`,
  `While \`credits-will-exhaust\` is open every ${min(pace.creditsReportedSeconds)} to ${min(pace.criticalSeconds)} min; unknown: every ${min(pace.creditsUnknownSeconds)} min`,
  `every ${min(low.seconds)} min below ${percent(low.belowShare)} of the limit, ${min(middle.seconds)} below ${percent(middle.belowShare)}, ${min(high.seconds)} below ${percent(high.belowShare)}`,
  `every ${min(pace.silentSeconds)} min where nothing at all is published`,
  `near a limit (${percent(pace.nearShare)}) every ${min(pace.nearSeconds)} min`,
  `while it is near every ${min(pace.nearRatesSeconds)} min; else every ${hours(pace.learnSeconds)} h`,
  `whole for ${min(pace.latelySeconds)} min, then half every ${min(pace.latelySeconds)} min`,
  `while a finding is critical it is polled every ${min(pace.criticalSeconds)} min`,
  `a warning every ${min(pace.nearSeconds)} min where the volume is near a limit or was throttled in the last ${min(pace.throttledSeconds)} min, else every ${min(pace.warningSeconds)}.`,
  `in the same tick, then every ${min(pace.nearSeconds)} min until they are there, for ${min(pace.undecidedSeconds)} min`,
  `by the fall of the last ${min(warning.nowSeconds)}, 30 and ${min(warning.longSeconds)} minutes alike`,
  `The rate of ${min(warning.nowSeconds)} minutes says that the load goes on, that of ${min(warning.longSeconds)} that it has for a while.`,
  `The lowest balance of the next ${hours(warning.aheadSeconds)} hours, the day before`,
  `Down to ${warning.shareOfLowest === 0.8 ? 'four fifths' : '?'} of that is usual.`,
  `empty within ${min(warning.alwaysSeconds)} min by one of the rates, or within ${min(warning.alwaysAtMostSeconds)} at full speed. Critical: within ${min(warning.alwaysCriticalSeconds)} min`,
  `A check of 1 counts where its minute averages ${percent(defaultThresholds.microBurstAverageShare)} of the limit or more.`,
  `resolved: every ${min(pace.goneSeconds)} min until that is notified`,
  `between two polls within the last ${pace.freshSeconds === 600 ? 'ten' : '?'} minutes`,
  `every ${min(pace.saying.everySeconds)} min, ${pace.saying.times === 4 ? 'four' : '?'} times over ${min(pace.saying.seconds)} min at least, then every ${min(pace.sayAgainSeconds)} min`,
])('%s', (sentence) => {
  expect(page).toContain(sentence);
});
