/** `plan` as a person types it: what people ask about databases on EBS, and the answers with their reasons. */
import { type PlanAnswer, type PlanReason, planAnswerSchema } from '../../core/schemas/plan-answer.ts';
import type { Refused } from '../../core/schemas/plan-refused.ts';
import { refusedWhatText } from '../../report/wording/plan.ts';
import { cliJson, runCli } from './run-cli.ts';

/** The answer, which must be one by its schema and nothing more. */
async function planned(line: string): Promise<PlanAnswer> {
  return planAnswerSchema.strict().parse(await cliJson('plan', ...line.split(' ')));
}

type PlanOption = PlanAnswer['options'][number];

const short = ({ layout }: PlanOption): string => `${layout.members} x ${layout.volumeType}`;
const first = ({ options }: PlanAnswer): PlanOption => {
  const [option] = options;
  if (option === undefined) throw new Error('there is no option');
  return option;
};
const refused = ({ refused: all }: PlanAnswer, what: RegExp): Refused => {
  const found = all.find((one) => what.test(refusedWhatText(one)));
  if (found === undefined) throw new Error(`nothing is said of ${what}`);
  return found;
};
const reason = <C extends PlanReason['code']>({ reasons }: PlanOption, code: C) =>
  reasons.find((one): one is Extract<PlanReason, { code: C }> => one.code === code);
const single = ({ options }: PlanAnswer, volumeType: string): PlanOption => {
  const found = options.find(({ layout }) => layout.kind === 'single' && layout.volumeType === volumeType);
  if (found === undefined) throw new Error(`no single ${volumeType}`);
  return found;
};

const lost = { code: 'data-on-the-instance', isOnlyWay: false };
const random = '--iops 3000 --throughput-mibps 125 --capacity-gib 500';
const scan = '--access sequential --io-size-kib 1024';

describe('"Understanding database IOPS": its questions', () => {
  test('which type for random I/O? SSD: gp3; HDD is refused, and why', async () => {
    const answer = await planned(`${random} --access random`);
    expect(short(first(answer))).toBe('1 x gp3');
    expect(refused(answer, /st1, sc1/).reason).toEqual({ code: 'hdd-random' });
  });

  test('which SSD when cost matters? gp3: gp2 costs a quarter more and has nothing for it', async () => {
    const answer = await planned(random);
    expect(first(answer).monthlyUsd.total).toBe(40); // 500 x 0.08
    // gp2 has 3 IOPS a GiB all the time: 1,000 GiB x 0.10 = 100
    expect(refused(answer, /^gp2$/).reason).toMatchObject({
      ...{ code: 'older-type', members: 1, sizeGiB: 1_000, monthlyUsdMore: 60 },
      gp3SavesShare: expect.closeTo(0.2, 9) as number,
    });
  });

  test('which for large sequential I/O? st1, sc1 or instance store', async () => {
    const answer = await planned(`--throughput-mibps 200 --capacity-gib 8000 ${scan} --top 10`);
    const types = answer.options.map(({ layout }) => layout.volumeType);
    expect(types).toEqual(expect.arrayContaining(['st1', 'sc1']));
    expect(refused(answer, /instance store/).reason).toEqual(lost);
    const [nearest] = refused(answer, /instance store/).nearest;
    if (nearest?.code !== 'instance-store') throw new Error('an instance is named');
    expect(nearest.disks).toBeGreaterThan(0);
    expect(nearest.totalGB).toBeGreaterThanOrEqual(8_590); // 8,000 GiB
  });

  test('which EBS for large sequential I/O? st1, where throughput decides', async () => {
    // 500 MiB/s on 12,800 GiB: st1 has 40 MiB/s a TiB, 12,800 x 0.045 = 576.00.
    // sc1 with 12 a TiB needs 42,667 GiB: 640.00. gp3 is 4 x 3,200 x 0.08 = 1,024.00, its 4 x 125 MiB/s for nothing.
    const answer = await planned(`--throughput-mibps 500 --capacity-gib 12800 ${scan} --top 20`);
    expect(first(answer)).toMatchObject({
      layout: { volumeType: 'st1', members: 1, sizeGiB: 12_800, throughputMiBps: 500 },
      monthlyUsd: { total: 576 },
    });
    expect(reason(first(answer), 'hdd-baseline')).toMatchObject({
      ...{ volumeType: 'st1', baselineMiBpsPerTiB: 40 },
    });
    const sc1 = answer.options.filter(({ layout }) => layout.volumeType === 'sc1');
    expect(Math.min(...sc1.map(({ monthlyUsd }) => monthlyUsd.total ?? 0))).toBeGreaterThan(640);
    const gp3 = await planned(`--throughput-mibps 500 --capacity-gib 12800 ${scan} --types gp3`);
    expect(first(gp3).monthlyUsd.total).toBe(1_024);
  });

  test('more than 10,000 and less than 20,000 IOPS? gp3, one volume or a stripe; io1 is compared', async () => {
    const answer = await planned('--iops 15000 --throughput-mibps 250 --capacity-gib 1000');
    expect(first(answer)).toMatchObject({
      layout: { kind: 'stripe', members: 5, volumeType: 'gp3', iops: 3_000 },
      monthlyUsd: { total: 80 }, // 5 x 200 x 0.08
    });
    expect(single(answer, 'gp3')).toMatchObject({
      layout: { sizeGiB: 1_000, iops: 15_000, throughputMiBps: 250 },
      monthlyUsd: { total: 145 }, // 80 + 12,000 x 0.005 + 125 x 0.04
    });
    // io1: 1,000 x 0.125 + 15,000 x 0.065 = 1,100
    expect(refused(answer, /^io1$/).reason).toMatchObject({ code: 'older-type', monthlyUsdMore: 1_020 });
  });

  test('a data warehouse? st1: the same as large sequential I/O', async () => {
    const answer = await planned(`--throughput-mibps 1000 --capacity-gib 25600 ${scan} --read-share 0.95`);
    expect(short(first(answer))).toBe('2 x st1'); // 2 x 12,800 GiB of 500 MiB/s each
    expect(first(answer).monthlyUsd.total).toBe(1_152); // 25,600 x 0.045
  });

  test('more than 80,000 IOPS? a stripe, or io2, on an instance that carries it; instance store and what it loses', async () => {
    const answer = await planned('--iops 120000 --capacity-gib 2000 --vcpus 16 --memory-gib 64');
    expect(first(answer)).toMatchObject({ layout: { kind: 'stripe', volumeType: 'gp3' } });
    expect(single(answer, 'io2').layout.iops).toBe(120_000);
    for (const option of answer.options) {
      expect(option.instanceType).toMatch(/\./);
      expect(option.monthlyUsd.instance).toBeGreaterThan(0);
      expect(reason(option, 'instance-baseline')?.baselineIops).toBeGreaterThanOrEqual(120_000);
    }
    expect(refused(answer, /^one gp3/).reason).toMatchObject({
      ...{ code: 'volume-limit', limit: 'iops', volumeType: 'gp3', asked: 120_000, atMost: 80_000 },
    });
    expect(refused(answer, /instance store/).reason).toEqual(lost);
  });

  test('1,440,000 IOPS on one instance? a stripe of io2', async () => {
    const answer = await planned('--iops 1440000 --capacity-gib 4000 --vcpus 1 --types io2 --max-members 8');
    expect(short(first(answer))).toBe('6 x io2'); // 6 x 240,000, three a card
    expect(first(answer).instanceType).toMatch(/48xlarge|96xlarge/);
  });

  test('consistent performance for a critical load? io2 beside gp3, both priced', async () => {
    const answer = await planned('--iops 16000 --throughput-mibps 500 --capacity-gib 1000');
    const io2 = single(answer, 'io2');
    expect(io2.monthlyUsd.total).toBe(1_165); // 125 + 16,000 x 0.065
    expect(io2.annualFailureRate).toBe(0.000_01);
    expect(reason(io2, 'io2-promises')).toBeDefined();
    expect(single(answer, 'gp3').monthlyUsd.total).toBe(160); // 80 + 13,000 x 0.005 + 375 x 0.04
  });

  test('HDD when cost matters? sc1, where capacity decides; and never for random I/O', async () => {
    const answer = await planned(`--throughput-mibps 100 --capacity-gib 10000 ${scan}`);
    expect(first(answer)).toMatchObject({
      layout: { volumeType: 'sc1', members: 1, sizeGiB: 10_000 }, // 12 x 9.77 TiB = 117 MiB/s
      monthlyUsd: { total: 150 }, // 10,000 x 0.015
    });
    expect(reason(first(answer), 'hdd-baseline')?.volumeType).toBe('sc1');
    const atRandom = await planned(
      '--throughput-mibps 100 --capacity-gib 10000 --io-size-kib 1024 --types sc1',
    );
    expect(atRandom.options).toEqual([]);
    expect(refused(atRandom, /sc1/).reason).toEqual({ code: 'hdd-random' });
  });

  test('m5.2xlarge for 20,000 IOPS? no: 18,750 at most, and 12,000 all the time', async () => {
    const answer = await planned(
      '--iops 20000 --throughput-mibps 200 --capacity-gib 500 --instance-type m5.2xlarge',
    );
    expect(answer.options).toEqual([]);
    const { reason, nearest } = refused(answer, /^instance m5.2xlarge$/);
    expect(reason).toMatchObject({ iops: { asked: 20_000, maximum: 18_750, baseline: 12_000 } });
    expect(nearest).toEqual([
      expect.objectContaining({ instanceType: 'm6in.2xlarge', baselineIops: 25_000 }),
      expect.objectContaining({ instanceType: expect.stringMatching(/^m5\./) }),
    ]);
  });

  test('how many IOPS are 160 MiB/s of 256 KiB? 640', async () => {
    const { need } = await planned('--throughput-mibps 160 --io-size-kib 256');
    expect(need.iops).toBe(640); // 160 x 1,024 / 256
  });

  test('can 16 sequential writes of 16 KiB count as one? they can, and the plan does not rely on it', async () => {
    const answer = await planned('--iops 3000 --access sequential --read-share 0');
    expect(reason(first(answer), 'merging-not-counted')).toEqual({
      ...{ code: 'merging-not-counted', ioSizeKiB: 16, merged: 16, unitKiB: 256 },
    });
    expect(reason(first(await planned('--iops 3000')), 'merging-not-counted')).toBeUndefined();
  });

  test('EBS or instance store? named where EBS cannot, and with what is lost; not where nobody would ask', async () => {
    const cannot = await planned('--iops 3000000 --capacity-gib 500');
    expect(cannot.options).toEqual([]);
    expect(refused(cannot, /instance store/).reason).toEqual({ ...lost, isOnlyWay: true });
    const { refused: all } = await planned(random);
    expect(all.map(({ reason }) => reason.code)).not.toContain('data-on-the-instance');
  });
});

describe('what cannot be had ends well, with what is in the way', () => {
  test.each([
    ['--iops 3000000 --capacity-gib 500', /at most 256,000 IOPS/],
    ['--capacity-gib 102400 --max-members 1', /at most 65,536 GiB/],
    ['--iops 100 --max-annual-failure-rate 0.000001', /above the ceiling of 0.0001 %/],
    ['--iops 5000 --instance-type t2.micro', /EC2 reports no EBS limits for t2.micro/],
    ['--iops 100 --kinds raid10 --max-members 3', /at most 3 members are allowed/],
    // What is nearest has the most that a volume has: its last digits ask for no IOPS above 64,000.
    [
      '--types io1 --throughput-mibps 50000 --io-size-kib 256 --kinds stripe --max-members 3',
      /Nearest: 12,000 IOPS and 3,000 MiB\/s with 3 x io1/,
    ],
  ])('%s', async (line, reason) => {
    const { code, out, err } = await runCli('plan', ...line.split(' '));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/Nothing is good enough within what was asked/);
    expect(out).toMatch(reason);
    expect(out).toMatch(/Nearest: /);
  });

  test('as many members as the option allows are planned, with their steps', async () => {
    const answer = await planned(
      '--iops 78000 --throughput-mibps 3250 --types gp3 --max-members 26 --max-annual-failure-rate 1',
    );
    expect(first(answer).layout).toMatchObject({ members: 26, iops: 3_000, throughputMiBps: 125 }); // nothing is paid
    expect(first(answer).steps.awsCli.join()).toMatch(/--device \S+/);
  });
});
