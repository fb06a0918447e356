/** The report card: each test with its letters, and why it has them or has none. */
import { figure } from '../figures.ts';
import { inert } from '../inert.ts';
import type { FioTest } from './fio-tests.ts';
import type { Mode } from './histogram.ts';
import { modesOf, modesText } from './histogram.ts';
import { type Access, isDirect, isSync, pacedBy } from './job-options.ts';
import { type Member, membersOf } from './members.ts';
import {
  growthOf,
  type Letter,
  latenciesOf,
  latencyGrade,
  latencyScales,
  type ScalingScale,
  scalingGrade,
  scalingScales,
} from './scale.ts';
import { loadText, usersText } from './words.ts';

export interface GradedTest extends FioTest {
  grade: Letter | null;
  scalingGrade: Letter | null;
  /** Sentences: why these letters, or why none. */
  why: string;
  modes: readonly Mode[];
  disks: readonly Member[];
}

/** What the scale was made for: one thing after another of each user, past the host's memory. Null where the test is that. */
function unlikeTheScale({ access, ioDepth, options }: FioTest): string | null {
  if (!ioDepth.known) return ioDepth.because;
  if (ioDepth.value !== 1)
    return `the published scale is for users with one operation under way each, and here they have ${ioDepth.value}`;
  if (options === null) return null;
  const paced = pacedBy(options);
  if (paced !== null) return `its users wait between what they ask for (${paced}), those of the scale do not`;
  const writes = access.known && access.value === 'write';
  if (isDirect(options) || (writes && isSync(options))) return null;
  return `it went through the host’s memory (${writes ? 'neither direct nor sync' : 'not direct'}): what it took says little of the volume`;
}

interface Load {
  access: Access;
  blockKiB: number;
  users: number;
}
function loadOf({ access, blockKiB, users }: FioTest): Load | string {
  for (const part of [access, blockKiB, users]) if (!part.known) return part.because;
  return access.known && blockKiB.known && users.known
    ? { access: access.value, blockKiB: blockKiB.value, users: users.value }
    : '';
}

interface Verdict {
  letter: Letter | null;
  why: string;
}
const none = (why: string): Verdict => ({ letter: null, why });

function noScale({ access, blockKiB, users }: Load): string {
  const same = latencyScales.find((scale) => scale.access === access && scale.blockKiB === blockKiB);
  const load = loadText({ access, blockKiB });
  return same === undefined
    ? `no published scale for ${load}`
    : `no published scale for ${load} at ${usersText(users)}: they are graded at ${same.users}`;
}

function latencyVerdict(test: FioTest): Verdict {
  if (test.error !== null) return none(`not graded: ${test.error}`);
  if (test.latency === null) return none('not graded: it did nothing that took time');
  const load = loadOf(test);
  if (typeof load === 'string') return none(`not graded: ${load}`);
  const scale = latencyScales.find(
    ({ access, blockKiB, users }) =>
      access === load.access && blockKiB === load.blockKiB && users === load.users,
  );
  if (scale === undefined) return none(noScale(load));
  const unlike = unlikeTheScale(test);
  if (unlike !== null) return none(`not graded: ${unlike}`);
  const { p95Ms } = test.latency;
  if (p95Ms === null) return none('not graded: the file has no 95th percentile');
  const letter = latencyGrade(p95Ms, scale);
  const worstOf = test.latency.isWorstOfSeveral
    ? ' at most (the worst of its jobs: json+ would tell all together)'
    : '';
  return {
    letter,
    why: `95 % within ${figure(p95Ms)} ms${worstOf}: ${latenciesOf(letter, scale)} for ${loadText(scale)} at ${usersText(scale.users)}`,
  };
}

const keyOf = ({ access, blockKiB, users }: Load): string => `${access} ${blockKiB} ${users}`;

/** The first of each load that growth can be measured by. */
function byLoad(tests: readonly FioTest[]): ReadonlyMap<string, FioTest> {
  const found = new Map<string, FioTest>();
  for (const test of tests) {
    const load = loadOf(test);
    if (typeof load === 'string' || test.error !== null || unlikeTheScale(test) !== null) continue;
    const key = keyOf(load);
    if (!found.has(key)) found.set(key, test);
  }
  return found;
}

function scalingVerdict(test: FioTest, all: ReadonlyMap<string, FioTest>): Verdict | null {
  const load = loadOf(test);
  if (typeof load === 'string' || test.error !== null || test.latency === null) return null;
  const isLoad = ({ access, blocksKiB }: ScalingScale): boolean =>
    access === load.access && blocksKiB.includes(load.blockKiB);
  const scale = scalingScales.find((one) => isLoad(one) && one.baseUsers === load.users);
  if (scale === undefined) return null;
  if (unlikeTheScale(test) !== null) return null;
  const higher = all.get(keyOf({ ...load, users: scale.higherUsers }));
  if (higher === undefined)
    return none(`how it scales is not known without a test at ${usersText(scale.higherUsers)}`);
  const [base, more] = [test.latency.p95Ms, higher.latency?.p95Ms ?? null];
  if (base === null || more === null || base === 0)
    return none('how it scales is not known without both 95th percentiles');
  const growth = growthOf(base, more, scale);
  const letter = scalingGrade(growth);
  return {
    letter,
    why: `at ${usersText(scale.higherUsers)} 95 % within ${figure(more)} ms: it grows by ${figure(growth, 3)} of what it could, ${letter}`,
  };
}

function modesVerdict(modes: readonly Mode[]): string | null {
  return modes.length < 2
    ? null
    : `latency has ${modes.length} modes, a sign of throttling or of two tiers of storage: ${modesText(modes)}`;
}

/**
 * The tests of one run with their letters.
 * @param tests of one run on one layout: growth is looked for among them.
 */
export function gradedTests(tests: readonly FioTest[]): GradedTest[] {
  const all = byLoad(tests);
  return tests.map((test) => {
    const latency = latencyVerdict(test);
    const scaling = scalingVerdict(test, all);
    const modes = modesOf(test.bins);
    const sentences = [latency.why, scaling?.why, modesVerdict(modes)].filter(
      (one) => one !== null && one !== undefined,
    );
    return {
      ...test,
      name: inert(test.name, 120),
      grade: latency.letter,
      scalingGrade: scaling?.letter ?? null,
      why: sentences.join('; '),
      ...{ modes, disks: membersOf(test.members, test.told) },
    };
  });
}
