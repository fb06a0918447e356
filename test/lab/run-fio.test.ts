import { z } from 'zod';
import {
  commonSection,
  placesOf,
  profileNames,
  profiles,
  stepSections,
} from '../../core/benchmark/profiles.ts';
import { overTimeSchema } from '../../core/report-card/over-time.ts';
import type { Ended } from '../../local/lab/guest-agent.ts';
import { Lab } from '../../local/lab/lab.ts';
import { iopsOnly, unlimited } from '../../local/lab/throttle.ts';
import type { Disk } from '../../local/lab/vm.ts';
import {
  afterTool,
  duringTool,
  killedAt,
  type Point,
  powerFailsAt,
  scriptEndedAt,
  scriptKilledAt,
  whileAt,
} from './hooks.ts';
import { KnownStates } from './known-state.ts';
import { logPage } from './log-page.ts';
import {
  isWithinTenth,
  limit,
  loads,
  measuredUndisturbed,
  mibpsOnly,
  readJson,
  replaced,
  restored,
} from './measuring.ts';
import { ask, deviceOf, failureOf, resultOf, stepsOf, volumeId } from './stripes.ts';

const root = `${__dirname}/../..`;
/** Two of a stripe, and one each for a write image journal and a journal. */
const disks: readonly Disk[] = [1, 2, 3, 4].map((number) => ({
  ...{ volumeId: volumeId(number), sizeMiB: number < 3 ? 256 : 64, throttle: unlimited },
}));
const memberIops = 600;
const stripeIops = 2 * memberIops;
const randomReads = ['randread-8k-16', 'randread-8k-32'];

let lab: Lab;
const run = (parameters: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Ended> =>
  lab.run(
    'run-fio',
    { variant: 'short', directory: '/srv/data', ...parameters },
    signal === undefined ? {} : { signal },
  );
const mount = `vgchange -q -ay lab && mount /dev/lab/data /srv/data &&
  mount ${deviceOf(3)} /srv/wij && mount ${deviceOf(4)} /srv/journal`;
const limitMembers = () => limit(lab, [1, 2], iopsOnly(memberIops));
const resultFile = (runId: string): string => `/var/lib/stripewise/results/${runId}/result.json`;
/** While a step measures. */
const measuring = duringTool('fio', '*/run/stripewise/job');
/** Files of a benchmark, wherever there are any, and where somebody noted that there are. */
const files = () =>
  ask(lab, 'ls -d /srv/*/.stripewise-benchmark /var/lib/stripewise/using 2> /dev/null || true');

beforeAll(async () => {
  lab = await Lab.start({ root, name: 'test-run-fio', disks, say: () => {} });
});
afterAll(() => lab.stop());

async function makeFileSystems(): Promise<void> {
  await ask(
    lab,
    `mkdir -p /srv/data /srv/wij /srv/journal && vgcreate -q lab ${deviceOf(1)} ${deviceOf(2)} &&
     lvcreate -q --yes --stripes 2 --stripesize 128k --extents 100%FREE --name data lab && mkfs.xfs -q /dev/lab/data &&
     mkfs.ext4 -q ${deviceOf(3)} && mkfs.ext4 -q ${deviceOf(4)} && ${mount}`,
  );
  await limitMembers();
}
/** Removes what a run leaves that was ended. */
const forget = () =>
  ask(lab, 'rm -rf /srv/*/.stripewise-benchmark /var/lib/stripewise/using /var/lib/stripewise/results/ended');

/** The random reads: in each step, and in each of its seconds. */
async function isAtLimit(said: Ended): Promise<boolean> {
  const { steps, file } = summarySchema.parse(resultOf(said));
  const result = resultSchema.parse(await readJson(lab, file));
  return randomReads.every((at) => {
    const { iops = 0 } = steps.find(({ name }) => name === at) ?? {};
    const waitMs = (Number(at.split('-').at(-1)) / iops) * 1000;
    const { overTime } = result.steps.find(({ name }) => name === at) ?? {};
    const off = [
      ...(overTime?.iops ?? []).map((second) => (second ?? 0) / stripeIops),
      ...(overTime?.latencyMs ?? []).map((ms) => (ms ?? 0) / waitMs),
    ];
    return isWithinTenth(iops, stripeIops) && off.every((share) => share > 0.6 && share < 1.4);
  });
}
/** What the finished run said that the state is named for. */
let card: Ended;
const { from, reading } = new KnownStates(() => lab, disks, {
  /** Without files or results of a run, and members at their limit. */
  'file systems': makeFileSystems,
  'a finished run': async () => {
    await makeFileSystems();
    await replaced(lab, 'aws', 'echo "$@" > /run/aws-said; cp "$4" /run/uploaded');
    card = await measuredUndisturbed(
      lab,
      'report-card',
      () => run({ profile: 'report-card', runId: 'card', s3Uri: 's3://results/lab' }),
      isAtLimit,
      () => ask(lab, 'rm -rf /var/lib/stripewise/results/card'),
    );
  },
});

const counters = z.strictObject({
  uptimeSeconds: z.number(),
  disk: z.object({ reads: z.int(), readSectors: z.int(), writes: z.int(), busyMs: z.int() }),
  ebs: z.null(),
  ebsReason: z.string(),
});
const direction = z.object({ iops: z.number(), bw_bytes: z.number(), total_ios: z.int() });
const resultSchema = z.object({
  version: z.literal(1),
  profile: z.string(),
  variant: z.string(),
  steps: z.array(
    z.object({
      name: z.string(),
      startedAt: z.iso.datetime(),
      fio: z.object({
        jobs: z.array(
          z.object({ jobname: z.string(), error: z.literal(0), read: direction, write: direction }),
        ),
      }),
      members: z.array(
        z.object({ volumeId: z.string(), device: z.string(), before: counters, after: counters }),
      ),
      overTime: overTimeSchema,
    }),
  ),
});
const summarySchema = z.object({
  ...{
    document: z.literal('run-fio'),
    runId: z.string(),
    file: z.string(),
    bytes: z.int(),
    s3Uri: z.string(),
  },
  steps: z.array(
    z.object({
      ...{ name: z.string(), iops: z.number(), mibps: z.number() },
      ...{ p50Ms: z.number(), p95Ms: z.number(), p99Ms: z.number() },
    }),
  ),
});

test(
  'fio understands every step of every profile',
  reading('file systems', async () => {
    for (const variant of ['full', 'short'] as const) {
      const directory = `/run/jobs-${variant}`;
      await ask(lab, `mkdir -p ${directory}`);
      for (const name of profileNames)
        for (const step of profiles[name][variant].steps)
          await lab.vm.agent.writeFile(
            `${directory}/${name}-${step.name}`,
            `${commonSection}${stepSections(step)}`,
          );
      const sizes = 'FILE_MIB=64 SHARE_MIB=1 PART_MIB=4 DATA=/d WRITE_IMAGE_JOURNAL=/w JOURNAL=/j';
      expect(await ask(lab, `${sizes} fio --parse-only --warnings-fatal ${directory}/*`)).toBe('');
    }
  }),
);

test(
  'report-card: whole result with rates as limited, in the file and in S3; its files are gone',
  reading('a finished run', async () => {
    const said = card;
    const summary = summarySchema.parse(resultOf(said));
    expect(said.stdout.length).toBeLessThan(3_000);
    expect(await ask(lab, 'cat /run/aws-said')).toBe(
      `s3 cp --only-show-errors ${resultFile('card')} s3://results/lab/card.json`,
    );
    expect(await ask(lab, `cmp /run/uploaded ${resultFile('card')} && stat -c %s /run/uploaded`)).toBe(
      `${summary.bytes}`,
    );
    const result = resultSchema.parse(await readJson(lab, summary.file));
    const names = profiles['report-card'].short.steps.map(({ name }) => name);
    expect(result.steps.map(({ name }) => name)).toEqual(names);
    expect(summary.steps.map(({ name }) => name)).toEqual(names);
    for (const at of randomReads) {
      const iops = summary.steps.find(({ name }) => name === at)?.iops ?? 0;
      expect(iops).toBeGreaterThan(stripeIops * 0.9);
      expect(iops).toBeLessThan(stripeIops * 1.1);
      const step = result.steps.find(({ name }) => name === at);
      expect(step?.members.map((member) => member.volumeId)).toEqual([volumeId(1), volumeId(2)]);
      // Both did half of it.
      const reads = step?.members.map(({ before, after }) => after.disk.reads - before.disk.reads) ?? [];
      const total = step?.fio.jobs[0]?.read.total_ios ?? 0;
      for (const of of reads) expect(of / total).toBeCloseTo(0.5, 1);
      expect(step?.members[0]?.before.ebsReason).toMatch(/^the device gave none: .*Invalid/);
      // Of 3 s whole seconds alone.
      const overTime = step?.overTime;
      expect(overTime).toMatchObject({ secondsPerPoint: 1 });
      expect(overTime?.iops.length).toBeGreaterThanOrEqual(2);
      expect(overTime?.iops.length).toBeLessThanOrEqual(3);
      for (const second of overTime?.iops ?? []) {
        expect(second).toBeGreaterThan(stripeIops * 0.6);
        expect(second).toBeLessThan(stripeIops * 1.4);
      }
      // As many users as wait for so many a second.
      const waitMs = (Number(at.split('-').at(-1)) / iops) * 1000;
      for (const second of overTime?.latencyMs ?? []) {
        expect(second).toBeGreaterThan(waitMs * 0.6);
        expect(second).toBeLessThan(waitMs * 1.4);
      }
    }
    expect(said.stderr).toBe('');
    expect(await ask(lab, 'ls /run/stripewise')).not.toContain('logs');
    expect(await files()).toBe('');
  }),
);

test(
  'a run that is finished is not measured again, only uploaded; S3 that refuses is said, and the file stays',
  reading('a finished run', async () => {
    await replaced(
      lab,
      'aws',
      'echo "fatal error: An error occurred (AccessDenied) when calling the PutObject" >&2; exit 1',
    );
    const parameters = { profile: 'report-card', runId: 'card', s3Uri: 's3://results/lab' };
    expect(failureOf(await run(parameters))).toMatch(
      /^run-fio: step "upload the result" failed: aws s3 cp to s3:\/\/results\/lab\/card\.json ended with status 1: fatal error: .*AccessDenied.*\. The result is in \/var\/lib\/stripewise\/results\/card\/result\.json, and the same command once more only uploads it$/,
    );
    await replaced(lab, 'aws', 'cp "$4" /run/uploaded-again');
    const again = await run(parameters);
    expect(again.stdout).toContain('nothing to measure');
    expect(summarySchema.parse(resultOf(again)).steps).toHaveLength(8);
    await ask(lab, `cmp /run/uploaded-again ${resultFile('card')}`);
    expect(failureOf(await run({ ...parameters, profile: 'oltp' }))).toMatch(
      /run card was another \(profile=report-card .*give another runId$/,
    );
  }),
);

test(
  'iris-ranwrite: three file systems, and what the volumes themselves counted',
  reading('file systems', async () => {
    await lab.vm.agent.writeFile('/run/log-page', logPage);
    await replaced(lab, 'nvme', 'cat /run/log-page');
    const directories = { writeImageJournalDirectory: '/srv/wij', journalDirectory: '/srv/journal' };
    const { file } = summarySchema.parse(
      resultOf(await run({ profile: 'iris-ranwrite', runId: 'iris', ...directories })),
    );
    await restored(lab, 'nvme');
    const { steps } = await readJson<{
      steps: {
        fio: { jobs: { jobname: string; write: { total_ios: number; io_bytes: number } }[] };
        members: { volumeId: string; before: object }[];
      }[];
    }>(lab, file);
    const [step] = steps;
    expect(step?.members.map((member) => member.volumeId)).toEqual([1, 2, 3, 4].map(volumeId));
    expect(step?.members[0]?.before).toMatchObject({
      ebs: {
        ...{
          readOps: 1,
          writeOps: 2,
          readBytes: 4_096,
          writeBytes: 5_000_000_000,
          readMicroseconds: 5,
          writeMicroseconds: 6,
        },
        ...{ volumeIopsExceededMicroseconds: 7, volumeThroughputExceededMicroseconds: 8 },
        ...{
          instanceIopsExceededMicroseconds: 9,
          instanceThroughputExceededMicroseconds: 10,
          queueLength: 11,
        },
        readHistogram: [[64, 128, 3]],
        writeHistogram: [
          [0, 64, 1],
          [128, 256, 4_000_000_000],
        ],
      },
    });
    const job = (name: string) => step?.fio.jobs.find(({ jobname }) => jobname === name)?.write;
    // 64 MiB / 16 each.
    for (const cycle of [1, 2]) {
      expect(job(`write-image-journal-${cycle}`)).toMatchObject({ io_bytes: 4 * 1024 * 1024, total_ios: 16 });
      expect(job(`database-${cycle}`)).toMatchObject({ io_bytes: 4 * 1024 * 1024, total_ios: 512 });
    }
    expect(job('journal')?.total_ios).toBeGreaterThanOrEqual(4);
    expect(placesOf(profiles['iris-ranwrite'].short)).toHaveLength(3);
    expect(await files()).toBe('');
  }),
);

describe('ended in the middle', () => {
  const parameters = { profile: 'drain-credits', runId: 'ended' };
  const begin = () => run(parameters);
  /** A run that was killed before it wrote its files, and its directory. */
  const leaveOne = () => killedAt(lab, afterTool('mkdir', '*/results/ended'), begin);

  test.each([
    ['it has made its directory', afterTool('mkdir', '*/.stripewise-benchmark'), 'make room for the files'],
    ['it has written its file', afterTool('fio', '*--name=lay*'), 'write the files'],
  ])(
    'killed when %s',
    reading('file systems', async (_: string, point: Point, step: string) => {
      const killed = await killedAt(lab, point, begin);
      expect([killed.signal, stepsOf(killed).at(-1)]).toEqual([9, step]);
      expect(await loads(lab)).toEqual([]);
      expect(await files()).toBe('/srv/data/.stripewise-benchmark\n/var/lib/stripewise/using');
      await forget();
    }),
  );

  test(
    'cancelled under fio: the agent kills the process group',
    reading('file systems', async () => {
      await leaveOne();
      const cancel = new AbortController();
      const { signal, stdout } = await whileAt(
        lab,
        measuring,
        () => run(parameters, cancel.signal),
        () => cancel.abort(),
      );
      expect(signal).toBe(9);
      expect(stdout).toContain('what an earlier run left in /srv/data is removed');
      expect(stdout).toContain('an earlier run ended was not finished: it starts over');
      expect(await loads(lab)).toEqual([]);
      await forget();
    }),
  );

  test(
    'the script alone is killed: fio ends with it',
    reading('file systems', async () => {
      expect((await scriptKilledAt(lab, measuring, begin)).exitCode).toBe(137);
      expect(await loads(lab)).toEqual([]);
      await forget();
    }),
  );

  test(
    'the power fails',
    reading('file systems', async () => {
      await powerFailsAt(lab, measuring, begin, disks.toReversed());
      await ask(lab, mount);
      await limitMembers();
      expect(await files()).toContain('/var/lib/stripewise/using');
      await forget();
    }),
  );

  test(
    'somebody ends it: its files are gone at once',
    reading('file systems', async () => {
      expect((await scriptEndedAt(lab, measuring, begin)).exitCode).toBe(143);
      expect([await loads(lab), await files()]).toEqual([[], '']);
      await forget();
    }),
  );

  test(
    'killed when its files are removed and that is not noted: the next run has nothing to do',
    reading('file systems', async () => {
      await leaveOne();
      await ask(lab, 'rm -rf /srv/data/.stripewise-benchmark /var/lib/stripewise/using');
      const point = afterTool('rm', '-rf?/srv/data/.stripewise-benchmark');
      const killed = await killedAt(lab, point, begin);
      expect([killed.signal, stepsOf(killed).at(-1)]).toEqual([9, 'remove the files']);
      expect(await files()).toBe('/var/lib/stripewise/using');
      expect(killed.stdout).toContain('an earlier run ended was not finished: it starts over');
      const again = await run(parameters);
      expect(again.stdout).toContain('nothing to measure');
      expect(summarySchema.parse(resultOf(again)).steps).toHaveLength(1);
      expect(resultSchema.parse(await readJson(lab, resultFile('ended'))).steps).toHaveLength(1);
      expect(await files()).toBe('');
      await forget();
    }),
  );
});

describe('refused, and nothing is left of it', () => {
  const profile = 'drain-credits';
  test.each([
    [
      'a directory of the root file system',
      { directory: '/srv' },
      'step "make room for the files" failed: /srv is no mount point',
    ],
    [
      'too little room',
      { fileSizeMiB: '600' },
      /\/srv\/data has \d+ MiB free, and the files need 600 MiB and a twentieth more$/,
    ],
    [
      'too little time',
      { profile: 'report-card', timeLimitSeconds: '20' },
      'timeLimitSeconds is 20, and the steps of report-card alone take 24 s',
    ],
    [
      'one directory for three',
      { profile: 'iris-ranwrite' },
      'writeImageJournalDirectory and journalDirectory must be given too',
    ],
  ])(
    '%s',
    reading('file systems', async (_: string, parameters: Record<string, string>, why: string | RegExp) => {
      expect(failureOf(await run({ profile, runId: 'refused', ...parameters }))).toMatch(why);
      expect(await ask(lab, 'ls /var/lib/stripewise/results 2> /dev/null; true')).not.toContain('refused');
      expect(await files()).toBe('');
    }),
  );

  test(
    'a fio of another time',
    reading('file systems', async () => {
      await replaced(lab, 'fio', 'echo fio-2.1.11');
      expect(failureOf(await run({ profile, runId: 'refused' }))).toMatch(
        'step "look for fio" failed: fio is of version fio-2.1.11, and must be of 3.0 or a later one',
      );
      await restored(lab, 'fio');
    }),
  );
});

test(
  'the time limit ends fio, and is said',
  from('file systems', async () => {
    await limit(lab, [1, 2], mibpsOnly(1));
    expect(failureOf(await run({ profile: 'drain-credits', runId: 'late', timeLimitSeconds: '10' }))).toBe(
      'run-fio: step "write the files" failed: the time limit of 10 s is over',
    );
    expect([await loads(lab), await files()]).toEqual([[], '']);
  }),
);

test(
  'a volume that is pulled under fio is named with the step',
  from('file systems', async () => {
    const pulled = await whileAt(
      lab,
      measuring,
      () => run({ profile: 'randrw-16k', runId: 'pulled' }),
      () => lab.vm.detach(volumeId(2)),
    );
    expect(failureOf(pulled)).toMatch(
      /^run-fio: step "randrw-16k-10" failed: fio ended with status \d+: fio: .*\/srv\/data\/\.stripewise-benchmark\/data.*Input\/output error/,
    );
    expect(await loads(lab)).toEqual([]);
  }),
);
