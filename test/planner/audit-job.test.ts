/** What the page's worker makes of files is what the command line makes of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileAt } from '../../adapters/files/read-file.ts';
import type { TextFile } from '../../adapters/files/text-file.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { auditOf, type FilesByKind, maxVolumes, queriesOf } from '../../planner/audit/audit-job.ts';
import { FileArchive } from '../../planner/audit/file-archive.ts';
import { runCli } from '../cli/run-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { simulateFleet } from '../simulator/fleet.ts';
import { fleetPlan } from '../simulator/plans/index.ts';
import { writeFleet } from '../simulator/write-fleet.ts';

const directory = temporaryDirectory();
const small = {
  instances: fleetPlan.instances.filter(({ region }) => region === 'us-east-1').slice(0, 4),
  loose: fleetPlan.loose,
};
writeFleet(simulateFleet({ hours: 4, plan: small }), directory.path);

const pathOf = (name: string): string => join(directory.path, 'us-east-1', `${name}.json`);
const [volumes, instances, metrics] = ['describe-volumes', 'describe-instances', 'get-metric-data'].map(
  pathOf,
) as [string, string, string];
const described = ['--volumes', volumes, '--instances', instances];

/** As the worker reads it: in chunks, never as one text. */
const chunked = (path: string): TextFile => ({
  name: path,
  text: () => {
    throw new Error('it was read as one text');
  },
  *chunks() {
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at += 65_537) yield new Uint8Array(bytes.subarray(at, at + 65_537));
  },
});

const filesOf = (of: Partial<Record<keyof FilesByKind, string[]>>): FilesByKind => {
  const all = (paths: string[] = []): TextFile[] => paths.map(chunked);
  return {
    ...{ volumes: all(of.volumes), instances: all(of.instances) },
    ...{ metrics: all(of.metrics), modifications: all(of.modifications) },
  };
};

const job = {
  lookbackDays: 1,
  untilSeconds: null,
  catalogs: [],
  runId: 'run-1',
  madeAt: '2026-11-20T00:00:00Z',
};

/** Some volumes are unknown: the command line ends with 3. */
const cliResult = async (...argv: string[]): Promise<AuditResult> =>
  JSON.parse((await runCli('audit', ...argv, '--json')).out);

/** As JSON has it: a member that is undefined is none. */
const plain = (result: AuditResult): AuditResult => JSON.parse(JSON.stringify(result));

test('files in chunks give the result of `stripewise audit --json`', async () => {
  const expected = await cliResult(...described, '--metrics', metrics);
  const progress: string[] = [];
  const { report, series } = await auditOf(
    {
      ...job,
      files: filesOf({ volumes: [volumes], instances: [instances], metrics: [metrics] }),
      archive: null,
    },
    { evaluated: (done, total) => progress.push(`${done} of ${total}`) },
  );
  expect(plain(report.result)).toEqual(expected);
  expect(expected.findings.length).toBeGreaterThan(3);
  expect(progress.at(-1)).toBe(`${expected.volumes.length} of ${expected.volumes.length}`);
  expect(report.withSeries).toEqual(series.map(({ resourceId }) => resourceId));
  expect(series.length).toBeGreaterThan(0);
});

test('an archive gives the result of `stripewise audit --archive`', async () => {
  const kept = join(directory.path, 'kept');
  await cliResult(...described, '--metrics', metrics, '--save', kept);
  const expected = await cliResult(...described, '--archive', kept, '--lookback-days', '1');
  const files = readdirSync(kept, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ key: path.slice(kept.length + 1), file: new Blob([readFileSync(path)]) }));
  const { report } = await auditOf(
    {
      ...job,
      files: filesOf({ volumes: [volumes], instances: [instances] }),
      archive: new FileArchive({ name: 'kept', files }),
    },
    { evaluated: () => {} },
  );
  expect(plain(report.result)).toEqual(expected);
  expect(expected.findings.length).toBeGreaterThan(3);
});

test('queries are those of `stripewise audit queries`', async () => {
  const out = join(directory.path, 'queries');
  const { out: printed } = await runCli('audit', 'queries', ...described, '--out', out, '--json');
  const expected = JSON.parse(printed) as { metrics: number; usd: number; files: { path: string }[] };
  const made = queriesOf({
    files: { volumes: [fileAt(volumes)], instances: [fileAt(instances)] },
    lookbackDays: 14,
    periodSeconds: 300,
    // The clock of the command line in tests.
    now: new Date('2026-11-20T12:34:56Z'),
  });
  expect({ metrics: made.metrics, usd: made.usd }).toEqual({ metrics: expected.metrics, usd: expected.usd });
  expect(made.files.map(({ text }) => text)).toEqual(
    expected.files.map(({ path }) => readFileSync(path, 'utf8')),
  );
});

const auditFiles = (files: FilesByKind) => auditOf({ ...job, files, archive: null }, { evaluated: () => {} });

test('two files that describe one volume are one line', async () => {
  await expect(auditFiles(filesOf({ volumes: [volumes, volumes], metrics: [metrics] }))).rejects.toThrow(
    /^volume vol-\w+ is described twice: give each file once$/,
  );
});

test.each([
  ['replies', null, '--metrics reply-*.json'],
  ['an archive', new FileArchive({ name: 'kept', files: [] }), '--archive DIRECTORY'],
])(
  'a volume more than the page can show, with %s, is one line before those are read',
  async (_, archive, source) => {
    const [like] = JSON.parse(readFileSync(volumes, 'utf8')).Volumes as [object];
    const many = Array.from({ length: maxVolumes + 1 }, (__, i) => ({
      ...like,
      VolumeId: `vol-${String(i).padStart(17, '0')}`,
      Attachments: [],
    }));
    const path = directory.write('many.json', JSON.stringify({ Volumes: many }));
    const unread = { name: 'replies', text: () => 'no JSON' };
    const files = { ...filesOf({ volumes: [path] }), metrics: [unread] };
    await expect(auditOf({ ...job, files, archive }, { evaluated: () => {} })).rejects.toThrow(
      `There are 20,001 volumes, and this page audits at most 20,000; the command line can: stripewise audit --volumes volumes.json ${source}`,
    );
  },
);

test('a file that is cut is one line that names where', async () => {
  const cut = directory.write('cut.json', readFileSync(metrics, 'utf8').slice(0, 100_000));
  await expect(auditFiles(filesOf({ volumes: [volumes], metrics: [cut] }))).rejects.toThrow(
    /cut\.json: not whole JSON \(it ends within MetricDataResults\[\d+\]\); expected the whole of/,
  );
});

test('an archive without manifests is one line', async () => {
  const archive = new FileArchive({ name: 'kept', files: [] });
  await expect(
    auditOf({ ...job, files: filesOf({ volumes: [volumes] }), archive }, { evaluated: () => {} }),
  ).rejects.toThrow('kept: no archive is in it');
});
