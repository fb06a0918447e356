import { fiveMembers, gp2Burst, instanceCap, modifyWhileRunning } from './limits.ts';
import { linearAgainstStripe, straggler } from './linear-against-stripe.ts';
import { degradedArray, raidComparison } from './raid.ts';
import type { Scenario } from './scenario.ts';

/** What was published, in the order of the articles. */
export const scenarios: readonly Scenario[] = [
  ...[linearAgainstStripe, straggler, fiveMembers, gp2Burst],
  ...[instanceCap, modifyWhileRunning, raidComparison, degradedArray],
];
