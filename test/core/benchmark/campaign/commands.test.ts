/** What a host is told to do, one command after the other; and every document takes what it is given. */
import { join } from 'node:path';
import { assert, constantFrom, integer, option, property, record } from 'fast-check';
import { cellsOf } from '../../../../core/benchmark/campaign/cells.ts';
import {
  type Command,
  documents,
  measuredRunIds,
  nextCommand,
} from '../../../../core/benchmark/campaign/commands.ts';
import { type BenchRequest, benchKinds } from '../../../../core/benchmark/campaign/request.ts';
import { profileNames } from '../../../../core/benchmark/profiles.ts';
import type { Probe } from '../../../../core/benchmark/search.ts';
import { volumeTypes } from '../../../../core/limits/volume-limits.ts';
import { accesses } from '../../../../core/report-card/job-options.ts';
import { commandDocument } from '../../../../lib/shared/command-document.ts';
import { search } from './campaigns.ts';
import { aLayout, aRequest } from './requests.ts';

const volumeIdsOf = (members: number): string[] =>
  Array.from({ length: members }, (_, index) => `vol-0123456789abcde${(16 + index).toString(16)}`);

function hostOf(request: BenchRequest, hoursToLive = 2) {
  const [cell] = cellsOf(request);
  if (cell === undefined) throw new Error('no cell');
  const s3Uri = `s3://stripewise-runs/campaigns/c1/results/${cell.id}`;
  return { cell, host: { volumeIds: volumeIdsOf(cell.layout.members), s3Uri, hoursToLive } };
}

function next(request: BenchRequest, commandsDone: number, probes: readonly Probe[] = []) {
  const { cell, host } = hostOf(request);
  return nextCommand(request, cell, host, commandsDone, probes);
}

/** All of them to the end; a search is told that one more user brings nothing. */
function allCommands(request: BenchRequest): Command[] {
  const commands: Command[] = [];
  const probes: Probe[] = [];
  for (let done = 0; done < 40; done++) {
    const chosen = next(request, done, probes);
    if ('done' in chosen) return commands;
    const { command } = chosen;
    commands.push(command);
    const { users, ioDepth } = command.parameters;
    const underWay = Number(users) * Number(ioDepth);
    // 4,000 IOPS and no more: whoever waits, waits underWay / 4,000 s.
    if (command.document === 'measure-load')
      probes.push({ users: underWay, iops: 4_000, latencyMs: underWay / 4 });
  }
  throw new Error('it does not end');
}
const steps = (request: BenchRequest): Command['step'][] => allCommands(request).map(({ step }) => step);
const measure = (inFlight: number, runId: string): Command['step'] => ({
  ...{ code: 'measure-load', inFlight, runId },
});

test('the stripe is built of new volumes in their order, and then the load is measured', () => {
  const [build, load, ...others] = allCommands(aRequest());
  expect(others).toEqual([]);
  expect(build).toEqual({
    step: { code: 'build-stripe' },
    document: 'build-stripe',
    parameters: {
      ...{ name: 'bench', members: volumeIdsOf(4).join(','), layout: 'stripe', chunkKiB: '128' },
      ...{ fileSystemType: 'xfs', fileSystems: 'data=/srv/data:100', initialSync: 'skip' },
    },
  });
  expect(load).toEqual({
    step: measure(16, 'r1'),
    document: 'measure-load',
    parameters: {
      ...{ directory: '/srv/data', access: 'randread', blockKiB: '8', readPercent: '50' },
      ...{ users: '16', ioDepth: '1', iops: '', seconds: '593', fileSizeMiB: '4000', keepFile: 'yes' },
      timeLimitSeconds: '7200', // 2 h
      ...{ s3Uri: 's3://stripewise-runs/campaigns/c1/results/stripe-m1-large', runId: 'r1' },
    },
  });
});

test('repeats are r1, r2, r3 on the same host', () => {
  expect(steps(aRequest({ repeats: 3 })).slice(1)).toEqual([
    measure(16, 'r1'),
    measure(16, 'r2'),
    measure(16, 'r3'),
  ]);
});

test('every block is read before, where that is asked', () => {
  const [, initialize] = allCommands(aRequest({ prepare: 'initialize' }));
  expect(initialize).toMatchObject({
    step: { code: 'initialize-volumes' },
    document: 'initialize-volumes',
    parameters: { volumeIds: volumeIdsOf(4).join(','), timeLimitSeconds: '7200' },
  });
});

test.each([
  ['gp2', 100, 'random', '300'], // 3 IOPS a GiB
  ['st1', 500, 'sequential', '20'], // 40 MiB/s a TiB, 500 GiB: 19.5
])('credits of %s of %d GiB are spent by %s reads, down to %s', (volumeType, sizeGiB, access, baseline) => {
  const request = aRequest({ layouts: [aLayout({ volumeType, sizeGiB })], prepare: 'drain-credits' });
  expect(allCommands(request)[1]).toMatchObject({
    step: { code: 'drain-credits' },
    document: 'drain-credits',
    parameters: { access, baseline, timeLimitSeconds: '7200' },
  });
});

test('a profile of three places has a file system for each, 84, 8 and 8 percent', () => {
  const request = aRequest({ work: { kind: 'profile', profile: 'iris-ranwrite', variant: 'short' } });
  const [build, run] = allCommands(request);
  expect(build?.parameters['fileSystems']).toBe('data=/srv/data:84,wij=/srv/wij:8,journal=/srv/journal:8');
  expect(run).toMatchObject({
    step: { code: 'run-profile', profile: 'iris-ranwrite', runId: 'r1' },
    document: 'run-fio',
    parameters: { writeImageJournalDirectory: '/srv/wij', journalDirectory: '/srv/journal' },
  });
});

test('a profile of one place has no others', () => {
  const request = aRequest({ work: { kind: 'profile', profile: 'report-card', variant: 'short' } });
  expect(Object.keys(allCommands(request)[1]?.parameters ?? {})).not.toContain('journalDirectory');
});

test('a search measures what the last runs say, and ends with what it found', () => {
  const request = aRequest({ work: search });
  expect(next(request, 1)).toMatchObject({ command: { step: measure(16, 'p1') } });
  // 16 / 4 ms; 2 ms allowed: 16 x 2 / 4 x 0.97 = 7.76
  const first: Probe = { users: 16, iops: 4_000, latencyMs: 4 };
  expect(next(request, 2, [first])).toMatchObject({ command: { step: measure(7, 'p2') } });
  const kept: Probe = { users: 7, iops: 4_000, latencyMs: 1.75 };
  expect(next(request, 5, [first, kept, kept, kept])).toMatchObject({ done: { outcome: 'kept', users: 7 } });
});

test('more than 64 under way are shared by 64 jobs at most', () => {
  const request = aRequest({ work: search });
  const fast: Probe = { users: 16, iops: 100_000, latencyMs: 0.16 };
  // 16 x 8, the longest step: 128 under way are 64 jobs with two each.
  expect(next(request, 2, [fast])).toMatchObject({
    command: { step: measure(128, 'p2'), parameters: { users: '64', ioDepth: '2' } },
  });
});

test('a host that may live two days has commands as long as documents take them', () => {
  const request = aRequest();
  const { cell, host } = hostOf(request, 48); // 172,800 s
  const chosen = nextCommand(request, cell, host, 1, []);
  expect(chosen).toMatchObject({ command: { parameters: { timeLimitSeconds: '99999' } } });
});

test.each([
  ['nothing', {}, 0, []],
  ['nothing', {}, 1, []],
  ['nothing', {}, 3, ['r1', 'r2']],
  ['initialize', {}, 2, []],
  ['initialize', {}, 3, ['r1']],
  ['nothing', { work: search }, 3, ['p1', 'p2']],
] as const)('prepared by %s, %j: after %d commands %j are measured', (prepare, more, done, ids) => {
  expect(measuredRunIds(aRequest({ prepare, repeats: 1, ...more }), done)).toEqual(ids);
});

describe('every document takes what it is given', () => {
  const root = join(__dirname, '../../../..');
  const patterns = new Map(
    documents.map((name) => [name, commandDocument(root, name).parameters ?? {}] as const),
  );

  const work = constantFrom('profile', 'load', 'search').chain((kind) =>
    record({
      ...{ kind: constantFrom(kind), profile: constantFrom(...profileNames) },
      variant: constantFrom('full', 'short'),
      fileSizeMiB: option(integer({ min: 64, max: 9_999_999 }), { nil: undefined }),
      ...{ access: constantFrom(...accesses), blockKiB: integer({ min: 1, max: 4_096 }) },
      ...{ readPercent: integer({ min: 0, max: 100 }), users: integer({ min: 1, max: 64 }) },
      ioDepth: integer({ min: 1, max: 1_024 }),
      iops: option(integer({ min: 64, max: 1_000_000 }), { nil: undefined }),
      seconds: integer({ min: 1, max: 600 }),
      limitMs: integer({ min: 1, max: 100 }),
    }).map(({ kind: _, profile, variant, fileSizeMiB, seconds, limitMs, ...one }) => {
      const { access, blockKiB, readPercent } = one;
      if (kind === 'profile') return { kind, profile, variant, fileSizeMiB };
      if (kind === 'load') return { kind, load: one, seconds, fileSizeMiB };
      const goal = { percentile: 'p95', limitMs };
      return { kind, goal, load: { access, blockKiB, readPercent }, seconds, fileSizeMiB };
    }),
  );
  const layout = record({
    kind: constantFrom(...benchKinds),
    half: integer({ min: 2, max: 12 }),
    volumeType: constantFrom(...volumeTypes),
    chunkKiB: constantFrom(4, 8, 16, 32, 64, 128, 256, 512, 1024),
    fileSystem: constantFrom('xfs', 'ext4'),
  }).map(({ kind, half, volumeType, ...one }) =>
    aLayout({
      ...{ kind, volumeType, ...one },
      members: kind === 'single' ? 1 : 2 * half,
      sizeGiB: volumeType === 'st1' || volumeType === 'sc1' ? 125 : 100,
      ...(volumeType === 'io1' || volumeType === 'io2' ? { iops: 1_000 } : {}),
    }),
  );

  test('whatever is asked for', () => {
    assert(
      property(
        layout,
        work,
        constantFrom('nothing', 'initialize', 'drain-credits'),
        integer({ min: 1, max: 3 }),
        (oneLayout, oneWork, prepare, times) => {
          const repeats = oneWork.kind === 'search' ? 1 : times;
          const request = aRequest({ layouts: [oneLayout], work: oneWork, prepare, repeats });
          for (const { document, parameters } of allCommands(request)) {
            const known = patterns.get(document) ?? {};
            for (const [name, value] of Object.entries(parameters)) {
              const pattern = known[name]?.allowedPattern ?? `there is no parameter ${name} of ${document}`;
              expect([document, name, value, new RegExp(pattern).test(value)]).toEqual([
                ...[document, name, value, true],
              ]);
            }
            const needed = Object.entries(known).filter(([, { default: value }]) => value === undefined);
            expect(Object.keys(parameters)).toEqual(expect.arrayContaining(needed.map(([name]) => name)));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
