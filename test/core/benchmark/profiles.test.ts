import {
  type FioJob,
  partOfFile,
  placesOf,
  profileNames,
  profiles,
  type Run,
} from '../../../core/benchmark/profiles.ts';

const allRuns: [string, Run][] = profileNames.flatMap((name): [string, Run][] => [
  [`${name} full`, profiles[name].full],
  [`${name} short`, profiles[name].short],
]);
const loadsOf = (run: Run): string[] =>
  run.steps.map(({ users, jobs: [job] }) => `${job?.options['rw']} ${job?.options['bs']} ${users}`);
const only = (run: Run): FioJob => run.steps[0]?.jobs[0] as FioJob;
const users = (load: string, counts: readonly number[]): string[] =>
  counts.map((count) => `${load} ${count}`);

test('each is known by its own name', () => {
  for (const name of profileNames) expect(profiles[name].name).toBe(name);
});

describe.each(allRuns)('%s', (_, run) => {
  test('has steps of different names that a file or a line of output may have', () => {
    const names = run.steps.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z0-9-]{3,40}$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test('has a part of the file for each user, and for the largest write of a journal', () => {
    for (const { users: count } of run.steps) expect(run.fileSizeMiB / count).toBeGreaterThanOrEqual(1);
    if (placesOf(run).length > 1) expect(run.fileSizeMiB / partOfFile).toBeGreaterThanOrEqual(4);
  });

  test('writes past the page cache, and where it reads from the whole file or from a share of its own', () => {
    for (const { options } of run.steps.flatMap(({ jobs }) => jobs)) {
      expect(options['direct']).toBeUndefined(); // all of them: the common section has it
      expect(options['size']).toMatch(/^\$\{(FILE|SHARE|PART)_MIB\}m$/);
      expect(options['offset_increment'] ?? '').toBe(
        options['size'] === `\${SHARE_MIB}m` ? options['size'] : '',
      );
    }
  });
});

test.each(profileNames)('%s: the short one does what the full one does, in seconds and 64 MiB', (name) => {
  const { full, short } = profiles[name];
  const withoutUsers = (run: Run): string[] =>
    run.steps.flatMap(({ jobs }) =>
      jobs.map(({ options }) => `${options['rw']} ${options['bs'] ?? options['bsrange']}`),
    );
  const known = new Set(withoutUsers(full));
  expect(withoutUsers(short).filter((load) => !known.has(load))).toEqual([]);
  expect(short.fileSizeMiB).toBe(64);
  for (const { seconds, rampSeconds } of short.steps) expect(seconds + rampSeconds).toBeLessThanOrEqual(8);
});

test('report-card: the tests of the published one', () => {
  expect(loadsOf(profiles['report-card'].full)).toEqual([
    ...users('randread 8k', [1, 8, 16, 32, 64]),
    ...users('read 1m', [1, 4, 8, 16, 32, 64]),
    ...['1k', '8k', '128k'].flatMap((size) => users(`write ${size}`, [1, 4, 16])),
  ]);
  for (const { jobs } of profiles['report-card'].full.steps)
    for (const { options } of jobs) expect(options['sync']).toBe(options['rw'] === 'write' ? 1 : undefined);
});

test('report-card: the short one has each load that grades are made of', () => {
  expect(loadsOf(profiles['report-card'].short)).toEqual([
    ...users('randread 8k', [16, 32]),
    ...users('read 1m', [1, 8]),
    ...['1k', '128k'].flatMap((size) => users(`write ${size}`, [4, 16])),
  ]);
});

test('randrw-16k: 10 jobs of 64 at once, as the article had it', () => {
  expect(only(profiles['randrw-16k'].full).options).toMatchObject({
    rw: 'randrw',
    bs: '16k',
    numjobs: 10,
    iodepth: 64,
  });
});

test('iris-ranread: 8 KiB by 10 to 50 processes in steps of 10, half an hour in all', () => {
  const { steps } = profiles['iris-ranread'].full;
  expect(loadsOf(profiles['iris-ranread'].full)).toEqual(users('randread 8k', [10, 20, 30, 40, 50]));
  // 5 x (10 + 350)
  expect(steps.reduce((sum, { seconds, rampSeconds }) => sum + seconds + rampSeconds, 0)).toBe(1_800);
});

test('drain-credits: 16 KiB random reads by 10 threads, 1,800 s, and nothing is written', () => {
  const { steps } = profiles['drain-credits'].full;
  expect(steps).toMatchObject([{ seconds: 1_800, rampSeconds: 0, users: 10 }]);
  expect(only(profiles['drain-credits'].full).options).toMatchObject({
    rw: 'randread',
    bs: '16k',
    numjobs: 10,
  });
});

test('steady: longer than the half hour for which an instance bursts', () => {
  expect(profiles.steady.full.steps).toMatchObject([{ seconds: 3_600 }]);
});

describe('iris-ranwrite', () => {
  const { jobs, seconds } = profiles['iris-ranwrite'].full.steps[0] as Run['steps'][number];
  const named = (name: string): FioJob => jobs.find((job) => job.name === name) as FioJob;

  test('has data, write image journal and journal in places of their own', () => {
    expect(placesOf(profiles['iris-ranwrite'].full).toSorted()).toEqual([
      'data',
      'journal',
      'writeImageJournal',
    ]);
    for (const { name, place } of jobs)
      expect(place).toBe(
        name.startsWith('database') ? 'data' : name.startsWith('write') ? 'writeImageJournal' : 'journal',
      );
  });

  test('begins a cycle every 80 s: 256 KiB to the write image journal, then the same amount to the database', () => {
    expect(seconds).toBe(22 * 80);
    expect(named('write-image-journal-1').options).toMatchObject({
      rw: 'write',
      bs: '256k',
      size: `\${PART_MIB}m`,
    });
    expect(named('database-1').options).toMatchObject({
      rw: 'randwrite',
      bs: '8k',
      io_size: `\${PART_MIB}m`,
    });
    expect(named('write-image-journal-1').options['wait_for']).toBeUndefined();
    for (let cycle = 1; cycle <= 22; cycle += 1)
      expect(named(`database-${cycle}`).options['wait_for']).toBe(`write-image-journal-${cycle}`);
    for (let cycle = 2; cycle <= 22; cycle += 1)
      expect(named(`write-image-journal-${cycle}`).options).toMatchObject({
        wait_for: `database-${cycle - 1}`,
        startdelay: (cycle - 1) * 80,
      });
  });

  test('a cycle that takes too long is cut, so that all ends', () => {
    for (const { options } of jobs.filter(({ place }) => place !== 'journal'))
      expect(options).toMatchObject({ runtime: 80, time_based: 0 });
  });

  test('a gp3 volume with nothing paid for does a cycle in 80 s', () => {
    const mib = profiles['iris-ranwrite'].full.fileSizeMiB / partOfFile;
    // 1,024 MiB / 125 MiB/s + 131,072 x 8 KiB / 3,000 IOPS = 8.2 s + 43.7 s
    expect(mib / 125 + (mib * 128) / 3_000).toBeCloseTo(51.9, 1);
  });

  test('the journal is written at least every 2 s, in 4 KiB to 4 MiB', () => {
    expect(named('journal').options).toMatchObject({ bsrange: '4k-4m', thinktime_blocks: 1, sync: 1 });
    expect(Number(named('journal').options['thinktime'])).toBeLessThan(2_000_000); // microseconds
  });
});
