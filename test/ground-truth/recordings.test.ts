/**
 * Real programs on a real Linux, recorded in the EBS lab (docs/contribute/testing.md): what the lab throttled each volume by is what the
 * audit says, of the figures that CloudWatch would have published of them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { Finding } from '../../core/schemas/finding.ts';
import { runCli } from '../cli/run-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const recordings = join(__dirname, '../recordings/lab');
const directory = temporaryDirectory();

const truthSchema = z.object({
  emulated: z.literal(true),
  volumes: z.array(
    z.object({ volumeId: z.string(), instanceId: z.string(), name: z.string(), cause: z.string() }),
  ),
});
const truth = truthSchema.parse(JSON.parse(readFileSync(join(recordings, 'truth.json'), 'utf8')));
const repliesSchema = z.object({ MetricDataResults: z.array(z.looseObject({ Label: z.string() })) });
const replies = repliesSchema.parse(
  JSON.parse(readFileSync(join(recordings, 'get-metric-data.json'), 'utf8')),
);

interface Audited {
  findings: Finding[];
  /** Causes of the minutes in which something throttled it, by volume. */
  causes: Map<string, string[]>;
}

async function audited(keep: (label: string) => boolean): Promise<Audited> {
  const kept = replies.MetricDataResults.filter(({ Label }) => keep(Label));
  const metrics = directory.write('metrics.json', JSON.stringify({ MetricDataResults: kept }));
  const minutes = join(directory.path, 'minutes.csv');
  const { out, err } = await runCli(
    ...['audit', '--metrics', metrics, '--volumes', join(recordings, 'describe-volumes.json')],
    ...['--instances', join(recordings, 'describe-instances.json'), '--minutes', minutes, '--json'],
  );
  expect(err).toMatch(
    /^stripewise: Partial, exit code 3\. 4 volumes unknown \([^)]+\)\. Listed in coverage\.unknown\.\n?$/,
  );
  const rows: Record<string, string>[] = parse(readFileSync(minutes), { columns: true });
  const causes = new Map<string, string[]>();
  for (const { volume_id: id = '', cause = '' } of rows) causes.set(id, [...(causes.get(id) ?? []), cause]);
  return { findings: JSON.parse(out).findings, causes };
}

const isCheck = (label: string): boolean => label.endsWith('ExceededCheck');

const aboutThrottling = /throttled|credits|burst|straggler/;

/** What the audit says is throttled, and by what. */
const kindsOf = ({ findings }: Audited, id: string): string[] =>
  findings
    .filter(({ resource, kind }) => resource.id === id && aboutThrottling.test(kind))
    .map(({ kind }) => kind)
    .toSorted();

/** The finding on the volume itself that a true cause must have. */
const kindsByCause: Readonly<Record<string, readonly string[]>> = {
  'volume-iops': ['throttled-volume-iops'],
  'volume-throughput': ['throttled-volume-throughput'],
  'volume-credits': ['credits-exhausted'],
  'slow-member': ['stripe-straggler'],
};

describe.each([
  ['as published', () => true],
  ['without the exceeded checks', (label: string) => !isCheck(label)],
] as const)('%s', (_, keep) => {
  let result: Audited;
  beforeAll(async () => {
    result = await audited(keep);
  });

  test.each(truth.volumes.map((volume) => [volume.name, volume] as const))(
    '%s is throttled by what the lab set, and by nothing else',
    (_name, { volumeId, cause }) => {
      const causes = [...new Set(result.causes.get(volumeId))];
      expect(causes).toEqual(cause === 'none' || cause === 'slow-member' ? [] : [cause]);
      expect(kindsOf(result, volumeId)).toEqual(kindsByCause[cause] ?? []);
    },
  );

  test('the instance that throttles is named, and no other', () => {
    const held = new Set(
      truth.volumes.filter(({ cause }) => cause.startsWith('instance-')).map(({ instanceId }) => instanceId),
    );
    const instances = new Set(truth.volumes.map(({ instanceId }) => instanceId));
    for (const id of instances) expect([id, kindsOf(result, id).length > 0]).toEqual([id, held.has(id)]);
  });
});
