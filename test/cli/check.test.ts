/** `check` as a person types it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  expect(out).toMatch(/^stripewise check: 1 info\. Price: \+50\.00 USD a month \(volumes\)\./); // 500 x 0.10
  expect(out).toMatch(/Fix +Set gp3 500 GiB, 3,000 IOPS, 250 MiB\/s\.[\s\S]*Cost +-5\.00 USD a month\./);
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

describe('--output', () => {
  const path = (name: string): string => join(directory.path, name);

  test('writes several formats in one run, beside what is printed', async () => {
    const outputs = ['--output', `sarif=${path('a.sarif')}`, '--output', `markdown=${path('a=b.md')}`];
    const { code, out } = await runCli('check', wasteful, ...outputs);
    expect([code, out.split(':')[0]]).toEqual([0, 'stripewise check']);
    expect(JSON.parse(readFileSync(path('a.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
    expect(readFileSync(path('a=b.md'), 'utf8')).toMatch(new RegExp(`^${commentMark}\n`));
  });

  test('a comment that is not worth it is an empty file: who posts it sees that there is none', async () => {
    const { code } = await runCli('check', good, '--output', `markdown=${path('b.md')}`, '--min-usd', '10');
    expect([code, readFileSync(path('b.md'), 'utf8')]).toEqual([0, '']); // 8.00 is below 10
  });

  test('what cannot be used is one line, and no file is left', async () => {
    const before = readdirSync(directory.path);
    const line = (outputs: string[]) => [
      ...['check', wasteful],
      ...outputs.flatMap((one) => ['--output', one]),
    ];
    const good = `sarif=${path('c.sarif')}`;
    await expectOneLine(line(['sarif']), /"sarif" is no format with a file: give one like sarif=/);
    await expectOneLine(line([`pdf=${path('c')}`]), /is no format with a file/);
    await expectOneLine(line([good, good]), /has sarif twice/);
    await expectOneLine(line([good, `json=${path('c.sarif')}`]), /name the same file: give each its own$/);
    await expectOneLine(line([good, `json=${wasteful}`]), /--output json .* is a file that is read/);
    await expectOneLine(line([good, 'json=/no/such/c.json']), /there is no such directory/);
    await expectOneLine(['check', path('none.json'), '--output', good], /none\.json/);
    expect(readdirSync(directory.path)).toEqual(before);
  });
});

test('what cannot be used is one line', async () => {
  await expectOneLine(
    ['check', wasteful, '--min-usd', '5'],
    /--min-usd is for a comment: give --format markdown or --output markdown=FILE/,
  );
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
      /6,000 -> 3,000 IOPS: (18|19|20) throttled minutes a day instead of 0\.\n +Evidence +The load of \S+ in one day of metrics, simulated\.\n/,
    );
  });

  test('of three days one is throttled: severity goes by it, as in the audit, and not by the mean of the days', async () => {
    // 40 minutes, and then 2,400 s x 2,400 / 2,900 = 1,986 s more: 73 minutes of one day, 24 of each.
    const days = directory.write(
      'days.json',
      getMetricData(...load(vol, [...day(calm), ...day(calm, minutes(600, 640, 324_000)), ...day(calm)])),
    );
    const given = ['--volumes', volumes, '--instances', instances, '--metrics', days];
    const answer = checkAnswerSchema.parse(
      await cliJson('check', lowered('three-days', vol, 3_000), ...given),
    );
    const [finding] = answer.findings;
    if (finding?.facts.code !== 'throttles-measured-load') throw new Error('the measured load is throttled');
    const { throttledMinutesADayAfter, throttledMinutesPeak24hAfter, measuredDays } = finding.facts;
    expect([finding.severity, measuredDays]).toEqual(['critical', 3]); // from 60 minutes on
    expect(throttledMinutesPeak24hAfter).toBeGreaterThanOrEqual(72);
    expect(throttledMinutesPeak24hAfter).toBeLessThanOrEqual(75);
    expect(throttledMinutesADayAfter).toBeCloseTo(throttledMinutesPeak24hAfter / 3, 1);
    const { out } = await runCli('check', lowered('three-days', vol, 3_000), ...given);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /in 3 days of metrics, simulated\. Peak 24 h: 7[2-5] throttled minutes\./,
    );
  });

  test('on an Outpost its limits hold: 6,000 -> 3,000 is simulated, 20,000 IOPS no Outpost has', async () => {
    const outpost = { OutpostArn: 'arn:aws:outposts:us-east-1:111122223333:outpost/op-0123456789abcdef0' };
    const onOutpost = directory.write('outpost.json', describeVolumes({ ...there, ...outpost }));
    const given = ['--volumes', onOutpost, '--instances', instances, '--metrics', metrics];
    const of = async (iops: number) =>
      (await cliJson<{ measured: object }>('check', lowered(`outpost-${iops}`, vol, iops), ...given))
        .measured;
    expect(await of(3_000)).toMatchObject({ simulated: [{ volumeId: vol }], notMatched: [] });
    expect(await of(20_000)).toMatchObject({ simulated: [], notMatched: [{ reason: 'not-on-outposts' }] }); // 16,000
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
