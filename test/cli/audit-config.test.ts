/** `audit --config`: other words, exclusions by tag, Regions and lookback; what stands on the command line goes before it. */
import { type AuditResult, auditResultSchema } from '../../core/schemas/audit-result.ts';
import { day, describeInstances, describeVolumes, getMetricData, load } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { calm, calmQueue, full, instance, kindsOf, minutes, vol } from './one-volume.ts';
import { type CliRun, runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const scratch = 'vol-00000000000000002';
/** 8 minutes at its limit, with a queue: a warning from 5 on. */
const throttled = (id: string) =>
  load(id, day(calm, minutes(100, 108, full)), { VolumeQueueLength: day(calmQueue, minutes(100, 108, 64)) });

const files = [
  '--volumes',
  directory.write(
    'volumes.json',
    describeVolumes(
      {
        Tags: [
          { Key: 'team', Value: 'payments' },
          { Key: 'secret', Value: 'of nobody here' },
        ],
      },
      { VolumeId: scratch, Tags: [{ Key: 'environment', Value: 'test' }] },
    ),
  ),
  '--instances',
  directory.write('instances.json', describeInstances({ Tags: [{ Key: 'team', Value: 'hosts' }] })),
  '--metrics',
  directory.write('metrics.json', getMetricData(...throttled(vol), ...throttled(scratch))),
];
let configs = 0;
const withConfig = (text: string): string[] => [
  '--config',
  directory.write(`config-${++configs}.yaml`, text),
];

async function audited(...options: string[]): Promise<AuditResult> {
  const { out, err } = await runCli('audit', ...files, '--json', ...options);
  expect(err).toBe('');
  return auditResultSchema.parse(JSON.parse(out));
}

test('another figure changes the evaluation, and the result says so', async () => {
  const notified = ['throttled-volume-iops warning', 'throttled-volume-iops warning'];
  const documented = await audited();
  expect(kindsOf(documented)).toEqual(notified);
  expect(documented.thresholds).toBeUndefined();
  const others = await audited(...withConfig('thresholds: { throttledWarningMinutes: 9 }'));
  expect(kindsOf(others)).toEqual([]);
  expect(others.volumes.map(({ status }) => status)).toEqual(['healthy', 'healthy']);
  expect(others.thresholds).toEqual({ throttledWarningMinutes: 9 });
  // What one command sets is not there in the next.
  expect(kindsOf(await audited())).toEqual(notified);
});

test('who reads the text is told that words mean other figures', async () => {
  const { out } = await runCli(
    'audit',
    ...files,
    ...withConfig('thresholds: { throttledWarningMinutes: 9 }'),
  );
  expect(out).toContain(
    'Thresholds that differ from the defaults:\n  throttledWarningMinutes 9 instead of 5\n',
  );
  expect((await runCli('audit', ...files)).out).not.toContain('than documented');
});

const excluding = withConfig('exclude: { tags: { environment: [test, sandbox] } }');

test('an excluded volume is not evaluated, not missed and not unknown: it is counted', async () => {
  const result = await audited(...excluding);
  expect(result.volumes.map(({ volumeId }) => volumeId)).toEqual([vol]);
  expect(result.coverage).toMatchObject({ volumes: 1, excluded: 1, unknown: [], metricsWithoutResource: [] });
  expect(JSON.stringify(result)).not.toContain(scratch);
  expect((await audited()).coverage.excluded).toBeUndefined();
  const { out } = await runCli('audit', ...files, ...excluding);
  expect(out).toContain('1 more volume is excluded by the configuration, neither read nor evaluated.');
});

test('of tags those that routes and exclusions name are in findings, and no others anywhere', async () => {
  const result = await audited(
    ...withConfig('exclude: { tags: { environment: test } }\nroutes: [{ to: [slack], tags: { team: "*" } }]'),
  );
  expect(result.findings.map(({ resource }) => resource.tags)).toEqual([{ team: 'payments' }]);
  expect(JSON.stringify(result)).not.toContain('of nobody here');
  expect((await audited()).findings[0]?.resource).not.toHaveProperty('tags');
});

test('who asks for an excluded volume by name is told that it is excluded', async () => {
  const run = await runCli('audit', ...files, ...excluding, '--resource', scratch);
  expect(run).toEqual({
    code: 2,
    out: '',
    err: `stripewise: --resource ${scratch}: the configuration excludes it (exclude.tags): leave out --config, or its tag there`,
  });
});

test('a tag that only excluded volumes have is nowhere, and how many are excluded is said', async () => {
  const { code, err } = await runCli('audit', ...files, ...excluding, '--resource', 'tag:environment=test');
  expect(code).toBe(2);
  expect(err).toBe(
    'stripewise: --resource tag:environment=test: no volume or instance has this tag in what was read (1 more volume is excluded); without --resource all are evaluated',
  );
});

test('queries are not written for what is excluded', async () => {
  const asked = async (...options: string[]): Promise<{ volumesAsked: number }> => {
    const out = ['--out', directory.path];
    const run = await runCli('audit', 'queries', ...files.slice(0, 4), ...out, ...options, '--json');
    return JSON.parse(run.out);
  };
  expect((await asked()).volumesAsked).toBe(2);
  expect((await asked(...excluding)).volumesAsked).toBe(1);
});

test('a bad file is one line, before anything is read', async () => {
  const run: CliRun = await runCli('audit', ...files, ...withConfig('audit: { everyHours: 72 }'));
  expect(run).toMatchObject({ code: 2, out: '' });
  expect(run.err).toMatch(/^stripewise: \S+config-\d+\.yaml:1: audit\.everyHours: is 72: give 48 or less$/);
});

test('the instance of which no volume is left is not evaluated either', async () => {
  const all = withConfig('exclude: { tags: { environment: test, team: payments } }');
  const { coverage } = await audited(...all);
  expect(coverage).toMatchObject({ volumes: 0, excluded: 2, instances: { total: 0 } });
  expect(coverage.metricsWithoutResource).not.toContain(instance);
});

test('an instance whose other volume is excluded is not called well by the sum of what is left', async () => {
  // No metrics of its own: evaluated by the sum over its volumes, as long as that is whole.
  const quiet = [
    '--metrics',
    directory.write('quiet.json', getMetricData(...load(vol, day(calm)), ...load(scratch, day(calm)))),
  ];
  const ofInstances = async (...options: string[]) => {
    const { out } = await runCli('audit', ...files.slice(0, 4), ...quiet, ...options, '--json');
    return auditResultSchema.parse(JSON.parse(out)).coverage.instances;
  };
  expect(await ofInstances()).toMatchObject({ total: 1, evaluated: 1 });
  expect(await ofInstances(...excluding)).toMatchObject({
    notEvaluated: [
      {
        instanceId: instance,
        reason: { code: 'volumes-in-part' },
      },
    ],
  });
});
