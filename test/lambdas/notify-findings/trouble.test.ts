/**
 * Told once, whatever dies when. In a week of three runs a function dies or fails at one of its steps, each in turn; it is
 * tried again at once, or only the schedule comes by. Who knows messages by their ids hears each change exactly once; a plain
 * webhook hears each message once, or twice where somebody died.
 */
import type { Finding, Severity } from '../../../core/schemas/finding.ts';
import { secondsPerDay, secondsPerHour } from '../../../core/units.ts';
import { aFinding, onVolume } from '../../fixtures/findings.ts';
import { Process, type Trouble, World } from './world.ts';

const of = (id: string, severity: Severity = 'warning'): Finding =>
  aFinding({ id, severity, resource: onVolume(`vol-${id}`) });

/** Two days lie between two runs: what is gone in two of them is resolved. */
const week: Finding[][] = [
  [of('a'), of('b'), of('c')],
  [of('a', 'critical'), of('c'), of('d')],
  [of('a', 'critical'), of('d')],
  [of('a', 'critical'), of('d'), of('e')],
];
/** What is heard where nothing goes wrong. */
const heard = [
  ...['a: opened warning', 'b: opened warning', 'c: opened warning'],
  ...['a: worse critical', 'd: opened warning'],
  ...['b: resolved'],
  ...['e: opened warning', 'c: resolved'],
];

interface Plan {
  /** Which of the runs is in trouble. */
  run: number;
  step: number;
  how: Trouble;
  /** The step of the workflow is tried again at once. */
  isTriedAgain: boolean;
}

interface LivedThrough {
  world: World;
  /** All looks of the run in trouble were remembered before the trouble. */
  hasObserved: boolean;
}

/** @returns null where the run has no such step. */
async function weekWith({ run, step, how, isTriedAgain }: Plan): Promise<LivedThrough | null> {
  const world = new World();
  let hasObserved = true;
  for (const [day, findings] of week.entries()) {
    const process = new Process({ trouble: day === run ? { step, how } : null });
    await world.run(`run-${day}`, findings, { process }).catch(() => {});
    if (day === run && process.steps.length <= step) return null;
    if (day === run) hasObserved = process.steps.includes('write a message');
    const again = isTriedAgain && day === run ? 1 : 0;
    for (let i = 0; i < again; i++) await world.run(`run-${day}`, findings);
    // A claim belongs to somebody who died after a quarter of an hour; the next tick takes it.
    await world.ticks(secondsPerHour / 3);
    world.nowEpochSeconds += 2 * secondsPerDay;
    await world.ticks(300);
  }
  return { world, hasObserved };
}

test('where nothing goes wrong each change is in one message of its run, and each message goes out once', async () => {
  const plan: Plan = { run: 0, step: -1, how: 'dies before', isTriedAgain: false };
  const { world } = (await weekWith(plan)) as LivedThrough;
  expect(world.changes).toEqual(heard);
  expect(world.published.map(({ run, notified }) => [run?.runId, notified.length])).toEqual([
    ['run-0', 3],
    ['run-1', 2],
    ['run-2', 1],
    ['run-3', 2],
  ]);
});

const troubles: Trouble[] = ['dies before', 'dies after', 'fails before', 'fails after'];

describe.each([true, false])('tried again at once: %s', (isTriedAgain) => {
  test.each(troubles)('a run that %s any step', async (how) => {
    for (const run of week.keys()) {
      let step = 0;
      for (; ; step++) {
        const plan: Plan = { run, step, how, isTriedAgain };
        const lived = await weekWith(plan);
        if (lived === null) break;
        const { world, hasObserved } = lived;
        // Who died while it looked has not seen all of it: the next run sees it, and tells what it is then.
        if (!isTriedAgain && !hasObserved) continue;
        const seen = { plan, changes: world.changes.toSorted(), maxTimes: Math.max(...world.times) <= 2 };
        expect(seen).toEqual({ plan, changes: heard.toSorted(), maxTimes: true });
        expect(world.times.filter((times) => times > 1).length).toBeLessThanOrEqual(1);
        sameUnderOneId(world);
        everybodyKnows(world);
      }
      // Ask who listens and what is open, read, 1 write each, make, publish and mark the message, read, 1 write each, due.
      expect(step).toBeGreaterThanOrEqual(10);
    }
  });
});

function sameUnderOneId(world: World): void {
  const first = new Map(world.heard.map((one) => [one.id, one]));
  for (const one of world.published) expect(one).toEqual(first.get(one.id));
}

function everybodyKnows(world: World): void {
  for (const { claim, notifyFromEpochSeconds } of world.records.values())
    expect({ claim, notifyFromEpochSeconds }).toEqual({ claim: null, notifyFromEpochSeconds: null });
}

describe('the schedule dies in turn', () => {
  /** A run died after its claims; a first tick that takes them dies at a step, then ticks come by. */
  async function tickWith(step: number, how: Trouble): Promise<World | null> {
    const world = new World();
    const process = new Process({ trouble: { step: 6, how: 'dies after' } });
    await world.run('run-0', week[0] ?? [], { process }).catch(() => {});
    expect(process.steps.at(-1)).toBe('write a record');
    expect(world.published).toEqual([]);
    world.nowEpochSeconds += 900;
    const dies = new Process({ trouble: { step, how } });
    await world.tick(dies).catch(() => {});
    if (dies.steps.length <= step) return null;
    await world.ticks(secondsPerHour / 2);
    return world;
  }

  test.each(troubles)('it %s any step', async (how) => {
    let step = 0;
    for (; ; step++) {
      const world = await tickWith(step, how);
      if (world === null) break;
      expect({ step, changes: world.changes.toSorted() }).toEqual({ step, changes: heard.slice(0, 3) });
      expect(Math.max(...world.times)).toBeLessThanOrEqual(2);
      everybodyKnows(world);
    }
    expect(step).toBeGreaterThan(10);
  });
});

/** A function that stops at a step until it is woken. */
function sleeper(isAt: (step: number, name: string) => boolean) {
  let wake = (): void => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let step = 0;
  const process = new Process({ turn: async (name) => (isAt(step++, name) ? woken : undefined) });
  return { process, wake };
}

test('a run that sleeps at any step, is taken for dead, and wakes while the next one dies about to tell', async () => {
  let step = 0;
  for (; ; step++) {
    const world = new World();
    const slow = sleeper((one) => one === step);
    const first = world.run('run-0', week[0] ?? [], { process: slow.process });
    await settled();
    if (slow.process.steps.length <= step) break;
    const hasObserved = slow.process.steps.includes('write a message');
    world.nowEpochSeconds += 900;
    await world.ticks(secondsPerHour / 2);
    world.nowEpochSeconds += secondsPerDay;
    const next = sleeper((_, name) => name === 'publish');
    // It never wakes: to whoever comes later it died.
    void world.run('run-1', [of('a', 'critical'), of('b'), of('c')], { process: next.process });
    await settled();
    slow.wake();
    await first;
    await world.ticks(secondsPerHour);
    const expected = heard.slice(0, 4);
    // What it had not looked at yet the next run saw first, and its own look comes too late.
    const isOld = (change: string) => !hasObserved && /^[abc]: (opened|worse)/.test(change);
    const others = (changes: readonly string[]) => changes.filter((one) => !isOld(one)).toSorted();
    expect({ step, changes: others(world.changes) }).toEqual({ step, changes: others(expected) });
    expect(new Set(world.changes).size).toBe(world.changes.length);
    sameUnderOneId(world);
    everybodyKnows(world);
  }
  expect(step).toBeGreaterThanOrEqual(10);
});

/** All that can go on has gone on. */
const settled = async (): Promise<void> => {
  for (let i = 0; i < 1_000; i++) await Promise.resolve();
};

test('a topic that takes nothing fails each time, and hears all of it once it takes something', async () => {
  const world = new World();
  for (let i = 0; i < 3; i++) {
    const process = new Process({ refuses: 'publish' });
    await expect(world.run('run-0', week[0] ?? [], { process })).rejects.toThrow('refused: publish');
  }
  await world.run('run-0', week[0] ?? []);
  expect(world.changes).toEqual(heard.slice(0, 3));
  expect(world.times).toEqual([1]);
  everybodyKnows(world);
});

test('a message that the topic never takes holds up none of the others', async () => {
  const world = new World();
  await world.run('run-0', [of('a')], { process: new Process({ refuses: 'publish' }) }).catch(() => {});
  await world.run('run-1', [of('a'), of('b')]);
  expect(world.changes).toEqual(['b: opened warning']);
  world.nowEpochSeconds += 900;
  const onlyItsOwn = await world.run('run-2', [of('a'), of('b')], {
    process: new Process({ refuses: 'publish' }),
  });
  expect([onlyItsOwn.notified, world.troubles]).toEqual([0, ['refused: publish']]);
  await expect(world.tick(new Process({ refuses: 'publish' }))).rejects.toThrow('refused: publish');
  await world.tick();
  expect(world.changes).toEqual(['b: opened warning', 'a: opened warning']);
});

test('a message that cannot be read holds up none of the others, whichever it is', async () => {
  const refuses = () => new Process({ refuses: 'publish' });
  for (const unreadable of [1, 2, 3]) {
    const world = new World();
    for (const [index, id] of ['a', 'b', 'c'].entries())
      await world.run(`run-${index}`, [of(id)], { process: refuses() }).catch(() => {});
    expect([...world.messages.keys()]).toEqual(['message-1', 'message-2', 'message-3']);
    world.unreadable.add(`message-${unreadable}`);
    world.nowEpochSeconds += 900;
    await expect(world.tick()).rejects.toThrow(`another form: message-${unreadable}`);
    const others = ['a', 'b', 'c'].filter((_, index) => index !== unreadable - 1);
    expect(world.changes).toEqual(others.map((id) => `${id}: opened warning`));
    world.unreadable.clear();
    await world.tick();
    expect(world.changes).toHaveLength(3);
    everybodyKnows(world);
  }
});

test('a record that cannot be read is left as it is: of all others a run and the schedule tell what changed', async () => {
  const world = new World();
  await world.run('run-0', [of('a'), of('b')]);
  world.unreadable.add('b');
  const before = structuredClone(world.records.get('b'));
  world.nowEpochSeconds += secondsPerDay;
  await world.run('run-1', [of('a', 'critical'), of('b', 'critical'), of('c')]);
  await world.tick();
  const first = ['a: opened warning', 'b: opened warning', 'a: worse critical', 'c: opened warning'];
  expect(world.changes).toEqual(first);
  expect(world.records.get('b')).toEqual(before);
  world.unreadable.clear();
  world.nowEpochSeconds += secondsPerDay;
  await world.run('run-2', [of('a', 'critical'), of('b', 'critical'), of('c')]);
  expect(world.changes).toEqual([...first, 'b: worse critical']);
  everybodyKnows(world);
});
