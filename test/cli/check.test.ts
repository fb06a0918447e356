/** `check` as a person types it. */
import { checkAnswerSchema } from '../../core/schemas/check-answer.ts';
import { commentMark } from '../../report/check/markdown.ts';
import { day, describeInstances, describeVolumes, getMetricData, load } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { terraformPlan, updateOf, volumeChange } from '../fixtures/terraform-plan.ts';
import { expectOneLine } from './expect-one-line.ts';
import { calm, minutes, vol } from './one-volume.ts';
import { cliJson, runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const gp2 = { size: 500, type: 'gp2' };
const plan = (name: string, ...changes: object[]): string =>
  directory.write(`${name}.json`, terraformPlan(...changes));

const wasteful = plan('wasteful', volumeChange('logs', null, gp2));
const good = plan(
  'good',
  volumeChange('logs', null, { size: 100, type: 'gp3', iops: 3_000, throughput: 125 }),
);

test('the table says what is found, what to do and what the volumes cost', async () => {
  const { code, out } = await runCli('check', wasteful);
  expect(code).toBe(0);
  expect(out).toMatch(/^stripewise check: 1 info\. Volumes: \+50\.00 USD a month\./); // 500 x 0.10
  expect(out).toMatch(/Fix +Set gp3 500 GiB, 3,000 IOPS, 250 MiB\/s: -5\.00 USD a month\./);
});

test('--fail-on ends with 1 from that severity on', async () => {
  expect((await runCli('check', wasteful, '--fail-on', 'info')).code).toBe(1);
  expect((await runCli('check', wasteful, '--fail-on', 'warning')).code).toBe(0);
});

test('a comment has the mark by which it is found again; without findings and below --min-usd there is none', async () => {
  const { out } = await runCli('check', wasteful, '--format', 'markdown');
  expect(out.split('\n')[0]).toBe(commentMark);
  const silent = await runCli('check', good, '--format', 'markdown', '--min-usd', '10'); // 100 x 0.08 = 8.00
  expect([silent.code, silent.out, silent.err]).toEqual([0, '', '']);
  expect((await runCli('check', good, '--format', 'markdown', '--min-usd', '5')).out).toMatch(
    /\+8\.00 USD a month/,
  );
});

test('what cannot be used is one line', async () => {
  await expectOneLine(['check', wasteful, '--min-usd', '5'], /--min-usd .* it is for --format markdown/);
  await expectOneLine(['check', wasteful, '--volumes', 'v.json'], /give --metrics or --archive too/);
  await expectOneLine(['check', wasteful, '--metrics', 'm.json'], /give --volumes too/);
  await expectOneLine(['check', wasteful, '--json', '--format', 'sarif'], /leave one of them out/);
  await expectOneLine(['check', '/no/such/plan.json'], /plan\.json/);
});

describe('against what was measured', () => {
  // 5,400 IOPS for 10 minutes of the day, 100 else: 6,000 IOPS serve all of it.
  const metrics = directory.write(
    'metrics.json',
    getMetricData(...load(vol, day(calm, minutes(600, 610, 324_000)))),
  );
  const there = { Size: 500, Iops: 6_000, Throughput: 250 };
  const tags = [{ Key: 'Name', Value: 'orders' }];
  const volumes = directory.write('volumes.json', describeVolumes({ ...there, Tags: tags }));
  const instances = directory.write('instances.json', describeInstances({ InstanceType: 'm5.8xlarge' }));
  const measured = ['--volumes', volumes, '--instances', instances, '--metrics', metrics];
  const before = { size: 500, type: 'gp3', iops: 6_000, throughput: 250 };
  const lowered = (name: string, id: string | null, iops: number, own: object = {}) =>
    plan(name, updateOf('orders', { ...before, ...own, ...(id === null ? {} : { id }) }, { iops }));

  test('6,000 -> 3,000 IOPS throttles the load that was measured, by the id of the state', async () => {
    const answer = checkAnswerSchema.parse(await cliJson('check', lowered('lower', vol, 3_000), ...measured));
    expect(answer.measured).toMatchObject({ simulated: [{ volumeId: vol }], notMatched: [] });
    const [finding] = answer.findings;
    expect(finding).toMatchObject({
      rule: 'measured-load',
      severity: 'warning',
      facts: { volumeId: vol, measuredDays: 1 },
    });
    if (finding?.facts.code !== 'throttles-measured-load') throw new Error('the measured load is throttled');
    // 10 minutes, and then 600 s x 2,400 I/O a second wait, of which 2,900 a second are served beside the 100: 497 s more.
    expect(finding.facts.throttledMinutesADayAfter).toBeGreaterThanOrEqual(18);
    expect(finding.facts.throttledMinutesADayAfter).toBeLessThanOrEqual(20);
    const { out } = await runCli('check', lowered('lower', vol, 3_000), ...measured);
    expect(out).toMatch(
      /6,000 -> 3,000 IOPS: (18|19|20) throttled minutes a day, at the load of the last 1 day \(simulated\)\./,
    );
  });

  test('6,500 IOPS throttle nothing', async () => {
    const { findings, measured: of } = await cliJson<{ findings: object[]; measured: object }>(
      'check',
      lowered('raised', vol, 6_500),
      ...measured,
    );
    expect(findings).toEqual([]);
    expect(of).toMatchObject({ simulated: [{ volumeId: vol }] });
  });

  test('a volume of which no metrics were read is said: nothing was simulated', async () => {
    const ofOther = directory.write(
      'other-metrics.json',
      getMetricData(...load('vol-0abcdef0123456789', day(calm))),
    );
    const { measured: of } = await cliJson<{ measured: object }>(
      'check',
      lowered('unmeasured', vol, 3_000),
      ...['--volumes', volumes, '--instances', instances, '--metrics', ofOther],
    );
    expect(of).toMatchObject({ simulated: [], notMatched: [{ reason: 'no-metrics' }] });
  });

  test('without an id its tags say which volume it is; of another name it is not found, and said', async () => {
    const ofTags = lowered('tags', null, 3_000, { tags: { Name: 'orders' } });
    expect(await cliJson('check', ofTags, ...measured)).toMatchObject({
      findings: [{ rule: 'measured-load' }],
    });
    const other = lowered('other', null, 3_000, { tags: { Name: 'another' } });
    expect(await cliJson('check', other, ...measured)).toMatchObject({
      findings: [],
      measured: { simulated: [], notMatched: [{ reason: 'not-found' }] },
    });
  });
});
