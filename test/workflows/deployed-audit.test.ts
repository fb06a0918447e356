/** The audit as it is deployed, in a local AWS: what it finds, what it tells, and what it does where it cannot read. */
import { join } from 'node:path';
import { DeleteFunctionCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { builtInCatalog } from '../../core/catalog/instance-types.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { clientSettings, connectSlack } from '../../local/deploy.ts';
import type { DeployedRun } from '../../local/run-audit.ts';
import { compareWithTruth } from '../compare-with-truth.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { writeFleet } from '../simulator/write-fleet.ts';
import { asFilesShowIt, byId, byVolume, comparable, resultOf, unknownOf } from './compare-runs.ts';
import { type LocalDeployment, localDeployment } from './local-deployment.ts';
import { openLink, putPage, signedLink } from './opened-reports.ts';
import { listedRuns, storedPage } from './stored-page.ts';

const directory = temporaryDirectory();
let deployment: LocalDeployment;
let beforeSlack: DeployedRun;
let first: AuditResult;

beforeAll(async () => {
  deployment = await localDeployment();
  beforeSlack = await deployment.run();
  await connectSlack(deployment.services, deployment.outputs);
  first = resultOf(await deployment.run());
  for (const { region } of deployment.fleet.regions) await deployment.refreshCatalog(region);
  // The first of a configuration deploys it; on a busy machine that alone takes minutes.
}, 600_000);
afterAll(() => deployment?.remove(), 240_000);

test('finds what the command line finds in the same account, volume by volume', async () => {
  const { lookbackDays, periodSeconds, until } = deployment.window;
  const cli = await deployment.cli(
    'audit',
    ...['--region', 'us-east-1', 'eu-central-1', '--until', until],
    ...['--lookback-days', `${lookbackDays}`, '--period-seconds', `${periodSeconds}`],
  );
  expect(first.volumes).toHaveLength(deployment.fleet.causesByVolume.size);
  expect(byVolume(first)).toEqual(byVolume(cli));
  expect(byId(first)).toEqual(byId(cli));
  expect(unknownOf(first)).toEqual(unknownOf(cli));
  expect(first.notices).toEqual(cli.notices);
  expect(first.window).toEqual(cli.window);
  expect(first.cost.metricsRequested).toBe(cli.cost.metricsRequested);
});

test('in two passes, as it runs where nobody says a period, it finds the same and says what each pass cost', async () => {
  const inPasses = resultOf(await deployment.run({ periodSeconds: undefined, notify: false }));
  const notified = (result: AuditResult): string[] =>
    byId(result).map(({ id, kind, severity }) => `${id} ${kind} ${severity}`);
  expect(notified(inPasses)).toEqual(notified(first));
  const passes = inPasses.cost.passes ?? [];
  expect(passes.map(({ pass }) => pass)).toEqual(['coarse', 'second-look', 'fine']);
  const requested = passes.reduce((total, { metricsRequested }) => total + metricsRequested, 0);
  expect(requested).toBe(inPasses.cost.metricsRequested);
});

test('finds what the command line finds in files of the same fleet, volume by volume', async () => {
  const path = join(directory.path, 'fleet');
  writeFleet(deployment.fleet, path);
  const files = (name: string): string[] =>
    deployment.fleet.regions.map(({ region }) => join(path, region, `${name}.json`));
  const cli = await deployment.cli(
    'audit',
    ...['--volumes', ...files('describe-volumes')],
    ...['--instances', ...files('describe-instances')],
    ...['--metrics', ...files('get-metric-data')],
  );
  expect(byVolume(first).map(comparable)).toEqual(byVolume(cli).map(comparable));
  expect(byId(first).map(asFilesShowIt)).toEqual(byId(cli).map(asFilesShowIt));
  expect(unknownOf(first)).toEqual(unknownOf(cli));
});

test('evaluates by the prices of each Region, read by the first run and kept for those after it', async () => {
  const [before, after] = [resultOf(beforeSlack), first].map(({ prices }) =>
    [...prices].sort((a, b) => a.region.localeCompare(b.region)),
  );
  expect(before).toEqual(after);
  expect(after).toMatchObject([
    { region: 'eu-central-1', ebsAsOf: expect.any(String) },
    { region: 'us-east-1', ebsAsOf: expect.any(String) },
  ]);
  const began = Date.now() - 15 * 60_000;
  for (const { refreshedAt, sources } of after ?? []) {
    expect(Date.parse(refreshedAt ?? '')).toBeGreaterThan(began);
    expect(sources.map(({ source }) => source).join()).toContain(
      'AWS Price List, AmazonEC2, version emulated-from-',
    );
  }
  expect(first.notices).toEqual([]);
});

test('with the prices of both Regions it says nothing that is not so', () => {
  const { falseWarnings, wrongKind } = compareWithTruth(deployment.fleet, first);
  expect([...falseWarnings, ...wrongKind]).toEqual([]);
});

test('what is found before anybody listens waits, and is reported when somebody does', () => {
  expect(beforeSlack.output).toMatchObject({
    notified: 0,
    nobodyListens: true,
    findings: first.findings.length,
  });
});

test('a run with a window of its own tells nobody', async () => {
  const before = (await deployment.slackMessages()).length;
  const run = await deployment.run({ notify: false });
  expect(run.output).not.toHaveProperty('notified');
  expect(resultOf(run).findings).toHaveLength(first.findings.length);
  expect(await deployment.slackMessages()).toHaveLength(before);
  const [newest] = await listedRuns(deployment);
  expect(newest).toMatchObject({ runId: resultOf(run).runId, byHand: true });
  expect(run.output).toMatchObject({ report: newest?.report });
});

test('leaves a page with what was found and what can be drawn of it, and lists the run', async () => {
  const result = resultOf(beforeSlack);
  const { runId, findings } = result;
  const key = `runs/${runId}/report.html`;
  const { report, series, ...page } = await storedPage(deployment, key);
  expect(page.contentType).toBe('text/html; charset=utf-8');
  expect(report).toMatchObject({ label: 'emulated: a local AWS, simulated volumes', result });
  expect(series.map(({ resourceId }) => resourceId)).toEqual(report.withSeries);
  const throttled = findings.filter(({ kind }) => kind.startsWith('throttled-'));
  const drawn = new Set(report.withSeries);
  expect(throttled.length).toBeGreaterThan(5);
  expect(throttled.filter(({ resource }) => !drawn.has(resource.id))).toEqual([]);
  expect(beforeSlack.output).toMatchObject({
    ...{ report: key, reportBytes: page.bytes, runsInManifest: 1 },
    findingsDrawn: findings.filter(({ resource }) => drawn.has(resource.id)).length,
  });
  const listed = (await listedRuns(deployment)).find((one) => one.runId === runId);
  const critical = findings.filter(({ severity }) => severity === 'critical').length;
  expect(listed).toMatchObject({ report: key, byHand: false, volumes: result.coverage.volumes });
  expect(listed?.findings.critical).toBe(critical);
});

test('tells everything from warning on in one Slack message', async () => {
  const messages = await deployment.slackMessages();
  const { critical, warning } = first.summary.findingsBySeverity;
  expect(messages.map(({ text }) => text)).toEqual([
    expect.stringContaining(`stripewise: ${critical} critical, ${warning} warnings. Up to `),
  ]);
});

test('who reads that in Slack opens the page of the run from there', async () => {
  const [message] = await deployment.slackMessages();
  const text = JSON.stringify(message);
  const [, link = ''] = /<([^<>|]+)\|Open report>/.exec(text) ?? [];
  expect(text).toContain(`<${link}#finding-`);
  expect(link).toContain(`/runs/${first.runId}/`);
  const { status, page } = await openLink(link);
  expect([status, page?.status]).toEqual([302, 200]);
  expect(page?.html).toMatch(/^<!doctype html>/i);
});

describe('a link to a report', () => {
  const html = '<!doctype html><title>a report</title>';

  test('leads to the page, which a browser shows and nobody keeps', async () => {
    const { services, outputs } = deployment;
    await putPage(services, outputs, 'runs/linked-1/report.html', html);
    expect(await openLink(await signedLink(services, outputs, 'linked-1'))).toEqual({
      ...{ status: 302, said: '', cacheControl: 'no-store' },
      page: { status: 200, contentType: 'text/html; charset=utf-8', html },
    });
  });

  test('that was changed, has expired or whose report is gone says so, and leads nowhere', async () => {
    const { services, outputs } = deployment;
    const link = await signedLink(services, outputs, 'linked-2');
    const past = await signedLink(services, outputs, 'linked-1', 1_600_000_000);
    expect(await openLink(link.replace('linked-2', 'linked-1'))).toMatchObject({
      ...{ status: 403, said: 'This link is not valid.\n', page: null },
    });
    expect(await openLink(past)).toMatchObject({
      ...{ status: 403, said: expect.stringContaining('expired'), page: null },
    });
    expect(await openLink(link)).toMatchObject({ status: 404, page: null });
  });
});

test('keeps a dashboard of the volumes at risk', async () => {
  const url = `${deployment.services.urls.cloudWatch}/_stripewise/dashboards`;
  const text = await (await fetch(url)).text();
  const critical = first.findings.find(
    ({ kind, severity }) => kind === 'credits-exhausted' && severity === 'critical',
  );
  expect(text).toContain(deployment.outputs.Dashboard);
  expect(text).toContain(critical?.resource.id);
  expect(text).toContain('* 5400000 / 100 / (3000 - ');
});

test('a second audit of the same fleet posts nothing new; one changed volume posts one message, about it', async () => {
  const again = await deployment.run();
  expect(again.output).toMatchObject({ notified: 0 });
  const second = resultOf(again);
  expect(byId(second)).toEqual(byId(first));
  expect(await deployment.slackMessages()).toHaveLength(1);

  const healthy = first.volumes.find(
    ({ status, region, volumeType }) =>
      status === 'healthy' && region === 'us-east-1' && volumeType === 'gp3',
  );
  const volumeId = healthy?.volumeId ?? '';
  await throttleAt(volumeId, true);
  const third = resultOf(await deployment.run());
  const news = third.findings.filter(({ id }) => !first.findings.some((known) => known.id === id));
  expect(news.map(({ kind }) => kind)).toEqual(['micro-burst']);
  expect(new Set(news.map(({ resource }) => resource.id))).toEqual(new Set([volumeId]));
  const [, message, ...more] = await deployment.slackMessages();
  expect(more).toEqual([]);
  expect(message?.text).toMatch(/^stripewise: 1 new finding \(/);
  expect(JSON.stringify(message)).toContain(volumeId);
  for (const { resource } of first.findings) {
    if (resource.type === 'volume') expect(JSON.stringify(message)).not.toContain(resource.id);
  }
});

test('what is gone at one look is not reported: it may come again', async () => {
  const before = (await deployment.slackMessages()).length;
  const [volumeId = ''] = throttled;
  await throttleAt(volumeId, false);
  // Looks count in the order of their times.
  const later = Date.parse(deployment.window.until) + 5 * 60_000;
  const run = await deployment.run({ until: new Date(later).toISOString() });
  expect(resultOf(run).findings.filter(({ resource }) => resource.id === volumeId)).toEqual([]);
  expect(run.output).toMatchObject({ notified: 0 });
  expect(await deployment.slackMessages()).toHaveLength(before);
});

/** Volumes that were throttled on purpose. */
const throttled: string[] = [];

/** From now on CloudWatch says that its own limit throttled this volume in ten minutes, and that I/O waited, or never. */
async function throttleAt(volumeId: string, isThrottled: boolean): Promise<void> {
  throttled.push(volumeId);
  const { fleet, services, notify } = deployment;
  const epochSeconds = Array.from({ length: 26 * 60 }, (_, minute) => fleet.startEpochSeconds + minute * 60);
  const inThem = (value: number, otherwise: number): number[] =>
    epochSeconds.map((_, minute) => (isThrottled && minute >= 600 && minute < 610 ? value : otherwise));
  const described = fleet.regions.find(({ region }) => region === 'us-east-1')?.describeVolumes as {
    Volumes: { VolumeId: string; Attachments: { InstanceId: string }[] }[];
  };
  const volume = described.Volumes.find(({ VolumeId }) => VolumeId === volumeId);
  const InstanceId = volume?.Attachments[0]?.InstanceId ?? '';
  await notify('POST', `${services.urls.cloudWatch}/_stripewise/series?region=us-east-1`, {
    series: [
      {
        namespace: 'AWS/EBS',
        metric: 'VolumeIOPSExceededCheck',
        dimensions: { VolumeId: volumeId, InstanceId },
        epochSeconds,
        values: inThem(1, 0),
      },
      {
        namespace: 'AWS/EBS',
        metric: 'VolumeQueueLength',
        dimensions: { VolumeId: volumeId },
        epochSeconds,
        values: inThem(60, 0.1),
      },
    ],
  });
}

describe('where prices cannot be read, the run goes on without them and says so', () => {
  /** A Region that no run has read before. */
  const region = 'eu-west-2';
  const faults = (): string => `${deployment.services.urls.pricing}/_stripewise/faults`;
  afterEach(() => deployment.notify('DELETE', faults()));

  test('a Price List that denies: the run is partial for it, and the volumes are evaluated', async () => {
    const fault = { error: 'AccessDeniedException', message: 'not authorized: pricing:GetProducts' };
    await deployment.notify('POST', faults(), { ...fault, times: -1 });
    const run = await deployment.run({ regions: [region, 'us-east-1'] });
    const { notices, coverage } = resultOf(run);
    expect(coverage.evaluated).toBeGreaterThan(50);
    expect(notices).toEqual([]);
    // us-east-1 was read by the first run of all: it is not asked again.
    const reason =
      'pricing:GetProducts of eu-west-2 failed: AccessDeniedException: not authorized: pricing:GetProducts';
    const { asOf } = builtInCatalog();
    expect(coverage.incomplete).toEqual([
      { code: 'prices-not-refreshed', region: 'eu-west-2', reason, used: 'none', asOf },
    ]);
  });
});

describe('where something cannot be read, the run says what, and tells nothing in vain', () => {
  afterEach(async () => {
    const { ec2, cloudWatch } = deployment.services.urls;
    await deployment.notify('DELETE', `${ec2}/_stripewise/faults`);
    await deployment.notify('DELETE', `${cloudWatch}/_stripewise/faults`);
  });

  test('a Region whose volumes may not be listed: the other is evaluated, the run is partial', async () => {
    const before = (await deployment.slackMessages()).length;
    await deployment.notify('POST', `${deployment.services.urls.ec2}/_stripewise/faults`, {
      ...{ operation: 'DescribeVolumes', region: 'eu-central-1', times: -1 },
      ...{ code: 'UnauthorizedOperation', status: 403 },
    });
    const run = await deployment.run();
    expect(run.output).toMatchObject({ partial: true });
    const { coverage, volumes } = resultOf(run);
    expect(coverage.incomplete).toHaveLength(1);
    expect(coverage.incomplete[0]).toMatchObject({
      ...{ code: 'region-not-read', region: 'eu-central-1' },
      reason: expect.stringMatching(
        /^AccessDenied: ec2:DescribeVolumes in eu-central-1 failed: UnauthorizedOperation/,
      ),
    });
    expect(new Set(volumes.map(({ region }) => region))).toEqual(new Set(['us-east-1']));
    expect(await deployment.slackMessages()).toHaveLength(before);
  });

  test('metrics that are refused: its volumes are unknown with the reason, not silent', async () => {
    await deployment.notify('POST', `${deployment.services.urls.cloudWatch}/_stripewise/faults`, {
      ...{ operation: 'GetMetricData', region: 'eu-central-1', times: -1 },
      ...{ error: 'AccessDenied', status: 403 },
    });
    const run = await deployment.run();
    expect(run.output).toMatchObject({ partial: true });
    const { coverage, volumes } = resultOf(run);
    const there = volumes.filter(({ region, status }) => region === 'eu-central-1' && status === 'unknown');
    expect(there.length).toBeGreaterThan(20);
    const reasons = coverage.unknown.filter(
      ({ reason }) => reason.code === 'metrics-not-read' && reason.reason.includes('AccessDenied'),
    );
    expect(reasons.length).toBeGreaterThan(20);
    expect(coverage.incomplete[0]).toMatchObject({
      code: 'metrics-not-read',
      reason: expect.stringContaining('cloudwatch:GetMetricData in eu-central-1 failed: AccessDenied'),
    });
  });

  test('an input that cannot be used ends the run with one line that says why', async () => {
    const { status } = await deployment.run({ lookbackDays: 30 });
    expect(status).toMatch(/^FAILED: BadInput: .*longer than CloudWatch keeps points of 60 s \(15 days\)/);
  });

  test('one Region alone can be asked for', async () => {
    const { volumes, coverage } = resultOf(await deployment.run({ regions: ['eu-central-1'] }));
    expect(new Set(volumes.map(({ region }) => region))).toEqual(new Set(['eu-central-1']));
    expect(coverage.incomplete).toEqual([]);
  });

  test('a Region without volumes is an audit of nothing', async () => {
    const run = await deployment.run({ regions: ['eu-west-1'] });
    expect(run.output).toMatchObject({ partial: false, volumes: 0, findings: 0 });
  });
});

test('without the function that refreshes prices a run goes on, and says so', async () => {
  const lambda = new LambdaClient(clientSettings(deployment.services));
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
  const refresh = Functions.find(({ FunctionName }) => FunctionName?.includes('RefreshCatalog'));
  await lambda.send(new DeleteFunctionCommand({ FunctionName: refresh?.FunctionName }));
  lambda.destroy();
  const run = await deployment.run({ regions: ['eu-central-1'] });
  const { notices, coverage, prices } = resultOf(run);
  expect(coverage.incomplete).toEqual([]);
  expect(notices).toEqual([
    {
      ...{ code: 'prices-not-refreshed', region: 'eu-central-1', used: 'those-of-before', asOf: null },
      reason: expect.any(String),
    },
  ]);
  expect(prices).toMatchObject([{ refreshedAt: expect.any(String) }]);
});
