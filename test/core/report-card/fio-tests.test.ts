/** What a test was and did, from the JSON of any fio. */
import { isRunFio, jsonOfFio, runFioSchema } from '../../../core/report-card/fio-result.ts';
import { testsOfFio, testsOfRunFio } from '../../../core/report-card/fio-tests.ts';
import { direction3, fio3, fio21 } from '../../fixtures/fio-output.ts';

const did = { operations: 60_000, seconds: 60, blockKiB: 8, meanMs: 3, p95Ms: 5 };
const random = { rw: 'randread', bs: '8k', numjobs: '16' };

describe('fio 3', () => {
  test('one job: nanoseconds, bytes, options', () => {
    const [test, ...others] = testsOfFio(fio3({ name: 'read', read: did, options: random }));
    expect(others).toEqual([]);
    expect(test).toMatchObject({
      name: 'read',
      iops: 1_000, // 60,000 in 60 s
      mibps: 7.8125, // x 8 KiB
      readShare: 1,
      latency: { meanMs: 3, p50Ms: 2.5, p95Ms: 5, p99Ms: 10, isWorstOfSeveral: false },
      error: null,
    });
    expect(test).toMatchObject({
      access: { known: true, value: 'randread' },
      blockKiB: { known: true, value: 8 },
      users: { known: true, value: 16 },
      ioDepth: { known: true, value: 1 },
    });
  });

  test.each([
    ['8k', 8],
    ['8192', 8],
    ['8kb', 8],
    ['1m', 1024],
    ['1M,1M', 1024],
    ['512', 0.5],
    // fio's k is binary, and its ki decimal: 8,000 / 1,024.
    ['8KiB', 7.8125],
  ])('a block of %s is %d KiB', (bs, kib) => {
    const [test] = testsOfFio(fio3({ name: 'a', read: did, options: { ...random, bs } }));
    expect(test?.blockKiB).toEqual({ known: true, value: kib });
  });

  test.each([{ bs: '4k,8k' }, { bsrange: '4k-4m' }, { bssplit: '4k/50:8k/50' }, { bs: '4k-16k' }])(
    'blocks of several sizes have none: %j',
    (options) => {
      const [test] = testsOfFio(fio3({ name: 'a', read: did, options: { ...random, ...options } }));
      expect(test?.blockKiB.known).toBe(false);
    },
  );

  test.each([
    ['read', 'read'],
    ['rw', 'rw'],
    ['readwrite', 'rw'],
    ['randrw', 'randrw'],
  ])('access %s', (rw, access) => {
    const [test] = testsOfFio(fio3({ name: 'a', read: did, options: { rw } }));
    expect(test?.access).toEqual({ known: true, value: access });
  });

  test.each(['randtrim', 'read:8', 'trimwrite'])('access %s is none that has a name here', (rw) => {
    const [test] = testsOfFio(fio3({ name: 'a', read: did, options: { rw } }));
    expect(test?.access.known).toBe(false);
  });

  test('an engine that does one thing after another has no depth, whatever is asked', () => {
    const options = { ...random, iodepth: '32' };
    const [sync, libaio] = ['psync', 'libaio'].map(
      (ioengine) => testsOfFio(fio3({ name: 'a', read: did, options: { ...options, ioengine } }))[0],
    );
    expect([sync?.ioDepth, libaio?.ioDepth]).toEqual([
      { known: true, value: 1 },
      { known: true, value: 32 },
    ]);
  });

  test('reads and writes: rates add up, the mean is weighted, percentiles are the worse ones', () => {
    const options = { rw: 'randrw', bs: '8k' };
    const write = { ...did, operations: 20_000, meanMs: 7, p95Ms: 12 };
    const [test] = testsOfFio(fio3({ name: 'mixed', read: did, write, options }));
    expect(test?.iops).toBeCloseTo(1_000 + 20_000 / 60, 6);
    expect(test?.readShare).toBeCloseTo(0.75, 6);
    // (60,000 x 3 + 20,000 x 7) / 80,000
    expect(test?.latency).toMatchObject({ meanMs: 4, p95Ms: 12, isWorstOfSeveral: true });
  });

  test('json+: percentiles of reads and writes together are exact', () => {
    const read = { ...did, operations: 90, bins: { 1: 90 } };
    const write = { ...did, operations: 10, bins: { 20: 10 } };
    const [test] = testsOfFio(fio3({ name: 'mixed', read, write, options: { rw: 'randrw' } }));
    expect(test?.latency).toMatchObject({ p50Ms: 1, p95Ms: 20, isWorstOfSeveral: false });
    expect(test?.bins.map(({ share }) => share)).toEqual([0.9, 0.1]);
  });

  test('without group_reporting there is an entry for each user: they are one test', () => {
    const jobs = Array.from({ length: 4 }, (_, index) => ({
      name: 'read',
      read: { ...did, p95Ms: 5 + index },
      options: { ...random, numjobs: '4' },
    }));
    const [test, ...others] = testsOfFio(fio3(...jobs));
    expect(others).toEqual([]);
    expect(test).toMatchObject({ iops: 4_000, latency: { p95Ms: 8, isWorstOfSeveral: true } });
    expect(test?.users).toEqual({ known: true, value: 4 });
  });

  test('jobs of other names are tests of their own', () => {
    const tests = testsOfFio(fio3({ name: 'one', read: did }, { name: 'two', write: did }));
    expect(tests.map(({ name, readShare }) => [name, readShare])).toEqual([
      ['one', 1],
      ['two', 0],
    ]);
  });

  test('errors of fio and of operations are reported', () => {
    const tests = testsOfFio(fio3({ name: 'gone', error: 5 }, { name: 'some', read: did, totalErrors: 3 }));
    expect(tests.map(({ error, latency }) => [error, latency === null])).toEqual([
      [{ code: 'fio-error', errno: 5 }, true],
      [{ code: 'operations-failed', operations: 3 }, false],
    ]);
  });

  test('reads and writes in one: unified_rw_reporting', () => {
    const { jobs, ...rest } = fio3({ name: 'mixed', options: { rw: 'randrw', bs: '8k' } });
    const [job] = jobs ?? [];
    const { read, write, ...others } = job as NonNullable<typeof job>;
    const [test] = testsOfFio({ ...rest, jobs: [{ ...others, mixed: direction3(did) }] });
    expect(test).toMatchObject({ iops: 1_000, readShare: null, latency: { p95Ms: 5 } });
  });

  test('sections of the same name with other options are tests of their own', () => {
    const tests = testsOfFio(
      fio3(
        { name: 'read', read: did, options: random },
        { name: 'read', read: did, options: { ...random, bs: '1m' } },
      ),
    );
    expect(tests.map(({ blockKiB, users }) => [blockKiB, users])).toEqual([
      [
        { known: true, value: 8 },
        { known: true, value: 16 },
      ],
      [
        { known: true, value: 1_024 },
        { known: true, value: 16 },
      ],
    ]);
  });

  test('the same job on two hosts is two tests, each with its own users', () => {
    const { jobs = [], ...rest } = fio3({ name: 'read', read: did, options: random });
    const client_stats = ['one', 'two'].flatMap((hostname) => jobs.map((job) => ({ ...job, hostname })));
    const tests = testsOfFio({ ...rest, client_stats });
    expect(tests.map(({ users, iops }) => [users, iops])).toEqual([
      [{ known: true, value: 16 }, 1_000],
      [{ known: true, value: 16 }, 1_000],
    ]);
  });

  test.each([
    ['numjobs', '1e9', 'users'],
    ['numjobs', '0x10', 'users'],
    ['numjobs', '-1', 'users'],
    ['numjobs', '1e400', 'users'],
    ['iodepth', '1e9', 'ioDepth'],
    ['iodepth', '0x10', 'ioDepth'],
  ] as const)('%s=%s is not taken for a number', (option, value, field) => {
    const [test] = testsOfFio(fio3({ name: 'a', read: did, options: { ...random, [option]: value } }));
    expect(test?.[field]).toEqual({ known: false, reason: { code: 'no-count', option, value } });
  });

  test.each([`${'9'.repeat(400)}k`, '9999g'])('bs=%s is not taken for a size', (bs) => {
    const [test] = testsOfFio(fio3({ name: 'a', read: did, options: { ...random, bs } }));
    expect(test?.blockKiB).toEqual({
      known: false,
      reason: { code: 'no-single-block-size', blocks: bs },
    });
  });

  test('percentiles that are printed are not mixed with those of bins, which may say less', () => {
    const { jobs = [], ...rest } = fio3({ name: 'a', read: { ...did, bins: { 3: 94, 7: 6 } } });
    for (const { read } of jobs)
      if (read?.clat_ns !== undefined) read.clat_ns = { ...read.clat_ns, percentile: { '50.000000': 50e6 } };
    const [test] = testsOfFio({ ...rest, jobs });
    expect(test?.latency).toMatchObject({ p50Ms: 3, p95Ms: 7, p99Ms: 7 });
  });

  test('with kb_base=1000 it is the other way round', () => {
    const options = { ...random, kb_base: '1000' };
    const [ki, k] = ['8ki', '8k'].map(
      (bs) => testsOfFio(fio3({ name: 'a', read: did, options: { ...options, bs } }))[0],
    );
    expect([ki?.blockKiB, k?.blockKiB]).toEqual([
      { known: true, value: 8 },
      { known: true, value: 7.8125 },
    ]);
  });

  test("of a server's clients each is a test, and their sum is none", () => {
    const { jobs, ...rest } = fio3({ name: 'one', read: did }, { name: 'All clients', read: did });
    const tests = testsOfFio({ ...rest, client_stats: jobs });
    expect(tests.map(({ name }) => name)).toEqual(['one']);
  });
});

describe('fio 2', () => {
  test('2.1: microseconds and KiB, and what it does not say is unknown', () => {
    const [test] = testsOfFio(fio21({ name: 'random-read', read: did }));
    expect(test).toMatchObject({
      iops: 1_000,
      mibps: 7.8125,
      latency: { meanMs: 3, p95Ms: 5, p99Ms: 10 },
      options: null,
    });
    expect(test?.access.known).toBe(false);
    expect(test?.users.known).toBe(false);
    // By its rates: 8,000 KiB a second in 1,000 operations.
    expect(test?.blockKiB).toEqual({ known: true, value: 8 });
    expect(test?.ioDepth).toEqual({ known: true, value: 1 });
  });

  test('2.1: five operations a second, 21 KiB: 4 KiB, as rates are rounded down', () => {
    const [test] = testsOfFio(
      fio21({ name: 'slow', read: { ...did, operations: 11_236, seconds: 2_127, blockKiB: 4 } }),
    );
    expect(test?.iops).toBe(5);
    expect(test?.blockKiB).toEqual({ known: true, value: 4 });
  });

  test('2.1: its own bins, the same for reads and writes', () => {
    const [test] = testsOfFio(fio21({ name: 'random-read', read: did }));
    expect(test?.bins.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
      [0, 0.25],
      [0.25, 0.5],
      [0.5, 0.75],
    ]);
    expect(test?.bins.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 6);
  });

  test('2.1 without group_reporting: as many users as there are entries', () => {
    const tests = testsOfFio(
      fio21(...Array.from({ length: 16 }, () => ({ name: 'random-read', read: did }))),
    );
    expect(tests.map(({ users }) => users)).toEqual([{ known: true, value: 16 }]);
  });

  test('2.x json+: bins are numbered, 64 for each doubling, in microseconds', () => {
    const result = fio21({ name: 'a', read: did });
    const clat = result.jobs?.[0]?.read?.clat;
    if (clat === undefined) throw new Error('no clat');
    // Bin 100 is 100 us. Bin 641: eleven doublings of 64 less one are 512 wide ones, (64 + 1.5) x 512 = 33,536 us.
    clat.bins = {
      FIO_IO_U_PLAT_BITS: 6,
      FIO_IO_U_PLAT_NR: 1216,
      FIO_IO_U_PLAT_VAL: 64,
      '0': 0,
      '100': 3,
      '641': 1,
    };
    const [test] = testsOfFio(result);
    expect(test?.bins.map(({ share }) => share)).toEqual([0.75, 0.25]);
    expect(test?.bins[1]?.fromMs).toBeLessThan(33.536);
    expect(test?.bins[1]?.toMs).toBeGreaterThan(33.536);
  });
});

test('notes that fio prints before its JSON are left out', () => {
  const text = `fio: this platform does not support process shared mutexes\n${JSON.stringify(fio3({ name: 'a', read: did }))}\n`;
  expect(jsonOfFio(text)).toMatchObject({ 'fio version': 'fio-3.33' });
});

test('a file that is cut short is no JSON', () => {
  const text = JSON.stringify(fio3({ name: 'a', read: did }));
  expect(() => jsonOfFio(text.slice(0, -20))).toThrow(SyntaxError);
});

test('a run of a profile: tests are called as its steps, and have their disks', () => {
  const counters = { uptimeSeconds: 10, disk: null, ebs: null, ebsReason: 'nvme-cli is not there' };
  const document = {
    ...{ version: 1, document: 'run-fio', runId: 'r', profile: 'report-card', variant: 'short' },
    steps: [
      {
        ...{ name: 'randread-8k-16', startedAt: '2026-11-22T10:00:00Z', users: 16 },
        fio: fio3({ name: 'randread-8k', read: did, options: random }),
        members: [
          {
            volumeId: 'vol-1',
            device: 'nvme1n1',
            before: counters,
            after: { ...counters, uptimeSeconds: 13 },
          },
        ],
      },
    ],
  };
  expect(isRunFio(document)).toBe(true);
  const [test] = testsOfRunFio(runFioSchema.parse(document));
  expect(test).toMatchObject({ name: 'randread-8k-16', users: { known: true, value: 16 } });
  expect(test?.members).toHaveLength(1);
});
