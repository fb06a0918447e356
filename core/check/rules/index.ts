/** Every rule, in the order in which they are listed. */
import { instanceCredits, volumeCredits } from './credits.ts';
import { gp2ToGp3 } from './gp2-to-gp3.ts';
import { instanceLimit, unusedPerformance } from './instance-limit.ts';
import { lowerThroughput } from './lower-throughput.ts';
import { measuredLoad } from './measured-load.ts';
import { refusedByAws } from './refused-by-aws.ts';
import { replaced } from './replaced.ts';
import type { Rule } from './rule.ts';
import { stripeCheaper, stripeFaster } from './stripes.ts';

export const rules: readonly Rule[] = [
  refusedByAws,
  measuredLoad,
  replaced,
  lowerThroughput,
  instanceLimit,
  unusedPerformance,
  volumeCredits,
  instanceCredits,
  gp2ToGp3,
  stripeCheaper,
  stripeFaster,
];
