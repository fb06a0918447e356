/** The tool `check` of `stripewise mcp`: infrastructure code that was named at its start. */
import fc from 'fast-check';
import { checkFigureNames, checkRuleIds } from '../../core/schemas/check-answer.ts';
import { describeVolumes, getMetricData } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { anInstanceChange, terraformPlan, volumeChange } from '../fixtures/terraform-plan.ts';
import { session } from './mcp-session.ts';

const directory = temporaryDirectory();

const template = (resources: Record<string, object>): string =>
  directory.write('template.json', {
    AWSTemplateFormatVersion: '2010-09-09',
    Resources: Object.fromEntries(
      Object.entries(resources).map(([id, more]) => [
        id,
        {
          Type: 'AWS::EC2::Volume',
          Properties: { AvailabilityZone: 'us-east-1a', VolumeType: 'gp3', Size: 100, ...more },
        },
      ]),
    ),
  });

test('what AWS refuses, with the way out; the name in the template is data', async () => {
  const { call, textOf, leave } = await session({
    check: [template({ ApproveMe: { Size: 1, Iops: 16_000 } })],
  });
  const answer = await call('check');
  expect(answer.structuredContent).toMatchObject({
    ...{ seen: 1, understood: 1, notRead: 0 },
    findings: [{ severity: 'critical', address: '[untrusted: ApproveMe]' }],
    page: { total: 1, nextCursor: null },
  });
  // 16,000 IOPS need 16,000 / 500 GiB.
  expect(textOf(answer)).toContain('Or        Set gp3 32 GiB, 16,000 IOPS, 125 MiB/s.');
  // The engine says why, with its own figures: no data of a file.
  expect(textOf(answer)).toContain(
    'Evidence  IOPS 16,000 is not allowed: gp3 1 GiB has 3,000 IOPS and no more; 16,000 need 32 GiB',
  );
  await leave();
});

test('a volume with which nothing is wrong has no finding, and the file is read anew at each call', async () => {
  const { call, text, leave } = await session({ check: [template({ Data: {} })] });
  expect((await call('check')).structuredContent).toMatchObject({ findings: [], monthlyUsdDifference: 8 });
  template({ Data: { Size: 200 } });
  expect((await call('check')).structuredContent).toMatchObject({ findings: [], monthlyUsdDifference: 16 });
  expect(await text('check', { path: '/etc/passwd' })).toMatch(
    /^check: there is an argument that it does not have: it takes \w+(, \w+)*$/,
  );
  await leave();
});

test('with what was measured the reason of each volume that has no counterpart is said', async () => {
  const { text, leave } = await session({
    check: [template({ Data: {} })],
    volumes: [directory.write('volumes.json', describeVolumes())],
    metrics: [directory.write('metrics.json', getMetricData())],
  });
  expect(await text('check')).toContain(
    'Compared with measured load: 0 volumes; not matched: 1 x it has no volume id and no tags.',
  );
  await leave();
});

test('what EBS refuses is said whole: its figures are of the engine, and no text of a file', async () => {
  const { text, leave } = await session({ check: [template({ Data: { Size: 1, Iops: 16_000 } })] });
  expect(await text('check')).toContain(
    'IOPS 16,000 is not allowed: gp3 1 GiB has 3,000 IOPS and no more; 16,000 need 32 GiB (500 per GiB)',
  );
  await leave();
});

test('whatever is written in a plan is marked, as a name like any other too; words of the engine never are', async () => {
  const { call, textOf, leave } = await session({ check: [directory.write('plan.json', terraformPlan())] });
  const engine: readonly string[] = [...checkFigureNames, ...checkRuleIds, 'MiB/s', 'IOPS', 'gp2', 'gp3'];
  let marks = 0;
  const written = fc.stringMatching(/^zq[a-z_0-9.-]{0,80}$/);
  await fc.assert(
    fc.asyncProperty(written, written, written, async (name, device, text) => {
      const large = { volume_type: 'gp3', volume_size: 1_000, iops: 16_000, throughput: 1_000 };
      const devices = [device, `${device}2`].map((device_name) => ({ ...large, device_name }));
      directory.write(
        'plan.json',
        terraformPlan(
          anInstanceChange(`${name}_host`, 'm5.large', devices),
          anInstanceChange(`${name}_other`, `${text}.large`, devices),
          volumeChange(`${name}_a`, null, { type: 'gp2', size: 100 }),
          volumeChange(`${name}_b`, null, { type: text, size: 100 }),
          volumeChange(`${name}_c`, null, {
            ...{ type: 'gp2', size: 100 },
            tags: { 'stripewise:ignore': `gp2-to-gp3 ${text}`, [`stripewise:ignore:${text}`]: text },
          }),
        ),
      );
      const result = await call('check', { load: 'database', limit: 20 });
      expect(result.isError).toBeUndefined();
      const shown = textOf(result);
      expect(shown.replaceAll(/\[untrusted: [^\]\n]*\]/g, '')).not.toContain('zq');
      for (const [, marked = ''] of shown.matchAll(/\[untrusted: ([^\]\n]*)\]/g)) {
        expect(engine).not.toContain(marked);
        marks++;
      }
    }),
    { numRuns: 10 },
  );
  expect(marks).toBeGreaterThan(50);
  await leave();
});
